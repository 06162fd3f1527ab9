"""Players, where a test only needs that a card is known."""

from __future__ import annotations

import string
from collections.abc import Iterable
from typing import Final

from django.db import connection

from house.models import Player
from house.players.cards import find_card, register_player
from house.rules.cards import read_card
from tests.world.people import MANAGER

CARDS: Final = tuple(f"C-{n}" for n in (*range(100), 1001, *string.ascii_uppercase))


def registered(*cards: str) -> list[Player]:
    """The players of these cards, registered at the desk where there are none yet."""
    players = []
    for card in cards:
        found = find_card(card)
        players.append(
            found.player if found else register_player(name=f"Holder of {card.strip()}", card=card, by=MANAGER)
        )
    return players


def on_record(cards: Iterable[str] = CARDS) -> None:
    """Many at once, as if registered long ago: rows only, nothing in the log. The holder of C-7 is player P-C-7."""
    with connection.cursor() as cursor:
        cursor.execute(
            """WITH player AS (
                   INSERT INTO house_player (number, name, registered_at, registered_by)
                   SELECT 'P-' || card, 'Holder of ' || card, now(), 'staff:manager' FROM unnest(%s::text[]) card
                   WHERE NOT EXISTS (SELECT FROM house_playercard known WHERE known.number = card)
                   ON CONFLICT DO NOTHING RETURNING id, number
               )
               INSERT INTO house_playercard (number, player_id, issued_at, cancelled_because)
               SELECT substr(number, 3), id, now(), '' FROM player ON CONFLICT DO NOTHING""",
            [[read_card(card) for card in cards]],
        )
