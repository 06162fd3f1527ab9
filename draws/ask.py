"""Sealing the set, asking the witness, and what was said: the two parts from which the numbers come.

    seal_set(commitment, occasion="1042", root=…, count=…, by=…)    # in the room's transaction, once
    said = ask(commitment, occasion="1042", attempt=1, by=…)        # outside of transactions; None: still waiting
    numbers(commitment, said, pool=80, count=20)
    void_attempt(commitment, occasion="1042", attempt=1, cause=…, numbers=…, by=…)  # two people and the inspector

An attempt has begun when it was asked about (``is_asked``): the room locks the occasion before that, so that whoever
could know the numbers cannot take a stake back. What was said never changes; the witness's answer is one of a kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chance import two_party
from chance.select import Source
from chance.two_party import How, Said
from draws import second_party
from draws.commit import master_of
from draws.models import BeaconRound, Commitment, Replacement
from house.log import record_act
from kernel.actors import Actor
from kernel.refusal import Conflict
from ledger import ask as questions
from ledger.acts import AttemptVoid, OccasionSealed
from ledger.answers import asked_of
from ledger.models import Question


def seal_set(commitment: Commitment, *, occasion: str, root: bytes, count: int, by: Actor) -> int:
    """The Merkle root over tickets, entries or contributions: an act of its own, once, and it never changes."""
    return record_act(
        OccasionSealed(venue=commitment.venue, purpose=commitment.purpose, occasion=occasion, root=root, count=count),
        by=by,
    )


def ask(commitment: Commitment, *, occasion: str, attempt: int, by: Actor) -> Said | None:
    """What the second party says to this attempt; asked where it was not asked yet. None: it is away."""
    known = said_to(commitment, occasion=occasion, attempt=attempt)
    if known is not None:
        return known
    if second_party.ask(commitment, occasion=occasion, attempt=attempt, by=by) is None:
        return None
    return said_to(commitment, occasion=occasion, attempt=attempt)


def is_asked(commitment: Commitment, *, occasion: str, attempt: int) -> bool:
    """Whether the attempt has begun: its question stands in the log."""
    return _question(commitment, occasion=occasion, attempt=attempt) is not None


def said_to(commitment: Commitment, *, occasion: str, attempt: int) -> Said | None:
    """What was said to this attempt, if it was said: by the witness, or in its place."""
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
    return Said(question=asked_of(question), how=How.WITNESS, said=bytes(question.answer), beacon=beacon)


def said_at(commitment: Commitment, *, occasion: str, attempt: int) -> int:
    """The second of it since 1970, which a beacon's round follows: by the witness's clock, or, in its place, by ours at
    the inspector's act. 0: nothing was said yet."""
    replaced = Replacement.objects.filter(purpose=commitment.purpose, occasion=occasion, attempt=attempt).first()
    if replaced is not None:
        return int(replaced.at.timestamp())
    question = _question(commitment, occasion=occasion, attempt=attempt)
    return question.answered_at or 0 if question is not None else 0


def source(commitment: Commitment, said: Said) -> Source:
    """The generator of the attempt. Raises MasterLost."""
    return two_party.source(master_of(commitment), said)


def numbers(commitment: Commitment, said: Said, *, pool: int, count: int, recorded: Sequence[int] = ()) -> list[int]:
    """The attempt's numbers in the order drawn. Raises MasterLost, and RecordDiffers where *recorded* are others."""
    return two_party.numbers(master_of(commitment), said, pool=pool, count=count, recorded=recorded)


def void_attempt(
    commitment: Commitment, *, occasion: str, attempt: int, cause: str, numbers: Sequence[int], by: Actor
) -> int:
    """The attempt does not count. What it would have given is published with it, so it is known first.

    The room asks for two people and the inspector before it calls this.
    """
    if said_to(commitment, occasion=occasion, attempt=attempt) is None:
        raise Conflict(
            "not-answered-yet",
            f"Attempt {attempt} at {commitment.purpose} {occasion} has no answer yet: what it would give cannot be "
            "published, so it cannot be void. It is asked again until it is answered.",
        )
    return record_act(
        AttemptVoid(
            venue=commitment.venue,
            purpose=commitment.purpose,
            occasion=occasion,
            attempt=attempt,
            cause=cause,
            numbers=list(numbers),
        ),
        by=by,
    )


def _question(commitment: Commitment, *, occasion: str, attempt: int) -> Question | None:
    return questions.find(venue=commitment.venue, purpose=commitment.purpose, occasion=occasion, attempt=attempt)
