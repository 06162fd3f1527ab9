"""A letter that is not needed any more is discarded: recorded wrongly, or the authority decided by itself."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from house.approval_acts import LetterDiscarded
from house.log import record_act
from house.models import Letter, LetterStatus
from kernel.actors import Actor


def set_aside(letter: Letter, *, comment: str, by: Actor) -> None:
    """The row is held by the caller, through its proposal's."""
    letter.status, letter.comment = LetterStatus.DISCARDED, comment.strip()
    letter.discarded_by, letter.discarded_at = by.identity, timezone.now()
    letter.save(update_fields=["status", "comment", "discarded_by", "discarded_at"])
    record_act(LetterDiscarded(comment=letter.comment, **about(letter)), by=by)


def about(letter: Letter) -> dict[str, Any]:
    """What every act about a letter says of it."""
    return {
        "proposal": letter.proposal_id,
        "kind_": letter.proposal.kind,
        "about": letter.proposal.subject,
        "authority": letter.authority,
        "office": letter.office,
        "reference": letter.reference,
        "letter": letter.sha256,
    }
