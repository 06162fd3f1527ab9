"""The documents say what is so: pictures, numbers and names in them are compared with the code."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from docs import draw_architecture
from kernel.locks import Lock

ROOT = Path(settings.ROOT)
ROOMS = [ROOT / name for name in draw_architecture.FOR]
# What rooms have in common: docs/architecture.md, "Inside a room".
IN_COMMON = {
    f"{name}.py"
    for name in ("permissions", "room", "acts", "queries", "steps", "verify", "attachments", "home", "urls")
}
SCREEN_LINES = 60
DECISIONS = (ROOT / "docs/decisions/README.md").read_text()


def tracked(*patterns: str) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def test_the_picture_of_the_rooms_is_the_import_graph() -> None:
    assert draw_architecture.PICTURE.read_text() == draw_architecture.draw(), (
        "Imports have changed: python docs/draw_architecture.py draws them anew."
    )


def test_every_decision_that_is_cited_has_its_number() -> None:
    known = {int(number) for number in re.findall(r"^(?:\| \[)?(\d+)[.\]]", DECISIONS, re.MULTILINE)}
    assert known == set(range(1, max(known) + 1))
    cited = {
        (int(number), path.relative_to(ROOT))
        for path in tracked("*.py", "*.md", "*.html", "*.js")
        for number in re.findall(r"[Dd]ecision (\d+)\b", path.read_text())
    }
    assert sorted((number, str(path)) for number, path in cited if number not in known) == []
    files = {path.name for path in tracked("docs/decisions/*.md")}
    paths = {
        (name, str(path.relative_to(ROOT)))
        for path in tracked("*.py", "*.md", "*.html", "*.js")
        for name in re.findall(r"docs/decisions/(\d{4}[\w-]*)", path.read_text())
    }
    assert [each for each in sorted(paths) if not any(file.startswith(each[0]) for file in files)] == []


def test_every_lock_is_told_of() -> None:
    text = (ROOT / "docs/locking.md").read_text()
    told = re.findall(r"^\| ([A-Z_]+) \|", text, re.MULTILINE)
    assert told == [lock.name for lock in Lock]


@pytest.mark.parametrize("path", tracked("*.md"), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_that_a_page_names_is_there(path: Path) -> None:
    """A bare name is a file of the page's own room, or one that rooms have in common."""
    text = path.read_text()
    linked = [name for name in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in name]
    missing = [name for name in linked if not (path.parent / name).exists()]
    named = set(re.findall(r"`((?:[\w-]+/)*[\w-]+\.(?:py|js|md|html|css|csv))`", text))
    own = [str(file.relative_to(path.parent)) for file in path.parent.rglob("*.*")] if path.parent != ROOT else []
    known = [f"/{name}" for name in own] + [str(template) for template in tracked("*.html")]
    missing += [
        name
        for name in named - IN_COMMON
        if not (ROOT / name).exists() and not any(each.endswith(f"/{name}") for each in known)
    ]
    assert missing == []


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.name))
def test_every_room_has_a_readme_of_a_screen(room: Path) -> None:
    assert 0 < len((room / "README.md").read_text().splitlines()) <= SCREEN_LINES
