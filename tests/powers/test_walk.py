"""Every address × everybody who may come: what is declared is what is asked for, nobody is told who somebody is without
the power for it, a page and its call let the same people in, and docs/powers.md says all of it."""

from __future__ import annotations

import os
from difflib import unified_diff
from typing import Any, Final

import pytest

from house.approvals import kinds
from house.permissions import AS_INSPECTOR, VIEW_APPROVALS
from keno.permissions import CLAIMANTS, SELL
from kernel.actors import Actor
from kernel.authority import Authority
from tests.powers import matrix
from tests.powers.pairs import ALONE, PAIRED, as_call, call_of, plain, stands_alone
from tests.powers.walk import BY_KIND, DECIDE, PROPOSE, Outcome, Step, Walk, due, walk
from tests.world.stock import PERSONS
from tests.world.witness import RunningWitness
from web.view import PUBLIC

# A look that leaves something behind: that somebody asked for everybody's names, or is still there.
ON_RECORD: Final = {
    "api/v1/promotions/reports/denied-claims",
    "promo/reports/denied-claims/",
    "api/v1/cash/reports/file",
    "api/v1/cash/reports/<id>/file",
    "api/v1/cash/matters/file",
    "api/v1/cash/matters/<id>/file",
    "stay/",
}

# The streams are a server of their own, and no worker runs here.
NOT_HERE: Final = {"signage/stream", "readyz"}


@pytest.fixture
def walked(transactional_db: None, witness: RunningWitness, settings: Any, exhaustive: bool) -> Walk:
    settings.DEMO = True
    return walk(exhaustive=exhaustive)


def test_every_address_asks_for_the_power_it_declares_and_for_nothing_else(walked: Walk) -> None:
    odd = [_said(step) for step in walked.steps if step.address.route not in BY_KIND and step.outcome != _due(step)]
    assert odd == []


def _due(step: Step) -> Outcome:
    return due(step.address, step.walker) or step.outcome


def _said(step: Step) -> str:
    where = "device" if step.walker.is_device else "person"
    return (
        f"{step.address.method} {step.address.route} ({step.address.power}): {where} {step.walker.name} got "
        f"{step.status} {step.code}, to be {_due(step)}"
    )


def test_nothing_breaks_and_something_is_behind_every_address(walked: Walk) -> None:
    every = [*walked.steps, *(step for steps in walked.by_kind.values() for step in steps)]
    assert [_said(step) for step in every if step.status >= 500 and step.address.route not in NOT_HERE] == []
    # A logo that the venue does not have, and documents that nobody may have built.
    missing = {
        route
        for (_, route), steps in walked.rows().items()
        if route not in BY_KIND and all(step.status == 404 or step.outcome is not Outcome.YES for step in steps)
    }
    assert missing - {"docs/", "docs/<path>"} == {"signage/logo"}  # none was chosen here


def test_who_is_refused_leaves_nothing_behind_and_nor_does_who_looks(walked: Walk) -> None:
    refused = [step for step in walked.steps if step.outcome is not Outcome.YES and step.address.route not in BY_KIND]
    assert [_said(step) for step in refused if step.wrote] == []
    looked = [step for step in walked.steps if step.address.method == "GET" and step.wrote]
    assert {step.address.route for step in looked} <= ON_RECORD


def test_who_somebody_is_takes_a_power_of_its_own(walked: Walk) -> None:
    """In answers, pages and their files. A writer who is to bring a ticket is told by the runner's note to whom."""
    told = [
        (step.address.route, step.walker.name, power)
        for step in walked.steps
        for power in step.told
        if not (step.walker.actor and step.walker.actor.may(power)) and not _to_bring(step, power)
    ]
    assert told == []
    assert {power for step in walked.steps for power in step.told} == set(PERSONS)


def _to_bring(step: Step, power: str) -> bool:
    orders = step.address.route in ("keno/orders/", "api/v1/keno/orders", "api/v1/keno/orders/<id>")
    return orders and power == CLAIMANTS and step.walker.actor is not None and step.walker.actor.may(SELL)


