"""Bonus prizes (4.7e): approved, for a window of games, out of a budget that somebody funds.

Value: {"name", "first_game", "last_game", "spots", "matches", "prize", "per": "dollar" or "ticket", "budget", "fund":
"house" or "unclaimed"}. Awarded with the settlement of a game, in ticket order and in full: the first that the budget
does not cover ends the bonus. Bonus prizes are no major prizes: they are neither capped nor pro-rated.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import date
from typing import Any, Final

from django.db import connection
from django.db.models import Sum

from house.actors import Actor
from house.refusal import Refusal
from keno import accounts, approved
from keno.catalogue import check_code, fields, money, register, unreadable
from keno.models import Approved, Prize, PrizeKind
from keno.models.fields import as_bits
from keno.return_to_players import hold_fund
from keno.rules.prorate import MAJOR
from keno.rules.selection import check_spots
from keno.rules.ways import WayCounts
from ledger.balance import balance
from ledger.models import Transfer
from ledger.money import MICROS_PER_DOLLAR, ZERO, Money
from ledger.post import Booking, post_many

KIND: Final = "keno.bonus"
FUNDS: Final = {"house": accounts.BONUSES, "unclaimed": accounts.UNCLAIMED}

_SINGLE: Final = """
    SELECT t.serial, t.id, p.stake, 1
    FROM keno_play p JOIN keno_ticket t ON t.id = p.ticket_id
    WHERE p.first_game <= %(game)s AND p.plays_to >= %(game)s AND p.spots = %(spots)s
      AND bit_count(p.numbers & %(drawn)s::bit(80)) = %(matches)s
"""
_WAYS: Final = """
    SELECT t.serial, t.id, p.stake, t.groups::text
    FROM keno_play p JOIN keno_ticket t ON t.id = p.ticket_id
    WHERE p.first_game <= %(game)s AND p.plays_to >= %(game)s AND p.spots = %(spots)s AND p.numbers IS NULL
"""


def award_bonuses(*, game: int, drawn: Collection[int], won_on: date, day: date, by: Actor) -> Money:
    """Award every bonus whose window this game is in. Called once, in the transaction that settles the game."""
    awarded: dict[int, list[dict[str, Any]]] = defaultdict(list)
    bookings = []
    for bonus in approved.all_in_force(approved.BONUS):
        terms = bonus.value or {}
        if not terms["first_game"] <= game <= terms["last_game"]:
            continue
        left = _left(bonus)
        total = ZERO
        for ticket, amount in _wins(terms, game, frozenset(drawn)):
            if total + amount > left:
                break
            total += amount
            awarded[ticket].append({"bonus": bonus.code, "amount": str(amount)})
        if total:
            bookings.append(
                Booking(
                    debit=FUNDS[terms["fund"]],
                    credit=accounts.PRIZES_OWING,
                    amount=total,
                    kind=KIND,
                    reference=f"{bonus.code}/{game}",
                )
            )
    Prize.objects.bulk_create(_prize(ticket, parts, game=game, won_on=won_on) for ticket, parts in awarded.items())
    post_many(bookings=bookings, by=by, day=day)
    return Money.total(booking.amount for booking in bookings)


def _prize(ticket: int, parts: list[dict[str, Any]], *, game: int, won_on: date) -> Prize:
    amount = Money.total(Money.parse(part["amount"]) for part in parts)
    return Prize(
        ticket_id=ticket,
        game=game,
        kind=PrizeKind.BONUS,
        amount=amount,
        major=amount >= MAJOR,
        ways=parts,
        day=won_on,
    )


def spent(code: str) -> Money:
    """What a bonus has cost so far, over all its versions: a new version does not refill the budget."""
    paid = Transfer.objects.filter(kind=KIND, reference__startswith=f"{code}/").aggregate(total=Sum("amount"))["total"]
    return ZERO if paid is None else paid if isinstance(paid, Money) else Money(int(paid))


def _left(bonus: Approved) -> Money:
    """What may still be awarded: of the budget, and of what its fund really holds."""
    terms = bonus.value or {}
    left = Money.parse(terms["budget"]) - spent(bonus.code)
    if terms["fund"] == "unclaimed":
        left = min(left, hold_fund())
    return left


def _wins(terms: dict[str, Any], game: int, drawn: frozenset[int]) -> Iterator[tuple[int, Money]]:
    """(ticket, bonus) in ticket order."""
    asked = {"game": game, "spots": terms["spots"], "matches": terms["matches"], "drawn": as_bits(drawn)}
    found: list[tuple[str, int, int, int]] = []
    with connection.cursor() as cursor:
        cursor.execute(_SINGLE, asked)
        found.extend(cursor.fetchall())
        cursor.execute(_WAYS, asked)
        for serial, ticket, stake, groups in cursor.fetchall():
            if count := _matching(groups, drawn, spots=terms["spots"], matches=terms["matches"]):
                found.append((serial, ticket, stake, count))
    prize = Money.parse(terms["prize"])
    for _, ticket, stake, count in sorted(found):
        if terms["per"] == "ticket":
            yield ticket, prize
        else:
            yield ticket, Money(prize.micros * stake * count // MICROS_PER_DOLLAR).down_to_cents()


def _matching(groups: str, drawn: frozenset[int], *, spots: int, matches: int) -> int:
    hits = [(len(group), sum(number in drawn for number in group)) for group in json.loads(groups)]
    return dict(WayCounts(hits, most_spots=spots).matching(spots)).get(matches, 0)


def _check(code: str, new: Any) -> None:
    check_code(code)
    terms = fields(
        new,
        {
            "name": str,
            "first_game": int,
            "last_game": int,
            "spots": int,
            "matches": int,
            "prize": str,
            "per": str,
            "budget": str,
            "fund": str,
        },
    )
    check_spots(terms["spots"], field="new")
    if not 0 <= terms["matches"] <= terms["spots"]:
        raise Refusal("matches-impossible", f"A way of {terms['spots']} numbers cannot match that many.", field="new")
    if not 1 <= terms["first_game"] <= terms["last_game"]:
        raise Refusal("window-impossible", "The window goes from a first game to a last one.", field="new")
    if terms["per"] not in ("dollar", "ticket") or terms["fund"] not in FUNDS:
        raise unreadable("“per” is dollar or ticket, “fund” is house or unclaimed.")
    prize, budget = money(terms["prize"], "prize"), money(terms["budget"], "budget")
    if not ZERO < prize <= budget:
        raise Refusal("budget-impossible", "A bonus has a prize, and a budget for one at least.", field="new")
    if terms["fund"] == "unclaimed" and budget - spent(code) > balance(accounts.UNCLAIMED).amount:
        raise Refusal(
            "fund-too-small", "The unclaimed prizes do not cover this budget.", clause="act-keno:11.2", field="new"
        )


BONUS = register(
    approved.BONUS,
    label="Bonus",
    check=_check,
    describe=lambda code, new: (
        f"Bonus {code}, “{new['name']}”: ${new['prize']} per {new['per']} for {new['matches']} of {new['spots']}, "
        f"games {new['first_game']} to {new['last_game']}, up to ${new['budget']} from the {new['fund']} fund."
    ),
)
