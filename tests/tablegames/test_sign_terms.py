"""What a sign must also say: multiples, the table differential, the amount of Super Sevens, whom to complain to."""

from __future__ import annotations

from functools import partial

import pytest

from house.approvals import propose
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Refusal
from tablegames import payment_errors, tables
from tablegames.rules import catalogue
from tablegames.rules.signs import outside
from tablegames.rules.terms import Limit, Terms
from tablegames.settle import Entered, record_check
from tests.tablegames.hands import BY_NAME, play
from tests.tablegames.test_signs import ACT
from tests.world.approvals import decide
from tests.world.calls import Caller, make_device, problem
from tests.world.people import SUPERVISOR
from tests.world.refusals import refused_with

SYSTEM = Actor(identity="system:demo", name="demo")


def five(wager: str) -> dict[str, Limit]:
    return {wager: Limit(Money.dollars(5), Money.dollars(100), Money.dollars(5))}


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize(
    ("document", "wager"),
    [
        pytest.param(
            document,
            wager,
            id=document,
            marks=pytest.mark.clause(f"{document}:{'5.5' if document == 'act-pg' else '3.3'}"),
        )
        for _, document, wager in ACT
    ],
)
def test_the_multiples_of_wagers_are_on_the_sign(document: str, wager: str) -> None:
    game = next(game for game in catalogue.GAMES.values() if game.document == document)
    tables.open_table(code="X-1", game=game.code, terms=Terms(limits=five(wager)), by=SYSTEM)
    caller = Caller(make_device("supervisor")[1])
    for shown in (caller.get("tablegames/tables/X-1").json()["terms"], caller.get("tablegames/tables/X-1/sign").json()):
        assert shown["limits"][wager] == {"minimum": "5.00", "maximum": "100.00", "multiple": "5.00"}
    odd = caller.post("tablegames/tables/X-1/wagers", {"wagers": {wager: "12.00"}}).json()
    assert (odd["within"], odd["outside"]) == (
        False,
        [{"wager": wager, "says": "$12.00 is not a multiple of $5.00."}],
    )
    assert caller.post("tablegames/tables/X-1/wagers", {"wagers": {wager: "15.00"}}).json()["within"] is True


@pytest.mark.parametrize(
    ("amount", "says"),
    [("4.00", "below the minimum of $5.00"), ("105.00", "above the maximum of $100.00"), ("100.00", "")],
)
def test_wagers_are_held_against_the_limits(amount: str, says: str) -> None:
    found = outside(five("straight-up"), {"straight-up:17": Money.parse(amount)})
    assert [says in each.says for each in found] == ([True] if says else [])


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize(
    "game",
    [
        pytest.param("baccarat", marks=pytest.mark.clause("act-bac:3.6", "act-bac:3.7")),
        pytest.param("mini-baccarat", marks=pytest.mark.clause("act-mb:3.6", "act-mb:3.7")),
    ],
)
def test_the_table_differential_is_on_the_sign_and_so_is_another_one(game: str) -> None:
    caller = Caller(make_device("supervisor")[1])
    for differential in ("5000.00", "8000.00"):
        terms = Terms(differential=Money.parse(differential))
        if differential == "5000.00":
            tables.open_table(code="X-1", game=game, terms=terms, by=SYSTEM)
        else:
            decide(
                propose(kind=tables.SIGN, subject="gaming-table:X-1", new=terms.as_data(), why="More.", by=SUPERVISOR)
            )
        assert caller.get("tablegames/tables/X-1/sign").json()["terms"]["differential"] == differential
    with pytest.raises(Refusal, match="leaves no choice of differential"):
        catalogue.find("blackjack").check_terms(terms)


@pytest.mark.clause("act-bj:17.4")
def test_super_sevens_are_wagered_at_the_approved_amount() -> None:
    def sevens(amount: str, terms: Terms) -> str:
        cards = {"hand": "7S 9D", "dealer": "TC 8D"}
        return str(play("blackjack", {"hand": "10.00", "super-sevens": amount}, cards=cards, terms=terms).pays)

    approved_amount = Terms(limits={"super-sevens": Limit(Money.dollars(2), Money.dollars(2))})
    assert sevens("2.00", approved_amount)
    for other in ("1.00", "3.00"):
        refused_with(partial(sevens, other, approved_amount), code="sevens-not-approved", clause="act-bj:17.4")
    a_range = Terms(limits={"super-sevens": Limit(Money.dollars(1), Money.dollars(5))})
    refused_with(lambda: catalogue.find("blackjack").check_terms(a_range), code="terms-invalid", clause="act-bj:17.4")


@pytest.mark.clause("act-bj:17.4")
@pytest.mark.usefixtures("tables")
def test_the_approved_amount_is_not_the_houses_to_announce() -> None:
    caller = Caller(make_device("supervisor")[1])
    limits = caller.get("tablegames/tables/BJ-01/sign").json()["limits"]
    limits["super-sevens"] = {"minimum": "5.00", "maximum": "5.00"}
    body = {"limits": limits, "takes_effect_at": "2099-01-01T00:00:00Z"}
    problem(caller.post("tablegames/tables/BJ-01/limits", body), 422, "limits-approved")


@pytest.mark.clause("nsw-lp:14.13")
@pytest.mark.usefixtures("tables")
def test_who_disputes_a_hand_is_told_of_his_right_to_complain() -> None:
    hand = {"player": BY_NAME["pair"].split(), "dealer": ["AD", "KC", "9H", "4S", "2D"]}
    wagers = {"ante": Money.dollars(10), "super": Money.dollars(10), "bet": Money.dollars(20)}
    record_check(
        entered=Entered(game="lunar-poker-nsw", wagers=wagers, cards=hand),
        paid=dict.fromkeys(wagers, Money.dollars(99)),
        table="LP-01",
        by=SUPERVISOR,
    )
    caller = Caller(make_device("supervisor")[1])
    told = caller.get("tablegames/checks").json()["results"][0]["notice"]
    assert told == payment_errors.RIGHT_TO_COMPLAIN
    assert "inspector" in told
