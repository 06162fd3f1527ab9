"""The one form of documents and names, business days, and what looks like one payment cut into several."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from house.cash.cheques import read_cheque_number
from house.rules.business_days import due_at, last_day
from house.rules.identity import compared, read_document_number, read_name
from house.rules.structuring import looks_structured
from kernel.money import Money

SYDNEY = ZoneInfo("Australia/Sydney")


@pytest.mark.parametrize("typed", ["PA1234567", "pa 123 4567", "PA-123.45/67", " ＰＡ1234567\u200b", "pa1234567"])
def test_a_documents_number_has_one_form(typed: str) -> None:
    assert read_document_number(typed) == "PA1234567"


def test_what_looks_alike_is_compared_alike() -> None:
    assert compared("PAO1L23") == compared("PA01123") == compared("PA0II23")


@pytest.mark.parametrize("typed", ["", "  ", "n/a", "NONE", "РА1234567", "١٢٣", "9" * 61])
def test_what_is_no_number_is_none(typed: str) -> None:
    """Letters that only look like Latin ones are not read as those: they would be another person."""
    assert read_document_number(typed) is None


def test_a_name_has_one_form() -> None:
    assert read_name("Li, WU") == read_name(" wu  li ") == read_name("Wu Lí") == "li wu"
    assert read_name("O’Brien") == read_name("O'Brien")


@pytest.mark.parametrize(
    ("typed", "number"), [("000781", "781"), (" 781 ", "781"), ("7-81", "781"), ("ab-007", "AB007"), ("000", "0")]
)
def test_a_cheques_number_has_one_form(typed: str, number: str) -> None:
    assert read_cheque_number(typed) == number


def test_what_is_no_cheques_number_is_none() -> None:
    assert [read_cheque_number(typed) for typed in ("", "-", "abc", "７８１", "٧")] == [None, None, None, "781", None]


def test_ten_business_days_leave_out_weekends_and_holidays() -> None:
    monday = date(2026, 11, 16)
    assert last_day(monday, days=10, holidays=()) == date(2026, 11, 30)
    assert last_day(monday, days=10, holidays=(date(2026, 11, 20), date(2026, 11, 21))) == date(2026, 12, 1)
    saturday = date(2026, 11, 21)
    assert last_day(saturday, days=1, holidays=()) == date(2026, 11, 23)


def test_the_day_is_the_venues_and_ends_with_it() -> None:
    """23:30 on Friday in Sydney is Friday there, whatever day it is in Greenwich; three days on is Wednesday's end."""
    at = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
    due = due_at(at, days=3, holidays=(), zone=SYDNEY)
    assert due.astimezone(SYDNEY) == datetime(2026, 11, 26, 0, 0, tzinfo=SYDNEY)
    assert due_at(at.replace(hour=13), days=3, holidays=(), zone=SYDNEY) == due  # 00:30 on Saturday
    # The night on which the clock goes forward.
    spring = due_at(datetime(2026, 10, 1, 1, 0, tzinfo=UTC), days=1, holidays=(), zone=SYDNEY)
    assert spring.astimezone(SYDNEY) == datetime(2026, 10, 3, 0, 0, tzinfo=SYDNEY)


def test_payments_near_the_limit_that_reach_it_together_look_like_one() -> None:
    def seen(*dollars: int) -> bool:
        amounts = [Money.dollars(each) for each in dollars]
        return looks_structured(amounts, below=Money.dollars(10_000), each_from=Money.dollars(3_000), at_least=2)

    assert seen(4_000, 6_000)
    assert seen(3_000, 3_500, 3_500)
    assert not seen(4_000, 5_999)
    assert not seen(9_000, 2_999)  # small ones are how people play
    assert not seen(9_999)
    assert not seen(12_000, 9_000)  # the large one hides nothing: it is reported by itself
