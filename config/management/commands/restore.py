"""``manage.py restore FOLDER``: a backup into the empty database that the environment names."""

from __future__ import annotations

from pathlib import Path

from django.core.management.base import BaseCommand, CommandParser

from config.restore import restore_backup


class Command(BaseCommand):
    help = "Restore a backup into an empty database and move its transaction counter past everything in it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: object, folder: Path, **options: object) -> None:
        about = restore_backup(folder.absolute(), say=self.stdout.write)
        self.stdout.write(
            f"Restored: {about.rows:,} rows up to seal {about.seal:,}. The newest row is of {about.newest_row_at}."
        )
        self.stdout.write("The next start compares it with the witness: docs/production.md says how to go on.")
