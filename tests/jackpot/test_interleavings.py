"""Random interleavings of rounds on linked tables, against books kept by hand.

The books below are written from the texts: whole micro-dollars in three purses, payouts from ``oracle.py``. After every
step the ledger must stand where they stand.
"""

from __future__ import annotations

import random
import threading
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection

from house.approvals import approve, condition_met, propose
from jackpot import links, pools, terms
from jackpot.contribute import Message, contribute_bulk
from jackpot.demo import CSP
from jackpot.finish_round import finish_round
from jackpot.hits import deny_hit
from jackpot.models import Hit, Round
from jackpot.reconcile import reconcile
from jackpot.rules.payouts import Dealt
from jackpot.start_round import Offer, start_round
from jackpot.void_round import invalidate_round, void_round
from kernel.money import ZERO
from kernel.refusal import Refusal
from tests.jackpot.dealt import ROYAL, cards
from tests.world import hand_oracle as oracle
from tests.world.approvals import decide
from tests.world.extent import seeds
from tests.world.jackpot_table import conserved
from tests.world.people import MANAGER, SUPERVISOR, TABLE
from tests.world.threads import raised_at_once

CENT = 10_000
WINNING = ["AS KS QS JS TS", "AH KH QH JH TH", "9C 8C 7C 6C 5C", "8D 7D 6D 5D 4D", "2S 2H 2D 3S 3H", "KD QD JD 9D 3D"]
TILES = ["gee-jun gee-jun teen teen", "chong look bon tif"]


