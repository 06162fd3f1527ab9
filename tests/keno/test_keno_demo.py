"""The demo venue's Keno, and the approved split of the 25%."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import Settings

from house import demo as house_demo
from house.approvals import propose
from house.devices import service_token
from house.models import ApprovedValue, Proposal
from keno import approved, jackpots
from keno.demo import SET_BETS, build_demo
from keno.models import Game
from keno.rules.jackpots import FIRST_RATIO, Ratio
from kernel.refusal import Refusal
from tests.world import keno_counter as at
from tests.world.approvals import decide, put_in_force
from tests.world.calls import Caller

pytestmark = pytest.mark.django_db


def test_the_demo_sells_at_once_every_three_minutes_by_generator() -> None:
    house_demo.build_demo()
    settings = build_demo()
    assert (settings.device, settings.interval.total_seconds()) == ("rng", 180)
    assert Game.objects.get(status="open").number == 1
    writer = Caller(service_token(role="writer").secret)
    for code in SET_BETS:
        assert writer.post("keno/tickets", {"set_bet": code, "stake": "1.00"}).status_code == 201
    assert writer.post("keno/quote", {"set_bet": "KINGS", "stake": "0.10"}).json()["ways"] == 56
    assert jackpots.ratio_of(6) == jackpots.ratio_of(8) == Ratio(1_500, 600, 400)
    versions = ApprovedValue.objects.count()
    put_in_force("keno.set-bet", "KINGS", None)
    build_demo()
    assert ApprovedValue.objects.count() == versions + 1
    assert approved.value("set-bet", "KINGS") is None  # what was changed stays changed


def test_no_demo_while_the_setting_is_off(settings: Settings) -> None:
    settings.DEMO = False
    with pytest.raises(Refusal) as caught:
        build_demo()
    assert caught.value.code == "demo-off"
    assert not Game.objects.exists()


@pytest.mark.clause("act-keno:5.3")
def test_the_split_of_the_25_per_cent_is_approved_and_adds_up() -> None:
    counter = at.Counter()

    def put(value: Any, subject: str = "jackpot-ratio:KENO-6") -> Proposal:
        made = propose(kind="keno.jackpot-ratio", subject=subject, new=value, why="Faster.", by=counter.supervisor)
        return decide(made, house=counter.manager)

    whole = {"prize": 2_000, "secondary": 300, "reimbursement": 200}
    for wrong, code in (
        ({**whole, "prize": 2_001}, "ratio-not-whole"),
        ({**whole, "prize": 2_600, "secondary": -300}, "ratio-not-whole"),
        ({**whole, "prize": True}, "value-not-readable"),
        ({"prize": 2_500}, "value-not-readable"),
    ):
        with pytest.raises(Refusal) as caught:
            put(wrong)
        assert caught.value.code == code
    with pytest.raises(Refusal) as caught:
        put(whole, "jackpot-ratio:KENO-7")
    assert caught.value.code == "no-such-subject"
    assert put(whole).status == "effective"
    assert jackpots.ratio_of(6) == Ratio(2_000, 300, 200)
    assert jackpots.ratio_of(8) == FIRST_RATIO
