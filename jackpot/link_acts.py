"""Further acts of a link: what becomes of its terms and its money. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from jackpot.acts import OfLink
from kernel.acts import Act, Json

LINK_DOWN: Final = "Link down"
"""How a suspension begins to say what it is for when the table’s controller is not heard of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsRestored(OfLink):
    """The win was denied for which other terms had waited: those before are in force again, as a new version."""

    kind: ClassVar[str] = "jackpot.terms-restored"
    version: int
    terms: Mapping[str, Json]
    of: int  # the version whose terms these are
    hit: int  # the last to be denied of those who had won

    def sentence(self) -> str:
        return f"put the terms of version {self.of} of {self.link} in force again: hit {self.hit} was denied"


ALL: Final[tuple[type[Act], ...]] = (TermsRestored,)
