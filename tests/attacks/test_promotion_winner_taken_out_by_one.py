"""The draw chose somebody else: one person says that the winner was absent, ineligible, denied or did not want it.

What stops it: after the draw a prize is lost only by a person who notes it, another who seconds it and the scrutineer
who signs, three different people, which the database holds, too; nothing is lost by the clock alone. And whoever wins
instead is the next in the order that the draw gave: nobody can be named. Not stopped: the three of them together; it is
shown on the public page, in the proof and in the log.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction

from promotions.locks import database_time
from promotions.models import Loss, LossCase, Win
from tests.attacks.promotions import Insiders, due
from tests.world.promotion_draws import failed, promised, published

pytestmark = pytest.mark.django_db


def drawn(insiders: Insiders) -> Win:
    due(must_be_present=True, call_seconds=60)
    insiders.supervisor.post("promotions/SPRING/draw")
    (win,) = Win.objects.all()
    insiders.supervisor.post(f"promotions/winners/{win.pk}/call")
    Win.objects.update(call_ends_at=database_time() - timedelta(seconds=1))
    return win


def test_one_person_takes_nothing_whatever_he_calls_it() -> None:
    insiders = Insiders()
    win = drawn(insiders)
    for how, body in (("absent", {}), ("ineligible", {"why": "His cousin."}), ("decline", {})):
        insiders.manager.post(f"promotions/winners/{win.pk}/{how}", body)
        for again in (how, "loss/second", "loss/sign"):
            answer = insiders.manager.post(f"promotions/winners/{win.pk}/{again}", body)
            assert 400 <= answer.status_code < 500, (how, again, answer.content)
        win.refresh_from_db()
        assert (win.status, Loss.objects.count()) == ("drawn", 0)
        insiders.supervisor.post(f"promotions/winners/{win.pk}/loss/withdraw")


def test_nor_do_two_nor_a_scrutineer_who_was_one_of_them() -> None:
    insiders = Insiders()
    win = drawn(insiders)
    loss = f"promotions/winners/{win.pk}/loss"
    insiders.supervisor.post(f"promotions/winners/{win.pk}/absent")
    insiders.manager.post(f"{loss}/second")
    for caller in (insiders.supervisor, insiders.manager, insiders.other_manager, insiders.inspector):
        assert caller.post(f"{loss}/sign").status_code == 403
    # One of the two is nominated: he does not sign what he said himself.
    body = {"scrutineer": insiders.identities["manager"]}
    assert insiders.other_manager.post("promotions/SPRING/scrutineer", body).status_code == 200
    manager = insiders.at_console("manager")
    manager.post("promotions/SPRING/scrutineer/attend")
    answer = manager.post(f"{loss}/sign")
    assert (answer.status_code, answer.json()["code"]) == (403, "same-person")
    win.refresh_from_db()
    assert (win.status, Loss.objects.count()) == ("drawn", 0)


def test_three_people_move_it_on_in_the_order_of_the_draw() -> None:
    insiders = Insiders()
    win = drawn(insiders)
    noted, loss = promised(), f"promotions/winners/{win.pk}/loss"
    insiders.supervisor.post(f"promotions/winners/{win.pk}/absent")
    insiders.manager.post(f"{loss}/second")
    insiders.other_manager.post("promotions/SPRING/scrutineer", {"scrutineer": insiders.identities["auditor"]})
    auditor = insiders.at_console("auditor")
    auditor.post("promotions/SPRING/scrutineer/attend")
    (instead,) = auditor.post(f"{loss}/sign").json()["results"]
    order = published()["proof"]["numbers"]
    assert (win.pick.number, instead["entry"]) == (order[0], order[1])
    assert failed(published(), noted) == []
    # The database holds that they were three, and that it is over.
    case = LossCase.objects.get()
    for change in ({"signed_by": case.noted_by}, {"seconded_by": case.noted_by}, {"reason": "declined"}):
        with pytest.raises(DatabaseError), transaction.atomic():
            LossCase.objects.update(**change)
