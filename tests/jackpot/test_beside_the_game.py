"""A jackpot prize beside the game at the table, and what its players are told."""

from __future__ import annotations

import pytest

from jackpot.hits import deny_hit
from jackpot.rules.catalogue import CARIBBEAN_STUD
from jackpot.rules.payouts import evaluate
from kernel.money import Money
from tablegames.rules import catalogue
from tablegames.rules.terms import Terms
from tests.jackpot.dealt import FULL_HOUSE, cards
from tests.jackpot.rounds import lines
from tests.world.calls import Caller, make_device
from tests.world.jackpot_table import finish, start, verify
from tests.world.money import dollars
from tests.world.people import MANAGER

WAGERS = {"ante": Money.dollars(10), "bet": Money.dollars(20)}
QUALIFIES, DOES_NOT = "AD KC 9H 4S 2D", "QD JC 9H 4S 2D"
BY_NAME = {
    "straight-flush": "9S 8S 7S 6S 5S",
    "four-of-a-kind": "8S 8H 8D 8C 3C",
    "full-house": "8S 8H 8D 3S 3C",
    "flush": "QS TS 8S 5S 3S",
}


def game_pays(player: str, dealer: str) -> Money:
    dealt = {"player": player.split(), "dealer": dealer.split()}
    return catalogue.settle("caribbean-stud", terms=Terms(), wagers=WAGERS, cards=dealt).pays


@pytest.mark.clause("nsw-csp:11.4", "nsw-csp:11.8")
@pytest.mark.parametrize("hand", BY_NAME)
def test_a_hand_is_owed_its_prize_beside_what_the_game_pays_whatever_the_dealer_holds(hand: str) -> None:
    """The same cards against a dealer who qualifies and one who does not: the bet is owed another amount, the jackpot
    prize the same, and the player both."""
    game = {dealer: game_pays(BY_NAME[hand], dealer) for dealer in (DOES_NOT, QUALIFIES)}
    assert game[DOES_NOT] == dollars("10.00")  # the ante alone: the bet is returned
    assert game[QUALIFIES] > dollars("40.00")
    won = evaluate(CARIBBEAN_STUD, meter=Money.dollars(60_000), wagers=[1], hands=[cards(1, BY_NAME[hand])])
    owed = {"straight-flush": "6000.00", "four-of-a-kind": "500.00", "full-house": "150.00", "flush": "100.00"}[hand]
    assert [(box, amount) for box, _, amount, _, _ in lines(won)] == [(1, owed)]
    together = [pays + Money.total(payout.amount for payout in won.payouts) for pays in game.values()]
    assert [amount - dollars(owed) for amount in together] == list(game.values())


@pytest.mark.clause("nsw-csp:16.17", "nsw-csp:16.18")
@pytest.mark.usefixtures("floor")
def test_who_is_denied_is_told_to_whom_to_go() -> None:
    (hit,) = finish(start("CSP-01", (1,)), cards(1, FULL_HOUSE))
    verify(hit)
    desk = Caller(make_device("supervisor")[1])

    def told() -> str:
        return str(desk.get(f"jackpot/hits/{hit.pk}").json()["notice"])

    assert told() == ""
    deny_hit(hit_id=hit.pk, reason="A card was marked.", by=MANAGER)
    assert "a casino supervisor" in told()
    assert "complain to an inspector" in told()
    slip = desk.get(f"jackpot/hits/{hit.pk}/slip?format=escpos").content
    words = " ".join(slip.decode("latin-1").split())
    assert "a casino supervisor" in words
    assert "complain to an inspector" in words


@pytest.mark.clause("nsw-csp:16.20")
@pytest.mark.usefixtures("floor")
def test_a_tables_rules_are_there_for_whoever_asks_at_it() -> None:
    """Every prize of the link with its figures, as they are in force, to whatever role."""
    prizes = {
        "CSP-01": {"royal-flush": "50000.00", "straight-flush": "5000.00"},
        "BOOM-01": {"royal-flush": "10000.00", "straight-flush": "1000.00"},
    }
    for role in ("signage", "table", "supervisor"):
        for table, at_least in prizes.items():
            answer = Caller(make_device(role)[1]).get(f"jackpot/tables/{table}/sign")
            assert answer.status_code == 200, f"{role} was not shown the rules of {table}"
            sign = answer.json()
            assert {each["hand"]: each["at_least"] for each in sign["prizes"] if each["share"]} == at_least
            fixed = {each["hand"]: each["fixed"] for each in sign["prizes"] if each["fixed"]}
            expected = {"four-of-a-kind": "500.00", "full-house": "150.00", "flush": "100.00"}
            assert fixed == expected | ({"dead-mans-hand": "50.00"} if table == "BOOM-01" else {})
