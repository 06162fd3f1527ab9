"""A counter of the demo venue, seen from both ends: the client's terminal, and what is on record."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from meterhouse_client import Terminal

from tests.world.bad_line import BadLine


@dataclass(frozen=True, slots=True)
class Counter:
    line: BadLine
    token: str
    journal: Path

    def terminal(self, *, patience_seconds: float = 10.0, timeout_seconds: float = 10.0) -> Terminal:
        return Terminal(
            self.line.address,
            token=self.token,
            journal=self.journal,
            patience_seconds=patience_seconds,
            timeout_seconds=timeout_seconds,
        )

    def sold(self) -> list[str]:
        """The serials on record."""
        from keno.models import Ticket

        return list(Ticket.objects.order_by("id").values_list("serial", flat=True))
