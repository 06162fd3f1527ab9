"""Statements planned once a connection.

Django binds parameters on the client, so that every statement is planned anew: fine, but not for the few that run with
every sale. Name the columns that are read: a prepared ``SELECT *`` fails once a migration has added one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, LiteralString

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg.pq import Format


def execute(sql: LiteralString, parameters: Mapping[str, Any], *, binary: bool = False) -> list[tuple[Any, ...]]:
    """Run a statement on Django's own connection, in its transaction; errors are Django's, and so is its query log.

    *binary*: bytes come as they are, not as twice as many hexadecimal digits; for those who read many.
    """
    connection = connections[DEFAULT_DB_ALIAS]  # looked up once: the usual name looks for it at every dot
    connection.ensure_connection()
    with psycopg.Cursor(connection.connection) as cursor:
        if binary:
            cursor.format = Format.BINARY
        if connection.queries_logged:  # a test that counts queries
            logged = connection.make_debug_cursor(cursor)  # type: ignore[arg-type]  # any cursor of the driver
            logged.execute(sql, parameters)
        else:
            with connection.wrap_database_errors:
                cursor.execute(sql, parameters, prepare=True)
        return cursor.fetchall()
