"""Schedules of prizes with their exact mathematics, and the what-if: what one game would pay to these tickets."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from django.http import HttpResponseBase
from django.urls import reverse

from keno.entries import TicketRequest, compose, find_schedule
from keno.jackpots import displayed
from keno.pages.forms import WhatIfForm
from keno.rules.mathematics import PrizeTableMathematics, decimal, jackpot_mathematics, schedule_mathematics
from keno.rules.schedules import SPECIAL_3
from keno.rules.selection import Play
from keno.rules.settle import GameResult, settle_game
from keno.steps import room_steps
from kernel.money import Money
from kernel.refusal import Malformed, Refusal
from web.page import Visit, attempt, page, show
from web.words import one_in

SCHEDULES = {"standard": "Standard", "special-1": "Special 1", "special-2": "Special 2", SPECIAL_3: "Special 3"}
TICKETS_LIMIT = 200


def percent(value: Fraction) -> str:
    return f"{decimal(100 * value, 4)}%"


def _table(table: PrizeTableMathematics, *, jackpot: Money | None) -> dict[str, object]:
    with_jackpot = jackpot_mathematics(table, jackpot) if jackpot is not None else None
    return {
        "spots": table.spots,
        "returned": percent(table.returned),
        "fraction": f"{table.returned.numerator}/{table.returned.denominator}",
        "hit_rate": one_in(table.hit_rate),
        "top_odds": one_in(table.top_prize_odds),
        "deviation": decimal(Fraction(round(float(table.variance) ** 0.5 * 100), 100), 2),
        "jackpot": jackpot,
        "jackpot_return": percent(with_jackpot.returned) if with_jackpot else "",
        "rows": [
            {
                "matches": matches,
                "prize": f"{prize.numerator // prize.denominator:,}.{int(prize * 100) % 100:02d}",
                "odds": one_in(odds),
            }
            for matches, (prize, odds) in enumerate(zip(table.prizes, table.odds, strict=True))
            if prize
        ],
    }


@page()
def schedules(request: Visit, code: str = "standard") -> HttpResponseBase:
    try:
        schedule, _ = find_schedule(code)
        missing = None
    except Refusal as refusal:
        if code != SPECIAL_3:
            raise
        schedule, missing = None, refusal
    shown = displayed()
    tables = []
    if schedule is not None:
        tables = [
            _table(each, jackpot=shown[each.spots] if each.spots in schedule.jackpot_spots else None)
            for each in schedule_mathematics(schedule)
        ]
    return show(
        request,
        "keno/schedules.html",
        code=code,
        name=SCHEDULES[code],
        clause=schedule.clause if schedule else "act-keno:8.4",
        missing=missing,
        steps=room_steps(request.actor),
        tables=tables,
        schedules=[
            {"code": each, "name": name, "url": reverse("console:keno-schedule", args=[each]), "here": each == code}
            for each, name in SCHEDULES.items()
        ],
    )


# ── What if ─────────────────────────────────────────────────────────────────────────────────────────────────────────
def _read(line: str, place: int, schedule: str) -> TicketRequest:
    """``1 2 3 | 11 12 / 2 3 5 @ 1.00 J``: groups, plays, stake, jackpot."""
    where = f"Line {place}"
    found = re.fullmatch(
        r"\s*(?P<groups>[\d\s,|]+?)\s*(?:/\s*(?P<plays>[\d\s,]+?))?\s*(?:@\s*\$?(?P<stake>[\d.]+))?\s*(?P<jackpot>[jJ])?\s*",
        line,
    )
    if found is None:
        raise Malformed("line-unreadable", f"{where} is not read: write it like “4 8 15 16 @ 2.00 J”.", field="tickets")
    try:
        stake = Money.parse(found["stake"] or "1.00")
    except ValueError:
        raise Malformed("line-unreadable", f"{where}: the stake is an amount like 2.00.", field="tickets") from None
    groups = [[int(n) for n in re.findall(r"\d{1,6}", part)] for part in found["groups"].split("|")]
    common: dict[str, Any] = {"schedule": schedule, "jackpot": bool(found["jackpot"])}
    if found["plays"]:
        plays = [Play(int(n), stake) for n in re.findall(r"\d{1,6}", found["plays"])]
        return TicketRequest(groups=groups, plays=plays, **common)
    if len(groups) > 1:
        raise Malformed("line-unreadable", f"{where}: several groups need plays after a “/”.", field="tickets")
    return TicketRequest(numbers=groups[0], stake=stake, **common)


def _evaluate(*, drawn: list[int], lines: list[str], schedule: str, jackpots: dict[int, Money]) -> GameResult:
    if len(lines) > TICKETS_LIMIT:
        raise Malformed("too-many-tickets", f"At most {TICKETS_LIMIT} tickets at a time.", field="tickets")
    entries = []
    for place, line in enumerate(lines, start=1):
        try:
            entries.append(compose(_read(line, place, schedule)).entry)
        except Refusal as refusal:
            detail = refusal.detail if refusal.detail.startswith("Line") else f"Line {place}: {refusal.detail}"
            raise type(refusal)(refusal.code, detail, clause=refusal.clause, field="tickets") from None
    return settle_game(drawn=drawn, entries=entries, jackpots=jackpots)


@page()
def what_if(request: Visit) -> HttpResponseBase:
    shown = displayed()
    first = {
        "drawn": " ".join(map(str, range(1, 21))),
        "tickets": "1 2 3 4 5 6 @ 1.00 J\n1 2 3 | 11 12 / 2 3 5 @ 1.00",
        "six": shown[6],
        "eight": shown[8],
    }
    form = WhatIfForm(request.POST or None, initial=first)
    result = None
    lines: list[str] = []
    if form.is_valid():
        lines = [line for line in form.tickets.splitlines() if line.strip()]
        jackpots = {spots: amount for spots, amount in ((6, form.six), (8, form.eight)) if amount is not None}
        result = attempt(form, _evaluate, drawn=form.drawn, lines=lines, schedule=form.schedule, jackpots=jackpots)
    results = None
    if result:
        results = {
            "tickets": [
                {"line": line, "prize": each.prize, "ways": [way for way in each.ways if way.prize]}
                for line, each in zip(lines, result.tickets, strict=True)
            ],
            "total": Money.total(each.prize for each in result.tickets),
            "majors": result.majors,
        }
    return show(request, "keno/what_if.html", form=form, results=results)
