"""A running meter, reading by reading: what came in since the last, and what became of the count. Pure.

Sequence numbers follow each other; a gap loses nothing, because the meter has counted on, and the readings that are
missing are asked for again. Where the sequence begins again the controller has restarted. Its meter then counts from
nought, and shows what came in since; what was wagered between the last reading and the restart no reading shows, and
so it is said how much that can be at most. One that falls while its sequence goes on has rolled over at a power of
ten, where it stood close below it and so much can have been played; otherwise it cannot be believed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

ROLLS_OVER_FROM: Final = 9  # tenths of a power of ten that a meter must have reached
WAGERS_LIMIT: Final = 1_000_000  # that people can say were made unseen, where nothing else limits them


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
    unseen: int = 0  # of a restart: how many wagers at most were made that no reading shows


def next_reading(
    *, last: tuple[int, int] | None, sequence: int, meter: int, is_later: bool, playable: int | None = None
) -> Read:
    """*last*: sequence and meter of the last reading. *is_later*: it was taken after the last one. *playable*: how many
    wagers the table's boxes can have played since; None if nothing limits them."""
    if last is None:
        return Read(Step.BASELINE)
    before, stood = last
    if sequence <= before:
        restarted = is_later and (sequence < before or meter < stood)
        return _restarted(stood, meter, playable) if restarted else Read(Step.EARLIER)
    missing = (before + 1, sequence - 1) if sequence > before + 1 else None
    if meter >= stood:
        return Read(Step.GAP if missing else Step.NEXT, wagers=meter - stood, missing=missing)
    whole = 10 ** len(str(stood))
    wagers = whole - stood + meter
    if stood * 10 >= whole * ROLLS_OVER_FROM and _can_be(wagers, playable):
        return Read(Step.ROLL_OVER, wagers=wagers, missing=missing)
    return Read(Step.UNBELIEVABLE)


def _restarted(stood: int, meter: int, playable: int | None) -> Read:
    most = WAGERS_LIMIT if playable is None else playable
    if meter >= stood:  # the meter was kept, unless it can have come so far from nought
        wagers = meter - stood
        return Read(Step.RESTART, wagers=wagers, unseen=max(0, most - wagers) if _can_be(meter, playable) else 0)
    if not _can_be(meter, playable):
        return Read(Step.UNBELIEVABLE)
    return Read(Step.RESTART, wagers=meter, unseen=max(0, most - meter))


def _can_be(wagers: int, playable: int | None) -> bool:
    return playable is None or wagers <= playable


def follows(meter: int, *, below: int, above: int | None) -> bool:
    """Whether a reading can lie between two of its run, the later of which may have rolled over; *above* is None after
    the last."""
    if above is None:
        return meter >= below
    return below <= meter <= above if below <= above else meter >= below or meter <= above
