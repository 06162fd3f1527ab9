"""Entries from a file: rows judged one by one, all or none or the good ones, progress, cancelling, going on."""

from __future__ import annotations

import csv
import io
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoCaptureOnCommitCallbacks

from kernel.money import Money
from kernel.refusal import Conflict, Forbidden, Refusal
from ledger.models import Act
from promotions import imports
from promotions.enter import enter
from promotions.exclude import exclude_card
from promotions.import_rows import parts_of
from promotions.imports import begin_import, cancel_import, find_import, go_on
from promotions.models import Entry, Import, ImportPart, ImportRow, Person
from promotions.run import close
from promotions.versions import terms_in_force
from tests.world import promotions as at
from tests.world.people import actor
from web import work
from web.models import Work

pytestmark = pytest.mark.django_db

HEADING = "reference,card,name,address,telephone,email,wagered\n"
GOOD = HEADING + 'R-1,C-1,Anna Marsh,"1 High Street, Sydney",0400 1,anna@example.org,\nR-2,C-2,,,,,\nR-3,c-1,,,,,\n'


def load(text: str, **more: Any) -> Import:
    made = begin_import(
        code="SPRING", name="coupons.csv", lines=text.splitlines(keepends=True), by=at.manager(), **more
    )
    return go_on(made.pk)


def errors(made: Import) -> dict[int, str]:
    return dict(ImportRow.objects.filter(of=made).values_list("line", "error"))


def test_a_good_file_enters_every_row() -> None:
    at.running()
    made = load(GOOD)
    assert (made.state, made.total, made.checked, made.entered, made.refused) == ("done", 3, 3, 3, 0)
    entries = list(Entry.objects.order_by("id").select_related("entrant"))
    assert [(each.reference, each.entrant.identity, each.source) for each in entries] == [
        ("R-1", "player:P-C-1", "csv"),
        ("R-2", "player:P-C-2", "csv"),
        ("R-3", "player:P-C-1", "csv"),
    ]
    for each in entries:
        assert bytes(each.leaf) == at.leaf_of(each)
    assert Person.objects.get().address == "1 High Street, Sydney"
    assert not ImportRow.objects.exists()
    assert not ImportPart.objects.exists()
    assert [act.data["import"] for act in Act.objects.filter(kind__startswith="promotion.import-")] == [made.pk] * 2


BAD = HEADING + (
    "R-1,C-1,,,,,25.00\n"
    ",C-2,,,,,25.00\n"
    "R-3,,Anna,,,,25.00\n"
    "R-4,C-4,,,,,19.99\n"
    "R-5,C-5,,,,,much\n"
    "R-1,C-6,,,,,25.00\n"
    "R-7,C-7,,,,,25.00\n"
    "OLD,C-8,,,,,25.00\n"
    "R-9,C-1,,,,,25.00\n"
    "R-10,C-1,,,,,25.00\n"
    "R-11,C-11\n"
    "R-12,C-12,,,,,25.00,too much\n"
    "R-13,C.13,,,,,25.00\n"
    "R-14,C-INVENTED,Anna,,,,25.00\n"
)
FAULTS = {
    3: "The reference is missing, or longer than 100 characters.",
    4: "A player card is needed to enter.",
    5: "A wager of at least $20.00 is needed to enter.",
    6: "'much' is not an amount: write dollars with two decimals, like 12.50",
    7: "This reference is in the file twice.",
    8: "The holder of this card cannot take part: Employee.",
    9: "This reference has been entered already.",
    11: "This person has entered 2 times, as often as the terms allow.",
    12: "The line has too few cells.",
    13: "The line has more cells than the heading.",
    14: "A player card’s number is up to 32 letters, digits and dashes.",
    15: "There is no such player card: register the player first.",
}


@pytest.fixture
def with_rules() -> None:
    at.running(minimum_wager="20.00", limit_per_person=2)
    exclude_card(card="C-7", why="employee", by=at.manager())
    enter(code="SPRING", card="C-99", reference="OLD", wagered=Money.parse("20.00"), by=actor("device:W-1", "writer"))


@pytest.mark.usefixtures("with_rules")
def test_all_or_nothing_one_bad_row_and_none_enters() -> None:
    made = load(BAD)
    assert (made.state, made.entered, made.refused) == ("refused", 0, 12)
    assert made.outcome == "12 of 14 rows are not good: none was entered."
    assert errors(made) == FAULTS
    assert Entry.objects.count() == 1
    # What is kept of a refused row is where and why, not who; of the file nothing.
    assert {field.attname for field in ImportRow._meta.concrete_fields} == {"of_id", "line", "reference", "error"}
    assert not ImportPart.objects.exists()


