"""What Keno's figures are asked for, on a screen: a schedule, what a game would pay, a simulation, games that were."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from keno.models import Game, Ticket
from ledger.models import Transfer
from tests.console import keno_scene
from tests.console.browser import Person
from web import work
from web.models import Work

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.long
def test_a_schedule_what_if_a_simulation_and_a_game_looked_up(
    person: Callable[..., Person], monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setattr(work, "folder", lambda: tmp_path)
    keno_scene.evening(games=1, tickets=3)
    before = (Game.objects.count(), Ticket.objects.count(), Transfer.objects.count())
    page = person("auditor").go("/keno/schedules/")
    page.get_by_title("3/4", exact=True).wait_for()  # of one number, exactly

    page.get_by_role("link", name="What if").click()
    page.get_by_label("The twenty numbers").fill(" ".join(map(str, range(1, 21))))
    page.get_by_label("Tickets").fill("1 2 3 @ 5.00\n1 2 81 @ 1.00")
    page.get_by_role("button", name="Work it out").click()
    page.get_by_text("Numbers go from 1 to 80, not 81.").first.wait_for()
    page.get_by_label("Tickets").fill("1 2 3 @ 5.00\n61 62 63 @ 1.00")
    page.get_by_role("button", name="Work it out").click()
    page.get_by_role("heading", name="It would pay $").wait_for()
    assert page.get_by_role("row").filter(has_text="61 62 63").get_by_text("$0.00").count() == 1

    page.goto(page.url.replace("what-if/", "schedules/standard/simulation/"))
    page.get_by_label("Games").fill("100")
    page.get_by_label("Seed").fill("spring")
    page.get_by_role("button", name="Simulate").click()
    page.get_by_text("Waits for a worker.").wait_for()
    assert work.run(Work.objects.latest("id").pk).state == "done"
    page.get_by_text("100 games, 1,500 tickets.").wait_for()

    over = Game.objects.get(status="settled").number
    page.goto(page.url.replace("schedules/standard/simulation/", "games/"))
    page.get_by_label("Game", exact=True).fill(str(over))
    page.get_by_label("Game", exact=True).press("Enter")
    page.locator(f"main table a[href='/keno/games/{over}/']").first.click()
    page.get_by_role("heading", name=f"Game {over}").wait_for()
    assert (Game.objects.count(), Ticket.objects.count(), Transfer.objects.count()) == before
