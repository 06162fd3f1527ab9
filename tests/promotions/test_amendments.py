"""Terms amended after the start: approval first (2019), in force and re-submitted at once (2025)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction

from house.approvals import approve, reject
from house.models import Proposal
from house.refusal import Conflict, Forbidden, Refusal
from ledger.models import Act
from promotions.amend import amend_promotion
from promotions.clock import database_time
from promotions.models import Promotion, Submission, TermsVersion
from promotions.run import close
from promotions.versions import on_show
from tests.promotions import promos as at
from tests.promotions.promos import in_force

pytestmark = pytest.mark.django_db


def amend(by=None, **changes):
    return amend_promotion(code="SPRING", changes=changes, why="The stage is being rebuilt.", by=by or at.manager())


def refused(call, kind=Refusal, **expected):
    before = at.everything()
    with pytest.raises(kind) as caught, transaction.atomic():
        call()
    assert at.everything() == before
    for name, value in expected.items():
        assert getattr(caught.value, name) == value


@pytest.mark.clause("nsw-promo-2025:17.12.1")
def test_2025_an_amendment_is_in_force_and_re_submitted_at_once():
    promotion = at.running(edition="2025")
    version = amend(awarded_where="Level 2", prizes=[at.prize(), at.prize(name="Another", value="50.00")])
    assert version.number == 2
    assert in_force(promotion) == on_show(promotion) == version
    sent = Submission.objects.latest("id")
    assert (sent.version, sent.reason, sent.at) == (version, "amended", version.in_force_from)
    assert not Proposal.objects.exists()
    assert [prize.name for prize in version.prizes.all()] == ["Two thousand dollars", "Another"]
    act = Act.objects.get(kind="promotion.amended")
    assert (act.data["version"], act.data["terms"]["awarded_where"]) == (2, "Level 2")
    first = TermsVersion.objects.get(number=1)
    assert first.data["awarded_where"] == "Main stage"  # kept as it was
    assert in_force(promotion, at=version.in_force_from - timedelta(seconds=1)) == first


@pytest.mark.clause("nsw-promo-2019:15.9.1")
def test_2019_an_amendment_is_in_force_only_once_the_authority_approves():
    promotion = at.running(edition="2019")
    version = amend(awarded_where="Level 2")
    first = TermsVersion.objects.get(number=1)
    assert version.in_force_from is None
    assert in_force(promotion) == on_show(promotion) == first  # players still see what is in force
    assert Submission.objects.latest("id").reason == "for-approval"
    proposal = Proposal.objects.get()
    assert (proposal.kind, proposal.subject, proposal.status) == ("promotions.amendment", "SPRING", "proposed")
    with pytest.raises(Forbidden):
        approve(proposal_id=proposal.pk, by=at.manager("max"))  # the authority's word is the inspector's to record
    assert approve(proposal_id=proposal.pk, by=at.inspector(), comment="Letter 12/26").status == "effective"
    version.refresh_from_db()
    assert version.approved_by == "staff:ines"
    assert version.in_force_from is not None
    assert in_force(promotion) == on_show(promotion) == version


@pytest.mark.clause("nsw-promo-2019:15.9.1")
def test_2019_a_rejected_amendment_never_is_in_force_and_stays_on_record():
    promotion = at.running(edition="2019")
    amend(awarded_where="Level 2")
    reject(proposal_id=Proposal.objects.get().pk, by=at.inspector(), comment="No.")
    assert in_force(promotion).number == 1
    assert promotion.versions.count() == 2
    assert amend(awarded_where="Level 3").number == 3


@pytest.mark.clause("nsw-promo-2019:15.9.1")
def test_2019_of_two_amendments_waiting_the_second_is_stale_once_the_first_is_in_force():
    promotion = at.running(edition="2019")
    amend(awarded_where="Level 2")
    amend(awarded_where="Level 3")
    one, two = Proposal.objects.order_by("id")
    assert approve(proposal_id=one.pk, by=at.inspector()).status == "effective"
    assert approve(proposal_id=two.pk, by=at.inspector()).status == "stale"
    assert in_force(promotion).data["awarded_where"] == "Level 2"


@pytest.mark.parametrize("edition", ["2019", "2025"])
def test_an_amendment_has_to_be_complete_allowed_and_a_change(edition):
    at.running(edition=edition)
    refused(lambda: amend(place="The casino"), code="nothing-changes")
    refused(lambda: amend(place=None), code="terms-incomplete")
    refused(lambda: amend(prizes=[at.prize(contains=["tobacco"])]), code="prohibited-prize")
    refused(
        lambda: amend_promotion(code="SPRING", changes={"place": "B"}, why="", by=at.manager()), code="reason-missing"
    )
    refused(lambda: amend(by=at.actor("staff:sue", "supervisor"), place="B"), Forbidden)


def test_what_has_happened_is_not_amended():
    promotion = at.running(edition="2025")
    earlier = (at.began(promotion) - timedelta(hours=1)).isoformat()
    refused(lambda: amend(starts_at=earlier), code="start-stands")
    now = database_time()
    refused(lambda: amend(entries_close_at=(now - timedelta(seconds=1)).isoformat()), code="close-stands")
    sooner = now + timedelta(hours=2)
    amend(entries_close_at=sooner.isoformat())
    promotion.refresh_from_db()
    assert promotion.closes_at == sooner


def test_a_draft_is_edited_and_a_closed_promotion_keeps_its_close():
    at.drafted()
    refused(lambda: amend(place="B"), Conflict, code="promotion-draft", clause="nsw-promo-2025:17.12.1")
    Promotion.objects.all()
    at.running("AUTUMN")
    at.due("AUTUMN")
    close(code="AUTUMN")
    later = (database_time() + timedelta(hours=1)).isoformat()
    refused(
        lambda: amend_promotion(code="AUTUMN", changes={"entries_close_at": later}, why="More time.", by=at.manager()),
        code="close-stands",
    )
