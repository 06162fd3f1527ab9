"""Privileged devices: proposed by one, decided by another, collected by the holder."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from house import callers, device_changes, devices
from house.approvals import approve, describe, propose
from house.models import Device, DeviceToken, Proposal, SecondStep, Staff, TokenDue
from kernel.actors import Actor
from kernel.refusal import Conflict, Forbidden, NotSignedIn
from tests.house.conftest import Clock, Log, MakeActor, MakePerson
from tests.world.refusals import refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def sue(person: MakePerson) -> Staff:
    sue = person("sue", "supervisor")
    SecondStep.objects.create(user=sue, confirmed=True)
    return sue


NEW = {"profile": "supervisor", "name": "Night audit", "place": ""}


def change(kind: str, subject: str, new: Any, by: Actor) -> Proposal:
    return propose(kind=kind, subject=subject, new=new, why="Needed.", by=by)


def held(sue: Staff, administrator: Actor, manager: Actor) -> Device:
    approve(proposal_id=change(device_changes.NEW_DEVICE, "sue", NEW, administrator).pk, by=manager)
    return Device.objects.get()


def test_one_proposes_another_decides_the_holder_collects(
    sue: Staff, administrator: Actor, manager: Actor, log: Log
) -> None:
    proposal = change(device_changes.NEW_DEVICE, "sue", NEW, administrator)
    assert describe(proposal) == "A new supervisor device, “Night audit”, held by sue."
    refused(lambda: approve(proposal_id=proposal.pk, by=administrator), "own-proposal", Forbidden)
    refused(lambda: approve(proposal_id=proposal.pk, by=sue.as_actor()), "own-affair", Forbidden)
    assert not Device.objects.exists()
    approve(proposal_id=proposal.pk, by=manager)
    device = Device.objects.get()
    assert (device.holder, device.identity) == (sue, "staff:sue")
    assert not DeviceToken.objects.exists()
    for somebody in (administrator, manager):
        collect = partial(device_changes.collect_token, code=device.code, by=somebody)
        refused(collect, "not-the-holder", Forbidden)
    token = device_changes.collect_token(code=device.code, by=sue.as_actor()).secret
    acting = callers.actor_for_token(token)
    assert acting is not None
    through: Actor = acting
    assert (acting.identity, acting.device) == ("staff:sue", "S-0001")
    refused(lambda: device_changes.collect_token(code=device.code, by=sue.as_actor()), "no-token-due", Conflict)
    # Not even through the token that he has: a stolen one does not renew itself.
    rolled = change(device_changes.NEW_TOKEN, "S-0001", {"overlap_seconds": 0}, administrator)
    approve(proposal_id=rolled.pk, by=manager)
    refused(lambda: device_changes.collect_token(code=device.code, by=through), "not-the-holder", Forbidden)
    newer = device_changes.collect_token(code=device.code, by=sue.as_actor()).secret
    assert callers.actor_for_token(token) is None
    assert callers.actor_for_token(newer) is not None


def test_the_holder_never_decides_about_his_own_device(
    administrator: Actor, manager: Actor, person: MakePerson, actor: MakeActor
) -> None:
    own = {"profile": "manager", "name": "Mine", "place": ""}
    proposal = change(device_changes.NEW_DEVICE, " Manager ", own, administrator)
    refused(lambda: approve(proposal_id=proposal.pk, by=manager), "own-affair", Forbidden)
    approve(proposal_id=proposal.pk, by=actor("mona", "manager"))
    for kind, new in (
        (device_changes.NEW_TOKEN, {"overlap_seconds": 0}),
        (device_changes.HOLDING, {"holder": "mona", "profile": "manager"}),
    ):
        again = change(kind, "device:s-0001", new, administrator)
        assert again.subject == "device:S-0001"
        refused(partial(approve, proposal_id=again.pk, by=manager), "own-affair", Forbidden)
    refused(lambda: approve(proposal_id=again.pk, by=actor("mona")), "own-affair", Forbidden)


def test_only_somebody_of_that_role_can_hold_it(sue: Staff, administrator: Actor, manager: Actor) -> None:
    refused(
        lambda: change(device_changes.NEW_DEVICE, "sue", NEW | {"profile": "manager"}, administrator),
        "holder-not-allowed",
    )
    proposal = change(device_changes.NEW_DEVICE, "sue", NEW, administrator)
    sue.roles.clear()
    assert approve(proposal_id=proposal.pk, by=manager).status == "failed"
    assert not Device.objects.exists()


def test_another_holder_gets_his_own_token_and_the_old_one_ends(
    sue: Staff, administrator: Actor, manager: Actor, person: MakePerson
) -> None:
    device = held(sue, administrator, manager)
    old = device_changes.collect_token(code=device.code, by=sue.as_actor()).secret
    sam = person("sam", "supervisor")
    SecondStep.objects.create(user=sam, confirmed=True)
    new = {"holder": "sam", "profile": "supervisor"}
    approve(proposal_id=change(device_changes.HOLDING, device.code, new, administrator).pk, by=manager)
    assert callers.actor_for_token(old) is None
    refused(lambda: device_changes.collect_token(code=device.code, by=sue.as_actor()), "not-the-holder", Forbidden)
    token = device_changes.collect_token(code=device.code, by=sam.as_actor()).secret
    acting = callers.actor_for_token(token)
    assert acting is not None
    assert acting.identity == "staff:sam"


def test_a_token_not_collected_in_a_week_is_gone(
    sue: Staff, administrator: Actor, manager: Actor, clock: Clock
) -> None:
    device = held(sue, administrator, manager)
    clock.shift(timedelta(days=7))
    assert device_changes.waiting_for(sue) == []
    refused(lambda: device_changes.collect_token(code=device.code, by=sue.as_actor()), "no-token-due", Conflict)


def test_alone_nobody_rolls_or_provisions_what_is_held(sue: Staff, administrator: Actor, manager: Actor) -> None:
    device = held(sue, administrator, manager)
    verbs: tuple[Callable[..., Any], ...] = (devices.roll_token, devices.provisioning_code)
    for alone in verbs:
        refused(partial(alone, code=device.code, by=manager), "needs-second-person", Conflict)
    assert not DeviceToken.objects.exists()
    devices.revoke_device(code=device.code, why="Stolen.", by=manager)  # to stop something needs nobody else
    assert not TokenDue.objects.exists()


def test_two_people_bind_a_table_to_its_tables(administrator: Actor, manager: Actor) -> None:
    device = devices.register_device(name="Pit 2", kind="table-controller", by=administrator)
    token = devices.roll_token(code=device.code, by=administrator).secret
    acting = callers.actor_for_token(token)
    assert acting is not None
    assert acting.tables == frozenset()
    proposal = change(device_changes.TABLES, device.code, ["CSP-01", "CSP-02"], administrator)
    assert describe(proposal) == "T-0001 works at CSP-01 and CSP-02."
    refused(lambda: approve(proposal_id=proposal.pk, by=administrator), "own-proposal", Forbidden)
    approve(proposal_id=proposal.pk, by=manager)
    acting = callers.actor_for_token(token)
    assert acting is not None
    assert acting.tables == frozenset({"CSP-01", "CSP-02"})
    refused(lambda: change(device_changes.TABLES, device.code, ["csp 1"], administrator), "table-not-readable")
    writer = devices.register_device(name="Counter", kind="writer-terminal", by=administrator)
    refused(lambda: change(device_changes.TABLES, writer.code, [], administrator), "tables-not-allowed", Conflict)


def test_without_the_demo_the_command_line_only_proposes(
    sue: Staff, administrator: Actor, manager: Actor, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.DEMO = False
    call_command("token", "supervisor", "--holder", "sue", "--name", "Night audit")
    said = capsys.readouterr().out
    assert "Proposed as change" in said
    assert "mh_" not in said
    assert not DeviceToken.objects.exists()
    asked = Proposal.objects.get().pk
    assert approve(proposal_id=asked, by=administrator).status == "proposed"  # taken up: nobody stood behind it
    refused(lambda: approve(proposal_id=asked, by=administrator), "own-proposal", Forbidden)
    assert approve(proposal_id=asked, by=manager).status == "effective"
    assert callers.actor_for_token(device_changes.collect_token(code="S-0001", by=sue.as_actor()).secret) is not None
    for arguments, says in (
        (["supervisor"], "say who, with --holder"),
        (["manager", "--holder", "sue"], "Sue is no manager"),
        (["inspector", "--holder", "sue"], "An inspector enrols himself"),
        (["inspector"], "An inspector enrols himself"),
    ):
        with pytest.raises(CommandError, match=says):
            call_command("token", *arguments)
    call_command("token", "table", "--tables", "CSP-01")
    assert Device.objects.get(code="T-0001").tables == []


def test_who_must_enrol_again_has_no_device_either(sue: Staff, administrator: Actor, manager: Actor) -> None:
    device = held(sue, administrator, manager)
    token = device_changes.collect_token(code=device.code, by=sue.as_actor()).secret
    asked = propose(kind="house.access", subject="sue", new={"because": "lost-both"}, why="Lost.", by=administrator)
    approve(proposal_id=asked.pk, by=manager)
    refused(lambda: callers.actor_for_token(token), "holder-may-not-act", NotSignedIn)
