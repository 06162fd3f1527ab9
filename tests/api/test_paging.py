from __future__ import annotations

import datetime as dt
import json
from base64 import urlsafe_b64encode
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import RequestFactory
from django.utils import timezone

from house.models import GamingDay, Incident
from tests.world.calls import Caller, MakeCaller, problem
from web.paging import page_of


def make(count: int, **more: Any) -> list[int]:
    now = timezone.now()
    rows = [
        Incident(kind="other", what=f"{n}", happened_at=now, reported_by="x", reported_at=now, **more)
        for n in range(count)
    ]
    return [row.pk for row in Incident.objects.bulk_create(rows)]


def follow(caller: Caller, url: str) -> Any:
    return caller.client.get(url, headers=caller.headers).json()


def ids(page: Any) -> list[int]:
    return [row["id"] for row in page["results"]]


def test_pages_forth_and_back(caller: MakeCaller) -> None:
    manager = caller("manager")
    made = make(7)[::-1]
    first = manager.get("incidents/?limit=3").json()
    assert (ids(first), first["previous"]) == (made[:3], None)
    second = follow(manager, first["next"])
    assert ids(second) == made[3:6]
    third = follow(manager, second["next"])
    assert (ids(third), third["next"]) == (made[6:], None)
    assert ids(follow(manager, third["previous"])) == made[3:6]
    back = follow(manager, second["previous"])
    assert (ids(back), back["previous"]) == (made[:3], None)
    assert ids(follow(manager, back["next"])) == made[3:6]


def test_rows_added_meanwhile_shift_nothing(caller: MakeCaller) -> None:
    manager = caller("manager")
    made = make(6)[::-1]
    first = manager.get("incidents/?limit=3").json()
    added = make(2)[::-1]
    second = follow(manager, first["next"])
    assert ids(second) == made[3:]
    back = follow(manager, second["previous"])
    assert ids(back) == made[:3]
    assert ids(follow(manager, back["previous"])) == added


def test_exactly_one_page_has_no_next(caller: MakeCaller) -> None:
    manager = caller("manager")
    assert manager.get("incidents/").json() == {"results": [], "next": None, "previous": None}
    make(3)
    assert manager.get("incidents/?limit=3").json()["next"] is None


def test_links_keep_the_question(caller: MakeCaller) -> None:
    manager = caller("manager")
    make(3)
    page = manager.get("incidents/?limit=2&status=open").json()
    assert "limit=2" in page["next"]
    assert "status=open" in page["next"]


@pytest.mark.django_db
@pytest.mark.parametrize("order", ["closed_at", "-closed_at", "status", "-what", "gaming_day__date"])
@pytest.mark.parametrize("limit", [1, 2, 3, 5, 11])
def test_pages_by_any_column_with_ties_and_without_a_value(order: str, limit: int) -> None:
    at = timezone.now()
    make(4)
    make(3, status="closed", closed_at=at, closed_by="x")
    make(3, status="closed", closed_at=at - dt.timedelta(hours=1), closed_by="x")
    ordering = [order, "-pk" if order.startswith("-") else "pk"]
    turn = partial(page_of, Incident.objects.all(), order=ordering, limit=limit, request=RequestFactory().get("/"))
    expected = list(Incident.objects.order_by(*ordering))
    asked: str | None = None
    pages: list[list[Incident]] = []
    while not pages or asked:
        page = turn(cursor=asked)
        pages.append(page.rows)
        asked = _cursor_in(page.next)
        before = _cursor_in(page.previous)
    assert [row for rows in pages for row in rows] == expected
    while before:
        pages.pop()
        page = turn(cursor=before)
        assert page.rows == pages[-1]
        before = _cursor_in(page.previous)
    assert len(pages) == 1


def _cursor_in(url: str | None) -> str | None:
    return parse_qs(urlsplit(url).query)["cursor"][0] if url else None


def cursor(value: object) -> str:
    return urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "question",
    [
        "cursor=nonsense",
        "cursor=",
        "cursor=%00",
        "cursor=%ff",
        "cursor=é",
        f"cursor={cursor([0, 'word'])}",
        f"cursor={cursor([2, 1])}",
        f"cursor={cursor([True, 1])}",
        f"cursor={cursor([0, True])}",
        f"cursor={cursor([0, 2**63])}",
        f"cursor={cursor([0, 1.5])}",
        f"cursor={cursor([0])}",
        f"cursor={cursor({})}",
        "cursor=" + "W1" * 200,
        "limit=0",
        "limit=201",
        "limit=-1",
        "limit=x",
        "limit=",
        "limit=1&limit=2",
        "gaming_day=2026-02-30",
        "gaming_day=yesterday",
        "gaming_day=",
        "status=ajar",
        "overdue=yes",
        "page=2",
        "Status=open",
    ],
)
def test_questions_that_cannot_be_read(caller: MakeCaller, question: str) -> None:
    response = caller("manager").get(f"incidents/?{question}")
    assert response.status_code == 400, response.content
    assert response.json()["field"] == question.split("=", maxsplit=1)[0]
    if question.startswith(("page", "Status")):
        problem(response, 400, "unknown-field")


def test_a_list_of_one_gaming_day(caller: MakeCaller) -> None:
    manager = caller("manager")
    opens = dt.datetime(2026, 11, 15, 23, tzinfo=dt.UTC)  # 10:00 in Sydney on the 16th
    monday = GamingDay.objects.create(
        date=dt.date(2026, 11, 16), opens_at=opens, closes_at=opens + dt.timedelta(hours=18)
    )
    (one,) = make(1, gaming_day=monday)
    make(1)
    page = manager.get("incidents/?gaming_day=2026-11-16").json()
    assert ids(page) == [one]
    assert page["results"][0]["gaming_day"] == "2026-11-16"
    assert manager.get("incidents/?gaming_day=2026-11-17").json()["results"] == []


def test_the_closed_hours_belong_to_the_day_before(caller: MakeCaller) -> None:
    from house.queries import on_gaming_day

    opens = dt.datetime(2026, 11, 15, 23, tzinfo=dt.UTC)
    for n in range(2):
        start = opens + dt.timedelta(days=n)
        GamingDay.objects.create(
            date=dt.date(2026, 11, 16 + n), opens_at=start, closes_at=start + dt.timedelta(hours=18)
        )
    moments = {hours: opens + dt.timedelta(hours=hours) for hours in (-1, 0, 20, 24)}
    by_hour = {
        hours: Incident.objects.create(kind="other", what="x", happened_at=at, reported_by="x", reported_at=at).pk
        for hours, at in moments.items()
    }

    def on(day: int) -> list[int]:
        rows = on_gaming_day(Incident.objects.order_by("id"), dt.date(2026, 11, day), column="reported_at")
        return [row.pk for row in rows]

    assert on(16) == [by_hour[0], by_hour[20]]
    assert on(17) == [by_hour[24]]
    assert on(18) == []
