"""Table games' part of the offline check of an export: every hand settled again, every over- and underpayment. Pure.

A recorded check is settled once more by the rules, under what the sign said; each wager on which somebody had more or
less than was owed is an over- or underpayment of that amount, no more and no fewer, and each is followed to its end
(``errors_on_record.py``). A sign is what its authority has approved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from house.acts import GamingDayScheduled
from house.approval_acts import ValueInstalled
from house.approvals_on_record import ApprovalsOnRecord
from house.incident_acts import IncidentReported
from kernel.acts import Act
from kernel.export_check import (
    NOTHING_WANTED,
    UNDER_WAY,
    ActOnRecord,
    Doubt,
    Figure,
    RoomCheck,
    TransferOnRecord,
    Wanted,
    is_now,
    is_now_or_before,
)
from kernel.money import ZERO, Money
from kernel.refusal import Refusal
from tablegames import acts as of_tables
from tablegames.errors_on_record import (
    ERROR_ACTS,
    FLOAT,
    GIVEN_UP,
    OVER,
    OVERPAID,
    RECTIFIED,
    UNDER,
    UNDERPAID,
    Booked,
    ErrorsOnRecord,
)
from tablegames.rules import catalogue, poker_room
from tablegames.rules.owed import Settlement
from tablegames.rules.terms import Terms
from tablegames.signs_on_record import FIRST, SIGN_ACTS, SignsOnRecord, read_terms

TIME_CHARGE: Final = "tablegames.time-charge"
_COMMISSION: Final = "tablegames:commission"
_SIGN: Final = "tablegames.terms"  # the kind of value that a table's sign is
# A hand is checked on its gaming day or the next. Days that were planned and never came are in the log, too: so much
# before that nobody checks one.
_LONG_AGO: Final = timedelta(days=60)
_READ: Final[tuple[type[Act], ...]] = (
    of_tables.TableOpened,
    of_tables.TermsSet,
    *SIGN_ACTS,
    of_tables.TimeCharged,
    of_tables.HandChecked,
    *ERROR_ACTS,
    ValueInstalled,
    GamingDayScheduled,
)


@dataclass(slots=True)
class TableOnRecord:
    game: str
    stands: SignsOnRecord
    line: int
    signs: list[tuple[datetime, Terms]] = field(default_factory=list)  # each version, and since when
    paid_until: dict[int, datetime] = field(default_factory=dict)  # by seat, where commission goes by time

    def said(self, terms: Terms, at: datetime | None) -> bool:
        """Whether its sign said so then, whatever its limits were: those follow from notices and markers."""
        shown = [each for _, each in self.signs]
        if at is not None and self.stands.dated:  # before its first sign there was only the first
            before = [each for since, each in self.signs if since <= at - UNDER_WAY][-1:] or shown[:1]
            shown = before + [each for since, each in self.signs if at - UNDER_WAY < since <= at]
        return any(replace(terms, limits={}) == replace(each, limits={}) for each in shown)


class Check(RoomCheck):
    """*approvals*: what the house's check has read so far."""

    name = "Table games"
    acts = frozenset(act.kind for act in _READ)
    transfers = frozenset({OVERPAID, UNDERPAID, RECTIFIED, GIVEN_UP, TIME_CHARGE})

    def __init__(self, wanted: Wanted = NOTHING_WANTED, *, approvals: ApprovalsOnRecord) -> None:
        super().__init__(wanted)
        self.approvals = approvals
        self.tables: dict[str, TableOnRecord] = {}
        self.installed: dict[str, tuple[int, object]] = {}  # by table: a sign that nobody approved, and its line
        self.days: dict[str, datetime] = {}  # gaming days: when each opens
        self.checks: set[int] = set()
        self.unopened: dict[tuple[int, str], Money] = {}  # differences found whose error is still to be opened
        self.booked = Booked()
        self.errors = ErrorsOnRecord(approvals, self.booked)

    def act(self, row: ActOnRecord) -> None:
        if self.unopened and not isinstance(row.act, of_tables.PaymentErrorFound | IncidentReported):
            self._all_opened()
        match row.act:
            case of_tables.TableOpened() as act:
                if act.table in self.tables:
                    raise Doubt(f"gaming table {act.table} is opened twice.")
                stands = SignsOnRecord(act.table, act.game, self.approvals)
                self.tables[act.table] = TableOnRecord(act.game, stands, row.line)
            case of_tables.TermsSet() as act:
                self._sign_set(act, row)
            case ValueInstalled() as act:
                if act.kind_ == _SIGN:
                    self.installed[act.code] = (row.line, act.value)
            case GamingDayScheduled() as act:
                self.days[str(act.day)] = act.opens_at
            case of_tables.HandChecked() as act:
                self._checked(act, row)
            case of_tables.TimeCharged() as act:
                self._charged(act, row)
            case of_tables.OfTable() as act:
                self._table(act.table).stands.act(act, row)
            case _:
                self._of_error(row)

    # Signs

    def _charged(self, act: of_tables.TimeCharged, row: ActOnRecord) -> None:
        """14.3: by the approved rate, in advance, to the end of what it pays for."""
        table = self._table(act.table)
        try:
            amount, until = poker_room.charge(table.signs[-1][1], periods=act.periods, starts_at=act.from_at)
        except Refusal as refusal:
            raise Doubt(f"a charge by time at {act.table} is none that its sign allows: {refusal}") from refusal
        paid_until = table.paid_until.get(act.seat, act.at)
        if (amount, until) != (act.amount, act.until) or act.from_at != max(act.at, paid_until):
            raise Doubt(f"charge {act.charge} at {act.table} is of another amount or time than its sign says.")
        table.stands.must_be_now(act.at, row)
        table.stands.must_sit(act.seat, act.at, box=act.box)
        table.paid_until[act.seat] = until
        self.booked.take(TIME_CHARGE, f"time-charge/{act.charge}", act.amount, (FLOAT, _COMMISSION))

    def _table(self, code: str) -> TableOnRecord:
        table = self.tables.get(code)
        if table is None:
            raise Doubt(f"something stands at gaming table {code}, which was never opened.")
        return table

    def _sign_set(self, act: of_tables.TermsSet, row: ActOnRecord) -> None:
        table = self.tables.get(act.table)
        if table is None or act.version != len(table.signs) + 1:
            raise Doubt(f"the sign of {act.table} is set as version {act.version}, and the table is at another.")
        if act.proposal is None:
            _, value = self.installed.pop(act.table, (0, None))
            if not row.actor.startswith("system:") or act.version != 1 or value != act.terms:
                raise Doubt(f"the sign of {act.table} is set by {row.actor}, and nobody has approved it.")
        else:
            found = self.approvals.numbered(act.proposal)
            about = found is not None and found.act.about == act.subject and found.decided_by and not found.over
            said = {"tablegames.table": _terms_of_new, _SIGN: _terms_of_sign}
            read = said.get(found.act.kind_) if found is not None and about else None
            if found is None or read is None or read(found.act.new, table.game) != read_terms(act.terms):
                raise Doubt(f"the sign of {act.table} says something else than proposal {act.proposal} approved.")
        if act.since is not None and not is_now(act.since, row):
            raise Doubt(f"the sign of {act.table} holds since {act.since:%Y-%m-%d %H:%M}, and was set at another time.")
        terms = read_terms(act.terms)
        table.signs.append((act.since or FIRST, terms))
        table.stands.approved(terms.limits, act.since)

    # Hands

    def _checked(self, act: of_tables.HandChecked, row: ActOnRecord) -> None:
        if act.check in self.checks:
            raise Doubt(f"check {act.check} is recorded twice.")
        self.checks.add(act.check)
        if act.happened_at is not None:
            self._must_be_lately(act.check, act.happened_at, row)
        if act.table is not None:
            table = self.tables.get(act.table)
            terms = read_terms(act.terms)
            if table is None or table.game != act.game or not table.said(terms, act.happened_at):
                raise Doubt(f"check {act.check} is of another game or sign than there was at {act.table}.")
            table.stands.must_be_limits(terms.limits, act)
        settlement = _settle(act)
        if {line.wager: line.as_data() for line in settlement.owed} != _by_wager(act):
            raise Doubt(f"check {act.check}: the rules owe something else on this hand.")
        differences = _differences(act, settlement)
        if Money.total(differences.values()) != act.difference:
            raise Doubt(f"check {act.check}: what was paid and what was owed do not differ by {act.difference.said}.")
        self.unopened = {(act.check, wager): each for wager, each in differences.items() if each}
        self.figures.append(Figure(row.day, "Hands checked", 1, money=False))

    def _must_be_lately(self, check: int, at: datetime, row: ActOnRecord) -> None:
        written = datetime.fromisoformat(row.at)
        opened = sorted(opens for opens in self.days.values() if opens <= written)[-2:]
        if not is_now_or_before(at, row) or at < (opened[0] if opened else written) - _LONG_AGO:
            raise Doubt(f"check {check} is of a hand of {at:%Y-%m-%d}, and was written down on {written:%Y-%m-%d}.")

    def _all_opened(self) -> None:
        number, wager = min(self.unopened)
        raise Doubt(f"check {number}: {wager} was paid wrongly, and no over- or underpayment was opened.")

    # Over- and underpayments

    def _of_error(self, row: ActOnRecord) -> None:
        if isinstance(row.act, of_tables.PaymentErrorFound):
            self._of_this_hand(row.act)
            words = "Paid too much" if row.act.direction == "over" else "Paid too little"
            self.figures.append(Figure(row.day, words, row.act.amount.micros))
        self.errors.act(row)

    def _of_this_hand(self, act: of_tables.PaymentErrorFound) -> None:
        if act.check is None:
            return
        difference = self.unopened.pop((act.check, act.wager or ""), None)
        if difference != (act.amount if act.direction == "over" else -act.amount):
            raise Doubt(f"{act.direction}payment {act.error} of {act.amount.said} is not what check {act.check} found.")

    def transfer(self, row: TransferOnRecord) -> None:
        if row.reverses is not None:
            raise Doubt(f"{row.kind} {row.reference} takes back what is never taken back.")
        self.booked.rows[row.kind, row.reference] = row

    def balances(self, held: Mapping[str, int]) -> None:
        """What is owed to patrons and what is to be asked back, by what is outstanding."""
        for account, direction, sign in ((UNDER, "under", 1), (OVER, "over", -1)):
            due = self.errors.due(direction)
            stands = sign * (held.get(account, 0) - self.approvals.adjusted.get(account, 0))
            if stands != due:
                raise Doubt(f"{account} should hold {Money(due).said}, and holds {Money(stands).said}.")

    def end(self, *, attached: bool) -> list[str]:
        if self.unopened:
            self._all_opened()
        for code, table in self.tables.items():
            table.stands.end()
            if not table.signs:
                raise Doubt(f"gaming table {code} was opened, and never had a sign.", line=table.line)
        for code, (line, _) in self.installed.items():
            raise Doubt(f"gaming table {code} began with a sign that was never put up.", line=line)
        if self.booked.rows:
            kind, reference = min(self.booked.rows)
            raise Doubt(f"{kind} {reference} is booked, and nothing in the log says why.")
        if not self.checks and not self.errors.found:
            return []
        return [
            f"Table games: {len(self.checks):,} hands settled again by the rules, {len(self.errors.found):,} over- and "
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


def _terms_of_new(new: Any, game: str) -> Terms | None:
    return read_terms(new["terms"]) if new["game"] == game else None


def _terms_of_sign(new: Any, game: str) -> Terms:
    return read_terms(new)
