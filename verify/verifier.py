"""Check an audit export offline: what ``python -m verify`` does.

Needs no database and no Django: the standard library, and ``cryptography`` where it is there, which is faster.
Streams the file in flat memory and checks that every row is the sealed one (its hash, its place, its one way to be
written), every seal's root, chain and signatures, every hand-over of keys, every question to the witness and every link
of its chain. What the rows say is for ``books.py`` and the rooms. It names the first line that is wrong.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import IO, Any, Final, NoReturn

from kernel.canonical import canonical
from kernel.export_check import NOTHING_WANTED, Doubt, RoomCheck, Wanted
from kernel.hand_over import HandOver, fingerprint
from kernel.merkle import HASH_SIZE, Tree
from kernel.notes import ED25519, Note, NoteError, Signature, VerifierKey
from kernel.row_text import NotCanonical, read_json, row_text
from ledger.acts import FirstKey, KeyHandedOver, KeyInUse
from ledger.progress import progress
from ledger.statements import BEGIN, END, NO_SEAL, VERSION, Sealed, origin_of
from ledger.verify import Witnessed
from verify.books import Books
from verify.result import Result, Wrong
from verify.rooms import room_checks
from verify.rows import Run, checked, lines_of
from verify.signatures import verify_ed25519

_NOT_SEPARATED = "Separation was off: a program of the house could change records or read the key."


@dataclass(slots=True)
class Verifier:
    """Reads lines one after the other; whatever it knows is what the lines before have shown."""

    pinned: str | None = None
    pinned_witness: str | None = None
    line: int = 0
    part: int = 0  # of the export: rows and seals, then balances, then what is attached (_LINES)
    result: Result = field(default_factory=Result)
    tree: Tree = field(default_factory=Tree)
    leaves: list[bytes] = field(default_factory=list)  # of the rows since the last seal
    order: tuple[int, int] = (-1, -1)  # (tx, id) of the last row
    boundary: int = 0  # tx_upto of the last seal
    previous: bytes = NO_SEAL
    sealed_rows: int = 0  # under the last seal
    keys: dict[str, bytes] = field(default_factory=dict)  # every key handed over to so far
    key: str = ""  # the one that must sign the next seal
    next_key: str = ""  # the one that signs from the next seal on
    signers: dict[str, bytes] = field(default_factory=dict)  # keys that sign exports, as the sealed log announces them
    about: dict[str, Any] = field(default_factory=dict)
    about_signature: str = ""
    books: Books = field(default_factory=lambda: Books(room_checks()))
    witnessed: Witnessed = field(default_factory=Witnessed)
    ended: bool = False

    def wrong(self, what: str) -> NoReturn:
        raise Wrong(self.line, what)

    def read(self, lines: Iterator[bytes], size: int = 0) -> None:
        for chunk, parts in checked(lines, size, self.books.reducers):
            for part in parts:
                if isinstance(part, int):
                    self._line(chunk[part])
                else:
                    self._run(part, chunk)
        if not self.ended:
            self.line += 1
            self.wrong("the export stops here: its end is missing.")

    def _line(self, line: bytes) -> None:
        self.line += 1
        if self.ended:
            self.wrong("there is something after the end of the export.")
        if line[-1:] != b"\n":
            self.wrong("the line is cut off.")
        if self.line == 1:
            self._begin(self._statement(line, "export"))
            return
        for part, beginning, read in _LINES:
            if line.startswith(beginning):
                if part < self.part:
                    self.wrong("this comes after a line that it should come before.")
                if part > self.part == _ROWS:
                    self._rows_over()
                self.part = part
                read(self, line)
                return
        self._end(self._statement(line, "end"))

    def _run(self, run: Run, chunk: list[bytes]) -> None:
        """Plain rows, right by themselves: what is left is whether they are the next ones."""
        rows = len(run.leaves) // HASH_SIZE
        goes_on = self.line > 0 and not self.ended and self.part == _ROWS
        if not goes_on or run.n != self.result.rows or not self._follows(run.first):
            return self._line(chunk[run.at])  # which says what is wrong with the first of them
        self.line += rows
        self.order = run.last
        self.result.rows += rows
        self._grow()
        self.tree.extend(run.leaves)
        self._asking(self.books.run, run)
        return None

    def _canonical(self, line: bytes) -> dict[str, Any]:
        try:
            value = json.loads(line)
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
        except (KeyError, TypeError, ValueError):
            self.wrong("this does not say what export it is.")
        self.key = self.next_key = fingerprint(public)
        self.keys[self.key] = public
        self.result.first_key = self.key
        self.result.venue = str(self.about.get("venue", ""))

    def _follows(self, order: tuple[int, int]) -> bool:
        return order > self.order and order[0] >= self.boundary

    def _row(self, line: bytes) -> None:
        n = self.result.rows
        place = b'{"n":%d,"leaf":"' % n
        row = line[len(place) + 72 : -2]
        leaf = sha256(b"\x00" + row)
        if not line.startswith(place):
            self.wrong(f"row {n} should be here: a row is missing, added or out of place.")
        if not line.startswith(b'%b%b","row":' % (place, leaf.hexdigest().encode())) or line[-2:] != b"}\n":
            self.wrong(f"row {n} is not what its hash says: it was changed.")
        fields = self._fields(row)
        order = (fields["tx"], fields["id"])
        if not self._follows(order):
            self.wrong(f"row {n} is out of order.")
        self.order = order
        if fields["type"] == "transfer":
            self._asking(self.books.transfer, fields, index=n, line=self.line)
        else:
            self._asking(self._act, fields)
        self.leaves.append(leaf.digest())
        self.result.rows = n + 1
        if len(self.leaves) >= 65_536:
            self._grow()

    def _fields(self, row: bytes) -> dict[str, Any]:
        """The row's fields, if this is the one way to write them."""
        try:
            fields = read_json(row)
            if isinstance(fields, dict) and row_text(fields) == row and _is_row(fields):
                return fields
        except NotCanonical as why:
            self.wrong(f"row {self.result.rows} is not written as a row is: {why}.")
        except (TypeError, ValueError):
            self.wrong(f"row {self.result.rows} cannot be read.")
        raise Wrong(self.line, f"row {self.result.rows} is not written as a row is.")

    def _asking(self, check: Callable[..., object], *said: Any, **more: Any) -> None:
        """What the books, or a room, doubt is wrong at this line."""
        try:
            check(*said, **more)
        except Doubt as doubt:
            raise Wrong(doubt.line or self.line, str(doubt)) from doubt

    def _act(self, fields: dict[str, Any]) -> None:
        kind, index = fields["kind"], self.result.rows
        cosigned = self.witnessed.cosigned_size if self.witnessed.witness is not None else None
        act = self.books.act(fields, index=index, line=self.line, cosigned=cosigned)
        if kind in _ACTS:
            _ACTS[kind](self, act)
        if kind in self.witnessed.kinds:
            self.witnessed.act(kind, fields["data"], fields["subject"], index=index)

    def _grow(self) -> None:
        self.tree.extend(b"".join(self.leaves))
        self.leaves.clear()

    def _first_key(self, act: FirstKey) -> None:
        if fingerprint(act.public) != self.result.first_key or act.key != self.result.first_key:
            self.wrong("the first sealing key is not the one the export begins with.")

    def _hand_over(self, act: KeyHandedOver) -> None:
        change = HandOver(act.from_, act.public, act.signature, act.acceptance)
        if change.old != self.next_key or not change.is_signed(by=self.keys[self.next_key]):
            self.wrong("the sealing key is handed over without the signatures of the key in force and of the new one.")
        self.next_key = fingerprint(change.new)
        self.keys[self.next_key] = change.new

    def _key_in_use(self, act: KeyInUse) -> None:
        if act.purpose == "export":
            self.signers.pop(fingerprint(act.public), None)
            self.signers[fingerprint(act.public)] = act.public

    def _seal(self, line: bytes) -> None:
        value = self._canonical(line)
        number = self.result.seals + 1
        try:
            note = Note.parse(value["seal"].encode())
            sealed = Sealed.parse(note.text)
            if value.keys() != {"seal"} or str(note) != value["seal"]:
                raise KeyError
        except (NoteError, KeyError, AttributeError):
            self.wrong(f"seal {number} cannot be read.")
        if sealed.number != number:
            self.wrong(f"seal {number} should be here: a seal is missing, added or out of place.")
        if sealed.previous != self.previous:
            self.wrong(f"seal {number} does not follow the seal before it.")
        self._check_signatures(number, note, sealed)
        if not max(self.boundary, self.order[0]) < sealed.tx_upto:
            self.wrong(f"seal {number} closes before the rows it is to seal.")
        if sealed.size != self.result.rows:
            self.wrong(f"seal {number} is over {sealed.size} rows, and {self.result.rows} are here.")
        self._grow()
        if sealed.root != self.tree.root():
            self.wrong(f"the rows before seal {number} are not the ones that were sealed.")
        self.boundary = sealed.tx_upto
        self.previous = sealed.digest()
        self.key = self.next_key
        self.result.seals = number
        self.sealed_rows = sealed.size
        self.result.until = sealed.at
        self.witnessed.sealed(sealed.size, sealed.root)
        self.books.ended_before(sealed.tx_upto)

    def _check_signatures(self, number: int, note: Note, sealed: Sealed) -> None:
        """The house's first, by the key in force; the witness's after it, where it has cosigned; and nobody else's."""
        if sealed.origin != origin_of(self.result.first_key):
            self.wrong(f"seal {number} is of another log.")
        own, *others = note.signatures
        key = VerifierKey(sealed.origin, ED25519, self.keys[self.key])
        if not own.by(key):
            self.wrong(f"seal {number} is signed by a key that was not in force.")
        if not verify_ed25519(key.public, note.text.encode(), own.signature):
            self.wrong(f"the signature of seal {number} is wrong.")
        if others and not self._cosigned(note, others, sealed):
            self.wrong(f"the cosignature of seal {number} is not the witness's.")

    def _cosigned(self, note: Note, others: list[Signature], sealed: Sealed) -> bool:
        key = self.witnessed.cosigner
        if len(others) != 1 or key is None or not others[0].by(key):
            return False
        at = key.check(note.text, others[0].signature, verify=verify_ed25519)
        if at is not None:
            self.witnessed.cosigned(sealed.size, at)
        return at is not None

    def _rows_over(self) -> None:
        if self.sealed_rows != self.result.rows:
            self.wrong("the rows before this line were never sealed.")
        self._asking(self.books.rows_over)

    def _balance(self, line: bytes) -> None:
        value = self._canonical(line)
        if value.keys() != {"balance"} or not isinstance(value["balance"], dict):
            self.wrong("this should be the balance of an account.")
        self._asking(self.books.balance, value["balance"])

    def _attached(self, line: bytes) -> None:
        """What a room adds is not sealed itself: it is the room that shows that it fits what is."""
        value = self._canonical(line)
        try:
            self._asking(self.books.attached, value)
        except (KeyError, TypeError, ValueError):
            self.wrong("what is attached here cannot be read.")

    def _end(self, signed: tuple[dict[str, Any], str]) -> None:
        end, signature = signed
        if self.part == _ROWS:
            self._rows_over()
        counts = (self.result.rows, self.result.seals, self.previous.hex())
        if (end.get("rows"), end.get("seals"), end.get("head")) != counts:
            self.wrong("the end does not fit what comes before it.")
        signer = next(reversed(self.signers), "")
        if end.get("key") != self.key or not _is_signed(self.signers.get(signer), END, end, signature):
            self.wrong("the signature at the end is wrong.")
        if self.about.get("signed_by") != signer or not _is_signed(
            self.signers[signer], BEGIN, self.about, self.about_signature
        ):
            raise Wrong(1, "the signature at the beginning is wrong.")
        self._tell_separation()
        self._asking(self._conclude)
        if self.pinned and self.pinned not in self.keys:
            raise Wrong(1, f"no key in this export has the fingerprint {self.pinned}.")
        self.ended = True
        self.result.last_key = self.key

    def _conclude(self) -> None:
        self.result.attention, self.result.witness = self.witnessed.end(pinned=self.pinned_witness)
        if not self.result.separated:
            self.result.attention.append(_NOT_SEPARATED)
        self.books.end(attached=self.about.get("attached", []), result=self.result)

    def _tell_separation(self) -> None:
        """Not a fault: who could have done what at the house is for the reader to weigh."""
        said = self.about.get("separation")
        self.result.separated = isinstance(said, dict) and said == {"database": True, "keys": True}


