"""How a ticket stands: what its games came to, what it won, what is paid and what is owing."""

from __future__ import annotations

from dataclasses import dataclass

from house.refusal import NotFound
from keno.lifecycle import OVER
from keno.models import Draw, Game, Prize, PrizeKind, Ticket, TicketStatus
from keno.pay import still_playing
from keno.serials import read_serial
from ledger.money import Money


@dataclass(frozen=True, slots=True)
class GameStanding:
    game: int
    status: str
    drawn: tuple[int, ...]
    prize: Money
    refund: Money
    ways: list[dict[str, object]]


@dataclass(frozen=True, slots=True)
class Standing:
    ticket: Ticket
    won: Money
    refunded: Money
    paid: Money
    owing: Money
    status: str
    still_playing: bool
    games: tuple[GameStanding, ...]


def find_ticket(serial: str) -> Ticket:
    ticket = Ticket.objects.prefetch_related("plays", "tenders").filter(serial=read_serial(serial)).first()
    if ticket is None:
        raise NotFound("no-such-ticket", "There is no ticket with this serial.", clause="act-keno:1.2")
    return ticket


def standing_of(ticket: Ticket) -> Standing:
    """10.2: prizes only for the games on the ticket, each listed with what was drawn."""
    prizes = list(Prize.objects.filter(ticket=ticket).order_by("game", "kind"))
    won = Money.total(prize.amount for prize in prizes if prize.kind != PrizeKind.REFUND)
    refunded = Money.total(prize.amount for prize in prizes if prize.kind == PrizeKind.REFUND)
    paid = Money.total(prize.amount for prize in prizes if prize.payment_id is not None)
    owing = won + refunded - paid
    playing = still_playing(ticket)
    return Standing(
        ticket=ticket,
        won=won,
        refunded=refunded,
        paid=paid,
        owing=owing,
        status=_status(ticket, paid=paid, owing=owing, playing=playing),
        still_playing=playing,
        games=tuple(_games(ticket, prizes)),
    )


def _status(ticket: Ticket, *, paid: Money, owing: Money, playing: bool) -> str:
    if ticket.status != TicketStatus.ISSUED:
        return ticket.status
    if owing:
        return "won"
    if playing:
        return "in-play"
    return "paid" if paid else "lost"


def _games(ticket: Ticket, prizes: list[Prize]) -> list[GameStanding]:
    games = Game.objects.filter(number__gte=ticket.first_game, number__lte=ticket.plays_to).order_by("number")
    drawn = {
        draw.game_id: tuple(draw.numbers)
        for draw in Draw.objects.filter(game__in=games, voided_at=None).only("game_id", "numbers")
    }

    def total(number: int, *kinds: str) -> Money:
        return Money.total(prize.amount for prize in prizes if prize.game == number and prize.kind in kinds)

    return [
        GameStanding(
            game=game.number,
            status=game.status,
            drawn=drawn.get(game.number, ()) if game.status in OVER or game.status == "drawn" else (),
            prize=total(game.number, PrizeKind.PRIZE, PrizeKind.BONUS),
            refund=total(game.number, PrizeKind.REFUND),
            ways=[way for prize in prizes if prize.game == game.number for way in prize.ways],
        )
        for game in games
    ]
