"""The site of documents: served where it was built, a sentence where not; nothing in it comes from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import LazySettings
from django.test import Client

from kernel.environment import ROOT

NAMED = yaml.safe_load((ROOT / "mkdocs.yml").read_text())
ROLES = ("writer", "supervisor", "dealer", "manager", "inspector", "auditor", "administrator", "operator")
pytestmark = pytest.mark.django_db


def pages(nav: Any) -> list[str]:
    if isinstance(nav, str):
        return [nav]
    inner = nav.values() if isinstance(nav, dict) else nav
    return [page for each in inner for page in pages(each)]


def test_every_page_has_its_place_and_every_role_its_handbook() -> None:
    placed = set(pages(NAMED["nav"]))
    there = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    assert placed <= there
    assert [page for page in sorted(there - placed) if not page.startswith("decisions/")] == []
    assert {f"handbook/{role}.md" for role in ROLES} <= placed


def test_where_it_is_not_built_a_sentence_says_so(client: Client, settings: LazySettings, tmp_path: Path) -> None:
    settings.ROOT = tmp_path
    for path in ("/docs/", "/docs/api/guide/"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "make docs" in answer.content.decode()


def test_it_is_served_and_nothing_beside_it(client: Client, settings: LazySettings, tmp_path: Path) -> None:
    folder = tmp_path / "dist" / "docs"
    (folder / "api").mkdir(parents=True)
    (folder / "index.html").write_text("<script>first()</script><p>The tour</p>")
    (folder / "api" / "index.html").write_text("<p>The API</p>")
    (folder / "search.js").write_text("1")
    (tmp_path / "dist" / "secret.txt").write_text("not this")
    settings.ROOT = tmp_path
    page = client.get("/docs/")
    assert "The tour" in page.content.decode()
    allowed = base64.b64encode(hashlib.sha256(b"first()").digest()).decode()
    assert f"script-src 'self' 'sha256-{allowed}';" in page.headers["Content-Security-Policy"]
    assert client.get("/docs/api/").content == b"<p>The API</p>"
    assert client.get("/docs/api").headers["Location"] == "/docs/api/"
    script = client.get("/docs/search.js")
    assert b"".join(script.streaming_content) == b"1"  # type: ignore[attr-defined]  # a file's
    for path in ("../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt", "nothing/", "api/../../secret.txt"):
        answer = client.get(f"/docs/{path}")
        assert answer.status_code in (302, 404), path
        assert b"not this" not in getattr(answer, "content", b"")
    assert client.post("/docs/").status_code == 405


@pytest.mark.long
def test_it_builds_and_asks_nobody_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="requirements-docs.txt is what make docs installs")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    built = list((tmp_path / "site").rglob("*.html"))
    assert len(built) > len(pages(NAMED["nav"]))
    for page in built:
        text = page.read_text()
        loads = re.findall(r'<(?:script|link|img|iframe)[^>]*?(?:src|href)="(https?:)?//[^"]*"', text)
        assert loads == [], page
