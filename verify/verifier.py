"""Check an audit export offline: what ``python -m verify`` does.

Needs no database and no Django: the standard library, and ``cryptography`` where it is there, which is faster.
Streams the file in flat memory and checks every row's hash, place and arithmetic, every seal's root, chain and
signatures, every hand-over of keys, every question to the witness and every link of its chain, and every balance; lets
the rooms check what is theirs (every Keno draw from its seed, and every ticket in it: ``--ticket SERIAL`` shows one);
and names the first line that is wrong.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import IO, Any, NoReturn

from kernel.canonical import canonical
from kernel.export_check import ComparesBalances, Doubt, RoomCheck
from kernel.hand_over import HandOver, fingerprint
from kernel.merkle import HASH_SIZE, Tree
from kernel.notes import ED25519, Note, NoteError, Signature, VerifierKey
from ledger.progress import progress
from ledger.statements import BEGIN, END, NO_SEAL, VERSION, Sealed, origin_of
from ledger.verify import Witnessed
from verify.result import Account, Result, Wrong
from verify.rooms import room_checks
from verify.rows import Run, checked, lines_of
from verify.signatures import verify_ed25519

MICROS_PER_CENT = 10_000
_NOT_SEPARATED = "Separation was off: a program of the house could change records or read the key."


@dataclass(slots=True)
class Verifier:
    """Reads lines one after the other; whatever it knows is what the lines before have shown."""

    pinned: str | None = None
    pinned_witness: str | None = None
    line: int = 0
    result: Result = field(default_factory=Result)
    tree: Tree = field(default_factory=Tree)
    leaves: list[bytes] = field(default_factory=list)  # of the rows since the last seal
    order: tuple[int, int] = (-1, -1)  # (tx, id) of the last row
    boundary: int = 0  # tx_upto of the last seal
    previous: bytes = NO_SEAL
    keys: dict[str, bytes] = field(default_factory=dict)  # every key handed over to so far
    key: str = ""  # the one that must sign the next seal
    next_key: str = ""  # the one that signs from the next seal on
    signers: dict[str, bytes] = field(default_factory=dict)  # keys that sign exports, as the sealed log announces them
    about: dict[str, Any] = field(default_factory=dict)
    about_signature: str = ""
    accounts: dict[str, Account] = field(default_factory=dict)
    flows: dict[tuple[bytes, bytes], int] = field(default_factory=dict)  # posted, and not yet in the accounts
    stated: dict[str, None] = field(default_factory=dict)  # accounts whose balance was read, in order
    rooms: list[RoomCheck] = field(default_factory=room_checks)
    witnessed: Witnessed = field(default_factory=Witnessed)
    ended: bool = False

    def wrong(self, what: str) -> NoReturn:
        raise Wrong(self.line, what)

    def read(self, lines: Iterator[bytes], size: int = 0) -> None:
        for chunk, parts in checked(lines, size):
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
        elif line.startswith(b'{"n":'):
            self._row(line)
        elif line.startswith(b'{"seal":'):
            self._seal(self._canonical(line))
        elif line.startswith(b'{"balance":'):
            self._balance(self._canonical(line))
        elif line.startswith(b'{"attached":'):
            self._attached(self._canonical(line))
        else:
            self._end(self._statement(line, "end"))

    def _run(self, run: Run, chunk: list[bytes]) -> None:
        """Plain rows, right by themselves: what is left is whether they are the next ones."""
        rows = len(run.leaves) // HASH_SIZE
        if self.line == 0 or self.ended or run.n != self.result.rows or not self._follows(run.first):
            return self._line(chunk[run.at])  # which says what is wrong with the first of them
        self.line += rows
        self.order = run.last
        self.result.rows += rows
        self._grow()
        self.tree.extend(run.leaves)
        for pair, micros in run.flows.items():
            self.flows[pair] = self.flows.get(pair, 0) + micros
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
        try:
            fields = json.loads(row)
            order = (fields["tx"], fields["id"])
            if not self._follows(order):
                self.wrong(f"row {n} is out of order.")
            self.order = order
            if fields["type"] == "transfer":
                self._transfer(fields)
            elif fields["type"] == "act":
                self._act(fields["kind"], fields["data"], fields["subject"])
            else:
                self.wrong(f"row {n} is neither a transfer nor an act.")
        except Doubt as doubt:
            self.wrong(str(doubt))
        except (KeyError, TypeError, ValueError):
            self.wrong(f"row {n} cannot be read.")
        self.leaves.append(leaf.digest())
        self.result.rows = n + 1
        if len(self.leaves) >= 65_536:
            self._grow()

    def _act(self, kind: str, data: dict[str, object], subject: str) -> None:
        if kind in _ACTS:
            _ACTS[kind](self, data)
        if kind in self.witnessed.kinds:
            self.witnessed.act(kind, data, subject, index=self.result.rows)
        for room in self.rooms:
            if kind in room.kinds:
                room.index, room.subject = self.result.rows, subject
                room.cosigned = self.witnessed.cosigned_size if self.witnessed.witness is not None else None
                room.act(kind, data)

    def _grow(self) -> None:
        self.tree.extend(b"".join(self.leaves))
        self.leaves.clear()

    def _posted(self, debit: str, credit: str, micros: int) -> None:
        if micros <= 0:
            self.wrong("a transfer moves an amount above zero.")
        if debit == credit:
            self.wrong("a transfer goes from one account to another.")
        accounts = self.accounts
        into = accounts.get(debit) or accounts.setdefault(debit, Account())
        out = accounts.get(credit) or accounts.setdefault(credit, Account())
        if micros % MICROS_PER_CENT:
            into.fraction_at = into.fraction_at or self.line
            out.fraction_at = out.fraction_at or self.line
        into.debits += micros
        out.credits += micros

    def _transfer(self, row: dict[str, Any]) -> None:
        if type(row["micros"]) is not int:
            self.wrong("a transfer moves an amount above zero.")
        self._posted(row["debit"], row["credit"], row["micros"])

    def _account_opened(self, data: dict[str, Any]) -> None:
        self.accounts.setdefault(data["code"], Account()).whole_cents = data["whole_cents"]

    def _first_key(self, data: dict[str, Any]) -> None:
        if fingerprint(bytes.fromhex(data["public"])) != self.result.first_key:
            self.wrong("the first sealing key is not the one the export begins with.")

    def _hand_over(self, data: dict[str, object]) -> None:
        change = HandOver.read(data)
        if change.old != self.next_key or not change.is_signed(by=self.keys[self.next_key]):
            self.wrong("the sealing key is handed over without the signatures of the key in force and of the new one.")
        self.next_key = fingerprint(change.new)
        self.keys[self.next_key] = change.new

    def _key_in_use(self, data: dict[str, Any]) -> None:
        if data["purpose"] == "export":
            public = bytes.fromhex(data["public"])
            self.signers.pop(fingerprint(public), None)
            self.signers[fingerprint(public)] = public

    def _seal(self, value: dict[str, Any]) -> None:
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
        self.result.until = sealed.at
        self.witnessed.sealed(sealed.size, sealed.root)

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

    def _book_flows(self) -> None:
        for (debit, credit), micros in self.flows.items():
            self._posted(debit.decode(), credit.decode(), micros)
        self.flows.clear()

    def _balance(self, value: dict[str, object]) -> None:
        stated = value.get("balance")
        self._book_flows()
        if self.leaves or self.tree.size != self.result.rows:
            self.wrong("the rows before this line were never sealed.")
        if value.keys() != {"balance"} or not isinstance(stated, dict):
            self.wrong("this should be the balance of an account.")
        code = stated.get("account")
        account = self.accounts.get(code) if isinstance(code, str) else None
        if account is None or (self.stated and str(code) <= next(reversed(self.stated))):
            self.wrong(f"a balance of {code!r} does not belong here.")
        for side in ("debits", "credits"):
            if stated.get(side) != getattr(account, side):
                self.wrong(f"the {side} of {code} do not add up to what is stated.")
        self.stated[str(code)] = None

    def _attached(self, value: dict[str, object]) -> None:
        """What a room adds is not sealed itself: it is the room that shows that it fits what is."""
        try:
            reader = next(room for room in self.rooms if room.attachment == value["attached"])
            reader.attached(value)
        except Doubt as doubt:
            self.wrong(str(doubt))
        except (StopIteration, KeyError, TypeError, ValueError):
            self.wrong("what is attached here cannot be read.")

    def _end(self, signed: tuple[dict[str, Any], str]) -> None:
        end, signature = signed
        self._book_flows()
        if self.leaves or self.tree.size != self.result.rows:
            self.wrong("the rows before this line were never sealed.")
        moved = {code for code, account in self.accounts.items() if account.debits or account.credits}
        if missing := sorted(moved - self.stated.keys()):
            self.wrong(f"the balance of {missing[0]} is missing before this line.")
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
        self._check_accounts()
        attached = self.about.get("attached", [])
        try:
            self.result.attention, self.result.witness = self.witnessed.end(pinned=self.pinned_witness)
            if not self.result.separated:
                self.result.attention.append(_NOT_SEPARATED)
            held = {code: account.credits - account.debits for code, account in self.accounts.items()}
            comparing = [room for room in self.rooms if isinstance(room, ComparesBalances)]
            for each in comparing:
                each.balances(held)
            self.result.rooms = [said for room in self.rooms for said in room.end(attached=room.attachment in attached)]
            self.result.attention += [said for each in comparing for said in each.attention]
            self.result.ticket = [said for room in self.rooms for said in room.shown]
            self.result.attention += [said for room in self.rooms for said in room.attention]
        except Doubt as doubt:
            self.wrong(str(doubt))
        if self.pinned and self.pinned not in self.keys:
            raise Wrong(1, f"no key in this export has the fingerprint {self.pinned}.")
        self.ended = True
        self.result.last_key = self.key
        self.result.accounts = len(self.accounts)

    def _tell_separation(self) -> None:
        """Not a fault: who could have done what at the house is for the reader to weigh."""
        said = self.about.get("separation")
        self.result.separated = isinstance(said, dict) and said == {"database": True, "keys": True}

    def _check_accounts(self) -> None:
        for code, account in self.accounts.items():
            if account.whole_cents is None:
                self.wrong(f"account {code} was never opened.")
            if account.whole_cents and account.fraction_at:
                raise Wrong(account.fraction_at, f"a part of a cent moved through {code}, which holds whole cents.")
        if sum(a.debits for a in self.accounts.values()) != sum(a.credits for a in self.accounts.values()):
            self.wrong("debits and credits differ.")


_ACTS = {
    "ledger.account-opened": Verifier._account_opened,
    "keys.first": Verifier._first_key,
    "keys.hand-over": Verifier._hand_over,
    "keys.in-use": Verifier._key_in_use,
}


def _is_signed(public: bytes | None, purpose: bytes, statement: dict[str, object], signature: str) -> bool:
    try:
        return verify_ed25519(public or b"", purpose + canonical(statement), bytes.fromhex(signature))
    except (ValueError, TypeError):
        return False


def verify(file: IO[bytes], *, key: str | None = None, ticket: str | None = None, witness: str | None = None) -> Result:
    """Check an open export; raises Wrong. *witness*: the verifier key of one that you know to be independent."""
    verifier = Verifier(pinned=key, pinned_witness=witness, rooms=room_checks(ticket=ticket))
    size = os.fstat(file.fileno()).st_size if file.seekable() else 0
    with progress("verifying", size) as tell:
        verifier.read(lines_of(file, tell), size)
    return verifier.result
