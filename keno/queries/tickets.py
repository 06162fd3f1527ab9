"""Tickets: what their games came to, what they won, what is paid and what is owing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Q, QuerySet

from keno import possession
from keno.models import (
    Correction,
    Draw,
    Game,
    Payment,
    Printing,
    Prize,
    PrizeHold,
    PrizeKind,
    Shift,
    Ticket,
    TicketStatus,
    Voucher,
)
from keno.particulars import read_serial
from keno.pay import still_playing
from keno.permissions import SEE, SEE_ALL
from keno.resettle_kinds import CORRECTED
from keno.steps import OVER
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import NotFound
from kernel.transactions import one_transaction


@dataclass(frozen=True, slots=True)
class GameResult:
    game: int
    status: str
    drawn: tuple[int, ...]
    prize: Money
    bonus: Money  # of the prize
    refund: Money
    ways: list[dict[str, object]]


@dataclass(frozen=True, slots=True)
class TicketResult:
    ticket: Ticket
    won: Money
    refunded: Money
    paid: Money
    owing: Money
    status: str
    still_playing: bool
    games: tuple[GameResult, ...]


def find_ticket(serial: str) -> Ticket:
    ticket = Ticket.objects.prefetch_related("plays", "tenders").filter(serial=read_serial(serial)).first()
    if ticket is None:
        raise NotFound("no-such-ticket", "There is no ticket with this serial.", clause="act-keno:1.2")
    return ticket


@one_transaction()
def look_up(*, serial: str, security_code: str | None, by: Actor) -> TicketResult:
    """The ticket with what it won and is owed, for whoever holds it (10.3)."""
    by.require(SEE)
    possession.refuse_missing(security_code)
    ticket = find_ticket(serial)
    possession.require_ticket(ticket, security_code, by=by)
    return result_of(ticket)


def has_tickets(*, writer: str = "") -> bool:
    return (Ticket.objects.filter(writer=writer) if writer else Ticket.objects.all()).exists()


def ticket_called(serial: str) -> Ticket | None:
    return Ticket.objects.filter(serial=serial).first()


def voucher_called(code: str) -> Voucher | None:
    return Voucher.objects.filter(code=code).first()


def result_of(ticket: Ticket) -> TicketResult:
    """10.2: prizes only for the games on the ticket, each listed with what was drawn."""
    prizes = [prize for prize in prizes_of(ticket) if prize.replaced_id is None]
    corrections = corrections_of(ticket)
    due = Money.total(prize.amount for prize in prizes if prize.kind != PrizeKind.REFUND and prize.void_id is None)
    won = due - Money.total(max(ZERO, each.paid - each.owed) for each in corrections)
    refunded = Money.total(prize.amount for prize in prizes if prize.kind == PrizeKind.REFUND)
    paid = Money.total(prize.amount for prize in prizes if prize.payment_id is not None)
    owing = due + refunded - paid
    playing = still_playing(ticket)
    return TicketResult(
        ticket=ticket,
        won=won,
        refunded=refunded,
        paid=paid,
        owing=owing,
        status=_status(ticket, paid=paid, owing=owing, playing=playing, won=_owing_won(prizes)),
        still_playing=playing,
        games=tuple(_games(ticket, prizes, corrections)),
    )


def _owing_won(prizes: list[Prize]) -> bool:
    """Whether something of what is owing was won: a refund alone is no win."""
    return any(p.payment_id is None and p.void_id is None and p.kind != PrizeKind.REFUND for p in prizes)


def corrections_of(ticket: Ticket) -> list[Correction]:
    """What it had been paid on balls that were recorded wrongly, beside what the right ones give (12.1)."""
    return list(ticket.corrections.select_related("resettlement").order_by("resettlement__game", "kind"))


def _status(ticket: Ticket, *, paid: Money, owing: Money, playing: bool, won: bool) -> str:
    if ticket.status != TicketStatus.ISSUED:
        return ticket.status
    if owing:
        return "won" if won else "refund"
    if playing:
        return "in-play"
    return "paid" if paid else "lost"


def _games(ticket: Ticket, prizes: list[Prize], corrections: list[Correction]) -> list[GameResult]:
    games = Game.objects.filter(number__gte=ticket.first_game, number__lte=ticket.plays_to).order_by("number")
    drawn = {
        draw.game_id: tuple(draw.numbers)
        for draw in Draw.objects.filter(game__in=games, voided_at=None).only("game_id", "numbers")
    }

    wrong = {(each.resettlement.game_id, each.kind) for each in corrections}

    def total(number: int, *kinds: str) -> Money:
        stands = [prize for prize in prizes if prize.game == number and prize.void_id is None]
        owed = [prize for prize in stands if prize.kind.removesuffix(CORRECTED) in kinds]
        over = [each for each in corrections if each.resettlement.game_id == number and each.kind in kinds]
        too_much = Money.total(max(ZERO, each.paid - each.owed) for each in over)
        return Money.total(prize.amount for prize in owed) - too_much

    return [
        GameResult(
            game=game.number,
            status=game.status,
            drawn=drawn.get(game.number, ()) if game.status in OVER or game.status == "drawn" else (),
            prize=total(game.number, PrizeKind.PRIZE, PrizeKind.BONUS),
            bonus=total(game.number, PrizeKind.BONUS),
            refund=total(game.number, PrizeKind.REFUND),
            ways=[
                way
                for prize in prizes
                if prize.game == game.number and (prize.game, prize.kind) not in wrong
                for way in prize.ways
            ],
        )
        for game in games
    ]


def own_shift(by: Actor) -> Shift | None:
    """The shift open at this terminal, or the last that was: all that a writer's lists are of."""
    return Shift.objects.filter(terminal=by.identity).order_by("-id").first()


