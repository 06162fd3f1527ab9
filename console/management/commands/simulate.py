"""``manage.py simulate --days 30 --seed 1``: a month of the whole house through the real verbs, then: does all agree?

Keno's games give the day its beat; the other rooms play beside them (``house.simulate``), each with a book of its own.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from house import demo
from house.seed import UNNAMED
from house.simulate import Figure, Simulated
from house.venue import venue
from keno import agreement
from keno.models import Ticket
from keno.simulate import Simulation, begin_at
from keno.simulate.run import DRAWN_WITHIN
from kernel.actors import system
from kernel.refusal import Refusal
from kernel.rooms import offered
from ledger.export import export
from ledger.offline_check import ExportWrong, check_export
from ledger.progress import progress
from ledger.seal import seal_now

DAYS_LIMIT = 800  # two years and a little: prizes move after one


class Command(BaseCommand):
    help = (
        "Simulates the whole house up to now, through the real verbs, and checks that its books agree with one "
        "another, with a book of each room’s own, and with what a stranger computes from the export. "
        "For the demo venue, best in a data folder of its own (METERHOUSE_DATA)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, default=30, help="how many days back it begins (30)")
        parser.add_argument("--seed", type=int, default=1, help="decides what everybody does (1)")
        parser.add_argument("--volume", type=int, default=10, help="customers a game, on average (10)")
        parser.add_argument("--every", type=int, default=30, help="minutes from game to game (30)")

    def handle(self, *args: object, days: int, seed: int, volume: int, every: int, **options: object) -> None:
        if not (0 < days <= DAYS_LIMIT and 0 < volume <= 10_000 and 2 <= every <= 240):
            raise CommandError(
                f"Days are 1 to {DAYS_LIMIT}, customers a game 1 to 10,000, minutes between games 2 to 240."
            )
        _refuse_real_venue()
        now = timezone.now()
        begins, pace = begin_at(days=days, now=now), timedelta(minutes=every)
        figures: list[tuple[str, Figure]] = []
        if now - begins > pace + DRAWN_WITHIN:
            if begins > now - timedelta(days=days):
                self.stdout.write(f"The record of this venue reaches until {begins:%d %B %Y %H:%M} UTC: from there on.")
            figures = self._simulate(begins, now, seed=seed, volume=volume, every=pace)
        elif _reaches_back(to=now - timedelta(days=days) + 4 * pace):
            self.stdout.write("These days are on record already, so there is nothing to simulate. Do they agree?")
        else:
            raise CommandError(
                f"The record of this venue reaches until {begins:%d %B %Y %H:%M} UTC, but not {days} days back. What "
                "is on record has no other past put before it, and time never runs ahead of the clock. Give the "
                "simulation a folder of its own: METERHOUSE_DATA=/a/folder .venv/bin/python manage.py migrate, then "
                "the same with simulate."
            )
        self._check(figures)

    def _simulate(
        self, begins: datetime, ends: datetime, *, seed: int, volume: int, every: timedelta
    ) -> list[tuple[str, Figure]]:
        parts = offered(Simulated)
        simulation = Simulation(
            seed=seed,
            volume=volume,
            begins=begins,
            ends=ends,
            every=every,
            beside=lambda clock: [part.make(clock) for part in parts],
        )
        minutes = int((ends - begins).total_seconds() // 60)
        try:
            with progress("Simulated minutes", minutes) as tell:
                simulation.run(tell)
        except KeyboardInterrupt:
            raise CommandError(
                f"Stopped at {simulation.clock.now:%d %B %Y %H:%M} UTC. Nothing is half done: the same command goes on "
                "from there."
            ) from None
        except Refusal as refusal:
            raise CommandError(refusal.detail) from None
        self.stdout.write(f"Simulated from {begins:%d %B %Y %H:%M} to {ends:%d %B %Y %H:%M} UTC:")
        self._counts(simulation.done)
        if simulation.refused:
            self.stdout.write("Refused, as it should be:")
            self._counts(simulation.refused)
        return simulation.figures()

    def _counts(self, counted: Counter[str]) -> None:
        self._table([(name, f"{count:,}") for name, count in sorted(counted.items()) if count])

    def _check(self, figures: Sequence[tuple[str, Figure]]) -> None:
        """Every figure from two sources, and the seals over all of it."""
        if figures:
            self.stdout.write("From the simulation’s own books, and from the house:")
            self._table([(f"{room}: {each.what}", str(each.own), str(each.house)) for room, each in figures])
        checks = agreement.checks()
        self.stdout.write("From the books, from the rows, and what differs:")
        self._table([(c.what, str(c.by_books), str(c.by_rows), str(c.difference)) for c in checks])
        seal_now()
        with tempfile.NamedTemporaryFile(prefix="meterhouse-audit-") as file:
            exported = export(to=file, by=system("manage.py"), venue=venue().name)
            file.flush()
            try:
                checked = check_export(Path(file.name))
            except ExportWrong as wrong:
                raise CommandError(f"A stranger would not believe the export: {wrong}") from None
        self.stdout.write(f"{exported.rows:,} rows verified under {exported.seals:,} seals:")
        for said in checked.rooms:
            self.stdout.write(f"  {said}")
        if strange := [(room, each) for room, each in figures if not each.agrees]:
            room, first = strange[0]
            told = f"“{room}: {first.what}”, {first.own} by its own books and {first.house} by the house’s"
            raise CommandError(f"{len(strange)} figures are not what was done; the first is {told}.")
        if differing := [check for check in checks if check.difference]:
            raise CommandError(f"{len(differing)} of {len(checks)} figures differ; the first is “{differing[0].what}”.")
        self.stdout.write(f"All {len(checks) + len(figures)} figures agree to the cent.")

    def _table(self, rows: Sequence[Sequence[str]]) -> None:
        if not rows:
            return
        widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
        for first, *others in rows:
            figures = "".join(f"  {cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True))
            self.stdout.write(f"  {first:<{widths[0]}}{figures}")


def _reaches_back(*, to: datetime) -> bool:
    """Whether these days were simulated before: customers came to its terminals by then."""
    first = Ticket.objects.order_by("id").first()
    return first is not None and first.sold_at <= to


def _refuse_real_venue() -> None:
    if not settings.DEMO:
        raise CommandError("The demo setting is off (METERHOUSE_DEMO): this is no place for simulated sales.")
    place = venue()
    if place.code not in (UNNAMED, demo.CODE):
        raise CommandError(f"This is {place.name}, a real venue: nothing is simulated in it.")
