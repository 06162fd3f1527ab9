"""What Keno adds to an audit export: the entries of every game, as the hashes that its ticket root is made of.

No particulars and no codes: whoever has a ticket's paper computes its hash (``particulars.py``), and nobody else can.
A line is {"first_game", "tickets": [[serial, leaf, the last game in whose sealed set it stands], …]}, in order of first
game and serial. Where a ticket was cancelled after a set was sealed, the last game that it plays in comes fourth.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from django.db.models import Max

from keno.models import LateCancellation, Ticket
from keno.verify import ATTACHMENT as NAME

_LINE_TICKETS: Final = 5_000  # tickets

__all__ = ["NAME", "lines"]


def lines() -> Iterator[dict[str, Any]]:
    """Within the export's snapshot. Memory stays flat."""
    late = dict(LateCancellation.objects.values_list("ticket__serial").annotate(last=Max("game")))
    rows = Ticket.objects.order_by("first_game", "serial").values_list("first_game", "serial", "leaf", "plays_to")
    for first_game, tickets in groupby(rows.iterator(chunk_size=_LINE_TICKETS), key=itemgetter(0)):
        line: list[list[Any]] = []
        for _, serial, leaf, plays_to in tickets:
            stands_to = late.get(serial, plays_to)
            line.append([serial, bytes(leaf).hex(), stands_to, *([plays_to] if stands_to != plays_to else [])])
            if len(line) == _LINE_TICKETS:
                yield {"first_game": first_game, "tickets": line}
                line = []
        if line:
            yield {"first_game": first_game, "tickets": line}
