"""A schedule of prizes tried out over many games, as long work (``web.work``): watched, cancelled, kept as a file.

Nothing of it touches a game, a ticket or the ledger; the numbers come from a seed that somebody wrote down.
"""

from __future__ import annotations

import json
from typing import Any, Final

from keno import approved
from keno.entries import find_schedule
from keno.permissions import REPORTS
from keno.rules.mathematics import schedule_mathematics
from keno.rules.schedules import Schedule
from keno.rules.simulation import Compared, Simulation, compare
from kernel.actors import Actor
from kernel.refusal import Refusal
from web import work
from web.models import Work

GAMES_LIMIT: Final = 1_000_000
FEWEST_GAMES: Final = 100
_BATCH_GAMES: Final = 500  # games between two looks at whether somebody wants it to stop


def begin_simulation(*, schedule: str, games: int, seed: str, by: Actor) -> Work:
    """Ask for it: the same schedule, games and seed come out the same."""
    found, version = find_schedule(schedule)
    if not FEWEST_GAMES <= games <= GAMES_LIMIT:
        raise Refusal("games-impossible", f"Play {FEWEST_GAMES:,} to {GAMES_LIMIT:,} games.", field="games")
    if not seed.strip():
        raise Refusal("seed-missing", "Write a seed: the same one plays the same games.", field="seed")
    asked = {"schedule": found.code, "version": version, "games": games, "seed": seed.strip()}
    return work.begin(kind=SIMULATION, by=by, asked=asked)


def _schedule_of(asked: dict[str, Any]) -> Schedule:
    """As it stood when the simulation was asked for: special 3 in that version."""
    if asked["version"] is None:
        return find_schedule(asked["schedule"])[0]
    return approved.special_3_of(approved.version(asked["version"]))


def _run(made: Work, tell: work.Tell) -> str:
    schedule, games = _schedule_of(made.asked), made.asked["games"]
    simulation = Simulation(seed=made.asked["seed"], spots=schedule.spots)
    while simulation.games < games:
        tell(simulation.games, games)
        simulation.play(min(_BATCH_GAMES, games - simulation.games))
    with work.making(made, f"keno-simulation-{made.pk}.json") as file:
        file.write(json.dumps({**made.asked, "counts": simulation.counts}).encode())
    furthest = max(_compared(schedule, simulation.counts), key=lambda each: abs(each.deviations))
    return (
        f"{games:,} games, {games * len(schedule.spots):,} tickets. Furthest off: {furthest.table.spots} numbers, "
        f"{furthest.deviations:+.2f} standard deviations.".replace("-", "−")
    )


def _compared(schedule: Schedule, counts: dict[int, list[int]]) -> list[Compared]:
    return [compare(table, counts[table.spots]) for table in schedule_mathematics(schedule)]


def results_of(made: Work) -> list[Compared] | None:
    """What came out, table by table; None where its file is not here (any more)."""
    path = work.folder() / made.file
    if made.kind != SIMULATION or not made.file or not path.is_file():
        return None
    counts = json.loads(path.read_text())["counts"]
    return _compared(_schedule_of(made.asked), {int(spots): seen for spots, seen in counts.items()})


SIMULATION: Final = work.WorkKind("keno.simulation", label="Simulation", permission=REPORTS, run=_run)