_ROWS: Final = 0
_LINES: Final[tuple[tuple[int, bytes, Callable[[Verifier, bytes], None]], ...]] = (
    (_ROWS, b'{"n":', Verifier._row),
    (_ROWS, b'{"seal":', Verifier._seal),
    (1, b'{"balance":', Verifier._balance),
    (2, b'{"attached":', Verifier._attached),
)
_ACTS: Final[dict[str, Callable[[Verifier, Any], None]]] = {
    FirstKey.kind: Verifier._first_key,
    KeyHandedOver.kind: Verifier._hand_over,
    KeyInUse.kind: Verifier._key_in_use,
}


def _is_row(fields: dict[str, Any]) -> bool:
    texts = [name for name in fields if name not in ("id", "tx", "micros", "reverses", "memo", "data")]
    numbers = [name for name in ("id", "tx", "micros", "reverses") if name in fields]
    return (
        all(isinstance(fields[name], str) for name in texts)
        and all(type(fields[name]) is int for name in numbers)
        and all(isinstance(fields[name], dict) for name in ("memo", "data") if name in fields)
    )


def _is_signed(public: bytes | None, purpose: bytes, statement: dict[str, object], signature: str) -> bool:
    try:
        return verify_ed25519(public or b"", purpose + canonical(statement), bytes.fromhex(signature))
    except (ValueError, TypeError):
        return False


def verify(
    file: IO[bytes],
    *,
    key: str | None = None,
    witness: str | None = None,
    wanted: Wanted = NOTHING_WANTED,
    rooms: Sequence[RoomCheck] | None = None,
) -> Result:
    """Check an open export; raises Wrong. *witness*: the verifier key of one that you know to be independent."""
    books = Books(room_checks(wanted) if rooms is None else rooms)
    verifier = Verifier(pinned=key, pinned_witness=witness, books=books)
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    with progress("verifying", size) as tell:
        verifier.read(lines_of(file, tell), size)
    return verifier.result
