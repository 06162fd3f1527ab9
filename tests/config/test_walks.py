"""The four walks of docs/architecture.md, traced. METERHOUSE_WRITE_WALKS=1 writes them down anew."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import FrameType

import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from house import gaming_days
from house.devices import service_token
from keno.attempts import seal_closed
from keno.close import close
from keno.draw import ask_witness, draw_numbers, record_due_numbers
from keno.models import Draw, Game, KenoSettings
from keno.open_games import CLERK
from signage.relay import Relay
from tests.world.calls import Caller

ROOT = f"{settings.ROOT}/"
PAGE = Path(settings.ROOT) / "docs" / "architecture.md"
# What everything stands on, and what runs around every call alike.
AROUND = (
    *("config/", "kernel/", "web/logs.py", "web/metrics.py", "web/languages/", "house/middleware.py"),
    "house/models/venue.py",
    *("house/venue.py", "ledger/fields.py", "tests/", ".venv/"),  # the venue: its clock
)

# What they were before the house was one: as many is one too many.
FEWER_THAN = {"ticket": 26, "ball": 20}


def walked(run: Callable[[], object]) -> list[str]:
    """Our files that run, in the order in which each is first entered."""
    seen: dict[str, None] = {}

    def look(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and (file := frame.f_code.co_filename).startswith(ROOT):
            seen.setdefault(file.removeprefix(ROOT))

    sys.setprofile(look)
    try:
        run()
    finally:
        sys.setprofile(None)
    return [file for file in seen if not file.startswith(AROUND)]


@pytest.fixture
def demo(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """With commits: the relay reads only what is final. What a process knows of the day it knows throughout, however
    slow the machine is."""
    monkeypatch.setattr(gaming_days, "CACHE_SECONDS", 3600)
    call_command("demo", stdout=open(os.devnull, "w"))  # noqa: SIM115


def ticket() -> list[str]:
    writer = Caller(service_token(role="writer").secret)
    body = {"numbers": [1, 2, 3], "stake": "2.00"}
    assert writer.post("keno/tickets", body).status_code == 201  # opens the shift
    return walked(lambda: writer.post("keno/tickets", body))


def ball() -> list[str]:
    game = Game.objects.get(status="open")
    now = max(timezone.now(), game.closes_at) + timedelta(seconds=1)
    close(number=game.number, now=now)
    seal_closed(by=CLERK, now=now)
    ask_witness(number=game.number, now=now)
    draw_numbers(number=game.number, upto=1, now=now)  # the walk is that of a ball like any other: the second
    shown, pace = Relay(), KenoSettings.current().pace
    shown.turn()
    shown._meters_at = float("inf")  # a meter that merely counts up is another walk

    def one() -> None:
        record_due_numbers(now=now + pace)
        assert len(Draw.objects.get(game=game.number).numbers) == 2
        shown.turn()

    return walked(one)


def wager() -> list[str]:
    table = Caller(service_token(role="table").secret)
    body = {"wagers": [{"box": 1}, {"box": 2}]}
    return walked(lambda: table.post("jackpot/tables/CSP-01/rounds", body))


def entry() -> list[str]:
    supervisor = Caller(service_token(role="supervisor").secret)
    code = next(each["code"] for each in supervisor.get("promotions").json()["results"] if each["status"] == "running")
    return walked(lambda: supervisor.post(f"promotions/{code}/entries", {"card": "C-1001", "wagered": "50.00"}))


@pytest.mark.usefixtures("demo")
def test_the_walks_are_as_the_page_has_them() -> None:
    walks = {"ticket": ticket(), "ball": ball(), "wager": wager(), "entry": entry()}
    assert {name: len(walks[name]) for name, stops in FEWER_THAN.items() if len(walks[name]) >= stops} == {}
    text = PAGE.read_text()
    told = {
        name: re.findall(r"`([^`]+)`", listed)
        for name, listed in re.findall(r"<!-- walk: (\w+) -->\n\n((?:\d+\. `[^`]+`\n)*)", text)
    }
    if os.environ.get("METERHOUSE_WRITE_WALKS"):
        for name, files in walks.items():
            listed = "".join(f"{number}. `{file}`\n" for number, file in enumerate(files, 1))

            def filled(found: re.Match[str], listed: str = listed) -> str:
                return f"{found[1]}\n{listed}\n"

            text = re.sub(rf"(<!-- walk: {name} -->\n)(?:\n(?:\d+\. `[^`]+`\n)*)?\n?", filled, text)
        PAGE.write_text(text)
        return
    assert told == walks, "METERHOUSE_WRITE_WALKS=1 pytest tests/config/test_walks.py writes them down anew"
