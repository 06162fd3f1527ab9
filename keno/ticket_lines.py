"""How tickets stand in an export: those of one first game on a line, in columns. Pure.

    {"attached": "keno.tickets", "first_game": 7, "forms": [{"gaming_day": …, "jackpot": …, …}, …],
     "form": [0, 1, 0, …], "groups": ["3,17,44", "1,2,3/4,5", …], "security_hash": […], "serial": […],
     "sold_at": […], "terminal": […]}

A ticket's entry, the one that is hashed into the ticket root (``particulars.py``), is its form (what many tickets have
in common), the first game, and its part of every other column; the groups of its numbers are written as a text, "/"
between them. In the order of their serials. So a million tickets are read without taking each of them apart.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from typing import Any, Final, NamedTuple

from kernel.canonical import canonical
from kernel.export_check import NOT_AN_EXPORTS, Doubt

ATTACHMENT: Final = "keno.tickets"
SERIAL_LETTERS: Final = 12
_COLUMNS: Final = ("groups", "security_hash", "serial", "sold_at", "terminal")
# In the canonical text of an entry these stand between its groups and its security hash.
_TERMS: Final = ("jackpot", "kind", "last_game", "plays", "price", "schedule", "schedule_version")
_TYPES: Final[Mapping[str, type]] = {
    "gaming_day": str, "jackpot": bool, "kind": str, "last_game": int, "plays": list, "price": str, "schedule": str,
    "schedule_version": int,
}  # fmt: skip
_PLAY: Final[Mapping[str, type]] = {"spots": int, "stake": str}
_CUT = re.compile(
    r'\{"attached":"keno\.tickets","first_game":([1-9]\d{0,17}),"form":\[([^\]]+)\],"forms":(\[\{.*?\}\]),'
    r'"groups":\["([^\]]*)"\],"security_hash":\["([^\]]*)"\],"serial":\["([^\]]*)"\],"sold_at":\["([^\]]*)"\],'
    r'"terminal":\["([^\]]*)"\]\}'
).fullmatch
_PLAIN: Final = bytes(set(range(0x20, 0x7F)) - {ord("\\")})  # letters that stand for themselves
_KEYS: Final = frozenset({"attached", "first_game", "forms", "form", *_COLUMNS})


def written(first_game: int, entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Tickets of one first game, in the order of their serials, as a line has them."""
    forms: dict[bytes, int] = {}
    own = [{name: entry[name] for name in _TYPES} for entry in entries]
    places = [forms.setdefault(canonical(form), len(forms)) for form in own]
    columns = {name: [entry[name] for entry in entries] for name in _COLUMNS}
    columns["groups"] = list(map(_groups_text, columns["groups"]))
    return {"first_game": first_game, "forms": list(map(json.loads, forms)), "form": places, **columns}


