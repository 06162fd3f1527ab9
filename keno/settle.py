"""Settling a game: every winner's prize on record, the money booked, the master revealed (7-10, decision 6).

First the way tickets are matched, a batch a transaction, each batch noting how far it came; then one transaction does
all the rest, and only with it the game is settled. So a settlement that dies goes on where it was, and nothing is done
twice.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, datetime
from itertools import groupby
from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone

from draws.commit import reveal
from house.gaming_days import gaming_day_at
from house.log import record_act
from keno import jackpots, winners
from keno.accounts import PRIZES, PRIZES_OWING, STAKES, STAKES_HELD
from keno.acts import GameSettled
from keno.attempts import cancelled_late, current_attempt, promise_of
from keno.ball_bias import watch_balls
from keno.bonuses import award_bonuses, hold_bonuses
from keno.locks import lock_game
from keno.models import Draw, DrawDevice, Game, Match
from keno.queries.games import find_game
from keno.rules.entry import TicketEntry
from keno.rules.prorate import Proration
from keno.rules.schedules import GUARANTEES, Schedule
from keno.rules.selection import Play, Selection
from keno.rules.settle import check_draw, match
from keno.steps import OVER, Status, Step, after
from kernel.actors import Actor, system
from kernel.money import Money
from kernel.refusal import Conflict
from ledger.post import Booking, post_many

SETTLER: Final = system("keno-settle")
BATCH_TICKETS: Final = 5_000  # way tickets

# Tickets that are not one play of one way: groups and plays are counted by polynomial.
_WAY_TICKETS = """
    SELECT t.id, t.groups, t.schedule, coalesce(t.schedule_version, 0), t.jackpot, p.place, p.spots, p.stake
    FROM (
        SELECT DISTINCT ticket_id FROM keno_play
        WHERE first_game <= %(game)s AND plays_to >= %(game)s AND ticket_id > %(upto)s
          AND (numbers IS NULL OR place > 0)
        ORDER BY ticket_id LIMIT %(batch)s
    ) w JOIN keno_ticket t ON t.id = w.ticket_id JOIN keno_play p ON p.ticket_id = t.id
    ORDER BY t.id, p.place
