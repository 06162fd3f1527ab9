"""What only the owner of the tables can do: for tests that change behind the house's back what no verb would."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.backends.utils import CursorWrapper

from tests.plugins.database import OWNER, TESTER


def separated() -> bool:
    """Not where DATABASE_URL names a role that does everything."""
    return bool(connection.settings_dict["USER"] == TESTER)


@contextmanager
def as_owner() -> Iterator[CursorWrapper]:
    """The test's own connection with the owner's powers, in its own transaction where there is one."""
    with connection.cursor() as cursor:
        before, after = ([f"SET ROLE {OWNER}"], ["RESET ROLE"]) if separated() else ([], [])
        with _around(cursor, before, after):
            yield cursor


@contextmanager
def unguarded(*tables: str) -> Iterator[CursorWrapper]:
    """With no trigger firing, as an administrator of the database could have it. The tables count only where it is
    somebody else's, whose administrator we are not."""
    with as_owner() as cursor:
        if separated():
            before, after = ["SET session_replication_role = replica"], ["RESET session_replication_role"]
        else:
            before, after = (
                [f"ALTER TABLE {table} {how} TRIGGER USER" for table in tables] for how in ("DISABLE", "ENABLE")
            )
        with _around(cursor, before, after):
            yield cursor


@contextmanager
def _around(cursor: CursorWrapper, before: list[str], after: list[str]) -> Iterator[None]:
    """An error within a transaction undoes the settings with everything else, and lets nothing more be said."""
    for statement in before:
        cursor.execute(statement)
    try:
        yield
    except BaseException:
        if not connection.in_atomic_block:
            for statement in after:
                cursor.execute(statement)
        raise
    for statement in after:
        cursor.execute(statement)
