"""A round on its page, and what two people say of it there; tables that join a link, and move."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from house.approvals import approve
from house.models import Proposal
from jackpot import at_once, pools
from jackpot.contribute import Message, contribute_bulk
from jackpot.demo import build_demo
from jackpot.models import Batch, Hit, Round, Table
from jackpot.rules.payouts import Dealt
from tests.console.pages import text
from tests.world.approvals import NOTARY
from tests.world.demo import demo_actor
from tests.world.jackpot_table import finish, start
from tests.world.mystery_link import open_mystery_link, played
from tests.world.people import TABLE

SignedIn = Callable[[str], Client]
FULL_HOUSE = Dealt(box=2, cards=["2S", "2H", "2D", "3S", "3H"])
SIX_CARDS = Dealt(box=3, cards=["AS", "KS", "QS", "JS", "TS", "9S"])
GEE_JUN = "gee-jun gee-jun teen teen"


@pytest.fixture
def floor_links(venue: None) -> None:
    build_demo()


@pytest.mark.clause("act-cp:10.3")
@pytest.mark.usefixtures("floor_links")
def test_a_late_hand_is_claimed_from_the_page_of_its_round(signed_in: SignedIn) -> None:
    round_ = start("BOOM-01", (1, 2, 3, 4))
    finish(round_, FULL_HOUSE, SIX_CARDS, folded=(4,))
    page, supervisor = f"/jackpots/rounds/{round_.pk}/", signed_in("supervisor")
    assert page in supervisor.get("/jackpots/rounds/").content.decode()
    said = text(supervisor.get(page))
    for words in ("No hand on record", "Hand on record", "Void hand: the wager went back", "Folded", "Full house"):
        assert words in said
    assert "2♠" not in said  # whoever verifies it has not seen its cards
    claim = f"{page}propose/late-claim/"
    assert claim in said
    form: dict[str, Any] = {
        "box": "1",
        "cards": ["AH", "KH", "QH", "JH", "TH"],
        "surveillance": "CAM 3",
        "why": "He said so.",
    }
    asked = text(supervisor.get(claim))
    assert 'value="2"' not in asked  # its hand is on record
    refused = supervisor.post(claim, form)
    assert (refused.status_code, "It wins only if declared" in text(refused)) == (422, True)
    assert "hand wins no jackpot" in text(
        supervisor.post(claim, form | {"declared": "on", "cards": ["AH", "KH", "QH", "JH", "9C"]})
    )
    assert not Proposal.objects.exists()
    supervisor.post(claim, form | {"declared": "on"})
    approve(proposal_id=Proposal.objects.get().pk, by=NOTARY)
    assert str(Hit.objects.get(kind="royal").amount) == "10000.00"
    assert "Hand claimed late" in text(supervisor.get(page))
    auditor = signed_in("auditor")
    assert claim not in text(auditor.get(page))
    assert auditor.post(claim, form).status_code == 403


@pytest.mark.clause("act-pg:13.3")
@pytest.mark.usefixtures("floor_links")
@pytest.mark.parametrize(
    ("said", "first"),
    [({"hands": f"1 {GEE_JUN}"}, "5000.00"), ({"hands": ""}, "10000.00"), ({"void": "void"}, "10000.00")],
)
def test_two_people_end_a_round_that_a_win_waits_for(
    said: dict[str, str], first: str, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = start("GJ-01", (1,)), start("GJ-02", (1,))
    (won,) = finish(one, Dealt(box=1, tiles=GEE_JUN.split()))
    page, supervisor = f"/jackpots/rounds/{two.pk}/", signed_in("supervisor")
    assert "propose/end/" not in text(supervisor.get(page))
    monkeypatch.setattr(at_once, "WAITS_AT_MOST", timedelta(0))
    end = f"{page}propose/end/"
    assert end in text(supervisor.get(page))
    form = {"surveillance": "CAM 3", "why": "The dealer fainted."}
    assert "does not begin with a box" in text(supervisor.post(end, form | {"hands": "gee-jun teen"}))
    assert not Proposal.objects.exists()
    supervisor.post(end, form | said)
    approve(proposal_id=Proposal.objects.get().pk, by=demo_actor("manager"))
    assert Round.objects.get(pk=two.pk).status == ("void" if "void" in said else "finished")
    assert str(Hit.objects.get(pk=won.pk).amount) == first


@pytest.mark.usefixtures("floor_links")
def test_a_table_joins_a_link_and_moves_to_another(signed_in: SignedIn) -> None:
    supervisor = signed_in("supervisor")
    assert "/jackpots/BOOM/join/" in text(supervisor.get("/jackpots/BOOM/"))
    assert "BOOM-01 already" in text(supervisor.post("/jackpots/BOOM/join/", {"table": "BOOM-01", "boxes": "7"}))
    supervisor.post("/jackpots/BOOM/join/", {"table": "BOOM-03", "boxes": "5"})
    assert Table.objects.get(code="BOOM-03").boxes == 5
    move = "/jackpots/BOOM/tables/BOOM-03/move/"
    assert move in text(supervisor.get("/jackpots/BOOM/"))
    round_ = start("BOOM-03", (1,))
    assert "A round is open at BOOM-03" in text(supervisor.post(move, {"link": "GJ"}))
    finish(round_)
    supervisor.post(move, {"link": "GJ"})
    assert Table.objects.get(code="BOOM-03").link.code == "GJ"
    assert supervisor.get(move).status_code == 404  # it is not there any more
    for address in ("/jackpots/BOOM/join/", "/jackpots/GJ/tables/BOOM-03/move/"):
        assert signed_in("auditor").get(address).status_code == 403


@pytest.mark.usefixtures("floor_links")
def test_a_must_hit_by_link_that_is_played_for_gets_a_table_with_its_next_win(signed_in: SignedIn) -> None:
    open_mystery_link()
    played(boxes=2)
    supervisor = signed_in("supervisor")
    assert "when it is won next" in text(supervisor.get("/jackpots/MYS/join/"))
    supervisor.post("/jackpots/MYS/join/", {"table": "MYS-09", "boxes": "7"})
    assert Proposal.objects.get().condition == "when-won"
    assert not Table.objects.filter(code="MYS-09").exists()


@pytest.mark.usefixtures("floor_links")
@pytest.mark.parametrize(("what", "prize"), [("release", "10600.60"), ("reject", "10000.00")])
def test_what_is_held_as_unreasonable_is_counted_or_rejected_on_the_page_of_its_link(
    what: str, prize: str, signed_in: SignedIn
) -> None:
    contribute_bulk(messages=[Message("much", "BOOM-01", 1_001, timezone.now())], by=TABLE)
    supervisor, held = signed_in("supervisor"), Batch.objects.get()
    address = f"/jackpots/contributions/{held.pk}/{what}/"
    assert address in text(supervisor.get("/jackpots/BOOM/"))
    assert address not in text(supervisor.get("/jackpots/CSP/"))
    auditor = signed_in("auditor")
    assert address not in text(auditor.get("/jackpots/BOOM/"))
    assert auditor.post(address).status_code == 403
    assert supervisor.post(f"/jackpots/contributions/{held.pk}/else/").status_code == 404
    assert str(pools.read_pools("BOOM").prize) == "10000.00"
    supervisor.post(address)
    assert str(pools.read_pools("BOOM").prize) == prize
    assert address not in text(supervisor.get("/jackpots/BOOM/"))
