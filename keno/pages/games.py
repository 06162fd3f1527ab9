"""Games that were: the list, and one game with its numbers, its money and its proof."""

from __future__ import annotations

from django.http import HttpResponseBase

from house import people
from house.pages.days import choices, on_day
from keno.acts import NumberDrawn
from keno.attempts import cancelled_late
from keno.models import Draw, Game, GameStatus
from keno.pages.control import read_balls
from keno.permissions import RESETTLE, SEE_ALL
from keno.proof import game_proof
from keno.queries.games import (
    acts_of,
    corrections_in,
    draws_with_balls,
    find_game,
    games_opened,
    largest_prizes,
    resettlement_of,
    tickets_and_turnover,
)
from keno.resettle import may_propose, propose_resettlement, resettlement_proposed
from keno.rules.selection import NUMBERS
from kernel.money import Money
from web.lists import Column, Listing
from web.page import Visit, done, page, show


def _total(row: Game, name: str) -> str:
    return str((row.totals or {}).get(name, ""))


@page()
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        games_opened(),
        name="keno-games",
        order="-number",
        filters={
            "status": lambda rows, status: rows.filter(status=status),
            "day": lambda rows, day: on_day(rows, "gaming_day", day),
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
        "keno/games.html",
        listing=found,
        statuses=[status for status in GameStatus.values if status != "scheduled"],
        day_choices=choices(),
    )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 18


@page()
def game(request: Visit, number: int) -> HttpResponseBase:
    found, proof = find_game(number), game_proof(number)
    tickets, turnover = tickets_and_turnover(number)
    attempt = next((each for each in proof["attempts"] if not each["void"]), None)
    acts, balls = acts_of(found), draws_with_balls(found)
    hands = (each for draw in balls.values() for each in (draw.counted_by, draw.read_back_by, *draw.entered_by))
    names = people.names([*(act.actor for act in acts), *hands])
    return show(
        request,
        "keno/game.html",
        game=found,
        tickets=tickets,
        turnover=turnover,
        attempt=attempt,
        board=range(1, NUMBERS + 1),
        in_order=sorted(attempt["numbers"]) if attempt else [],
        attempts=[each | {"balls": _hands(balls.get(each["attempt"]), names)} for each in proof["attempts"]],
        proved=proof["proof"] is not None,
        late=cancelled_late(number)[0],
        resettlement=resettlement_of(found),
        corrections=corrections_in(number) if request.actor.may(SEE_ALL) else [],
        proposed=resettlement_proposed(number),
        may_resettle=may_propose(found, request.actor),
        totals={name: Money.parse(found.totals[name]) for name in ("stakes", "prizes")} if found.totals else None,
        jackpots=(found.totals or {}).get("jackpots", {}),
        majors=(found.totals or {}).get("majors", {}),
        winners=largest_prizes(number) if request.actor.may(SEE_ALL) else [],
        steps=[
            {"at": act.at, "kind": act.kind.removeprefix("keno."), "by": names[act.actor]}
            for act in acts
            if act.kind != NumberDrawn.kind
        ],
    )


def _hands(draw: Draw | None, names: dict[str, str]) -> dict[str, object] | None:
    """Who had the balls of an attempt, and which they were."""
    if draw is None:
        return None
    return {
        "set": draw.ball_set,
        "counted": draw.balls_counted,
        "by": names[draw.counted_by or ""],
        "entered": ", ".join(names[each] for each in draw.entered_by),
        "read_back": names[draw.read_back_by] if draw.read_back_by else "",
    }


@page(RESETTLE, post=True)
def resettle(request: Visit, number: int) -> HttpResponseBase:
    """Its balls were recorded wrongly: another person decides whether it is settled again (12.1)."""
    balls, why = read_balls(request.POST.get("numbers", ""), field="numbers"), request.POST.get("comment", "")
    proposal = propose_resettlement(number=number, numbers=balls, why=why, by=request.actor)
    said = f"Proposal {proposal.pk}: game {number} is settled again once another person decides so."
    return done(request, said, "approval", proposal.pk)
