"""The life of a promotion: its terms, what the regulator got, when it ran, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from kernel.acts import Json, OrMissing
from promotions.acts.base import PromotionAct


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted(PromotionAct):
    kind: ClassVar[str] = "promotion.drafted"
    edition: str
    title: str
    terms: Mapping[str, Json]

    def sentence(self) -> str:
        return f"drafted promotion {self.promotion}, “{self.title}”"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited(PromotionAct):
    kind: ClassVar[str] = "promotion.edited"
    title: str
    version: int
    terms: Mapping[str, Json]

    def sentence(self) -> str:
        return f"edited version {self.version} of the terms of {self.promotion}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Redrafted(PromotionAct):
    kind: ClassVar[str] = "promotion.redrafted"
    instead_of: int

    def sentence(self) -> str:
        return f"took version {self.instead_of} of the terms of {self.promotion} back to be edited"


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted(PromotionAct):
    """17.12, 15.9: the notice to the regulator; *sha256* is of the paper that was sent. *goods_confirmed*: who sends it
    has looked at every prize, and what it holds of prohibited goods is declared (17.5, 15.5)."""

    kind: ClassVar[str] = "promotion.submitted"
    version: int
    reason: str
    to: str
    how: str
    reference: str
    at: datetime
    sha256: str
    terms: Mapping[str, Json]
    goods_confirmed: OrMissing[bool] = None

    def sentence(self) -> str:
        return f"sent version {self.version} of the terms of {self.promotion} to {self.to}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Amended(PromotionAct):
    """*goods_confirmed*: as of what is submitted, by who puts it in force."""

    kind: ClassVar[str] = "promotion.amended"
    version: int
    why: str
    terms: Mapping[str, Json]
    goods_confirmed: OrMissing[bool] = None

    def sentence(self) -> str:
        return f"put version {self.version} of the terms of {self.promotion} in force: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Started(PromotionAct):
    kind: ClassVar[str] = "promotion.started"
    version: int

    def sentence(self) -> str:
        return f"started promotion {self.promotion}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed(PromotionAct):
    kind: ClassVar[str] = "promotion.closed"
    closed_at: datetime
    entries: int

    def sentence(self) -> str:
        return f"closed promotion {self.promotion} with {self.entries} entries"


@dataclass(frozen=True, slots=True, kw_only=True)
class Postponed(PromotionAct):
    kind: ClassVar[str] = "promotion.postponed"
    why: str
    from_: str

    def sentence(self) -> str:
        return f"postponed promotion {self.promotion}: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed(PromotionAct):
    kind: ClassVar[str] = "promotion.resumed"
    why: str
    as_: str
    list_void: bool

    def sentence(self) -> str:
        return f"let promotion {self.promotion} go on as {self.as_}: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancelled(PromotionAct):
    kind: ClassVar[str] = "promotion.cancelled"
    why: str

    def sentence(self) -> str:
        return f"cancelled promotion {self.promotion}: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished(PromotionAct):
    kind: ClassVar[str] = "promotion.finished"
    paid: int
    prizes: int

    def sentence(self) -> str:
        return f"finished promotion {self.promotion}: {self.paid} of {self.prizes} prizes paid"
