"""What of a page somebody reads, and what of it is still English although its translation is known."""

from __future__ import annotations

from html.parser import HTMLParser

from web.languages import po
from web.languages.catalogue import paths

SPOKEN = {"aria-label", "title", "placeholder", "alt", "data-says"}
SILENT = {"script", "style"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.within: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.within.append(tag)
        self.said += [value for name, value in attributes if name in SPOKEN and value]

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.said += [value for name, value in attributes if name in SPOKEN and value]

    def handle_endtag(self, tag: str) -> None:
        while self.within and self.within.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if data.strip() and not SILENT & set(self.within):
            self.said.append(" ".join(data.split()))


def said_on(page: str) -> list[str]:
    """Every text of a page, with what is said of pictures and fields."""
    reader = _Reader()
    reader.feed(page)
    return reader.said


def english_on(page: str, language: str = "de") -> list[str]:
    known = {entry.message: entry.says for path in paths(language) for entry in po.read(path)}
    return [text for text in said_on(page) if known.get(text, text) != text]
