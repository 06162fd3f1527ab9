"""Falsifications of an export, by forgers of three strengths, and what a stranger says to them.

    def test_a_prize_of_a_thousand_more(small_house: Exported) -> None:
        def change(draft: Draft) -> None:
            draft.transfer("keno.prizes")["micros"] += 1_000_000_000

        assert "game 1: its prizes" in doubted(small_house, change)

``doubted`` is the strongest forger: he has every key, the witness's too, so only what the rows say can give him away.
``wrong`` goes through the whole program, with the file as a weaker one would write it: ``Forger.NOBODY`` has no key and
leaves everything else as it is; ``Forger.HOUSE`` has every key of the house, seals and signs everything anew, and has
no answer and no cosignature of the witness's but those that were given.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from io import BytesIO
from itertools import pairwise
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kernel.canonical import canonical
from kernel.export_check import Doubt, RoomCheck
from kernel.merkle import HASH_SIZE, Tree, leaf_hash
from kernel.notes import ED25519, Note, VerifierKey, signature
from kernel.row_text import read_json, row_text
from ledger.statements import BEGIN, END, NO_SEAL, Sealed
from tests.world.small_house import Exported
from verify.books import Books
from verify.result import Result, Wrong
from verify.rooms import room_checks
from verify.rows import Run, parts
from verify.verifier import verify

Row = dict[str, Any]
Change = Callable[["Draft"], object]


class Forger(Enum):
    NOBODY = auto()
    HOUSE = auto()


@dataclass
class Draft:
    """An export taken apart, to be changed."""

    about: Row = field(default_factory=dict)
    log: list[Row | Note] = field(default_factory=list)  # rows, and each seal after the rows it seals
    balances: list[Row] = field(default_factory=list)
    attached: list[Row] = field(default_factory=list)
    end: Row = field(default_factory=dict)
    signatures: list[str] = field(default_factory=list)  # of the beginning and of the end
    began_as: dict[int, int] = field(default_factory=dict)  # the index that a row had, by its id()

    @classmethod
    def of(cls, lines: Sequence[bytes]) -> Draft:
        draft = cls()
        for line in lines:
            match json.loads(line):
                case {"export": about, "signature": signed}:
                    draft.about = about
                    draft.signatures.append(signed)
                case {"row": row}:
                    draft.began_as[id(row)] = len(draft.began_as)
                    draft.log.append(row)
                case {"seal": note}:
                    draft.log.append(Note.parse(note.encode()))
                case {"balance": balance}:
                    draft.balances.append(balance)
                case {"end": end, "signature": signed}:
                    draft.end = end
                    draft.signatures.append(signed)
                case attached:
                    draft.attached.append(attached)
        return draft

    @property
    def rows(self) -> list[Row]:
        """As the log has them: {"type": "transfer", …} and {"type": "act", …, "data": {…}}. To be changed in place."""
        return [each for each in self.log if isinstance(each, dict)]

    def acts(self, kind: str) -> list[Row]:
        return [row for row in self.rows if row["type"] == "act" and row["kind"] == kind]

    def act(self, kind: str, at: int = 0) -> Row:
        """The first act of a kind (or the one *at* that place among them): ``["data"]`` is what it says."""
        return self.acts(kind)[at]

    def transfers(self, kind: str) -> list[Row]:
        return [row for row in self.rows if row["type"] == "transfer" and row["kind"] == kind]

    def transfer(self, kind: str, at: int = 0) -> Row:
        return self.transfers(kind)[at]

    def remove(self, *rows: Row) -> None:
        gone = {id(row) for row in rows}
        self.log = [each for each in self.log if id(each) not in gone]

    def add_after(self, row: Row, **changed: Any) -> Row:
        """A copy of a row just after it, with other fields."""
        made: Row = copy.deepcopy(row) | changed
        self.log.insert(self._at(row) + 1, made)
        return made

    def move_after(self, row: Row, after: Row) -> None:
        self.remove(row)
        self.log.insert(self._at(after) + 1, row)

    def _at(self, row: Row) -> int:
        return next(at for at, each in enumerate(self.log) if each is row)

    # What follows from a change, put right

    def put_right(self) -> None:
        """What a forger would put right: the numbers of rows, and balances."""
        self._renumber()
        totals: dict[str, list[int]] = {}
        for row in self.rows:
            if row["type"] == "transfer" and isinstance(row["micros"], int):
                totals.setdefault(row["debit"], [0, 0])[0] += row["micros"]
                totals.setdefault(row["credit"], [0, 0])[1] += row["micros"]
        self.balances = [
            {"account": code, "debits": debits, "credits": credited}
            for code, (debits, credited) in sorted(totals.items())
        ]

    def _renumber(self) -> None:
        """Where rows were put in or moved, all get numbers in their order; whoever names a row names it anew."""
        rows = self.rows
        order = [(row["tx"], row["id"]) for row in rows]
        if any(later <= earlier for earlier, later in pairwise(order)):
            numbers = {row["id"]: index + 1 for index, row in enumerate(rows) if id(row) in self.began_as}
            highest = 0
            for index, row in enumerate(rows):
                highest = max(highest, row["tx"])
                row["id"], row["tx"] = index + 1, highest
                if "reverses" in row:
                    row["reverses"] = numbers.get(row["reverses"], row["reverses"])

    def ask_anew(self) -> None:
        """With the witness's keys, too: questions and answers name the places that rows and heads have now."""
        places = {self.began_as.get(id(row), -1): index for index, row in enumerate(self.rows)}
        sizes: dict[int, int] = {}
        size = 0
        for each in self.log:
            if isinstance(each, dict):
                size += 1
            else:
                sizes[Sealed.parse(each.text).size] = size
        for row in (*self.acts("witness.asked"), *self.acts("witness.answered")):
            said = row["data"]
            said["size"] = sizes.get(said["size"], said["size"])
            if "act_index" in said:
                said["act_index"] = places.get(said["act_index"], said["act_index"])

    def lines(self) -> bytes:
        """As the export writes it."""
        written = [canonical({"export": self.about, "signature": self.signatures[0]})]
        n = 0
        for each in self.log:
            if isinstance(each, dict):
                written.append(row_line(n, each))
                n += 1
            else:
                written.append(canonical({"seal": str(each)}))
        written += [canonical({"balance": balance}) for balance in self.balances]
        written += map(canonical, self.attached)
        written.append(canonical({"end": self.end, "signature": self.signatures[1]}))
        return b"".join(line + b"\n" for line in written)

    def seal_anew(self, keys: Mapping[str, bytes]) -> None:
        """Every head and every signature of the house, with these private halves. The witness cosigns nothing."""
        private = {name: Ed25519PrivateKey.from_private_bytes(raw) for name, raw in keys.items()}
        tree, previous, in_force = Tree(), NO_SEAL, self.about["first_key_name"]
        following, signer = in_force, self.about["signed_by"]
        for at, each in enumerate(self.log):
            if isinstance(each, dict):
                tree.append(leaf_hash(row_text(each)))
                if each["kind"] == "keys.hand-over":
                    following = each["subject"].removeprefix("key:")
                continue
            sealed = replace(Sealed.parse(each.text), size=tree.size, root=tree.root(), previous=previous)
            if sealed.text() != each.text:
                key = VerifierKey(sealed.origin, ED25519, private[in_force].public_key().public_bytes_raw())
                self.log[at] = Note(sealed.text(), (signature(key, sealed.text(), private[in_force].sign),))
            previous, in_force = sealed.digest(), following
        seals = [each for each in self.log if isinstance(each, Note)]
        self.end |= {"rows": tree.size, "seals": len(seals), "head": previous.hex(), "key": in_force}
        for place, (purpose, said) in enumerate(((BEGIN, self.about), (END, self.end))):
            self.signatures[place] = private[signer].sign(purpose + canonical(said)).hex()