def test_a_page_and_its_call_let_the_same_people_in(walked: Walk) -> None:
    calls = {
        plain(method, as_call(route)): steps
        for (method, route), steps in walked.rows().items()
        if steps[0].address.is_call
    }
    pages = {
        plain(method, route): steps
        for (method, route), steps in walked.rows().items()
        if steps[0].address.is_page and steps[0].address.power != PUBLIC
    }
    for page, steps in pages.items():
        call = call_of(page, set(calls))
        if call is None:
            assert stands_alone(page), f"{page}: which call does the same? Say it in tests/powers/pairs.py"
            continue
        kind = call.removeprefix("kind:")
        same = walked.by_kind[kind, PROPOSE] if call.startswith("kind:") else calls[call]
        assert _people(steps) == _people(same), (page, call)
        if not call.startswith("kind:") and steps[0].address.route not in BY_KIND:
            assert steps[0].address.power == same[0].address.power, (page, call)
    assert set(PAIRED) <= set(pages), set(PAIRED) - set(pages)
    assert all(any(page.startswith(begins) for page in pages) for begins in ALONE)


def _people(steps: list[Step]) -> set[str]:
    return {step.walker.name for step in steps if not step.walker.is_device and step.outcome is Outcome.YES}


def test_each_kind_of_change_is_proposed_and_decided_by_whom_it_says(walked: Walk) -> None:
    for name, kind in kinds().items():
        for step in walked.by_kind[name, PROPOSE]:
            by = step.walker.actor
            may = by is not None and _sees(by) and by.may(kind.propose_permission) and not by.may(AS_INSPECTOR)
            assert (step.outcome is Outcome.YES) == may, (name, _said(step))
        for step in walked.by_kind[name, DECIDE]:
            assert (step.outcome is Outcome.YES) == _decides(name, step.walker.actor), (name, _said(step))


def _sees(by: Actor) -> bool:
    return by.may(VIEW_APPROVALS)


def _decides(name: str, by: Actor | None) -> bool:
    kind = kinds()[name]
    match kind.fixed_authority:
        case _ if by is None or not _sees(by):
            return False
        case Authority.COMMISSION:
            return False
        case Authority.INSPECTOR:
            return by.may(AS_INSPECTOR)
    return kind.permission is not None and by.may(kind.permission) and not by.may(AS_INSPECTOR)


def test_an_inspector_sees_everything_and_does_nothing_but_his_own(walked: Walk) -> None:
    """Every page to look at; of those where something is begun or done only what is an inspector's."""
    own = [step for step in walked.steps if step.walker.name == "inspector" and step.address.is_page]
    own = [step for step in own if step.address.power != PUBLIC]
    done = {step.address.route for step in own if step.address.method == "POST" and step.outcome is Outcome.YES}
    assert done - {route for route in done if route in BY_KIND} == {
        "approvals/<number>/withdraw/",  # what he had proposed; he proposes nothing
        *(f"approvals/<number>/answer/{each}/" for each in ("countersign", "dispute")),
        "own/devices/<code>/collect/",
        "staff/<username>/half/",
        *(f"promo/<code>/room/scrutineer/{each}/" for each in ("attend", "sign")),
        "promo/<code>/room/dice/",  # in the place of a witness that is away
        "keno/games/<number>/dice/",
        "keno/disputes/<number>/review/",  # in his own name (act-keno:14.6)
        "promo/winners/<number>/loss/sign/",  # where he is the scrutineer
        *(f"audit/exports/{each}/" for each in ("begin", "<number>/verify", "<number>/cancel")),
        "keno/simulations/<number>/cancel/",
    }
    unseen = {step.address.route for step in own if step.address.method == "GET" and step.outcome is Outcome.NO}
    begun = [f"{each}/" for each in ("terminal", "propose", "register", "hire", "new", "roles", "settle", "enter")]
    begun += [f"{each}/" for each in ("terms", "amend", "import", "<code>/claim", "take", "matters", "too-much")]
    begun += ["join/", "move/"]  # a table of a link
    assert {route for route in unseen if not any(part in route for part in begun)} == set()


def test_docs_powers_says_what_the_walk_has_found(walked: Walk) -> None:
    """`make powers` writes it anew: what it then says that it did not say before is what somebody signs."""
    before, mark, _ = matrix.PAPER.read_text().partition(matrix.MARK)
    found = before + matrix.MARK + matrix.written(walked)
    if os.environ.get("METERHOUSE_WRITE_POWERS"):
        matrix.PAPER.write_text(found)
    assert mark, f"{matrix.PAPER} has no line {matrix.MARK}"
    written = matrix.PAPER.read_text().splitlines()
    changed = "\n".join(unified_diff(written, found.splitlines(), "written", "found", n=0))
    assert not changed, f"Who may do what has changed. If it is meant, write it down: make powers\n{changed}"
