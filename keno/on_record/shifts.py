"""Writers' shifts as the log tells them: float, cash that two people moved, count, over and short. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from keno.acts import ShiftClosed, ShiftOpened
from keno.chart import CAGE, OVER_SHORT, shift_cash, shift_chips
from keno.on_record.values import FLOAT_ALONE, Values
from kernel.export_check import Doubt, TransferOnRecord
from kernel.money import Money

FLOAT, DROP, FILL, HANDED_IN, OUT = "keno.float", "keno.drop", "keno.fill", "keno.handed-in", "keno.over-short"
KINDS: Final = frozenset({FLOAT, DROP, FILL, HANDED_IN, OUT})


@dataclass(slots=True)
class _Shift:
    terminal: str
    floated: int
    handed_in: dict[str, int] = field(default_factory=dict)  # cash, chips
    out: dict[str, int] = field(default_factory=dict)  # short is positive


@dataclass(slots=True)
class Shifts:
    values: Values
    floats: dict[int, TransferOnRecord] = field(default_factory=dict)
    open: dict[int, _Shift] = field(default_factory=dict)
    counting: dict[int, _Shift] = field(default_factory=dict)  # what is booked before the act that closes it
    closed: list[int] = field(default_factory=list)
    terminals: dict[str, str] = field(default_factory=dict)  # of every shift
    out: int = 0

    def moves(self, account: str, actor: str) -> None:
        """Cash or chips of a drawer: only by who works at that terminal. That it is open follows from its balance."""
        number = account.split(":")[2] if account.startswith("keno:shift:") else ""
        terminal = self.terminals.get(number)
        if terminal is None:
            raise Doubt(f"cash is moved in {account}, and there is no such drawer.")
        if terminal != actor:
            raise Doubt(f"{actor} moves cash in the drawer of {terminal} (shift {number}).")

    def transfer(self, row: TransferOnRecord) -> None:
        shift, _, what = row.reference.partition("/")
        if not shift.isdigit():
            raise Doubt(f"a drawer's cash moves for the shift {shift}, which is none.")
        number = int(shift)
        match row.kind:
            case "keno.float":
                self._same_accounts(row, shift_cash(number), CAGE)
                self.floats[number] = row
            case "keno.drop" | "keno.fill":
                drawer, cage = shift_cash(number), CAGE
                self._same_accounts(row, *((cage, drawer) if row.kind == DROP else (drawer, cage)))
                if (row.memo or {}).get("with") in (None, row.actor):
                    raise Doubt(f"shift {number}: cash was moved, and one person alone said how much.")
            case _:
                self._counted(number, what, row)

    def _same_accounts(self, row: TransferOnRecord, debit: str, credit: str) -> None:
        if (row.debit, row.credit) != (debit, credit):
            raise Doubt(f"{row.kind} {row.reference} goes from {row.credit} to {row.debit}, where no such cash goes.")

    def _counted(self, number: int, what: str, row: TransferOnRecord) -> None:
        counting = self.counting.setdefault(number, _Shift("", 0))
        drawer = shift_cash(number) if what == "cash" else shift_chips(number)
        if row.kind == HANDED_IN:
            self._same_accounts(row, CAGE, drawer)
            counting.handed_in[what] = row.micros
        elif (row.debit, row.credit) == (OVER_SHORT, drawer):
            counting.out[what] = row.micros
        else:
            self._same_accounts(row, drawer, OVER_SHORT)
            counting.out[what] = -row.micros

    def act(self, act: ShiftOpened | ShiftClosed, index: int) -> None:
        if isinstance(act, ShiftOpened):
            self.opened(act, index)
        else:
            self.close(act)

    def opened(self, act: ShiftOpened, index: int) -> None:
        booked = self.floats.pop(act.shift, None)
        floated = booked.micros if booked is not None else 0
        if floated != act.float.micros:
            raise Doubt(f"shift {act.shift} opened with {act.float.said}, and {Money(floated).said} was booked.")
        if act.float > self.values.amount(FLOAT_ALONE, before=index):
            raise Doubt(f"shift {act.shift} opened with {act.float.said} on one person's word.")
        if act.shift in self.open or act.shift in self.closed[-1:]:
            raise Doubt(f"shift {act.shift} is opened twice.")
        self.open[act.shift] = _Shift(act.terminal, floated)
        self.terminals[str(act.shift)] = act.terminal

    def close(self, act: ShiftClosed) -> None:
        if self.open.pop(act.shift, None) is None:
            raise Doubt(f"shift {act.shift} is closed, and was not open.")
        counting = self.counting.pop(act.shift, _Shift("", 0))
        for what, counted, expected in (
            ("cash", act.counted_cash, act.expected_cash),
            ("chips", act.counted_chips, act.expected_chips),
        ):
            booked = counting.handed_in.get(what, 0), counting.out.get(what, 0)
            if booked != (counted.micros, expected.micros - counted.micros):
                raise Doubt(
                    f"shift {act.shift}: {counted.said} of {what} was counted and {expected.said} expected; "
                    f"{Money(booked[0]).said} was handed in and {Money(booked[1]).said} booked as short."
                )
            self.out += booked[1]
        self.closed.append(act.shift)

    def balances(self, held: Mapping[str, int]) -> None:
        """A drawer that was handed in holds nothing: so what was expected in it is what came and went."""
        for number in self.closed:
            for account in (shift_cash(number), shift_chips(number)):
                if left := held.get(account, 0) - self.values.adjusted.get(account, 0):
                    raise Doubt(f"shift {number} is closed, and {Money(-left).said} is still in {account}.")
        for number in self.counting:
            raise Doubt(f"shift {number}: a drawer was handed in, and the shift was not closed.")
        for number in self.floats:
            raise Doubt(f"shift {number}: a float was handed out, and no shift was opened.")
