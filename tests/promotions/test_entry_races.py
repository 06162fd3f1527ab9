"""Entries at the same moment: against the close, against each other, against the limit."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from django.db import OperationalError, connection, transaction

from kernel.refusal import Refusal
from ledger.models import Act
from promotions import enter as entering
from promotions.enter import enter
from promotions.models import Entry, Promotion
from promotions.run import close
from promotions.seal import seal
from tests.world import promotions as at
from tests.world.people import actor
from tests.world.threads import in_threads

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 30.0


@pytest.fixture(autouse=True)
def house() -> None:
    from house.seed import seed

    seed()  # a flush before this test took what migrations had put there


@pytest.fixture
def under_way() -> Iterator[Callable[[], None]]:
    """An entry that is written and not committed; calling the answer commits it."""
    written, go = threading.Event(), threading.Event()
    by = actor("device:W-1", "writer")

    def entering() -> None:
        try:
            with transaction.atomic():
                enter(code="SPRING", card="C-1", by=by)
                written.set()
                go.wait(PATIENCE)
        finally:
            written.set()
            connection.close()

    at.running()
    thread = threading.Thread(target=entering)
    thread.start()
    assert written.wait(PATIENCE)

    def commit() -> None:
        go.set()
        thread.join(PATIENCE)

    yield commit
    commit()


def impatiently(step: Callable[..., object]) -> None:
    """With a tenth of a second for a lock instead of three."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '100ms'")
        step(code="SPRING")


def test_the_close_waits_for_an_entry_under_way_and_counts_it(under_way: Callable[[], None]) -> None:
    at.due()
    with pytest.raises(OperationalError, match="lock timeout"):
        impatiently(close)
    assert Promotion.objects.get().status == "running"
    under_way()
    close(code="SPRING")
    assert Act.objects.get(kind="promotion.closed").data["entries"] == 1
    assert seal(code="SPRING").count == 1


@pytest.fixture
def without_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entering, "hold_entries", lambda promotion_id: None)


def test_without_the_lock_the_race_is_real(without_the_lock: None, under_way: Callable[[], None]) -> None:
    at.due()
    impatiently(close)
    sealed = seal(code="SPRING")
    under_way()
    assert (sealed.count, Entry.objects.count()) == (0, 1)  # an entry after the close, in no list


def test_of_entries_at_once_the_limit_lets_through_as_many_as_it_says() -> None:
    at.running(limit_per_person=3)
    by = actor("device:W-1", "writer")

    def one() -> str:
        try:
            enter(code="SPRING", card="C-1", by=by)
        except Refusal as refusal:
            return refusal.code
        return "entered"

    answers = in_threads(8, one)
    assert sorted(answers) == ["entered"] * 3 + ["limit-reached"] * 5
    assert Entry.objects.count() == 3


def test_the_same_coupon_at_two_terminals_enters_once() -> None:
    at.running()
    by = actor("device:W-1", "writer")

    def one() -> str:
        try:
            enter(code="SPRING", card="C-1", reference="coupon 7", by=by)
        except Refusal as refusal:
            return refusal.code
        return "entered"

    assert sorted(in_threads(6, one)) == ["already-entered"] * 5 + ["entered"]
