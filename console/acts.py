"""What the console writes to the log. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kernel.acts import Act, InSubject


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportTaken(Act):
    kind: ClassVar[str] = "audit.export-taken"
    work: InSubject[int]

    @property
    def subject(self) -> str:
        return f"work:{self.work}"

    def sentence(self) -> str:
        return f"took export {self.work} away"
