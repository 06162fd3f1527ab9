"""What a round would pay and what a link returns, over HTTP: the worked examples of the reading."""

from __future__ import annotations

from typing import Any

import pytest

from tests.jackpot.dealt import FULL_HOUSE, GEE_JUN, ROYAL, ROYAL_HEARTS, STRAIGHT_FLUSH, STRAIGHT_FLUSH_2
from tests.jackpot.test_api import hand, someone
from tests.world.calls import Caller, problem

pytestmark = pytest.mark.usefixtures("floor")
STRAIGHT_FLUSH_3 = "7H 6H 5H 4H 3H"
STEEL_WHEEL = "5S 4S 3S 2S AS"


def evaluate(rules: str, meter: str, *hands: dict[str, Any], wagers: list[int] | None = None, **more: Any) -> Any:
    body = {"rules": rules, "meter": meter, "wagers": wagers or [each["box"] for each in hands], "hands": hands, **more}
    response = someone("signage").post("jackpot/evaluate", body, key="")
    assert response.status_code == 200, response.content
    answer = response.json()
    paid = [
        (each["box"], each["kind"], each["amount"], each["from_pool"], each["from_house"]) for each in answer["payouts"]
    ]
    return paid, answer["pool_after"]


@pytest.mark.clause("nsw-csp:12.3.2", "nsw-csp:12.4", "nsw-csp:12.2")
def test_successive_tenths_of_the_worked_examples() -> None:
    assert evaluate("caribbean-stud", "100000.00", hand(1, STRAIGHT_FLUSH), hand(2, STRAIGHT_FLUSH_2)) == (
        [(2, "straight", "9500.00", "9500.00", "0.00"), (1, "straight", "9500.00", "9500.00", "0.00")],
        "81000.00",
    )
    assert evaluate(
        "caribbean-stud", "100000.00", hand(1, STRAIGHT_FLUSH), hand(2, STRAIGHT_FLUSH_2), hand(3, ROYAL)
    ) == (
        [
            (2, "straight", "9500.00", "9500.00", "0.00"),
            (1, "straight", "9500.00", "9500.00", "0.00"),
            (3, "royal", "81000.00", "81000.00", "0.00"),
        ],
        "0.00",
    )
    three = [hand(1, STRAIGHT_FLUSH), hand(2, STRAIGHT_FLUSH_2), hand(3, STRAIGHT_FLUSH_3)]
    assert evaluate("caribbean-stud", "30000.00", *three) == (
        [(box, "straight", "5000.00", "2710.00", "2290.00") for box in (3, 2, 1)],
        "21870.00",
    )


@pytest.mark.clause("act-cp:11.2", "act-cp:11.1-fixed", "act-cp:7.3")
def test_boomerang_worked() -> None:
    assert evaluate("boomerang", "22000.00", hand(1, ROYAL), hand(2, STRAIGHT_FLUSH)) == (
        [(2, "straight", "2000.00", "2000.00", "0.00"), (1, "royal", "20000.00", "20000.00", "0.00")],
        "0.00",
    )
    assert evaluate("boomerang", "22000.00", hand(1, "AS AD 8S 8H KC")) == (
        [(1, "fixed", "50.00", "0.00", "50.00")],
        "22000.00",
    )
    assert evaluate("boomerang", "22000.00", hand(1, ROYAL), folded=[1]) == ([], "22000.00")


@pytest.mark.clause("act-cp:11.1-royal", "nsw-csp:12.1.1")
def test_the_linked_table_race_worked() -> None:
    """$80,000 displayed when the round began, the pool restarted since: Boomerang owes what was displayed, the house
    covers what the pool cannot; Caribbean Stud pays on the pool as it is, or $50,000."""
    assert evaluate("boomerang", "10000.00", hand(1, ROYAL), displayed="80000.00") == (
        [(1, "royal", "80000.00", "10000.00", "70000.00")],
        "0.00",
    )
    assert evaluate("caribbean-stud", "50001.75", hand(1, ROYAL), displayed="80000.00") == (
        [(1, "royal", "50001.75", "50001.75", "0.00")],
        "0.00",
    )
    assert evaluate("caribbean-stud", "41000.00", hand(1, ROYAL), displayed="80000.00") == (
        [(1, "royal", "50000.00", "41000.00", "9000.00")],
        "0.00",
    )


