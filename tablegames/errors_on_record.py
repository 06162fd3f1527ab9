"""Over- and underpayments in an export: each found with an incident of its own, and followed to its end. Pure.

Its money is booked when it is found, rectified by as much as is outstanding, given up once; by another person than who
found it where money leaves. What may be done with one in which state, and what has to be tried before it is given up,
are the same rules that the verbs ask.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from house.approvals_on_record import ApprovalsOnRecord
from house.incident_acts import IncidentReported, IncidentTold
from kernel.export_check import ActOnRecord, Doubt, TransferOnRecord, is_now_or_before
from kernel.money import ZERO, Money
from kernel.refusal import Refusal
from tablegames import acts as of_tables
from tablegames.rules.payment_errors import (
    Direction,
    Intent,
    NextStep,
    Status,
    Step,
    Taken,
    allow,
    check_close,
    check_step,
)

OVERPAID, UNDERPAID, RECTIFIED, GIVEN_UP = (
    "tablegames.overpaid",
    "tablegames.underpaid",
    "tablegames.rectified",
    "tablegames.given-up",
)
FLOAT: Final = "tablegames:float"
_CAGE, OVER, UNDER, _LOST = "tablegames:cage", "tablegames:overpaid", "tablegames:underpaid", "tablegames:errors"
_REGULATOR: Final = "regulator"  # to whom an incident is told (house/incident_kinds.py)
_OF_A_WAGER: Final = "wager"
_OF_CHANGE: Final = frozenset({"cash-change", "colour-change"})
_INCIDENT, _INCIDENT_ABOVE, _ABOVE = "payment-error", "payment-error-above-1000", Money.dollars(1_000)
ERROR_ACTS: Final = (
    of_tables.PaymentErrorFound,
    of_tables.IntentDecided,
    of_tables.StepTaken,
    of_tables.PaymentErrorRectified,
    of_tables.PaymentErrorClosed,
    IncidentReported,
    IncidentTold,
)


@dataclass(slots=True)
class Booked:
    """What was booked, and not yet said by an act."""

    rows: dict[tuple[str, str], TransferOnRecord] = field(default_factory=dict)

    def take(self, kind: str, reference: str, amount: Money, accounts: tuple[str, str]) -> None:
        row = self.rows.pop((kind, reference), None)
        if row is None or row.micros != amount.micros or (row.debit, row.credit) != accounts:
            raise Doubt(f"{reference}: {amount.said} should be booked as {kind}, and is not, or elsewhere.")


@dataclass(slots=True)
class ErrorOnRecord:
    number: int
    direction: str
    outstanding: Money
    found_by: str
    incident: int
    intent: str = Intent.NOT_DECIDED
    taken: list[Taken] = field(default_factory=list)  # what was tried
    outcome: Status | None = None  # as which it was closed

    @property
    def name(self) -> str:
        return f"{self.direction}payment {self.number}"

    @property
    def status(self) -> Status:
        return Status.RECTIFIED if not self.outstanding else self.outcome or Status.OPEN


@dataclass(slots=True)
class ErrorsOnRecord:
    approvals: ApprovalsOnRecord
    booked: Booked
    found: dict[int, ErrorOnRecord] = field(default_factory=dict)
    reported: dict[int, tuple[int, str, str]] = field(default_factory=dict)  # by incident: transaction, kind, about
    regulator_told: set[int] = field(default_factory=set)  # of these incidents

    def act(self, row: ActOnRecord) -> None:
        match row.act:
            case IncidentReported(kind_=kind) as act if kind in (_INCIDENT, _INCIDENT_ABOVE):
                self.reported[act.incident] = (row.tx, kind, act.about)
            case IncidentTold() as act if act.to == _REGULATOR:
                self.regulator_told.add(act.incident)
            case of_tables.PaymentErrorFound() as act:
                self._found(act, row)
            case of_tables.IntentDecided() as act:
                self._asked(act, NextStep.DECIDE).intent = Intent(act.intent)
            case of_tables.StepTaken() as act:
                self._tried(act, row)
            case of_tables.PaymentErrorRectified() as act:
                self._rectified(act, row.actor)
            case of_tables.PaymentErrorClosed() as act:
                self._closed(act, row.actor)

    def _found(self, act: of_tables.PaymentErrorFound, row: ActOnRecord) -> None:
        if act.error in self.found or act.direction not in ("over", "under"):
            raise Doubt(f"over- or underpayment {act.error} is found twice, or is neither.")
        name = f"{act.direction}payment {act.error}"
        of_a_hand = act.check is not None and act.wager is not None
        if act.cause not in ({_OF_A_WAGER} if of_a_hand else _OF_CHANGE):
            raise Doubt(f"{name} is of a wager that nobody has checked, or of nothing that can be paid wrongly.")
        about = (f"check:{act.check}",) if of_a_hand else ("table:", act.cause)
        kind = _INCIDENT_ABOVE if act.amount > _ABOVE else _INCIDENT
        tx, said, of = self.reported.pop(act.incident, (0, "", ""))
        if (tx, said) != (row.tx, kind) or not of.startswith(about):
            what = f"{name} of {act.amount.said}"
            raise Doubt(f"{what} names incident {act.incident}, which was reported of something else.")
        booked, accounts = (OVERPAID, (OVER, FLOAT)) if act.direction == "over" else (UNDERPAID, (FLOAT, UNDER))
        self.booked.take(booked, f"payment-error/{act.error}", act.amount, accounts)
        self.found[act.error] = ErrorOnRecord(act.error, act.direction, act.amount, row.actor, act.incident)

    def _asked(self, act: of_tables.OfPaymentError, step: NextStep) -> ErrorOnRecord:
        """The one that it is about, where that may be done with it."""
        found = self.found.get(act.error)
        if found is None or found.direction != act.direction:
            raise Doubt(f"there is word of {act.direction}payment {act.error}, which nobody found.")
        self._ask(found, allow, found.status, step)
        return found

    def _ask(self, found: ErrorOnRecord, must: Callable[..., None], *values: object, **more: object) -> None:
        try:
            must(*values, **more)
        except (Refusal, ValueError) as refused:
            raise Doubt(f"{found.name}: what was done may not be: {refused}") from refused

    def _tried(self, act: of_tables.StepTaken, row: ActOnRecord) -> None:
        found = self._asked(act, NextStep.STEP)
        self._ask(found, check_step, Direction(act.direction), Step(act.step))
        if not is_now_or_before(act.at, row):
            raise Doubt(f"{found.name}: something was tried after it was written down.")
        found.taken.append(Taken(Step(act.step), act.succeeded))

    def _rectified(self, act: of_tables.PaymentErrorRectified, by: str) -> None:
        found = self._asked(act, NextStep.RECTIFY)
        left = found.outstanding - act.amount
        if left < ZERO or left != act.outstanding:
            raise Doubt(f"{found.name}: {act.amount.said} is rectified of {found.outstanding.said} outstanding.")
        if act.direction == "under":
            self._must_be_another(found, by)
            accounts = (UNDER, _CAGE)
        else:
            accounts = (_CAGE, _LOST if found.outcome is not None else OVER)
        self.booked.take(RECTIFIED, f"payment-error/{act.error}/{act.step}", act.amount, accounts)
        found.outstanding = left
        found.taken.append(Taken(Step.REIMBURSE if act.direction == "under" else Step.REQUEST_RETURN, True))

    def _closed(self, act: of_tables.PaymentErrorClosed, by: str) -> None:
        """What has to be done before it may be given up (14.16 to 14.18)."""
        found = self._asked(act, NextStep.CLOSE)
        self._must_be_another(found, by)
        try:
            check_close(
                outcome=Status(act.outcome), direction=Direction(act.direction), intent=Intent(found.intent),
                taken=found.taken, regulator_told=found.incident in self.regulator_told,
            )  # fmt: skip
        except (Refusal, ValueError) as refused:
            raise Doubt(f"{found.name} is given up, and may not be: {refused}") from refused
        if act.direction == "over":
            self.booked.take(GIVEN_UP, f"payment-error/{act.error}", found.outstanding, (_LOST, OVER))
        found.outcome = Status(act.outcome)

    def _must_be_another(self, found: ErrorOnRecord, by: str) -> None:
        if not self.approvals.people.are_others(by, found.found_by):
            raise Doubt(f"{found.name} is paid or given up by {by}, who found it: two people do.")

    def due(self, direction: str) -> int:
        """Micro-dollars that are owed to patrons, or are to be asked back and not given up."""
        return sum(
            error.outstanding.micros
            for error in self.found.values()
            if error.direction == direction and (direction == "under" or error.outcome is None)
        )
