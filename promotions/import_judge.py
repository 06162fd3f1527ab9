"""Judging the rows of a file and entering them, in the database, many in a statement (`promotions.import_sql`)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from django.db import connection

from promotions import import_sql, players
from promotions.models import Import, ImportPart, Promotion
from promotions.people import UNKNOWN_CARD
from promotions.rules.terms import Terms

MANY_ROWS: Final = 10_000  # the planner must know of so many before they are joined with anything


def load(made: Import, places: Iterable[int]) -> int:
    """The rows of these parts in a table of this transaction's own, and who they are; how many cannot enter whatever
    has been entered. Those that were refused by a step before are left out."""
    given = {"import": made.pk, "promotion": made.promotion_id}
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL work_mem = '64MB'")
        for statement in import_sql.WAITING:
            cursor.execute(statement)
        for place in places:
            rows = bytes(ImportPart.objects.values_list("rows", flat=True).get(of=made, place=place))
            with cursor.copy(import_sql.COPY) as copy:
                copy.write(rows)
        if made.total >= MANY_ROWS:
            cursor.execute(import_sql.ANALYZE)
        cursor.execute(import_sql.REFUSED_BEFORE, given)
        cursor.execute(import_sql.UNREADABLE, given)
        refused = int(cursor.rowcount)
        for statement in import_sql.WHOSE:
            cursor.execute(statement, given)
        cursor.execute(import_sql.UNKNOWN, {**given, "unknown": UNKNOWN_CARD})
        refused += int(cursor.rowcount)
        cursor.execute(import_sql.TWICE, given)
        return refused + int(cursor.rowcount)


def judge(made: Import, terms: Terms) -> int:
    """How many more cannot enter, by the terms and by what has been entered."""
    given: dict[str, Any] = {"import": made.pk, "promotion": made.promotion_id, "limit": terms.limit_per_person}
    with connection.cursor() as cursor:
        cursor.execute(import_sql.ENTERED, given)
        refused = int(cursor.rowcount)
        if barred := players.everybody_barred(terms):
            cursor.execute(import_sql.BARRED, {**given, "who": list(barred), "why": list(barred.values())})
            refused += int(cursor.rowcount)
        if terms.limit_per_person is not None:
            cursor.execute(import_sql.OVER_LIMIT, given)
            refused += int(cursor.rowcount)
    return refused


def enter(made: Import, promotion: Promotion, *, now: datetime) -> int:
    """Enter what is left; answer how many."""
    who = {"by": made.made_by, "now": now}
    given: dict[str, Any] = {"import": made.pk, "promotion": promotion.pk, "code": promotion.code, **who}
    with connection.cursor() as cursor:
        if made.refused:
            cursor.execute(import_sql.NOBODYS)
        cursor.execute(import_sql.ENTRANTS, given)
        if made.total >= MANY_ROWS and not made.entered:
            cursor.execute(import_sql.ANALYZE_ENTRIES)
        for statement in import_sql.ENTRIES:
            cursor.execute(statement, given)
        return int(cursor.rowcount)
