"""Draws: begun, overseen, drawn, signed, published. What is promised, sealed for the draw, asked, answered, void and
revealed is written by `draws/`, under the promotion's code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kernel.acts import OrMissing
from promotions.acts.base import PromotionAct


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawAct(PromotionAct):
    """Something done to one attempt at the draw of a promotion; *draw* is its number in the house."""

    promotion: str
    draw: int
    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawBegun(DrawAct):
    """Everything that decides who wins, before the witness is asked; *barred* are places in the list that win nothing,
    by what was on record at this moment."""

    kind: ClassVar[str] = "promotion.draw-begun"
    list_: int
    version: int
    prizes: int
    alternates: int
    one_prize_a_person: bool
    barred: tuple[int, ...]

    def sentence(self) -> str:
        return f"began to draw {self.promotion} from list {self.list_}, attempt {self.attempt}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrutineerNominated(DrawAct):
    kind: ClassVar[str] = "promotion.scrutineer-nominated"
    scrutineer: str

    def sentence(self) -> str:
        return f"nominated {self.scrutineer} to oversee the draw of {self.promotion}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrutineerAttends(DrawAct):
    kind: ClassVar[str] = "promotion.scrutineer-attends"

    def sentence(self) -> str:
        return f"is there to oversee the draw of {self.promotion}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrutineerSigned(DrawAct):
    """*result* is the SHA-256 of the outcome that was signed."""

    kind: ClassVar[str] = "promotion.scrutineer-signed"
    result: str

    def sentence(self) -> str:
        return f"signed what came of the draw of {self.promotion}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn(DrawAct):
    """*numbers* are places in the sealed list, in the order drawn; *people* says of each whose it is, by a number made
    up for this draw: entries of one person have the same."""

    kind: ClassVar[str] = "promotion.drawn"
    list_: int
    entry_root: bytes
    entry_count: int
    numbers: tuple[int, ...]
    witnessed: bool  # False: dice or a public round stood in the witness's place
    people: OrMissing[tuple[int, ...]] = None

    def sentence(self) -> str:
        return f"drew {len(self.numbers)} of {self.entry_count} entries of {self.promotion}"


@dataclass(frozen=True, slots=True)
class Winner:
    """A prize by its name, and the place of the winning entry in the sealed list."""

    prize: str
    entry: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPublished(DrawAct):
    """For everybody. Written again when a prize that was lost is drawn again: boards show the latest."""

    kind: ClassVar[str] = "promotion.result"
    name: str
    numbers: tuple[int, ...]
    prize: str
    winners: tuple[Winner, ...]

    def sentence(self) -> str:
        return f"published the result of {self.promotion}: {self.prize}"
