"""What the rows of an export say, whoever has signed them: accounts, kinds, acts, and what each room makes of it.

Here nothing is hashed and nobody's signature counts: a history that is signed by every key there is has to add up all
the same. ``verifier.py`` reads the bytes and shows that they are the sealed ones.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from kernel.acts import Act
from kernel.export_check import CASH, REVERSAL, UNDER_WAY, ActOnRecord, Doubt, ReadLine, RoomCheck, TransferOnRecord
from kernel.money import MICROS_PER_CENT, ZERO, Money
from ledger.acts import AccountOpened
from ledger.verify import Witnessed
from verify.known_acts import KNOWN_ACTS
from verify.once import Once
from verify.result import Account, Result
from verify.runs import Run, reference_hash

LIABILITY: Final = "liability"
_ACCOUNTS: Final = frozenset({"asset", LIABILITY, "equity", "income", "expense"})
_READ_BELOW: Final = Witnessed().kinds | {AccountOpened.kind}


class Reversal(NamedTuple):
    original: dict[str, object]  # as it must have been booked
    before: int  # what it takes back stands in the log before this row: the end of its seal
    line: int


class Books:
    """Reads rows in their order; raises Doubt at the first thing that does not fit."""

    def __init__(self, rooms: Sequence[RoomCheck], acts: Mapping[str, type[Act]] = KNOWN_ACTS) -> None:
        self.rooms, self.known = rooms, acts
        self.accounts: dict[str, Account] = {}
        self.stated: dict[str, None] = {}  # accounts whose balance was read, in order
        self.owners = _owners(rooms)
        self.readers: dict[str, list[RoomCheck]] = {}
        for room in rooms:
            for kind in room.acts:
                if kind not in acts:
                    raise ValueError(f"{room.name} reads {kind}, and there is no such act")
                self.readers.setdefault(kind, []).append(room)
        self.reducers = {
            kind.encode(): (number, room.reduce) for number, room in enumerate(rooms) for kind in room.reduced
        }
        self.words = 0  # acts that follow from nothing else, and that nothing follows from
        self.sums: dict[tuple[str, str], int] = {}  # micro-dollars by gaming day and kind of transfer
        self.references = Once()
        self.reversed: dict[int, Reversal] = {}
        self.low: dict[str, int] = {}  # purses that fell below nothing, and at which line
        self.low_since: dict[str, datetime] = {}  # of those, which seal was the first to find them there
        self.reversed_now: list[int] = []  # what was taken back since the last seal
        self.below: Doubt | None = None  # the first purse that stood below nothing
        self.cash = (0, 0)  # the transaction at hand, and what cash it handed out or took in
        self._rows_over = False

    def act(self, row: Mapping[str, Any], act: Act, *, index: int, line: int, cosigned: int | None) -> None:
        """An act that is written in its one way. Every room that reads its kind sees it."""
        kind = row["kind"]
        if isinstance(act, AccountOpened):
            self._opened(act, line)
        readers = self.readers.get(kind)
        if not readers:
            self.words += kind not in _READ_BELOW
            return
        cash = self.cash[1] if self.cash[0] == row["tx"] else 0
        said = ActOnRecord(
            index, line, row["id"], row["tx"], row["at"], row["day"], kind, row["actor"], row["subject"], act, cosigned,
            cash,
        )  # fmt: skip
        for room in readers:
            room.act(said)

    def doubt_act(self, row: Mapping[str, Any]) -> None:
        """Why an act is none. Raises Doubt."""
        kind, cls = row["kind"], self.known.get(row["kind"])
        if cls is None:
            raise Doubt(f"nobody knows what an act of kind {kind} is.")
        try:
            act = cls.read(row["data"], subject=row["subject"])
        except (TypeError, ValueError) as unreadable:
            raise Doubt(f"an act of kind {kind} is not written as it should be: {unreadable}.") from unreadable
        if act.data() != row["data"] or act.subject != row["subject"]:
            raise Doubt(f"an act of kind {kind} is not written in its one way.")

    def transfer(self, row: Mapping[str, Any], *, index: int, line: int) -> None:
        """A transfer by itself."""
        kind, reference, reverses = row["kind"], row["reference"], row.get("reverses")
        room = self.owner(kind)
        debit, credit, micros = row["debit"], row["credit"], row["micros"]
        if micros <= 0:
            raise Doubt("a transfer moves an amount above zero.")
        if debit == credit:
            raise Doubt("a transfer goes from one account to another.")
        self._post(debit, credit, micros)
        if debit.endswith(CASH) != credit.endswith(CASH):
            tx, before = self.cash
            self.cash = (row["tx"], micros + (before if tx == row["tx"] else 0))
        if micros % MICROS_PER_CENT:
            self._check_fraction(debit, credit, row["id"])
        self.references.add(reference_hash(kind.encode(), reference.encode()))
        self.sums[row["day"], kind] = self.sums.get((row["day"], kind), 0) + micros
        room.transfer(
            TransferOnRecord(
                index, line, row["id"], row["tx"], row["at"], row["day"], kind, row["actor"], reference,
                debit, credit, micros, reverses, row.get("memo"),
            )
        )  # fmt: skip
        self._check_purses((debit, credit), line)
        if reverses is not None:
            self._reverses(reverses, row, line=line)

    def run(self, run: Run, *, line: int) -> None:
        """Plain transfers of kinds that are reduced."""
        self.cash = (run.last[0], run.cash + (self.cash[1] if self.cash[0] == run.last[0] else 0))
        touched: dict[str, None] = {}
        for (day, kind, debit, credit), micros in run.flows.items():
            into, out = debit.decode(), credit.decode()
            self._post(into, out, micros)
            touched |= {into: None, out: None}
            said = (day.decode(), kind.decode())
            self.sums[said] = self.sums.get(said, 0) + micros
        for (_, _, debit, credit), row in run.fractions.items():
            self._check_fraction(debit.decode(), credit.decode(), row)
        self.references.add_run(run.references)
        for number, part in run.parts:
            self.rooms[number].merge(part)
        self._check_purses(touched, line)

    def _reverses(self, number: int, row: Mapping[str, Any], *, line: int) -> None:
        """What it takes back is looked up at the end: it may be long ago, and there are few."""
        if number in self.reversed:
            raise Doubt(f"transfer {number} is taken back a second time.")
        original = {
            "kind": row["kind"].removesuffix(REVERSAL), "reference": row["reference"], "debit": row["credit"],
            "credit": row["debit"], "micros": row["micros"],
        }  # fmt: skip
        if original["kind"] == row["kind"]:
            raise Doubt(f"a transfer of kind {row['kind']} takes another one back, and does not say so.")
        self.reversed[number] = Reversal(original, sys.maxsize, line)
        self.reversed_now.append(number)

    def check_reversed(self, found: Mapping[int, tuple[int, Mapping[str, object]]]) -> None:
        """Against the rows that they name: (index, fields) by number."""
        for number, reversal in self.reversed.items():
            index, row = found.get(number, (-1, {}))
            said = {name: row.get(name) for name in reversal.original}
            if said != reversal.original or index >= reversal.before or "reverses" in row:
                raise Doubt(f"what is taken back here is not transfer {number} as it was booked.", line=reversal.line)

    def owner(self, kind: str) -> RoomCheck:
        room = self.owners.get(kind.removesuffix(REVERSAL))
        if room is None:
            raise Doubt(f"nobody knows what a transfer of kind {kind} is.")
        return room

    def _opened(self, act: AccountOpened, line: int) -> None:
        account = self.accounts.get(act.code)
        if account is not None:
            raise Doubt(f"account {act.code} is opened a second time, or was used before it was.")
        if act.kind_ not in _ACCOUNTS:
            raise Doubt(f"account {act.code} is opened as {act.kind_}, which no account is.")
        self.accounts[act.code] = Account(whole_cents=act.whole_cents, kind=act.kind_, opened_at=line)

    def _post(self, debit: str, credit: str, micros: int) -> None:
        into, out = self.accounts.get(debit), self.accounts.get(credit)
        if into is None or out is None:
            raise Doubt(f"account {credit if out is None else debit} was never opened.")
        into.debits += micros
        out.credits += micros

    def _check_fraction(self, debit: str, credit: str, row: int) -> None:
        for code in (debit, credit):
            if self.accounts[code].whole_cents:
                raise Doubt(f"a part of a cent moved through {code}, which holds whole cents.", row=row)

    def _check_purses(self, codes: Iterable[str], line: int) -> None:
        """What the house owes is never below nothing: a purse cannot pay out what never came in. Asked at the end of a
        seal: rows stand in the order in which their transactions began, and who began first may have been overtaken by
        another that brought in what it paid out. That one may come with a later seal, while one between them is under
        way."""
        for code in codes:
            account = self.accounts[code]
            if account.kind == LIABILITY and account.credits < account.debits:
                self.low.setdefault(code, line)

    def _check_low(self, at: datetime | None = None) -> None:
        """At a seal, or (None) at the end. Said at the end, for a room knows better why."""
        for code, line in list(self.low.items()):
            held = Money(self.accounts[code].credits - self.accounts[code].debits)
            if held < ZERO and at is not None and self.low_since.setdefault(code, at) >= at - UNDER_WAY:
                continue
            if held < ZERO and self.below is None:
                self.below = Doubt(f"{code} would hold {held.said}: less than nothing.", line=line)
            del self.low[code]
            self.low_since.pop(code, None)

    def ended_before(self, tx: int, *, rows: int, at: datetime) -> None:
        """A seal over the first *rows*: every transaction before *tx* has ended."""
        self._check_low(at)
        for number in self.reversed_now:
            self.reversed[number] = self.reversed[number]._replace(before=rows)
        self.reversed_now.clear()
        for room in self.rooms:
            room.ended_before(tx, at=at)

    def rows_over(self) -> None:
        """The last row was read: the rooms see what every account holds. Once."""
        if self._rows_over:
            return
        self._rows_over = True
        held = {code: account.credits - account.debits for code, account in self.accounts.items()}
        for room in self.rooms:
            room.balances(held)

    def balance(self, stated: Mapping[str, object]) -> None:
        code = stated.get("account")
        account = self.accounts.get(code) if isinstance(code, str) else None
        if account is None or (self.stated and str(code) <= next(reversed(self.stated))):
            raise Doubt(f"a balance of {code!r} does not belong here.")
        for side in ("debits", "credits"):
            if stated.get(side) != getattr(account, side):
                raise Doubt(f"the {side} of {code} do not add up to what is stated.")
        if stated.keys() != {"account", "debits", "credits"}:
            raise Doubt(f"the balance of {code} says more than a balance does.")
        self.stated[str(code)] = None

    def attachment_readers(self) -> dict[bytes, ReadLine]:
        """By the name of the attachment. After the rows."""
        return {room.attachment.encode(): room.reader() for room in self.rooms if room.attachment}

    def attached(self, name: str, made: Any) -> None:
        """What the reader of an attachment has made of a line."""
        next(room for room in self.rooms if room.attachment == name).attached(made)

    def answers_used(self) -> set[tuple[str, str, int]]:
        return {used for room in self.rooms for used in room.answers_used()}

    def end(self, *, attached: Iterable[str], result: Result) -> None:
        moved = {code for code, account in self.accounts.items() if account.debits or account.credits}
        if missing := sorted(moved - self.stated.keys()):
            raise Doubt(f"the balance of {missing[0]} is missing before this line.")
        result.accounts = len(self.accounts)
        result.sums = [(day, kind, micros) for (day, kind), micros in sorted(self.sums.items())]
        for room in self.rooms:
            result.rooms += room.end(attached=room.attachment in attached)
            result.shown += room.shown
            result.attention += room.attention
            result.figures += [(room.name, figure) for figure in room.figures]
        if self.words:
            result.rooms.append(
                f"{self.words:,} acts are somebody’s word: they are as they were sealed, and nothing else shows them."
            )
        self._check_low()
        if self.below is not None:
            raise self.below


def _owners(rooms: Sequence[RoomCheck]) -> dict[str, RoomCheck]:
    owners: dict[str, RoomCheck] = {}
    for room in rooms:
        for kind in room.transfers:
            if kind in owners or kind.endswith(REVERSAL):
                raise ValueError(f"transfers of kind {kind} are not {room.name}'s alone")
            owners[kind] = room
        if not room.reduced <= room.transfers:
            raise ValueError(f"{room.name} reduces transfers that are not its own")
    return owners