@pytest.mark.clause("act-pg:13.2-major", "act-pg:13.3")
def test_gee_jun_worked() -> None:
    assert evaluate("gee-jun", "12000.00", hand(1, GEE_JUN)) == (
        [(1, "major", "12000.00", "12000.00", "0.00")],
        "0.00",
    )
    # At the same time on two linked tables: pro-rated equally.
    assert evaluate("gee-jun", "12000.00", hand(1, GEE_JUN), hand(2, GEE_JUN)) == (
        [(2, "major", "6000.00", "6000.00", "0.00"), (1, "major", "6000.00", "6000.00", "0.00")],
        "0.00",
    )


@pytest.mark.clause("nsw-csp:11.10.2", "nsw-csp:11.10.3", "nsw-csp:9.3.1", "nsw-csp:12.3.1")
def test_bonus_and_folded_and_two_royals() -> None:
    paid, left = evaluate(
        "caribbean-stud",
        "120000.00",
        hand(2, ROYAL),
        hand(5, FULL_HOUSE),
        wagers=[1, 2, 5],
        bonus="100.00",
        folded=[2],
    )
    assert paid == [
        (5, "fixed", "150.00", "0.00", "150.00"),
        (5, "bonus", "100.00", "0.00", "100.00"),
        (1, "bonus", "100.00", "0.00", "100.00"),
        (2, "royal", "120000.00", "120000.00", "0.00"),
    ]
    assert left == "0.00"
    assert evaluate("caribbean-stud", "60000.00", hand(1, ROYAL), hand(2, ROYAL_HEARTS)) == (
        [(2, "royal", "50000.00", "30000.00", "20000.00"), (1, "royal", "50000.00", "30000.00", "20000.00")],
        "0.00",
    )
    assert evaluate("caribbean-stud", "100000.00", hand(1, STEEL_WHEEL))[0][0][1] == "straight"


def test_evaluate_refuses_in_words() -> None:
    caller = someone("writer")
    good = {"rules": "caribbean-stud", "meter": "1.00", "wagers": [1], "hands": [hand(1, ROYAL)]}
    problem(caller.post("jackpot/evaluate", good | {"meter": 1}), 400, "malformed")
    problem(caller.post("jackpot/evaluate", good | {"rules": "poker"}), 400, "malformed")
    problem(caller.post("jackpot/evaluate", good | {"colour": "red"}), 400, "unknown-field")
    problem(caller.post("jackpot/evaluate", {**good, "meter": "-1.00"}), 400, "malformed")
    problem(caller.post("jackpot/evaluate", {k: v for k, v in good.items() if k != "meter"}), 400, "malformed")
    assert problem(caller.post("jackpot/evaluate", good | {"wagers": [1, 1]}), 422, "second-wager-on-box")["clause"]
    found = problem(
        caller.post("jackpot/evaluate", good | {"hands": [hand(1, "AS AS KS QS JS")]}), 422, "dealt-too-often"
    )
    assert (found["clause"], found["field"]) == ("nsw-csp:14.9", "hands[0].cards[1]")
    problem(Caller().post("jackpot/evaluate", good), 401, "not-signed-in")


@pytest.mark.parametrize("rules", ["caribbean-stud", "boomerang", "gee-jun", "minor-major"])
def test_mathematics(rules: str) -> None:
    caller = someone("writer")
    plain = caller.post("jackpot/mathematics", {"rules": rules}, key="").json()
    assert plain["wager"] == "1.00"
    assert all(each["mean_when_won"] is None for each in plain["levels"])
    if rules == "caribbean-stud":
        royal = next(each for each in plain["hands"] if each["hand"] == "royal-flush")
        assert royal["frequency"]["fraction"] == "1/649740"
        terms = {"rules": rules, "wager": "2.50", "seed": "50000.00", "turnover": "10000.00"}
        fraction = caller.post("jackpot/mathematics", terms | {"increment_rate": "0.70"}, key="").json()
        points = caller.post("jackpot/mathematics", terms | {"increment_rate": 7000}, key="").json()
        assert fraction == points
        assert fraction["mean_when_won"]
        assert fraction["break_even"]
        assert fraction["levels"][0]["days_to_win"]["fraction"] == "32487/200"
    problem(caller.post("jackpot/mathematics", {"rules": rules, "increment_rate": 1.5}), 400, "malformed")


def test_mathematics_of_a_must_hit_by_link_that_cannot_move_is_refused_in_words() -> None:
    caller = someone("writer")
    terms = {"rules": "must-hit-by", "wager": "1.00", "seed": "50.00", "increment_rate": 5000}
    for ceiling in ("50.00", "49.99"):
        found = problem(caller.post("jackpot/mathematics", terms | {"ceiling": ceiling}), 422, "ceiling-not-above-seed")
        assert "ceiling" in found["detail"]
    assert caller.post("jackpot/mathematics", terms | {"ceiling": "60.00"}, key="").json()["levels"][0]["break_even"]
