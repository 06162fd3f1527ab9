"""A running meter, reading by reading: what came in since the last, and what became of the count. Pure.

Sequence numbers follow each other; a gap loses nothing, because the meter has counted on, and the readings that are
missing are asked for again. A meter that begins again at nought with its sequence is a restart: what it shows has come
in since. One that falls while its sequence goes on has rolled over at a power of ten, where it stood close below it;
otherwise it cannot be believed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

ROLLS_OVER_FROM: Final = 9  # tenths of a power of ten that a meter must have reached


class Step(StrEnum):
    BASELINE = "baseline"
    NEXT = "next"
    GAP = "gap"
    RESTART = "restart"
    ROLL_OVER = "roll-over"
    EARLIER = "earlier"  # before the last: it was missing, or comes again
    UNBELIEVABLE = "unbelievable"


@dataclass(frozen=True, slots=True)
class Read:
    step: Step
    wagers: int = 0
    missing: tuple[int, int] | None = None  # first and last sequence number that did not come


def next_reading(*, last: tuple[int, int] | None, sequence: int, meter: int, is_later: bool) -> Read:
    """*last*: sequence and meter of the last reading. *is_later*: it was taken after the last one."""
    if last is None:
        return Read(Step.BASELINE)
    before, stood = last
    if sequence <= before:
        restarted = is_later and meter < stood
        return Read(Step.RESTART, wagers=meter) if restarted else Read(Step.EARLIER)
    missing = (before + 1, sequence - 1) if sequence > before + 1 else None
    if meter >= stood:
        return Read(Step.GAP if missing else Step.NEXT, wagers=meter - stood, missing=missing)
    whole = 10 ** len(str(stood))
    if stood * 10 >= whole * ROLLS_OVER_FROM:
        return Read(Step.ROLL_OVER, wagers=whole - stood + meter, missing=missing)
    return Read(Step.UNBELIEVABLE)
