"""Claims that are denied, and prizes that are declined: why, who is told, what is kept, who wins instead."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction

from kernel.money import Money
from ledger.models import Act
from promotions import letters
from promotions.claims import (
    accept_claim,
    decline_prize,
    deny_claim,
    forget_claimants,
    make_claim,
    make_other_claim,
    told_of_denial,
)
from promotions.models import Claim, Loss, LossCase, Promotion
from tests.world import promotion_draws as world
from tests.world.promotion_draws import (
    claimed,
    drawn,
    failed,
    promised,
    published,
    refused,
)
from tests.world.promotions import manager, prize

pytestmark = pytest.mark.django_db


@pytest.mark.clause("nsw-promo-2025:17.9", "nsw-promo-2025:17.10", "nsw-promo-2019:15.10", "nsw-promo-2019:15.11")
@pytest.mark.parametrize("edition", ["2019", "2025"])
def test_a_denial_says_why_is_told_and_kept(edition: str) -> None:
    drawn("ABCD", edition=edition, prizes=[prize(alternates=1)])
    (win,) = world.wins()
    claim = make_claim(win_id=win.pk, name="Anna Marsh", address="1 Lake Street", by=world.supervisor(), now=win.won_at)
    clause = {"2019": "nsw-promo-2019:15.10", "2025": "nsw-promo-2025:17.9"}[edition]
    assert refused(deny_claim, claim_id=claim.pk, reasons=" ", by=manager()) == ("reasons-missing", clause)
    assert refused(deny_claim, claim_id=claim.pk, reasons="No.", by=world.supervisor())[0] == "no-permission"
    assert refused(told_of_denial, claim_id=claim.pk, how="mail", by=manager()) == ("not-denied", clause)
    assert refused(letters.denial_letter, claim_id=claim.pk) == ("not-denied", clause)
    denied = deny_claim(claim_id=claim.pk, reasons="The winner is an employee.", by=manager(), now=win.won_at)
    assert (denied.status, denied.name, denied.address) == ("denied", "Anna Marsh", "1 Lake Street")
    # The claim is denied; that the prize is lost by it, two more people say. Then it is the alternate's.
    win.refresh_from_db()
    assert win.status == "drawn"
    world.lost(LossCase.objects.get(), now=win.won_at)
    win.refresh_from_db()
    assert win.status == "lost"
    assert [held.pick.place for held in world.wins()] == [2]
    # Told, in a letter with the reasons and the right to complain.
    words = "\n".join(letters.paragraphs(Claim.objects.select_related("promotion").get()))
    assert "The winner is an employee." in words
    assert "complaint with an inspector under section 33 of the Gaming and Liquor Administration Act 2007" in words
    assert letters.denial_letter(claim.pk).startswith(b"%PDF")
    assert refused(told_of_denial, claim_id=claim.pk, how="pigeon", by=manager())[0] == "method-unknown"
    told = told_of_denial(claim_id=claim.pk, how="mail", by=world.supervisor())
    assert told.told_at is not None
    # The log says why and names nobody.
    (act,) = Act.objects.filter(kind="promotion.claim-denied")
    assert act.data == {"promotion": "SPRING", "value": "2000.00", "reasons": "The winner is an employee."}
    # Kept for good: name, address and reasons.
    for change in ({"name": ""}, {"address": ""}, {"reasons": ""}):
        with pytest.raises(DatabaseError), transaction.atomic():
            Claim.objects.update(**change)
    with pytest.raises(DatabaseError), transaction.atomic():
        Claim.objects.all().delete()
    forget_claimants(Promotion.objects.get())
    denied.refresh_from_db()
    assert (denied.name, denied.address) == ("Anna Marsh", "1 Lake Street")


@pytest.mark.clause("nsw-promo-2025:17.9", "nsw-promo-2019:15.10")
def test_somebody_elses_claim_is_kept_above_a_hundred_dollars() -> None:
    drawn()
    sue, mona = world.supervisor(), manager()
    asked: dict[str, Any] = {"code": "SPRING", "what": "The main prize", "name": "Ben Ng", "by": sue}
    assert refused(make_other_claim, **asked | {"what": " "}, value=Money.parse("5.00"))[0] == "claim-of-nothing"
    big = make_other_claim(**asked, value=Money.parse("100.01"))
    small = make_other_claim(**asked, value=Money.parse("100.00"))
    assert refused(accept_claim, claim_id=big.pk, by=mona)[0] == "no-such-win"
    reasons = "The entry was not drawn."
    assert refused(deny_claim, claim_id=big.pk, reasons=reasons, by=mona) == (
        "claimant-incomplete",
        "nsw-promo-2025:17.9",
    )
    deny_claim(claim_id=big.pk, reasons=reasons, by=mona, address="2 Hill Road")
    deny_claim(claim_id=small.pk, reasons=reasons, by=mona)
    assert forget_claimants(Promotion.objects.get()) == 1
    assert list(Claim.objects.order_by("id").values_list("name", "address", "reasons")) == [
        ("Ben Ng", "2 Hill Road", reasons),
        ("", "", reasons),
    ]
    assert world.wins()[0].status == "drawn"  # the winner's prize is untouched


def test_a_denied_claim_need_not_cost_the_winner_the_prize() -> None:
    drawn()
    (win,) = world.wins()
    sue = world.supervisor()
    claim = make_claim(win_id=win.pk, name="Impostor", address="x", by=sue, now=win.won_at)
    deny_claim(claim_id=claim.pk, reasons="Not the holder of the card.", by=manager(), forfeit=False)
    assert [held.pk for held in world.wins()] == [win.pk]
    claimed(win)


def test_a_prize_that_is_declined_goes_by_the_terms() -> None:
    drawn("ABCD", prizes=[prize(alternates=1)])
    (win,) = world.wins()
    sue = world.supervisor()
    claim = make_claim(win_id=win.pk, name="A", address="a", by=sue, now=win.won_at)
    assert refused(decline_prize, win_id=win.pk, by=sue)[0] == "claimed-already"
    deny_claim(claim_id=claim.pk, reasons="Not the winner.", by=manager(), forfeit=False)
    (heir,) = world.lost(decline_prize(win_id=win.pk, by=sue, now=win.won_at))
    assert heir.pick.place == 2
    assert world.lost(decline_prize(win_id=heir.pk, by=sue, now=win.won_at)) == []  # no alternate is left
    assert refused(decline_prize, win_id=win.pk, by=sue)[0] == "win-lost"
    assert [loss.reason for loss in Loss.objects.order_by("id")] == ["declined", "declined"]
    assert failed(published(), promised()) == []
