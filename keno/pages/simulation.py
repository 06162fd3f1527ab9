"""A schedule tried out over many games, beside its exact mathematics: begun here, watched, cancelled, kept."""

from __future__ import annotations

import secrets
from fractions import Fraction

from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from house.pages import work as shown_work
from keno import approved, simulations
from keno.entries import find_schedule
from keno.pages.forms import SimulationForm
from keno.pages.mathematics import SCHEDULES, percent
from keno.permissions import REPORTS
from keno.queries.counter import simulations_of
from keno.rules.schedules import SPECIAL_3
from keno.rules.simulation import Compared
from kernel.refusal import NotFound
from web import work
from web.page import Visit, attempt, done, page, show
from web.words import one_in

ODD_BELOW_LIKELIHOOD = 0.001  # a table less likely than this in fair games is marked


@page(REPORTS)
def simulation(request: Visit, code: str) -> HttpResponseBase:
    schedule, _ = find_schedule(code)
    form = SimulationForm(request.POST or None, initial={"games": 100_000, "seed": secrets.token_hex(4)})
    if form.is_valid():
        games, seed = form.games, form.seed
        begun = attempt(form, simulations.begin_simulation, schedule=code, games=games, seed=seed, by=request.actor)
        if begun:
            said = f"Simulation {begun.pk} is on its way. You may leave this page."
            return done(request, said, "keno-simulation", code)
    return show(
        request,
        "keno/simulation.html",
        form=form,
        code=code,
        name=SCHEDULES[code],
        tables=len(schedule.spots),
        most=simulations.GAMES_LIMIT,
        schedules=[
            {"name": name, "url": reverse("console:keno-simulation", args=[each]), "here": each == code}
            for each, name in SCHEDULES.items()
            if each != SPECIAL_3 or approved.in_force(approved.SPECIAL_3, SPECIAL_3)
        ],
        **_works(code),
    )


@page(REPORTS, poll=True)
def live(request: Visit, code: str) -> HttpResponseBase:
    return render(request, "keno/_simulations.html", {"code": code, "actor": request.actor, **_works(code)})


def _works(code: str) -> dict[str, object]:
    rows = shown_work.described(simulations_of(code))
    latest = next((row for row in rows if row.state == "done"), None)
    compared = simulations.results_of(latest) if latest else None
    return {
        "works": rows,
        "running": any(not row.is_over for row in rows),
        "latest": latest,
        "results": [_table(each) for each in compared or ()],
    }


def _table(each: Compared) -> dict[str, object]:
    table = each.table
    return {
        "spots": table.spots,
        "exact": percent(table.returned),
        "fraction": f"{table.returned.numerator}/{table.returned.denominator}",
        "returned": percent(each.returned),
        "deviations": f"{each.deviations:+.2f}".replace("-", "−"),
        "exact_hits": one_in(table.hit_rate),
        "hits": one_in(each.hit_rate),
        "odd": each.likelihood < ODD_BELOW_LIKELIHOOD,
        "likelihood": f"{each.likelihood:.3f}",
        "matches": [
            {
                "matches": matches,
                "odds": one_in(chance),
                "expected": _expected(chance * each.games),
                "seen": seen,
            }
            for matches, (chance, seen) in enumerate(zip(table.odds, each.counts, strict=True))
        ],
    }


def _expected(count: Fraction) -> str:
    return f"{float(count):,.1f}" if count < 1000 else f"{round(count):,}"


@page(REPORTS, post=True)
def cancel(request: Visit, number: int) -> HttpResponseBase:
    found = work.find(number) if number < 2**63 else None
    if found is None or found.kind != simulations.SIMULATION:
        raise NotFound("no-such-work", f"There is no simulation {number}.")
    work.cancel(number=number, by=request.actor)
    return redirect("console:keno-simulation", found.asked["schedule"])
