"""Houses on record, built once and brought back for one test after another.

A running copy of the house sees only what is committed, so that worlds in a transaction (worlds.py) are nothing for it.
``@stands_on(demo_house)`` under a fixture says that its tests begin with what ``demo_house`` builds: with its rows, and
with the witness as he then was, who has seen them. Where another test of this process has built it lately, both are
brought back from a copy. ``demo_house`` returns until when a copy is as good as a new one.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.plugins import database
from tests.plugins.worlds import LASTS_SECONDS

if TYPE_CHECKING:
    from tests.world.witness import RunningWitness

Build = Callable[[], datetime]


def stands_on(build: Build) -> Callable[[Any], Any]:
    """Under a fixture that asks for the witness, or for the running copy."""

    def marked(fixture: Any) -> Any:
        fixture.stands_on = build
        return fixture

    return marked


@dataclass(frozen=True, slots=True)
class Kept:
    witness: Path
    sealing_key: Path
    """A test may have destroyed it since: handed over, it is of no more use."""
    good_until: datetime
    since: float

    def is_good(self) -> bool:
        from django.utils import timezone

        is_new = timezone.now() < self.good_until and time.monotonic() - self.since < LASTS_SECONDS
        return is_new and self.sealing_key.exists()


class Houses:
    """Those that this process has built; none is kept in somebody else's database (foreign_database.py)."""

    def __init__(self, folder: Path, *, keeps: bool) -> None:
        self.folder, self.keeps = folder, keeps
        self.kept: dict[str, Kept] = {}

    def begin(self, witness: RunningWitness, folder: Path, build: Build | None) -> None:
        """A log, and a witness in this folder with whom it begins."""
        from ledger.seal import begin_log
        from tests.world.memory import forget
        from tests.world.witness import folder_with_keys

        name = f"{database.ASIDE}_{build.__name__}" if build else ""
        if (kept := self.kept.get(name)) and kept.is_good():
            database.put_back(name)
            forget()
            witness.begin(Path(shutil.copytree(kept.witness, folder)))
            witness.watch()
            return
        witness.begin(folder_with_keys(folder, same_machine=True))
        begin_log()
        witness.watch()
        if build is not None:
            good_until = build()
            if self.keeps:
                self._keep(name, witness, good_until)

    def _keep(self, name: str, witness: RunningWitness, good_until: datetime) -> None:
        from ledger.keys import folder
        from ledger.seal import key_name_after, last_seal

        database.keep(name)
        key = key_name_after(last_seal())
        assert key is not None
        aside = self.folder / name
        shutil.rmtree(aside, ignore_errors=True)
        witness.memory.close()
        shutil.copytree(witness.folder, aside)
        witness.begin(witness.folder)
        self.kept[name] = Kept(aside, folder() / key, good_until, time.monotonic())


def asked(request: pytest.FixtureRequest) -> Build | None:
    """What this test stands on."""
    found = {
        fixture.func.stands_on
        for (*_, fixture) in request.node._fixtureinfo.name2fixturedefs.values()
        if hasattr(fixture.func, "stands_on")
    }
    assert len(found) <= 1, "two houses for one test"
    return found.pop() if found else None
