"""Letters of the authority: put on record by one person, confirmed by another, countersigned by an inspector.

Two people of the house can invent a letter. So what is in force by one is marked as such, in the answers, on the pages
and in the log, until an inspector says in his own name that it is right; or that it is not, which is an incident.
"""

from __future__ import annotations

import hashlib
from datetime import date

from django.db import IntegrityError, transaction
from django.utils import timezone

from house.approval_acts import LetterConfirmed, LetterCountersigned, LetterDisputed, LetterRecorded
from house.approvals import steps
from house.approvals.decide import approved, lock, put_in_force_if_due
from house.approvals.discard import about, set_aside
from house.approvals.documents import SUFFIXES, read_document
from house.approvals.effect import fail
from house.incident_kinds import LETTER_DISPUTED
from house.incidents import open_incident
from house.log import record_act
from house.models import Letter, LetterStatus, Proposal, ProposalStatus
from house.venue import zone
from kernel.actors import Actor
from kernel.refusal import Conflict, Refusal
from web.files import FileAnswer


@transaction.atomic
def record_letter(
    *, proposal_id: int, signed_by: str, office: str, reference: str, dated: date, document: bytes, by: Actor
) -> Letter:
    """Put the authority's letter on record. Nothing is approved by it before another person has confirmed it."""
    proposal = lock(proposal_id)
    steps.refuse_letter(proposal, by)
    given = {"signed_by": signed_by.strip(), "office": office.strip(), "reference": reference.strip()}
    if missing := [name for name, text in given.items() if not text]:
        raise Refusal("letter-incomplete", "Say who signed it, of which office, and its reference.", field=missing[0])
    if dated > timezone.localdate(timezone=zone()):
        raise Refusal("dated-in-future", "A letter is not dated later than today.", field="dated")
    paper = read_document(document)
    try:
        with transaction.atomic():
            letter = Letter.objects.create(
                proposal=proposal,
                authority=proposal.authority,
                dated=dated,
                document=paper.content,
                media_type=paper.media_type,
                sha256=paper.sha256,
                recorded_by=by.identity,
                recorded_at=timezone.now(),
                **given,
            )
    except IntegrityError as fault:
        if "house_letter_document_once" in str(fault) or "house_letter_reference_once" in str(fault):
            raise Conflict(
                "letter-used",
                "This document or this reference is on record for a proposal already: a letter approves one.",
                field="document" if "document_once" in str(fault) else "reference",
            ) from None
        raise
    record_act(LetterRecorded(dated=dated.isoformat(), **about(letter)), by=by)
    return letter


@transaction.atomic
def confirm_letter(*, proposal_id: int, sha256: str, by: Actor, comment: str = "") -> Proposal:
    """Confirm the letter that another person put on record: with it the proposal is approved, by letter.

    *sha256* is of the document that the confirming person has read.
    """
    proposal = lock(proposal_id)
    letter = steps.letter_of(proposal)
    steps.refuse_confirmation(proposal, letter, by)
    assert letter is not None
    if sha256.strip().lower() != letter.sha256 or not is_unchanged(letter):
        raise Conflict("document-differs", "The document on record is another one than you have read.", field="sha256")
    letter.status, letter.confirmed_by, letter.confirmed_at = LetterStatus.CONFIRMED, by.identity, timezone.now()
    letter.save(update_fields=["status", "confirmed_by", "confirmed_at"])
    record_act(LetterConfirmed(recorded_by=letter.recorded_by, **about(letter)), by=by)
    approved(proposal, by=by, comment=comment, letter=letter)
    return put_in_force_if_due(proposal, by=by)


@transaction.atomic
def discard_letter(*, proposal_id: int, comment: str, by: Actor) -> Letter:
    """Take a letter off the proposal before it is confirmed: recorded wrongly, or not to be trusted. It is kept."""
    proposal = lock(proposal_id)
    letter = steps.letter_of(proposal)
    steps.refuse_discarding(proposal, letter, by)
    assert letter is not None
    if not comment.strip():
        raise Refusal("reason-missing", "Say why, in a sentence: it stays on record.", field="comment")
    set_aside(letter, comment=comment, by=by)
    return letter


@transaction.atomic
def countersign(*, proposal_id: int, by: Actor, comment: str = "") -> Proposal:
    """An inspector says in his own name that the letter is the authority's."""
    proposal, letter = _to_answer(proposal_id, by)
    _answer(letter, LetterStatus.COUNTERSIGNED, comment=comment, by=by)
    record_act(LetterCountersigned(comment=letter.comment, **about(letter)), by=by)
    return proposal


@transaction.atomic
def dispute(*, proposal_id: int, comment: str, by: Actor) -> Proposal:
    """An inspector says that the letter is not the authority's. What it has not put in force yet, it never will."""
    proposal, letter = _to_answer(proposal_id, by)
    if not comment.strip():
        raise Refusal("reason-missing", "Say what is wrong with it: it stays on record.", field="comment")
    _answer(letter, LetterStatus.DISPUTED, comment=comment, by=by)
    incident = open_incident(
        kind=LETTER_DISPUTED,
        what=f"Proposal {proposal.pk} was approved by letter {letter.reference} of {letter.office}, which is disputed: "
        f"{letter.comment}",
        subject=f"proposal:{proposal.pk}",
        by=by,
    )
    record_act(LetterDisputed(comment=letter.comment, incident=incident.pk, **about(letter)), by=by)
    if proposal.status == ProposalStatus.APPROVED:
        fail(proposal, outcome="The authority disputes the letter.", by=by)
    return proposal


def as_file(letter: Letter) -> FileAnswer:
    """The document as a file to keep, under the type that its content has; never another one than was recorded."""
    if not is_unchanged(letter):
        raise Conflict("document-differs", "The document on record is not the one that was put there.")
    return FileAnswer(letter.media_type, bytes(letter.document), f"letter-{letter.pk}.{SUFFIXES[letter.media_type]}")


def is_unchanged(letter: Letter) -> bool:
    return hashlib.sha256(letter.document).hexdigest() == letter.sha256


def _to_answer(proposal_id: int, by: Actor) -> tuple[Proposal, Letter]:
    proposal = lock(proposal_id)
    letter = steps.letter_of(proposal)
    steps.refuse_answer(proposal, letter, by)
    assert letter is not None
    return proposal, letter


def _answer(letter: Letter, status: LetterStatus, *, comment: str, by: Actor) -> None:
    letter.status, letter.comment = status, comment.strip()
    letter.answered_by, letter.answered_at = by.identity, timezone.now()
    letter.save(update_fields=["status", "comment", "answered_by", "answered_at"])