@dataclass
class Books:
    """A link kept by hand. Amounts in micro-dollars."""

    code: str
    wager: int
    to_prize: int
    to_reserve: int
    seed: int
    at_once: bool
    kept_at_seed: bool
    prize: int = 0
    reserve: int = 0
    filled: tuple[int, int] = (0, 0)
    """What the last win took to fill the prize, and how much of it the reserve gave."""
    open: dict[str, tuple[int, list[int], int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.prize = self.seed

    def feed(self, wagers: int) -> None:
        self.prize += wagers * self.wager * self.to_prize // 100
        self.reserve += wagers * self.wager * self.to_reserve // 100

    def fill(self) -> None:
        """To the seed: from the reserve, then from the house, who can always pay."""
        missing = max(0, self.seed - self.prize)
        self.filled = missing, min(missing, self.reserve)
        self.reserve -= self.filled[1]
        self.prize += missing

    def take_back(self, prize: int, reserve: int, *, floor: int = 0) -> None:
        """What somebody else has won meanwhile the house makes good: nothing goes below zero, nor a pool that began
        again below its seed."""
        floor = min(floor, self.prize)
        self.prize, self.reserve = max(floor, self.prize - prize), max(0, self.reserve - reserve)

    def unfeed(self, wagers: int, *, restarted: bool) -> None:
        one = self.wager * wagers // 100
        self.take_back(one * self.to_prize, one * self.to_reserve, floor=self.seed if restarted else 0)

    def pays(self, shown: int, wagers: list[int], hands: dict[int, list[str]]) -> list[oracle.Line]:
        cents, rest = divmod(self.prize, CENT)
        if self.code == "CSP":
            lines, left = oracle.caribbean_stud(cents, wagers, hands, 250_00, [])
        elif self.code == "BOOM":
            lines, left = oracle.boomerang(cents, shown // CENT, wagers, hands, [])
        else:
            lines, left = oracle.gee_jun(cents, wagers, hands)
        self.prize = left * CENT + rest
        self.filled = 0, 0
        if any(kind in ("royal", "major") for _, kind, *_ in lines) or (self.kept_at_seed and lines):
            self.fill()
        if not self.at_once:
            self.feed(len(wagers) - len({box for box, *_ in lines}))
        return lines


@dataclass
class Ended:
    """A finished round of which nothing is paid: what would have to go back."""

    round: Round
    fed: int
    filled: tuple[int, int]
    won: dict[int, int]
    """From the pool, by hit."""

    def deny(self, books: Books, hit: int) -> None:
        books.prize += self.won[hit]
        if self.won.pop(hit) and not any(self.won.values()):
            books.take_back(self.filled[0], -self.filled[1])  # nobody is left who won: the restart is undone


def link_books() -> dict[str, Books]:
    return {
        "CSP": Books("CSP", 2_500_000, 70, 10, 50_000_000_000, at_once=True, kept_at_seed=False),
        "BOOM": Books("BOOM", 1_000_000, 60, 40, 10_000_000_000, at_once=False, kept_at_seed=True),
        "GJ": Books("GJ", 1_000_000, 60, 40, 10_000_000_000, at_once=False, kept_at_seed=True),
    }


def deal(dice: random.Random, code: str, boxes: list[int]) -> dict[int, list[str]]:
    """Hands for some boxes; now and then several win."""
    choices = TILES if code == "GJ" else WINNING
    lucky = dice.sample(boxes, min(len(boxes), dice.choice([0, 0, 1, 1, 2, 3])))
    hands = dict(zip(lucky, dice.sample(choices, min(len(lucky), len(choices))), strict=False))
    return {box: hand.split() for box, hand in hands.items()}


@pytest.mark.clause("nsw-csp:11.5", "act-cp:10.5", "act-pg:12.7", "nsw-csp:12.3.1", "nsw-csp:12.3.2", "act-cp:11.2")
@pytest.mark.parametrize("seed", seeds(6, always=1))
@pytest.mark.usefixtures("floor")
# long: an evening kept by hand beside the ledger
def test_the_ledger_stands_where_books_kept_by_hand_stand(seed: int) -> None:
    dice = random.Random(seed)
    kept = link_books()
    tables = ["CSP-01", "CSP-02", "CSP-03", "BOOM-01", "BOOM-02", "GJ-01"]
    rounds: dict[str, Round] = {}
    ended: list[Ended] = []
    done: Counter[str] = Counter()
    for step in range(90):
        table = dice.choice(tables)
        books = kept[table.split("-")[0]]
        if ended and dice.random() < 0.2:
            last = ended.pop(dice.randrange(len(ended)))
            books = kept[last.round.table.code.split("-")[0]]
            if dice.random() < 0.5:
                done["invalidated"] += 1
                invalidate_round(round_id=last.round.pk, by=SUPERVISOR, cause="fire", why="Fire alarm.")
                for hit in sorted(last.won):
                    last.deny(books, hit)
                books.unfeed(last.fed, restarted=restarted_since(last.round))
            elif last.won:
                done["denied"] += 1
                chosen = dice.choice(sorted(last.won))
                deny_hit(hit_id=chosen, reason="Not seen.", by=MANAGER)
                last.deny(books, chosen)
                ended.append(last)
        elif table not in rounds:
            if dice.random() < 0.2:
                wagers = dice.randint(1, 40)
                contribute_bulk(messages=[Message(f"m{step}", table, wagers, datetime.now(UTC))], by=TABLE)
                books.feed(wagers)
                continue
            boxes = sorted(dice.sample(range(1, 8), dice.randint(1, 7)))
            shown = books.prize // CENT * CENT
            rounds[table] = start_round(table=table, wagers=[Offer(box=box) for box in boxes], by=TABLE)
            assert rounds[table].displayed == {"prize": f"{shown // 1_000_000}.{shown // CENT % 100:02d}"}
            books.open[table] = (shown, boxes, 0)
            if books.at_once:
                books.feed(len(boxes))
        else:
            shown, boxes, _ = books.open.pop(table)
            ending = rounds.pop(table)
            if dice.random() < 0.15:
                void_round(round_id=ending.pk, by=TABLE)
                if books.at_once:
                    books.unfeed(len(boxes), restarted=restarted_since(ending))
            else:
                hands = deal(dice, books.code, boxes)
                expected = books.pays(shown, boxes, hands)
                hits = finish_round(round_id=ending.pk, hands=dealt(books.code, hands), by=TABLE)
                assert [_line(hit) for hit in hits] == expected
                fed = len(boxes) - (0 if books.at_once else len({box for box, *_ in expected}))
                taken = {hit.pk: hit.from_pool.micros for hit in hits}
                ended.append(Ended(ending, fed, books.filled, taken))
        now = pools.read_pools(books.code)
        assert (now.prize.micros, now.reserve.micros) == (books.prize, books.reserve), (step, table)
    assert done["invalidated"] > 1
    assert done["denied"] > 1
    for code in kept:
        conserved(code)
        assert reconcile(link=links.find_link(code)).fault == ""
        assert all(amount >= ZERO for amount in pools.read_pools(code).balances.values())
    sequence = list(Hit.objects.filter(link__code="CSP").order_by("id").values_list("sequence", flat=True))
    assert sequence == list(range(1, len(sequence) + 1))


def restarted_since(played: Round) -> bool:
    others = Hit.objects.filter(link=played.table.link, kind__in=["royal", "major"])
    return others.filter(claimed_at__gte=played.started_at).exclude(status="denied").exclude(round=played).exists()


def dealt(code: str, hands: dict[int, list[str]]) -> list[Dealt]:
    return [Dealt(box=box, tiles=hand) if code == "GJ" else Dealt(box=box, cards=hand) for box, hand in hands.items()]


def _line(hit: Hit) -> oracle.Line:
    assert hit.box is not None
    return (
        hit.box,
        hit.kind,
        hit.amount.micros // CENT,
        hit.from_pool.micros // CENT,
        hit.from_house.micros // CENT,
    )


@pytest.mark.clause("nsw-csp:12.1.1")
@pytest.mark.usefixtures("live_floor")
def test_four_royal_flushes_at_the_same_moment_have_an_order() -> None:
    """Decision 12: the first takes the pool; each of the others the $50,000 at which it restarted."""
    tables = ["CSP-01", "CSP-02", "CSP-03", "CSP-04"]
    rounds = [start_round(table=table, wagers=[Offer(box=1)], by=TABLE) for table in tables]

    def win(started: Round) -> Any:
        return lambda: finish_round(round_id=started.pk, hands=[cards(1, ROYAL)], by=TABLE)

    assert raised_at_once(*map(win, rounds)) == []
    hits = list(Hit.objects.order_by("sequence"))
    assert [hit.sequence for hit in hits] == [1, 2, 3, 4]
    assert [str(hit.amount) for hit in hits] == ["50007.00", "50000.00", "50000.00", "50000.00"]
    assert str(pools.read_pools("CSP").prize) == "50000.00"
    conserved("CSP")
    assert reconcile(link=links.find_link("CSP")).fault == ""


@pytest.mark.usefixtures("live_floor")
def test_wins_voids_denials_contributions_and_checks_all_at_once() -> None:
    """Eight threads do what a floor does; money is conserved and every check along the way agrees."""
    faults: list[str] = []

    def table(code: str, seed: int) -> Any:
        def play() -> None:
            dice = random.Random(seed)
            for turn in range(12):
                started = start_round(table=code, wagers=[Offer(box=box) for box in (1, 2, 3)], by=TABLE)
                what = dice.random()
                if what < 0.2:
                    void_round(round_id=started.pk, by=TABLE)
                    continue
                hand = dice.choice(WINNING) if what < 0.7 else None
                hits = finish_round(round_id=started.pk, hands=[cards(1, hand)] if hand else [], by=TABLE)
                if hits and turn % 3 == 0:
                    deny_hit(hit_id=hits[-1].pk, reason="Not seen by surveillance.", by=MANAGER)
                contribute_bulk(
                    messages=[Message(f"{code}-{turn}-{n}", code, 2, datetime.now(UTC)) for n in range(5)], by=TABLE
                )

        return play

    def check() -> None:
        for _ in range(10):
            for code in ("CSP", "BOOM"):
                faults.append(reconcile(link=links.find_link(code)).fault)

    tables = ["CSP-01", "CSP-02", "CSP-03", "CSP-04", "BOOM-01", "BOOM-02"]
    raised = raised_at_once(*(table(code, seed) for seed, code in enumerate(tables)), check)
    assert raised == []
    assert set(faults) == {""}
    for code in ("CSP", "BOOM"):
        conserved(code)
        assert all(amount >= ZERO for amount in pools.read_pools(code).balances.values())
        assert reconcile(link=links.find_link(code)).fault == ""


@pytest.mark.usefixtures("live_floor")
def test_one_round_finished_by_eight_at_once_is_finished_once() -> None:
    started = start_round(table="CSP-01", wagers=[Offer(box=1)], by=TABLE)

    def win() -> None:
        finish_round(round_id=started.pk, hands=[cards(1, ROYAL)], by=TABLE)

    raised = raised_at_once(*[win] * 8)
    assert len(raised) == 7
    assert {error.code for error in raised if isinstance(error, Refusal)} == {"round-ended"}
    assert Hit.objects.count() == 1
    conserved("CSP")


@pytest.mark.usefixtures("live_floor")
def test_without_the_lock_the_same_money_is_won_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The race is real: two who look at the pool before either has taken from it both take it."""
    rounds = [start_round(table=table, wagers=[Offer(box=1)], by=TABLE) for table in ("CSP-01", "CSP-02")]
    both_looked, first_is_through = threading.Barrier(2), threading.Event()
    read_pools = pools.read_pools

    def look_and_wait(code: str, **options: Any) -> pools.PoolBalances:
        found = read_pools(code, **options)
        both_looked.wait()
        if threading.current_thread().name == "second":
            first_is_through.wait()
        return found

    monkeypatch.setattr(links, "hold", lambda *codes: None)
    monkeypatch.setattr(pools, "read_pools", look_and_wait)

    def first() -> None:
        finish_round(round_id=rounds[0].pk, hands=[cards(1, ROYAL)], by=TABLE)
        first_is_through.set()

    def second() -> None:
        threading.current_thread().name = "second"
        finish_round(round_id=rounds[1].pk, hands=[cards(1, ROYAL)], by=TABLE)

    assert raised_at_once(first, second) == []
    monkeypatch.undo()
    assert [str(hit.from_pool) for hit in Hit.objects.order_by("id")] == ["50003.50", "50003.50"]
    assert pools.read_pools("CSP").reserve < ZERO


@pytest.mark.usefixtures("live_floor")
def test_a_win_that_changes_wait_for_and_an_approval_at_once_both_finish(monkeypatch: pytest.MonkeyPatch) -> None:
    """The win holds the link and then puts terms in force; the approval puts an adjustment in force, of the same link.
    Whichever comes second waits for the link, before it is the only one who changes anything."""
    data = terms.write(CSP)
    data["bonus"] = "300.00"
    given: dict[str, Any] = {"subject": "jackpot:CSP", "why": "Agreed on Monday.", "by": SUPERVISOR}
    change = propose(kind="jackpot.terms", new=data, condition="when-won", **given)
    decide(change)
    more = {"purse": "prize", "amount": "10.00", "cause": "promotion"}
    adjustment = propose(kind="jackpot.adjustment", new=more, **given)
    started = start_round(table="CSP-01", wagers=[Offer(box=1)], by=TABLE)
    link_is_held = threading.Event()

    def when_the_other_waits(**asked: Any) -> Any:
        link_is_held.set()
        with connection.cursor() as cursor:
            while True:
                cursor.execute(_WAITING)
                if cursor.fetchone()[0]:
                    return condition_met(**asked)

    def win() -> None:
        finish_round(round_id=started.pk, hands=[cards(1, ROYAL)], by=TABLE)

    def add() -> None:
        link_is_held.wait()
        approve(proposal_id=adjustment.pk, by=MANAGER)

    monkeypatch.setattr("jackpot.lock.condition_met", when_the_other_waits)
    assert raised_at_once(win, add) == []
    for proposal in (change, adjustment):
        proposal.refresh_from_db()
        assert proposal.status == "effective"
    assert str(pools.read_pools("CSP").prize) == "50010.00"
    conserved("CSP")


_WAITING = """
    SELECT count(*) FROM pg_locks
    WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
