"""``manage.py drill FOLDER``: whether a house could be restored from this backup."""

from __future__ import annotations

from pathlib import Path

from django.core.management.base import BaseCommand, CommandParser

from config.drill import drill


class Command(BaseCommand):
    help = "Restore a backup into a server of its own, check everything in it, and say how old its newest row is."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: object, folder: Path, **options: object) -> None:
        done = drill(folder.absolute())
        checked = done.checked
        self.stdout.write(
            f"Restored and right: {checked.rows:,} rows under {checked.seals:,} seals, {checked.accounts:,} accounts; "
            f"{done.database_bytes / 1e6:,.0f} MB."
        )
        for said in checked.rooms:
            self.stdout.write(f"  {said}")
        self.stdout.write(f"The newest row is of {done.about.newest_row_at}, {_age(done.about.age_seconds)} ago.")


def _age(seconds: float) -> str:
    minutes, hours = seconds / 60, seconds / 3600
    return f"{hours:.1f} hours" if hours >= 2 else f"{minutes:.0f} minutes" if minutes >= 2 else f"{seconds:.0f} s"
