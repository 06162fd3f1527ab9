"""Commands of Django's that would make or change a person at a command line, where nobody knows who stands there."""

from __future__ import annotations

import sys
from typing import NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser


class Refused(BaseCommand):
    """Says the way instead, whatever else is written on the line, with the demo or without."""

    requires_system_checks = ()
    way: str

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("rest", nargs="*")

    def run_from_argv(self, argv: list[str]) -> NoReturn:
        self.stderr.write(self.way)
        sys.exit(1)

    def handle(self, *args: object, **options: object) -> NoReturn:
        raise CommandError(self.way)
