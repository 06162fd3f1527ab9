"""A house to practise in is another house: its own folder and venue, marked everywhere, never in a record's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse

from config import practice
from house import demo
from house.venue import venue
from kernel import environment
from kernel.environment import Trouble
from tests.world.copies import RUN, Copy, own_folder, refused_start
from tests.world.copies import environment as environment_of


@pytest.fixture
def practising(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("PRACTICE", "1")
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("METERHOUSE_DATA", str(tmp_path))
    return tmp_path


def test_it_has_a_folder_and_a_port_of_its_own(practising: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("METERHOUSE_DATA", "PORT"):
        monkeypatch.delenv(name, raising=False)
    assert environment.data_folder().name == ".practice"
    assert environment.web_port() == 8100
    monkeypatch.delenv("PRACTICE")
    assert environment.data_folder().name == ".data"


def test_the_folder_remembers_and_a_record_is_refused(practising: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    practice.keep_apart(practising)
    (practising / "keys").mkdir()
    practice.keep_apart(practising)
    monkeypatch.delenv("PRACTICE")
    assert environment.practice()  # whoever starts it without saying so
    monkeypatch.setenv("PRACTICE", "1")
    record = practising / "record"
    (record / "keys").mkdir(parents=True)
    monkeypatch.setenv("METERHOUSE_DATA", str(record))
    with pytest.raises(Trouble, match="holds a house's record"):
        practice.keep_apart(record)
    assert not (record / environment.PRACTICE_MARK).exists()
    monkeypatch.setenv("DATABASE_URL", "postgresql://house@db/house")
    with pytest.raises(Trouble, match="without DATABASE_URL"):
        practice.keep_apart(practising)


def test_every_page_says_so() -> None:
    page = b"<html><head><title>x</title></head><body class='a'>hello</body></html>"
    marked = practice.Marked(lambda request: HttpResponse(page))(HttpRequest())
    assert isinstance(marked, HttpResponse)
    assert b"<body class='a'><p class=\"practice\"" in marked.content
    assert b"practice.css" in marked.content.partition(b"</head>")[0]
    assert marked.headers["Content-Length"] == str(len(marked.content))
    data = practice.Marked(lambda request: HttpResponse(b'{"a": 1}', content_type="application/json"))(HttpRequest())
    assert isinstance(data, HttpResponse)
    assert data.content == b'{"a": 1}'
    assert data.headers[practice.HEADER] == "true"


@pytest.mark.django_db
def test_its_venue_says_so_on_every_paper(settings: Any) -> None:
    settings.DEMO = settings.PRACTICE = True
    demo.build_demo()
    assert (venue().code, venue().name) == ("PRACTICE", "PRACTICE: not for play")
    demo.build_demo()


@pytest.mark.long
def test_a_practice_house_from_nothing() -> None:
    data = own_folder()
    copy = Copy(data, PRACTICE="1")
    copy.start()
    try:
        for page in ("/sign-in/", "/signage/keno", "/signage/jackpots", "/verify/", "/play/", "/api/docs/"):
            status, body = copy.read(page)
            assert status == 200, page
            assert practice.WORDS.encode() in body, page
    finally:
        assert copy.stop() == 0
    record = own_folder()
    (record / "keys").mkdir()
    said = refused_start(RUN, environment_of(record, PRACTICE="1"))
    assert "holds a house's record" in said
