"""What a tournament entry scores (15.3). Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from keno.rules.schedules import Schedule
from kernel.money import Money


def score(numbers: Sequence[int], draws: Sequence[Collection[int]], *, schedule: Schedule, stake: Money) -> Money:
    """What the way would have won, without the caps of 9: these are points, not prizes."""
    table = schedule.prize_table(len(numbers))
    assert table is not None  # checked when the conditions were approved
    figures = [table.prizes[sum(number in drawn for number in numbers)] for drawn in draws]
    return Money(sum(figure.micros for figure in figures) * stake.micros // Money.dollars(1).micros)
