"""What other rooms show on the venue's page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from web.page import Visit


@dataclass(frozen=True, slots=True)
class VenuePanel:
    template: str
    context: Callable[[Visit], dict[str, object]]
