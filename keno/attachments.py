"""What Keno adds to an audit export: every ticket's entry, as it stands in the ticket roots (``particulars.py``).

What is on the paper, and of its security code the hash: a stranger computes each root and each prize from it, and
nobody gets a prize with it. No name: who bought it is not on the paper either.
In the order of first games and serials, a line for at most 2,000 of one first game (``ticket_lines.py``). What was sold
since the last seal is among them, and is passed over by whoever checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice
from operator import attrgetter, itemgetter
from typing import Any, Final

from keno import particulars, ticket_lines
from keno.models import Play, Ticket
from keno.ticket_lines import ATTACHMENT as NAME
from kernel.canonical import canonical

_LINE_TICKETS: Final = 2_000  # tickets
_PRINTED: Final = (
    "id", "serial", "kind", "groups", "schedule", "schedule_version", "jackpot", "first_game", "last_game", "price",
    "day", "sold_at", "terminal",
)  # fmt: skip

__all__ = ["NAME", "lines"]


def lines() -> Iterator[dict[str, Any]]:
    """Within the export's snapshot. Memory stays flat."""
    tickets = Ticket.objects.only(*_PRINTED).order_by("first_game", "serial").iterator(chunk_size=_LINE_TICKETS)
    for game, of_game in groupby(tickets, key=attrgetter("first_game")):
        while batch := list(islice(of_game, _LINE_TICKETS)):
            yield ticket_lines.written(game, list(_entries(batch)))


def _entries(tickets: list[Ticket]) -> Iterator[dict[str, object]]:
    played = Play.objects.filter(ticket__in=[ticket.pk for ticket in tickets]).order_by("ticket", "place")
    plays = {
        ticket: [(spots, stake) for _, spots, stake in rows]
        for ticket, rows in groupby(played.values_list("ticket_id", "spots", "stake"), key=itemgetter(0))
    }
    for ticket in tickets:
        written = particulars.written(ticket, plays[ticket.pk])
        yield particulars.entry(written, particulars.security_code(canonical(written)))
