"""The published draw as a stranger hands it in, read strictly: every part is there and has its form. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from chance.select import MAX_POOL
from kernel.money import Money
from promotions.rules.draw import Loss
from promotions.rules.editions import needs_scrutineer

VERSION: Final = 2
ATTEMPTS_LIMIT: Final = 1_000
PRIZES_LIMIT: Final = 100_000
LEAF: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)


class Unreadable(Exception):
    """What makes a published draw unreadable, as a sentence."""


@dataclass(frozen=True, slots=True)
class Line:
    """One drawn entry as published; *text* only where the reader may know whose entry it is."""

    entry: int
    person: str
    leaf: bytes
    path: list[bytes]
    text: str | None
    shown: dict[str, Any]  # place, entry, outcome, prize: what the walk must give


@dataclass(frozen=True, slots=True)
class PublishedDraw:
    draw: str
    proof: Mapping[str, Any]
    prizes: int
    alternates: int
    one_prize_a_person: bool
    barred: list[int]
    losses: list[Loss]
    reasons: list[object]  # of the losses, as published
    drawn: list[Line]
    void: list[Mapping[str, Any]]  # attempts before this one: {"attempt", "why", "proof"}
    is_overseen: bool  # one prize is worth more than $10,000 (17.2, 15.2)
    signatures: list[str]  # the results that the scrutineer signed, in order


def read(published: object) -> PublishedDraw:
    if not isinstance(published, Mapping):
        raise Unreadable("A published draw is a JSON object.")
    if type(published.get("version")) is not int or published["version"] != VERSION:
        raise Unreadable(f"This check reads published draws of version {VERSION}.")
    draw, proof = published.get("draw"), published.get("proof")
    if not isinstance(draw, str) or not isinstance(proof, Mapping):
        raise Unreadable("A published draw has a name and a proof.")
    prizes = _objects(published, "prizes", least=1)
    if [prize.get("prize") for prize in prizes] != list(range(1, len(prizes) + 1)):
        raise Unreadable("The prizes are numbered from 1, in the order of drawing.")
    one_prize = published.get("one_prize_a_person")
    if not isinstance(one_prize, bool):
        raise Unreadable("Whether one person may win more than once is true or false.")
    losses, barred = _objects(published, "losses"), published.get("barred")
    if not isinstance(barred, list) or not all(type(entry) is int for entry in barred):
        raise Unreadable("“barred” is a list of entries.")
    return PublishedDraw(
        draw=draw,
        proof=proof,
        prizes=len(prizes),
        alternates=_whole_number(published.get("alternates"), "alternates", most=PRIZES_LIMIT),
        one_prize_a_person=one_prize,
        barred=barred,
        losses=[_loss(each) for each in losses],
        reasons=[each.get("reason") for each in losses],
        drawn=[_line(each) for each in _objects(published, "drawn", least=1)],
        void=_objects(published, "void")[:ATTEMPTS_LIMIT],
        is_overseen=any(needs_scrutineer(_value(prize)) for prize in prizes),
        signatures=[_hash(each.get("result")).hex() for each in _objects(published, "signatures")],
    )


def _objects(published: Mapping[str, object], name: str, *, least: int = 0) -> list[Mapping[str, object]]:
    listed = published.get(name)
    if not isinstance(listed, list) or not all(isinstance(each, Mapping) for each in listed):
        raise Unreadable(f"“{name}” is a list of objects.")
    if not least <= len(listed) <= PRIZES_LIMIT * 10:
        raise Unreadable(f"“{name}” has too few or too many lines.")
    return listed


def _whole_number(value: object, name: str, *, most: int, least: int = 0) -> int:
    if type(value) is not int or not least <= value <= most:
        raise Unreadable(f"“{name}” is a whole number from {least} to {most}.")
    return value


def _value(prize: Mapping[str, Any]) -> Money:
    try:
        return Money.parse(prize["value"])
    except (KeyError, TypeError, ValueError):
        raise Unreadable("Each prize has its value, like 500.00.") from None


def _loss(line: Mapping[str, Any]) -> Loss:
    if not isinstance(line.get("redraw"), bool):
        raise Unreadable("Whether a lost prize is drawn again is true or false.")
    return Loss(_whole_number(line.get("place"), "place", least=1, most=PRIZES_LIMIT * 10), line["redraw"])


def _line(line: Mapping[str, Any]) -> Line:
    path, text = line.get("path"), line.get("text")
    if not isinstance(path, list):
        raise Unreadable("The path of a drawn entry is a list of hashes.")
    if not isinstance(line.get("person"), str) or not (text is None or isinstance(text, str)):
        raise Unreadable("Each drawn entry says whose it is, in text.")
    return Line(
        entry=_whole_number(line.get("entry"), "entry", least=1, most=MAX_POOL),
        person=line["person"],
        leaf=_hash(line.get("leaf")),
        path=[_hash(each) for each in path],
        text=text,
        shown={name: line.get(name) for name in ("place", "entry", "outcome", "prize")},
    )


def _hash(value: object) -> bytes:
    if not isinstance(value, str) or LEAF.fullmatch(value) is None:
        raise Unreadable("A hash is written as 64 small hexadecimal digits.")
    return bytes.fromhex(value)
