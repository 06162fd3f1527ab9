"""Falsifications of an export, by forgers of three strengths, and what a stranger says to them.

    def test_a_prize_of_a_thousand_more(small_house: Exported) -> None:
        def change(draft: Draft) -> None:
            draft.transfer("keno.prizes")["micros"] += 1_000_000_000

        assert "game 1: its prizes" in doubted(small_house, change)

``doubted`` is the strongest forger: he has every key, the witness's too, and its answers are the same whatever it is
shown (they are not: a real one would have to draw all later games anew), so only what the rows say gives him away.
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
from functools import cache
from hashlib import sha256
from io import BytesIO
from itertools import groupby
from operator import itemgetter
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from keno import ticket_lines
from keno.ticket_lines import TicketLine
from kernel.canonical import canonical
from kernel.export_check import Doubt, RoomCheck
from kernel.merkle import Tree, leaf_hash
from kernel.notes import ED25519, Note, VerifierKey, signature
from kernel.row_text import read_json, row_text
from ledger.statements import BEGIN, END, NO_SEAL, Sealed
from verify.books import Books
from verify.processes import attached
from verify.result import Result, Wrong
from verify.rooms import room_checks
from verify.rows import RowRead, SignedLine, is_row, parts, read_row
from verify.runs import Run
from verify.verifier import verify

Row = dict[str, Any]
Change = Callable[["Draft"], object]


@dataclass(frozen=True)
class Exported:
    """An export, and what a forger could have of its house."""

    lines: tuple[bytes, ...]
    keys: dict[str, bytes]  # private halves by fingerprint: of every sealing key, and of the export's
    witness_head: str  # the last checkpoint that the witness has cosigned, as it publishes it

    @property
    def raw(self) -> bytes:
        return b"".join(self.lines)


class Forger(Enum):
    NOBODY = auto()
    HOUSE = auto()


@dataclass
class Draft:
    """An export taken apart, to be changed."""

    about: Row = field(default_factory=dict)
    log: list[Row | Note] = field(default_factory=list)  # rows, and each seal after the rows it seals
    balances: list[Row] = field(default_factory=list)
    attached: list[Row] = field(default_factory=list)  # what rooms other than Keno attach
    tickets: list[Row] = field(default_factory=list)  # of Keno: entries, as the ticket roots have them
    end: Row = field(default_factory=dict)
    signatures: list[str] = field(default_factory=list)  # of the beginning and of the end
    to_be_signed: set[int] = field(default_factory=set)  # numbers of seals whose words were changed
    balances_stay: bool = False  # as they were falsified
    began_as: dict[int, int] = field(default_factory=dict)  # the index that a row had, by its id()
    as_read: list[tuple[str, bytes]] = field(default_factory=list)  # of each row: what it said, and its line

    @classmethod
    def of(cls, lines: Sequence[bytes]) -> Draft:
        draft = cls(as_read=_as_read(tuple(lines)))
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
                case {"attached": ticket_lines.ATTACHMENT}:
                    draft.tickets += map(copy.deepcopy, TicketLine.read(line).entries())
                case attached:
                    draft.attached.append(attached)
        return draft

    def row_line(self, n: int, row: Row) -> bytes:
        """A row that nobody has changed is written as it was: to write one takes longer than to check it."""
        if n < len(self.as_read) and self.as_read[n][0] == json.dumps(row):
            return self.as_read[n][1]
        text = row_text(row)
        return b'{"n":%d,"leaf":"%s","row":%s}' % (n, leaf_hash(text).hex().encode(), text)

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

    def state(self, at: int, **fields: Any) -> None:
        """A balance that is stated otherwise, and not put right."""
        self.balances[at].update(fields)
        self.balances_stay = True

    def seals(self) -> list[Note]:
        return [each for each in self.log if isinstance(each, Note)]

    def reseal(self, change: Callable[[Sealed], Sealed], *numbers: int) -> None:
        """Other words in these seals (all of them, if none is named); whoever has the key signs them."""
        for at, each in enumerate(self.log):
            if isinstance(each, Note):
                sealed = Sealed.parse(each.text)
                if not numbers or sealed.number in numbers:
                    self.log[at] = Note(change(sealed).text(), each.signatures)
                    self.to_be_signed.add(sealed.number)

    def _at(self, row: Row) -> int:
        return next(at for at, each in enumerate(self.log) if each is row)

    # What follows from a change, put right

    def put_right(self) -> None:
        """What a forger would put right: the numbers of rows, and balances."""
        self._renumber()
        if self.balances_stay:
            return
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
        """Rows that were put in or moved, and those after them that are in their way, get the next numbers; whoever
        names a row names it anew."""
        numbers: dict[int, int] = {}
        used: set[int] = set()
        last = (0, 0)
        for row in self.rows:
            before, tx = row["id"], max(row["tx"], last[0])
            number = before if (tx, before) > last and before not in used else max(last[1], *used, 0) + 1
            if id(row) in self.began_as:
                numbers[before] = number
            row["id"], row["tx"] = number, tx
            used.add(number)
            last = (tx, number)
        for row in self.rows:  # what it takes back may stand behind it: who began first can be overtaken
            if "reverses" in row:
                row["reverses"] = numbers.get(row["reverses"], row["reverses"])

    def places(self) -> list[int]:
        """The index of each row as it was, so that what was asked and answered about it stands; what was put in has
        that of the row before."""
        found: list[int] = []
        for row in self.rows:
            found.append(self.began_as.get(id(row), found[-1] if found else 0))
        return found

    def lines(self) -> bytes:
        """As the export writes it."""
        written = [canonical({"export": self.about, "signature": self.signatures[0]})]
        n = 0
        for each in self.log:
            if isinstance(each, dict):
                written.append(self.row_line(n, each))
                n += 1
            else:
                written.append(canonical({"seal": str(each)}))
        written += self._contents()
        written.append(canonical({"end": self.end, "signature": self.signatures[1]}))
        return b"".join(line + b"\n" for line in written)

    def _contents(self) -> list[bytes]:
        return [canonical(line) for line in (*({"balance": each} for each in self.balances), *self.attachments())]

    def attachments(self) -> list[Row]:
        by_game = groupby(self.tickets, key=itemgetter("first_game"))
        tickets = [ticket_lines.written(game, list(entries)) for game, entries in by_game]
        return [*({"attached": ticket_lines.ATTACHMENT} | line for line in tickets), *self.attached]

    def _covered(self) -> bytes:
        """What the end covers: seals, balances, attachments."""
        seals = [canonical({"seal": str(each)}) for each in self.log if isinstance(each, Note)]
        return b"".join(line + b"\n" for line in (*seals, *self._contents()))

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
            if sealed.text() != each.text or sealed.number in self.to_be_signed:
                key = VerifierKey(sealed.origin, ED25519, private[in_force].public_key().public_bytes_raw())
                self.log[at] = Note(sealed.text(), (signature(key, sealed.text(), private[in_force].sign),))
            previous, in_force = sealed.digest(), following
        seals = self.seals()
        contents = sha256(self._covered()).hexdigest()
        self.end = {"rows": tree.size, "seals": len(seals), "head": previous.hex(), "key": in_force}
        self.end["contents"] = contents
        for place, (purpose, said) in enumerate(((BEGIN, self.about), (END, self.end))):
            self.signatures[place] = private[signer].sign(purpose + canonical(said)).hex()


@cache
def _as_read(lines: tuple[bytes, ...]) -> list[tuple[str, bytes]]:
    """Few exports are falsified, and each a hundred times."""
    said = ((json.loads(line), line) for line in lines)
    return [(json.dumps(each["row"]), line.rstrip(b"\n")) for each, line in said if "row" in each]


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
    try:
        read_draft(draft, room_checks() if rooms is None else rooms)
    except Doubt as doubt:
        return str(doubt)
    return ""


def read_draft(draft: Draft, rooms: Sequence[RoomCheck]) -> Result:
    """The books' and the rooms' part of the check, as the verifier lets them see it."""
    books, result, rows = Books(rooms), Result(), draft.rows
    places = draft.places()
    for part in parts([draft.row_line(n, row) + b"\n" for n, row in enumerate(rows)], books.reducers):
        if isinstance(part, SignedLine):
            raise TypeError("no key was given to check it with")
        match part if isinstance(part, Run) else read_row(part, books.known) or part:
            case Run() as run:
                books.run(run, line=run.n + 2)
            case RowRead(n, _, row, None):
                books.transfer(row, index=places[n], line=n + 2)
            case RowRead(n, _, row, act):
                assert act is not None
                books.act(row, act, index=places[n], line=n + 2, cosigned=None)
            case bytes() as line:
                row = read_json(line)["row"]
                if row["type"] == "act" and is_row(row):
                    books.doubt_act(row)
                raise Doubt("a row is not written as a row is.")
    books.rows_over()
    for balance in draft.balances:
        books.balance(balance)
    readers = books.attachment_readers()
    for each in draft.attachments():
        read = attached(canonical(each) + b"\n", 0, readers)
        if read.doubt is not None:
            raise read.doubt
        books.attached(read.name.decode(), read.made)
    books.end(attached=draft.about["attached"], result=result)
    books.check_reversed({row["id"]: (index, row) for index, row in enumerate(rows)})
    _check_references(rows)
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


def _check_references(rows: Sequence[Row]) -> None:
    seen: set[tuple[str, str]] = set()
    for row in rows:
        if row["type"] == "transfer":
            named = (row["kind"], row["reference"])
            if named in seen:
                raise Doubt(f"{named[0]} {named[1]} is booked a second time.")
            seen.add(named)
