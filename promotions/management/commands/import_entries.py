"""``manage.py import_entries CODE FILE``: a file of entries of any size, from the machine's own command line.

For the demo and for measuring. In a real house nobody knows who stands at a command line, and whoever enters people in
a draw is somebody (docs/people.md).
"""

from __future__ import annotations

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from kernel.actors import Actor
from kernel.refusal import Refusal
from promotions.imports import begin_import, go_on
from promotions.permissions import IMPORT
from promotions.queries import refused_rows

REFUSED_ROWS_SHOWN = 20
LOOK_EVERY_SECONDS = 0.5


class Command(BaseCommand):
    help = "Enters the rows of a CSV file (reference,card,name,address,telephone,email,wagered) in a promotion."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", help="the promotion")
        parser.add_argument("file", type=Path, help="CSV with a heading, UTF-8")
        parser.add_argument("--good-rows", action="store_true", help="enter the good rows even if others are not")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError(
                "Entries are somebody’s: upload the file in the console, under the promotion, signed in. Split one "
                "that is too large."
            )
        by = Actor(identity="system:import", name="import", permissions=frozenset({IMPORT}))
        path: Path = options["file"]
        try:
            with path.open(encoding="utf-8", newline="") as lines:
                made = begin_import(
                    code=options["code"], name=path.name, lines=lines, by=by, all_or_nothing=not options["good_rows"]
                )
            done = go_on(made.pk)
            while done.finished_at is None:  # a worker was first
                time.sleep(LOOK_EVERY_SECONDS)
                done = go_on(made.pk)
        except (OSError, UnicodeDecodeError) as fault:
            raise CommandError(f"{path} cannot be read: {fault}.") from None
        except Refusal as refusal:
            raise CommandError(refusal.detail) from None
        for row in refused_rows(done).order_by("line")[:REFUSED_ROWS_SHOWN]:
            self.stderr.write(f"line {row.line}: {row.error}")
        if done.state != "done":
            raise CommandError(done.outcome)
        self.stdout.write(done.outcome)
