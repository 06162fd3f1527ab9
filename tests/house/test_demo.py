from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection

from house import demo, sign_in
from house.gaming_days import open_gaming_day
from house.models import OpeningHours, SecondStep, Staff, Venue
from house.staff import roles_of
from kernel.refusal import NotSignedIn, Refusal
from tests.house.conftest import Clock, Log, MakeBrowser, MakePerson

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 16, 18, 30, tzinfo=UTC)  # half past five in the morning in Sydney


@pytest.fixture(autouse=True)
def clock(settings: Any) -> Iterator[Clock]:
    settings.DEMO = True
    settings.DEMO_OPENS = time(6)
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


def test_the_demo_is_open_at_any_hour() -> None:
    place = demo.build_demo()
    assert (place.code, place.name, place.time_zone) == ("DEMO", "Meterhouse Demo Casino", "Australia/Sydney")
    for hour in range(24 * 7):
        open_gaming_day(NOW + timedelta(hours=hour))
    assert str(open_gaming_day(NOW)) == "2026-11-16"  # until six
    assert str(open_gaming_day(NOW + timedelta(minutes=30))) == "2026-11-17"


def test_one_person_a_role() -> None:
    demo.build_demo()
    people = {person.username: person for person in Staff.objects.all()}
    assert set(people) == {"writer", "dealer", "supervisor", "manager", "inspector", "administrator", "auditor"}
    for username, person in people.items():
        assert roles_of(person) == [username]
        assert person.is_demo
        assert person.as_actor().permissions


def test_building_again_changes_nothing(log: Log) -> None:
    demo.build_demo()
    OpeningHours.objects.filter(weekday=2).update(opens=None, closes=None)
    Staff.objects.filter(username="writer").update(name="Somebody Else")
    secrets = sorted(SecondStep.objects.values_list("encrypted_key", flat=True))
    before, acts = list(Staff.objects.values()), len(log.acts)
    demo.build_demo()
    assert list(Staff.objects.values()) == before
    assert sorted(SecondStep.objects.values_list("encrypted_key", flat=True)) == secrets
    assert len(set(secrets)) == 7
    assert OpeningHours.objects.get(weekday=2).opens is None
    assert len(log.acts) == acts


def test_what_the_sign_in_page_shows_works_even_twice_in_a_row(browser: MakeBrowser) -> None:
    demo.build_demo()
    assert [each.role for each in demo.credentials()] == list(demo.PEOPLE)
    for _ in range(2):
        shown = next(each for each in demo.credentials() if each.role == "manager")
        request = browser()
        assert sign_in.password_step(request=request, username=shown.username, password=shown.password) == "code"
        assert sign_in.code_step(request=request, code=shown.code).username == "manager"


def test_nothing_is_shown_or_works_when_the_demo_is_off(settings: Any, browser: MakeBrowser) -> None:
    demo.build_demo()
    shown = demo.credentials()[0]
    settings.DEMO = False
    assert demo.credentials() == []
    with pytest.raises(NotSignedIn):
        sign_in.password_step(request=browser(), username=shown.username, password=shown.password)
    with pytest.raises(Refusal) as refused:
        demo.build_demo()
    assert refused.value.code == "demo-off"


def test_the_password_is_written_nowhere_and_is_this_installations(settings: Any, log: Log) -> None:
    demo.build_demo()
    with connection.cursor() as cursor:
        cursor.execute("SELECT string_agg(s::text, '') FROM house_staff s")
        assert demo.password() not in cursor.fetchone()[0]
    assert demo.password() not in str(log.data)
    before = demo.password()
    settings.SECRET_KEY = "another installation"
    assert demo.password() != before
    demo.build_demo()  # a new key: the people get the new password
    assert Staff.objects.get(username="writer").check_password(demo.password())


def test_no_demo_is_built_into_a_real_venue() -> None:
    Venue.objects.update(code="STAR", name="The Real One")
    with pytest.raises(Refusal) as refused:
        demo.build_demo()
    assert refused.value.code == "not-a-demo"
    assert not Staff.objects.exists()


def test_somebody_real_keeps_their_name_and_password(person: MakePerson) -> None:
    person("manager", "manager")
    demo.build_demo()
    assert not Staff.objects.get(username="manager").check_password(demo.password())
    assert "manager" not in {each.username for each in demo.credentials()}
