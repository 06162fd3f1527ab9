"""The act by which a game that was settled on wrong numbers is settled again (12.1). Pure: see ``acts.py``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from keno.acts import OfGame
from kernel.acts import Act, Json
from kernel.money import Money


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResettled(OfGame):
    """*numbers* are the balls that came out, *recorded* what the game had been settled on. *totals* as in
    ``GameSettled``, of the right numbers. Prizes that had not been paid are replaced; of those that had, *overpaid* was
    too much, and *underpaid* is still owed."""

    kind: ClassVar[str] = "keno.resettled"
    attempt: int
    recorded: tuple[int, ...]
    numbers: tuple[int, ...]
    totals: Mapping[str, Json]
    overpaid: Money
    underpaid: Money
    why: str
    proposal: int

    def sentence(self) -> str:
        return f"settled game {self.game} again, on the balls that came out"


ALL: tuple[type[Act], ...] = (GameResettled,)
