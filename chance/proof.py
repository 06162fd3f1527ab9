"""What published proofs share: their steps in words a player understands, and the proof of an entry.

A proof is plain data (JSON); `docs/proof/README.md` says it byte for byte. Checking never raises on what a stranger may
hand in: a proof that cannot be read is a step that failed. The proof of a draw is `chance/draw_proof.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypedDict

from chance.select import MAX_POOL, Pick, Source, picks
from kernel.merkle import Node, check_inclusion, inclusion_proof, leaf_hash

ENTRY_VERSION: Final = 1
COUNT_LIMIT: Final = (1 << 63) - 1

_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a check: its name, whether it holds, the arithmetic in words, and each number's part where asked."""

    name: str
    ok: bool
    words: str
    details: tuple[str, ...] = ()


class Place(TypedDict):
    """Where an entry stands in a sealed set, from 0, and its neighbours up to the root."""

    version: int
    index: int
    ticket_count: int
    path: list[str]


class EntryProof(Place):
    entry: str


class LeafProof(Place):
    leaf: str


class Unreadable(Exception):
    """What makes a proof unreadable, as a sentence."""


def holds(steps: Sequence[Step]) -> bool:
    return bool(steps) and all(step.ok for step in steps)


def make_entry(*, entry: str, index: int, ticket_count: int, node: Node) -> EntryProof:
    """That an entry (the exact text its leaf was made of) stands at ``index``, from 0, of the sealed set."""
    return {
        "version": ENTRY_VERSION,
        "entry": entry,
        "index": index,
        "ticket_count": ticket_count,
        "path": [sibling.hex() for sibling in inclusion_proof(index, ticket_count, node)],
    }


def make_leaf(*, leaf: bytes, index: int, ticket_count: int, node: Node) -> LeafProof:
    """The same for somebody who may not see the text: that an entry with this hash stands there."""
    path = [sibling.hex() for sibling in inclusion_proof(index, ticket_count, node)]
    return {"version": ENTRY_VERSION, "leaf": leaf.hex(), "index": index, "ticket_count": ticket_count, "path": path}


def entry_leaf(entry: str) -> bytes:
    """The leaf hash of an entry: SHA-256 of a zero byte and its UTF-8 text (RFC 6962)."""
    return leaf_hash(entry.encode())


def entry_steps(entry_proof: object, *, ticket_root: bytes, ticket_count: int) -> list[Step]:
    """Check that the entry stands in the set with this root."""
    try:
        leaf, index, path = _read_entry(entry_proof, ticket_count)
    except Unreadable as fault:
        return [Step("form", False, str(fault))]
    inside = check_inclusion(leaf, index, ticket_count, path, ticket_root)
    place = f"entry {index + 1} of {ticket_count}"
    words = (
        f"Hashed together with its {len(path)} neighbours the entry leads to the ticket root {ticket_root.hex()}: "
        f"it took part in this draw as {place}, exactly as written."
        if inside
        else f"The entry and its {len(path)} neighbours do not lead to the ticket root {ticket_root.hex()}: "
        f"as written, it did not take part in this draw as {place}."
    )
    return [
        Step("form", True, "The entry's proof can be read."),
        Step("entry", inside, words),
    ]


def of_version(proof: object, version: int) -> Mapping[object, object]:
    if not isinstance(proof, Mapping):
        raise Unreadable("A proof is a JSON object.")
    if proof.get("version") != version or type(proof.get("version")) is not int:
        raise Unreadable(f"This check reads proofs of version {version}.")
    return proof


def read_drawn(proof: Mapping[object, object]) -> tuple[int, list[int]]:
    """The pool, and what was drawn of it in order."""
    pool = whole_number(proof, "pool", 1, MAX_POOL)
    drawn = proof.get("numbers")
    if not isinstance(drawn, list) or not all(type(number) is int and 1 <= number <= pool for number in drawn):
        raise Unreadable(f"The numbers are a list of whole numbers from 1 to {pool}.")
    if not 1 <= len(drawn) <= pool or len(set(drawn)) != len(drawn):
        raise Unreadable("At least one number is drawn, and none twice.")
    return pool, drawn