"""


def settle(*, number: int, by: Actor = SETTLER, now: datetime | None = None) -> Game:
    """Settle a drawn game. One that is settled already is answered as it is."""
    while match_batch(number=number):
        pass
    return _conclude(number=number, by=by, now=now or timezone.now())


@transaction.atomic
def match_batch(*, number: int, batch: int = BATCH_TICKETS) -> bool:
    """Match the next way tickets of a drawn game. False: there are none left."""
    game = lock_game(number)
    if game.status == Status.SETTLED:
        return False
    after(game.status, Step.SETTLE, game=number)
    drawn = check_draw(current_attempt(game).numbers)
    last = write_matches(game, drawn, after_ticket=game.matched_upto or 0, batch=batch)
    if last is None:
        return False
    game.matched_upto = last
    game.save(update_fields=["matched_upto"])
    return True


def write_matches(game: Game, drawn: frozenset[int], *, after_ticket: int, batch: int = BATCH_TICKETS) -> int | None:
    """The winning ways of the next way tickets, for ``winners.find``; the last of these tickets. None: none is left."""
    with connection.cursor() as cursor:
        cursor.execute(_WAY_TICKETS, {"game": game.number, "upto": after_ticket, "batch": batch})
        rows = cursor.fetchall()
    if not rows:
        return None
    known = {(schedule.code, version): schedule for version, schedule in winners.schedules()}
    found = []
    for ticket, plays in groupby(rows, key=lambda row: row[0]):
        entry = _entry(list(plays), known)
        found += [
            Match(
                game=game,
                ticket_id=ticket,
                place=group.play,
                spots=group.spots,
                matches=group.matches,
                ways=group.count,
                stake=group.stake,
                prize=group.prize,
                jackpot=group.jackpot,
            )
            for group in match(entry, drawn)
            if group.prize or group.jackpot
        ]
    Match.objects.bulk_create(found, batch_size=5_000)
    return int(rows[-1][0])


def _entry(rows: list[Any], known: dict[tuple[str, int], Schedule]) -> TicketEntry:
    _, groups, schedule, version, jackpot, *_ = rows[0]
    plays = tuple(Play(spots, Money(stake)) for *_, spots, stake in rows)
    selection = Selection(groups=tuple(map(tuple, json.loads(groups))), plays=plays)
    return TicketEntry(selection, known[schedule, version], jackpot)


@transaction.atomic
def _conclude(*, number: int, by: Actor, now: datetime) -> Game:
    """The winners are looked for before anything is locked: nothing that decides them changes any more. The pools are
    held only if a jackpot is won, so that the close of another game hardly ever waits for a settlement."""
    day = gaming_day_at(now).date
    game = find_game(number)
    if game.status == Status.SETTLED:
        return game
    after(game.status, Step.SETTLE, game=number)
    looked_at = current_attempt(game)
    majors = winners.find(game=number, drawn=looked_at.numbers)
    if any(winners.jackpot_ways(spots=spots) for spots in GUARANTEES):
        jackpots.hold_pools(day=day)
    bonuses = hold_bonuses(number)
    game = lock_game(number)
    if game.status == Status.SETTLED:  # another worker was faster
        return game
    game.status = after(game.status, Step.SETTLE, game=number)
    unsettled = Game.objects.filter(number__lt=number).exclude(status__in=OVER).order_by("number").first()
    if unsettled is not None:  # a jackpot goes to the first game that wins it
        raise Conflict("earlier-game-first", f"Game {unsettled.number} comes first: it is {unsettled.status}.")
    draw = current_attempt(game)
    if draw.pk != looked_at.pk:
        raise Conflict("draw-voided", f"The draw of game {number} was declared void meanwhile.", clause="act-keno:12.3")
    game.totals = _pay(game=game, draw=draw, majors=majors, day=day, by=by)
    bonus = award_bonuses(bonuses, game=number, drawn=draw.numbers, won_on=game.gaming_day, day=day, by=by)
    if bonus:
        game.totals["bonuses"] = str(bonus)
    game.settled_at = now
    game.save(update_fields=["status", "settled_at", "totals"])
    promise = promise_of(number)
    master = reveal(promise, by=by)
    if (
        draw.device == DrawDevice.MECHANICAL
        and not Game.objects.filter(gaming_day=game.gaming_day, number__lt=number, status=Status.SETTLED).exists()
    ):
        watch_balls(by=by)
    assert game.ticket_root is not None
    assert game.ticket_count is not None
    record_act(
        GameSettled(
            game=number,
            attempt=draw.attempt,
            numbers=tuple(draw.numbers),
            device=draw.device,
            commitment=bytes(promise.commitment),
            ticket_root=bytes(game.ticket_root),
            ticket_count=game.ticket_count,
            seed=master if draw.device == DrawDevice.RNG else None,
            totals=game.totals,
        ),
        by=by,
    )
    return game


def _pay(*, game: Game, draw: Draw, majors: Proration, day: date, by: Actor) -> dict[str, object]:
    """Prizes, and the money of the game; its totals."""
    won = share_jackpots(lambda spots: jackpots.pay_out(game=game, spots=spots, day=day, by=by))
    written = winners.write(game=game.number, day=game.gaming_day)
    forget_matches(game.number)
    # Those sealed without those cancelled before the asking: nothing that decides it has changed since.
    stakes, fixed = draw.stakes, written.prizes - written.jackpots
    assert stakes is not None
    reference = f"game/{game.number}"
    bookings = [
        Booking(debit=STAKES_HELD, credit=STAKES, amount=stakes, kind="keno.stakes", reference=reference),
        # Jackpots were moved to prizes owing by their pools.
        Booking(debit=PRIZES, credit=PRIZES_OWING, amount=fixed, kind="keno.prizes", reference=reference),
    ]
    post_many(bookings=[booking for booking in bookings if booking.amount], by=by, day=day)
    return totals_of(game, stakes=stakes, written=written, majors=majors, won=won)


def share_jackpots(amount_of: Callable[[int], Money]) -> dict[str, dict[str, object]]:
    """Each jackpot that ways have won, shared by them. By spots: how much it was, and how many ways won it."""
    won: dict[str, dict[str, Any]] = {}
    for spots in GUARANTEES:
        if ways := winners.jackpot_ways(spots=spots):
            amount = amount_of(spots)
            winners.share(amount=amount, winners=ways)
            won[str(spots)] = {"amount": str(amount), "ways": sum(count for *_, count in ways)}
    return won


def forget_matches(game: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM keno_match WHERE game_id = %s", [game])


def totals_of(
    game: Game, *, stakes: Money, written: winners.Written, majors: Proration, won: dict[str, dict[str, Any]]
) -> dict[str, object]:
    assert game.ticket_count is not None
    return {
        "tickets": game.ticket_count - cancelled_late(game.number)[0],
        "stakes": str(stakes),
        "prizes": str(written.prizes),
        "winners": written.winning,
        "biggest": str(written.biggest),
        "majors": {"before": str(majors.before), "after": str(majors.after), "count": majors.count},
        "jackpots": won,
    }
