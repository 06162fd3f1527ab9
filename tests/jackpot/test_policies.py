"""A rule set is data: it survives being stored, and what makes no sense is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jackpot.rules.catalogue import CARIBBEAN_STUD, RULE_SETS
from jackpot.rules.payouts import Dealt, evaluate
from jackpot.rules.policies import Kind, Prize, RuleSet, as_data, from_data
from kernel.money import Money
from kernel.refusal import Refusal


@pytest.mark.clause("nsw-csp:11.9.1")
@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_a_rule_set_survives_being_stored(rules: RuleSet) -> None:
    assert from_data(json.loads(json.dumps(as_data(rules)))) == rules


def test_the_catalogue_names_each_once() -> None:
    others = ["must-hit-by", "must-hit-by-levels", "minor-major"]
    assert list(RULE_SETS) == ["caribbean-stud", "boomerang", "gee-jun", *others]


def test_another_jackpot_is_a_configuration() -> None:
    """A straight jackpot nobody has gazetted: half the pool for any straight flush, two pairs pay a coffee."""
    rules = from_data(
        {
            "code": "coffee",
            "title": "Coffee jackpot",
            "game": "cards",
            "contributes": "every-wager",
            "measured_on": "pool-when-locked",
            "sharing": "successive",
            "folded": "loses",
            "pays_bonus": True,
            "topped_up": True,
            "prizes": [
                {"hand": "two-pairs", "kind": "fixed", "fixed": "5.00"},
                {"hand": "straight-flush", "kind": "straight", "percent": 5000},
                {"hand": "royal-flush", "kind": "royal", "percent": 10000},
            ],
        }
    )
    round_ = evaluate(
        rules,
        meter=Money.parse("1000.00"),
        wagers=[1, 2, 3],
        hands=[
            Dealt(box=1, cards=["AS", "AC", "8S", "8C", "KD"]),
            Dealt(box=2, cards=["9H", "8H", "7H", "6H", "5H"]),
        ],
        bonus=Money.parse("7.00"),
    )
    assert [(p.box, p.kind.value, str(p.amount)) for p in round_.payouts] == [
        (1, "fixed", "5.00"),
        (3, "bonus", "7.00"),
        (1, "bonus", "7.00"),
        (2, "straight", "500.00"),
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"prizes": []},
        {"prizes": [{"hand": "five-of-a-kind", "kind": "fixed", "fixed": "5.00"}]},
        {"prizes": [{"hand": "flush", "kind": "fixed", "fixed": "5.00", "percent": 10}]},
        {"prizes": [{"hand": "flush", "kind": "fixed"}]},
        {"prizes": [{"hand": "flush", "kind": "royal", "fixed": "5.00"}]},
        {"prizes": [{"hand": "flush", "kind": "bonus", "percent": 5}]},
        {"prizes": [{"hand": "flush", "kind": "royal", "percent": 10001}]},
        {"prizes": [{"hand": "flush", "kind": "royal", "percent": 1.5}]},
        {"prizes": [{"hand": "flush", "kind": "royal", "percent": 100, "at_least": "-1.00"}]},
        {"prizes": [{"hand": ["flush"], "kind": "royal", "percent": 100}]},
        {"prizes": [{"kind": "royal", "percent": 100}]},
        {"prizes": [{"hand": "flush", "kind": "fixed", "fixed": "5"}]},
        {"prizes": [{"hand": "flush", "kind": "fixed", "fixed": "5.00"}] * 2},
        {"prizes": 7},
        {"prizes": ["flush"]},
        {"game": "dice"},
        {"game": "mystery"},
        {"measured_on": "trigger-point"},
        {"sharing": "pro-rated"},
        {"pays_bonus": "yes"},
        {"code": 5},
    ],
)
def test_what_makes_no_sense_is_refused_in_words(change: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refused:
        from_data(as_data(CARIBBEAN_STUD) | change)
    assert refused.value.code == "rule-set-invalid"


def test_a_missing_policy_is_named() -> None:
    data = as_data(CARIBBEAN_STUD)
    del data["folded"]
    with pytest.raises(Refusal, match="folded"):
        from_data(data)


def test_prizes_are_in_whole_cents_and_only_fixed_ones_are_repriced() -> None:
    with pytest.raises(Refusal, match="whole cents"):
        Prize(hand="flush", kind=Kind.FIXED, fixed=Money(1))
    with pytest.raises(Refusal, match="royal-flush"):
        CARIBBEAN_STUD.repriced({"royal-flush": Money.dollars(1)})
    assert CARIBBEAN_STUD.prizes[0].of(Money.dollars(7)) == Money.dollars(500)
    assert CARIBBEAN_STUD.prizes[3].of(Money.parse("60000.19")) == Money.parse("6000.01")
