"""Typed acts: what the log keeps of one, and that it is read back as it was."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import ClassVar

import pytest

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
