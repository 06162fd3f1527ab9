"""``manage.py retention``: what is kept of people, how long, how it ends, and how much of it may go today.

It erases nothing: whoever sits at the server is nobody in particular. Two people do it in the console (“Personal data”)
or by ``POST approvals/`` with the kind ``house.erasure``.
"""

from __future__ import annotations

from django.core.management.base import BaseCommand

from house.retention import kept_today


class Command(BaseCommand):
    help = "Tell what is kept of people, for how long, how it ends, and how much of it may go today."

    def handle(self, *args: object, **options: object) -> None:
        for each in kept_today():
            self.stdout.write(f"{each.kept.name}: {each.kept.label}")
            self.stdout.write(f"  kept {each.kept.kept}; ends by {each.kept.ends}")
            due = "" if each.until is None else f"; {each.due:,} of them last needed before {each.until}: may go"
            self.stdout.write(f"  {each.held:,} held{due}")
