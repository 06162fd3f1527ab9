"""What Keno adds to an audit export: the entries of every game, as the hashes that its ticket root is made of.

No particulars and no codes: whoever has a ticket's paper computes its hash (``particulars.py``), and nobody else can.
A line is {"first_game", "tickets": [[serial, leaf, the last game it plays in], …]}, in order of first game and serial.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from keno.models import Ticket
from keno.verify import ATTACHMENT as NAME

_LINE_TICKETS: Final = 5_000  # tickets

__all__ = ["NAME", "lines"]


def lines() -> Iterator[dict[str, Any]]:
    """Within the export's snapshot. Memory stays flat."""
    rows = Ticket.objects.order_by("first_game", "serial").values_list("first_game", "serial", "leaf", "plays_to")
    for first_game, tickets in groupby(rows.iterator(chunk_size=_LINE_TICKETS), key=itemgetter(0)):
        line: list[list[Any]] = []
        for _, serial, leaf, plays_to in tickets:
            line.append([serial, bytes(leaf).hex(), plays_to])
            if len(line) == _LINE_TICKETS:
                yield {"first_game": first_game, "tickets": line}
                line = []
        if line:
            yield {"first_game": first_game, "tickets": line}
