from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.contrib.auth.hashers import identify_hasher
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command

from config import settings as shipped
from house import callers, devices, staff
from house.models import Grant, Staff
from house.permissions import MANAGE_STAFF, VIEW_AUDIT
from kernel.refusal import Conflict, Forbidden, NotFound, Refusal
from ledger.models import Transfer
from tests.house.conftest import PASSWORD, Log, MakeActor, MakePerson
from tests.world.refusals import refused

pytestmark = pytest.mark.django_db


def test_an_actor_holds_what_all_the_roles_hold(person: MakePerson) -> None:
    both = person("anna", "writer", "auditor")
    actor = both.as_actor()
    assert (actor.identity, actor.name) == ("staff:anna", "Anna")
    assert actor.permissions == set(
        Grant.objects.filter(role__in=["writer", "auditor"]).values_list("permission", flat=True)
    )
    assert actor.may(VIEW_AUDIT)
    assert not actor.may(MANAGE_STAFF)


@pytest.mark.parametrize("state", [{"is_active": False}, {"must_change_password": True}])
def test_who_left_or_has_a_first_password_may_do_nothing(person: MakePerson, state: Any) -> None:
    assert person("anna", "administrator", **state).as_actor().permissions == frozenset()


def test_hire(actor: MakeActor, log: Log) -> None:
    staff.hire(username="wim", name=" Wim Bos ", roles=["writer", "dealer"], by=actor("administrator"))
    wim = Staff.objects.get(username="wim")
    assert (wim.name, wim.is_active, wim.must_change_password) == ("Wim Bos", True, True)
    assert staff.roles_of(wim) == ["dealer", "writer"]
    assert not wim.has_usable_password()  # nobody hands out another's first password: tests/house/test_access.py
    assert log.acts == [("staff.hired", "staff:wim", "staff:administrator")]


@pytest.mark.parametrize(
    ("given", "code", "error"),
    [
        ({"username": "Wim"}, "username-not-allowed", Refusal),
        ({"username": "wim bos"}, "username-not-allowed", Refusal),
        ({"username": "w" * 33}, "username-not-allowed", Refusal),
        ({"username": "taken"}, "username-taken", Conflict),
        ({"name": " "}, "name-missing", Refusal),
        ({"roles": ["pilot"]}, "no-such-role", Refusal),
        ({"roles": ["writer", "manager"]}, "role-needs-approval", Refusal),
        ({"roles": ["administrator"]}, "role-needs-approval", Refusal),
    ],
)
def test_hire_refusals(
    actor: MakeActor, person: MakePerson, log: Log, given: dict[str, Any], code: str, error: type[Refusal]
) -> None:
    administrator = actor("administrator")
    person("taken", "writer")
    wanted = {"username": "wim", "name": "Wim", "roles": ["writer"]} | given
    refused(lambda: staff.hire(**wanted, by=administrator), code, error)
    assert set(Staff.objects.values_list("username", flat=True)) == {"administrator", "taken"}
    assert not log.acts


def test_only_administrators_manage_staff(actor: MakeActor, log: Log) -> None:
    manager = actor("manager")
    actor("writer")
    refused(lambda: staff.hire(username="wim", name="Wim", roles=[], by=manager), "no-permission", Forbidden)
    for verb in (staff.deactivate, staff.reactivate):
        refused(partial(verb, username="writer", why="because", by=manager), "no-permission", Forbidden)
    assert not log.acts
    assert Staff.objects.filter(is_active=True).count() == 2


def session_of(who: Staff) -> str:
    session = SessionStore()
    session["_auth_user_id"] = str(who.pk)
    session.create()
    return str(session.session_key)


def test_deactivate_ends_every_session_of_that_person_alone(actor: MakeActor, person: MakePerson, log: Log) -> None:
    administrator, wim, other = actor("administrator"), person("wim", "writer"), person("other", "writer")
    session_of(wim), session_of(wim)
    kept = session_of(other)
    staff.deactivate(username="wim", why="Left", by=administrator)
    wim.refresh_from_db()
    assert not wim.is_active
    assert list(Session.objects.values_list("session_key", flat=True)) == [kept]
    assert log.acts == [("staff.deactivated", "staff:wim", "staff:administrator")]
    refused(lambda: staff.deactivate(username="wim", why="Again", by=administrator), "already-inactive", Conflict)
    refused(lambda: staff.deactivate(username="nobody", why="?", by=administrator), "no-such-person", NotFound)
    refused(lambda: staff.deactivate(username="other", why=" ", by=administrator), "reason-missing")
    staff.reactivate(username="wim", why="Came back", by=administrator)
    wim.refresh_from_db()
    assert (wim.is_active, wim.must_change_password) == (True, True)


