"""A cheat's friend at the counter hurries: the prize is put on hold while four terminals try to pay it.

What stops it: hold and payment lock the same ticket, so that one of them comes first; and the row of a prize refuses a
payment while its ticket is on hold, whoever writes it."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from keno.models import Payment, Prize
from tests.attacks.counter import pay, winner
from tests.attacks.insider import Answer, House


def test_a_held_prize_is_paid_by_nobody_and_a_paid_one_is_held_too_late(house: House) -> None:
    writers, supervisor = [house.insider("writer") for _ in range(4)], house.insider("supervisor")
    sold = winner(house, writers[0])
    answers: list[Answer] = []

    def tries(do: Any) -> threading.Thread:
        thread = threading.Thread(target=lambda: answers.append(do()))
        thread.start()
        return thread

    hold: list[Answer] = []
    put = threading.Thread(
        target=lambda: hold.append(supervisor.post(f"keno/tickets/{sold['serial']}/hold", {"why": "A breach."}))
    )
    put.start()
    for thread in [tries(lambda writer=writer: pay(writer, sold)) for writer in writers] + [put]:
        thread.join()
    paid = [each for each in answers if each.status == 200]
    assert len(paid) <= 1
    assert {each.body["code"] for each in answers if each.status != 200} <= {"prize-held", "already-paid"}
    assert hold[0].status == 201
    # From here on nobody, in no way, whatever happened in that moment.
    with house.unchanged():
        for writer in writers:
            assert pay(writer, sold).refused("already-paid" if paid else "prize-held")
    if not paid:
        ticket = Prize.objects.get(ticket__serial=sold["serial"]).ticket
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("UPDATE keno_prize SET payment_id = 1 WHERE ticket_id = %s", [ticket.pk])
    assert Payment.objects.filter(ticket__serial=sold["serial"]).count() == len(paid)
