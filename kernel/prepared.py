"""Statements planned once a connection, and sent without a cursor.

Django binds parameters on the client, so that every statement is planned anew: fine, but not for the few that run with
every sale. Those are short, so they go to libpq in one blocking call: the driver's cursor, which could be interrupted
and awaited, takes twice as long for one as the rest of it together (decision 35). Name the columns that are read: a
prepared ``SELECT *`` fails once a migration has added one.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any, Final, LiteralString

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg import errors, pq
from psycopg.adapt import PyFormat, Transformer

LINES_KEPT: Final = 8  # as many calls as a process works on at once (config/guard.py)
_lines: list[psycopg.Connection[Any]] = []
_SLOT: Final = re.compile(r"%(?:%|\((\w+)\)s)")
_IDLE: Final = pq.TransactionStatus.IDLE
_FAILED: Final = pq.ExecStatus.FATAL_ERROR


def execute(sql: LiteralString, parameters: Mapping[str, Any], *, binary: bool = False) -> list[tuple[Any, ...]]:
    """Run a statement on Django's own connection, in its transaction; errors are Django's, and so is its query log.

    *binary*: bytes come as they are, not as twice as many hexadecimal digits; for those who read many.
    """
    connection = connections[DEFAULT_DB_ALIAS]  # looked up once: the usual name looks for it at every dot
    if connection.connection is None:
        connection.ensure_connection()
    result_format = pq.Format.BINARY if binary else pq.Format.TEXT
    if connection.force_debug_cursor:  # a test that counts queries
        with psycopg.Cursor(connection.connection) as cursor:
            cursor.format = result_format
            logged = connection.make_debug_cursor(cursor)  # type: ignore[arg-type]  # any cursor of the driver
            logged.execute(sql, parameters)
            return cursor.fetchall()
    with connection.wrap_database_errors:
        return _session(connection.connection).run(sql, parameters, result_format)


def execute_alone(sql: LiteralString, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """A statement that is a transaction of its own, whatever it calls; within a transaction it is part of that.

    Its connection is one of a few that a process keeps for this: to get Django's ready for a statement, and to give it
    back, takes longer than the statement.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    pool = getattr(connection, "pool", None)
    if pool is None or connection.in_atomic_block or connection.force_debug_cursor:
        return execute(sql, parameters)
    try:
        line = _lines.pop()
    except IndexError:
        line = pool.getconn()
        line.autocommit = True
    try:
        with connection.wrap_database_errors:
            return _session(line).run(sql, parameters, pq.Format.TEXT)
    finally:
        if line.pgconn.transaction_status == _IDLE and len(_lines) < LINES_KEPT:
            _lines.append(line)
        else:
            pool.putconn(line)  # which closes what is broken


class _Session:
    """One connection: the names of what is prepared there, and how values are written and read."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection
        self.values = Transformer(connection)
        self.names: dict[tuple[str, tuple[int, ...]], bytes] = {}

    def run(self, sql: str, parameters: Mapping[str, Any], result_format: pq.Format) -> list[tuple[Any, ...]]:
        text, slots = _numbered(sql)
        values, server = self.values, self.connection.pgconn
        written = values.dump_sequence([parameters[slot] for slot in slots], [PyFormat.AUTO] * len(slots))
        types = values.types or ()
        if not self.connection.autocommit and server.transaction_status == _IDLE:
            self._checked(server.exec_(b"BEGIN"))
        name = self.names.get((sql, types))
        if name is None:
            name = b"house_%d" % len(self.names)
            self._checked(server.prepare(name, text, types))
            self.names[sql, types] = name
        # Its annotation leaves out that a value may be NULL.
        result = self._checked(server.exec_prepared(name, written, values.formats, result_format))  # type: ignore[arg-type]
        values.set_pgresult(result)
        return values.load_rows(0, result.ntuples, tuple)

    def _checked(self, result: pq.abc.PGresult) -> pq.abc.PGresult:
        if result.status != _FAILED:
            return result
        if result.error_field(pq.DiagnosticField.SQLSTATE) is None:  # not the server's word: the connection is gone
            raise psycopg.OperationalError(result.get_error_message())
        raise errors.error_from_result(result)


def _session(connection: Any) -> _Session:
    """Kept with the connection: it ends with it."""
    session: _Session | None = getattr(connection, "_prepared_here", None)
    if session is None:
        session = connection._prepared_here = _Session(connection)
    return session


@functools.cache
def _numbered(sql: str) -> tuple[bytes, tuple[str, ...]]:
    """The statement as PostgreSQL takes it, ``$1`` for ``%(name)s``, and the names in the order of their numbers."""
    places: dict[str, int] = {}

    def number(slot: re.Match[str]) -> str:
        return "%" if slot[1] is None else f"${places.setdefault(slot[1], len(places) + 1)}"

    return _SLOT.sub(number, sql).encode(), tuple(places)
