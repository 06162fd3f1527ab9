"""The entry forms of 4.4: on paper in the approved version, and as the line of text that a QR code holds."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from house.approvals import propose
from keno import entry_code, entry_forms
from keno.entries import TicketRequest
from keno.entry_forms import FormCode
from keno.rules.selection import Play
from kernel.money import Money
from kernel.refusal import Conflict, Malformed, Refusal
from tests.world.approvals import decide
from tests.world.keno_counter import ENTRY_FORM as APPROVED
from tests.world.keno_counter import approve_value
from tests.world.paper import marks, said
from tests.world.people import SUPERVISOR
from tests.world.refusals import refused_with


def boxes(pdf: bytes) -> list[str]:
    """What stands in or beside a box for a cross: each is drawn just before its word."""
    drawn = list(marks(pdf))
    return [text for (before, _), (what, text) in pairwise(drawn) if (before, what) == ("re", "Tj")]


NUMBERS = [str(number) for number in range(1, 81)]
STAKES = ["$1", "$2", "$3", "$5", "$10", "$20", "$ ____"]
GAMES = ["1", "2", "3", "5", "10", "20", "50", "100", "____"]
SCHEDULES = ["Standard", "Standard with jackpot", "Special 1", "Special 2", "Special 3"]


@pytest.fixture
def forms(db: None) -> None:
    for code in FormCode:
        approve_value("entry-form", code, APPROVED)


@pytest.mark.clause("act-keno:4.4a", "act-keno:4.4-form")
def test_the_standard_form_has_what_the_clause_names(forms: None) -> None:
    made = entry_forms.pdf(FormCode.STANDARD)
    words = said(made)
    heads = [each for each in words if each in ("NUMBERS", "STAKE A WAY A GAME", "GAMES", "SCHEDULE")]
    assert heads == ["NUMBERS", "STAKE A WAY A GAME", "GAMES", "SCHEDULE"]
    assert boxes(made) == [*NUMBERS, *STAKES, *GAMES, *SCHEDULES]  # a box for a cross at every choice
    assert "Put a cross (X) into the box of each choice." in words
    assert not any("WAYS TO BE PLAYED" in each for each in words)


@pytest.mark.clause("act-keno:4.4b", "act-keno:4.4-form")
def test_the_way_form_has_the_ways_besides(forms: None) -> None:
    standard, way = (set(said(entry_forms.pdf(code))) for code in FormCode)
    missing = standard - way
    assert all("STANDARD" in each and "FORM" in each.upper() for each in missing)  # its own name, and nothing else
    assert any(each.startswith("WAYS TO BE PLAYED") for each in way)
    ways = [str(spots) for spots in range(1, 16)]
    small = ["10c", "20c", "50c"]
    assert boxes(entry_forms.pdf(FormCode.WAY)) == [*NUMBERS, *ways, *small, *STAKES, *GAMES, *SCHEDULES]


@pytest.mark.clause("act-keno:4.4-form")
def test_odds_return_help_line_and_approval_are_on_both(forms: None) -> None:
    for code in FormCode:
        words = said(entry_forms.pdf(code))
        assert "Help, day and night: 555 0100" in words
        assert f"Form {code} layout {entry_forms.LAYOUT}, approved under GCI/26/4" in words
        assert "1: 1 in 4.00, 1 in 4.00, 75.0%" in words
        assert any(each.startswith("10: ") and "1 in 8,911,711" in each for each in words)


@pytest.mark.clause("act-keno:4.4-form")
@pytest.mark.django_db
def test_a_form_that_no_inspector_approved_is_not_given_out() -> None:
    refused_with(lambda: entry_forms.pdf(FormCode.WAY), Conflict, code="entry-form-not-approved")
    new = APPROVED | {"layout": entry_forms.LAYOUT - 1}
    about: dict[str, Any] = {"kind": "keno.entry-form", "subject": "entry-form:WAY", "why": "New.", "by": SUPERVISOR}
    refused_with(lambda: propose(new=new, **about), Refusal, code="no-such-layout")
    proposal = propose(new=APPROVED, **about)
    assert proposal.authority == "inspector"
    refused_with(lambda: entry_forms.pdf(FormCode.WAY), Conflict, code="entry-form-not-approved")
    decide(proposal)
    assert entry_forms.pdf(FormCode.WAY) == entry_forms.pdf(FormCode.WAY)
    approve_value("entry-form", FormCode.WAY, new)  # approved in another layout than is drawn
    refused_with(lambda: entry_forms.pdf(FormCode.WAY), Conflict, code="entry-form-not-approved")


# The line of text


@st.composite
def entries(draw: st.DrawFn) -> TicketRequest:
    numbers = draw(st.lists(st.integers(1, 80), min_size=1, max_size=30, unique=True))
    stake = st.sampled_from(["0.10", "1.00", "20.00", "9999.00"]).map(Money.parse)
    more: dict[str, Any] = {
        "games": draw(st.integers(1, 9_999)),
        "schedule": draw(st.sampled_from(["standard", "special-1", "special-2", "special-3"])),
        "jackpot": draw(st.booleans()),
    }
    if draw(st.booleans()):
        return TicketRequest(numbers=numbers, stake=draw(stake), **more)
    cut = draw(st.integers(0, len(numbers)))
    groups = [group for group in (numbers[:cut], numbers[cut:]) if group]
    spots = draw(st.lists(st.integers(1, 15), min_size=2, max_size=15, unique=True))
    return TicketRequest(groups=groups, plays=[Play(each, draw(stake)) for each in spots], **more)


@given(entries())
def test_what_is_written_is_read_again(entry: TicketRequest) -> None:
    text = entry_code.written(entry)
    assert re.fullmatch(r"[0-9A-Z $%*+\-./:]+", text)  # the small kind of a QR code
    assert entry_code.read(text) == entry_code.read(text.lower()) == entry


@pytest.mark.parametrize(
    "text",
    ["", "KENO:7K2MX0Q4RT9B:1", "KENO:PLAY:1:::1:STANDARD:-", "KENO:PLAY:1:4..8:2*1.00:1:STANDARD:-",
     "KENO:PLAY:1:4.8:2*1:1:STANDARD:-", "KENO:PLAY:2:4.8:2*1.00:1:STANDARD:-", "KENO:PLAY:1:4.8:2*1.00:1:STANDARD:X"],
)  # fmt: skip
def test_what_is_none_is_refused(text: str) -> None:
    refused_with(lambda: entry_code.read(text), Malformed, code="not-an-entry")