def test_the_last_administrator_stays(actor: MakeActor, person: MakePerson, log: Log) -> None:
    administrator = actor("administrator")
    gone = person("gone", "administrator", is_active=False)
    refused(lambda: staff.deactivate(username="administrator", why="Bye", by=administrator), "last-administrator")
    assert Staff.objects.get(username="administrator").is_active
    assert not log.acts
    gone.is_active = True
    gone.save()
    staff.deactivate(username="administrator", why="Bye", by=administrator)


def test_change_own_password(person: MakePerson, log: Log) -> None:
    wim = person("wim", "writer", must_change_password=True)
    here, elsewhere = session_of(wim), session_of(wim)
    new = "another horse entirely"
    refused(lambda: staff.change_own_password(staff=wim, current="wrong", new=new), "wrong-password")
    refused(lambda: staff.change_own_password(staff=wim, current=PASSWORD, new=PASSWORD), "password-unchanged")
    refused(lambda: staff.change_own_password(staff=wim, current=PASSWORD, new="short"), "password-weak")
    refused(lambda: staff.change_own_password(staff=wim, current=PASSWORD, new="password1234"), "password-weak")
    assert Staff.objects.get(username="wim").check_password(PASSWORD)
    assert not log.acts
    staff.change_own_password(staff=wim, current=PASSWORD, new=new, session_key=here)
    assert wim.check_password(new)
    assert not wim.must_change_password
    assert [session.session_key for session in Session.objects.all()] == [here]
    assert elsewhere != here
    assert log.acts == [("staff.password-changed", "staff:wim", "staff:wim")]


def test_passwords_are_kept_by_argon2(settings: Any) -> None:
    settings.PASSWORD_HASHERS = shipped.PASSWORD_HASHERS
    someone = Staff(username="anna")
    someone.set_password(PASSWORD)
    assert identify_hasher(someone.password).algorithm == "argon2"
    assert someone.check_password(PASSWORD)


def test_the_first_administrator_comes_from_the_command_line(capsys: pytest.CaptureFixture[str], log: Log) -> None:
    call_command("administrator", "root", "Ruth Ott")
    password = capsys.readouterr().out.splitlines()[-1]
    ruth = Staff.objects.get(username="root")
    assert ruth.check_password(password)
    assert (staff.roles_of(ruth), ruth.must_change_password) == (["administrator"], True)
    assert log.acts == [("staff.hired", "staff:root", "system:installation")]
    call_command("administrator", "second", "Sam")  # two let in everybody else together
    with pytest.raises(CommandError, match="There are two administrators already"):
        call_command("administrator", "third", "Theo")
    assert Staff.objects.count() == 2


def test_nobody_is_made_at_a_command_line_once_the_books_are_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Transfer.objects, "exists", lambda: True)
    with pytest.raises(CommandError, match="The books are in use"):
        call_command("administrator", "root", "Ruth Ott")
    assert not Staff.objects.exists()


def test_who_is_dismissed_holds_nothing_any_more(actor: MakeActor) -> None:
    issued = devices.service_token(role="manager")
    assert issued.device.holder is not None
    staff.deactivate(username=issued.device.holder.username, why="Left", by=actor("administrator"))
    issued.device.refresh_from_db()
    assert issued.device.status == "revoked"
    assert issued.device.tokens.get().revoked_at is not None
    assert callers.actor_for_token(issued.secret) is None


def test_nobody_of_the_house_dismisses_an_inspector(actor: MakeActor, person: MakePerson) -> None:
    person("ines", "inspector")
    refused(lambda: staff.deactivate(username="ines", why="Nosy", by=actor("administrator")), "inspector-not-ours")
    assert Staff.objects.get(username="ines").is_active
