"""What a ticket won, for whoever holds its paper (decision 31): /verify/ opens with it.

A serial alone tells nothing of it. A wrong code counts as it does everywhere.
"""

from __future__ import annotations

from keno.entries import find_version
from keno.models import Ticket
from keno.proof import PROOFS_GAMES_LIMIT, held
from keno.queries import tickets
from keno.queries.tickets import GameResult, TicketResult
from kernel.money import ZERO


def told(*, serial: str, security_code: str) -> dict[str, object]:
    """What it plays, what it won and what is to collect; of its games those that gave something, and the latest."""
    ticket = held(serial=serial, security_code=security_code)
    result = tickets.result_of(ticket)
    plays = sorted(ticket.plays.all(), key=lambda play: play.place)
    return {
        "serial": ticket.serial,
        "status": result.status,
        "held": tickets.held_on(ticket) is not None,  # why is for those who look into it
        **{name: str(getattr(result, name)) for name in ("won", "refunded", "paid", "owing")},
        "still_playing": result.still_playing,
        "first_game": ticket.first_game,
        "plays_to": ticket.plays_to,
        "groups": [list(group) for group in ticket.groups],
        "plays": [{"spots": play.spots, "ways": play.ways} for play in plays],
        "schedule": _schedule(ticket, {play.spots for play in plays}),
        "played": sum(1 for game in result.games if game.drawn),
        "games": [_game(game) for game in _shown(result)],
    }


def _schedule(ticket: Ticket, spots: set[int]) -> dict[str, object]:
    """The pay table that it was sold under: the prizes for $1.00 by matches, of the numbers that it plays."""
    schedule = find_version(ticket.schedule, ticket.schedule_version)
    return {
        "code": schedule.code,
        "clause": schedule.clause,
        "tables": {
            str(table.spots): [str(prize) for prize in table.prizes]
            for table in schedule.prize_tables
            if table.spots in spots
        },
        "jackpot_spots": sorted(schedule.jackpot_spots),
    }


def _shown(result: TicketResult) -> list[GameResult]:
    latest = [game.game for game in result.games if game.drawn or game.status != "open"][-PROOFS_GAMES_LIMIT:]
    return [game for game in result.games if game.prize or game.refund or game.ways or game.game in latest]


def _game(game: GameResult) -> dict[str, object]:
    return {
        "game": game.game,
        "status": game.status,
        "drawn": list(game.drawn),
        "prize": str(game.prize),
        "bonus": str(game.bonus),  # of the prize
        "refund": str(game.refund),
        "void": bool(game.ways) and game.prize == ZERO,  # the winning wager was voided (14.3)
        "ways": [{name: way[name] for name in ("spots", "matches", "count")} for way in game.ways if "matches" in way],
    }
