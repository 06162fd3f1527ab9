"""Typed acts: what the log keeps of one, and that it is read back as it was."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import ClassVar

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kernel.acts import Act, InSubject, OrMissing
from kernel.money import Money


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried(Act):
    kind: ClassVar[str] = "test.tried"
    day: InSubject[date]
    kind_: str
    from_: datetime
    amount: Money | None
    demo: OrMissing[bool] = None

    @property
    def subject(self) -> str:
        return f"gaming-day:{self.day}"

    def sentence(self) -> str:
        return f"tried {self.kind_}"


def test_what_the_log_keeps() -> None:
    tried = Tried(
        day=date(2026, 1, 2), kind_="x", from_=datetime(2026, 1, 2, 3, tzinfo=UTC), amount=Money.parse("12.50")
    )
    assert tried.data() == {"kind": "x", "from": "2026-01-02T03:00:00Z", "amount": "12.50"}
    assert Tried.read(tried.data(), subject=tried.subject) == tried
    demo = Tried.read(tried.data() | {"demo": True, "amount": None}, subject=tried.subject)
    assert (demo.demo, demo.amount) == (True, None)
    assert demo.data()["demo"] is True


@given(st.datetimes(timezones=st.just(UTC)))
@example(datetime(2026, 1, 2, 3, 4, 5, 999, tzinfo=UTC))  # within the first millisecond
def test_whatever_the_moment_it_is_written_in_one_way(moment: datetime) -> None:
    kept = Tried(day=date(2026, 1, 2), kind_="x", from_=moment, amount=None)
    again = Tried.read(kept.data(), subject=kept.subject)
    assert again.data() == kept.data()
    assert again.from_ == moment.replace(microsecond=moment.microsecond // 1000 * 1000)


@pytest.mark.parametrize(
    "data",
    [
        {"kind": "x", "from": "2026-01-02T03:00:00Z"},
        {"kind": "x", "from": "2026-01-02T03:00:00Z", "amount": None, "day": "2026-01-02"},
        {"kind": 1, "from": "2026-01-02T03:00:00Z", "amount": None},
    ],
    ids=["missing", "unknown", "another type"],
)
def test_what_is_no_such_act_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"amount|no field day|is no str"):
        Tried.read(data, subject="gaming-day:2026-01-02")
