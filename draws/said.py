"""What was said to an attempt, by the witness or in its place, and the numbers that follow. It never changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

from chance import two_party
from chance.select import Source
from chance.two_party import How, Said
from draws import second_party
from draws.commit import master_of
from draws.models import BeaconRound, Commitment, Replacement
from kernel.refusal import Conflict
from ledger.asked import asked_of, find
from ledger.models import Question


class Attempt(TypedDict):
    occasion: str
    attempt: int


def is_asked(commitment: Commitment, *, occasion: str, attempt: int) -> bool:
    """Whether the attempt has begun: its question stands in the log."""
    return _question(commitment, occasion=occasion, attempt=attempt) is not None


def said_to(commitment: Commitment, *, occasion: str, attempt: int) -> Said | None:
    """What was said to this attempt, if it was said: by the witness, or in its place.

    A signature is checked whenever it is read: the row is the database's, whose writer is not trusted (decision 18).
    """
    question = _question(commitment, occasion=occasion, attempt=attempt)
    if question is None:
        return None
    of = {"purpose": commitment.purpose, "occasion": occasion, "attempt": attempt}
    beacon = b""
    if commitment.beacon:
        heard = BeaconRound.objects.filter(**of).first()
        if heard is None:
            return None
        beacon = two_party.beacon_round(heard.round, bytes(heard.signature))
    replaced = Replacement.objects.filter(**of).first()
    if replaced is not None:
        if replaced.said is None:
            return None  # its round is still to come
        asked = replace(
            asked_of(question), size=question.size, checkpoint_root=bytes(question.checkpoint_root)
        )  # as it was logged, whatever the witness answers later
        return Said(question=asked, how=How(replaced.how), said=bytes(replaced.said), beacon=beacon)
    if question.answer is None:
        return None
    said = Said(question=asked_of(question), how=How.WITNESS, said=bytes(question.answer), beacon=beacon)
    if not second_party.has_signed(commitment, said):
        raise Conflict(
            "answer-forged",
            f"What is on record as the witness's answer to attempt {attempt} of {commitment} is not its signature: "
            "somebody has written it into the database. Nothing is drawn from it.",
        )
    return said


def source(commitment: Commitment, said: Said) -> Source:
    """The generator of the attempt. Raises MasterLost."""
    return two_party.source(master_of(commitment), said)


def numbers(commitment: Commitment, said: Said, *, pool: int, count: int, recorded: Sequence[int] = ()) -> list[int]:
    """The attempt's numbers in the order drawn. Raises MasterLost, and RecordDiffers where *recorded* are others."""
    return two_party.numbers(master_of(commitment), said, pool=pool, count=count, recorded=recorded)


def said_at(commitment: Commitment, *, occasion: str, attempt: int) -> int:
    """The second of it since 1970, which a beacon's round follows: by the witness's clock, or, in its place, by ours at
    the inspector's act. 0: nothing was said yet."""
    replaced = Replacement.objects.filter(purpose=commitment.purpose, occasion=occasion, attempt=attempt).first()
    if replaced is not None:
        return int(replaced.at.timestamp())
    question = _question(commitment, occasion=occasion, attempt=attempt)
    return question.answered_at or 0 if question is not None else 0


def _question(commitment: Commitment, *, occasion: str, attempt: int) -> Question | None:
    return find(venue=commitment.venue, purpose=commitment.purpose, occasion=occasion, attempt=attempt)
