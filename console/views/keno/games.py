"""Games that were: the list, and one game with its numbers, its money and its proof."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase

from console import people, tonight
from console.days import choices
from console.page import Visit, page, show
from console.tables import Column, Listing
from house.refusal import NotFound
from keno.games import find_game
from keno.models import Game, GameStatus, Prize
from keno.permissions import SEE
from keno.proof import game_proof
from keno.rules.selection import NUMBERS
from ledger.models import Act
from ledger.money import Money


def _total(row: Any, name: str) -> str:
    return str((row.totals or {}).get(name, ""))


@page(SEE)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        Game.objects.exclude(status="scheduled"),
        name="keno-games",
        order="-number",
        filters={
            "status": lambda rows, status: rows.filter(status=status),
            "day": lambda rows, day: rows.filter(gaming_day=day) if _is_day(day) else rows.none(),
            "number": lambda rows, number: rows.filter(number=int(number)) if _is_number(number) else rows.none(),
        },
        columns=(
            Column("Game", lambda row: row.number, order="number"),
            Column("Gaming day", lambda row: row.gaming_day, shown=False),
            Column("Closed", lambda row: row.closed_at, order="closes_at"),
            Column("Status", lambda row: row.status),
            Column("Drawn", lambda row: row.device),
            Column("Tickets", lambda row: _total(row, "tickets"), css="right"),
            Column("Sold", lambda row: _total(row, "stakes"), css="right"),
            Column("Prizes", lambda row: _total(row, "prizes"), css="right"),
            Column("Winners", lambda row: _total(row, "winners"), css="right"),
            Column("", css="act"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    for row in found.rows:
        row.sold = Money.parse(row.totals["stakes"]) if row.totals else None
        row.won = Money.parse(row.totals["prizes"]) if row.totals else None
    return show(
        request,
        "console/keno/games.html",
        listing=found,
        statuses=[status for status in GameStatus.values if status != "scheduled"],
        day_choices=choices(),
    )


def _is_day(text: str) -> bool:
    return any(day.date.isoformat() == text for day in choices())


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 18


@page(SEE)
def game(request: Visit, number: int) -> HttpResponseBase:
    if number >= 2**63:
        raise NotFound("no-such-game", f"There is no game {number}.")
    found: Any = find_game(number)
    proof = game_proof(number)
    found.tickets, found.turnover = tonight.in_game(number)
    standing = next((each for each in proof["attempts"] if not each["void"]), None)
    acts = list(Act.objects.filter(subject=found.subject).order_by("id"))
    names = people.names(act.actor for act in acts)
    return show(
        request,
        "console/keno/game.html",
        game=found,
        standing=standing,
        board=range(1, NUMBERS + 1),
        in_order=sorted(standing["numbers"]) if standing else [],
        attempts=proof["attempts"],
        proved=proof["proof"] is not None,
        totals={name: Money.parse(found.totals[name]) for name in ("stakes", "prizes")} if found.totals else None,
        jackpots=(found.totals or {}).get("jackpots", {}),
        majors=(found.totals or {}).get("majors", {}),
        winners=Prize.objects.filter(game=number).prefetch_related("ticket").order_by("-amount", "pk")[:20],
        steps=[
            {"at": act.at, "kind": act.kind.removeprefix("keno."), "by": names[act.actor]}
            for act in acts
            if act.kind != "keno.ball"
        ],
    )
