"""What the rows of an export say, whoever has signed them: accounts, kinds, acts, and what each room makes of it.

Here nothing is hashed and nobody's signature counts: a history that is signed by every key there is has to add up all
the same. ``verifier.py`` reads the bytes and shows that they are the sealed ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from kernel.acts import Act
from kernel.export_check import REVERSAL, ActOnRecord, Doubt, RoomCheck, TransferOnRecord
from ledger.acts import AccountOpened
from verify.known_acts import KNOWN_ACTS
from verify.result import Account, Result
from verify.rows import Run

MICROS_PER_CENT: Final = 10_000


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
        self._rows_over = False

    def act(self, row: Mapping[str, Any], *, index: int, line: int, cosigned: int | None) -> Act:
        """An act, as its class reads it. Every room that reads its kind has seen it."""
        kind, subject, data = row["kind"], row["subject"], row["data"]
        cls = self.known.get(kind)
        if cls is None:
            raise Doubt(f"nobody knows what an act of kind {kind} is.")
        try:
            act = cls.read(data, subject=subject)
        except ValueError as unreadable:
            raise Doubt(f"an act of kind {kind} is not written as it should be: {unreadable}.") from unreadable
        if act.data() != data or act.subject != subject:
            raise Doubt(f"an act of kind {kind} is not written in its one way.")
        if isinstance(act, AccountOpened):
            self._opened(act, line)
        readers = self.readers.get(kind)
        if readers:
            said = ActOnRecord(
                index, line, row["id"], row["tx"], row["at"], row["day"], kind, row["actor"], subject, act, cosigned
            )
            for room in readers:
                room.act(said)
        return act

    def transfer(self, row: Mapping[str, Any], *, index: int, line: int) -> None:
        """A transfer by itself."""
        kind = row["kind"]
        room = self.owner(kind)
        debit, credit, micros = row["debit"], row["credit"], row["micros"]
        if type(micros) is not int or micros <= 0:
            raise Doubt("a transfer moves an amount above zero.")
        if debit == credit:
            raise Doubt("a transfer goes from one account to another.")
        self._post(debit, credit, micros)
        if micros % MICROS_PER_CENT:
            self._check_fraction(debit, credit, row["id"])
        room.transfer(
            TransferOnRecord(
                index, line, row["id"], row["tx"], row["at"], row["day"], kind, row["actor"], row["reference"],
                debit, credit, micros, row.get("reverses"), row.get("memo"),
            )
        )  # fmt: skip

    def run(self, run: Run) -> None:
        """Plain transfers of kinds that are reduced."""
        for pair, micros in run.flows.items():
            self._post(pair[0].decode(), pair[1].decode(), micros)
        for pair, row in run.fractions.items():
            self._check_fraction(pair[0].decode(), pair[1].decode(), row)
        for number, part in run.parts:
            self.rooms[number].merge(part)

    def ended_before(self, tx: int) -> None:
        for room in self.rooms:
            room.ended_before(tx)

    def owner(self, kind: str) -> RoomCheck:
        room = self.owners.get(kind.removesuffix(REVERSAL))
        if room is None:
            raise Doubt(f"nobody knows what a transfer of kind {kind} is.")
        return room

    def _opened(self, act: AccountOpened, line: int) -> None:
        account = self.accounts.get(act.code)
        if account is not None:
            raise Doubt(f"account {act.code} is opened a second time, or was used before it was.")
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

    def rows_over(self) -> None:
        """The last row was read: the rooms see what every account holds. Once."""
        if self._rows_over:
            return
        self._rows_over = True
        held = {code: account.credits - account.debits for code, account in self.accounts.items()}
        for room in self.rooms:
            room.balances(held)

    def balance(self, stated: Mapping[str, Any]) -> None:
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

    def attached(self, value: Mapping[str, Any]) -> None:
        for room in self.rooms:
            if room.attachment and room.attachment == value["attached"]:
                room.attached(value)
                return
        raise Doubt("what is attached here belongs to no room.")

    def end(self, *, attached: Iterable[str], result: Result) -> None:
        moved = {code for code, account in self.accounts.items() if account.debits or account.credits}
        if missing := sorted(moved - self.stated.keys()):
            raise Doubt(f"the balance of {missing[0]} is missing before this line.")
        result.accounts = len(self.accounts)
        for room in self.rooms:
            result.rooms += room.end(attached=room.attachment in attached)
            result.shown += room.shown
            result.attention += room.attention
            result.figures += [(room.name, figure) for figure in room.figures]


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
