"""Registering a player, issuing and cancelling cards."""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.utils import timezone

from house import acts
from house.actors import Actor
from house.models import Player, PlayerCard
from house.refusal import Conflict, NotFound, Refusal
from house.venue import venue

NUMBER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,31}", re.ASCII)


@transaction.atomic
def register_player(*, name: str, card: str, by: Actor) -> Player:
    """A new player with the first card."""
    by.require("players.manage")
    name = name.strip()
    if not 0 < len(name) <= 120:
        raise Refusal("name-missing", "A player has a name of at most 120 characters.", field="name")
    _refuse_taken(card)
    now = timezone.now()
    # Fifty random bits: the number tells nothing about how many players there are.
    number = f"P-{base64.b32encode(secrets.token_bytes(10)).decode()[:10]}"
    player = Player.objects.create(number=number, name=name, registered_at=now, registered_by=by.identity)
    # The log keeps no name: what is sealed can never be forgotten again.
    acts.record(kind="player.registered", subject=player.identity, by=by)
    _issue(player, card, by)
    return player


@transaction.atomic
def issue_card(*, player: str, card: str, by: Actor) -> PlayerCard:
    """Another card; the ones before it are cancelled, so that nobody plays with a lost one."""
    by.require("players.manage")
    owner = lock_player(player)
    _refuse_taken(card)
    for old in PlayerCard.objects.filter(player=owner, cancelled_at=None):
        _cancel(old, "replaced", by)
    return _issue(owner, card, by)


@transaction.atomic
def cancel_card(*, card: str, reason: str, by: Actor) -> PlayerCard:
    by.require("players.manage")
    found = PlayerCard.objects.select_for_update().filter(number=card).first()
    if found is None:
        raise NotFound("no-such-card", f"There is no player card {card}.")
    if found.cancelled_at is not None:
        raise Conflict("card-cancelled", f"Card {card} is cancelled already.")
    if not reason.strip():
        raise Refusal("reason-missing", "Say why the card is cancelled.", field="reason")
    return _cancel(found, reason.strip()[:200], by)


def player_of(card: str | None, *, clause: str = "nsw-csp:5.1") -> Player | None:
    """Whose card it is. A cancelled one is refused always; an unknown or missing one where the venue requires cards."""
    found = PlayerCard.objects.select_related("player").filter(number=card).first() if card else None
    if found is not None:
        if found.cancelled_at is not None:
            raise Refusal("card-not-valid", f"Card {card} is no longer valid.", clause=clause, field="player")
        return found.player
    if venue().player_cards_required:
        said = f"There is no player card {card}." if card else "No wager without a player card."
        raise Refusal("card-needed", f"{said} Present a valid card of your own.", clause=clause, field="player")
    return None


def holder(card: str | None) -> int | None:
    """Whose card it is or was, for what is given back after the wager; None for a card the house does not know."""
    return PlayerCard.objects.filter(number=card).values_list("player_id", flat=True).first() if card else None


def hold_players(cards: Sequence[str]) -> None:
    """Lock the players of several cards at once, in one order, so that two tables never wait for each other."""
    if cards:
        owners = PlayerCard.objects.filter(number__in=cards).values("player_id")
        list(Player.objects.select_for_update().filter(pk__in=owners).order_by("pk").values_list("pk"))


def lock_player(number: str) -> Player:
    """Locked last of all, after the shift (keno.locks): wagers at two places at once use the same room once."""
    player = Player.objects.select_for_update().filter(number=number).first()
    if player is None:
        raise NotFound("no-such-player", f"There is no player {number}.")
    return player


def _refuse_taken(card: str) -> None:
    if not NUMBER.fullmatch(card):
        raise Refusal("card-not-readable", "A card’s number is up to 32 letters, digits and dashes.", field="card")
    if PlayerCard.objects.filter(number=card).exists():
        raise Conflict("card-taken", f"Card {card} has been issued before; a number is never used again.", field="card")


def _issue(player: Player, card: str, by: Actor) -> PlayerCard:
    new = PlayerCard.objects.create(number=card, player=player, issued_at=timezone.now())
    acts.record(kind="player.card-issued", subject=player.identity, by=by, data={"card": card})
    return new


def _cancel(card: PlayerCard, reason: str, by: Actor) -> PlayerCard:
    card.cancelled_at, card.cancelled_because = timezone.now(), reason
    card.save(update_fields=["cancelled_at", "cancelled_because"])
    acts.record(
        kind="player.card-cancelled",
        subject=card.player.identity,
        by=by,
        data={"card": card.number, "reason": reason},
    )
    return card
