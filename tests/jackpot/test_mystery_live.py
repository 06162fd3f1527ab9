"""The live must-hit-by link, beside a pool kept by hand, wager by wager, with the points that were shown afterwards."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from jackpot import mystery, pools, trigger_points
from jackpot.contribute import Message, contribute_bulk
from jackpot.finish_round import finish_round
from jackpot.hits import deny_hit
from jackpot.models import Hit, Link, Round, TriggerPoint
from jackpot.pools import read_meter
from jackpot.reconcile import reconcile
from jackpot.settle_pools import settle_pools
from jackpot.start_round import Offer, start_round
from jackpot.tick import tick
from jackpot.void_round import void_round
from kernel.refusal import Refusal
from ledger.models import Transfer
from signage.feed import feed
from tests.jackpot.dealt import ROYAL, cards
from tests.jackpot.table import conserved, pay, verify
from tests.world.extent import seeds
from tests.world.money import dollars
from tests.world.mystery_link import CEILING, SEED, STEP, TO_RESERVE, open_mystery_link, play
from tests.world.people import MANAGER, SUPERVISOR, TABLE
from tests.world.players import registered
from tests.world.threads import raised_at_once


@dataclass
class ByHand:
    """The pool as the words have it: each wager adds its step; the one that brings the meter to the point wins it; what
    is beyond begins the next pool, which is filled to its seed."""

    points: list[int]
    prize: int = SEED
    reserve: int = 0
    aside: int = 0
    won: list[tuple[str, Any, int]] = field(default_factory=list)

    def call(self, table: str, wagers: list[Any]) -> None:
        """The reserve that fills a restart is what stands there when it is settled: with all that one call brought."""
        self.reserve += len(wagers) * TO_RESERVE
        for who in wagers:
            self.wager(table, who)

    def wager(self, table: str, who: Any) -> None:
        self.prize += STEP
        point = self.points[len(self.won)]
        if self.prize >= point:
            self.won.append((table, who, point))
            self.prize -= point
            missing = max(0, SEED - self.prize)
            from_aside = min(missing, self.aside)
            self.aside -= from_aside
            self.reserve -= min(missing - from_aside, self.reserve)
            self.prize += missing

    def taken_back(self, wagers: int, denied: int) -> None:
        self.prize -= wagers * STEP
        self.reserve = max(0, self.reserve - wagers * TO_RESERVE)  # what a restart has used up the house makes good
        self.aside += denied


@pytest.mark.parametrize("seed", seeds(5, always=2))
def test_the_ledger_stands_where_a_pool_kept_by_hand_stands(link: Link, seed: int) -> None:
    dice = random.Random(seed)
    done: list[tuple[Any, ...]] = []  # what happened, to be worked out by hand once the points are known
    rounds: dict[str, Round] = {}
    for step in range(45):
        table = dice.choice(["MYS-01", "MYS-02", "MYS-03"])
        chance = dice.random()
        if table in rounds and chance < 0.2:
            ending = rounds.pop(table)
            hits = list(Hit.objects.filter(round=ending).exclude(status="denied"))
            void_round(round_id=ending.pk, by=SUPERVISOR)
            done.append(("void", ending.wagers.count(), sum(hit.amount.micros for hit in hits)))
        elif table in rounds:
            ending = rounds.pop(table)
            hits = finish_round(round_id=ending.pk, hands=[], by=TABLE)
            assert hits == list(Hit.objects.filter(round=ending).order_by("place"))
            if hits and chance < 0.4 and hits[0].status == "claimed":
                deny_hit(hit_id=hits[0].pk, reason="Not seen.", by=MANAGER)
                done.append(("void", 0, hits[0].amount.micros))
        elif chance < 0.3:
            counts = [dice.randint(1, 30) for _ in range(dice.randint(1, 4))]
            sent = [Message(f"{step}-{n}", table, wagers, datetime.now(UTC)) for n, wagers in enumerate(counts)]
            contribute_bulk(messages=dice.sample([*sent, sent[0]], len(sent) + 1), by=TABLE)
            done.append(("call", table, [each.id for each in sent for _ in range(each.wagers)]))
        else:
            boxes = dice.sample(range(1, 8), dice.randint(1, 7))
            rounds[table] = start_round(table=table, wagers=[Offer(box=box) for box in boxes], by=TABLE)
            done.append(("call", table, boxes))
    sealed = list(TriggerPoint.objects.filter(link=link).order_by("number"))
    by_hand = ByHand([(each.point or trigger_points.point_of(each)).micros for each in sealed])
    for what, *with_ in done:
        (by_hand.call if what == "call" else by_hand.taken_back)(*with_)
    hits = list(Hit.objects.filter(link=link).order_by("sequence"))
    assert [(hit.table.code, hit.box or hit.message, hit.amount.micros) for hit in hits] == by_hand.won
    assert [hit.sequence for hit in hits] == list(range(1, len(hits) + 1))
    assert len(hits) == len(sealed) - 1 > 5
    assert [each.hit for each in sealed] == [*hits, None]
    now = pools.read_pools("MYS")
    assert (now.prize.micros, now.reserve.micros) == (by_hand.prize, by_hand.reserve)
    assert now.balances["prize-overflow"].micros == by_hand.aside
    assert all(SEED < hit.amount.micros <= CEILING and hit.amount.whole_cents and not hit.from_house for hit in hits)
    assert settle_pools() == 0
    conserved("MYS")
    assert reconcile(link=link).fault == ""


def test_wagers_at_the_same_moment_fall_in_the_order_of_the_ledger(live_floor: None) -> None:
    """Six at once, rounds and batches; what two reached together the tick finds. Worked out again from the ledger."""
    link = open_mystery_link()

    def rounds(table: str) -> Any:
        def run() -> None:
            for _ in range(12):
                finish_round(round_id=play(table, boxes=4).pk, hands=[], by=TABLE)

        return run

    def batches(name: str) -> Any:
        def run() -> None:
            for n in range(12):
                contribute_bulk(messages=[Message(f"{name}-{n}", "MYS-01", 5, datetime.now(UTC))], by=TABLE)

        return run

    def ticks() -> None:
        for _ in range(10):
            settle_pools()

    assert raised_at_once(*map(rounds, ("MYS-01", "MYS-02", "MYS-03")), *map(batches, "ab"), ticks) == []
    tick(timezone.now())
    sealed = list(TriggerPoint.objects.order_by("number"))
    by_hand = ByHand([(each.point or trigger_points.point_of(each)).micros for each in sealed])
    rows = Transfer.objects.filter(kind="jackpot.contribution", credit__code="jackpot:MYS:prize").order_by("id")
    for row in rows:
        _, kind, key, _ = row.reference.split("/")
        if kind == "round":
            who: list[Any] = [4, 3, 2, 1]
        else:
            who = list(Hit.objects.filter(batch=int(key)).values_list("message", flat=True))[:1] * 5 or [None] * 5
        assert row.memo is not None
        for each in who:
            by_hand.wager(row.memo["table"], each)
    hits = list(Hit.objects.order_by("sequence"))
    assert [(hit.table.code, hit.box or hit.message, hit.amount.micros) for hit in hits] == by_hand.won
    assert len(rows) == 3 * 12 + 2 * 12
    # The feed shows what is promised now, and the point that was reached last.
    shown = next(link for link in json.loads(feed())["jackpots"] if link["code"] == "MYS")
    assert shown["mystery"].items() >= trigger_points.promised(sealed[-1]).data().items()
    assert "seed" not in shown["mystery"]
    assert (
        shown["last_point"].items()
        >= {**trigger_points.promised(sealed[-2]).data(), "point": str(hits[-1].amount)}.items()
    )
    assert pools.read_pools("MYS").prize.micros == by_hand.prize
    conserved("MYS")
    assert reconcile(link=link).fault == ""


def test_a_point_two_reached_together_is_not_skipped(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither of the two saw the other, so neither held the link: the tick finds the wager that reached the point."""
    monkeypatch.setattr(mystery, "_may_fall", lambda link, coming: False)
    first, second = play("MYS-01", boxes=7), play("MYS-02", boxes=7)
    third = play("MYS-03", boxes=7)  # 21 wagers: 60.50
    assert Hit.objects.count() == 0
    monkeypatch.undo()
    assert read_meter(link).total == dollars("60.00")  # never more than the ceiling is shown
    settle_pools()
    hit = Hit.objects.get(sequence=1)
    reached = -(-(hit.amount.micros - SEED) // STEP)  # the wager of that number
    assert hit.round in (first, second, third)
    assert hit.round == [first, second, third][(reached - 1) // 7]
    assert hit.box == 7 - (reached - 1) % 7
    assert settle_pools() == 0


def test_nothing_is_taken_back_before_what_is_due_has_fallen(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mystery, "_may_fall", lambda link, coming: False)
    first, *_ = play("MYS-01", boxes=7), play("MYS-02", boxes=7), play("MYS-03", boxes=7)
    monkeypatch.undo()
    void_round(round_id=first.pk, by=SUPERVISOR)
    hit = Hit.objects.get(sequence=1)
    assert hit.status == ("denied" if hit.round == first else "claimed")
    conserved("MYS")


def test_what_a_controller_counted_is_verified_with_its_box_and_paid(link: Link) -> None:
    at = datetime.now(UTC)
    counted = contribute_bulk(messages=[Message("b", "MYS-02", 20, at), Message("a", "CSP-01", 1, at)], by=TABLE)
    assert (counted.counted, counted.wagers) == (2, 21)
    hit = Hit.objects.get(sequence=1)  # twenty wagers: 60.00, and no point is above that
    assert (hit.table.code, hit.round, hit.message, hit.box, hit.claimed_by) == (
        "MYS-02", None, "b", None, TABLE.identity,
    )  # fmt: skip
    registered("P-1")
    for box, player, code in ((None, "P-1", "box-missing"), (8, "P-1", "box-differs"), (3, None, "player-missing")):
        with pytest.raises(Refusal) as refused:
            verify(hit, box=box, player_card=player)
        assert refused.value.code == code
    with pytest.raises(IntegrityError), transaction.atomic():
        Hit.objects.filter(pk=hit.pk).update(status="verified", verified_by="x", verified_at=at, verification={})
    assert verify(hit, box=3, player_card="P-1").box == 3
    assert pay(hit).status == "paid"
    conserved("MYS")


def test_one_call_that_brings_down_more_points_than_one_transaction_takes(
    link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mystery, "FALLS_LIMIT", 3)
    contribute_bulk(messages=[Message("many", "MYS-01", 300, datetime.now(UTC))], by=TABLE)
    assert Hit.objects.count() == 3
    while settle_pools():
        pass
    assert Hit.objects.count() >= 300 // 20
    sealed = list(TriggerPoint.objects.order_by("number"))
    by_hand = ByHand([(each.point or trigger_points.point_of(each)).micros for each in sealed])
    for _ in range(300):
        by_hand.wager("MYS-01", "many")
    assert [hit.amount.micros for hit in Hit.objects.order_by("sequence")] == [won[2] for won in by_hand.won]
    assert pools.read_pools("MYS").prize.micros == by_hand.prize
    conserved("MYS")


def test_no_hand_wins_it(link: Link) -> None:
    started = play()
    with pytest.raises(Refusal) as refused:
        finish_round(round_id=started.pk, hands=[cards(1, ROYAL)], by=TABLE)
    assert refused.value.code == "not-won-by-a-hand"
    assert Round.objects.get().status == "open"
