"""Favourites by card: a player's usual ticket, kept under his card and replayed at the terminal.

Whoever may not play is refused here as at a sale: an excluded card, one that was cancelled, one that nobody knows. That
he has favourites is nobody's business without ``keno.favourites``, and they are forgotten by the one who plays them,
excluded or not. Who kept, changed or forgot one is on record, since a player who takes his usual ticket buys what
somebody else wrote down for him; what it plays is not: it is his own business.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.utils import timezone

from house.log import record_act
from house.models import Player
from house.players import play
from keno.counter_acts import FavouriteForgotten, FavouriteKept
from keno.entries import TicketRequest, compose
from keno.models import Favourite
from keno.orders import as_json, from_json
from keno.permissions import FAVOURITES
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Conflict, NotFound, Refusal

FAVOURITES_LIMIT: Final = 12  # a player; more is no list that somebody reads aloud
NAME_CHARACTERS_LIMIT: Final = 40


@dataclass(frozen=True, slots=True)
class Offered:
    """A favourite as it would be sold now: its price, or why it cannot be."""

    favourite: Favourite
    price: Money | None
    refused: str


@transaction.atomic
def keep_favourite(*, card: str, name: str, request: TicketRequest, by: Actor) -> Favourite:
    """Keep it under this name; one of the same name is replaced. Refused where it could not be sold."""
    by.require(FAVOURITES)
    player = _who_plays(card)
    name = " ".join(name.split())
    if not 0 < len(name) <= NAME_CHARACTERS_LIMIT:
        raise Refusal("name-missing", f"It has a name of at most {NAME_CHARACTERS_LIMIT} letters.", field="name")
    compose(request)
    kept = Favourite.objects.filter(player=player)
    if kept.exclude(name=name).count() >= FAVOURITES_LIMIT:
        raise Conflict(
            "too-many-favourites", f"A player keeps at most {FAVOURITES_LIMIT}. Forget one first.", field="name"
        )
    what = {"request": as_json(request), "kept_at": timezone.now(), "kept_by": by.identity}
    favourite, made = kept.update_or_create(player=player, name=name, defaults=what)
    record_act(FavouriteKept(player=player.number, favourite=favourite.pk, replaced=not made), by=by)
    return favourite


@transaction.atomic
def favourites_of(*, card: str, by: Actor) -> list[Offered]:
    """By name, each with what it costs now."""
    by.require(FAVOURITES)
    player = _who_plays(card)
    return [_offered(each) for each in Favourite.objects.filter(player=player).order_by("name")]


@transaction.atomic
def forget_favourite(*, card: str, number: int, by: Actor) -> None:
    """Whoever has the card may have it forgotten, whether he may play or not."""
    by.require(FAVOURITES)
    player = play.holder_of(card, field="card")
    gone, _ = Favourite.objects.filter(player=player, pk=number).delete()
    if not gone:
        raise NotFound("no-such-favourite", "There is no such favourite of this player.")
    record_act(FavouriteForgotten(player=player.number, favourite=number), by=by)


def _who_plays(card: str) -> Player:
    """As a sale asks (act-keno:14.3): the player of a card that is good, and not kept from playing."""
    play.holder_of(card, field="card")
    player = play.may_play(card=card, place=play.KENO)
    assert player is not None
    return player


def _offered(favourite: Favourite) -> Offered:
    try:
        return Offered(favourite, compose(from_json(favourite.request)).quote.price.total, "")
    except Refusal as refusal:
        return Offered(favourite, None, refusal.detail)
