"""The acts of a round: how it began, how it ended. Pure.

``seen`` is which transactions had ended when the pools were read (``pg_current_snapshot``): with it a stranger adds up
exactly the rows that were there, though contributions never wait for each other (decision 4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from jackpot.acts import OfLink
from jackpot.hit_acts import HitAct
from jackpot.rules.sealed_hands import HandOnBox
from kernel.acts import Act, OrMissing
from kernel.money import Money


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfRound(OfLink):
    round: int
    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStarted(_OfRound):
    kind: ClassVar[str] = "jackpot.round-started"
    terms: int  # the version in force
    boxes: tuple[int, ...]  # with an accepted wager
    displayed: Mapping[str, Money]  # by level, before these wagers
    seen: str

    def sentence(self) -> str:
        wagers = "1 jackpot wager" if len(self.boxes) == 1 else f"{len(self.boxes)} jackpot wagers"
        return f"started round {self.round} at {self.table} with {wagers}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundFinished(_OfRound):
    """Where something was won, ``pools`` is every purse as it stood when the hits were locked. ``waits_for``: where
    majors on linked tables share (act-pg:13.3), the other rounds that were open then, by what ``open_seen`` saw."""

    kind: ClassVar[str] = "jackpot.round-finished"
    hands: tuple[HandOnBox, ...]
    folded: tuple[int, ...]
    void: tuple[int, ...]  # boxes whose hand had too few or too many cards (nsw-csp:14.8, act-cp:13.4)
    pools: OrMissing[Mapping[str, Money]] = None
    seen: OrMissing[str] = None
    waits_for: OrMissing[tuple[int, ...]] = None
    open_seen: OrMissing[str] = None

    def sentence(self) -> str:
        return f"finished round {self.round} at {self.table}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandClaimedLate(_OfRound):
    """A hand that was not named when its round was finished, as two people have reconstructed it."""

    kind: ClassVar[str] = "jackpot.hand-claimed-late"
    box: int
    pieces: tuple[str, ...]
    proposal: int
    pools: Mapping[str, Money]
    seen: str

    def sentence(self) -> str:
        return f"recorded a late hand on box {self.box} of round {self.round} at {self.table}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HitShared(HitAct):
    """What it is owed now that it is known who else won at the same time (act-pg:13.3)."""

    kind: ClassVar[str] = "jackpot.hit-shared"
    shared: int  # how often it has been, this time included
    winners: int

    def sentence(self) -> str:
        return f"shared what was won among {self.winners}: {self._named()}"


ALL: Final[tuple[type[Act], ...]] = (RoundStarted, RoundFinished, HandClaimedLate, HitShared)
