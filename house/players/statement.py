"""A player's statement in words: whether he may play, his limits, breaks, and what went in and came back by period.

The page at the desk and the letter for him say the same sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Sum
from django.utils import timezone

from house.models import ChipDeclaration, DeclarationKind, Player, PlayLine, PlayLineKind, Restriction, Scope
from house.players.limits import LimitStatus, day_of, limit_statuses
from house.players.restrict import lasting
from house.queries import valid_card
from house.rules.limits import Kind, Period, span
from house.times import for_people
from house.venue import venue
from kernel.money import ZERO, Money
from web import words
from web.letters import letter

_FROM = {Scope.CASINO: "in the casino", Scope.KENO: "at Keno", Scope.TABLES: "at the tables"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What a player put in and got back in a period; what is lost is the sum of the lines, no more and no less."""

    period: Period
    first: date
    last: date
    deposited: Money
    wagered: Money
    came_back: Money
    by_chips: Money
    """What declared chips say beyond the wagers that were seen; below zero where he took more away."""

    @property
    def lost(self) -> Money:
        return self.wagered + self.by_chips - self.came_back


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenVisit:
    """Chips declared at a table, and nobody has said yet what he took away (nsw-csp:16.2)."""

    table: str
    declared: Money


def accounts(player: Player, *, at: datetime | None = None) -> list[Account]:
    """Today, this week, this month."""
    at = at or timezone.now()
    found = []
    for period in Period:
        first, last = span(period, day_of(Kind.LOSS, at))
        deposits_first, deposits_last = span(period, day_of(Kind.DEPOSIT, at))
        deposits = PlayLine.objects.filter(
            player=player, kind=PlayLineKind.DEPOSIT, day__range=(deposits_first, deposits_last)
        )
        sums = dict(
            PlayLine.objects.filter(player=player, day__range=(first, last))
            .exclude(kind=PlayLineKind.DEPOSIT)
            .order_by("kind")
            .values_list("kind")
            .annotate(sum=Sum("loss"))
        )
        of = {kind: Money(int(sums.get(kind, 0))) for kind in PlayLineKind}
        found.append(
            Account(
                period=period,
                first=first,
                last=last,
                deposited=Money(int(deposits.aggregate(sum=Sum("loss"))["sum"] or 0)),
                wagered=of[PlayLineKind.WAGER],
                came_back=-(of[PlayLineKind.WINNINGS] + of[PlayLineKind.REFUND]),
                by_chips=of[PlayLineKind.CHIPS],
            )
        )
    return found


def open_visits(player: Player) -> list[OpenVisit]:
    """By table: what was declared since he last said what he took away."""
    found = []
    declared = ChipDeclaration.objects.filter(player=player)
    for table in declared.order_by("table").values_list("table", flat=True).distinct():
        here = declared.filter(table=table)
        last = here.filter(kind=DeclarationKind.REMAINING).order_by("-id").values_list("id", flat=True).first() or 0
        put_in = Money(int(here.filter(id__gt=last).aggregate(sum=Sum("amount"))["sum"] or 0))
        if put_in:
            found.append(OpenVisit(table=table, declared=put_in))
    return found


def in_words(player: Player, *, at: datetime | None = None) -> list[str]:
    """His statement, a sentence each. Why somebody is kept out is between him and the house: it is not said."""
    at = at or timezone.now()
    kept_out = list(lasting(player, at).order_by("id"))
    said = [_kept_out(each) for each in kept_out]
    card = valid_card(player)
    if not any(each.scope == Scope.CASINO for each in kept_out):
        said.append(f"You may play with card {card}." if card else "You have no valid card: ask for one at the desk.")
    limits = limit_statuses(player, at=at)
    for each in limits:
        said += _limit(each)
    if not limits:
        said.append("You have set no limits. You may at any time: lower ones count at once.")
    said += [
        f"At {visit.table} you declared {words.money(visit.declared)} in chips and have not said what you took away."
        for visit in open_visits(player)
    ]
    said += [_account(each) for each in accounts(player, at=at)]
    return said


def _kept_out(each: Restriction) -> str:
    where = _FROM[Scope(each.scope)]
    end = f"until {for_people(each.until)}" if each.until else "until it is lifted"
    if each.kind == "break":
        return f"You are taking a break: you may not play {where} {end}."
    return f"You may not play {where} {end}, since {for_people(each.from_at)}."


def _limit(each: LimitStatus) -> list[str]:
    what = "deposit" if each.kind is Kind.DEPOSIT else "lose"
    said = []
    if each.amount is not None:
        left = max(each.amount - each.used, ZERO)
        said.append(
            f"You may {what} {words.money(each.amount)} a {each.period}: {words.money(max(each.used, ZERO))} is used "
            f"since {words.day(each.first)}, {words.money(left)} is left."
        )
    if each.next_from is not None:
        then = "no limit" if each.next_amount is None else f"a limit of {words.money(each.next_amount)}"
        said.append(
            f"As you asked, there is {then} on what you {what} a {each.period} from {for_people(each.next_from)}."
        )
    return said


def _account(each: Account) -> str:
    when = {Period.DAY: "Today", Period.WEEK: "This week", Period.MONTH: "This month"}[each.period]
    result = f"lost {words.money(each.lost)}" if each.lost >= ZERO else f"won {words.money(-each.lost)}"
    chips = f", declared chips count {words.money(each.by_chips)}" if each.by_chips else ""
    return (
        f"{when} you deposited {words.money(each.deposited)}, wagered {words.money(each.wagered)}{chips}, and "
        f"{words.money(each.came_back)} came back: you {result}."
    )


def letter_for(player: Player) -> bytes:
    """The letter for him, as a PDF."""
    now = timezone.now()
    heading: Sequence[str] = (venue().name, f"{player.name}\nPlayer {player.number}", "Your statement")
    closing = (
        f"As of {for_people(now)}. What counts towards limits is what was wagered with your card and what you "
        "declared. You may ask for a lower limit, a break or to be excluded at any time, at the desk or from any of "
        "our staff."
    )
    return letter(f"Player {player.number}", [*heading, *in_words(player, at=now), closing], headings=(0, 2))
