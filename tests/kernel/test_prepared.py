"""Prepared statements are Django's own in everything but what they cost: its transaction, its errors, its query log."""

from __future__ import annotations

import datetime as dt
import os
import socket

import pytest
from django.db import DatabaseError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from psycopg.types.json import Jsonb

from kernel.prepared import execute
from kernel.transactions import one_transaction

pytestmark = pytest.mark.django_db


def test_values_come_back_as_they_went() -> None:
    at = dt.datetime(2026, 11, 17, 21, 4, tzinfo=dt.UTC)
    asked = {"text": "a % b", "number": 2**40, "bytes": b"\0\xff", "at": at, "none": None, "json": Jsonb({"a": [1]})}
    sql = """SELECT %(text)s::text, %(number)s::bigint, %(bytes)s::bytea, %(at)s::timestamptz, %(none)s::date,
                    %(json)s::jsonb->>'a', %(text)s || '%%'"""
    assert execute(sql, asked) == [("a % b", 2**40, b"\0\xff", at, None, "[1]", "a % b%")]
    assert execute("SELECT %(bytes)s::bytea", {"bytes": b"\0\xff"}, binary=True) == [(b"\0\xff",)]


def test_each_kind_of_value_has_its_own_plan() -> None:
    """A small number and a large one are different types to the driver: neither is squeezed into the other's plan."""
    for number in (1, 2**20, 2**40, 1):
        assert execute("SELECT %(number)s", {"number": number}) == [(number,)]


def test_no_rows() -> None:
    assert execute("SELECT 1 WHERE %(no)s", {"no": False}) == []


def test_a_missing_parameter_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        execute("SELECT %(number)s", {})


def test_an_error_is_djangos_and_the_statement_works_again() -> None:
    sql = "SELECT 1 / %(by)s::integer"
    with pytest.raises(DatabaseError), transaction.atomic():
        execute(sql, {"by": 0})
    assert execute(sql, {"by": 1}) == [(1,)]


def test_it_is_counted_like_any_query() -> None:
    with CaptureQueriesContext(connection) as queries:
        execute("SELECT %(number)s", {"number": 1})
    assert len(queries) == 1


KEY = """INSERT INTO web_requestkey (actor, key, method, path, body_hash, answer, created_at)
         VALUES (%(actor)s, 'a', 'POST', '/', '', '', now()) RETURNING id"""
KEYS = "SELECT count(*) FROM web_requestkey WHERE actor = %(actor)s"
WHO = {"actor": "device:W-0001"}


class TestCommitted:
    """Outside the transaction of a test."""

    pytestmark = pytest.mark.django_db(transaction=True)

    def test_it_begins_the_transaction_that_is_wanted(self) -> None:
        with one_transaction():
            execute(KEY, WHO)
            transaction.set_rollback(True)
        assert execute(KEYS, WHO) == [(0,)]

    def test_alone_it_is_committed_at_once(self) -> None:
        execute(KEY, WHO)
        connection.close()
        assert execute(KEYS, WHO) == [(1,)]

    @pytest.mark.parametrize("how", ["told", "dead"])
    def test_a_lost_connection_is_said_and_a_new_one_prepares_anew(self, how: str) -> None:
        """A server that goes says so with a code; one that is dead says nothing any more."""
        ((mine,),) = execute("SELECT pg_backend_pid() WHERE %(yes)s", {"yes": True})
        if how == "told":
            other = connection.copy()
            with other.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [mine])
            other.close()
        else:
            with socket.socket(fileno=os.dup(connection.connection.fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)
        with pytest.raises(OperationalError):
            execute("SELECT pg_backend_pid() WHERE %(yes)s", {"yes": True})
        connection.close_if_unusable_or_obsolete()
        ((another,),) = execute("SELECT pg_backend_pid() WHERE %(yes)s", {"yes": True})
        assert another != mine
