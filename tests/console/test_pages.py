"""What all pages share: the rail, the refusal in words, what is not there, the headers, the lists. Who may open and do
what: tests/powers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from console.navigation import entries
from tests.world.demo import ROLES
from tests.world.extent import some
from tests.world.frame import without_the_frame


@pytest.mark.parametrize("role", some(ROLES, always={"manager", "writer", "inspector"}))
def test_navigation_offers_what_opens_and_nothing_else(role: str, signed_in: Callable[[str], Client]) -> None:
    client = signed_in(role)
    offered = {entry.url for group in client.get("/").context["navigation"] for entry in group.entries}
    assert offered
    urls = [reverse(f"console:{entry.name}") for _, entry in entries()]
    # The catalogue opens at its first list.
    with without_the_frame():
        assert offered == {url for url in urls if client.get(url).status_code in (200, 302)}


def test_every_entry_has_a_key_of_its_own() -> None:
    keys = [entry.key for _, entry in entries()]
    assert len(set(keys)) == len(keys)
    assert not {"j", "k", "g"} & set(keys)  # they walk the rows of a list, and begin a jump


def test_a_refused_page_says_so_in_words(signed_in: Callable[[str], Client]) -> None:
    page = signed_in("writer").get("/staff/")
    assert page.status_code == 403
    assert "You have no right to do this" in page.content.decode()
    assert "staff.view" in page.content.decode()


def test_what_does_not_exist(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("manager")
    for path in (
        "/promo/NONE/",
        "/promo/winners/999/",
        "/promo/claims/999/",
        "/devices/W-9999/",
        "/players/P-9999/",
        "/staff/nobody/",
        "/incidents/999/",
        "/approvals/999/",
    ):
        page = client.get(path)
        assert page.status_code == 404, path
        assert "There is no such page" in page.content.decode(), path


@pytest.mark.parametrize("path", ["/", "/sign-in/", "/staff/", "/rules/"])
def test_headers(path: str, signed_in: Callable[[str], Client]) -> None:
    answer = (Client() if path == "/sign-in/" else signed_in("manager")).get(path)
    policy = answer.headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["Cache-Control"] == "no-store, private"
    body = answer.content.decode()
    assert " onclick=" not in body
    assert " style=" not in body
    assert all("src=" in tag.split(">")[0] for tag in body.split("<script")[1:])


LISTS = (
    "/tables/reports/",
    "/keno/orders/",
    "/keno/tournaments/",
    "/jackpots/hits/",
    "/jackpots/rounds/",
    "/jackpots/disagreements/",
    "/players/",
    *(f"/keno/{name}/" for name in ("games", "tickets", "shifts", "claims", "unclaimed", "reports")),
    *(f"/promo/{name}" for name in ("", "winners/", "claims/", "tournaments/", "reports/")),
    *("/staff/", "/devices/", "/incidents/", "/approvals/", "/approvals/history/", "/audit/", "/audit/seals/"),
    "/audit/transfers/",
)
QUESTIONS = (
    "cursor=abc",
    "cursor=cD0x",
    "cursor=bz1h",
    "cursor=WzAsIngiLDFd",  # [0,"x",1]
    "cursor=WzAsMSwieSJd",  # [0,1,"y"]
    "order=password",
    "order=-x",
    "day=yesterday",
    "q=%00",
    "kind=%00",
    "serial=%00",
    "number=x",
    "state=x",
    "first=x",
    "first=2020-01-01",
)


def test_a_list_takes_any_question(signed_in: Callable[[str], Client], exhaustive: bool) -> None:
    """Every list every question; or four a list, other ones for the next."""
    client = signed_in("manager")
    for place, path in enumerate((*LISTS, "/rules/", "/search/")):
        asked = QUESTIONS if exhaustive else [QUESTIONS[(place * 3 + n * 3) % len(QUESTIONS)] for n in range(4)]
        with without_the_frame():
            answers = {query: client.get(f"{path}?{query}").status_code for query in asked}
        assert answers == dict.fromkeys(asked, 200), path
