"""Blackjack by the text (act-bj): hands that really occur, and hands that cannot. Dealt out: its oracle."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from kernel.money import Money
from tablegames.rules.blackjack import settle
from tablegames.rules.terms import Terms
from tests.world.refusals import refused_as


def owed(
    dealer: str, wagers: dict[str, str] | None = None, choices: dict[str, Any] | None = None, **hands: str
) -> dict[str, str]:
    """By wager: the result and what is paid on it."""
    cards = {name.replace("_", "-"): text.split() for name, text in hands.items()} | {"dealer": dealer.split()}
    made = {name: Money.parse(amount) for name, amount in (wagers or {"hand": "10.00"}).items()}
    settled = settle(terms=Terms(), wagers=made, cards=cards, choices=choices or {})
    return {line.wager: f"{line.result} {line.pays}" for line in settled.owed}


refused = partial(refused_as, "code clause", owed)


@pytest.mark.clause("act-bj:12.1")
def test_a_blackjack_against_a_ten_is_settled_by_the_second_card() -> None:
    """No more cards are drawn once they change nothing (12.1b)."""
    assert owed("TS 4D", hand="AS KD") == {"hand": "wins 15.00"}
    assert owed("AS 4D", hand="AH KD") == {"hand": "wins 15.00"}
    assert owed("TS AD", hand="AS KD") == {"hand": "stands-off 0.00"}
    assert owed("9S", hand="AS KD") == {"hand": "wins 15.00"}  # 8.1a: paid at once
    assert refused("TS", hand="AS KD") == ("card-too-few", "act-bj:12.1a")
    assert refused("TS 4D", hand="9S KD") == ("card-too-few", "act-bj:12.1a")


@pytest.mark.clause("act-bj:8.1")
def test_even_money_is_paid_against_a_lone_ace() -> None:
    assert owed("AS", choices={"even_money": True}, hand="AH KD") == {"hand": "wins 10.00"}
    assert refused("TS", choices={"even_money": True}, hand="AH KD")[0] == "even-money-not-offered"


@pytest.mark.clause("act-bj:7.5")
def test_insurance_waits_for_the_second_card() -> None:
    wagers = {"hand": "10.00", "insurance": "5.00"}
    assert refused("AS", wagers, hand="TS 9D 5C") == ("card-too-few", "act-bj:7.5")
    assert owed("AS KD", wagers, hand="TS 9D 5C") == {"hand": "loses 0.00", "insurance": "wins 10.00"}
    assert owed("AS 4D", wagers, hand="TS 9D 5C") == {"hand": "loses 0.00", "insurance": "loses 0.00"}


@pytest.mark.clause("act-bj:11.2")
def test_on_a_box_that_another_doubled_one_card_is_dealt() -> None:
    assert owed("TS 7D", choices={"box_doubled": True}, hand="6S 3D 2C") == {"hand": "loses 0.00"}
    assert refused("TS 7D", hand="6S 3D 2C") == ("card-too-few", "act-bj:9.2b")
    assert refused("TS 7D", choices={"box_doubled": True}, hand="6S 3D 2C 8H") == ("double-one-card", "act-bj:11.2")


@pytest.mark.clause("act-bj:10.1", "act-bj:10.3", "act-bj:10.5")
def test_what_cannot_be_split_is_refused() -> None:
    two = {"hand-1": "10.00", "hand-2": "10.00"}
    three = two | {"hand-3": "10.00"}
    assert refused("TS 7D", three, hand_1="AS 9D", hand_2="AD 8C", hand_3="AC 7S") == (
        "aces-split-again",
        "act-bj:10.3",
    )
    assert refused("TS 7D", {"hand-1": "10.00"}, hand_1="8S TD")[0] == "split-of-one"
    assert refused("TS 7D", two, hand_1="8S TD", hand_2="9S TD") == ("split-unlike", "act-bj:10.1")
    assert refused("TS 7D", two, hand_1="AS 5D 4C", hand_2="AD 8C") == ("card-too-many", "act-bj:10.5")
    assert owed("TS 7D", two, hand_1="KS 9D", hand_2="JD 8C") == {"hand-1": "wins 10.00", "hand-2": "wins 10.00"}


@pytest.mark.clause("act-bj:10.2", "act-bj:10.7")
def test_after_a_split_an_ace_and_a_ten_are_no_blackjack() -> None:
    two = {"hand-1": "10.00", "hand-2": "10.00"}
    assert owed("TS 7D", two, hand_1="AS KD", hand_2="AD 5C") == {"hand-1": "wins 10.00", "hand-2": "loses 0.00"}
    assert owed("TS AD", two, hand_1="AS KD", hand_2="AC 5C") == {"hand-1": "loses 0.00", "hand-2": "loses 0.00"}
    assert owed("TS 7D", choices={"box_split": True}, hand="AS KD") == {"hand": "wins 10.00"}
    assert refused("9S", two, hand_1="AS KD", hand_2="AD KC")[0] == "card-too-few"  # not decided: no blackjacks
