"""What the rules of every game say in the same words under other numbers: irregularities, limits, approval."""

from __future__ import annotations

from typing import Any

import pytest

from house.incident_kinds import kinds
from kernel.authority import Authority
from kernel.money import Money
from kernel.refusal import Refusal
from tablegames import approvables, tables
from tablegames.approvables import NewTable
from tablegames.incident_kinds import OPENED_BY
from tablegames.pages.forms import amounts
from tablegames.rules.catalogue import GAMES
from tablegames.rules.terms import Limit, Terms
from tests.plugins.clauses import read_list
from tests.tablegames.hands import BY_NAME, SIGN, play
from web.json import read_json

LISTED = {clause.id for clause in read_list()}
BY_DOCUMENT = {game.document: game.code for game in GAMES.values()}
# The wagers of a hand that went wrong.
MADE: dict[str, dict[str, str]] = {
    "nsw-lp": {"ante": "10.00", "super": "10.00", "bet": "20.00"},
    "vu-lp": {"ante": "10.00", "super": "10.00", "bet": "20.00"},
    "nz-lp": {"ante": "10.00", "super": "10.00", "bet": "20.00"},
    "nsw-csp": {"ante": "10.00", "bet": "20.00"},
    "act-cp": {"ante": "10.00", "bet": "20.00"},
    "act-bj": {"hand": "10.00", "insurance": "5.00", "super-sevens": "1.00"},
    "act-ar": {"red": "5.00", "tier": "6.00"},
    "act-bac": {"player": "10.00", "tie": "5.00"},
    "act-mb": {"player": "10.00", "tie": "5.00"},
    "act-pg": {"hand": "100.00"},
    "act-sb": {"big": "5.00", "total:9": "1.00"},
    "act-mw": {"flag": "5.00", "1": "1.00"},
}
# By document: what can go wrong, and the clause that says what becomes of it.
FAULTS = {
    "nsw-csp": "misdeal 14.4, dealer-wrong-number-of-cards 14.2, two-cards-exposed 14.3, wrong-number-of-cards 14.8, "
    "missing-or-foreign-card 14.9.2, player-absent 14.14, shuffler 15.2.1, device-used 16.8.1, invalidated 16.10, "
    "fraud 16.10",
    "nsw-lp": "misdeal 12.10, wrong-number-of-cards 12.2, two-cards-exposed 12.5, dealt-without-an-ante 12.8, "
    "missing-or-foreign-card 12.11.2, player-absent 12.14, not-reconstructed 12.15, shuffler 13.2.1, "
    "device-used 14.3.1, invalidated 14.5, fraud 14.5",
    "vu-lp": "misdeal 11.11, wrong-number-of-cards 11.2, two-cards-exposed 11.5, dealt-without-an-ante 11.8, "
    "missing-or-foreign-card 11.10, player-absent 11.12, not-reconstructed 11.13, collusion 11.1",
    "nz-lp": "misdeal 11.11, wrong-number-of-cards 11.2, two-cards-exposed 11.5, dealt-without-an-ante 11.8, "
    "missing-or-foreign-card 11.10, player-absent 11.12, not-reconstructed 11.13, collusion 11.1",
    "act-cp": "three-cards-exposed 13.1, dealt-out-of-order 13.3, wrong-number-of-cards 13.4, "
    "dealer-wrong-number-of-cards 13.5, collusion 12.2, rules-broken 15.3, invalidated 15.5",
    "act-bj": "card-placement 14.5, rules-broken 16.3, invalidated 16.5",
    "act-ar": "spun-with-the-wheel 9.1, no-spin 9.2, foreign-object 9.3, in-no-compartment 9.4, left-the-wheel 9.5, "
    "rules-broken 10.3, invalidated 10.5",
    "act-bac": "misdeal 9.5, insufficient-cards 9.6, rules-broken 11.3, invalidated 11.5",
    "act-mb": "misdeal 9.5, insufficient-cards 9.6, rules-broken 11.3, invalidated 11.5",
    "act-pg": "misdeal 15.3, two-tiles-exposed 15.8, collusion 14.2, rules-broken 17.3, invalidated 17.5",
    "act-sb": "not-flat 8.1, broken-die 8.2, exposed 8.3, tumbler 8.4, rules-broken 10.3, invalidated 10.5",
    "act-mw": "not-two-revolutions 8.1, interference 8.2, on-the-divider 8.3, rules-broken 10.3, invalidated 10.5",
}
# What goes back of each wager where not all of all does.
OTHERWISE: dict[tuple[str, str], dict[str, str]] = {
    ("nsw-csp", "player-absent"): {"ante": "0.00", "bet": "20.00"},  # folded
    ("nsw-csp", "fraud"): {"ante": "0.00", "bet": "0.00"},
    ("nsw-lp", "fraud"): {"ante": "0.00", "super": "0.00", "bet": "0.00"},
    ("vu-lp", "player-absent"): {"ante": "0.00", "super": "0.00", "bet": "0.00"},
    ("nz-lp", "player-absent"): {"ante": "0.00", "super": "0.00", "bet": "0.00"},
    ("act-cp", "dealer-wrong-number-of-cards"): {"ante": "20.00", "bet": "20.00"},  # antes win, bets are void
}
# Clauses of the cause, beside that of what becomes of the wagers.
ALSO = {("act-pg", "misdeal"): ["act-pg:15.2"], ("nsw-csp", "shuffler"): ["nsw-csp:15.2"]}


