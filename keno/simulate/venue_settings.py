"""The venue's settings in the hand: the pace of its games, and whether balls are read back.

They are kept in the hand, not in the venue's own row, so that a simulation that is killed leaves nothing behind to be
put back.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from keno.models import KenoSettings


class VenueSettings:
    def __init__(self, *, every: timedelta) -> None:
        self.every = every
        self.balls_confirmed = False

    @contextmanager
    def in_force(self) -> Iterator[None]:
        usual = KenoSettings.current

        def these() -> KenoSettings:
            settings = usual()
            settings.interval, settings.balls_confirmed = self.every, self.balls_confirmed
            return settings

        setattr(KenoSettings, "current", these)  # noqa: B010  a method is put aside for a while
        try:
            yield
        finally:
            setattr(KenoSettings, "current", usual)  # noqa: B010
