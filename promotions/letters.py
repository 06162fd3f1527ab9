"""The letter to a person whose claim was denied: the reasons (17.9, 15.10) and the right to complain (17.10, 15.11)."""

from __future__ import annotations

from house.times import for_people
from house.venue import venue
from promotions import prize_steps as steps
from promotions.claims import find_claim
from promotions.models import Claim
from promotions.rules.claims import right_to_complain
from promotions.versions import edition_of
from web.letters import letter


def paragraphs(claim: Claim) -> list[str]:
    """The letter in plain words; a paragraph each."""
    promotion = claim.promotion
    assert claim.decided_at is not None
    return [
        venue().name,
        "\n".join(part for part in (claim.name, claim.address) if part),
        f"Promotion {promotion.code}, “{promotion.title}”: claim {claim.pk}",
        f"You claimed “{claim.what}”, valued ${claim.value}. We decided on {for_people(claim.decided_at)} that this "
        "prize is not awarded to you, for the following reasons:",
        claim.reasons,
        right_to_complain(edition_of(promotion)),
    ]


def denial_letter(claim_id: int) -> bytes:
    """The letter as a PDF."""
    claim = find_claim(claim_id)
    steps.must_be_denied(claim)
    return letter(f"Claim {claim.pk}", paragraphs(claim), headings=(0, 2))