class TicketLine(NamedTuple):
    escaped: bool  # a text has a letter that JSON writes otherwise
    first_game: int
    forms: list[dict[str, Any]]
    form: list[int]
    groups: list[str]
    security_hash: list[str]
    serial: list[str]
    sold_at: list[str]
    terminal: list[str]

    @classmethod
    def read(cls, line: bytes) -> TicketLine:
        """Raises Doubt where it is not written in its one way, or is no line of tickets."""
        return cls._plain(line) or cls._any(line)

    @classmethod
    def _plain(cls, line: bytes) -> TicketLine | None:
        """Cut at its quotes, which is quicker than reading it as JSON; None: there is something that stops it."""
        if line[-1:] != b"\n" or line[:-1].translate(None, _PLAIN):
            return None
        cut = _CUT(line[:-1].decode())
        if cut is None:
            return None
        first_game, numbers, forms_text, *texts = cut.groups()
        columns = [each.split('","') for each in texts]
        forms = json.loads(forms_text)
        if canonical(forms).decode() != forms_text or any(
            each.count('"') != 2 * (len(column) - 1) for each, column in zip(texts, columns, strict=True)
        ):
            return None
        by_text = {str(at): at for at in range(len(forms))}
        form = [by_text.get(number, -1) for number in numbers.split(",")]
        found = cls(False, int(first_game), forms, form, *columns)
        found._require_tickets()
        return found

    @classmethod
    def _any(cls, line: bytes) -> TicketLine:
        said = json.loads(line)
        if not isinstance(said, dict) or canonical(said) + b"\n" != line or said.keys() != _KEYS:
            raise Doubt(NOT_AN_EXPORTS)
        found = cls(b"\\" in line, *[said[name] for name in cls._fields[1:]])
        found._require_types()
        found._require_tickets()
        return found

    def _columns(self) -> tuple[list[str], ...]:
        return self.groups, self.security_hash, self.serial, self.sold_at, self.terminal

    def _require_types(self) -> None:
        """JSON has floats and truths where a number stands."""
        right = type(self.first_game) is int and isinstance(self.forms, list)
        right = right and all(isinstance(column, list) for column in (self.form, *self._columns()))
        if not right or set(map(type, chain(*self._columns()))) != {str} or set(map(type, self.form)) != {int}:
            raise Doubt(NOT_AN_EXPORTS)

    def _require_tickets(self) -> None:
        if set(map(len, self._columns())) != {len(self.form)} or set(self.form) != set(range(len(self.forms))):
            raise Doubt(NOT_AN_EXPORTS)
        if not all(map(_is_form, self.forms)):
            raise Doubt(NOT_AN_EXPORTS)
        serials = "".join(self.serial)
        if set(map(len, self.serial)) != {SERIAL_LETTERS} or not (serials.isascii() and serials.isalnum()):
            raise Doubt("a ticket has a serial that is none.")

    def entry(self, place: int) -> dict[str, Any]:
        groups = [[int(number) for number in group.split(",")] for group in self.groups[place].split("/")]
        if _groups_text(groups) != self.groups[place]:
            raise Doubt(NOT_AN_EXPORTS)
        own = {"security_hash": self.security_hash, "serial": self.serial, "sold_at": self.sold_at}
        return {
            **self.forms[self.form[place]], "first_game": self.first_game, "groups": groups,
            **{name: column[place] for name, column in own.items()}, "terminal": self.terminal[place],
        }  # fmt: skip

    def entries(self) -> Iterator[dict[str, Any]]:
        return map(self.entry, range(len(self.form)))

    def leaves(self) -> list[bytes]:
        """Of every ticket the hash of its entry, as it stands in the ticket root."""
        if self.escaped:
            return [sha256(b"\x00" + canonical(entry)).digest() for entry in self.entries()]
        heads = [
            f'\0{{"first_game":{self.first_game},"gaming_day":"{form["gaming_day"]}","groups":[[' for form in self.forms
        ]
        terms = [canonical({name: form[name] for name in _TERMS}).decode()[1:-1] for form in self.forms]
        terms = [f']],{each},"security_hash":"' for each in terms]
        groups = [text.replace("/", "],[") if "/" in text else text for text in self.groups]
        columns = zip(self.form, groups, self.security_hash, self.serial, self.sold_at, self.terminal, strict=True)
        texts = [
            f'{heads[form]}{group}{terms[form]}{code}","serial":"{serial}","sold_at":"{at}","terminal":"{by}"}}'
            for form, group, code, serial, at, by in columns
        ]
        return [sha256(text).digest() for text in "\n".join(texts).encode().split(b"\n")]  # at once: no line has an end


def _groups_text(groups: Sequence[Sequence[int]]) -> str:
    return "/".join([",".join(map(str, group)) for group in groups])


def _is_form(form: object) -> bool:
    return (
        isinstance(form, dict)
        and {name: type(value) for name, value in form.items()} == _TYPES
        and all(
            isinstance(play, dict) and {name: type(part) for name, part in play.items()} == _PLAY
            for play in form["plays"]
        )
    )
