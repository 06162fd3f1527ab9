"""The gaming day as two instants (act-keno:13.1). Pure: no Django, no clock, no I/O.

A gaming day is named by the calendar date on which it opens, and is not the calendar day. Opening hours are times on
the venue's wall clock; what is stored and compared is UTC. Across a change of daylight saving the wall clock decides
and the length follows: 10:00 to 04:00 in Sydney is 18 hours, 17 on the night the clock goes forward, 19 on the night
it goes back.

Two readings of a wall clock have no single answer, and are settled here:
- a time in the gap (02:30 on the night the clock jumps from 02:00 to 03:00) moves forward by the gap: 03:30;
- a time that comes twice is its first occurrence.

A weekday may be closed. ``closes`` at or before ``opens`` is on the next date; equal times are round the clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Hours:
    opens: time
    closes: time

    @property
    def overnight(self) -> bool:
        return self.closes <= self.opens


Week = Mapping[int, Hours | None]  # by weekday, 0 is Monday; None is closed


def instant(day: date, at: time, zone: ZoneInfo) -> datetime:
    """The moment the wall clock shows *at* on *day*, in UTC.

    ``fold=0`` is what settles both odd cases: it takes the offset in force before the change, which is the first
    occurrence of a repeated time, and lands a skipped time as far after the gap as it stood inside it.
    """
    return datetime.combine(day, at.replace(fold=0), tzinfo=zone).astimezone(UTC)


def gaming_day(day: date, hours: Hours, zone: ZoneInfo) -> tuple[datetime, datetime] | None:
    """When the gaming day of this date opens and closes; nothing if a clock change swallows it whole.

    (Only hours that lie inside the skipped hour can vanish: 02:15 to 03:00 on the night there is no 02:15.)
    """
    opens = instant(day, hours.opens, zone)
    closes = instant(day + DAY if hours.overnight else day, hours.closes, zone)
    return (opens, closes) if opens < closes else None


def gaming_days(
    first: date, last: date, week: Week, zone: ZoneInfo, *, not_before: datetime | None = None
) -> Iterator[tuple[date, datetime, datetime]]:
    """The gaming days from *first* to *last*, none of which overlaps the one before it.

    A day opens no earlier than the day before it closes (*not_before* for the first). On ordinary nights that changes
    nothing, as overlapping hours are refused; it matters where a closing inside the skipped hour moves past the next
    opening, and where new hours begin before the last day under the old ones has closed.
    """
    for offset in range((last - first).days + 1):
        day = first + timedelta(days=offset)
        hours = week[day.weekday()]
        times = gaming_day(day, hours, zone) if hours else None
        if times is None:
            continue
        opens = times[0] if not_before is None else max(times[0], not_before)
        if opens < times[1]:
            not_before = times[1]
            yield day, opens, times[1]


def first_overlap(week: Week) -> int | None:
    """The first weekday that would still be open when the next one opens, if any."""
    for weekday in range(7):
        hours, following = week[weekday], week[(weekday + 1) % 7]
        if hours and following and hours.overnight and hours.closes > following.opens:
            return weekday
    return None