def faults() -> list[Any]:
    cases = []
    for document, text in FAULTS.items():
        for said in text.split(", "):
            fault, number = said.split()
            shows = [f"{document}:{number}", *ALSO.get((document, fault), [])]
            marks = pytest.mark.clause(*(each for each in shows if each in LISTED))
            cases.append(pytest.param(document, fault, f"{document}:{number}", id=f"{document} {fault}", marks=marks))
    return cases


@pytest.mark.parametrize(("document", "fault", "clause"), faults())
def test_what_becomes_of_the_wagers_where_something_went_wrong(document: str, fault: str, clause: str) -> None:
    wagers = MADE[document]
    cards = None if GAMES[BY_DOCUMENT[document]].takes == "outcome" else dict[str, str]()
    settled = play(BY_DOCUMENT[document], wagers, cards=cards, terms=SIGN.get(document), irregularity=fault)
    assert {line.wager: str(line.total) for line in settled.owed} == OTHERWISE.get((document, fault), wagers)
    assert {line.clause for line in settled.owed} == {clause}


def test_no_game_has_an_irregularity_beside_these() -> None:
    for document, code in BY_DOCUMENT.items():
        assert set(GAMES[code].irregularities) == {said.split()[0] for said in FAULTS[document].split(", ")}, code


HIGH, LOW = ("teen teen", "day chop-gow"), ("day yun", "gor bon")


def tiles(player: tuple[str, str], bank: tuple[str, str]) -> dict[str, str]:
    return {"player_high": player[0], "player_low": player[1], "bank_high": bank[0], "bank_low": bank[1]}


# The clauses of below and above, a wager, how it wins and how it loses. (Roulette and Baccarat: see their oracles.)
LIMITS: list[tuple[str, str, str, str, Any, Any]] = [
    ("act-bj", "3.4", "3.5", "hand", {"hand": "TS 9D", "dealer": "TC 8D"}, {"hand": "TS 8D", "dealer": "TC 9C"}),
    ("act-sb", "3.4", "3.5", "big", "6 6 5", "1 1 2"),
    ("act-mw", "3.4", "3.5", "1", "1", "3"),
    ("act-pg", "5.6", "5.7", "hand", tiles(HIGH, LOW), tiles(LOW, HIGH)),
    ("nsw-lp", "6.2", "6.3", "super", {"player": BY_NAME["three-of-a-kind"]}, {"player": BY_NAME["odd-cards"]}),
]


@pytest.mark.parametrize(
    ("document", "wager", "won", "lost"),
    [
        pytest.param(
            document, *case, id=document, marks=pytest.mark.clause(f"{document}:{below}", f"{document}:{above}")
        )
        for document, below, above, *case in LIMITS
    ],
)
def test_below_the_minimum_a_wager_counts_and_above_the_maximum_up_to_it(
    document: str, wager: str, won: Any, lost: Any
) -> None:
    terms = Terms(limits={wager: Limit(Money.dollars(20), Money.dollars(50))})
    beside = {"ante": "10.00"} if document == "nsw-lp" else {}

    def line(amount: str, happened: Any) -> tuple[Money, Money, Money]:
        entered = {"outcome": happened} if isinstance(happened, str) else {"cards": happened}
        found = play(BY_DOCUMENT[document], {wager: amount} | beside, terms=terms, **entered).line(wager)
        return found.stake, found.pays, found.returns

    _, one, back = line("10.00", won)  # below the minimum
    assert back == Money.dollars(10)
    assert one > Money(0)
    assert line("10.00", lost)[2] == Money(0)
    assert line("80.00", won) == (Money.dollars(80), 5 * one, Money.dollars(80))  # 50 of 80 counts
    assert line("80.00", lost) == (Money.dollars(80), Money(0), Money.dollars(30))


@pytest.mark.parametrize(
    ("document", "code"),
    [
        pytest.param(
            # Super Sevens are played at the same table (17.2).
            document,
            code,
            marks=pytest.mark.clause(f"{document}:1.1", *(["act-bj:17.2"] if document == "act-bj" else [])),
            id=document,
        )
        for document, code in BY_DOCUMENT.items()
        if document.startswith("act-")
    ],
)
def test_a_table_of_the_act_is_an_inspectors_to_approve(document: str, code: str) -> None:
    assert approvables.TABLE.authority("gaming-table:X-1", NewTable(game=code, terms=Terms())) is Authority.INSPECTOR
    assert tables.authority_over(code) is Authority.INSPECTOR
    assert tables.authority_over("caribbean-stud") is Authority.HOUSE


@pytest.mark.clause("nsw-csp:5.9", "nsw-lp:5.5", "vu-lp:5.4", "nz-lp:5.4")
def test_a_wagering_area_has_one_wager_whoever_enters_it() -> None:
    """By both doors: the lines of the page, and the call."""
    with pytest.raises(Refusal) as on_the_page:
        amounts("ante 10.00\nbet 20.00\nante 15.00", field="wagers")
    assert (on_the_page.value.code, on_the_page.value.field) == ("line-twice", "wagers")
    with pytest.raises(Refusal, match="The field 'ante' is there twice"):
        read_json('{"wagers": {"ante": "10.00", "ante": "15.00"}}')


def test_every_clause_that_an_incident_cites_is_in_the_list() -> None:
    for kind in kinds().values():
        assert set(kind.clauses.values()) <= LISTED, kind
    for document, text in FAULTS.items():
        opened = [OPENED_BY[said.split()[0]] for said in text.split(", ") if said.split()[0] in OPENED_BY]
        assert all(kind.clause_in(document).startswith(f"{document}:") for kind in opened)
