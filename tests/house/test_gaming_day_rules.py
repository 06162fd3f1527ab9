"""The gaming day's two instants, against an oracle that knows New South Wales' law and no time zone database."""

from __future__ import annotations

import itertools
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from house.rules.gaming_day import Hours, first_overlap, gaming_day, gaming_days, instant

SYDNEY = ZoneInfo("Australia/Sydney")
DEFAULT = Hours(opens=time(10), closes=time(4))
ROUND_THE_CLOCK = Hours(opens=time(6), closes=time(6))


def first_sunday(year: int, month: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(6 - first.weekday()) % 7)


def oracle(day: date, at: time) -> datetime:
    """Standard Time Act as in force since 2008: ten hours ahead of UTC; eleven from 2 am standard time on the first
    Sunday of October to 2 am standard time on the first Sunday of April."""
    wall = datetime.combine(day, at, tzinfo=UTC)  # the wall clock's figures, to reckon with
    start, end = first_sunday(day.year, 10), first_sunday(day.year, 4)
    forward = datetime.combine(start, time(2), tzinfo=UTC)  # 02:00 becomes 03:00
    back = datetime.combine(end, time(3), tzinfo=UTC)  # 03:00 becomes 02:00
    if wall < back:  # first occurrence of the repeated hour still counts as daylight saving
        return wall - timedelta(hours=11)
    if wall < forward + timedelta(hours=1):  # a time in the gap is read with the old offset, and so moves forward
        return wall - timedelta(hours=10)
    return wall - timedelta(hours=11)


dates = st.dates(min_value=date(2009, 1, 1), max_value=date(2037, 12, 30))
change_nights = st.builds(
    lambda year, month, offset: first_sunday(year, month) + timedelta(days=offset),
    st.integers(2009, 2037),
    st.sampled_from([4, 10]),
    st.integers(-2, 1),
)
days = dates | change_nights
clock = st.builds(time, st.integers(0, 23), st.sampled_from([0, 1, 15, 29, 30, 59]))
hours = st.builds(Hours, opens=clock, closes=clock)


@given(day=days, at=clock)
@example(day=date(2026, 10, 4), at=time(2, 30))  # the gap: 03:30 summer time
@example(day=date(2026, 4, 5), at=time(2, 30))  # twice: the first, in summer time
def test_an_instant_is_what_the_law_says(day: date, at: time) -> None:
    assert instant(day, at, SYDNEY) == oracle(day, at)


@pytest.mark.clause("act-keno:13.1")
@given(day=days, opening=hours)
def test_a_gaming_day_is_two_instants_of_the_wall_clock(day: date, opening: Hours) -> None:
    opens = oracle(day, opening.opens)
    closes = oracle(day + timedelta(days=1) if opening.closes <= opening.opens else day, opening.closes)
    assert gaming_day(day, opening, SYDNEY) == ((opens, closes) if opens < closes else None)


@pytest.mark.parametrize(
    ("day", "opening", "opens", "closes", "length"),
    [
        # An ordinary night, in winter and in summer.
        (date(2026, 7, 1), DEFAULT, "2026-07-01T00:00", "2026-07-01T18:00", 18),
        (date(2026, 11, 16), DEFAULT, "2026-11-15T23:00", "2026-11-16T17:00", 18),
        # Saturday night the clock goes forward: opens on standard time, closes on summer time.
        (date(2026, 10, 3), DEFAULT, "2026-10-03T00:00", "2026-10-03T17:00", 17),
        # Saturday night the clock goes back.
        (date(2026, 4, 4), DEFAULT, "2026-04-03T23:00", "2026-04-04T18:00", 19),
        (date(2026, 10, 3), ROUND_THE_CLOCK, "2026-10-02T20:00", "2026-10-03T19:00", 23),
        (date(2026, 4, 4), ROUND_THE_CLOCK, "2026-04-03T19:00", "2026-04-04T20:00", 25),
        # Closing at a time that does not exist moves forward by the gap; at one that comes twice, it is the first.
        (date(2026, 10, 3), Hours(time(10), time(2, 30)), "2026-10-03T00:00", "2026-10-03T16:30", 16.5),
        (date(2026, 4, 4), Hours(time(10), time(2, 30)), "2026-04-03T23:00", "2026-04-04T15:30", 16.5),
        # Closing the same day.
        (date(2026, 7, 1), Hours(time(10), time(22)), "2026-07-01T00:00", "2026-07-01T12:00", 12),
    ],
)
@pytest.mark.clause("act-keno:13.1")
def test_nights_of_both_changes(day: date, opening: Hours, opens: str, closes: str, length: float) -> None:
    times = gaming_day(day, opening, SYDNEY)
    assert times == (datetime.fromisoformat(opens + "+00:00"), datetime.fromisoformat(closes + "+00:00"))
    assert times[1] - times[0] == timedelta(hours=length)


def test_a_day_inside_the_skipped_hour_does_not_take_place() -> None:
    opening = Hours(opens=time(2, 15), closes=time(3))
    assert gaming_day(date(2026, 10, 4), opening, SYDNEY) is None
    assert gaming_day(date(2026, 10, 11), opening, SYDNEY) is not None


weeks = st.fixed_dictionaries({weekday: st.none() | hours for weekday in range(7)})


@given(week=weeks, first=days, length=st.integers(0, 20))
def test_no_two_days_overlap_and_none_is_lost(week: dict[int, Hours | None], first: date, length: int) -> None:
    """Whatever the hours, even overlapping ones that would be refused."""
    last = first + timedelta(days=length)
    made = list(gaming_days(first, last, week, SYDNEY))
    for _, opens, closes in made:
        assert opens < closes
    for (_, _, closes), (_, opens, _) in itertools.pairwise(made):
        assert closes <= opens
    if first_overlap(week) is None:
        dates_made = {day for day, _, _ in made}
        for offset in range(length + 1):
            day = first + timedelta(days=offset)
            opening = week[day.weekday()]
            if opening and day not in {first_sunday(day.year, 10), first_sunday(day.year, 10) - timedelta(days=1)}:
                assert day in dates_made


@given(week=weeks)
def test_overlapping_hours_are_found(week: dict[int, Hours | None]) -> None:
    """The oracle: lay a week of winter days end to end and look."""
    monday = date(2026, 6, 1)
    times = {}
    for offset in range(8):
        day = monday + timedelta(days=offset)
        opening = week[day.weekday()]
        if opening:
            times[offset] = gaming_day(day, opening, SYDNEY)
    clashes = [n for n in range(7) if times.get(n) and times.get(n + 1) and times[n][1] > times[n + 1][0]]  # type: ignore[index]
    assert first_overlap(week) == (clashes[0] if clashes else None)


def test_new_hours_begin_when_the_last_day_under_the_old_ones_has_closed() -> None:
    still_open_until = datetime(2026, 11, 16, 1, 30, tzinfo=UTC)  # 12:30 in Sydney
    week = dict.fromkeys(range(7), DEFAULT)
    made = list(gaming_days(date(2026, 11, 16), date(2026, 11, 17), week, SYDNEY, not_before=still_open_until))
    assert [opens for _, opens, _ in made] == [still_open_until, datetime(2026, 11, 16, 23, tzinfo=UTC)]
