"""What games could pay out at most, against what was paid for them, and the house's limits to it."""

from __future__ import annotations

from django.http import HttpResponseBase

from keno import approved
from keno.jackpots import displayed
from keno.permissions import SEE_ALL
from keno.queries.exposure import Exposed, largest_tickets, latest_exposed
from keno.steps import room_steps
from kernel.money import MICROS_PER_DOLLAR, Money
from web import charts, words
from web.page import Visit, page, show


@page(SEE_ALL)
def exposure(request: Visit) -> HttpResponseBase:
    rows = latest_exposed()
    return show(
        request,
        "keno/exposure.html",
        rows=rows,
        now=rows[0] if rows else None,
        largest=largest_tickets(rows[0].game.number) if rows else [],
        chart=_chart(rows[::-1]),
        jackpots=displayed(),
        limits=approved.amounts(),
        steps=room_steps(request.actor),
    )


def _chart(rows: list[Exposed]) -> str:
    """The oldest first, as they were played."""
    return charts.Chart(
        kind="bars",
        title="What each game could pay out at most, and its turnover",
        labels=tuple(words.game(row.game.number) for row in rows),
        values=tuple(_dollars(row.payable) for row in rows),
        name="Could pay at most",
        beside=(charts.Series("Turnover", tuple(_dollars(row.turnover) for row in rows)),),
        dollars=True,
    ).figure()


def _dollars(amount: Money) -> float:
    """For the height of a bar, nothing else."""
    return amount.micros / MICROS_PER_DOLLAR
