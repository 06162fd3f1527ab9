"""The check of a settled hand: what was owed, what was paid, and the difference.

``evaluate`` only answers; ``record_check`` keeps it, and a difference opens an over- or underpayment (nsw-csp:14.16).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house import incidents
from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import GamingDay
from house.players.cards import known_card
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import Refusal
from tablegames import in_force, payment_errors, permissions, tables
from tablegames.acts import HandChecked
from tablegames.incident_kinds import OPENED_BY
from tablegames.models import Check, GamingTable, Seat
from tablegames.rules import catalogue
from tablegames.rules.owed import Owed, Result, Settlement
from tablegames.rules.signs import OutsideLimits, outside
from tablegames.rules.terms import Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """What a supervisor saw: one box, or a layout."""

    game: str
    wagers: Mapping[str, Money]
    cards: Mapping[str, Sequence[str]] | None = None
    outcome: str | None = None
    choices: Mapping[str, object] = field(default_factory=dict)

    def as_data(self) -> dict[str, object]:
        return {
            "wagers": {name: str(amount) for name, amount in self.wagers.items()},
            "cards": None if self.cards is None else {name: list(cards) for name, cards in self.cards.items()},
            "outcome": self.outcome,
            "choices": dict(self.choices),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Paid:
    """What the dealer did with a wager: what was paid on it, and what of the stake went back."""

    pays: Money
    returns: Money


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    settlement: Settlement
    terms: Terms
    paid: Mapping[str, Paid] | None = None
    seat: Seat | None = None
    outside: tuple[OutsideLimits, ...] = ()
    """Wagers that were not within the limits of the sign: they count as the rules say (nsw-csp:6.2, 6.3)."""

    def difference_of(self, line: Owed) -> Money | None:
        if self.paid is None:
            return None
        paid = self.paid[line.wager]
        return paid.pays + paid.returns - line.total

    @property
    def difference(self) -> Money | None:
        """Of the whole hand: what the player has too much; below zero what he has too little."""
        if self.paid is None:
            return None
        return Money.total(self.difference_of(line) or ZERO for line in self.settlement.owed)


def evaluate(
    *,
    entered: Entered,
    terms: Terms | None = None,
    table: str | None = None,
    paid: Mapping[str, Money] | None = None,
    returned: Mapping[str, Money] | None = None,
    happened_at: datetime | None = None,
    box: int | None = None,
    player_card: str = "",
) -> Answer:
    """What every wager is owed; changes nothing. *paid* is without the stake; *returned* what of it went back, where
    that was not as the rules say. A hand is owed what the sign said when it was played: to everybody, or to the player
    at its box."""
    seat = None
    if table is not None:
        found = tables.find_table(table)
        if found.game != entered.game:
            raise Refusal("another-game", f"At {table} {found.game} is played.", field="game")
        if terms is not None:
            raise Refusal(
                "terms-and-table", f"What the sign of {table} says is on record: leave it out.", field="terms"
            )
        moment = happened_at or timezone.now()
        in_force.must_be_open(found, at=moment)
        seat = None if box is None else in_force.seat_at(found, box, at=moment, player_card=player_card)
        terms = in_force.terms_at(found, at=moment, seat=seat)
    elif box is not None:
        raise Refusal("table-missing", "A box is one of a table: say which.", field="box")
    terms = terms or Terms()
    settlement = catalogue.settle(
        entered.game,
        terms=terms,
        wagers=entered.wagers,
        cards=entered.cards,
        outcome=entered.outcome,
        choices=entered.choices,
    )
    return Answer(
        settlement=settlement,
        terms=terms,
        paid=_paid(settlement, paid, returned),
        seat=seat,
        outside=tuple(outside(terms.limits, entered.wagers)),
    )


@transaction.atomic
def record_check(
    *,
    entered: Entered,
    paid: Mapping[str, Money],
    by: Actor,
    returned: Mapping[str, Money] | None = None,
    table: str | None = None,
    box: int | None = None,
    player_card: str = "",
    note: str = "",
    happened_at: datetime | None = None,
) -> Check:
    """Keep a check. Each wager on which the player has more or less than was owed is an over- or underpayment."""
    by.require(permissions.CHECK)
    now = timezone.now()
    if happened_at is not None:
        _refuse_another_time(happened_at, now)
    happened_at = happened_at or now
    card = known_card(player_card).number if player_card.strip() else ""
    answer = evaluate(
        entered=entered,
        table=table,
        paid=paid,
        returned=returned,
        happened_at=happened_at,
        box=box,
        player_card=card,
    )
    assert answer.paid is not None
    assert answer.difference is not None
    check = Check.objects.create(
        table=None if table is None else tables.find_table(table),
        game=entered.game,
        terms=answer.terms.as_data(),
        entered=entered.as_data(),
        owed=[line.as_data() for line in answer.settlement.owed],
        paid={name: {"pays": str(each.pays), "returns": str(each.returns)} for name, each in answer.paid.items()},
        difference=answer.difference,
        box=box,
        player_card=card,
        note=note.strip(),
        day=gaming_day_at(happened_at).date,
        happened_at=happened_at,
        by=by.identity,
    )
    record_act(_checked(check, answer), by=by)
    for line in answer.settlement.owed:
        if difference := answer.difference_of(line):
            payment_errors.open_for_check(check, wager=line.wager, difference=difference, by=by)
    _open_incident(check, by=by)
    return check


def _refuse_another_time(happened_at: datetime, now: datetime) -> None:
    """A hand is checked on its gaming day or the next one: what is older has been counted and reported."""
    if happened_at > now:
        raise Refusal("not-happened-yet", "That time is still to come.", field="happened_at")
    lately = [day.opens_at for day in GamingDay.objects.filter(opens_at__lte=now).order_by("-opens_at")[:2]]
    if lately and happened_at < lately[-1]:
        words = "That is before the last gaming day but one opened: a hand is checked on its gaming day or the next."
        raise Refusal("too-long-ago", words, field="happened_at")


def _checked(check: Check, answer: Answer) -> HandChecked:
    return HandChecked(
        check=check.pk,
        table=None if check.table is None else check.table.code,
        game=check.game,
        terms=check.terms,
        entered=check.entered,
        owed=check.owed,
        paid=check.paid,
        difference=check.difference,
        seat=answer.seat.pk if answer.seat else None,
        happened_at=check.happened_at,
    )


def _open_incident(check: Check, *, by: Actor) -> None:
    """What went wrong beside the payment is an incident of its own (nsw-csp:14.9.4, 15.2, 16.9 and their like)."""
    fault = check.entered["choices"].get("irregularity")
    kind = OPENED_BY.get(fault)
    if kind is None:
        return
    says = f"{fault.replace('-', ' ').capitalize()}: hand {check.pk} was settled so. {check.note}"
    incidents.open_incident(
        kind=kind,
        what=says,
        by=by,
        happened_at=check.happened_at,
        subject=f"table:{check.table.code}" if check.table else f"check:{check.pk}",
        rules=catalogue.find(check.game).document,
        caused_by=(),
    )


def game_of(game: str | None, table: str | None) -> str:
    """The game that was meant: named, or the one played at the table."""
    if game is not None:
        return game
    if table is None:
        raise Refusal("game-missing", "Say which game it was, or at which table.", field="game")
    found: GamingTable = tables.find_table(table)
    return found.game


def _paid(
    settlement: Settlement, paid: Mapping[str, Money] | None, returned: Mapping[str, Money] | None
) -> dict[str, Paid] | None:
    """Every wager, so that nothing is taken for zero because it was forgotten. A fee may be left out: it was taken."""
    if paid is None:
        if returned is not None:
            raise Refusal("paid-missing", "Say also what was paid.", field="paid")
        return None
    lines = {line.wager: line for line in settlement.owed}
    for name, amounts in (("paid", paid), ("returned", returned or {})):
        for wager, amount in amounts.items():
            if wager not in lines:
                raise Refusal("wager-not-there", f"There was no wager “{wager}”.", field=f"{name}.{wager}")
            if amount < ZERO:
                raise Refusal("paid-below-zero", "Nothing is paid below zero.", field=f"{name}.{wager}")
    found = {}
    for wager, line in lines.items():
        if wager not in paid and line.result is not Result.FEE:
            raise Refusal(
                "paid-missing", f"Say what was paid on {wager}: 0.00 where it was nothing.", field=f"paid.{wager}"
            )
        back = (returned or {}).get(wager, line.returns)
        if back > line.stake:
            raise Refusal(
                "returned-too-much", f"The stake was {line.stake}: more is a payment.", field=f"returned.{wager}"
            )
        found[wager] = Paid(pays=paid.get(wager, line.pays), returns=back)
    return found
