"""Check an audit export offline: what ``python -m verify`` does.

Needs no database and no Django: the standard library, and ``cryptography`` where it is there, which is faster.
Streams the file in flat memory and checks that every row is the sealed one (its hash, its place, its one way to be
written), every seal's root, chain, time and signatures, every hand-over of keys, every question to the witness and
every link of its chain. What the rows say is for ``books.py`` and the rooms. It names the first line that is wrong.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import IO, Any, Final, NoReturn

from kernel.acts import Act
from kernel.canonical import canonical
from kernel.export_check import CLOCKS_DIFFER_SECONDS, NOTHING_WANTED, Doubt, RoomCheck, Wanted
from kernel.hand_over import fingerprint
from kernel.merkle import Tree
from kernel.notes import Checkpoint, Note, NoteError, Signature
from kernel.refusal import Refusal
from kernel.row_text import read_json
from ledger.progress import progress
from ledger.statements import BEGIN, END, NO_SEAL, VERSION, Sealed
from ledger.verify import Witnessed
from verify.again import Span, booked_twice, line_of_id, rows_by_id
from verify.books import Books
from verify.clocks import Clocks, moment
from verify.keys import HouseKeys
from verify.processes import CHUNK_BYTES, UNREADABLE, AttachedRead, Readers, Reading, Work
from verify.result import Result, Wrong
from verify.rooms import room_checks
from verify.rows import Part, RowRead, SignedLine, is_time, read_row
from verify.runs import Run
from verify.signatures import Keys, Proven
from verify.wrong_rows import why_wrong

_ROWS, _BALANCES, _ATTACHED = 0, 1, 2  # the parts of an export, in their order
_LEAVES_KEPT: Final = 65_536
_NOT_SEPARATED: Final = "Separation was off: a program of the house could change records or read the key."
_ABOUT: Final = frozenset(
    {"version", "venue", "at", "by", "first_key", "first_key_name", "signed_by", "separation", "unit", "attached"}
)


@dataclass(slots=True)
class Verifier:
    """Reads lines one after the other; whatever it knows is what the lines before have shown."""

    pinned: str | None = None
    pinned_witness: str | None = None
    line: int = 0
    part: int = 0  # of the export: _ROWS, _BALANCES, _ATTACHED
    result: Result = field(default_factory=Result)
    tree: Tree = field(default_factory=Tree)
    leaves: list[bytes] = field(default_factory=list)  # of the rows since the last seal
    order: tuple[int, int] = (-1, -1)  # (tx, id) of the last row
    boundary: int = 0  # tx_upto of the last seal
    previous: bytes = NO_SEAL
    sealed_rows: int = 0  # under the last seal
    clocks: Clocks = field(default_factory=Clocks)
    keys: HouseKeys = field(default_factory=HouseKeys)
    signed: Proven = field(default_factory=Proven)
    about: dict[str, Any] = field(default_factory=dict)
    about_signature: str = ""
    heads: dict[int, tuple[str, bytes]] = field(default_factory=dict)  # (origin, root) by size, that the reader knows
    spans: list[Span] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)  # of rows of the chunk at hand: among them the lowest and the highest
    contents: Any = field(default_factory=sha256)  # of seals, balances and attachments: the end covers them
    books: Books = field(default_factory=lambda: Books(room_checks()))
    witnessed: Witnessed = field(default_factory=Witnessed)
    ended: bool = False

    def __post_init__(self) -> None:
        self.witnessed.is_right = self.signed.answer

    def wrong(self, what: str) -> NoReturn:
        raise Wrong(self.line, what)

    def read(self, file: IO[bytes], size: int, tell: Callable[[int], None]) -> None:
        work = Work(self.books.reducers)
        try:
            for chunk in Reading(file, size, work, keys=self._signers, readers=self._readers).chunks():
                self.ids = []
                for part in chunk.parts:
                    self._part(part, file)
                if self.ids:
                    self.spans.append(Span(chunk.begin, chunk.begin + CHUNK_BYTES, min(self.ids), max(self.ids)))
                tell(min(chunk.begin + CHUNK_BYTES, size))
            self._finish(file)
        except Doubt as doubt:
            line = doubt.line or (line_of_id(file, doubt.row) if doubt.row is not None else None)
            raise Wrong(line or self.line, str(doubt)) from doubt
        except (Refusal, AttributeError, LookupError, TypeError, ValueError) as impossible:  # a rule of a room refuses
            raise Wrong(self.line, f"what is said up to here cannot be: {impossible}") from impossible

    def _part(self, part: Part | AttachedRead, file: IO[bytes]) -> None:
        if isinstance(part, Run):
            self._run(part)
        elif isinstance(part, AttachedRead):
            self._attached(part, file)
        else:
            line, self.signed.known = part if isinstance(part, SignedLine) else (part, frozenset())
            row = read_row(line, self.books.known)
            if row is not None:
                self._row(row)
            else:
                self._line(line)

    def _signers(self) -> Keys:
        witness, sealing = self.witnessed.witness, list(self.keys.known.values())
        return Keys(sealing) if witness is None else Keys([*sealing, witness.public], [(witness.public, witness.rsa)])

    def _readers(self) -> Readers:
        """All that stands before the attachments was read."""
        self.line += 1
        self._enter(_ATTACHED)
        self.line -= 1
        return self.books.attachment_readers()

    def _finish(self, file: IO[bytes]) -> None:
        """What is left to be looked up when everything was read once."""
        if not self.ended:
            self.line += 1
            self.wrong("the export stops here: its end is missing.")
        if self.books.reversed:
            self.books.check_reversed(rows_by_id(file, self.spans, self.books.reversed.keys()))
        twice = self.books.references.twice()
        if twice and (found := booked_twice(file, twice)):
            line, kind, reference = found
            raise Wrong(line, f"{kind} {reference} is booked a second time.")

    # Lines

    def _line(self, line: bytes) -> None:
        self.line += 1
        if self.ended:
            self.wrong("there is something after the end of the export.")
        if line[-1:] != b"\n":
            self.wrong("the line is cut off.")
        if self.line == 1:
            self._begin(self._statement(line, "export"))
        elif line.startswith(b'{"n":'):
            self._wrong_row(line)
        elif line.startswith(b'{"seal":'):
            self._enter(_ROWS)
            self.contents.update(line)
            self._seal(self._canonical(line))
        elif line.startswith(b'{"balance":'):
            self._enter(_BALANCES)
            self.contents.update(line)
            self._balance(self._canonical(line))
        else:
            self._end(self._statement(line, "end"))

    def _enter(self, part: int) -> None:
        if part < self.part:
            self.wrong("this comes after a line that it should come before.")
        if part > self.part == _ROWS:
            self._rows_over()
        self.part = part

    def _run(self, run: Run) -> None:
        """Plain transfers, right by themselves: what is left is whether they are the next ones."""
        self.line += 1
        self._next(run.n, run.first)
        self.clocks.rows(run.times[0].decode(), run.times[1].decode(), line=self.line)
        self._grow()
        run.join(self.tree)
        self.order = run.last
        self.ids += run.ids
        self.result.rows += run.rows
        self.books.run(run, line=self.line)
        self.line += run.rows - 1

    def _row(self, row: RowRead) -> None:
        self.line += 1
        fields = row.fields
        order = (fields["tx"], fields["id"])
        self._next(row.n, order)
        self.ids.append(fields["id"])
        self.clocks.rows(fields["at"], fields["at"], line=self.line)
        self.order = order
        if fields["type"] == "transfer":
            self.books.transfer(fields, index=row.n, line=self.line)
        else:
            assert row.act is not None
            self._act(fields, row.act)
        self.leaves.append(row.leaf)
        self.result.rows += 1
        if len(self.leaves) >= _LEAVES_KEPT:
            self._grow()

    def _next(self, n: int, order: tuple[int, int]) -> None:
        """Whether the row of this number and place is the next one."""
        if self.ended:
            self.wrong("there is something after the end of the export.")
        if self.line == 1:
            self.wrong("this should be the export of an export, signed.")
        self._enter(_ROWS)
        if n != self.result.rows:
            self.wrong(f"row {self.result.rows} should be here: a row is missing, added or out of place.")
        if order <= self.order or order[0] < self.boundary:
            self.wrong(f"row {n} is out of order.")

    def _wrong_row(self, line: bytes) -> NoReturn:
        self._enter(_ROWS)
        self.wrong(why_wrong(line, self.result.rows, self.books))

    def _canonical(self, line: bytes) -> dict[str, Any]:
        try:
            value = read_json(line)
        except ValueError:
            self.wrong("this is not a line of an export.")
        if not isinstance(value, dict) or canonical(value) + b"\n" != line:
            self.wrong("this is not written as an export writes it.")
        return value

    def _statement(self, line: bytes, name: str) -> tuple[dict[str, Any], str]:
        value = self._canonical(line)
        if value.keys() != {name, "signature"} or not isinstance(value[name], dict):
            self.wrong(f"this should be the {name} of an export, signed.")
        return value[name], value["signature"]

    def _begin(self, signed: tuple[dict[str, Any], str]) -> None:
        self.about, self.about_signature = signed
        try:
            public = bytes.fromhex(self.about["first_key"])
            if self.about["version"] != VERSION:
                self.wrong("this export is of another version than this verifier.")
            if self.about["first_key_name"] != fingerprint(public):
                self.wrong("the first sealing key was changed.")
            if self.about.keys() != _ABOUT or self.about["unit"] != "micro-dollars" or not is_time(self.about["at"]):
                raise KeyError
        except (KeyError, TypeError, ValueError):
            self.wrong("this does not say what export it is.")
        self.keys.begin(public)
        self.result.first_key = self.keys.first
        self.result.venue = str(self.about["venue"])

    # Acts of the log itself

    def _act(self, fields: dict[str, Any], act: Act) -> None:
        index = self.result.rows
        cosigned = self.witnessed.cosigned_size if self.witnessed.witness is not None else None
        self.books.act(fields, act, index=index, line=self.line, cosigned=cosigned)
        self.keys.act(act)
        if act.kind in self.witnessed.kinds:
            self.witnessed.take(act, index=index)
            self.clocks.answered_at = max(self.clocks.answered_at, getattr(act, "answered_at", 0))

    def _grow(self) -> None:
        self.tree.extend(b"".join(self.leaves))
        self.leaves.clear()

    # Seals

    def _seal(self, value: dict[str, Any]) -> None:
        number = self.result.seals + 1
        try:
            note = Note.parse(value["seal"].encode())
            sealed = Sealed.parse(note.text)
            if value.keys() != {"seal"} or str(note) != value["seal"] or sealed.text() != note.text:
                raise KeyError
        except (NoteError, KeyError, AttributeError):
            self.wrong(f"seal {number} cannot be read.")
        if sealed.number != number:
            self.wrong(f"seal {number} should be here: a seal is missing, added or out of place.")
        if sealed.previous != self.previous:
            self.wrong(f"seal {number} does not follow the seal before it.")
        self.clocks.seal(number, sealed.at)
        self.keys.check_seal(number, note, sealed, verify=self.signed)
        _, *others = note.signatures  # the witness's, where it has cosigned; and nobody else's
        if others and not self._cosigned(note, others, sealed):
            self.wrong(f"the cosignature of seal {number} is not the witness's.")
        if not max(self.boundary, self.order[0]) < sealed.tx_upto:
            self.wrong(f"seal {number} closes before the rows it is to seal.")
        if sealed.size != self.result.rows:
            self.wrong(f"seal {number} is over {sealed.size} rows, and {self.result.rows} are here.")
        self._grow()
        if sealed.root != self.tree.root():
            self.wrong(f"the rows before seal {number} are not the ones that were sealed.")
        if sealed.size in self.heads and self.heads.pop(sealed.size) != (sealed.origin, sealed.root):
            self.wrong(f"the {sealed.size:,} rows until here are not those of the head that you know.")
        self.boundary = sealed.tx_upto
        self.previous = sealed.digest()
        self.keys.sealed()
        self.result.seals, self.result.until = number, sealed.at
        self.sealed_rows = sealed.size
        self.witnessed.sealed(sealed.size, sealed.root)
        self.books.ended_before(sealed.tx_upto, rows=sealed.size, at=moment(sealed.at))

    def _cosigned(self, note: Note, others: list[Signature], sealed: Sealed) -> bool:
        key = self.witnessed.cosigner
        if len(others) != 1 or key is None or not others[0].by(key):
            return False
        at = key.check(note.text, others[0].signature, verify=self.signed)
        if at is None:
            return False
        if at + CLOCKS_DIFFER_SECONDS < moment(sealed.at).timestamp():
            self.wrong(f"seal {sealed.number} is dated later than the witness cosigned it.")
        self.witnessed.cosigned(sealed.size, at)
        return True

    # What follows the rows

    def _rows_over(self) -> None:
        if self.sealed_rows != self.result.rows:
            self.wrong("the rows before this line were never sealed.")
        self.books.rows_over()

    def _balance(self, value: dict[str, Any]) -> None:
        if value.keys() != {"balance"} or not isinstance(value["balance"], dict):
            self.wrong("this should be the balance of an account.")
        self.books.balance(value["balance"])

    def _attached(self, read: AttachedRead, file: IO[bytes]) -> None:
        """What a room adds is not sealed itself: it is the room that shows that it fits what is."""
        self.line += 1
        if self.ended:
            self.wrong("there is something after the end of the export.")
        if self.line == 1:
            self.wrong("this should be the export of an export, signed.")
        self._enter(_ATTACHED)
        if read.doubt is not None:
            raise read.doubt
        file.seek(read.begin)
        self.contents.update(file.read(read.length))
        try:
            self.books.attached(read.name.decode(), read.made)
        except (AssertionError, AttributeError, LookupError, TypeError, ValueError):
            self.wrong(UNREADABLE)

    def _end(self, signed: tuple[dict[str, Any], str]) -> None:
        end, signature = signed
        if self.part == _ROWS:
            self._rows_over()
        contents = {"rows": self.result.rows, "seals": self.result.seals, "head": self.previous.hex()}
        if end != contents | {"key": self.keys.in_force, "contents": self.contents.hexdigest()}:
            self.wrong("the end does not fit what comes before it.")
        if not self.keys.begun:
            self.wrong("the log never says with which key it begins.")
        if not self.keys.has_signed(END, end, signature):
            self.wrong("the signature at the end is wrong.")
        signed_by = self.about["signed_by"]
        if signed_by != self.keys.signer or not self.keys.has_signed(BEGIN, self.about, self.about_signature):
            raise Wrong(1, "the signature at the beginning is wrong.")
        if self.heads:
            self.wrong(f"no seal here is over {min(self.heads):,} rows, as the head that you know: it was rolled back.")
        self.clocks.exported(self.about["at"])
        try:
            self._conclude()
        except (AssertionError, AttributeError, LookupError, TypeError, ValueError) as unreadable:
            raise Wrong(self.line, "what is attached before this line cannot be read.") from unreadable
        if self.pinned and self.pinned not in self.keys.known:
            raise Wrong(1, f"no key in this export has the fingerprint {self.pinned}.")
        self.ended = True
        self.result.last_key = self.keys.in_force

    def _conclude(self) -> None:
        """What the witness, the clocks and the rooms have to say at the end."""
        result, said = self.result, self.about["separation"]
        result.attention, result.witness = self.witnessed.end(pinned=self.pinned_witness)
        # Not a fault: who could have done what at the house is for the reader to weigh.
        result.separated = said == {"database": True, "keys": True}
        result.attention += [] if result.separated else [_NOT_SEPARATED]
        result.cosigned = self.witnessed.cosigned_size
        if result.witness and result.cosigned < result.rows:
            result.attention.append(
                f"The last {result.rows - result.cosigned:,} of {result.rows:,} rows are not cosigned: whether the log "
                "was longer, or another one, only the witness can say (--head holds it against its latest head)."
            )
        result.attention += self.clocks.remarks()
        self.books.end(attached=self.about["attached"], result=result)
        result.attention += self.witnessed.unused(self.books.answers_used())


def verify(
    file: IO[bytes],
    *,
    key: str | None = None,
    witness: str | None = None,
    heads: Iterable[Checkpoint] = (),
    wanted: Wanted = NOTHING_WANTED,
    rooms: Sequence[RoomCheck] | None = None,
) -> Result:
    """Check an open export; raises Wrong. *witness*: the verifier key of one that you know to be independent; *heads*:
    of this log, that you have seen before."""
    books = Books(room_checks(wanted) if rooms is None else rooms)
    known = {head.size: (head.origin, head.root) for head in heads if head.size}
    verifier = Verifier(pinned=key, pinned_witness=witness, books=books, heads=dict(known))
    size = file.seek(0, os.SEEK_END)
    with progress("verifying", size) as tell:
        verifier.read(file, size, tell)
    result = verifier.result
    result.extends = result.rows - max(known) if known else 0
    return result
