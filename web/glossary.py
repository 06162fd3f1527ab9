"""The words of the trade that the pages use, from docs/glossary.md: one list for people and for programmers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from django.conf import settings


@dataclass(frozen=True, slots=True)
class Chapter:
    title: str
    words: tuple[tuple[str, str], ...]


@cache
def chapters() -> tuple[Chapter, ...]:
    """Empty where the documents were not installed."""
    file = settings.ROOT / "docs" / "glossary.md"
    found: list[tuple[str, list[tuple[str, str]]]] = []
    for line in file.read_text().splitlines() if file.exists() else ():
        if line.startswith("## "):
            found.append((line[3:], []))
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and len(cells) == 2 and cells[0] != "word" and found:
            found[-1][1].append((_plain(cells[0]), _plain(cells[1])))
    return tuple(Chapter(title, tuple(words)) for title, words in found if words)


def _plain(text: str) -> str:
    return text.strip(" |").replace("`", "").replace("*", "")
