"""Playing a past ticket again: the same numbers, plays and games, and a read-back of what is not as it was."""

from __future__ import annotations

from dataclasses import dataclass

from keno import approved
from keno.entries import TicketRequest, compose
from keno.models import Game, GameStatus, Ticket, TicketKind
from keno.queries.tickets import find_ticket
from keno.rules.price import Quote
from keno.rules.schedules import SPECIAL_3
from keno.rules.selection import Play


@dataclass(frozen=True, slots=True)
class Difference:
    what: str
    then: str
    now: str


@dataclass(frozen=True, slots=True)
class Replay:
    """What to sell, what it costs now, and what the writer reads to the player first."""

    request: TicketRequest
    quote: Quote
    differences: tuple[Difference, ...]


def replay(*, serial: str) -> Replay:
    """The ticket to sell again. Picked numbers stay as they were picked; a price or schedule may have changed since."""
    ticket = find_ticket(serial)
    plays = [Play(play.spots, play.stake) for play in sorted(ticket.plays.all(), key=lambda play: play.place)]
    request = TicketRequest(
        groups=ticket.groups, plays=plays, games=ticket.games, schedule=ticket.schedule, jackpot=ticket.jackpot
    )
    if len(ticket.groups) == 1:
        request = TicketRequest(
            numbers=ticket.groups[0],
            stake=plays[0].stake,
            games=ticket.games,
            schedule=ticket.schedule,
            jackpot=ticket.jackpot,
        )
    priced = compose(request)
    return Replay(request, priced.quote, tuple(_differences(ticket, priced.quote)))


def _differences(ticket: Ticket, now: Quote) -> list[Difference]:
    found = []
    on_sale = Game.objects.filter(status=GameStatus.OPEN).values_list("number", flat=True).first()
    if on_sale is not None and on_sale != ticket.first_game:
        last = on_sale + ticket.games - 1
        found.append(Difference("games", f"{ticket.first_game}–{ticket.last_game}", f"{on_sale}–{last}"))
    if now.price.total != ticket.price:
        found.append(Difference("price", str(ticket.price), str(now.price.total)))
    if ticket.kind in (TicketKind.QUICK_PICK, TicketKind.MYSTERY, TicketKind.SET_BET):
        found.append(Difference("kind", ticket.kind, "the same numbers, marked"))
    if ticket.schedule == SPECIAL_3:
        version = approved.in_force(approved.SPECIAL_3, SPECIAL_3)
        if version is not None and version.pk != ticket.schedule_version:
            found.append(Difference("schedule", "special 3 as it was then", "special 3 as approved since"))
    return found
