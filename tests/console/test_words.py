"""One formatter: how money, counts, percentages, odds, moments and cards are written, everywhere."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from kernel.money import Money
from tests.console.test_axe import pages_in_use
from tests.world import paper
from web import report_paper, reports, words

THIS_YEAR = dt.date(2026, 11, 16)


@pytest.mark.parametrize(
    ("said", "written"),
    [
        (words.money(Money.cents(159_000)), "$1,590.00"),
        (words.number(1_380_688), "1,380,688"),
        (words.game(48_213), "48\u202f213"),
        (words.one_in(Fraction(1, 1_380_688)), "1 in 1,380,688"),
        (words.percent(Fraction(2130698, 10_000_000)), "21.3%"),
        (words.percent(Fraction(-205, 1_000)), "−20.5%"),
        (words.rate(1_225), "12.25%"),
        (words.hand(["TS", "KS", "AS", "JS", "QS"]), "A♠ K♠ Q♠ J♠ 10♠"),
        (words.hand(["2C", "2S", "AH"]), "A♥ 2♠ 2♣"),
        (words.hand(["Gee Joon"]), "Gee Joon"),
        (words.day(THIS_YEAR, year=True), "Mon 16 Nov 2026"),
        (words.days(dt.date(2026, 12, 31), dt.date(2027, 1, 1)), "Thu 31 Dec 2026 to Fri 1 Jan 2027"),
        (words.days(THIS_YEAR, THIS_YEAR), "Mon 16 Nov 2026"),
    ],
)
def test_how_it_is_written(said: str, written: str) -> None:
    assert said == written


def test_a_report_on_paper_says_whose_it_is_who_made_it_when_and_how_long_it_is() -> None:
    rows = [(48_000 + nth, THIS_YEAR, 1_200, Money.cents(123_456_789)) for nth in range(60)]
    made = reports.report("Keno by game", ["Game", "Gaming day", "Tickets", "Sold"], rows, add=["Tickets", "Sold"])
    at = dt.datetime(2026, 11, 16, 10, 4, tzinfo=dt.UTC)
    with timezone.override(ZoneInfo("Australia/Sydney")):
        pdf = report_paper.as_pdf(made, venue="The Demo Casino", by="Sunita Rao", at=at)
        assert pdf == report_paper.as_pdf(made, venue="The Demo Casino", by="Sunita Rao", at=at)
    said = paper.said(pdf)
    pages = paper.pages(pdf)
    assert pages > 1
    assert said.count("The Demo Casino") == said.count("Gaming day") == pages
    assert [f"Page {nth} of {pages}" for nth in range(1, pages + 1)] == [
        text for text in said if text.startswith("Page")
    ]
    assert said.count("Made by Sunita Rao, Mon 16 Nov 2026, 21:04") == pages  # the venue's clock
    assert {"48000", "1,200", "$1,234,567.89", "72,000", "$74,074,073.40"} <= set(said)


# What must not be read anywhere: days and moments as programs write them, long decimals, odds to one, cards by letters.
FORBIDDEN = re.compile(
    r"\b20\d\d-\d\d-\d\d\b|\b\d\d/\d\d/\d{4}\b|\b0\.\d{5,}|[\d.] : 1\b|\b[2-9TJQKA][SHDC] [2-9TJQKA][SHDC]\b|\$\d{4,}"
)
# The rules as gazetted, an example of what is typed, and the log in its own words: acts and what they are about.
AS_IT_IS = (
    "/rules/",
    "/approvals/propose/cash-limits/",
    "/approvals/history/",
    "/audit/",
    "/venue/",
)
NOT_READ = re.compile(r"<(script|style|svg|textarea|pre|option)\b.*?</\1>|<[^>]*>", re.DOTALL)


@pytest.mark.long
@pytest.mark.django_db
def test_no_page_writes_otherwise(signed_in: Callable[[str], Client]) -> None:
    found = {}
    people: dict[str, Client] = {}
    for page, role in ((page, role) for page, role in pages_in_use().items() if page not in AS_IT_IS):
        client = people.setdefault(role, signed_in(role)) if role not in people else people[role]
        answer = client.get(page, follow=True)
        if answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html"):
            read = NOT_READ.sub(" ", answer.content.decode().partition("<main")[2])
            if wrong := FORBIDDEN.findall(read):
                found[page] = wrong
    assert not found, str(found)


def test_no_script_tells_the_time_of_its_own_machine() -> None:
    for script in Path(settings.ROOT).glob("*/static/**/*.js"):
        text = script.read_text()
        assert "toLocaleTimeString" not in text, script
        assert "toLocaleDateString" not in text, script
        assert text.count("DateTimeFormat(") == len(re.findall(r"\btimeZone[:,]", text)), script
