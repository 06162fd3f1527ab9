"""``manage.py demo``: the demo venue, made or completed. Running it again changes nothing that is there."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError, CommandParser

from house import demo
from keno.simulate import give_past
from keno.simulate.past import DAYS_LIMIT
from kernel.refusal import Refusal
from kernel.rooms import DemoVenue, offered


class Command(BaseCommand):
    help = "Makes the demo venue, or completes what is missing of it, and prints who can sign in."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days",
            type=int,
            default=0,
            help="so many simulated days before today, in a venue not yet made (0)",
        )

    def handle(self, *args: object, days: int, **options: object) -> None:
        if not 0 <= days <= DAYS_LIMIT:
            raise CommandError(f"The past of the demo is 0 to {DAYS_LIMIT} days long.")
        self._give_past(days)
        for part in offered(DemoVenue):  # rooms stand in the order they build on each other
            try:
                part.build()
            except Refusal as refusal:
                raise CommandError(refusal.detail) from None
        people = demo.credentials()
        wide = max((len(person.name) for person in people), default=0)
        self.stdout.write("Sign in at /sign-in/ as one of these; the second step’s code is shown there.\n")
        for person in people:
            self.stdout.write(f"  {person.username:<14} {person.name:<{wide}}  {person.password}")

    def _give_past(self, days: int) -> None:
        """First of all: what has happened has happened before what will."""
        try:
            if give_past(days=days):
                self.stdout.write("The demo venue has a past.")
            elif days:
                self.stdout.write("This venue has a past or a present of its own: none is simulated.")
        except Refusal as refusal:
            raise CommandError(refusal.detail) from None
