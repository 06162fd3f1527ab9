"""What is said in another language, and how a sentence of ours is recognised in what is shown.

A template's sentences are looked up as they stand in it (``templates.py``). What Python says (a refusal, a label, an
act's sentence) is English until it is shown; then it is found here by its words: ``Pay {1} first.`` is the pattern of
whatever ``f"Pay {words.money(due)} first."`` has made, in this process, in another, or in a row written a year ago.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from django.apps import apps
from django.conf import settings

from web.languages import german, po

FIGURES: Final[Mapping[str, Callable[[str], str]]] = {"de": german.figures}
PLACE: Final = re.compile(r"\{(#?)(\d+)\}")
# Where a text that is nobody's sentence is taken apart: lines, sentences, parts, an enumeration.
SEPARATORS: Final = (r"(\n)", r"(?<=[.!?])( )", "(; )", "(: )", "( · )", "(, )")
ENUMERATED: Final = " and "
_ESCAPED: Final = re.compile(r"[\\^$.|?*+()\[\]{}/]")
LETTERS_LEAST: Final = 4  # of a pattern, besides what is put in: fewer would be found anywhere
LENGTH_LIMIT: Final = 2_000


def pattern_of(message: str) -> str:
    """The regular expression of a message, for Python and for browsers."""

    def plain(text: str) -> str:
        return _ESCAPED.sub(r"\\\g<0>", text)

    made, at = "", 0
    for found in PLACE.finditer(message):
        made += plain(message[at : found.start()]) + (r"([\d.,\u202f]+)" if found[1] else r"([\s\S]*?)")
        at = found.end()
    return f"^{made}{plain(message[at:])}$".replace(" ", r"\s+")


def literal(message: str) -> str:
    """What of a message is always the same."""
    return PLACE.sub("", message)


def is_pattern(message: str) -> bool:
    places = PLACE.findall(message)
    figures = all(figure for figure, _ in places)  # {#1}: only figures are put in, so that two letters are enough
    return bool(places) and sum(map(str.isalpha, literal(message))) >= (2 if figures else LETTERS_LEAST)


def patterns(said: Mapping[str, str]) -> list[tuple[str, list[int], str]]:
    """Those of its messages into which something is put, each as a regular expression, its places and its translation.

    Those with most words of their own are first. Where one is told apart by hand (``{#1} of {#2}``), the general one
    does not count.
    """
    general = {message.replace("#", "") for message in said if "{#" in message}
    chosen = [message for message in said if is_pattern(message) and message not in general]
    chosen.sort(key=lambda message: (-sum(map(str.isalpha, literal(message))), len(PLACE.findall(message))))
    return [(pattern_of(each), [int(found[2]) for found in PLACE.finditer(each)], said[each]) for each in chosen]


class Catalogue:
    def __init__(self, language: str, entries: list[po.Entry]) -> None:
        self.figures = FIGURES[language]
        said = [entry for entry in entries if entry.says]
        self.templates = {(entry.message, entry.context): entry.says for entry in said}
        self.of_code = {entry.message: entry.says for entry in said if entry.is_of_code and not entry.context}
        self.patterns = [(re.compile(made), places, says) for made, places, says in patterns(self.of_code)]
        self.say: Callable[[str], str] = lru_cache(maxsize=4096)(self._say)

    def template(self, message: str, name: str) -> str | None:
        """A sentence as it stands in a template; in this one, where it means something else there."""
        return self.templates.get((message, name)) or self.templates.get((message, ""))

    def _say(self, text: str) -> str:
        core = text.strip()
        if len(core) > LENGTH_LIMIT or not any(map(str.isalnum, core)):
            return text
        return text.replace(core, self._whole(core) or self._apart(core), 1)

    def _whole(self, text: str) -> str | None:
        if (said := self.of_code.get(text)) is not None:
            return said
        for pattern, places, says in self.patterns:
            if found := pattern.match(text):
                values = {f"{place}": self.say(value) for place, value in zip(places, found.groups(), strict=True)}
                return self.figures(PLACE.sub(lambda place, values=values: values[place[2]], says))  # type: ignore[misc]
        return None

    def _apart(self, text: str) -> str:
        """Of a text that is no sentence of ours, its parts that are, and its figures."""
        for separator in SEPARATORS:
            parts = re.split(separator, text)
            if len(parts) > 1:
                return "".join(self.say(part) for part in parts)
        names = text.split(ENUMERATED)
        if len(names) > 1 and all(name != self.say(name) for name in names):
            return f" {self.of_code['and']} ".join(map(self.say, names))
        return self.figures(text)


def paths(language: str) -> list[Path]:
    rooms = [apps.get_app_config(room).path for room in settings.ROOMS]
    return [path for room in rooms if (path := Path(room, "locale", language, "LC_MESSAGES", "django.po")).is_file()]


@cache
def catalogue(language: str) -> Catalogue:
    return Catalogue(language, [entry for path in paths(language) for entry in po.read(path)])
