"""A manager who draws a car wants to sign its result, too: by a device, a service account, an account of his making.

What stops it: the scrutineer is a person with an account and a second step of his own, who signs at the console; no
token signs, whoever holds it, and nobody who acts through tokens only can be nominated. An account that may oversee
draws takes two people to make and two halves of a code to enrol (house/staff.py), so a manager has no second one. What
was not signed is called, told, claimed and paid by nobody. Not stopped: two people who lie together; both are named.
"""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from house.models import Device, SecondStep, Staff
from promotions.models import Draw, Win
from tests.attacks.promotions import Insiders, due, everything, refused_answer
from tests.world.promotion_draws import CAR

pytestmark = pytest.mark.django_db
SCRUTINEER = "promotions/SPRING/scrutineer"


def test_no_machine_and_no_account_of_his_own_oversees_the_draw() -> None:
    insiders = Insiders()
    due(prizes=[CAR])
    before = everything()
    machine = Device.objects.get(holder=insiders.people["auditor"])
    Staff.objects.create(username="puppet", name="Puppet", is_demo=True, signs_in=False)  # of a token
    new = Staff.objects.create(username="newcomer", name="Newcomer")  # has not enrolled: anybody might, in his name
    for person in (new, Staff.objects.get(username="puppet")):
        person.roles.set(insiders.people["auditor"].roles.all())
    named = [f"device:{machine.code}", "system:sealer", "staff:nobody", "staff:puppet", "auditor", ""]
    for scrutineer in named:
        refused_answer(
            insiders.supervisor.post(SCRUTINEER, {"scrutineer": scrutineer}), "scrutineer-unknown", "malformed"
        )
    refused_answer(insiders.supervisor.post(SCRUTINEER, {"scrutineer": "staff:newcomer"}), "scrutineer-not-enrolled")
    himself = insiders.identities["manager"]
    for spelt in (himself, himself.upper(), f" {himself} "):
        refused_answer(insiders.manager.post(SCRUTINEER, {"scrutineer": spelt}), "scrutineer-draws")
    refused_answer(insiders.manager.post("promotions/SPRING/draw"), "scrutineer-absent")
    assert everything() == before


def test_no_token_attends_or_signs_not_even_the_scrutineers_own() -> None:
    insiders = Insiders()
    due(prizes=[CAR])
    insiders.manager.post(SCRUTINEER, {"scrutineer": insiders.identities["auditor"]})
    for caller in (insiders.auditor, insiders.manager, insiders.inspector):
        refused_answer(caller.post(f"{SCRUTINEER}/attend"), "in-person")
    auditor = insiders.at_console("auditor")
    assert auditor.post(f"{SCRUTINEER}/attend").status_code == 200
    assert insiders.manager.post("promotions/SPRING/draw").status_code == 200
    win, before = Win.objects.get(), everything()
    for caller in (insiders.auditor, insiders.manager, insiders.at_console("manager")):
        refused_answer(caller.post(f"{SCRUTINEER}/sign"), "in-person", "not-the-scrutineer")
    SecondStep.objects.filter(user=insiders.people["auditor"]).delete()  # signed in, and the second step is gone
    assert auditor.post(f"{SCRUTINEER}/sign").status_code in (401, 403)
    claim = {"name": "Anna", "address": "1 Lake Street"}
    refused_answer(insiders.manager.post(f"promotions/winners/{win.pk}/claim", claim), "result-not-signed")
    told = {"how": "telephone", "reached": True}
    refused_answer(insiders.manager.post(f"promotions/winners/{win.pk}/notifications", told), "result-not-signed")
    assert everything() == before
    # The database knows it, too: no device in the scrutineer's place, and no result without a signature.
    for change in ({"scrutineer": "device:X-0001"}, {"published_at": win.won_at}):
        with pytest.raises(DatabaseError), transaction.atomic():
            Draw.objects.update(**change)
