"""Entries from a file: CSV with a heading, rows checked one by one, entered all or none, or those that are good.

    reference,card,name,address,telephone,email,wagered

The file is written to a waiting table as it is read (`begin_import`); a task then checks the rows in the database and
enters them, a batch a transaction, counting on the import's row (`go_on`). A worker that dies leaves what is committed;
the tick sends the task again, and it goes on. Refused rows keep their line and the reason, not the person.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from datetime import datetime
from hashlib import sha256
from itertools import islice
from typing import Any, Final

from django.db import connection, transaction

from house import acts
from house.actors import Actor
from house.refusal import Conflict, NotFound, Refusal
from ledger.money import Money
from promotions import players
from promotions.clock import database_time
from promotions.enter import MOST_REFERENCE, hold_open
from promotions.import_sql import BARRED, DUPLICATES, ENTER, FORGET, OVER_LIMIT, REFUSED, UPTO
from promotions.locks import bar_entries, find_promotion
from promotions.models import Import, ImportState, Promotion
from promotions.people import NOBODY, Contact, identity_of, small_wager
from promotions.permissions import IMPORT
from promotions.rules.terms import Terms

COLUMNS: Final = ("reference", "card", "name", "address", "telephone", "email", "wagered")
BATCH: Final = 20_000  # rows a transaction: single entries wait no longer than that
READ: Final = 10_000  # lines at a time
MOST_ROWS: Final = 2_000_000
_LAST: Final = 2**31 - 1
_NOTHING: Final = dict.fromkeys(COLUMNS, "")


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
    )
    digest = sha256()
    rows = _rows(_hashed(lines, digest), terms)
    total = 0
    with connection.cursor() as cursor:
        while batch := _known(list(islice(rows, READ))):  # asked before the copy: a connection does one at a time
            with cursor.copy(_COPY) as copy:
                for row in batch:
                    copy.write_row((made.pk, *row))
            total += len(batch)
    if not total:
        raise Refusal("file-empty", "There is no entry in the file.", field="csv")
    if total >= READ:  # the planner must know that there are many before anything is joined with them
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE promotions_importrow")
    made.total, made.sha256 = total, digest.hexdigest()
    made.save(update_fields=["total", "sha256"])
    acts.record(
        kind="promotion.import-begun",
        subject=promotion.subject,
        by=by,
        data={"import": made.pk, "file": made.name, "sha256": made.sha256, "rows": total},
    )
    _send(made.pk)
    return made


@transaction.atomic
def cancel_import(*, import_id: int, by: Actor) -> Import:
    """Stop after the batch at hand. What has been entered stays entered."""
    by.require(IMPORT)
    made = find_import(import_id)
    if made.finished_at is not None:
        raise Conflict("import-over", f"Import {import_id} is {made.state} already.")
    Import.objects.filter(pk=import_id, finished_at=None).update(cancel_asked=True)
    made.cancel_asked = True
    return made


def find_import(import_id: int) -> Import:
    made = Import.objects.select_related("promotion").filter(pk=import_id).first()
    if made is None:
        raise NotFound("no-such-import", f"There is no import {import_id}.")
    return made


def go_on(import_id: int) -> Import:
    """Check what is not checked and enter what is not entered, until it is over. One worker at a time."""
    while True:
        with transaction.atomic():
            made = Import.objects.select_for_update(skip_locked=True, of=("self",)).select_related("promotion")
            found = made.filter(pk=import_id).first()
            if found is None or found.finished_at is not None:
                return find_import(import_id)
            _step(found)
            if found.finished_at is not None:
                return found


def resume_waiting() -> None:
    """What a worker that died, or a broker that was away, left behind. Nobody waits for a row another worker holds."""
    if not Import.objects.filter(finished_at=None).exists():
        return
    with transaction.atomic():
        waiting = Import.objects.select_for_update(skip_locked=True).filter(finished_at=None)
        for import_id in waiting.order_by("id").values_list("pk", flat=True):
            _send(import_id)


def _send(import_id: int) -> None:
    from config.celery import after_commit  # noqa: PLC0415  tasks import this module
    from promotions.tasks import go_on_with_import  # noqa: PLC0415

    after_commit(go_on_with_import, import_id)


def _step(made: Import) -> None:
    promotion = made.promotion
    if made.cancel_asked:
        _finish(made, ImportState.CANCELLED, f"Cancelled after {made.entered} of {made.total} rows.")
        return
    try:
        bar_entries(promotion.pk)  # no other entry meanwhile: limits and duplicates are counted in the open
        promotion, terms, now = hold_open(promotion)
    except Conflict as closed:
        _finish(made, ImportState.REFUSED, f"{closed.detail} {made.entered} of {made.total} rows were entered before.")
        return
    if made.state == ImportState.WAITING:
        _check(made, promotion, terms, upto=_LAST)
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
        refused = cursor.rowcount
        if barred := players.everybody_barred():
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
    most = made.total if made.all_or_nothing else BATCH
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
        if made.total >= READ:  # before anybody reads the list: what was a few is a list of many now
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE promotions_entrant, promotions_entry")
        _finish(made, ImportState.DONE, f"{made.entered} entered, {made.refused} refused.")


def _refuse_all(made: Import) -> None:
    _finish(made, ImportState.REFUSED, f"{made.refused} of {made.total} rows are not good: none was entered.")


def _finish(made: Import, state: ImportState, outcome: str) -> None:
    """The person behind a refused row is forgotten; the line and why it was refused stay."""
    made.state, made.outcome, made.finished_at = state, outcome, database_time()
    made.save()
    with connection.cursor() as cursor:
        for statement in FORGET:
            cursor.execute(statement, {"import": made.pk})
    acts.record(
        kind=f"promotion.import-{state}",
        subject=made.promotion.subject,
        by=Actor(identity=made.made_by, name=made.made_by),
        data={"import": made.pk, "entered": made.entered, "refused": made.refused, "outcome": outcome},
    )


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


def _hashed(lines: Iterable[str], digest: Any) -> Iterator[str]:
    for line in lines:
        digest.update(line.encode())
        yield line


def _rows(lines: Iterator[str], terms: Terms) -> Iterator[list[Any]]:
    """(line, identity, reference, name, address, telephone, email, wagered, error) for each row of the file."""
    reader = csv.reader(lines, strict=True)
    try:
        heading = [name.strip().lower() for name in next(reader, [])]
        if heading and heading[0].startswith("\ufeff"):
            heading[0] = heading[0].removeprefix("\ufeff")
        strange = [name for name in heading if name not in COLUMNS]
        if strange or "reference" not in heading or len(set(heading)) != len(heading):
            raise Refusal(
                "heading-unreadable", f"The first line names the columns, of {', '.join(COLUMNS)}.", field="csv"
            )
        for count, cells in enumerate(reader, start=1):
            if count > MOST_ROWS:
                raise Refusal("file-too-long", f"A file has at most {MOST_ROWS} rows.", field="csv")
            if cells:
                yield _row(reader.line_num, dict(zip(heading, cells, strict=False)), len(cells) - len(heading), terms)
    except csv.Error as fault:
        raise Refusal("file-unreadable", f"Line {reader.line_num}: {fault}.", field="csv") from None


def _row(line: int, cells: dict[str, str], odd: int, terms: Terms) -> list[Any]:
    given = _NOTHING | {name: cell.strip() for name, cell in cells.items()}
    contact = NOBODY
    if given["name"] or given["address"] or given["telephone"] or given["email"]:
        contact = Contact(given["name"], given["address"], given["telephone"], given["email"])
    identity, wagered, error = "", None, ""
    try:
        if odd:
            raise ValueError("The line has more cells than the heading." if odd > 0 else "The line has too few cells.")
        if "\0" in "".join(given.values()):
            raise ValueError("The line holds a NUL character.")
        if not 0 < len(given["reference"]) <= MOST_REFERENCE:
            raise ValueError(f"The reference is missing, or longer than {MOST_REFERENCE} characters.")
        identity = identity_of(card=given["card"], contact=contact, card_required=terms.card_required)
        wagered = Money.parse(given["wagered"]) if given["wagered"] else None
        error = small_wager(terms, wagered) or ""
    except ValueError as fault:
        error = str(fault)
    if error:
        return [line, "", given["reference"][:MOST_REFERENCE].replace("\0", ""), "", "", "", "", None, error]
    micros = None if wagered is None else wagered.micros
    return [
        line,
        identity,
        given["reference"],
        contact.name,
        contact.address,
        contact.telephone,
        contact.email,
        micros,
        "",
    ]


def _known(batch: list[list[Any]]) -> list[list[Any]]:
    """The players behind the cards of a batch, asked for at once."""
    cards = {row[1].removeprefix("card:") for row in batch if row[1].startswith("card:")}
    known = players.identities(cards) if cards else {}
    for row in batch:
        if row[1].startswith("card:"):
            row[1] = known[row[1].removeprefix("card:")]
    return batch
