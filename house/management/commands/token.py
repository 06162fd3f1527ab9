from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from house.devices import service_token
from house.refusal import Refusal


class Command(BaseCommand):
    help = "Print a bearer token, alone on the last line, for a new device or service account of a role."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("role", help="writer, table, supervisor, manager, inspector or signage")
        parser.add_argument("--name", help="what people call it")

    def handle(self, *args: Any, role: str, name: str | None, **options: Any) -> None:
        try:
            issued = service_token(role=role, name=name)
        except Refusal as refusal:
            raise CommandError(refusal.detail) from None
        self.stdout.write(f"{issued.device.code}, {issued.device.name}. This token is shown once:")
        self.stdout.write(issued.secret)
