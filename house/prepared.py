"""Statements planned once a connection.

Django binds parameters on the client, so that every statement is planned anew: fine, but not for the few that run with
every sale. Name the columns that are read: a prepared ``SELECT *`` fails once a migration has added one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, LiteralString

import psycopg
from django.db import connection


def execute(sql: LiteralString, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Run a statement on Django's own connection, in its transaction; errors are Django's, and so is its query log.

    The server keeps the plan from the sixth time on (``prepare_threshold`` in the settings).
    """
    connection.ensure_connection()
    wrap = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
    with wrap(psycopg.Cursor(connection.connection)) as cursor:  # type: ignore[arg-type]  # any cursor of the driver
        cursor.execute(sql, parameters)
        return cursor.fetchall()
