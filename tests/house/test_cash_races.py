"""Two desks pay one person at the same moment: together they cross the limit, and one of them sees it.

Without the lock neither would: each counts what the other has not committed yet.
"""

from __future__ import annotations

import contextlib
import threading
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from house.cash import customers, hand_over
from house.cash.cheques import WrittenCheque
from house.cash.hand_over import HandedOver, Receiver
from house.cash.identity import Identity
from house.gaming_days import gaming_day_at
from house.models import CashLine, Cheque, Customer, Structuring, ThresholdReport
from house.plan_days import ensure_gaming_days
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Refusal
from tests.world.cash import kind
from tests.world.players import registered

pytestmark = pytest.mark.django_db(transaction=True)

DESKS = 2
ANNA = {"name": "Anna Marsh", "born": "1980-02-29", "address": "1 Binara Street", "document": "passport"}
SPELT = ("PA1234567", "pa 123-4567")


@pytest.fixture(autouse=True)
def venue_is_open() -> None:
    ensure_gaming_days()


def at_once(monkeypatch: pytest.MonkeyPatch, receivers: list[Receiver], *, patience: float, **more: Any) -> list[str]:
    """Each desk pays $6,000; between counting and committing, every one that can waits for the others."""
    counted = threading.Barrier(len(receivers))
    count = hand_over._count

    def count_and_wait(desk: Any) -> None:
        count(desk)
        with contextlib.suppress(threading.BrokenBarrierError):  # the lock kept the others out, as it should
            counted.wait(timeout=patience)

    monkeypatch.setattr(hand_over, "_count", count_and_wait)
    outcomes: list[str] = []

    def desk(number: int) -> None:
        now = timezone.now()
        given = HandedOver(
            kind=kind("keno", "ticket"),
            payment=number,
            reference=f"T{number}",
            cash=Money.dollars(6_000),
            day=gaming_day_at(now).date,
            at=now,
            **more,
        )
        try:
            with transaction.atomic():
                hand_over.hand_over(given, receiver=receivers[number], by=Actor(f"device:W-{number}", "W"))
            outcomes.append("paid")
        except Refusal as refusal:
            outcomes.append(refusal.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=desk, args=(number,)) for number in range(len(receivers))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(outcomes)


def by_passport() -> list[Receiver]:
    return [Receiver(identity=Identity.read(ANNA | {"document_number": number})) for number in SPELT]


def test_two_payments_at_once_are_seen_to_cross_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert at_once(monkeypatch, by_passport(), patience=0.2) == ["paid"] * DESKS
    assert [(str(each.cash), each.lines.count()) for each in ThresholdReport.objects.all()] == [("12000.00", 2)]
    assert Structuring.objects.count() == 1


def test_the_second_of_two_is_asked_who_he_is(monkeypatch: pytest.MonkeyPatch) -> None:
    registered("C-1")
    outcomes = at_once(monkeypatch, [Receiver(card="C-1"), Receiver(card="c-1")], patience=0.2)
    assert outcomes == ["identity-needed", "paid"]
    assert CashLine.objects.count() == 1


def test_without_the_lock_neither_would_be(monkeypatch: pytest.MonkeyPatch) -> None:
    with transaction.atomic():
        customers.hold([customers.marks_of(receiver.identity) for receiver in by_passport() if receiver.identity])
    monkeypatch.setattr(customers, "_HOLD", customers._HOLD.replace("FOR UPDATE OF customer", ""))
    assert at_once(monkeypatch, by_passport(), patience=30) == ["paid"] * DESKS
    assert CashLine.objects.count() == DESKS
    assert not ThresholdReport.objects.exists()


def test_two_who_are_met_for_the_first_time_at_once_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once(monkeypatch, by_passport(), patience=0.2)
    assert Customer.objects.filter(same_as=None).count() == 1
    assert Customer.objects.count() == 2  # the document, and the name with its date


def test_one_cheque_written_at_two_desks_at_once_is_paid_once(monkeypatch: pytest.MonkeyPatch) -> None:
    cheque = WrittenCheque(amount=Money.dollars(500), number="000781")
    outcomes = at_once(monkeypatch, [Receiver(), Receiver()], patience=0.2, cheque=cheque)
    assert outcomes == ["cheque-used", "paid"]
    assert Cheque.objects.count() == 1
