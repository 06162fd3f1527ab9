"""The live must-hit-by link, beside a pool kept by hand, wager by wager, with the points that were shown afterwards."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from config import environment
from house.models import Incident, Proposal
from house.refusal import Conflict, Refusal
from jackpot import adjust, links, mystery, pools, terms
from jackpot.contribute import Message, contribute_bulk
from jackpot.finish_round import finish_round
from jackpot.hits import deny_hit, pay_hit, verify_hit
from jackpot.models import Hit, Pool, Round, TriggerPoint
from jackpot.reconcile import reconcile
from jackpot.rules import mystery_proof
from jackpot.rules.catalogue import MUST_HIT_BY
from jackpot.rules.pool import Level, Parameters
from jackpot.settle_pools import settle_pools
from jackpot.start_round import Offer, start_round
from jackpot.terms import LinkTerms
from jackpot.tick import tick
from jackpot.void_round import void_round
from ledger.models import Act, Transfer
from ledger.money import ZERO, Money
from signage.feed import feed
from tests.api.calls import Caller, make_device, problem
from tests.jackpot.people import MANAGER, ROYAL, SUPERVISOR, TABLE, cards, dollars
from tests.jackpot.test_interleavings import at_once
from tests.jackpot.test_rounds import conserved

SEED, CEILING, STEP, TO_RESERVE = 50_000_000, 60_000_000, 500_000, 100_000  # micro-dollars
TERMS = LinkTerms(
    rules=MUST_HIT_BY,
    parameters=Parameters(
        wager=Money.dollars(1),
        levels=(Level(increment_rate=5000, seed=Money(SEED), ceiling=Money(CEILING)),),
        reserve_rate=1000,
        retained_rate=4000,
    ),
)


@pytest.fixture
def link(floor: None) -> Pool:
    return open_link()


def open_link() -> Pool:
    pool = links.open_link(code="MYS", title="Mystery", link_terms=TERMS, by=MANAGER)
    for table in ("MYS-01", "MYS-02", "MYS-03"):
        links.join_table(code=table, link="MYS", by=SUPERVISOR)
    return pool


def play(table: str = "MYS-01", boxes: int = 1) -> Round:
    return start_round(table=table, wagers=[Offer(box=box) for box in range(boxes, 0, -1)], by=TABLE)


def until_it_falls(table: str = "MYS-01") -> Hit:
    """Wagers one by one: twenty are enough."""
    for _ in range(21):
        hits = finish_round(round_id=play(table).pk, hands=[], by=TABLE)
        if hits:
            return hits[0]
    raise AssertionError("it must be hit by its ceiling")


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


@pytest.mark.parametrize("seed", range(5))
def test_the_ledger_stands_where_a_pool_kept_by_hand_stands(link: Pool, seed: int) -> None:
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
    sealed = list(TriggerPoint.objects.filter(pool=link).order_by("number"))
    by_hand = ByHand([(each.point or mystery.point_of(each)).micros for each in sealed])
    for what, *with_ in done:
        (by_hand.call if what == "call" else by_hand.taken_back)(*with_)
    hits = list(Hit.objects.filter(pool=link).order_by("sequence"))
    assert [(hit.table.code, hit.box or hit.message, hit.amount.micros) for hit in hits] == by_hand.won
    assert [hit.sequence for hit in hits] == list(range(1, len(hits) + 1))
    assert len(hits) == len(sealed) - 1 > 5
    assert [each.hit for each in sealed] == [*hits, None]
    now = pools.standing("MYS")
    assert (now.prize.micros, now.reserve.micros) == (by_hand.prize, by_hand.reserve)
    assert now.balances["prize-overflow"].micros == by_hand.aside
    assert all(SEED < hit.amount.micros <= CEILING and hit.amount.whole_cents and not hit.from_house for hit in hits)
    assert settle_pools() == 0
    conserved("MYS")
    assert reconcile(pool=link).fault == ""


def test_wagers_at_the_same_moment_fall_in_the_order_of_the_ledger(live_floor: None) -> None:
    """Six at once, rounds and batches; what two reached together the tick finds. Worked out again from the ledger."""
    pool = open_link()

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

    assert at_once(*map(rounds, ("MYS-01", "MYS-02", "MYS-03")), *map(batches, "ab"), ticks) == []
    tick(timezone.now())
    sealed = list(TriggerPoint.objects.order_by("number"))
    by_hand = ByHand([(each.point or mystery.point_of(each)).micros for each in sealed])
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
    assert shown["mystery"].items() >= mystery.promised(sealed[-1]).items()
    assert "seed" not in shown["mystery"]
    assert shown["last_point"].items() >= {**mystery.promised(sealed[-2]), "point": str(hits[-1].amount)}.items()
    assert pools.standing("MYS").prize.micros == by_hand.prize
    conserved("MYS")
    assert reconcile(pool=pool).fault == ""


def test_a_point_two_reached_together_is_not_skipped(link: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither of the two saw the other, so neither held the link: the tick finds the wager that reached the point."""
    monkeypatch.setattr(mystery, "_may_fall", lambda pool, coming: False)
    first, second = play("MYS-01", boxes=7), play("MYS-02", boxes=7)
    third = play("MYS-03", boxes=7)  # 21 wagers: 60.50
    assert Hit.objects.count() == 0
    monkeypatch.undo()
    assert links.meter(link).total == dollars("60.00")  # never more than the ceiling is shown
    settle_pools()
    hit = Hit.objects.get(sequence=1)
    reached = -(-(hit.amount.micros - SEED) // STEP)  # the wager of that number
    assert hit.round in (first, second, third)
    assert hit.round == [first, second, third][(reached - 1) // 7]
    assert hit.box == 7 - (reached - 1) % 7
    assert settle_pools() == 0


def test_nothing_is_taken_back_before_what_is_due_has_fallen(link: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mystery, "_may_fall", lambda pool, coming: False)
    first, *_ = play("MYS-01", boxes=7), play("MYS-02", boxes=7), play("MYS-03", boxes=7)
    monkeypatch.undo()
    void_round(round_id=first.pk, by=SUPERVISOR)
    hit = Hit.objects.get(sequence=1)
    assert hit.status == ("denied" if hit.round == first else "claimed")
    conserved("MYS")


def test_it_is_promised_before_and_proved_after(link: Pool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    anybody, table = Caller(), Caller(make_device("table")[1])
    before = anybody.get("jackpot/pools/MYS/mystery/1").json()
    promised = table.get("jackpot/pools/MYS").json()["mystery"]
    assert {name: before[name] for name in promised} == promised
    assert (promised["floor"], promised["ceiling"]) == ("50.00", "60.00")
    assert [before[name] for name in ("status", "point", "proof", "entry")] == ["running", None, None, None]
    act = Act.objects.get(kind="jackpot.mystery-sealed")
    assert act.data == {"code": "MYS", **promised}
    assert table.get("jackpot/pools/CSP").json()["mystery"] is None

    hit = until_it_falls()
    after = anybody.get("jackpot/pools/MYS/mystery/1").json()
    assert (after["status"], after["point"], after["sequence"]) == ("reached", str(hit.amount), hit.sequence)
    assert after["commitment"] == promised["commitment"]
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(after))
    assert mystery_proof.main([str(file), promised["commitment"]]) == 0
    assert "NO" not in capsys.readouterr().out
    assert mystery_proof.main([str(file), "00" * 32]) == 1
    assert mystery_proof.main([str(tmp_path / "none")]) == 2
    forgeries: list[Any] = [
        after | {"point": "59.99" if after["point"] != "59.99" else "59.98"},
        after | {"ceiling": "70.00"},
        after | {"number": 2},
        after | {"entry": None},
        after | {"proof": after["proof"] | {"seed": "11" * 32}},
        after | {"proof": after["proof"] | {"pool": 2000}},
        [],
    ]
    for forged in forgeries:
        assert not all(step.ok for step in mystery_proof.check(forged))
    # The next one has a seed of its own, and is not shown.
    (second, first) = anybody.get("jackpot/pools/MYS/mystery").json()["results"]
    assert (first, second["number"], second["proof"]) == (after, 2, None)
    assert second["commitment"] != first["commitment"]
    revealed = Act.objects.get(kind="jackpot.mystery-revealed").data
    assert (revealed["point"], revealed["seed"]) == (after["point"], after["proof"]["seed"])
    assert mystery.point_of(TriggerPoint.objects.get(number=2)) > dollars("50.00")
    problem(anybody.get("jackpot/pools/MYS/mystery/9"), 404, "no-such-trigger")
    problem(anybody.get("jackpot/pools/NONE/mystery"), 404, "no-such-pool")


def test_what_a_controller_counted_is_verified_with_its_box_and_paid(link: Pool) -> None:
    at = datetime.now(UTC)
    counted = contribute_bulk(messages=[Message("b", "MYS-02", 20, at), Message("a", "CSP-01", 1, at)], by=TABLE)
    assert (counted.counted, counted.wagers) == (2, 21)
    hit = Hit.objects.get(sequence=1)  # twenty wagers: 60.00, and no point is above that
    assert (hit.table.code, hit.round, hit.message, hit.box, hit.claimed_by) == (
        "MYS-02", None, "b", None, TABLE.identity,
    )  # fmt: skip
    for box, code in ((None, "box-missing"), (8, "box-differs")):
        with pytest.raises(Refusal) as refused:
            verify_hit(hit_id=hit.pk, by=SUPERVISOR, box=box)
        assert refused.value.code == code
    with pytest.raises(IntegrityError), transaction.atomic():
        Hit.objects.filter(pk=hit.pk).update(status="verified", verified_by="x", verified_at=at, verification={})
    assert verify_hit(hit_id=hit.pk, by=SUPERVISOR, box=3, player="P-1").box == 3
    assert pay_hit(hit_id=hit.pk, by=MANAGER).status == "paid"
    conserved("MYS")


def test_one_call_that_brings_down_more_points_than_one_transaction_takes(
    link: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mystery, "MOST_FALLS", 3)
    contribute_bulk(messages=[Message("many", "MYS-01", 300, datetime.now(UTC))], by=TABLE)
    assert Hit.objects.count() == 3
    while settle_pools():
        pass
    assert Hit.objects.count() >= 300 // 20
    sealed = list(TriggerPoint.objects.order_by("number"))
    by_hand = ByHand([(each.point or mystery.point_of(each)).micros for each in sealed])
    for _ in range(300):
        by_hand.wager("MYS-01", "many")
    assert [hit.amount.micros for hit in Hit.objects.order_by("sequence")] == [won[2] for won in by_hand.won]
    assert pools.standing("MYS").prize.micros == by_hand.prize
    conserved("MYS")


def test_no_hand_wins_it(link: Pool) -> None:
    started = play()
    with pytest.raises(Refusal) as refused:
        finish_round(round_id=started.pk, hands=[cards(1, ROYAL)], by=TABLE)
    assert refused.value.code == "not-won-by-a-hand"
    assert Round.objects.get().status == "open"


def change(pool: Pool, **parameters: Any) -> LinkTerms:
    old = terms.of(terms.in_force(pool))
    level = replace(old.parameters.levels[0], **parameters)
    return replace(old, parameters=replace(old.parameters, levels=(level,)))


def test_other_bounds_seal_another_point_and_show_the_old_one(link: Pool) -> None:
    play(boxes=1)
    links.set_terms(pool=link, link_terms=change(link, ceiling=dollars("80.00")), by=MANAGER)
    shown = pools.standing("MYS").prize  # 50.50, or the seed where the one wager reached the point
    old, new = TriggerPoint.objects.order_by("-number")[1], TriggerPoint.objects.get(status="running")
    assert (old.status, old.hit) == ("withdrawn", None)
    assert old.point is not None
    assert old.point > shown
    assert all(step.ok for step in mystery_proof.check(json.loads(json.dumps(mystery.published(old), default=str))))
    assert (new.floor, new.ceiling, new.start) == (shown, dollars("80.00"), shown)
    links.set_terms(pool=link, link_terms=change(link, ceiling=dollars("80.00")), by=MANAGER)
    assert TriggerPoint.objects.get(status="running") == new  # the same bounds: it stands


def test_what_may_not_be_approved(link: Pool) -> None:
    for bad, code in (
        ({"ceiling": None}, "ceiling-missing"),
        ({"ceiling": dollars("50.40")}, "trigger-range"),
        ({"ceiling": Money.dollars(90_000_000)}, "trigger-range"),
        ({"increment_rate": 0}, None),
    ):
        with pytest.raises(Refusal) as refused:
            terms.check(change(link, **bad))
        assert code in (None, refused.value.code)
    for amount, code in (("10.00", "ceiling-passed"), ("-50.01", "purse-short")):
        with pytest.raises(Refusal) as refused:
            adjust.check_adjustment(link, purse="prize", amount=dollars(amount), cause="promotion")
        assert refused.value.code == code


def test_a_meter_lifted_over_its_point_falls_to_the_next_wager(link: Pool) -> None:
    sealed = TriggerPoint.objects.get()
    pools.book(
        pool="MYS",
        movements=[adjust.Movement("house", "prize", mystery.point_of(sealed) - dollars("50.00"))],
        kind="jackpot.adjustment",
        reference="lifted",
        by=MANAGER,
        day=timezone.now().date(),
    )
    assert settle_pools() == 0
    assert Hit.objects.count() == 0
    play("MYS-02", boxes=2)
    hit = Hit.objects.get(sequence=1)
    assert (hit.table.code, hit.box, hit.amount) == ("MYS-02", 2, TriggerPoint.objects.get(number=1).point)


def test_a_seed_that_does_not_open_is_void_and_an_inspector_is_told(
    link: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "secret", lambda name: "another installation")
    mystery._point.cache_clear()
    before = Transfer.objects.count()
    with pytest.raises(Conflict) as refused:
        play()
    assert (refused.value.code, Transfer.objects.count()) == ("mystery-unreadable", before)
    settle_pools()
    assert list(TriggerPoint.objects.order_by("number").values_list("status", flat=True)) == ["void", "running"]
    incident = Incident.objects.get()
    assert (incident.kind, incident.subject) == ("equipment-malfunction", "jackpot:MYS")
    until_it_falls()


def test_retired_it_shows_its_point_and_takes_no_more(link: Pool) -> None:
    play()
    void_round(round_id=Round.objects.get().pk, by=SUPERVISOR)
    proposal = Proposal(pk=1, why="Old.", proposed_by="staff:x")
    adjust.retire(pool="MYS", into="CSP", by=MANAGER, proposal=proposal)
    last = TriggerPoint.objects.order_by("-number").first()
    assert last is not None
    assert (last.status, last.hit) == ("withdrawn", None)
    assert pools.standing("MYS").prize == ZERO


def test_into_a_must_hit_by_link_money_waits_beside_the_meter(link: Pool) -> None:
    adjust.retire(pool="GJ", into="MYS", by=MANAGER, proposal=Proposal(pk=1, why="Old.", proposed_by="staff:x"))
    now = pools.standing("MYS")
    assert (now.prize, now.balances["prize-overflow"]) == (dollars("50.00"), dollars("10000.00"))
    until_it_falls()
    now = pools.standing("MYS")
    assert now.prize >= dollars("50.00")
    assert dollars("9949.00") < now.balances["prize-overflow"] < dollars("9951.00")
