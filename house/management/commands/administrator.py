from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError, CommandParser

from house.staff import first_administrator
from kernel.refusal import Refusal


class Command(BaseCommand):
    help = "Make the first administrator of this installation and print a first password, alone on the last line."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("name", help="the person's full name")

    def handle(self, *args: object, username: str, name: str, **options: object) -> None:
        try:
            hired = first_administrator(username=username, name=name)
        except Refusal as refusal:
            raise CommandError(refusal.detail) from None
        self.stdout.write(f"{hired.staff.name} signs in as {hired.staff.username} and chooses a new password:")
        self.stdout.write(hired.password)
