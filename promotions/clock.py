"""The database's time: the one clock that every process agrees on when something closes to the second."""

from __future__ import annotations

from datetime import datetime

from django.db import connection


def database_time() -> datetime:
    """Now, not the beginning of the transaction: a wait for a lock counts."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment
