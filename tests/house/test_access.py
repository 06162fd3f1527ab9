"""Getting in, the first time or again: two people agree, and nobody but the person knows what he chooses."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.contrib.sessions.models import Session
from django_otp.oath import TOTP

from house import access, sign_in, staff
from house.approvals import approve, propose
from house.models import AccessCode, Proposal, SecondStep, Staff
from house.permissions import REPORT_INCIDENTS
from kernel.actors import Actor
from kernel.refusal import Forbidden, NotSignedIn
from tests.house.conftest import Clock, Log, MakeActor, MakeBrowser, MakePerson
from tests.house.test_staff import session_of
from tests.world.refusals import refused

pytestmark = pytest.mark.django_db
NEW = "a password of my own"


def agreed(username: str, administrator: Actor, manager: Actor) -> Proposal:
    proposal = access.propose_access(username=username, because="lost-both", why="Telephone lost.", by=administrator)
    return approve(proposal_id=proposal.pk, by=manager)


def halves(username: str, *people: Actor) -> list[str]:
    return [access.show_half(username=username, by=each) for each in people]


def test_a_reset_needs_two_people_and_shuts_out_at_once(
    administrator: Actor, manager: Actor, person: MakePerson, log: Log
) -> None:
    wim = person("wim", "writer")
    SecondStep.objects.create(user=wim, confirmed=True)
    session_of(wim)
    proposal = access.propose_access(username="wim", because="lost-both", why="Telephone lost.", by=administrator)
    refused(lambda: approve(proposal_id=proposal.pk, by=administrator), "own-proposal", Forbidden)
    assert Session.objects.count() == SecondStep.objects.count() == 1  # nothing happens before
    assert approve(proposal_id=proposal.pk, by=manager).status == "effective"
    wim.refresh_from_db()
    assert not wim.has_usable_password()
    assert not wim.as_actor().permissions
    assert Session.objects.count() == SecondStep.objects.count() == 0
    assert "staff.access-reset" in log.kinds


def test_both_halves_let_the_person_in_with_a_second_step_of_his_own(
    administrator: Actor, manager: Actor, person: MakePerson, browser: MakeBrowser, log: Log
) -> None:
    wim = person("wim", "writer")
    agreed("wim", administrator, manager)
    first, second = halves("wim", administrator, manager)
    request = browser()
    access.enrol(request=request, username=" Wim", first=second.lower(), second=first, password=NEW)
    assert sign_in.next_step(request) == "enrol"
    sign_in.begin_enrolment(request=request)
    assert not request.user.is_authenticated
    step = SecondStep.objects.get(user=wim)
    code = f"{TOTP(step.bin_key, 30, 0, 6).token():06d}"
    assert sign_in.confirm_enrolment(request=request, code=code) == wim
    wim.refresh_from_db()
    assert wim.check_password(NEW)
    assert wim.as_actor().may(REPORT_INCIDENTS)
    kept = str(log.data) + str(list(AccessCode.objects.values()))
    assert not any(half in kept or half.replace("-", "") in kept for half in (first, second))
    # Once: not a second time, and not by the next who finds the papers.
    refused(
        lambda: access.enrol(request=browser(), username="wim", first=first, second=second, password=NEW),
        "code-not-valid",
        NotSignedIn,
    )


def test_each_sees_his_own_half_once(
    administrator: Actor, manager: Actor, person: MakePerson, actor: MakeActor
) -> None:
    person("wim", "writer")
    agreed("wim", administrator, manager)
    first, second = halves("wim", administrator, manager)
    assert first != second
    for somebody in (administrator, manager, actor("auditor"), actor("wim")):
        refused(partial(access.show_half, username="wim", by=somebody), "no-half-for-you", Forbidden)


def test_half_a_code_is_no_code(administrator: Actor, manager: Actor, person: MakePerson, browser: MakeBrowser) -> None:
    wim = person("wim", "writer")
    agreed("wim", administrator, manager)
    [mine] = halves("wim", administrator)
    for first, second in ((mine, mine), (mine, ""), ("", ""), (mine, "0000-0000-0000")):
        for username in ("wim", "nobody"):
            refused(
                partial(access.enrol, request=browser(), username=username, first=first, second=second, password=NEW),
                "code-not-valid",
                NotSignedIn,
            )
    wim.refresh_from_db()
    assert not wim.has_usable_password()


def test_a_code_lasts_a_day_and_a_newer_one_replaces_it(
    administrator: Actor, manager: Actor, person: MakePerson, browser: MakeBrowser, clock: Clock
) -> None:
    person("wim", "writer")
    agreed("wim", administrator, manager)
    old = halves("wim", administrator, manager)
    agreed("wim", administrator, manager)
    new = halves("wim", administrator, manager)

    def enrol(pair: list[str]) -> None:
        access.enrol(request=browser(), username="wim", first=pair[0], second=pair[1], password=NEW)

    refused(lambda: enrol(old), "code-not-valid", NotSignedIn)
    clock.shift(timedelta(hours=24))
    refused(lambda: enrol(new), "code-not-valid", NotSignedIn)
    assert not Staff.objects.get(username="wim").has_usable_password()


def test_a_weak_password_uses_up_nothing(
    administrator: Actor, manager: Actor, person: MakePerson, browser: MakeBrowser
) -> None:
    person("wim", "writer")
    agreed("wim", administrator, manager)
    first, second = halves("wim", administrator, manager)
    refused(
        lambda: access.enrol(request=browser(), username="wim", first=first, second=second, password="short"),
        "password-weak",
    )
    access.enrol(request=browser(), username="wim", first=first, second=second, password=NEW)


def test_the_person_concerned_neither_proposes_nor_decides(
    administrator: Actor, manager: Actor, person: MakePerson
) -> None:
    refused(
        lambda: access.propose_access(username="administrator", because="lost-both", why="Mine", by=administrator),
        "own-affair",
        Forbidden,
    )
    proposal = access.propose_access(username="manager", because="lost-password", why="Forgotten", by=administrator)
    refused(lambda: approve(proposal_id=proposal.pk, by=manager), "own-affair", Forbidden)


def test_nobody_of_the_house_resets_an_inspector(administrator: Actor, manager: Actor, person: MakePerson) -> None:
    ines = person("ines", "inspector")
    refused(
        lambda: access.propose_access(username="ines", because="lost-both", why="Lost", by=administrator),
        "inspector-not-ours",
    )
    refused(
        lambda: propose(kind=access.ACCESS, subject="ines", new={"because": "lost-both"}, why="Lost", by=administrator),
        "inspector-not-ours",
    )
    assert not Proposal.objects.exists()
    assert ines.has_usable_password()


def test_who_is_hired_or_comes_back_enrols_by_two_people(administrator: Actor, manager: Actor) -> None:
    hired = access.hire(username="wim", name="Wim", roles=["writer"], by=administrator)
    assert (hired.proposal.kind, hired.proposal.subject) == ("house.access", "staff:wim")
    approve(proposal_id=hired.proposal.pk, by=manager)
    assert AccessCode.objects.get().staff == hired.staff
    staff.deactivate(username="wim", why="Left", by=administrator)
    back = access.reactivate(username="wim", why="Back", by=administrator)
    assert back.staff.is_active
    assert not back.staff.has_usable_password()
    assert back.proposal.status == "proposed"
