"""``manage.py backup FOLDER``: the database, consistent, and a page about it; ``--keys`` the keys, somewhere else."""

from __future__ import annotations

from pathlib import Path

from django.core.management.base import BaseCommand, CommandParser

from config.backup import copy_keys, make_backup
from kernel.environment import Trouble


class Command(BaseCommand):
    help = "Back the database up into a new folder. Keys are named there, and copied only with --keys, elsewhere."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--keys", type=Path, help="copy the house's keys into this folder, which is another one")

    def handle(self, *args: object, folder: Path, keys: Path | None, **options: object) -> None:
        folder = folder.absolute()
        if keys is not None and (keys := keys.absolute()).is_relative_to(folder):
            raise Trouble("Keys do not lie beside the dump that they read: name another place for them.")
        about = make_backup(folder)
        self.stdout.write(f"{folder}: {about.rows:,} rows up to seal {about.seal:,}, and what was not sealed yet.")
        if keys is not None:
            self.stdout.write(f"{keys}: {copy_keys(keys)} keys. Keep them apart from the dump.")
        self.stdout.write(f"Try it out: manage.py drill {folder}")
