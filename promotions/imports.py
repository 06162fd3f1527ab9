"""Entries from a file: rows checked one by one, entered all or none, or those that are good.

The file is read once and kept in parts (`begin_import`); then a worker judges its rows in the database and enters them,
all at once or a part a transaction, counting on the import's row. It is long work that goes on (`web.work`): how far it
is, stopping it and taking over from a worker that died are the same as for all of it. Refused rows keep their line and
the reason, not the person.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Final

from django.db import OperationalError, connection, transaction

from house.log import record_act
from kernel.actors import Actor
from kernel.refusal import Conflict, NotFound, Refusal
from promotions import import_judge, import_sql
from promotions.acts.entries import (
    ImportBegun,
    ImportCancelled,
    ImportConfirmed,
    ImportDone,
    ImportOver,
    ImportRefused,
)
from promotions.enter import hold_open
from promotions.import_rows import hashed, parts_of
from promotions.import_steps import must_be_confirmable, must_be_stoppable
from promotions.locks import bar_entries, database_time, find_promotion
from promotions.models import Import, ImportPart, ImportState
from promotions.permissions import IMPORT
from web import work
from web.models import Work
from web.work import Cancelled, Tell, WorkKind

BATCH_ROWS: Final = 20_000  # a part: single entries wait no longer than for so many
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
    for place, part in enumerate(parts_of(hashed(lines, digest), terms, rows_a_part=BATCH_ROWS)):
        ImportPart.objects.create(of=made, place=place, rows=part.rows)
        made.total += part.size
    if not made.total:
        raise Refusal("file-empty", "There is no entry in the file.", field="csv")
    made.sha256 = digest.hexdigest()
    made.save(update_fields=["total", "sha256"])
    begun = ImportBegun(promotion=code, import_=made.pk, file=made.name, sha256=made.sha256, rows=made.total)
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
    """All or nothing: everything, in one transaction. Else the whole file is judged first, and then a part a step.

    A part is judged again when it enters: somebody may have entered since.
    """
    if made.work.cancel_asked:
        _stop(made)
        return
    waiting = list(made.parts.order_by("place").values_list("place", flat=True))
    here = waiting if made.state == ImportState.WAITING or made.all_or_nothing else waiting[:1]
    made.refused += import_judge.load(made, here)
    try:
        bar_entries(made.promotion_id)  # no other entry from here on: limits and duplicates are counted in the open
        promotion, terms, now = hold_open(made.promotion)
    except Conflict as closed:
        _finish(made, ImportState.REFUSED, f"{closed.detail} {_entered_before(made)}")
        return
    made.refused += import_judge.judge(made, terms)
    made.checked = made.total
    if made.all_or_nothing and made.refused:
        _finish(made, ImportState.REFUSED, f"{made.refused} of {made.total} rows are not good: none was entered.")
    elif made.state == ImportState.WAITING and not made.all_or_nothing:
        made.state = ImportState.CHECKED
        made.save(update_fields=["refused", "checked", "state"])
    else:
        made.entered += import_judge.enter(made, promotion, now=now)
        made.save(update_fields=["entered", "refused", "checked"])
        made.parts.filter(place__in=here).delete()
        if here == waiting:
            _entered_all(made)


def _entered_all(made: Import) -> None:
    if made.total >= import_judge.MANY_ROWS:  # before anybody reads the list: what was a few is a list of many now
        with connection.cursor() as cursor:
            cursor.execute(import_sql.ANALYZE_ENTRIES)
    _finish(made, ImportState.DONE, f"{made.entered} entered, {made.refused} refused.")


def _stop(made: Import) -> None:
    if made.finished_at is None:
        _finish(made, ImportState.CANCELLED, f"Cancelled after {made.entered} of {made.total} rows.")


def _entered_before(made: Import) -> str:
    return f"{made.entered} of {made.total} rows were entered before."


def _finish(made: Import, state: ImportState, outcome: str) -> None:
    """What still waits is forgotten; of a refused row the line and why it was refused stay, and nobody's name."""
    made.state, made.outcome, made.finished_at = state, outcome, database_time()
    made.save()
    made.parts.all().delete()
    over = _OVER[state](
        promotion=made.promotion.code,
        import_=made.pk,
        entered=made.entered,
        refused=made.refused,
        outcome=outcome,
    )
    record_act(over, by=Actor(identity=made.made_by, name=made.made_by))
