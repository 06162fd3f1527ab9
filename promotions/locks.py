"""What is locked in promotions, in which order. Everything is transaction-scoped; nobody waits more than three seconds.

The order, everywhere: advisory (promotion) -> promotion -> entrant -> entry -> draw -> winner; keys sorted.

- An entry holds its promotion *shared* by advisory lock until it commits; closing takes it *exclusively* (decision 7).
  So entries never wait for each other, the close waits for those under way, and after it none commits.
- Every step of a promotion's life holds its row FOR UPDATE.
"""

from __future__ import annotations

from typing import Final

from django.db import connection

from house.refusal import NotFound
from promotions.models import Promotion

_ENTRIES: Final = 0x50524F4D  # the class of advisory locks whose key is a promotion's id


def find_promotion(code: str) -> Promotion:
    promotion = Promotion.objects.filter(code=code).first()
    if promotion is None:
        raise NotFound("no-such-promotion", f"There is no promotion “{code}”.")
    return promotion


def lock_promotion(code: str) -> Promotion:
    """The promotion, its row locked for a step of its life."""
    promotion = Promotion.objects.select_for_update().filter(code=code).first()
    if promotion is None:
        raise NotFound("no-such-promotion", f"There is no promotion “{code}”.")
    return promotion


def hold_entries(promotion_id: int) -> None:
    """Keep the promotion from being closed until the transaction ends. Read its status after this, not before."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock_shared(%s, %s)", [_ENTRIES, promotion_id])


def bar_entries(promotion_id: int) -> None:
    """Wait for the entries under way and let no other begin, until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_ENTRIES, promotion_id])
