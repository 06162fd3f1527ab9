from __future__ import annotations

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from house.approvals import describe
from house.device_changes import propose_service_token
from house.devices import needs_second_person, service_token
from house.roles import HELD
from kernel.refusal import Refusal


class Command(BaseCommand):
    help = (
        "Print a bearer token, alone on the last line, for a new device or service account of a role. "
        "Without the demo a supervisor's or manager's is only proposed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("role", help="writer, table, supervisor, manager, inspector or signage")
        parser.add_argument("--name", help="what people call it")
        parser.add_argument("--holder", metavar="USERNAME", help="who acts through it: somebody who has that role")
        parser.add_argument("--tables", metavar="A,B", help="the only tables at which a table token works")

    def handle(
        self, *args: object, role: str, name: str | None, holder: str | None, tables: str | None, **options: object
    ) -> None:
        named = None if tables is None else [table.strip() for table in tables.split(",") if table.strip()]
        try:
            if role in HELD and needs_second_person(holder):
                self._propose(role=role, name=name, holder=holder)
                return
            issued = service_token(role=role, name=name, holder=holder, tables=named)
        except Refusal as refusal:
            raise CommandError(refusal.detail) from None
        if not settings.DEMO:
            self.stdout.write(
                "Nobody knows who reads this: until its token is rolled in the console, this device is nobody’s second "
                "person, and bound to no table."
            )
        self.stdout.write(f"{issued.device.code}, {issued.device.name}. This token is shown once:")
        self.stdout.write(issued.secret)

    def _propose(self, *, role: str, name: str | None, holder: str | None) -> None:
        proposal = propose_service_token(role=role, name=name, holder=holder)
        self.stdout.write(f"Proposed as change {proposal.pk}: {describe(proposal)}")
        self.stdout.write(
            "No token yet. One person takes it up under Approvals and another decides, neither of them the holder; "
            "then the holder collects the token in his own console, under “Your devices”."
        )