def tickets(
    by: Actor, *, day: date | None = None, terminal: str | None = None, kind: str | None = None
) -> QuerySet[Ticket]:
    asked = {"day": day, "terminal": terminal, "kind": kind}
    rows = Ticket.objects.filter(**{name: value for name, value in asked.items() if value is not None})
    return rows if by.may(SEE_ALL) else rows.filter(shift=own_shift(by))


def prizes_of(ticket: Ticket) -> QuerySet[Prize]:
    return ticket.prizes.select_related("payment").order_by("game", "kind")


def held_on(ticket: Ticket) -> PrizeHold | None:
    """Why nothing on it is paid at present (14.3)."""
    return PrizeHold.objects.filter(ticket=ticket, released_at=None).first()


def wins_unpaid(ticket: Ticket) -> list[int]:
    """The games that it won and was not paid for."""
    rows = Prize.objects.filter(ticket=ticket, payment=None, void=None, replaced=None).exclude(kind=PrizeKind.REFUND)
    return sorted(set(rows.values_list("game", flat=True)))


def printings_of(ticket: Ticket) -> QuerySet[Printing]:
    return ticket.printings.order_by("pk")


def prizes_unpaid(by: Actor) -> QuerySet[Prize]:
    """Not joined: the few on a page are found first, of a million perhaps, and their tickets then."""
    by.require(SEE_ALL)
    return Prize.objects.filter(payment=None, void=None, replaced=None).prefetch_related("ticket")


def payments(by: Actor, *, now: datetime, day: date | None = None, retained: bool | None = None) -> QuerySet[Payment]:
    """*retained*: only those whose ticket is still to be kept, or only the others (10.4)."""
    rows = Payment.objects.select_related("ticket", "found")
    if not by.may(SEE_ALL):
        rows = rows.filter(shift=own_shift(by))
    if day is not None:
        rows = rows.filter(day=day)
    if retained is not None:
        kept = Q(retain_until__gt=now)
        rows = rows.filter(kept if retained else ~kept)
    return rows
