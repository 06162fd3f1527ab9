"""Runner orders (4.8): a wager handed to a runner is no entry, and in no game, until its receipt ticket is issued."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from house.players import play
from house.players.cards import known_card
from keno.entries import TicketRequest, compose
from keno.models import Order, OrderStatus
from keno.permissions import ORDER, SELL
from keno.queries.counter import order_among
from keno.rules.selection import Play
from keno.sell import REST_IN_CASH, Sold, sell_ticket
from keno.steps import require_waiting
from keno.tender import EXACT_CASH, Handed
from kernel.actors import Actor
from kernel.money import Money
from kernel.transactions import one_transaction


@transaction.atomic
def take_order(*, request: TicketRequest, by: Actor, note: str = "", card: str = "") -> Order:
    """Note what a player wants. Refused at once where it could not be sold; no money moves and no game has it.

    *card*: the player's own. Whoever may not buy a ticket orders none (14.3); what he may lose is asked again at the
    sale, which alone counts towards it.
    """
    by.require(ORDER)
    now, shown = timezone.now(), ""
    price = compose(request).quote.price.total
    if card.strip():
        play.may_wager(card=card, amount=price, place=play.KENO, at=now)
        shown = known_card(card).number
    return Order.objects.create(
        request=as_json(request), runner=by.identity, note=note.strip(), card=shown, taken_at=now
    )


@one_transaction()
def issue_order(
    *, order_id: int, by: Actor, tender: Sequence[Handed] = EXACT_CASH, rest: str = REST_IN_CASH
) -> tuple[Order, Sold]:
    """Sell what the order asks for: from now on it is an entry, from the next open game on."""
    by.require(SELL)
    order = _lock(order_id)
    request, card = from_json(order.request), order.card or None
    sold = sell_ticket(request=request, by=by, tender=tender, rest=rest, card=card)
    order.status, order.ticket = OrderStatus.ISSUED, sold.ticket
    order.ended_at, order.ended_by = timezone.now(), by.identity
    order.save()
    return order, sold


@transaction.atomic
def withdraw_order(*, order_id: int, by: Actor) -> Order:
    by.require(ORDER)
    order = _lock(order_id)
    order.status, order.ended_at, order.ended_by = OrderStatus.WITHDRAWN, timezone.now(), by.identity
    order.save()
    return order


def _lock(order_id: int) -> Order:
    order = order_among(Order.objects.select_for_update(), order_id)
    require_waiting(order)
    return order


def as_json(request: TicketRequest) -> dict[str, object]:
    plays = None if request.plays is None else [{"spots": p.spots, "stake": str(p.stake)} for p in request.plays]
    return {
        "numbers": None if request.numbers is None else list(request.numbers),
        "groups": None if request.groups is None else [list(group) for group in request.groups],
        "plays": plays,
        "quick_pick": request.quick_pick,
        "spots": request.spots,
        "set_bet": request.set_bet,
        "stake": None if request.stake is None else str(request.stake),
        "games": request.games,
        "schedule": request.schedule,
        "jackpot": request.jackpot,
    }


def from_json(kept: dict[str, Any]) -> TicketRequest:
    plays = kept["plays"]
    return TicketRequest(
        **{
            **kept,
            "plays": None if plays is None else [Play(p["spots"], Money.parse(p["stake"])) for p in plays],
            "stake": None if kept["stake"] is None else Money.parse(kept["stake"]),
        }
    )
