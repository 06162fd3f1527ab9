"""Table games' part of the offline check of an export: every hand settled again, every over- and underpayment. Pure.

A recorded check is settled once more by the rules, under what the sign said; each wager on which somebody had more or
less than was owed is an over- or underpayment of that amount, no more and no fewer. Its money is followed to the end:
booked when it was found, rectified by as much as is outstanding, given up once; by another person than who found it
where money leaves. A sign is what its authority has approved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from house.approvals_on_record import ApprovalsOnRecord
from house.incident_acts import IncidentTold
from kernel.acts import Act
from kernel.export_check import NOTHING_WANTED, ActOnRecord, Doubt, Figure, RoomCheck, TransferOnRecord, Wanted
from kernel.money import ZERO, Money
from kernel.refusal import Refusal
from tablegames import acts as of_tables
from tablegames.rules import catalogue, poker_room
from tablegames.rules.owed import Settlement
from tablegames.rules.payment_errors import Direction, Intent, Status, Step, Taken, check_close
from tablegames.rules.terms import Terms
from tablegames.signs_on_record import SIGN_ACTS, SignsOnRecord, read_terms

OVERPAID, UNDERPAID, RECTIFIED, GIVEN_UP, TIME_CHARGE = (
    "tablegames.overpaid",
    "tablegames.underpaid",
    "tablegames.rectified",
    "tablegames.given-up",
    "tablegames.time-charge",
)
_REGULATOR: Final = "regulator"  # to whom an incident is told (house/incident_kinds.py)
_COMMISSION: Final = "tablegames:commission"
_FLOAT, _CAGE, _OVER, _UNDER, _LOST = (
    "tablegames:float",
    "tablegames:cage",
    "tablegames:overpaid",
    "tablegames:underpaid",
    "tablegames:errors",
)
_READ: Final[tuple[type[Act], ...]] = (
    of_tables.TableOpened,
    of_tables.TermsSet,
    *SIGN_ACTS,
    of_tables.TimeCharged,
    of_tables.HandChecked,
    of_tables.PaymentErrorFound,
    of_tables.IntentDecided,
    of_tables.StepTaken,
    of_tables.PaymentErrorRectified,
    of_tables.PaymentErrorClosed,
    IncidentTold,
)


@dataclass(slots=True)
class ErrorOnRecord:
    number: int
    direction: str
    outstanding: Money
    found_by: str
    incident: int
    intent: str = Intent.NOT_DECIDED
    taken: list[Taken] = field(default_factory=list)  # what was tried
    closed: bool = False

    @property
    def name(self) -> str:
        return f"{self.direction}payment {self.number}"


@dataclass(slots=True)
class TableOnRecord:
    game: str
    stands: SignsOnRecord
    version: int = 0
    signs: list[Terms] = field(default_factory=list)
    paid_until: dict[int, datetime] = field(default_factory=dict)  # by seat, where commission goes by time


class Check(RoomCheck):
    """*approvals*: what the house's check has read so far."""

    name = "Table games"
    acts = frozenset(act.kind for act in _READ)
    transfers = frozenset({OVERPAID, UNDERPAID, RECTIFIED, GIVEN_UP, TIME_CHARGE})

    def __init__(self, wanted: Wanted = NOTHING_WANTED, *, approvals: ApprovalsOnRecord) -> None:
        super().__init__(wanted)
        self.approvals = approvals
        self.tables: dict[str, TableOnRecord] = {}
        self.checks: set[int] = set()
        self.unopened: dict[tuple[int, str], Money] = {}  # differences found whose error is still to be opened
        self.errors: dict[int, ErrorOnRecord] = {}
        self.regulator_told = set[int]()  # of these incidents
        self.booked: dict[tuple[str, str], TransferOnRecord] = {}  # and not yet said by an act

    def act(self, row: ActOnRecord) -> None:
        if self.unopened and not isinstance(row.act, of_tables.PaymentErrorFound):
            self._all_opened()
        match row.act:
            case of_tables.TableOpened() as act:
                if act.table in self.tables:
                    raise Doubt(f"gaming table {act.table} is opened twice.")
                self.tables[act.table] = TableOnRecord(act.game, SignsOnRecord(act.table, act.game, self.approvals))
            case of_tables.TermsSet() as act:
                self._sign_set(act, row.actor)
            case of_tables.HandChecked() as act:
                self._checked(act, row)
            case of_tables.PaymentErrorFound() as act:
                self._found(act, row)
            case of_tables.PaymentErrorRectified() as act:
                self._rectified(act, row.actor)
            case of_tables.PaymentErrorClosed() as act:
                self._closed(act, row.actor)
            case of_tables.IntentDecided() | of_tables.StepTaken() | IncidentTold() as act:
                self._tried(act)
            case of_tables.TimeCharged() as act:
                self._charged(act)
            case of_tables.OfTable() as act:
                self._table(act.table).stands.act(act, row)

    # Signs

    def _charged(self, act: of_tables.TimeCharged) -> None:
        """14.3: by the approved rate, in advance, to the end of what it pays for."""
        table = self._table(act.table)
        try:
            amount, until = poker_room.charge(table.signs[-1], periods=act.periods, starts_at=act.from_at)
        except Refusal as refusal:
            raise Doubt(f"a charge by time at {act.table} is none that its sign allows: {refusal}") from refusal
        paid_until = table.paid_until.get(act.seat, act.at)
        if (amount, until) != (act.amount, act.until) or act.from_at != max(act.at, paid_until):
            raise Doubt(f"charge {act.charge} at {act.table} is of another amount or time than its sign says.")
        table.stands.must_sit(act.seat, act.at)
        table.paid_until[act.seat] = until
        self._take(TIME_CHARGE, f"time-charge/{act.charge}", act.amount, (_FLOAT, _COMMISSION))

    def _table(self, code: str) -> TableOnRecord:
        table = self.tables.get(code)
        if table is None:
            raise Doubt(f"something stands at gaming table {code}, which was never opened.")
        return table

    def _sign_set(self, act: of_tables.TermsSet, by: str) -> None:
        table = self.tables.get(act.table)
        if table is None or act.version != table.version + 1:
            raise Doubt(f"the sign of {act.table} is set as version {act.version}, and the table is at another.")
        if act.proposal is None:
            if not by.startswith("system:") or act.version != 1:
                raise Doubt(f"the sign of {act.table} is set by {by}, and nobody has approved it.")
        else:
            found = self.approvals.numbered(act.proposal)
            about = found is not None and found.act.about == act.subject and found.decided_by and not found.over
            said = {"tablegames.table": _terms_of_new, "tablegames.terms": _terms_of_sign}
            read = said.get(found.act.kind_) if found is not None and about else None
            if found is None or read is None or read(found.act.new, table.game) != read_terms(act.terms):
                raise Doubt(f"the sign of {act.table} says something else than proposal {act.proposal} approved.")
        table.version = act.version
        table.signs.append(read_terms(act.terms))
        table.stands.approved(read_terms(act.terms).limits, act.since)

    # Hands

    def _checked(self, act: of_tables.HandChecked, row: ActOnRecord) -> None:
        if act.check in self.checks:
            raise Doubt(f"check {act.check} is recorded twice.")
        self.checks.add(act.check)
        if act.table is not None:
            table = self.tables.get(act.table)
            terms = read_terms(act.terms)
            if table is None or table.game != act.game or not _is_of(terms, table.signs):
                raise Doubt(f"check {act.check} is of another game or sign than there was at {act.table}.")
            table.stands.must_be_limits(terms.limits, act)
        settlement = _settle(act)
        if {line.wager: line.as_data() for line in settlement.owed} != _by_wager(act):
            raise Doubt(f"check {act.check}: the rules owe something else on this hand.")
        differences = _differences(act, settlement)
        if Money.total(differences.values()) != act.difference:
            raise Doubt(f"check {act.check}: what was paid and what was owed do not differ by {act.difference}.")
        self.unopened = {(act.check, wager): each for wager, each in differences.items() if each}
        self.figures.append(Figure(row.day, "Hands checked", 1, money=False))

    def _all_opened(self) -> None:
        number, wager = min(self.unopened)
        raise Doubt(f"check {number}: {wager} was paid wrongly, and no over- or underpayment was opened.")

    # Over- and underpayments

    def _found(self, act: of_tables.PaymentErrorFound, row: ActOnRecord) -> None:
        if act.error in self.errors or act.direction not in ("over", "under"):
            raise Doubt(f"over- or underpayment {act.error} is found twice, or is neither.")
        if act.check is not None:
            difference = self.unopened.pop((act.check, act.wager or ""), None)
            signed = act.amount if act.direction == "over" else -act.amount
            if difference != signed:
                raise Doubt(f"{act.direction}payment {act.error} of ${act.amount} is not what check {act.check} found.")
        elif act.cause == "wager":
            raise Doubt(f"{act.direction}payment {act.error} is of a wager that nobody has checked.")
        kind = OVERPAID if act.direction == "over" else UNDERPAID
        accounts = (_OVER, _FLOAT) if act.direction == "over" else (_FLOAT, _UNDER)
        self._take(kind, f"payment-error/{act.error}", act.amount, accounts)
        self.errors[act.error] = ErrorOnRecord(act.error, act.direction, act.amount, row.actor, act.incident)
        words = "Paid too much" if act.direction == "over" else "Paid too little"
        self.figures.append(Figure(row.day, words, act.amount.micros))

    def _error(self, number: int, direction: str) -> ErrorOnRecord:
        found = self.errors.get(number)
        if found is None or found.direction != direction:
            raise Doubt(f"there is word of {direction}payment {number}, which nobody found.")
        return found

    def _rectified(self, act: of_tables.PaymentErrorRectified, by: str) -> None:
        found = self._error(act.error, act.direction)
        left = found.outstanding - act.amount
        if left < ZERO or left != act.outstanding:
            raise Doubt(f"{found.name}: ${act.amount} is rectified of ${found.outstanding} outstanding.")
        if act.direction == "under":
            self._must_be_another(found, by)
            accounts = (_UNDER, _CAGE)
        else:
            accounts = (_CAGE, _LOST if found.closed else _OVER)
        self._take(RECTIFIED, f"payment-error/{act.error}/{act.step}", act.amount, accounts)
        found.outstanding = left
        found.taken.append(Taken(Step.REIMBURSE if act.direction == "under" else Step.REQUEST_RETURN, True))

    def _tried(self, act: of_tables.IntentDecided | of_tables.StepTaken | IncidentTold) -> None:
        """What has to be done before it may be given up (14.16 to 14.18)."""
        match act:
            case of_tables.IntentDecided():
                self._error(act.error, act.direction).intent = act.intent
            case of_tables.StepTaken():
                self._error(act.error, act.direction).taken.append(Taken(Step(act.step), act.succeeded))
            case IncidentTold() if act.to == _REGULATOR:
                self.regulator_told.add(act.incident)

    def _closed(self, act: of_tables.PaymentErrorClosed, by: str) -> None:
        found = self._error(act.error, act.direction)
        if found.closed or not found.outstanding:
            raise Doubt(f"{found.name} is closed twice, or has nothing outstanding.")
        self._must_be_another(found, by)
        try:
            check_close(
                outcome=Status(act.outcome), direction=Direction(act.direction), intent=Intent(found.intent),
                taken=found.taken, regulator_told=found.incident in self.regulator_told,
            )  # fmt: skip
        except (Refusal, ValueError) as refused:
            raise Doubt(f"{found.name} is given up, and may not be: {refused}") from refused
        if act.direction == "over":
            self._take(GIVEN_UP, f"payment-error/{act.error}", found.outstanding, (_LOST, _OVER))
        found.closed = True

    def _must_be_another(self, found: ErrorOnRecord, by: str) -> None:
        if not self.approvals.people.are_others(by, found.found_by):
            raise Doubt(f"{found.name} is paid or given up by {by}, who found it: two people do.")

    def transfer(self, row: TransferOnRecord) -> None:
        if row.reverses is not None:
            raise Doubt(f"{row.kind} {row.reference} takes back what is never taken back.")
        self.booked[row.kind, row.reference] = row

    def _take(self, kind: str, reference: str, amount: Money, accounts: tuple[str, str]) -> None:
        row = self.booked.pop((kind, reference), None)
        if row is None or row.micros != amount.micros or (row.debit, row.credit) != accounts:
            raise Doubt(f"{reference}: ${amount} should be booked as {kind}, and is not, or elsewhere.")

    def balances(self, held: Mapping[str, int]) -> None:
        """What is owed to patrons and what is to be asked back, by what is outstanding."""
        for account, direction, sign in ((_UNDER, "under", 1), (_OVER, "over", -1)):
            errors = self.errors.values()
            due = sum(
                error.outstanding.micros
                for error in errors
                if error.direction == direction and (direction == "under" or not error.closed)
            )
            stands = sign * (held.get(account, 0) - self.approvals.adjusted.get(account, 0))
            if stands != due:
                raise Doubt(f"{account} should hold {Money(due)}, and holds {Money(stands)}.")

    def end(self, *, attached: bool) -> list[str]:
        if self.unopened:
            self._all_opened()
        for table in self.tables.values():
            table.stands.end()
        if self.booked:
            kind, reference = min(self.booked)
            raise Doubt(f"{kind} {reference} is booked, and nothing in the log says why.")
        if not self.checks and not self.errors:
            return []
        return [
            f"Table games: {len(self.checks):,} hands settled again by the rules, {len(self.errors):,} over- and "
            "underpayments followed to their end."
        ]


