"""What every house starts with: its roles, its permissions, its one venue. Run after each migration.

In ``post_migrate`` and not in a data migration because permissions come with every release of every room. A permission
that already has a row is left alone, grants and all: they are the venue's by then. Opening hours likewise.
"""

from __future__ import annotations

from datetime import time

from django.db import connections, transaction
from django.db.migrations.recorder import MigrationRecorder

from house.models import Grant, OpeningHours, Permission, Role, Venue
from house.permissions import declared
from house.roles import ROLES

UNNAMED = "MAIN"  # the code of a venue that nobody has set up yet
DEFAULT_TIME_ZONE = "Australia/Sydney"
DEFAULT_OPENS, DEFAULT_CLOSES = time(10), time(4)


def after_migrate(*, using: str, **_: object) -> None:
    """The receiver of post_migrate, connected in HouseConfig.ready."""
    if (
        using != "default"
        or ("house", "0001_initial") not in MigrationRecorder(connections[using]).applied_migrations()
    ):
        return  # migrated back to nothing: there is no table to fill
    seed()


@transaction.atomic
def seed() -> None:
    Role.objects.bulk_create([Role(code=code, name=name) for code, name in ROLES.items()], ignore_conflicts=True)
    known = set(Permission.objects.values_list("code", flat=True))
    new = [permission for code, permission in declared().items() if code not in known]
    Permission.objects.bulk_create([Permission(code=str(each), label=each.label) for each in new])
    Grant.objects.bulk_create(
        [Grant(role_id=role, permission_id=str(each)) for each in new for role in sorted(each.roles)]
    )
    Venue.objects.get_or_create(id=1, defaults={"code": UNNAMED, "name": "Meterhouse", "time_zone": DEFAULT_TIME_ZONE})
    if not OpeningHours.objects.exists():
        OpeningHours.objects.bulk_create(
            [OpeningHours(weekday=day, opens=DEFAULT_OPENS, closes=DEFAULT_CLOSES) for day in range(7)]
        )
