"""A player's date of birth: recorded once, corrected by another person, never in the log; who is too young waits."""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial

import pytest

from house.models import Player, Restriction
from house.players.age import record_birth, today
from house.rules.age import is_of_age, last_birthday_of_age, of_age_from
from kernel.refusal import Refusal
from ledger.models import Act
from tests.world.calls import everything
from tests.world.people import actor
from tests.world.players import registered
from tests.world.refusals import refused_as

refused = partial(refused_as, "code", unchanged=everything)


def test_birthdays_to_the_day() -> None:
    assert of_age_from(date(2000, 2, 29)) == date(2018, 3, 1)
    assert of_age_from(date(2000, 2, 29), 20) == date(2020, 2, 29)
    for on in (date(2026, 11, 18), date(2028, 2, 29), date(2027, 2, 28), date(2027, 3, 1)):
        for years in (18, 20, 21):
            last = last_birthday_of_age(on, years)
            day = timedelta(days=1)
            assert is_of_age(last, on, years)
            assert not is_of_age(last + day, on, years) or (last + day).month == 2


@pytest.mark.django_db
def test_recorded_by_one_corrected_by_another() -> None:
    (player,) = registered("C-1")
    desk, other, writer = (
        actor("staff:anna", "supervisor"),
        actor("staff:ben", "manager"),
        actor("staff:will", "writer"),
    )
    seen = date(1984, 2, 29)
    with pytest.raises(Refusal, match="no right"):
        record_birth(player_number=player.number, born=seen, by=writer)
    record_birth(player_number=player.number, born=seen, by=desk)
    record_birth(player_number=player.number, born=seen, by=desk)  # the same again: nothing
    assert refused(record_birth, player_number=player.number, born=date(1983, 1, 1), by=desk) == "same-person"
    for impossible in (today() + timedelta(days=1), date(1890, 1, 1)):
        assert refused(record_birth, player_number=player.number, born=impossible, by=other) == "born-impossible"
    young = last_birthday_of_age(today()) + timedelta(days=1)
    record_birth(player_number=player.number, born=young, by=other)
    assert (Player.objects.get().born, Player.objects.get().born_by) == (young, other.identity)
    kept_out = Restriction.objects.get()
    assert (kept_out.kind, kept_out.until is not None, kept_out.made_by) == ("exclusion", True, other.identity)
    for who in (other, desk, desk):  # who wrote it down confirms nothing, another does, once
        record_birth(player_number=player.number, born=young, by=who)
        assert Player.objects.get().born_confirmed_by == (desk.identity if who is desk else None)
    assert Act.objects.filter(kind="player.birth-confirmed").count() == 1
    record_birth(player_number=player.number, born=seen, by=desk)
    assert Player.objects.get().born_confirmed_by is None  # another date: nobody has confirmed that one
    acts = Act.objects.filter(kind="player.birth-recorded").order_by("id")
    assert [act.data for act in acts] == [{"corrected": False}, {"corrected": True}, {"corrected": True}]
