"""What all pages share: the rail, the refusal in words, what is not there, the headers, the lists. Who may open and do
what: tests/powers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from console.navigation import entries, navigation
from tests.world.demo import ROLES
from tests.world.extent import some
from tests.world.frame import without_the_frame
from web.sections import SECTIONS


@pytest.mark.parametrize("role", some(ROLES, always={"manager", "writer", "inspector"}))
def test_navigation_offers_what_opens_and_nothing_else(role: str, signed_in: Callable[[str], Client]) -> None:
    client = signed_in(role)
    offered = {page.url for place in client.get("/").context["navigation"].places for page in place.pages}
    assert offered
    urls = [reverse(f"console:{entry.name}") for _, entry in entries()]
    # The catalogue opens at its first list.
    with without_the_frame():
        assert offered == {url for url in urls if client.get(url).status_code in (200, 302)}


def test_every_section_has_a_letter_of_its_own_in_its_name() -> None:
    keys = [section.key for section in SECTIONS]
    assert len(set(keys)) == len(keys)
    assert all(section.key in section.title.lower() for section in SECTIONS)


@pytest.mark.parametrize("role", some(ROLES, always={"manager", "writer", "inspector"}))
def test_nine_places_at_most_and_where_one_is_is_lit_once(role: str, signed_in: Callable[[str], Client]) -> None:
    """In the rail and among the tabs of its section, on every page that the rail leads to."""
    actor = signed_in(role).get("/").wsgi_request.actor  # type: ignore[attr-defined]
    rail = navigation(actor, "/")
    assert len(rail.places) <= 9
    for place in rail.places:
        assert len(place.pages) <= 9
        assert [page.key for page in place.pages] == [str(number + 1) for number in range(len(place.pages))]
        for page in place.pages:
            at = navigation(actor, page.url)
            assert at.here is not None
            assert [each.key for each in at.places if each.current] == [place.key]
            assert [each.url for each in at.here.pages if each.current] == [page.url]
            assert at.trail == []  # the tabs say it; a page below one of them has a trail
            below = navigation(actor, f"{page.url}12/")
            assert below.trail == ([(place.title, place.url)] if len(place.pages) > 1 and page.url != "/" else [])


def test_a_page_below_another_is_lit_as_that_one_and_says_where_it_is(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("manager")
    shown = client.get("/jackpots/hits/").content.decode()
    rail, tabs = shown.split('class="tabs section"')[0], shown.split('class="tabs section"')[1].split("</nav>")[0]
    assert (rail.count("aria-current"), tabs.count("aria-current")) == (1, 1)
    actor = client.get("/").wsgi_request.actor  # type: ignore[attr-defined]
    at = navigation(actor, "/jackpots/hits/12/")  # was lit as a link and as a hit
    assert at.here is not None
    assert at.here.page is not None
    assert (at.here.page.title, at.above) == ("Hits", at.here.page)
    assert at.trail == [("Jackpots and tables", "/jackpots/")]
    settings = navigation(actor, "/password/")
    assert settings.here is None


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