@pytest.mark.usefixtures("with_rules")
@pytest.mark.parametrize("batch", [1, 2, 1000])
def test_otherwise_the_good_rows_enter_and_the_others_are_told(monkeypatch: pytest.MonkeyPatch, batch: int) -> None:
    monkeypatch.setattr(imports, "BATCH_ROWS", batch)
    made = load(BAD, all_or_nothing=False)
    assert (made.state, made.entered, made.refused) == ("done", 2, 12)
    assert errors(made) == FAULTS
    assert set(Entry.objects.values_list("reference", flat=True)) == {"OLD", "R-1", "R-9"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "heading-unreadable"),
        ("card,name\nC-1,A\n", "heading-unreadable"),
        ("reference,card,card\nR,C,C\n", "heading-unreadable"),
        ("reference,card,shoe size\nR-1,C-1,44\n", "heading-unreadable"),
        (HEADING, "file-empty"),
        (HEADING + 'R-1,"C-1\n', "file-unreadable"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_whole(text: str, code: str) -> None:
    at.running()
    with pytest.raises(Refusal) as refused, transaction.atomic():
        load(text)
    assert refused.value.code == code
    assert not Import.objects.exists()


def test_a_file_begins_with_a_mark_of_its_encoding_or_not() -> None:
    at.running()
    assert load("\ufeff" + GOOD).entered == 3


def test_somebody_who_enters_between_the_check_and_the_entering_is_counted() -> None:
    at.running(limit_per_person=1)
    made = begin_import(
        code="SPRING",
        name="c.csv",
        lines=["reference,card\n", "R-1,C-1\n", "R-2,C-2\n"],
        by=at.manager(),
        all_or_nothing=False,
    )
    with transaction.atomic():
        imports._step(Import.objects.select_for_update().get(pk=made.pk))  # checked
    assert find_import(made.pk).state == "checked"
    enter(code="SPRING", card="C-1", by=actor("device:W-1", "writer"))
    done = go_on(made.pk)
    assert (done.state, done.entered, done.refused) == ("done", 1, 1)
    assert errors(done) == {2: "This person has entered 1 times, as often as the terms allow."}


def begun_with_six_rows(monkeypatch: pytest.MonkeyPatch) -> Import:
    """Two rows a batch."""
    monkeypatch.setattr(imports, "BATCH_ROWS", 2)
    at.running()
    text = "reference,card\n" + "".join(f"R-{n},C-{n}\n" for n in range(6))
    return begin_import(
        code="SPRING", name="c.csv", lines=text.splitlines(keepends=True), by=at.manager(), all_or_nothing=False
    )


def test_a_cancelled_import_stops_and_what_is_entered_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    made = begun_with_six_rows(monkeypatch)
    for _ in range(2):  # the check, and a batch
        with transaction.atomic():
            imports._step(Import.objects.select_for_update().get(pk=made.pk))
    cancel_import(import_id=made.pk, by=at.manager())
    stopped = go_on(made.pk)
    assert (stopped.state, stopped.entered) == ("cancelled", 2)
    assert stopped.outcome == "Cancelled after 2 of 6 rows."
    assert Entry.objects.count() == 2
    assert not ImportRow.objects.exists()
    assert not ImportPart.objects.exists()
    with pytest.raises(Conflict):
        cancel_import(import_id=made.pk, by=at.manager())


def test_what_was_not_entered_before_the_close_is_not_entered_after_it() -> None:
    at.running()
    made = begin_import(code="SPRING", name="c.csv", lines=GOOD.splitlines(keepends=True), by=at.manager())
    at.due()
    late = go_on(made.pk)
    assert (late.state, late.entered) == ("refused", 0)
    assert "closed" in late.outcome
    close(code="SPRING")
    with pytest.raises(Conflict) as refused:
        load(GOOD)
    assert refused.value.code == "promotion-closed"
    assert Entry.objects.count() == 0


def test_the_task_goes_on_and_the_tick_sends_what_nobody_works_on(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    at.running()
    sent = []
    monkeypatch.setattr(work.do, "apply_async", lambda args, options, retry: sent.append(args))
    with django_capture_on_commit_callbacks(execute=True):
        made = begin_import(code="SPRING", name="c.csv", lines=GOOD.splitlines(keepends=True), by=at.manager())
    assert sent == [(made.work_id,)]
    later = made.work.made_at + timedelta(seconds=11)
    with django_capture_on_commit_callbacks(execute=True):
        work.look_after(later)
    assert sent == [(made.work_id,)] * 2
    work.do(made.work_id)
    assert find_import(made.pk).state == "done"
    work.do(made.work_id)  # a second message does nothing
    assert (find_import(made.pk).state, find_import(made.pk).work.state) == ("done", "done")
    with django_capture_on_commit_callbacks(execute=True):
        work.look_after(later)
    assert len(sent) == 2


def test_another_worker_goes_on_where_one_died_and_nothing_enters_twice(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = begun_with_six_rows(monkeypatch)
    begun = timezone.now()
    Work.objects.filter(pk=made.work_id).update(state="running", told_at=begun)
    for _ in range(2):  # the check, and a batch; then the worker dies
        imports._go_a_step(made.pk)
    assert go_on(made.pk).entered == 2  # it is another's
    sent = []
    monkeypatch.setattr(work.do, "apply_async", lambda args, options, retry: sent.append(args))
    with django_capture_on_commit_callbacks(execute=True):
        work.look_after(begun + work.SILENT / 2)
    assert sent == []
    with django_capture_on_commit_callbacks(execute=True):
        work.look_after(begun + 2 * work.SILENT)
    assert sent == [(made.work_id,)]
    work.do(made.work_id)
    done = find_import(made.pk)
    assert (done.state, done.entered, Entry.objects.count()) == ("done", 6, 6)
    assert (done.work.state, done.work.outcome) == ("done", "6 entered, 0 refused.")


PLAIN = "".join(f"R {n},c-{n % 3 + 1}\n" for n in range(7))
ODD = [
    "R-1\\N,C-1\n",
    "Rö,C-2\n",
    '" R-3 ", C-3 \n',
    '"two\tcells",C-1\n',
    # One cell that would be two rows, were it copied as it is: the second of them somebody else's.
    '"R-1\tC-1\nR-2",C-2\n',
]


@pytest.mark.parametrize("odd", ODD)
def test_rows_are_the_same_whether_read_at_once_or_one_by_one(odd: str) -> None:
    """A part of plain rows is read by one expression; one odd row, and each is looked at by itself."""
    _, terms = terms_in_force(at.running())
    plain = iter(["reference,card\n", *PLAIN.splitlines(keepends=True)])
    together = [part.rows for part in parts_of(plain, terms, rows_a_part=4)]
    lines = io.StringIO(f"reference,card\n{PLAIN}{odd}", newline="")
    (apart,) = (part.rows for part in parts_of(lines, terms, rows_a_part=100))
    assert apart.startswith(b"".join(together))
    assert apart.count(b"\n") == 8  # a row a line, whatever its cells hold


@pytest.mark.parametrize("odd", ODD)
def test_a_cell_of_several_lines_is_one_reference(odd: str) -> None:
    at.running()
    lines = io.StringIO(f"reference,card\n{odd}", newline="")
    made = begin_import(code="SPRING", name="c.csv", lines=lines, by=at.manager())
    assert (go_on(made.pk).entered, made.total) == (1, 1)
    (row,) = csv.reader(io.StringIO(odd, newline=""))
    assert Entry.objects.get().reference == row[0].strip()


def test_importing_is_not_everybodys() -> None:
    at.running()
    with pytest.raises(Forbidden):
        begin_import(code="SPRING", name="c.csv", lines=[GOOD], by=actor("device:W-1", "writer"))


CARDS = st.sampled_from(["C-1", "c-1", "C-2", "C-3", "C-7", "", "C 4"])
ROWS = st.lists(CARDS, min_size=1, max_size=12).map(
    lambda cards: [(f"R-{n}" if n % 5 else "", card) for n, card in enumerate(cards, start=1)]
)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS, limit=st.integers(1, 3), before=st.integers(0, 2))
def test_a_file_enters_what_entering_its_rows_one_by_one_would(rows: Any, limit: int, before: int) -> None:
    """Against the one-at-a-time verb: the same rows enter, in whatever order good and bad come."""
    with transaction.atomic():
        at.running("ONE", limit_per_person=limit)
        at.running("MANY", limit_per_person=limit)
        exclude_card(card="C-7", why="employee", by=at.manager())
        writer = actor("device:W-1", "writer")
        for code in ("ONE", "MANY"):
            for n in range(before):
                if n < limit:
                    enter(code=code, card="C-2", reference=f"before {n}", by=writer)
        for reference, card in rows:
            try:
                if not reference:
                    continue
                with transaction.atomic():
                    enter(code="ONE", card=card, reference=reference, by=writer)
            except Refusal:
                continue
        text = "reference,card\n" + "".join(f"{reference},{card}\n" for reference, card in rows)
        made = begin_import(
            code="MANY", name="c.csv", lines=text.splitlines(keepends=True), by=at.manager(), all_or_nothing=False
        )
        go_on(made.pk)
        found = {
            code: Counter(Entry.objects.filter(promotion__code=code).values_list("entrant__identity", flat=True))
            for code in ("ONE", "MANY")
        }
        assert found["ONE"] == found["MANY"]
        transaction.set_rollback(True)
