"""A royal that nobody named when the round was finished is claimed late, by two people, and paid like any other."""

from __future__ import annotations

from typing import Any

import pytest

from house.approvals import approve, propose
from house.models import Proposal
from jackpot import pools
from jackpot.hits import deny_hit, verify_hit
from jackpot.models import Hit, LateHand
from jackpot.reconcile import reconcile
from kernel.refusal import Forbidden, Refusal
from tests.jackpot.dealt import FLUSH, FULL_HOUSE, NOTHING, ROYAL, ROYAL_HEARTS, STRAIGHT_FLUSH, cards
from tests.world.approvals import NOTARY
from tests.world.jackpot_table import CAMERA, conserved, finish, pay, start, verify, won
from tests.world.people import DESK, MANAGER, SUPERVISOR

pytestmark = pytest.mark.usefixtures("floor")


def proposed(round_id: int, *, link: str = "CSP", **changed: Any) -> Proposal:
    new = {"round": round_id, "box": 1, "pieces": ROYAL.split(), "surveillance": CAMERA} | changed
    return propose(kind="jackpot.late-claim", subject=f"jackpot:{link}", new=new, why="Declared.", by=SUPERVISOR)


@pytest.mark.clause("act-cp:10.3", "nsw-csp:9.6", "nsw-csp:11.10.2")
@pytest.mark.parametrize(
    ("table", "code", "expected"),
    [
        ("CSP-01", "CSP", [(2, "bonus", "250.00"), (1, "royal", "50003.50")]),
        ("BOOM-01", "BOOM", [(1, "royal", "10000.00")]),  # as displayed when its round began
    ],
)
def test_a_hand_that_was_not_named_is_claimed_by_two_people(
    table: str, code: str, expected: list[tuple[int, str, str]]
) -> None:
    round_ = start(table, (1, 2))
    assert finish(round_, cards(2, NOTHING)) == []
    waiting = proposed(round_.pk, link=code)
    with pytest.raises(Forbidden):
        approve(proposal_id=waiting.pk, by=SUPERVISOR)
    assert not Hit.objects.exists()
    approve(proposal_id=waiting.pk, by=NOTARY)
    hits = list(Hit.objects.order_by("place"))
    assert [each[:3] for each in won(hits)] == expected
    with pytest.raises(Forbidden):  # who proposed it does not verify it
        verify_hit(hit_id=hits[-1].pk, cards=ROYAL.split(), surveillance=CAMERA, by=SUPERVISOR)
    for number, hit in enumerate(hits):
        pay(verify(hit, DESK), payment_reference=f"CHQ 77{number}")
    conserved(code)
    assert reconcile(link=round_.terms.link).fault == ""
    assert LateHand.objects.count() == 1


@pytest.mark.clause("act-cp:10.3")
def test_what_cannot_be_claimed_late() -> None:
    lost, voided = start("CSP-01", (1, 2)), start("BOOM-01", (1, 2))
    finish(lost, cards(2, FULL_HOUSE), folded=(1,))
    finish(voided, folded=(1,))
    tried: list[tuple[int, str, dict[str, Any], str]] = [
        (lost.pk, "CSP", {"box": 3}, "no-wager-on-box"),
        (lost.pk, "CSP", {"box": 2}, "hand-named"),
        (lost.pk, "CSP", {"pieces": NOTHING.split()}, "hand-wins-nothing"),
        (lost.pk, "CSP", {"pieces": ["2S", "KS", "QS", "JS", "TS"]}, "dealt-too-often"),
        (lost.pk, "CSP", {"surveillance": " "}, "value-not-readable"),
        (lost.pk, "BOOM", {}, "not-on-this-link"),
        (voided.pk, "BOOM", {}, "box-folded"),
        (voided.pk, "BOOM", {"box": 2, "declared": False}, "not-declared"),
        (start("CSP-02", (1,)).pk, "CSP", {}, "round-not-finished"),
    ]
    for number, link, changed, code in tried:
        with pytest.raises(Refusal) as refused:
            proposed(number, link=link, **changed)
        assert refused.value.code == code
    assert not Proposal.objects.exists()


@pytest.mark.clause("nsw-csp:11.10.2", "nsw-csp:14.8")
def test_a_void_hand_gets_no_bonus_from_a_late_one_either() -> None:
    round_ = start("CSP-01", (1, 2, 3))
    finish(round_, cards(2, "AH KH QH JH 2C 3C"))
    approve(proposal_id=proposed(round_.pk).pk, by=NOTARY)
    hits = list(Hit.objects.order_by("place"))
    assert [each[:3] for each in won(hits)] == [(3, "bonus", "250.00"), (1, "royal", "50003.50")]
    for number, hit in enumerate(hits):
        pay(verify(hit, DESK), payment_reference=f"CHQ 77{number}")
    conserved("CSP")


@pytest.mark.clause("nsw-csp:12.3.1")
def test_beside_a_hit_that_was_denied_and_not_beside_one_that_stands() -> None:
    """Shares that are fixed stay; where nobody has one the late hand is paid by itself."""
    round_ = start("CSP-01", (1, 2))
    bonus, named = finish(round_, cards(2, ROYAL_HEARTS))
    for standing in (named, bonus):
        before = Proposal.objects.count(), pools.read_pools("CSP")
        with pytest.raises(Refusal) as refused:
            proposed(round_.pk)
        assert (refused.value.code, "underpayment" in refused.value.detail) == ("shares-fixed", True)
        assert (Proposal.objects.count(), pools.read_pools("CSP")) == before
        deny_hit(hit_id=standing.pk, reason="Box 2 had no royal.", by=MANAGER)
    approve(proposal_id=proposed(round_.pk).pk, by=NOTARY)
    left = Hit.objects.exclude(status="denied").order_by("place")
    assert [each[:3] for each in won(list(left))] == [(2, "bonus", "250.00"), (1, "royal", "50003.50")]
    conserved("CSP")
    assert reconcile(link=round_.terms.link).fault == ""


def test_denied_it_leaves_the_pool_as_it_was() -> None:
    round_ = start("CSP-01", (1, 2, 3))
    finish(round_, cards(3, FLUSH))
    before = pools.read_pools("CSP")
    approve(proposal_id=proposed(round_.pk, pieces=STRAIGHT_FLUSH.split()).pk, by=NOTARY)
    for hit in Hit.objects.exclude(kind="fixed").order_by("-place"):
        deny_hit(hit_id=hit.pk, reason="Another card on the recording.", by=MANAGER)
    assert pools.read_pools("CSP") == before
    conserved("CSP")
