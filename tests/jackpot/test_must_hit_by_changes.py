"""A must-hit-by link while it is played for: promised by the day, its terms and tables stand, nothing goes back."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from draws import ask as draws
from draws.commit import master_of
from draws.masters import MasterLost
from draws.models import Commitment
from house.approvals import approve, propose
from house.gaming_days import gaming_day_at
from house.models import Incident, Proposal
from jackpot import adjust, movements, pools, promises, terms
from jackpot.decide import BY, decide_link, decide_movements
from jackpot.finish_round import finish_round
from jackpot.models import CountedWager, Hit, Link, MeterSeal, Round, Table, Terms
from jackpot.open_link import set_terms
from jackpot.reconcile import reconcile
from jackpot.rules import must_hit_by_proof
from jackpot.tables import join_table
from jackpot.tick import tick
from jackpot.void_round import invalidate_round, void_round
from kernel.money import ZERO, Money
from kernel.refusal import Conflict, Forbidden, Refusal
from ledger.balance import balance
from ledger.models import Act, Transfer
from tests.world.approvals import INSPECTOR, SYSTEM
from tests.world.approvals import decide as approved
from tests.world.calls import Caller, make_device, problem
from tests.world.jackpot_table import conserved
from tests.world.money import dollars
from tests.world.mystery_link import TERMS, play, played, until_it_falls
from tests.world.people import MANAGER, SUPERVISOR, TABLE, someone
from tests.world.second_party import AtHand


def proposed(kind: str, new: Any, **more: Any) -> Proposal:
    return propose(kind=f"jackpot.{kind}", subject="jackpot:MYS", new=new, why="Agreed.", by=SUPERVISOR, **more)


def other_terms(**level: Any) -> dict[str, Any]:
    data = terms.write(TERMS)
    data["levels"][0].update(level)
    return data


# A master by the gaming day


def test_a_day_is_promised_the_day_before_and_shown_after(link: Link) -> None:
    now = timezone.now()
    first = Commitment.objects.get()
    assert (first.purpose, first.name, first.device) == (
        "must-hit-by",
        f"MYS/{gaming_day_at(now).date}",
        "rng",
    )
    tick(now)
    assert Commitment.objects.count() == 2
    tick(now)
    assert Commitment.objects.count() == 2
    played(boxes=2)
    decide_movements(now)
    tomorrow = now + timedelta(days=1)
    promises.promise_days(tomorrow, by=BY)
    played(boxes=1)
    decide_movements(tomorrow)
    assert [seal.commitment.name for seal in MeterSeal.objects.order_by("number")] == sorted(
        Commitment.objects.values_list("name", flat=True)
    )[:2]
    promises.reveal_days(now, by=BY)
    assert not Commitment.objects.filter(master__isnull=False).exists()
    promises.reveal_days(tomorrow, by=BY)
    shown = Commitment.objects.get(master__isnull=False)
    assert shown == first
    assert bytes(shown.master or b"") == master_of(first)


def test_a_master_stays_hidden_while_something_waits(link: Link, second_party: AtHand) -> None:
    second_party.away = True
    played()
    decide_movements(timezone.now())
    later = timezone.now() + timedelta(days=2)
    promises.reveal_days(later, by=BY)
    assert not Commitment.objects.filter(master__isnull=False).exists()
    second_party.away = False
    decide_movements(later)
    promises.reveal_days(later, by=BY)
    assert Commitment.objects.filter(master__isnull=False).count() == 1


def test_no_wager_before_the_promise_is_public(link: Link, second_party: AtHand) -> None:
    started = play("MYS-01")
    promises._seen.clear()
    second_party.unseen = True
    with pytest.raises(Conflict) as refused:
        play("MYS-02")
    assert (refused.value.code, Round.objects.count()) == ("not-promised-yet", 1)
    finish_round(round_id=started.pk, hands=[], by=TABLE)
    assert decide_movements(timezone.now()) == 0
    assert MeterSeal.objects.count() == 0
    second_party.unseen = False
    assert decide_movements(timezone.now()) == 1


def test_a_lost_master_waits_and_an_inspector_is_told(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    played()
    monkeypatch.setenv("METERHOUSE_KEY_DRAW_MASTERS", "another key altogether")
    for _ in range(2):
        assert decide_movements(timezone.now()) == 0
    incident = Incident.objects.get()
    assert (incident.kind, incident.subject) == ("equipment-malfunction", "jackpot:MYS")
    assert MeterSeal.objects.get().waits
    with pytest.raises(MasterLost):
        master_of(Commitment.objects.get())
    monkeypatch.delenv("METERHOUSE_KEY_DRAW_MASTERS")
    assert decide_link(link, now=timezone.now()) == 1


# Nothing changes but with a win


def test_terms_change_only_when_it_is_won(link: Link) -> None:
    played()
    decide_movements(timezone.now())
    with pytest.raises(Refusal) as refused:
        proposed("terms", other_terms(ceiling="80.00"))
    assert refused.value.code == "waits-for-condition"
    with pytest.raises(Conflict) as conflict:
        set_terms(link=link, link_terms=terms.read(other_terms(ceiling="60.01")), by=SYSTEM)
    assert (conflict.value.code, Terms.objects.filter(link=link).count()) == ("only-when-won", 1)
    waiting = approved(proposed("terms", other_terms(ceiling="80.00", seed="55.00"), condition="when-won"))
    assert (waiting.status, Terms.objects.filter(link=link).count()) == ("approved", 1)
    until_it_falls()
    waiting.refresh_from_db()
    assert (waiting.status, terms.in_force(link).version) == ("effective", 2)
    seal = MeterSeal.objects.exclude(falls=[]).latest("number")  # chance may let the first one fall, too
    assert seal.falls is not None
    assert (seal.ceiling, seal.falls[0]["start"], seal.falls[0]["ceiling"]) == (dollars("60.00"), "55.00", "80.00")
    assert movements.decided_meter(link) >= dollars("55.00")
    conserved("MYS")


def test_a_table_joins_with_a_win(link: Link) -> None:
    join_table(code="MYS-04", link="MYS", by=SUPERVISOR)  # before the first wager counts
    played()
    with pytest.raises(Conflict) as refused:
        join_table(code="MYS-05", link="MYS", by=SUPERVISOR)
    assert (refused.value.code, Table.objects.filter(code="MYS-05").exists()) == ("only-when-won", False)
    with pytest.raises(Refusal):
        proposed("table", {"table": "MYS-05", "boxes": 7})
    approved(proposed("table", {"table": "MYS-05", "boxes": 7}, condition="when-won"))
    assert not Table.objects.filter(code="MYS-05").exists()
    until_it_falls()
    assert Table.objects.get(code="MYS-05").link == link


@pytest.mark.parametrize("purse", ["prize", "reimbursement"])
def test_only_wagers_move_the_meter(link: Link, purse: str) -> None:
    with pytest.raises(Refusal) as refused:
        proposed("adjustment", {"purse": purse, "amount": "0.01", "cause": "promotion"})
    assert refused.value.code == "meter-stands"
    approved(proposed("adjustment", {"purse": "prize-overflow", "amount": "5.00", "cause": "promotion"}))
    approved(proposed("adjustment", {"purse": "reserve", "amount": "7.00", "cause": "promotion"}))
    now = pools.read_pools("MYS")
    assert [str(now.prize), str(now.balances["prize-overflow"]), str(now.reserve)] == ["50.00", "5.00", "7.00"]


def test_what_may_not_be_approved(link: Link) -> None:
    for bad, code in (
        ({"ceiling": None}, "ceiling-missing"),
        ({"ceiling": "50.40"}, "trigger-range"),
        ({"ceiling": "2000000000.00"}, "trigger-range"),
        ({"seed": "0.00"}, "trigger-range"),
    ):
        with pytest.raises(Refusal) as refused:
            terms.check(terms.read(other_terms(**bad)))
        assert refused.value.code == code


# Nothing goes back


def test_a_refund_after_the_wagers_counted_is_the_houses_cost(link: Link) -> None:
    ended = played(boxes=2)
    decide_movements(timezone.now())
    before = pools.read_pools("MYS"), MeterSeal.objects.values().get()
    with pytest.raises(Conflict):
        invalidate_round(round_id=ended.pk, cause="fire", why="A brawl.", by=SUPERVISOR)
    with pytest.raises(Conflict):
        void_round(round_id=ended.pk, by=SUPERVISOR)
    kept = balance("jackpot:MYS:house").amount
    waiting = proposed("refund", {"round": ended.pk, "cause": "fire"})
    with pytest.raises(Forbidden):
        approve(proposal_id=waiting.pk, by=SUPERVISOR)
    approved(waiting)
    assert (pools.read_pools("MYS"), MeterSeal.objects.values().get()) == before
    assert balance("jackpot:MYS:house").amount == kept - dollars("2.00")
    assert (Round.objects.get().status, Incident.objects.get().kind) == ("invalidated", "jackpot-refund-after-counting")
    act = Act.objects.get(kind="jackpot.refunded")
    assert (act.data["refunded"], act.data["proposal"]) == ("2.00", waiting.pk)
    conserved("MYS")
    assert reconcile(link=link).fault == ""
    with pytest.raises(Conflict):
        proposed("refund", {"round": ended.pk, "cause": "fire"})  # once


def test_an_open_round_goes_back_as_ever(link: Link) -> None:
    started = play(boxes=3)
    void_round(round_id=started.pk, by=SUPERVISOR)
    assert (pools.read_pools("MYS").prize, CountedWager.objects.count()) == (dollars("50.00"), 0)
    conserved("MYS")


# An attempt that is void


def test_void_takes_three_people_and_never_what_is_decided(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    played(boxes=7)
    seal = movements.seal_movement(link, now=timezone.now(), by=BY)
    assert seal is not None
    void = {"number": 1, "attempt": 1, "cause": "The answer could not be read."}
    with pytest.raises(Conflict) as refused:
        proposed("void-attempt", void)
    assert refused.value.code == "not-answered-yet"
    said = draws.ask(seal.commitment, occasion=seal.occasion, attempt=1, by=BY)
    assert said is not None
    waiting = proposed("void-attempt", void)
    with pytest.raises(Conflict):
        approve(proposal_id=waiting.pk, by=INSPECTOR)  # nobody of the house stands behind it yet
    with pytest.raises(Forbidden):
        approve(proposal_id=waiting.pk, by=SUPERVISOR)
    approve(proposal_id=waiting.pk, by=someone("manager", "third"))
    seal.refresh_from_db()
    assert seal.attempt == 1
    approve(proposal_id=waiting.pk, by=INSPECTOR)
    seal.refresh_from_db()
    assert (seal.attempt, seal.decided_at) == (2, None)
    stream = draws.source(seal.commitment, said)
    assert Act.objects.get(kind="draw.void").data["numbers"][0] == stream.below(10_000_000)[0]
    assert decide_movements(timezone.now()) == 1
    seal.refresh_from_db()
    assert seal.decided_at is not None
    with pytest.raises(Conflict) as refused:
        proposed("void-attempt", void | {"attempt": 2})
    assert refused.value.code == "movement-decided"
    assert Act.objects.filter(kind="draw.sealed").count() == 1


def test_void_that_was_approved_finds_the_movement_decided(link: Link) -> None:
    """Proposed while it was undecided; the tick was faster: what is decided stays."""
    played()
    seal = movements.seal_movement(link, now=timezone.now(), by=BY)
    assert seal is not None
    draws.ask(seal.commitment, occasion=seal.occasion, attempt=1, by=BY)
    waiting = proposed("void-attempt", {"number": 1, "attempt": 1, "cause": "Not liked."})
    approve(proposal_id=waiting.pk, by=someone("manager", "third"))
    decide_movements(timezone.now())
    before = MeterSeal.objects.values().get()
    approve(proposal_id=waiting.pk, by=INSPECTOR)
    waiting.refresh_from_db()
    assert (waiting.status, MeterSeal.objects.values().get()) == ("failed", before)
    assert not Act.objects.filter(kind="draw.void").exists()


# Its end


def test_retired_only_once_everything_is_decided(link: Link) -> None:
    played()
    old = Proposal(pk=1, why="Old.", proposed_by="staff:x")
    for _ in range(2):  # counted; then sealed
        with pytest.raises(Conflict) as refused:
            adjust.retire(link="MYS", into="CSP", by=MANAGER, proposal=old)
        assert refused.value.code == "movement-undecided"
        movements.seal_movement(link, now=timezone.now(), by=BY)
    decide_movements(timezone.now())
    Hit.objects.filter(link=link).exists() or adjust.retire(link="MYS", into="CSP", by=MANAGER, proposal=old)


def test_into_a_must_hit_by_link_money_waits_beside_the_meter(link: Link) -> None:
    adjust.retire(link="GJ", into="MYS", by=MANAGER, proposal=Proposal(pk=1, why="Old.", proposed_by="staff:x"))
    now = pools.read_pools("MYS")
    assert (now.prize, now.balances["prize-overflow"]) == (dollars("50.00"), dollars("10000.00"))
    until_it_falls()
    now = pools.read_pools("MYS")
    assert now.prize >= dollars("50.00")
    assert now.balances["prize-overflow"] > dollars("9700.00")
    assert now.balances["reimbursement"] == ZERO


# What everybody may see


def test_promised_before_decided_and_proved_after(
    link: Link, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    anybody, table = Caller(), Caller(make_device("table")[1])
    pool = table.get("jackpot/pools/MYS").json()
    promised = pool["mystery"]
    assert (promised["number"], promised["floor"], promised["ceiling"]) == (0, "50.00", "60.00")
    assert (promised["undecided"], pool["undecided"]) == (False, False)
    assert promised["commitment"] == bytes(Commitment.objects.get().commitment).hex()
    other = table.get("jackpot/pools/CSP").json()
    assert (other["mystery"], other["undecided"]) == (None, False)
    hit = until_it_falls()
    rows = anybody.get("jackpot/pools/MYS/mystery").json()["results"]
    assert [row["number"] for row in rows] == list(range(len(rows), 0, -1))
    assert rows[0]["status"] == "fell"
    assert (rows[0]["point"], rows[0]["sequence"], rows[0]["proof"]) == (str(hit.amount), hit.sequence, None)
    assert [row["number"] for row in anybody.get("jackpot/pools/MYS/mystery?fell=true").json()["results"]] == [
        len(rows)
    ]
    promises.reveal_days(timezone.now() + timedelta(days=2), by=BY)
    whole = anybody.get(f"jackpot/pools/MYS/mystery/{len(rows)}").json()
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(whole))
    assert must_hit_by_proof.main([str(file), promised["commitment"]]) == 0
    assert "NO" not in capsys.readouterr().out
    assert must_hit_by_proof.main([str(file), "00" * 32]) == 1
    assert must_hit_by_proof.main([str(tmp_path / "none")]) == 2
    fell, wager = whole["falls"][0], whole["entry"]["wagers"][0]
    forgeries: list[Any] = [
        whole | {"falls": [fell | {"amount": "1.00"}]},
        whole | {"falls": []},
        whole | {"before": "50.01"},
        whole | {"after": "50.01"},
        whole | {"entry": {"wagers": [wager | {"box": 2}]}},
        whole | {"proof": whole["proof"] | {"master": "11" * 32}},
        whole | {"proof": whole["proof"] | {"said": "11" * 384}},
        whole | {"proof": None},
        [],
    ]
    for forged in forgeries:
        assert not all(step.ok for step in must_hit_by_proof.check(forged))
    problem(anybody.get("jackpot/pools/MYS/mystery/99"), 404, "no-such-trigger")
    problem(anybody.get("jackpot/pools/NONE/mystery"), 404, "no-such-pool")


def test_the_sign_says_undecided_and_an_inspector_throws_dice(link: Link, second_party: AtHand) -> None:
    inspector, table = Caller(make_device("inspector")[1]), Caller(make_device("table")[1])
    second_party.away = True
    played(boxes=2)
    decide_movements(timezone.now() - timedelta(seconds=9))
    pool = table.get("jackpot/pools/MYS").json()
    assert (pool["undecided"], pool["mystery"]["undecided"], pool["displayed"]) == (True, True, "51.00")
    assert Act.objects.filter(kind="jackpot.undecided").count() == 1
    throws = {"dice": "123456" * 10, "why": "The line is down."}
    problem(table.post("jackpot/pools/MYS/mystery/1/dice", throws), 403, "no-permission")
    said = inspector.post("jackpot/pools/MYS/mystery/1/dice", throws)
    assert said.status_code == 200, said.json()
    assert decide_movements(timezone.now()) == 1
    assert (MeterSeal.objects.get().how, table.get("jackpot/pools/MYS").json()["undecided"]) == ("dice", False)
    problem(inspector.post("jackpot/pools/MYS/mystery/1/dice", throws), 409, "movement-decided")


def test_money_is_where_the_meter_says(link: Link) -> None:
    before = Transfer.objects.count()
    played(boxes=4)
    assert Transfer.objects.count() > before
    decide_movements(timezone.now())
    assert pools.read_pools("MYS").prize == movements.decided_meter(link)
    assert Money.total(CountedWager.objects.values_list("increment", flat=True)) == dollars("2.00")
