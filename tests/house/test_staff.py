from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.hashers import identify_hasher
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django_otp.plugins.otp_totp.models import TOTPDevice

from config import settings as shipped
from house import staff
from house.models import Grant, Staff
from house.refusal import Conflict, Forbidden, NotFound, Refusal
from tests.house.conftest import PASSWORD, Log, MakeActor, MakePerson

pytestmark = pytest.mark.django_db


def refused(call: Callable[[], object], code: str, error: type[Refusal] = Refusal) -> Refusal:
    with pytest.raises(error) as caught:
        call()
    assert caught.value.code == code
    return caught.value


def test_an_actor_holds_what_all_the_roles_hold(person: MakePerson) -> None:
    both = person("anna", "writer", "auditor")
    actor = staff.actor_for(both)
    assert (actor.identity, actor.name) == ("staff:anna", "Anna")
    assert actor.permissions == set(
        Grant.objects.filter(role__in=["writer", "auditor"]).values_list("permission", flat=True)
    )
    assert actor.may("audit.view")
    assert not actor.may("staff.manage")


@pytest.mark.parametrize("state", [{"is_active": False}, {"must_change_password": True}])
def test_who_left_or_has_a_first_password_may_do_nothing(person: MakePerson, state: Any) -> None:
    assert staff.actor_for(person("anna", "administrator", **state)).permissions == frozenset()


def test_hire(actor: MakeActor, log: Log) -> None:
    hired = staff.hire(username="wim", name=" Wim Bos ", roles=["writer", "dealer"], by=actor("administrator"))
    wim = Staff.objects.get(username="wim")
    assert (wim.name, wim.is_active, wim.must_change_password) == ("Wim Bos", True, True)
    assert staff.roles_of(wim) == ["dealer", "writer"]
    assert wim.check_password(hired.password)
    assert log.acts == [("staff.hired", "staff:wim", "staff:administrator")]
    assert hired.password not in str(log.data)


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
    for verb in (staff.deactivate, staff.reactivate, staff.reset_second_step, staff.reset_password):
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


def test_reset_second_step(actor: MakeActor, person: MakePerson, log: Log) -> None:
    administrator, wim = actor("administrator"), person("wim", "writer", second_step_failures=3)
    TOTPDevice.objects.create(user=wim, name="phone")
    session_of(wim)
    staff.reset_second_step(username="wim", why="Lost telephone", by=administrator)
    wim.refresh_from_db()
    assert not TOTPDevice.objects.exists()
    assert wim.second_step_failures == 0
    assert not Session.objects.exists()
    assert log.kinds == ["staff.second-step-reset"]
    refused(lambda: staff.reset_second_step(username="administrator", why="Mine", by=administrator), "own-second-step")


def test_reset_password(actor: MakeActor, person: MakePerson, log: Log) -> None:
    administrator, wim = actor("administrator"), person("wim", "writer")
    first = staff.reset_password(username="wim", why="Forgotten", by=administrator)
    wim.refresh_from_db()
    assert wim.check_password(first)
    assert wim.must_change_password
    assert log.kinds == ["staff.password-reset"]
    assert first not in str(log.data)


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
    with pytest.raises(CommandError, match="There is an administrator already"):
        call_command("administrator", "second", "Sam")
    assert Staff.objects.count() == 1
