"""The sealed point of a must-hit-by link: promised, proved, replaced, shown when the link ends."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from house.models import Incident, Proposal
from jackpot import adjust, pools, terms, trigger_points
from jackpot.models import Hit, Link, Round, TriggerPoint
from jackpot.open_link import set_terms
from jackpot.rules import mystery_proof
from jackpot.rules.pool import Movement
from jackpot.settle_pools import settle_pools
from jackpot.terms import LinkTerms
from jackpot.void_round import void_round
from kernel import keys
from kernel.money import ZERO, Money
from kernel.refusal import Conflict, Refusal
from ledger.models import Act, Transfer
from tests.world.approvals import SYSTEM
from tests.world.calls import Caller, make_device, problem
from tests.world.money import dollars
from tests.world.mystery_link import play, until_it_falls
from tests.world.people import MANAGER, SUPERVISOR


def test_it_is_promised_before_and_proved_after(link: Link, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
    assert trigger_points.point_of(TriggerPoint.objects.get(number=2)) > dollars("50.00")
    problem(anybody.get("jackpot/pools/MYS/mystery/9"), 404, "no-such-trigger")
    problem(anybody.get("jackpot/pools/NONE/mystery"), 404, "no-such-pool")


def change(link: Link, **parameters: Any) -> LinkTerms:
    old = terms.of(terms.in_force(link))
    level = replace(old.parameters.levels[0], **parameters)
    return replace(old, parameters=replace(old.parameters, levels=(level,)))


def test_other_bounds_seal_another_point_and_show_the_old_one(link: Link) -> None:
    play(boxes=1)
    set_terms(link=link, link_terms=change(link, ceiling=dollars("80.00")), by=SYSTEM)
    shown = pools.read_pools("MYS").prize  # 50.50, or the seed where the one wager reached the point
    old, new = TriggerPoint.objects.order_by("-number")[1], TriggerPoint.objects.get(status="running")
    assert (old.status, old.hit) == ("withdrawn", None)
    assert old.point is not None
    assert old.point > shown
    assert all(
        step.ok for step in mystery_proof.check(json.loads(json.dumps(trigger_points.published(old), default=str)))
    )
    assert (new.floor, new.ceiling, new.start) == (shown, dollars("80.00"), shown)
    set_terms(link=link, link_terms=change(link, ceiling=dollars("80.00")), by=SYSTEM)
    assert TriggerPoint.objects.get(status="running") == new  # the same bounds: it stands


def test_what_may_not_be_approved(link: Link) -> None:
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


def test_a_meter_lifted_over_its_point_falls_to_the_next_wager(link: Link) -> None:
    sealed = TriggerPoint.objects.get()
    pools.book(
        link="MYS",
        movements=[Movement("house", "prize", trigger_points.point_of(sealed) - dollars("50.00"))],
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
    link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "secret", lambda name: "another installation")
    trigger_points._point.cache_clear()
    before = Transfer.objects.count()
    with pytest.raises(Conflict) as refused:
        play()
    assert (refused.value.code, Transfer.objects.count()) == ("mystery-unreadable", before)
    settle_pools()
    assert list(TriggerPoint.objects.order_by("number").values_list("status", flat=True)) == ["void", "running"]
    incident = Incident.objects.get()
    assert (incident.kind, incident.subject) == ("equipment-malfunction", "jackpot:MYS")
    until_it_falls()


def test_retired_it_shows_its_point_and_takes_no_more(link: Link) -> None:
    play()
    void_round(round_id=Round.objects.get().pk, by=SUPERVISOR)
    proposal = Proposal(pk=1, why="Old.", proposed_by="staff:x")
    adjust.retire(link="MYS", into="CSP", by=MANAGER, proposal=proposal)
    last = TriggerPoint.objects.order_by("-number").first()
    assert last is not None
    assert (last.status, last.hit) == ("withdrawn", None)
    assert pools.read_pools("MYS").prize == ZERO


def test_into_a_must_hit_by_link_money_waits_beside_the_meter(link: Link) -> None:
    adjust.retire(link="GJ", into="MYS", by=MANAGER, proposal=Proposal(pk=1, why="Old.", proposed_by="staff:x"))
    now = pools.read_pools("MYS")
    assert (now.prize, now.balances["prize-overflow"]) == (dollars("50.00"), dollars("10000.00"))
    until_it_falls()
    now = pools.read_pools("MYS")
    assert now.prize >= dollars("50.00")
    assert dollars("9949.00") < now.balances["prize-overflow"] < dollars("9951.00")
