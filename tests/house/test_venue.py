from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from house.models import GamingDay, Venue
from house.plan_days import ensure_gaming_days
from house.set_up_venue import set_up_venue
from house.times import for_people
from house.venue import time_zone
from kernel.refusal import Forbidden, Refusal
from tests.house.conftest import Log, MakeActor

NOW = datetime(2026, 11, 16, 10, 4, tzinfo=UTC)


@pytest.mark.parametrize(
    "name", ["Sydney", "", "../../etc/passwd", "/etc/localtime", "Australia/", "UTC\0", "Mars/Base"]
)
def test_what_is_no_time_zone_is_refused(name: str) -> None:
    with pytest.raises(Refusal) as refused:
        time_zone(name)
    assert refused.value.code == "no-such-time-zone"


def test_a_time_zone() -> None:
    assert time_zone("Pacific/Auckland") == ZoneInfo("Pacific/Auckland")


@pytest.mark.django_db
def test_setting_up_the_venue(actor: MakeActor, log: Log) -> None:
    administrator = actor("administrator")

    def set_up(**given: Any) -> Venue:
        wanted: dict[str, Any] = {"code": "AKL", "name": "Harbour", "time_zone_name": "Pacific/Auckland"}
        return set_up_venue(**(wanted | {"by": administrator} | given))

    for given, code in (
        ({"code": "akl"}, "code-not-allowed"),
        ({"name": " "}, "name-missing"),
        ({"time_zone_name": "Auckland"}, "no-such-time-zone"),
    ):
        with pytest.raises(Refusal) as refused:
            set_up(**given)
        assert refused.value.code == code
    with pytest.raises(Forbidden):
        set_up(by=actor("manager"))
    assert Venue.objects.get().code == "MAIN"
    assert not log.acts
    set_up()
    assert log.acts == [("venue.set-up", "venue", "staff:administrator")]
    ensure_gaming_days(now=NOW)
    assert GamingDay.objects.get(date="2026-11-17").opens_at == datetime(2026, 11, 16, 21, tzinfo=UTC)
    with pytest.raises(Refusal) as refused:
        set_up(time_zone_name="Australia/Sydney")
    assert refused.value.code == "time-zone-stands"
    assert set_up(name="Harbour Casino").name == "Harbour Casino"


@pytest.mark.django_db
def test_time_for_people() -> None:
    ensure_gaming_days(now=NOW)
    monday = GamingDay.objects.get(date="2026-11-16")
    assert for_people(NOW) == for_people(NOW, day=monday) == "Mon 16 Nov, 21:04"
    night = datetime(2026, 11, 16, 15, 10, tzinfo=UTC)
    assert for_people(night) == "Tue 17 Nov, 02:10"
    assert for_people(night, day=monday) == "Tue 17 Nov, 02:10 (gaming day Mon 16 Nov)"
    assert for_people(NOW, clock=ZoneInfo("UTC")) == "Mon 16 Nov, 10:04"
