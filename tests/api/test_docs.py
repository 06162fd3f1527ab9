"""The API's document and its pages are for everybody, so they cost next to nothing."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from django.test import Client

from tests.world.fuzzing import written
from web import docs

PATHS = ("/api/schema/", "/api/schema/?format=yaml", "/api/docs/", "/api/docs/problems")


def test_many_who_ask_make_nothing_anew(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    first = {path: client.get(path).content for path in PATHS}

    def again(*_: Any, **__: Any) -> None:
        raise AssertionError("made anew")

    for maker in ("document", "render_to_string", "all_codes"):
        monkeypatch.setattr(docs, maker, again)
    monkeypatch.setattr("yaml.safe_dump", again)
    for _ in range(10):
        for path in PATHS:
            assert client.get(path).content == first[path]


@pytest.mark.parametrize("path", PATHS)
def test_who_has_it_is_told_so(client: Client, path: str) -> None:
    plain = client.get(path)
    packed = client.get(path, headers={"Accept-Encoding": "br, gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert len(packed.content) * 4 < len(plain.content)
    for answer, headers in ((plain, {}), (packed, {"Accept-Encoding": "gzip"})):
        assert "Accept-Encoding" in answer["Vary"]
        same = client.get(path, headers={"If-None-Match": answer["ETag"], **headers})
        assert (same.status_code, same.content) == (304, b"")
    assert client.get(path, headers={"If-None-Match": '"another"'}).status_code == 200


def test_it_is_what_the_code_says(client: Client) -> None:
    assert json.loads(client.get("/api/schema/").content) == written()
