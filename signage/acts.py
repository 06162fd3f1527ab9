"""What the boards' room writes to the log. Pure: the verifier reads the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kernel.acts import Act


@dataclass(frozen=True, slots=True, kw_only=True)
class LookChosen(Act):
    """The whole look, in the shape in which it was approved; None where the venue has not chosen."""

    kind: ClassVar[str] = "signage.look"
    name: str | None
    accent: str | None
    ground: str | None
    logo: str | None

    @property
    def subject(self) -> str:
        return "venue"

    def sentence(self) -> str:
        return "gave the boards another look"
