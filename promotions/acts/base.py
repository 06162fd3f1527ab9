from __future__ import annotations

from dataclasses import dataclass

from kernel.acts import Act, InSubject


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionAct(Act):
    """Something done to a promotion as such."""

    promotion: InSubject[str]

    @property
    def subject(self) -> str:
        return f"promotion:{self.promotion}"
