"""The acts Keno writes about the balls of a mechanical draw (2.1, 12). Pure: see ``acts.py``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from keno.acts import OfGame
from kernel.acts import Act


@dataclass(frozen=True, slots=True, kw_only=True)
class BallsCounted(OfGame):
    """Before the draw, by whoever wrote this down, of the approved set that is named; *balls* other than 80: void."""

    kind: ClassVar[str] = "keno.balls-counted"
    attempt: int
    ball_set: str
    balls: int

    def sentence(self) -> str:
        return f"counted {self.balls} balls of set {self.ball_set} before game {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BallCorrected(OfGame):
    """An error in recording, not in the draw: *new* is the ball that came out, *old* what had been typed (12.1)."""

    kind: ClassVar[str] = "keno.ball-corrected"
    attempt: int
    place: int
    old: int
    new: int

    def sentence(self) -> str:
        return f"corrected number {self.place} of game {self.game} from {self.old} to {self.new}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BallsReadBack(OfGame):
    """A second person has read the twenty numbers back, and they are the balls that were drawn."""

    kind: ClassVar[str] = "keno.balls-read-back"
    attempt: int
    numbers: tuple[int, ...]

    def sentence(self) -> str:
        return f"read the balls of game {self.game} back"


ALL: tuple[type[Act], ...] = (BallsCounted, BallCorrected, BallsReadBack)
