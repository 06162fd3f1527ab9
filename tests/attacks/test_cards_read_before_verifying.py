"""A supervisor reads what the table sent wherever it might stand, to type it into the verification unseen."""

from __future__ import annotations

import re

import pytest

from house import demo
from jackpot.models import Hit
from tests.attacks.felt import FULL_HOUSE, deal
from tests.attacks.insider import House
from web import words

CALLS = (
    "jackpot/hits", "jackpot/hits/{hit}", "jackpot/hits?status=claimed", "jackpot/rounds/{round}",
    "jackpot/tables/CSP-01/rounds", "jackpot/hits/{hit}/slip", "jackpot/reports/hits",
)  # fmt: skip
PAGES = (
    "/", "/jackpots/hits/", "/jackpots/hits/{hit}/", "/jackpots/hits/?format=csv", "/jackpots/rounds/",
    "/jackpots/rounds/{round}/",
    "/jackpots/rounds/?format=csv", "/jackpots/CSP/", "/jackpots/reports/hits/", "/terminal/table?table=CSP-01",
    "/terminal/table/CSP-01/now/", "/search/?q=4S", "/search/?q=CSP-01", "/audit/", "/audit/?format=csv",
    "/audit/transfers/", "/audit/transfers/?format=csv", "/signage/feed.json", "/incidents/",
)  # fmt: skip


def shown_together(text: str) -> bool:
    """All five cards within one piece of a page: a keyboard of cards has all fifty-two."""
    for piece in re.split(r'name="cards"|data-piece', text):
        if all(re.search(rf"\b{name}\b|{words.card(name)}", piece) for name in FULL_HOUSE):
            return True
    return False


@pytest.mark.parametrize("role", ["supervisor", pytest.param("manager", marks=pytest.mark.long)])
def test_no_page_and_no_call_shows_them(house: House, role: str) -> None:
    hit = deal(house.insider("table"), FULL_HOUSE)
    where = {"hit": hit["id"], "round": hit["round"]}
    caller, person = house.insider(role), house.at_console(role)
    for path in CALLS:
        assert not shown_together(str(caller.get(path.format(**where)).body)), path
    for path in PAGES:
        answer = person.get(path.format(**where))
        if answer.status == 302:  # found at once: a page of this list
            assert answer.headers["location"] in PAGES, path
            continue
        assert answer.status in (200, 403), path
        assert not shown_together(answer.body), path
    assert Hit.objects.get().dealt == FULL_HOUSE


def test_not_even_after_a_wrong_entry(house: House) -> None:
    hit = deal(house.insider("table"), FULL_HOUSE)
    person = house.at_console("supervisor")
    other = {"cards": ["4S", "4H", "4C", "3H", "3D"], "surveillance": "CAM"}
    answer = person.post(f"/jackpots/hits/{hit['id']}/verify/", other)
    assert answer.status == 422
    assert set(re.findall(r'value="(\w\w)" checked', answer.body)) == set(other["cards"])  # his own, no other


def test_those_who_never_verify_may_see_them(house: House) -> None:
    hit = deal(house.insider("table"), FULL_HOUSE)
    assert {"auditor", "inspector"} <= set(demo.PEOPLE)
    for role in ("auditor", "inspector"):
        assert words.hand(FULL_HOUSE) in house.at_console(role).get(f"/jackpots/hits/{hit['id']}/").body
