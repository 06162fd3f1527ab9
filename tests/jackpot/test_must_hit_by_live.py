"""The live must-hit-by link beside a pool kept by hand, wager by wager, from what was sealed and what was said."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from draws import ask as draws
from jackpot import movements, pools
from jackpot.decide import decide, decide_movements
from jackpot.finish_round import finish_round
from jackpot.hits import deny_hit
from jackpot.models import CountedWager, Hit, Link, MeterSeal, Round
from jackpot.reconcile import reconcile
from jackpot.settle_pools import settle_pools
from jackpot.start_round import Offer, start_round
from jackpot.void_round import void_round
from kernel.money import Money
from kernel.refusal import Conflict, Refusal
from ledger.models import Act
from tests.jackpot.dealt import ROYAL, cards
from tests.world.extent import seeds
from tests.world.jackpot_table import conserved, pay, verify
from tests.world.money import dollars
from tests.world.mystery_link import CEILING, SEED, STEP, TO_RESERVE, open_mystery_link, play, played
from tests.world.people import MANAGER, SUPERVISOR, TABLE
from tests.world.second_party import AtHand
from tests.world.threads import raised_at_once


@dataclass
class ByHand:
    """The pool as the words have it, micro-dollar by micro-dollar of each wager. Takes only the numbers drawn."""

    prize: int = SEED
    reserve: int = 0
    aside: int = 0
    won: list[tuple[str, int]] = field(default_factory=list)

    def movement(self, wagers: list[str], numbers: Callable[[int], int]) -> None:
        left = [(name, STEP) for name in wagers]
        while left:
            point = self.prize + numbers(CEILING - self.prize) + 1
            while left:
                name, more = left.pop(0)
                if self.prize + more < point:
                    self.prize += more
                    continue
                beyond = self.prize + more - point
                if beyond:
                    left.insert(0, (name, beyond))
                self._fall(name, point)
                break
            else:
                return

    def _fall(self, name: str, point: int) -> None:
        amount = point // 10_000 * 10_000
        self.won.append((name, amount))
        missing = SEED - (point - amount)
        from_aside = min(missing, self.aside)
        self.aside -= from_aside
        self.reserve -= min(missing - from_aside, self.reserve)
        self.prize = SEED


def stood_by_hand(link: Link, by_hand: ByHand) -> None:
    hits = list(Hit.objects.filter(link=link).order_by("sequence"))
    assert [(f"round/{hit.round_id}/{hit.box}", hit.amount.micros) for hit in hits] == by_hand.won
    assert [hit.sequence for hit in hits] == list(range(1, len(hits) + 1))
    now = pools.read_pools("MYS")
    assert (now.prize.micros, now.reserve.micros) == (by_hand.prize, by_hand.reserve)
    assert now.balances["prize-overflow"].micros == by_hand.aside
    assert movements.decided_meter(link).micros == by_hand.prize
    assert all(SEED <= hit.amount.micros <= CEILING and hit.amount.whole_cents and not hit.from_house for hit in hits)
    conserved("MYS")
    assert reconcile(link=link).fault == ""


def apply_by_hand(by_hand: ByHand, seal: MeterSeal) -> None:
    """In the order of the second, then of the answer; with the numbers of the generator of this seal."""
    said = draws.said_to(seal.commitment, occasion=seal.occasion, attempt=seal.attempt)
    assert said is not None
    import hmac

    rows = sorted(
        seal.wagers.all(), key=lambda row: (row.received, hmac.new(said.said, row.wager.encode(), "sha256").digest())
    )
    stream = draws.source(seal.commitment, said)
    by_hand.movement([row.wager for row in rows], lambda bound: stream.below(bound)[0])


@pytest.mark.parametrize("seed", seeds(5, always=1))
def test_the_ledger_stands_where_a_pool_kept_by_hand_stands(link: Link, seed: int) -> None:
    dice, by_hand = random.Random(seed), ByHand()
    rounds: dict[str, Round] = {}
    for _ in range(70):
        table = dice.choice(["MYS-01", "MYS-02", "MYS-03"])
        chance = dice.random()
        if table in rounds and chance < 0.2:
            void_round(round_id=rounds.pop(table).pk, by=SUPERVISOR)  # nothing of it had counted
        elif table in rounds:
            ending = rounds.pop(table)
            assert finish_round(round_id=ending.pk, hands=[], by=TABLE) == []
            by_hand.reserve += ending.wagers.count() * TO_RESERVE
        elif chance < 0.75:
            boxes = dice.sample(range(1, 8), dice.randint(1, 7))
            full = pools.read_pools("MYS").prize.micros >= CEILING
            with pytest.raises(Conflict, match="no jackpot wager is taken") if full else nullcontext():
                rounds[table] = start_round(table=table, wagers=[Offer(box=box) for box in boxes], by=TABLE)
            assert full == (table not in rounds)
        if dice.random() < 0.5:
            before = MeterSeal.objects.count()
            decide_movements(timezone.now())
            for seal in MeterSeal.objects.select_related("commitment").filter(number__gt=before):
                apply_by_hand(by_hand, seal)
            if (hit := Hit.objects.filter(status="claimed").first()) and dice.random() < 0.2:
                deny_hit(hit_id=hit.pk, reason="Not seen.", by=MANAGER)
                by_hand.aside += hit.amount.micros
            stood = pools.read_pools("MYS")
            assert stood.prize.micros == by_hand.prize
    while decide_movements(timezone.now()):
        apply_by_hand(by_hand, MeterSeal.objects.select_related("commitment").order_by("-number")[0])
    assert len(by_hand.won) > 3
    stood_by_hand(link, by_hand)
    assert settle_pools() == 0


def test_several_falls_in_one_seal(link: Link) -> None:
    """More than fits between seed and ceiling at once: it falls surely, and what lies beyond is tried again."""
    many = 0
    for _ in range(12):
        started = [play(table, boxes=7) for table in ("MYS-01", "MYS-02", "MYS-03")]
        for each in started:
            finish_round(round_id=each.pk, hands=[], by=TABLE)
        assert decide_movements(timezone.now()) == 1
        many = max(many, len(MeterSeal.objects.order_by("-number")[0].falls or ()))
        conserved("MYS")
    assert many > 1
    by_hand = ByHand()
    for seal in MeterSeal.objects.select_related("commitment").order_by("number"):
        by_hand.reserve += seal.count * TO_RESERVE
        apply_by_hand(by_hand, seal)
    stood_by_hand(link, by_hand)


def test_at_the_ceiling_wagers_stop_until_it_has_fallen(link: Link, second_party: AtHand) -> None:
    second_party.away = True
    for _ in range(3):
        played(boxes=7)  # 21 wagers: above the ceiling
        decide_movements(timezone.now())
    assert Hit.objects.count() == 0
    with pytest.raises(Conflict) as refused:
        play("MYS-02")
    assert (refused.value.code, Round.objects.count()) == ("at-ceiling", 3)
    second_party.away = False
    while decide_movements(timezone.now() + timedelta(minutes=2)):
        pass
    assert Hit.objects.count() >= 1
    play("MYS-02")


def test_seals_wait_in_order_while_the_witness_is_away(link: Link, second_party: AtHand) -> None:
    second_party.away = True
    now = timezone.now()
    for minute in range(3):
        played(boxes=1)
        decide_movements(now + timedelta(minutes=minute))
        decide_movements(now + timedelta(minutes=minute, seconds=1))
    assert list(MeterSeal.objects.order_by("number").values_list("number", "waits", "decided_at")) == [
        (1, True, None), (2, False, None), (3, False, None),
    ]  # fmt: skip
    assert movements.is_undecided(link, now=now + timedelta(minutes=3))
    questions = Act.objects.filter(kind="witness.asked").count()
    assert questions == 1
    last = MeterSeal.objects.get(number=3)
    said = draws.ask(last.commitment, occasion=last.occasion, attempt=1, by=MANAGER)
    assert said is None
    second_party.away = False
    said = draws.ask(last.commitment, occasion=last.occasion, attempt=1, by=MANAGER)
    assert said is not None
    with pytest.raises(Conflict) as refused:
        decide(seal=last, said=said, by=MANAGER)
    assert refused.value.code == "out-of-order"
    assert decide_movements(now + timedelta(minutes=3)) == 3
    assert not movements.is_undecided(link, now=now + timedelta(minutes=4))
    by_hand = ByHand(reserve=3 * TO_RESERVE)
    for seal in MeterSeal.objects.select_related("commitment").order_by("number"):
        apply_by_hand(by_hand, seal)
    stood_by_hand(link, by_hand)


def test_wagers_at_the_same_moment(live_floor: None) -> None:
    """Three tables at once, and a tick that seals and decides meanwhile: every wager is in one seal, none waits."""
    link = open_mystery_link()

    def rounds(table: str) -> Callable[[], None]:
        def run() -> None:
            done = 0
            while done < 10:
                try:
                    played(table, boxes=4)
                    done += 1
                except Conflict as full:
                    if full.code != "at-ceiling":
                        raise
                    time.sleep(0.05)

        return run

    ended = threading.Event()

    def ticks() -> None:
        while not ended.is_set():
            decide_movements(timezone.now())
        connection.close()

    ticker = threading.Thread(target=ticks)
    ticker.start()
    raised = raised_at_once(*map(rounds, ("MYS-01", "MYS-02", "MYS-03")))
    ended.set()
    ticker.join()
    assert raised == []
    while decide_movements(timezone.now()):
        pass
    assert CountedWager.objects.count() == 3 * 10 * 4
    assert not CountedWager.objects.filter(seal=None).exists()
    by_hand = ByHand()
    seals = list(MeterSeal.objects.select_related("commitment").order_by("number"))
    for seal in seals:
        apply_by_hand(by_hand, seal)
    assert [seal.number for seal in seals] == list(range(1, len(seals) + 1))
    hits = Hit.objects.order_by("sequence")
    assert [(f"round/{hit.round_id}/{hit.box}", hit.amount.micros) for hit in hits] == by_hand.won
    assert pools.read_pools("MYS").prize.micros == by_hand.prize
    conserved("MYS")
    assert reconcile(link=link).fault == ""


def test_what_is_decided_stays(link: Link) -> None:
    played(boxes=3)
    decide_movements(timezone.now())
    seal = MeterSeal.objects.get()
    said = draws.said_to(seal.commitment, occasion=seal.occasion, attempt=1)
    assert said is not None
    before = Act.objects.count()
    decide(seal=seal, said=said, by=MANAGER)
    assert Act.objects.count() == before
    for change in ({"after": Money(1)}, {"attempt": 2}, {"decided_at": None, "after": None}):
        with pytest.raises(DatabaseError), transaction.atomic():
            MeterSeal.objects.update(**change)
    for change in ({"seal": None}, {"box": 7}, {"received": 1}):
        with pytest.raises(DatabaseError), transaction.atomic():
            CountedWager.objects.update(**change)


def test_no_hand_wins_it(link: Link) -> None:
    started = play()
    with pytest.raises(Refusal) as refused:
        finish_round(round_id=started.pk, hands=[cards(1, ROYAL)], by=TABLE)
    assert refused.value.code == "not-won-by-a-hand"
    assert Round.objects.get().status == "open"


def test_a_wager_counts_when_its_round_ends(link: Link) -> None:
    started = play(boxes=2)
    assert (CountedWager.objects.count(), pools.read_pools("MYS").prize) == (0, dollars("50.00"))
    decide_movements(timezone.now())
    assert MeterSeal.objects.count() == 0
    finish_round(round_id=started.pk, hands=[], by=TABLE)
    assert pools.read_pools("MYS").prize == dollars("51.00")
    assert sorted(CountedWager.objects.values_list("wager", flat=True)) == [
        f"round/{started.pk}/1",
        f"round/{started.pk}/2",
    ]


def test_the_box_that_won_is_verified_and_paid(link: Link) -> None:
    from tests.world.mystery_link import until_it_falls

    hit = until_it_falls()
    assert (hit.box, hit.claimed_by) == (1, TABLE.identity)
    with pytest.raises(Refusal) as refused:
        verify(hit, box=3)
    assert refused.value.code == "box-differs"
    verify(hit, box=1)
    assert pay(hit).status == "paid"
    conserved("MYS")
