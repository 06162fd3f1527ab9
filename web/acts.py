"""Long work asked for, and called off. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Self

from kernel.acts import Act, InSubject, Json


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfWork(Act):
    work: InSubject[int]
    kind_: str

    @property
    def subject(self) -> str:
        return f"work:{self.work}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkBegun(_OfWork):
    """What was asked for stands among the data: each kind of work has questions of its own."""

    kind: ClassVar[str] = "work.begun"
    asked: Mapping[str, Json] = field(default_factory=dict)

    def sentence(self) -> str:
        return f"asked for work {self.work} ({self.kind_})"

    def data(self) -> dict[str, Json]:
        return {"kind": self.kind_, **self.asked}

    @classmethod
    def read(cls, data: Mapping[str, Json], *, subject: str = "") -> Self:
        asked = {key: value for key, value in data.items() if key != "kind"}
        return cls(work=int(subject.partition(":")[2]), kind_=data["kind"], asked=asked)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkCancelled(_OfWork):
    kind: ClassVar[str] = "work.cancelled"

    def sentence(self) -> str:
        return f"cancelled work {self.work} ({self.kind_})"
