"""Players that a simulation needs by their cards."""

from __future__ import annotations

from house.players.cards import find_card, register_player
from kernel.actors import Actor


def card_for(name: str, *, by: Actor) -> str:
    """The card of a simulated player, registered where he is new to the house."""
    card = f"SIM-{name.upper()}"
    if find_card(card) is None:
        register_player(name=name, card=card, by=by)
    return card