def _settle(act: of_tables.HandChecked) -> Settlement:
    entered = act.entered
    try:
        return catalogue.settle(
            act.game,
            terms=read_terms(act.terms),
            wagers={name: Money.parse(amount) for name, amount in entered["wagers"].items()},
            cards=entered["cards"],
            outcome=entered["outcome"],
            choices=entered["choices"],
        )
    except (KeyError, TypeError, ValueError, AttributeError, Refusal) as fault:
        raise Doubt(f"check {act.check} is of a hand that the rules do not know: {fault}") from fault


def _by_wager(act: of_tables.HandChecked) -> dict[str, Any]:
    """The lines of what was owed, in whatever order; the log does not keep the order of wagers."""
    lines = {str(line.get("wager")): line for line in act.owed if isinstance(line, dict)}
    return lines if len(lines) == len(act.owed) else {}


def _differences(act: of_tables.HandChecked, settlement: Settlement) -> dict[str, Money]:
    found = {}
    for line in settlement.owed:
        paid = act.paid.get(line.wager)
        if not isinstance(paid, dict) or paid.keys() != {"pays", "returns"}:
            raise Doubt(f"check {act.check} does not say what was paid on {line.wager}.")
        pays, returns = Money.parse(paid["pays"]), Money.parse(paid["returns"])
        if pays < ZERO or not ZERO <= returns <= line.stake:
            raise Doubt(f"check {act.check}: nobody can have been paid so on {line.wager}.")
        found[line.wager] = pays + returns - line.total
    if act.paid.keys() != found.keys():
        raise Doubt(f"check {act.check} says what was paid on a wager that there was not.")
    return found


def _is_of(terms: Terms, signs: list[Terms]) -> bool:
    """Whether a sign said so, whatever its limits were: those follow from notices and markers."""
    return any(replace(terms, limits={}) == replace(each, limits={}) for each in signs)


def _terms_of_new(new: Any, game: str) -> Terms | None:
    return read_terms(new["terms"]) if new["game"] == game else None


def _terms_of_sign(new: Any, game: str) -> Terms:
    return read_terms(new)
