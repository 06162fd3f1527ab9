"""What the jackpots' meters show now, by code, in dollars and cents."""

from __future__ import annotations

from jackpot.links import meter
from jackpot.models import Pool
from keno import jackpots


def displayed() -> dict[str, str]:
    """Every open pool: those of the tables by their own terms, Keno's by its rules."""
    of_keno = {jackpots.POOLS[spots]: amount for spots, amount in jackpots.displayed().items()}
    return {
        pool.code: str(of_keno[pool.code] if pool.code in of_keno else meter(pool).total)
        for pool in Pool.objects.filter(status=Pool.Status.OPEN).order_by("code")
    }
