"""Which process runs what, where there are several: a file stays on one, and what takes longest begins first. Files
that use a browser follow each other, so that one will do for them (one_browser.py)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

from tests.plugins.one_browser import uses_browser

# Begun first, so that nobody waits for the last of them alone; the longest first. Order is all that it says: a file
# that is missing here is run too.
HEAVIEST = (
    "tests/config/test_run.py",
    "tests/powers/test_walk.py",
    "tests/console/test_axe.py",
    "tests/console/test_role_journeys.py",
    "tests/console/test_simulate.py",
    "tests/api/test_schemathesis.py",
    "tests/keno/test_simulate.py",
    "tests/verify/test_program.py",
    "tests/verify/test_mutated.py",
    "tests/verify/test_tampering.py",
    "tests/keno/test_games_clock.py",
    "tests/keno/test_games_races.py",
    "tests/jackpot/test_must_hit_by_live.py",
    "tests/keno/test_live_races.py",
    "tests/signage/test_whole.py",
    "tests/console/test_keno_journeys.py",
    "tests/console/test_journeys.py",
    "tests/console/test_promotion_journey.py",
    "tests/console/test_keno_equipment_and_holds.py",
)
# ``test_axe_finds_nothing_serious[part1-some]``: a part may run beside the others of its file.
PART = re.compile(r"\[(part\d+)\b")


class HeaviestFirst(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    def __init__(self, config: pytest.Config, log: Any) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # it would begin with the file of the most tests

    def _split_scope(self, nodeid: str) -> str:
        file = _file(nodeid)
        part = PART.search(nodeid)
        return f"{file}::{part[1]}" if part else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> HeaviestFirst:
    return HeaviestFirst(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        places = {file: (place, False) for place, file in enumerate(HEAVIEST)}
        browsing = {_file(item.nodeid) for item in items if uses_browser(item)}
        items.sort(key=lambda item: places.get(_file(item.nodeid), (len(places), _file(item.nodeid) not in browsing)))


def _file(nodeid: str) -> str:
    return nodeid.split("::", maxsplit=1)[0]
