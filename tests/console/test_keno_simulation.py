"""A schedule tried out in the console: long work, cancelled at any step; nothing of the house moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from keno.models import Game, Ticket
from keno.rules.mathematics import schedule_mathematics
from keno.rules.schedules import STANDARD
from ledger.models import Act, Transfer
from tests.console.test_keno_pages import text
from web import work
from web.models import Work

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = "/keno/schedules/standard/simulation/"


@pytest.fixture(autouse=True)
def told_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setattr(work, "TELL_EVERY_SECONDS", 0.0)
    monkeypatch.setattr(work, "folder", lambda: tmp_path)


def newest() -> Work:
    return Work.objects.order_by("-pk")[0]


def test_a_simulation_beside_the_exact_figures(signed_in: Callable[[str], Client]) -> None:
    inspector = signed_in("inspector")
    assert 'href="/keno/schedules/standard/simulation/"' in inspector.get("/keno/schedules/").content.decode()
    assert "No simulation yet" in text(inspector.get(PAGE))
    before = (Transfer.objects.count(), Game.objects.count(), Ticket.objects.count())
    inspector.post(PAGE, {"games": "1200", "seed": "spring"})
    made = newest()
    assert (made.kind, made.made_by, made.asked["games"]) == ("keno.simulation", "staff:inspector", 1200)
    assert "Waits for a worker." in text(inspector.get(f"{PAGE}live/"))
    assert "still running" in text(inspector.post(PAGE, {"games": "1200", "seed": "x"}))  # one at a time
    assert work.run(made.pk).state == "done"
    assert newest().outcome.startswith("1,200 games, 18,000 tickets.")
    page = inspector.get(PAGE)
    results = page.context["results"]
    assert [each["spots"] for each in results] == [table.spots for table in schedule_mathematics(STANDARD)]
    assert all(sum(row["seen"] for row in each["matches"]) == 1200 for each in results)
    exact = schedule_mathematics(STANDARD)[0]
    assert results[0]["fraction"] == f"{exact.returned.numerator}/{exact.returned.denominator}"
    assert results[0]["fraction"] in page.content.decode()
    # The same seed comes out the same.
    inspector.post(PAGE, {"games": "1200", "seed": "spring"})
    work.run(newest().pk)
    assert inspector.get(PAGE).context["results"] == results
    assert (Transfer.objects.count(), Game.objects.count(), Ticket.objects.count()) == before
    assert Act.objects.filter(kind="work.begun", actor="staff:inspector").count() == 2


def test_it_is_cancelled_before_and_while_it_runs(signed_in: Callable[[str], Client]) -> None:
    manager = signed_in("manager")
    manager.post(PAGE, {"games": "5000", "seed": "a"})
    manager.post(f"/keno/simulations/{newest().pk}/cancel/")
    assert (newest().state, newest().outcome) == ("cancelled", "Cancelled before it began.")
    manager.post(PAGE, {"games": "5000", "seed": "a"})
    Work.objects.filter(pk=newest().pk).update(cancel_asked=True)  # as if asked for while the worker runs
    assert work.run(newest().pk).state == "cancelled"
    assert list(work.folder().iterdir()) == []
    assert not manager.get(PAGE).context["results"]


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"games": "99", "seed": "a"}, "Play 100 to 1,000,000 games."),
        ({"games": "1000001", "seed": "a"}, "Play 100 to 1,000,000 games."),
        ({"games": "many", "seed": "a"}, "Enter a whole number."),
        ({"games": "1000", "seed": " "}, "Seed is missing."),
    ],
)
def test_what_cannot_be_simulated(form: dict[str, str], says: str, signed_in: Callable[[str], Client]) -> None:
    answer = signed_in("manager").post(PAGE, form)
    assert answer.status_code == 422
    assert says in text(answer)
    assert not Work.objects.exists()


def test_a_schedule_nobody_approved_and_work_of_another_kind(signed_in: Callable[[str], Client]) -> None:
    manager = signed_in("manager")
    assert manager.get("/keno/schedules/special-3/simulation/").status_code in (409, 422)
    manager.post("/audit/exports/begin/")
    assert manager.post(f"/keno/simulations/{newest().pk}/cancel/").status_code == 404
    assert newest().state == "waiting"
