"""The letter to a person whose claim was denied: the reasons (17.9, 15.10) and the right to complain (17.10, 15.11)."""

from __future__ import annotations

from io import BytesIO
from xml.sax.saxutils import escape

from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer

from house.times import for_people
from house.venue import venue
from promotions import prize_steps as steps
from promotions.claims import find_claim
from promotions.models import Claim
from promotions.rules.claims import right_to_complain
from promotions.versions import edition_of


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
    out = BytesIO()
    page = SimpleDocTemplate(
        out,
        pagesize=A4,
        title=f"Claim {claim.pk}",
        leftMargin=25 * mm,
        rightMargin=25 * mm,
        topMargin=25 * mm,
        bottomMargin=25 * mm,
        invariant=1,
    )
    styles = getSampleStyleSheet()
    flow: list[Flowable] = []
    for place, words in enumerate(paragraphs(claim)):
        style = styles["Heading2"] if place in (0, 2) else styles["BodyText"]
        flow += [Paragraph(escape(words).replace("\n", "<br/>"), style), Spacer(1, 4 * mm)]
    page.build(flow)
    return out.getvalue()
