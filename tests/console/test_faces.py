"""One face on pages, boards, terminals and paper, served by the house; and nobody else's named anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from fontTools.ttLib import TTFont

from tests.world import paper
from web import report_paper, reports, served_faces
from web.faces import FACES

LIMIT_BYTES = 20_000
OUTSIDE = ("DejaVu", "Inter", "Helvetica", "Segoe", "Liberation", "system-ui", "ui-monospace", "Courier")
# Programs of their own, which a stranger runs without the house and its packages.
ALONE = ("verify/", "witness/")


@pytest.mark.parametrize("name", FACES)
def test_a_face_is_small_bears_our_name_and_has_figures_of_one_width(name: str) -> None:
    found = finders.find(f"web/faces/{name}.woff2")
    assert isinstance(found, str)
    served = Path(found).read_bytes()
    assert len(served) < LIMIT_BYTES
    face = TTFont(BytesIO(served))
    assert face.flavor == "woff2"
    letters, widths = face.getBestCmap(), face["hmtx"]
    assert len({widths[letters[ord(figure)]][0] for figure in "0123456789"}) == 1
    assert "Source" not in face["name"].getDebugName(1)  # a reserved name, by the licence
    assert all(ord(sign) in letters for sign in "$−–·×→✓é’“”…")
    assert all((ord(suit) in letters) == name.startswith("mono") for suit in "♠♥♦♣")


def test_the_faces_are_collected_and_nothing_beside_them() -> None:
    assert {path for path, _ in served_faces.Finder().list([])} == {f"web/faces/{name}.woff2" for name in FACES}


def _written() -> Iterator[Path]:
    root = Path(settings.ROOT)
    for kind in ("css", "html", "py", "js"):
        for file in root.glob(f"*/**/*.{kind}"):
            place = file.relative_to(root).as_posix()
            if not place.startswith((*ALONE, "tests/", "node_modules/", ".venv/", "benchmarks/", "docs/")):
                yield file


def test_no_other_face_is_named() -> None:
    named = re.compile(rf"[\"' ](?:{'|'.join(OUTSIDE)})[ ,\"';-]")
    for file in _written():
        assert not named.search(file.read_text()), file


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/signage/keno", "/signage/jackpots", "/verify/", "/play/", "/rules/keno/", "/"])
def test_every_kind_of_page_asks_for_it(page: str) -> None:
    assert "web/faces.css" in Client().get(page, follow=True).content.decode()


def test_a_pdf_is_set_in_it() -> None:
    made = reports.report("Sales", ["Name", "Count"], [["A", 1_000]], add=["Count"])
    assert paper.faces(report_paper.as_pdf(made, venue="The Demo", foot="head")) == {
        "SourceSansPro-Regular",
        "SourceSansPro-Bold",
        "CascadiaMono-Regular",
    }


def test_who_may_write_nowhere_looks_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A worker with a user of its own: it serves none of them, and has to start."""

    def refused(home: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    served_faces._made.cache_clear()
    monkeypatch.setattr(served_faces, "_made_in", refused)
    try:
        assert list(served_faces.Finder().list([])) is not None
    finally:
        served_faces._made.cache_clear()
    monkeypatch.undo()
    assert served_faces._made_in(tmp_path) == tmp_path / served_faces.TOP
    assert len(list((tmp_path / served_faces.TOP / served_faces.UNDER).iterdir())) == len(FACES)
    assert [each.name for each in tmp_path.iterdir()] == [served_faces.TOP]
