"""What is locked in promotions: the order of `kernel.locks`, then promotion -> entrant -> entry -> draw -> winner.

- An entry holds its promotion *shared* by advisory lock until it commits; closing takes it *exclusively* (decision 7).
  So entries never wait for each other, the close waits for those under way, and after it none commits.
- Every step of a promotion's life holds its row FOR UPDATE.
- What closes to the second closes by the database's time: the one clock that every process agrees on.
"""

from __future__ import annotations

from datetime import datetime

from django.db import connection

from kernel import clock, locks
from kernel.locks import Lock
from kernel.refusal import NotFound
from ledger.log import refuse_overtaken
from promotions.models import Promotion


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
    refuse_overtaken(f"promotion:{code}")
    return promotion


def hold_entries(promotion_id: int) -> None:
    """Keep the promotion from being closed until the transaction ends. Read its status after this, not before."""
    locks.share(Lock.PROMOTION_ENTRIES, promotion_id)


def bar_entries(promotion_id: int) -> None:
    """Wait for the entries under way and let no other begin, until the transaction ends."""
    locks.hold(Lock.PROMOTION_ENTRIES, promotion_id)


def count_alone(promotion_id: int) -> None:
    """One count of what was earned at a time, until the transaction ends; entries go on beside it."""
    locks.hold(Lock.EARNING, promotion_id)


def database_time() -> datetime:
    """Now, not the beginning of the transaction: a wait for a lock counts."""
    if (simulated := clock.in_hand()) is not None:
        return simulated
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment
