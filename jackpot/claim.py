"""What was won is claimed: its place in the link's strict order, its money set aside, the log written (decision 12)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from django.db.models import Max

from house import acts
from house.actors import Actor
from jackpot import pools
from jackpot.models import Hit, Pool
from jackpot.rules.pool import HOUSE, WINNERS, Movement
from ledger.money import ZERO

CONTRIBUTION: Final = "jackpot.contribution"
WIN: Final = "jackpot.win"
RESTART: Final = "jackpot.restart"
OVERFLOW: Final = "jackpot.overflow"
WHEN_WON: Final = "when-won"
TERMS_KIND: Final = "jackpot.terms"


def last_sequence(pool: Pool) -> int:
    """The pool is held by the caller: the next one has no rival."""
    return Hit.objects.filter(pool=pool).aggregate(last=Max("sequence"))["last"] or 0


def claim(hits: Sequence[Hit], *, by: Actor, day: date) -> list[Hit]:
    """Write hits down and set their money aside, in order. The pool is held by the caller."""
    claimed = Hit.objects.bulk_create(hits)
    for hit in claimed:
        parts = ((hit.level or HOUSE, hit.from_pool), (HOUSE, hit.from_house))
        pools.book(
            pool=hit.pool.code,
            movements=[Movement(source, WINNERS, amount) for source, amount in parts if amount > ZERO],
            kind=WIN,
            reference=f"hit/{hit.pk}",
            memo={"table": hit.table.code, "round": hit.round_id, "box": hit.box, "hand": hit.hand},
            by=by,
            day=day,
        )
        record_hit(hit, "jackpot.hit", by=by)
    return claimed


def record_hit(hit: Hit, kind: str, *, by: Actor, **data: Any) -> None:
    """To the log, and so to the boards."""
    acts.record(
        kind=kind,
        subject=hit.pool.subject,
        by=by,
        data={
            "hit": hit.pk,
            "sequence": hit.sequence,
            "link": hit.pool.code,
            "table": hit.table.code,
            "round": hit.round_id,
            "box": hit.box,
            "hand": hit.hand,
            "kind": hit.kind,
            "amount": str(hit.amount),
            "from_pool": str(hit.from_pool),
            "from_house": str(hit.from_house),
            "measured_on": None if hit.measured_on is None else str(hit.measured_on),
            "status": hit.status,
            **data,
        },
    )