def _read_entry(entry_proof: object, ticket_count: int) -> tuple[bytes, int, list[bytes]]:
    if not isinstance(entry_proof, Mapping):
        raise Unreadable("An entry's proof is a JSON object.")
    if entry_proof.get("version") != ENTRY_VERSION or type(entry_proof.get("version")) is not int:
        raise Unreadable(f"This check reads entries of version {ENTRY_VERSION}.")
    leaf = _read_leaf(entry_proof)
    if whole_number(entry_proof, "ticket_count", 0, COUNT_LIMIT) != ticket_count:
        raise Unreadable(f"The entry's proof is not about this draw's {ticket_count} entries.")
    index = whole_number(entry_proof, "index", 0, COUNT_LIMIT)
    path = entry_proof.get("path")
    if not isinstance(path, list) or not all(isinstance(part, str) and _HASH.fullmatch(part) for part in path):
        raise Unreadable("The path is a list of hashes of 64 hexadecimal digits each.")
    return leaf, index, [bytes.fromhex(part) for part in path]


def _read_leaf(entry_proof: Mapping[object, object]) -> bytes:
    """The entry's text hashed, or its hash alone where the text is not given."""
    if "entry" not in entry_proof and "leaf" in entry_proof:
        return read_hash(entry_proof, "leaf")
    entry = entry_proof.get("entry")
    if not isinstance(entry, str):
        raise Unreadable("The entry is a text.")
    try:
        return entry_leaf(entry)
    except UnicodeEncodeError:
        raise Unreadable("The entry is not a well-formed text.") from None


def read_hash(proof: Mapping[object, object], name: str) -> bytes:
    text = proof.get(name)
    if not isinstance(text, str) or not _HASH.fullmatch(text):
        raise Unreadable(f"{name} is written as 64 small hexadecimal digits.")
    return bytes.fromhex(text)


def whole_number(proof: Mapping[object, object], name: str, least: int, most: int) -> int:
    value = proof.get(name)
    if type(value) is not int or not least <= value <= most:
        raise Unreadable(f"{name} is a whole number from {least} to {most}.")
    return value


def same(name: str, proven: str, noted: str) -> Step:
    ok = proven == noted.strip().lower()
    words = (
        f"It is the one published before the draw: {proven}."
        if ok
        else f"Published before the draw: {noted}. In this proof: {proven}. They are not the same."
    )
    return Step(name, ok, words)


def numbers_step(stream: Source, *, pool: int, said: Sequence[int], come_from: str) -> Step:
    """Whether the stream gives the numbers that the proof says."""
    drawn = list(islice(picks(stream, pool), len(said)))
    details = tuple(_in_words(place, pick) for place, pick in enumerate(drawn, start=1))
    computed = [pick.number for pick in drawn]
    wrong = [place for place, pair in enumerate(zip(computed, said, strict=True)) if pair[0] != pair[1]]
    if not wrong:
        words = f"{come_from} give exactly these {len(computed)} of {pool} numbers, in this order."
    else:
        place = wrong[0]
        words = (
            f"{come_from} give other numbers: number {place + 1} should be {computed[place]}, "
            f"the proof says {said[place]}."
        )
    return Step("numbers", not wrong, words, details)


def _in_words(place: int, pick: Pick) -> str:
    """How one number came about, told so that it can be redone with pencil and paper from the bytes."""
    if not pick.read:
        return f"Number {place}: only {pick.number} is left."
    bits = (pick.remaining - 1).bit_length()
    rejected = len(pick.read) - 1
    thrown = f", after {rejected} thrown away as too large" if rejected else ""
    return (
        f"Number {place}: bytes {' '.join(part.hex() for part in pick.read)}; the low {bits} bits of the last read are "
        f"{pick.value}, below {pick.remaining}{thrown}; place {pick.value + 1} of the {pick.remaining} left holds "
        f"{pick.number}."
    )
