"""Registering a player, issuing and cancelling cards."""

from __future__ import annotations

import base64
import secrets

from django.db import IntegrityError, transaction
from django.utils import timezone

from house.log import record_act
from house.models import Player, PlayerCard
from house.permissions import MANAGE_PLAYERS
from house.players.acts import CardCancelled, CardIssued, PlayerRegistered
from house.rules.cards import read_card
from kernel.actors import Actor
from kernel.refusal import Conflict, NotFound, Refusal


@transaction.atomic
def register_player(*, name: str, card: str, by: Actor) -> Player:
    """A new player with the first card."""
    by.require(MANAGE_PLAYERS)
    name = name.strip()
    if not 0 < len(name) <= 120:
        raise Refusal("name-missing", "A player has a name of at most 120 characters.", field="name")
    card = _new_number(card)
    now = timezone.now()
    # Fifty random bits: the number tells nothing about how many players there are.
    number = f"P-{base64.b32encode(secrets.token_bytes(10)).decode()[:10]}"
    player = Player.objects.create(number=number, name=name, registered_at=now, registered_by=by.identity)
    # The log keeps no name: what is sealed can never be forgotten again.
    record_act(PlayerRegistered(player=player.number), by=by)
    _issue(player, card, by)
    return player


@transaction.atomic
def issue_card(*, player_number: str, card: str, by: Actor) -> PlayerCard:
    """Another card; the ones before it are cancelled, so that nobody plays with a lost one."""
    by.require(MANAGE_PLAYERS)
    owner = lock_player(player_number)
    card = _new_number(card)
    for old in PlayerCard.objects.filter(player=owner, cancelled_at=None):
        _cancel(old, "replaced", by)
    return _issue(owner, card, by)


@transaction.atomic
def cancel_card(*, card: str, reason: str, by: Actor) -> PlayerCard:
    by.require(MANAGE_PLAYERS)
    found = PlayerCard.objects.select_for_update().filter(number=read_card(card)).first()
    if found is None:
        raise NotFound("no-such-card", f"There is no player card {card}.")
    if found.cancelled_at is not None:
        raise Conflict("card-cancelled", f"Card {found.number} is cancelled already.")
    if not reason.strip():
        raise Refusal("reason-missing", "Say why the card is cancelled.", field="reason")
    return _cancel(found, reason.strip()[:200], by)


def find_card(card: str) -> PlayerCard | None:
    """The card, however its number is written. Cancelled ones too: they still say whose they were."""
    number = read_card(card)
    return None if number is None else PlayerCard.objects.select_related("player").filter(number=number).first()


def known_card(card: str, *, field: str = "player", clause: str | None = None) -> PlayerCard:
    """The card that was given, or a refusal: an invented number is no way around a limit or an exclusion."""
    found = find_card(card)
    if found is None:
        raise Refusal(
            "card-unknown",
            f"There is no player card {card}. Register the player, or go on without a card where none is required.",
            clause=clause,
            field=field,
        )
    return found


def holder(card: str | None) -> int | None:
    """Whose card it is or was, for what is given back after the wager; None for a card the house does not know."""
    found = find_card(card) if card else None
    return None if found is None else found.player_id


def lock_player(number: str) -> Player:
    """Locked last of all, after the shift (keno.locks): wagers at two places at once use the same room once."""
    player = Player.objects.select_for_update().filter(number=number).first()
    if player is None:
        raise NotFound("no-such-player", f"There is no player {number}.")
    return player


def _new_number(card: str) -> str:
    """In its one form, never used before."""
    number = read_card(card)
    if number is None:
        raise Refusal("card-not-readable", "A card’s number is up to 32 letters, digits and dashes.", field="card")
    if PlayerCard.objects.filter(number=number).exists():
        raise _taken(number)
    return number


def _taken(card: str) -> Conflict:
    return Conflict("card-taken", f"Card {card} has been issued before; a number is never used again.", field="card")


def _issue(player: Player, card: str, by: Actor) -> PlayerCard:
    try:
        with transaction.atomic():
            new = PlayerCard.objects.create(number=card, player=player, issued_at=timezone.now())
    except IntegrityError:  # issued at another desk at this very moment
        raise _taken(card) from None
    record_act(CardIssued(player=player.number, card=card), by=by)
    return new


def _cancel(card: PlayerCard, reason: str, by: Actor) -> PlayerCard:
    card.cancelled_at, card.cancelled_because = timezone.now(), reason
    card.save(update_fields=["cancelled_at", "cancelled_because"])
    record_act(CardCancelled(player=card.player.number, card=card.number, reason=reason), by=by)
    return card
