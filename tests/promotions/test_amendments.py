"""Terms amended after the start: by the commission (2019), by a second person, re-submitted at once (2025)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from house.approvals import approve, describe, reject, withdraw
from house.models import Proposal
from kernel.actors import Actor
from kernel.refusal import Conflict, Forbidden
from ledger.models import Act
from promotions.amend import amend_promotion
from promotions.locks import database_time
from promotions.models import Promotion, Submission, TermsVersion
from promotions.run import close
from promotions.versions import on_show
from tests.world import promotions as at
from tests.world.approvals import decide
from tests.world.people import actor
from tests.world.promotions import in_force, refused

pytestmark = pytest.mark.django_db


def amend(by: Actor | None = None, **changes: Any) -> Any:
    return amend_promotion(code="SPRING", changes=changes, why="The stage is being rebuilt.", by=by or at.manager())


def seconded(**changes: Any) -> TermsVersion:
    """Amended as it must be: another person of the house approves (2025)."""
    version: TermsVersion = amend(**changes)
    proposal = Proposal.objects.latest("id")
    assert approve(proposal_id=proposal.pk, by=at.manager("max")).status == "effective"
    version.refresh_from_db()
    return version


@pytest.mark.clause("nsw-promo-2025:17.12.1")
def test_2025_an_amendment_is_re_submitted_at_once_and_in_force_by_a_second_person() -> None:
    promotion = at.running(edition="2025")
    first = TermsVersion.objects.get(number=1)
    version = amend(awarded_where="Level 2", prizes=[at.prize(), at.prize(name="Another", value="50.00")])
    assert version.number == 2
    sent = Submission.objects.latest("id")
    assert (sent.version, sent.reason, sent.at) == (version, "amended", version.submitted_at)
    assert in_force(promotion) == on_show(promotion) == first  # one person's word changes nothing
    proposal = Proposal.objects.get()
    assert (proposal.kind, proposal.authority, proposal.status) == ("promotions.amendment", "house", "proposed")
    refused(lambda: approve(proposal_id=proposal.pk, by=at.manager()), Forbidden, code="own-proposal")
    refused(lambda: approve(proposal_id=proposal.pk, by=actor("staff:sue", "supervisor")), Forbidden)
    refused(lambda: approve(proposal_id=proposal.pk, by=at.inspector()), Forbidden, code="not-the-inspectors")
    assert in_force(promotion) == first
    assert approve(proposal_id=proposal.pk, by=at.manager("max")).status == "effective"
    version.refresh_from_db()
    assert version.in_force_from is not None
    assert in_force(promotion) == on_show(promotion) == version
    assert [prize.name for prize in version.prizes.all()] == ["Two thousand dollars", "Another"]
    act = Act.objects.get(kind="promotion.amended")
    assert (act.data["version"], act.data["terms"]["awarded_where"], act.actor) == (2, "Level 2", "staff:max")
    assert first.data["awarded_where"] == "Main stage"  # kept as it was
    assert in_force(promotion, at=version.in_force_from - timedelta(seconds=1)) == first


def test_what_players_lose_by_an_amendment_is_said_first() -> None:
    at.running(edition="2025")
    amend(prizes=[at.prize(value="1.00")], place="The annex")
    said = describe(Proposal.objects.get())
    lost, changed = (
        said.index("Players lose by it: “Two thousand dollars” is worth $1.00 instead"),
        said.index("Place was"),
    )
    assert lost < changed
    assert "“The casino”; it is “The annex”" in said


@pytest.mark.clause("nsw-promo-2019:15.9.1")
def test_2019_an_amendment_is_in_force_only_once_the_authority_approves() -> None:
    promotion = at.running(edition="2019")
    version = amend(awarded_where="Level 2")
    first = TermsVersion.objects.get(number=1)
    assert version.in_force_from is None
    assert in_force(promotion) == on_show(promotion) == first  # players still see what is in force
    assert Submission.objects.latest("id").reason == "for-approval"
    proposal = Proposal.objects.get()
    assert (proposal.kind, proposal.subject, proposal.status) == ("promotions.amendment", "SPRING", "proposed")
    for nobody in (at.manager("max"), at.inspector()):  # the commission is neither
        for verb in (approve, reject):
            with pytest.raises(Forbidden) as refusal:
                verb(proposal_id=proposal.pk, by=nobody)
            assert refusal.value.code == "needs-letter"
    assert decide(proposal).status == "effective"
    version.refresh_from_db()
    assert version.approved_by == "staff:notary"
    assert version.in_force_from is not None
    assert in_force(promotion) == on_show(promotion) == version


@pytest.mark.clause("nsw-promo-2019:15.9.1")
def test_2019_a_withdrawn_amendment_never_is_in_force_and_stays_on_record() -> None:
    promotion = at.running(edition="2019")
    amend(awarded_where="Level 2")
    withdraw(proposal_id=Proposal.objects.get().pk, by=at.manager(), comment="The commission refused it.")
    assert in_force(promotion).number == 1
    assert promotion.versions.count() == 2
    assert amend(awarded_where="Level 3").number == 3


@pytest.mark.clause("nsw-promo-2019:15.9.1")
def test_2019_of_two_amendments_waiting_the_second_is_stale_once_the_first_is_in_force() -> None:
    promotion = at.running(edition="2019")
    amend(awarded_where="Level 2")
    amend(awarded_where="Level 3")
    one, two = Proposal.objects.order_by("id")
    assert decide(one).status == "effective"
    assert decide(two).status == "stale"
    assert in_force(promotion).data["awarded_where"] == "Level 2"


@pytest.mark.parametrize("edition", ["2019", "2025"])
def test_an_amendment_has_to_be_complete_allowed_and_a_change(edition: str) -> None:
    at.running(edition=edition)
    refused(lambda: amend(place="The casino"), code="nothing-changes")
    refused(lambda: amend(place=None), code="terms-incomplete")
    refused(lambda: amend(prizes=[at.prize(contains=["tobacco"])]), code="prohibited-prize")
    refused(
        lambda: amend_promotion(code="SPRING", changes={"place": "B"}, why="", by=at.manager()), code="reason-missing"
    )
    refused(lambda: amend(by=actor("staff:sue", "supervisor"), place="B"), Forbidden)


def test_what_has_happened_is_not_amended() -> None:
    promotion = at.running(edition="2025")
    earlier = (at.began(promotion) - timedelta(hours=1)).isoformat()
    refused(lambda: amend(starts_at=earlier), code="start-stands")
    now = database_time()
    refused(lambda: amend(entries_close_at=(now - timedelta(seconds=1)).isoformat()), code="close-stands")
    sooner = now + timedelta(hours=2)
    seconded(entries_close_at=sooner.isoformat())
    promotion.refresh_from_db()
    assert promotion.closes_at == sooner


def test_a_draft_is_edited_and_a_closed_promotion_keeps_its_close() -> None:
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
