"""Entries from a file: rows checked one by one, entered all or none, or those that are good.

The file is written to a waiting table as it is read (`begin_import`); then a worker checks the rows in the database and
enters them, a batch a transaction, counting on the import's row. It is long work that goes on (`web.work`): how far it
is, stopping it and taking over from a worker that died are the same as for all of it. Refused rows keep their line and
the reason, not the person.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from itertools import islice
from typing import Any, Final

from django.db import OperationalError, connection, transaction

from house.log import record_act
from kernel.actors import Actor
from kernel.refusal import Conflict, NotFound, Refusal
from promotions import players
from promotions.acts.entries import (
    ImportBegun,
    ImportCancelled,
    ImportConfirmed,
    ImportDone,
    ImportOver,
    ImportRefused,
)
from promotions.enter import hold_open
from promotions.import_rows import hashed, rows_of, with_players
from promotions.import_sql import BARRED, DUPLICATES, ENTER, FORGET, OVER_LIMIT, REFUSED, UPTO
from promotions.import_steps import must_be_confirmable, must_be_stoppable
from promotions.locks import bar_entries, database_time, find_promotion
from promotions.models import Import, ImportState, Promotion
from promotions.permissions import IMPORT
from promotions.rules.terms import Terms
from web import work
from web.models import Work
from web.work import Cancelled, Tell, WorkKind

BATCH_ROWS: Final = 20_000  # a transaction: single entries wait no longer than that
READ_ROWS: Final = 10_000  # at a time
_LAST_LINE: Final = 2**31 - 1
_OVER: Final[Mapping[ImportState, type[ImportOver]]] = {
    ImportState.DONE: ImportDone,
    ImportState.REFUSED: ImportRefused,
    ImportState.CANCELLED: ImportCancelled,
}


@transaction.atomic
def begin_import(
    *, code: str, name: str, lines: Iterable[str], by: Actor, all_or_nothing: bool = True, now: datetime | None = None
) -> Import:
    """Read the file into the waiting table. What is wrong with the file is refused; with a row, kept on the row."""
    by.require(IMPORT)
    promotion, terms, at = hold_open(find_promotion(code))
    if not 0 < len(name.strip()) <= 200:
        raise Refusal("name-missing", "The file has a name of up to 200 characters.", field="name")
    made = Import.objects.create(
        promotion=promotion,
        name=name.strip(),
        sha256="0" * 64,
        all_or_nothing=all_or_nothing,
        total=0,
        made_at=now or at,
        made_by=by.identity,
        work=work.begin(kind=ENTRIES, by=by, asked={"promotion": code, "file": name.strip()}),
    )
    digest = sha256()
    rows = rows_of(hashed(lines, digest), terms)
    total = 0
    with connection.cursor() as cursor:
        # Who they are is asked before the copy: a connection does one thing at a time.
        while batch := with_players(list(islice(rows, READ_ROWS))):
            with cursor.copy(_COPY) as copy:
                for row in batch:
                    copy.write_row((made.pk, *row))
            total += len(batch)
    if not total:
        raise Refusal("file-empty", "There is no entry in the file.", field="csv")
    if total >= READ_ROWS:  # the planner must know that there are many before anything is joined with them
        with connection.cursor() as cursor:
            cursor.execute("SELECT promotions_analyze_import()")
    made.total, made.sha256 = total, digest.hexdigest()
    made.save(update_fields=["total", "sha256"])
    begun = ImportBegun(promotion=code, import_=made.pk, file=made.name, sha256=made.sha256, rows=total)
    record_act(begun, by=by)
    return made


@transaction.atomic
def cancel_import(*, import_id: int, by: Actor) -> Import:
    """Stop after the batch at hand, or at once where nobody works on it. What has been entered stays entered."""
    by.require(IMPORT)
    made = find_import(import_id)
    must_be_stoppable(made)
    made.work = work.cancel(number=made.work_id, by=by)
    if made.work.is_over:  # nobody worked on it
        made = lock_import(import_id)
        _stop(made)
    return made


@transaction.atomic
def confirm_import(*, import_id: int, by: Actor) -> Import:
    """Say as the second person that the file is what it should be. Who brought in a file alone could enter a friend as
    often as the terms allow: until another has looked at it the list is not sealed."""
    by.require(IMPORT)
    made = lock_import(import_id)
    must_be_confirmable(made, by)
    made.confirmed_at, made.confirmed_by = database_time(), by.identity
    made.save(update_fields=["confirmed_at", "confirmed_by"])
    confirmed = ImportConfirmed(
        promotion=made.promotion.code, import_=made.pk, sha256=made.sha256, entered=made.entered
    )
    record_act(confirmed, by=by)
    return made


def find_import(import_id: int) -> Import:
    made = Import.objects.select_related("promotion", "work").filter(pk=import_id).first()
    if made is None:
        raise NotFound("no-such-import", f"There is no import {import_id}.")
    return made


def lock_import(import_id: int) -> Import:
    """One worker at a time, and nobody stops what has just ended."""
    Import.objects.select_for_update().filter(pk=import_id).first()
    return find_import(import_id)


def go_on(import_id: int) -> Import:
    """Check what is not checked and enter what is not entered, here and now, unless a worker is at it."""
    work.run(find_import(import_id).work_id)
    return find_import(import_id)


def _run(asked: Work, tell: Tell) -> str:
    import_id = Import.objects.values_list("pk", flat=True).get(work=asked)
    try:
        while (made := _go_a_step(import_id)).finished_at is None:
            tell(made.entered + made.refused, made.total)
    except Cancelled:
        with transaction.atomic():
            _stop(lock_import(import_id))
        raise
    except (Refusal, OperationalError):
        raise
    except Exception:
        with transaction.atomic():
            made = lock_import(import_id)
            _finish(made, ImportState.REFUSED, f"By our mistake it stopped: {_entered_before(made)}")
        raise
    if made.state == ImportState.REFUSED:
        raise Conflict("import-refused", made.outcome)
    if made.state == ImportState.CANCELLED:
        raise Cancelled
    return made.outcome


def _go_a_step(import_id: int) -> Import:
    with transaction.atomic():
        made = lock_import(import_id)
        if made.finished_at is None:
            _step(made)
        return made


ENTRIES: Final = WorkKind("promotions.import", label="Import of entries", permission=IMPORT, run=_run, goes_on=True)


def _step(made: Import) -> None:
    promotion = made.promotion
    if made.work.cancel_asked:
        _stop(made)
        return
    try:
        bar_entries(promotion.pk)  # no other entry meanwhile: limits and duplicates are counted in the open
        promotion, terms, now = hold_open(promotion)
    except Conflict as closed:
        _finish(made, ImportState.REFUSED, f"{closed.detail} {_entered_before(made)}")
        return
    if made.state == ImportState.WAITING:
        _check(made, promotion, terms, upto=_LAST_LINE)
        with connection.cursor() as cursor:
            cursor.execute(REFUSED, {"import": made.pk})
            made.refused = cursor.fetchone()[0]
        made.checked, made.state = made.total, ImportState.CHECKED
        made.save(update_fields=["refused", "checked", "state"])
        if made.refused and made.all_or_nothing:
            _refuse_all(made)
        return
    _enter(made, promotion, terms, now)


def _check(made: Import, promotion: Promotion, terms: Terms, *, upto: int) -> int:
    """Mark the rows that cannot enter; answer how many more. In SQL: a million rows are a few statements."""
    given = _given(made, promotion, terms, upto)
    with connection.cursor() as cursor:
        cursor.execute(DUPLICATES, given)
        refused: int = cursor.rowcount
        if barred := players.everybody_barred(terms):
            cursor.execute(BARRED, {**given, "who": list(barred), "why": list(barred.values())})
            refused += cursor.rowcount
        if terms.limit_per_person is not None:
            cursor.execute(OVER_LIMIT, given)
            refused += cursor.rowcount
    return refused


def _enter(made: Import, promotion: Promotion, terms: Terms, now: datetime) -> None:
    """One batch, or everything in one transaction where it is all or nothing.

    Rows that cannot enter any more are refused here: somebody may have entered since they were checked.
    """
    most = made.total if made.all_or_nothing else BATCH_ROWS
    with connection.cursor() as cursor:
        cursor.execute(UPTO, {"import": made.pk, "most": most})
        (upto,) = cursor.fetchone()
        if upto is not None:
            made.refused += _check(made, promotion, terms, upto=upto)
            if made.all_or_nothing and made.refused:
                _refuse_all(made)
                return
            given = {**_given(made, promotion, terms, upto), "by": made.made_by, "now": now}
            cursor.execute("SET LOCAL work_mem = '64MB'")
            for statement in ENTER:
                cursor.execute(statement, given)
            made.entered += cursor.rowcount  # of the last: the rows that have left the waiting table
            made.save(update_fields=["entered", "refused"])
    if made.entered + made.refused >= made.total:
        if made.total >= READ_ROWS:  # before anybody reads the list: what was a few is a list of many now
            with connection.cursor() as cursor:
                cursor.execute("SELECT promotions_analyze_entries()")
        _finish(made, ImportState.DONE, f"{made.entered} entered, {made.refused} refused.")


def _stop(made: Import) -> None:
    if made.finished_at is None:
        _finish(made, ImportState.CANCELLED, f"Cancelled after {made.entered} of {made.total} rows.")


def _entered_before(made: Import) -> str:
    return f"{made.entered} of {made.total} rows were entered before."


def _refuse_all(made: Import) -> None:
    _finish(made, ImportState.REFUSED, f"{made.refused} of {made.total} rows are not good: none was entered.")


def _finish(made: Import, state: ImportState, outcome: str) -> None:
    """The person behind a refused row is forgotten; the line and why it was refused stay."""
    made.state, made.outcome, made.finished_at = state, outcome, database_time()
    made.save()
    with connection.cursor() as cursor:
        for statement in FORGET:
            cursor.execute(statement, {"import": made.pk})
    over = _OVER[state](
        promotion=made.promotion.code,
        import_=made.pk,
        entered=made.entered,
        refused=made.refused,
        outcome=outcome,
    )
    record_act(over, by=Actor(identity=made.made_by, name=made.made_by))


def _given(made: Import, promotion: Promotion, terms: Terms, upto: int) -> dict[str, Any]:
    return {
        "import": made.pk,
        "promotion": promotion.pk,
        "code": promotion.code,
        "limit": terms.limit_per_person,
        "upto": upto,
    }


_COPY: Final = (
    "COPY promotions_importrow (of_id, line, identity, reference, name, address, telephone, email, wagered, error) "
    "FROM STDIN"
)
