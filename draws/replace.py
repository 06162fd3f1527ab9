"""Ways on while the witness is away: an inspector throws dice, or names a public round that is still to come.

Never from the house's master alone. Only after the set is sealed and the question is logged, only while it has no
answer; marked for ever. An answer that comes later is logged and shown, and changes nothing any more.
"""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from chance import beacon, two_party
from chance.two_party import How
from draws.acts import AnswerReplaced, RoundNamed
from draws.beacon import can_fetch
from draws.models import Commitment, Replacement
from house.approvals.authority import refuse_unless_inspector
from house.log import record_act
from kernel.actors import Actor
from kernel.locks import Lock, hold
from kernel.refusal import Conflict, Refusal
from ledger.asked import find

LATEST_SECONDS: Final = 24 * 3600  # how far away a named round may be


@transaction.atomic
def throw_dice(commitment: Commitment, *, occasion: str, attempt: int, dice: str, why: str, by: Actor) -> Replacement:
    """The inspector's own throws in the place of the witness's answer."""
    refuse_unless_inspector(by)
    throws = "".join(dice.split())
    try:
        said = two_party.dice(throws)
    except ValueError as wrong:
        raise Refusal("dice-wrong", str(wrong), field="dice") from None
    _require_waiting(commitment, occasion=occasion, attempt=attempt, why=why)
    made = Replacement.objects.create(
        purpose=commitment.purpose,
        occasion=occasion,
        attempt=attempt,
        how=How.DICE.value,
        said=said,
        why=why.strip(),
        by=by.identity,
        at=timezone.now(),
    )
    record_act(
        AnswerReplaced(
            venue=commitment.venue,
            purpose=commitment.purpose,
            occasion=occasion,
            attempt=attempt,
            how=made.how,
            said=said,
            why=made.why,
            at=int(made.at.timestamp()),
            dice=throws,
        ),
        by=by,
    )
    return made


def first_round() -> int:
    """The first that may be named now."""
    return beacon.first_after(int(timezone.now().timestamp()) + beacon.DELAY_LEAST_SECONDS)


@transaction.atomic
def name_round(commitment: Commitment, *, occasion: str, attempt: int, round: int, why: str, by: Actor) -> Replacement:
    """A round of drand's that is still to come, in the place of the witness's answer. It is put there when it comes."""
    refuse_unless_inspector(by)
    if not can_fetch():
        raise Conflict("no-beacon", "This house has no relay of drand (BEACON_URL), or no drand-verify: throw dice.")
    now, first = timezone.now(), first_round()
    last = beacon.first_after(int(now.timestamp()) + LATEST_SECONDS)
    if not first <= round <= last:
        raise Refusal("round-wrong", f"Name a round that is still to come, from {first} to {last}.", field="round")
    _require_waiting(commitment, occasion=occasion, attempt=attempt, why=why)
    made = Replacement.objects.create(
        purpose=commitment.purpose,
        occasion=occasion,
        attempt=attempt,
        how=How.BEACON.value,
        round=round,
        why=why.strip(),
        by=by.identity,
        at=now,
    )
    record_act(
        RoundNamed(
            venue=commitment.venue,
            purpose=commitment.purpose,
            occasion=occasion,
            attempt=attempt,
            round=round,
            why=made.why,
            at=int(now.timestamp()),
        ),
        by=by,
    )
    return made


def _require_waiting(commitment: Commitment, *, occasion: str, attempt: int, why: str) -> None:
    """Asked, and not answered. Holds off an answer that arrives at this moment."""
    if not why.strip():
        raise Refusal("reason-missing", "Say why, in a sentence: it stays on record.", field="why")
    hold(Lock.WITNESS)
    question = find(venue=commitment.venue, purpose=commitment.purpose, occasion=occasion, attempt=attempt)
    if question is None:
        raise Conflict("not-asked", f"The witness has not been asked about {commitment.purpose} {occasion} yet.")
    if question.answer is not None:
        raise Conflict("answered", f"The witness has answered: {commitment.purpose} {occasion} is drawn by its answer.")
    if Replacement.objects.filter(purpose=commitment.purpose, occasion=occasion, attempt=attempt).exists():
        raise Conflict("replaced-already", "Something stands in the place of the answer already.")
