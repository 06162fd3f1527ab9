"""A must-hit-by link in several levels: each has its own seed, ceiling, share of the wager and occasions."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from draws import ask as draws
from house.models import Proposal
from jackpot import movements, pools, promises, published, terms
from jackpot.contribute import Message, contribute_bulk
from jackpot.decide import BY, decide_movements
from jackpot.models import CountedWager, Hit, Link, MeterSeal
from jackpot.reconcile import reconcile
from jackpot.rules import mathematics, must_hit_by_proof
from jackpot.rules.must_hit_by import Bounds, in_order
from jackpot.rules.must_hit_by import decide as decide_by_hand
from jackpot.rules.policies import from_data
from kernel.money import Money
from kernel.refusal import Conflict, Refusal
from tests.world.jackpot_table import pay, verify
from tests.world.money import dollars
from tests.world.mystery_link import LEVELS, changed_levels, open_levels_link, play, played, proposed_levels
from tests.world.people import TABLE

_DAYS = timedelta(days=2)
SHARES = {"mini": 100_000, "minor": 200_000, "major": 150_000}  # micro-dollars of a wager


@pytest.fixture
def levels(floor: None) -> Link:
    return open_levels_link()


def falls_of(link: Link) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {level: [] for level in link.levels}
    for hit in Hit.objects.filter(link=link).order_by("sequence"):
        found[hit.level or ""].append(str(hit.amount))
    return found


def recomputed(link: Link) -> dict[str, list[str]]:
    """From what was sealed and said, level by level, without the verbs."""
    found: dict[str, list[str]] = {level: [] for level in link.levels}
    meters = {level.name: level.seed.micros for level in LEVELS.parameters.levels}
    for seal in MeterSeal.objects.filter(link=link).order_by("number"):
        said = draws.said_to(seal.commitment, occasion=seal.occasion, attempt=1)
        assert said is not None
        ordered = in_order([each.as_sealed() for each in seal.wagers.select_related("table")], answer=said.said)
        assert {each.increment.micros for each in ordered} == {SHARES[seal.of_level]}
        stream = draws.source(seal.commitment, said)
        bounds = terms.of(terms.in_force(link)).parameters.level(seal.of_level)
        assert bounds.ceiling is not None
        between = Bounds(bounds.seed.micros, bounds.ceiling.micros)
        result = decide_by_hand(
            before=meters[seal.of_level],
            increments=[each.increment.micros for each in ordered],
            bounds=lambda _, fixed=between: fixed,  # type: ignore[misc]
            below=lambda bound, drawn=stream: drawn.below(bound)[0],  # type: ignore[misc]
        )
        meters[seal.of_level] = result.after
        found[seal.of_level] += [str(Money(fall.amount)) for fall in result.falls]
    for level, at in meters.items():
        assert movements.decided_meter(link, level).micros == at
        assert pools.prize_amounts(link.code, levels=link.levels)[level].micros == at
    return found


def test_each_level_is_decided_by_itself_and_every_wager_moves_each(levels: Link) -> None:
    for table in ("LEV-01", "LEV-02") * 5:
        played(table, boxes=7)
        decide_movements(timezone.now())
    at = timezone.now()
    sent = [Message(f"c-{n}", "LEV-03", 2, at, round=n, boxes=(1, 2)) for n in range(1, 6)]
    assert contribute_bulk(messages=sent, by=TABLE).counted == 5
    decide_movements(timezone.now())
    found = falls_of(levels)
    assert found == recomputed(levels)
    assert len(found["mini"]) >= 2  # a dollar apart at most, and $8 came in
    for level in LEVELS.parameters.levels:
        assert level.ceiling is not None
        assert all(level.seed <= Money.parse(amount) <= level.ceiling for amount in found[level.name])
    counted = CountedWager.objects.filter(link=levels)
    assert counted.count() == 3 * counted.filter(level="mini").count() == 3 * (10 * 7 + 10)
    numbers = list(MeterSeal.objects.filter(link=levels).order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    assert reconcile(link=levels).fault == ""
    hit = Hit.objects.filter(link=levels, round__isnull=False).order_by("sequence")[0]
    assert (hit.hand, hit.kind) == (f"mystery-{hit.level}", "mystery")
    assert pay(verify(hit)).status == "paid"
    shown = published.promised(levels, now=timezone.now())
    assert shown is not None
    assert [each["level"] for each in shown["levels"]] == ["mini", "minor", "major"]
    promises.reveal_days(timezone.now() + _DAYS, by=BY)
    for seal in MeterSeal.objects.filter(link=levels).select_related("link", "commitment")[:3]:
        told = json.loads(json.dumps(published.published_with_wagers(seal), default=str))
        assert [step for step in must_hit_by_proof.check(told) if not step.ok] == []


def test_what_several_levels_must_be(levels: Link) -> None:
    figures = mathematics.mathematics(LEVELS.rules, wager=dollars("1.00"), levels=LEVELS.parameters.levels)
    assert str(figures.levels[0].wagers_to_win) == "11/2"  # of 10: one to ten, as likely each
    assert all(each.mean_when_won is not None for each in figures.levels)
    data = terms.write(LEVELS)["rules"]
    for wrong in (
        {"prizes": [*data["prizes"], data["prizes"][0] | {"hand": "mystery"}]},
        {"prizes": [data["prizes"][0] | {"percent": 5_000}]},
    ):
        with pytest.raises(Refusal):
            from_data(data | wrong)
    for bad in ({"ceiling": None}, {"seed": "0.00"}, {"increment_rate": 0}):
        with pytest.raises(Refusal):
            proposed_levels(changed_levels(minor=bad))
    assert not Proposal.objects.filter(subject="jackpot:LEV").exists()


def test_at_any_ceiling_wagers_stop_until_it_is_decided(levels: Link) -> None:
    for _ in range(3):
        played("LEV-01", boxes=4)  # 12 wagers: the mini has its dollar
    with pytest.raises(Conflict) as refused:
        play("LEV-01")
    assert refused.value.code == "at-ceiling"
    decide_movements(timezone.now())
    assert Hit.objects.filter(link=levels, level="mini").exists()
    play("LEV-01")