def row_line(n: int, row: Row) -> bytes:
    text = row_text(row)
    return b'{"n":%d,"leaf":"%s","row":%s}' % (n, leaf_hash(text).hex().encode(), text)


def falsified(export: Exported, change: Change, *, by: Forger) -> bytes:
    """The file as the forger would hand it in."""
    draft = Draft.of(export.lines)
    change(draft)
    if by is Forger.HOUSE:
        draft.put_right()
        draft.seal_anew(export.keys)
    return draft.lines()


def wrong(export: Exported, change: Change, *, by: Forger = Forger.NOBODY, **known: Any) -> str:
    """What the whole program says to it, with its line; "" where it finds nothing wrong."""
    try:
        verify(BytesIO(falsified(export, change, by=by)), **known)
    except Wrong as found:
        return str(found)
    return ""


def passed(export: Exported, change: Change, *, by: Forger = Forger.HOUSE, **known: Any) -> Result:
    """What it says where nothing is wrong: for what only the witness can know."""
    return verify(BytesIO(falsified(export, change, by=by)), **known)


def doubted(export: Exported, change: Change, rooms: Sequence[RoomCheck] | None = None) -> str:
    """What the rows themselves give away, whoever has signed them; "" where they fit. *rooms*: only these."""
    draft = Draft.of(export.lines)
    change(draft)
    draft.put_right()
    draft.ask_anew()
    try:
        read_draft(draft, room_checks() if rooms is None else rooms)
    except Doubt as doubt:
        return str(doubt)
    return ""


def read_draft(draft: Draft, rooms: Sequence[RoomCheck]) -> Result:
    """The books' and the rooms' part of the check, as the verifier lets them see it."""
    books, result, rows = Books(rooms), Result(), draft.rows
    index = 0
    for part in parts([row_line(n, row) + b"\n" for n, row in enumerate(rows)], books.reducers):
        if isinstance(part, Run):
            books.run(part)
            index = part.n + len(part.leaves) // HASH_SIZE
            continue
        row = read_json(row_text(rows[part]))
        if row["type"] == "act":
            books.act(row, index=part, line=part + 2, cosigned=None)
        else:
            books.transfer(row, index=part, line=part + 2)
        index = part + 1
    assert index == len(rows)
    books.rows_over()
    for balance in draft.balances:
        books.balance(balance)
    for line in draft.attached:
        books.attached(line)
    books.end(attached=draft.about["attached"], result=result)
    return result


def cosigned_heads(draft: Draft) -> dict[int, bytes]:
    """What the witness keeps of the log: the heads that it has cosigned, by size."""
    notes = [each for each in draft.log if isinstance(each, Note) and len(each.signatures) > 1]
    return {sealed.size: sealed.root for sealed in (Sealed.parse(note.text) for note in notes)}


def roots_at(export: bytes, sizes: Mapping[int, bytes]) -> dict[int, bytes]:
    """The roots that the rows of an export have at these sizes."""
    tree, found = Tree(), {}
    for row in Draft.of(export.splitlines(keepends=True)).rows:
        tree.append(leaf_hash(row_text(row)))
        if tree.size in sizes:
            found[tree.size] = tree.root()
    return found
