"""Sealing the set, asking the witness, and what was said: the two parts from which the numbers come.

    seal_set(commitment, occasion="1042", root=…, count=…, by=…)    # in the room's transaction, once
    said = ask(commitment, occasion="1042", attempt=1, by=…)        # outside of transactions; None: still waiting
    numbers(commitment, said, pool=80, count=20)
    void_attempt(commitment, occasion="1042", attempt=1, cause=…, numbers=…, by=…)  # two people and the inspector

An attempt has begun when it was asked about (``is_asked``): the room locks the occasion before that, so that whoever
could know the numbers cannot take a stake back. What was said never changes; the witness's answer is one of a kind.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from chance.two_party import Said
from draws import beacon, second_party
from draws.models import Commitment
from draws.said import Attempt, is_asked, numbers, said_at, said_to, source
from house.log import record_act
from kernel.actors import Actor
from kernel.refusal import Busy, Conflict
from ledger.acts import AttemptVoid, OccasionSealed

PAUSE_SECONDS: Final = 0.02

__all__ = ["ask", "ask_patiently", "is_asked", "numbers", "said_at", "said_to", "seal_set", "source", "void_attempt"]


def seal_set(commitment: Commitment, *, occasion: str, root: bytes, count: int, by: Actor) -> int:
    """The Merkle root over tickets, entries or contributions: an act of its own, once, and it never changes."""
    return record_act(
        OccasionSealed(venue=commitment.venue, purpose=commitment.purpose, occasion=occasion, root=root, count=count),
        by=by,
    )


def ask(commitment: Commitment, *, occasion: str, attempt: int, by: Actor, locked_by: int | None = None) -> Said | None:
    """What the second party says to this attempt; asked where it was not asked yet. None: it is away, or the beacon's
    round is still to come: whoever goes on asks again.

    *locked_by*: the room's act by which nothing that decides the draw could change any more; it is under the head that
    the witness signs.
    """
    of: Attempt = {"occasion": occasion, "attempt": attempt}
    asked = is_asked(commitment, **of)
    if asked and (known := said_to(commitment, **of)) is not None:
        return known
    is_said = asked and said_at(commitment, **of)
    if not is_said and second_party.ask(commitment, **of, by=by, locked_by=locked_by) is None:
        return None
    if not beacon.hear(commitment, **of, by=by):
        return None
    return said_to(commitment, **of)


def ask_patiently(
    commitment: Commitment,
    *,
    occasion: str,
    attempt: int,
    by: Actor,
    seconds: float,
    locked_by: int | None = None,
) -> Said | None:
    """Ask, again for so long as what was done before is not all sealed: others' transactions are under way. Busy."""
    until = time.monotonic() + seconds
    while True:
        try:
            return ask(commitment, occasion=occasion, attempt=attempt, by=by, locked_by=locked_by)
        except Busy:
            if time.monotonic() > until:
                raise
            time.sleep(PAUSE_SECONDS)


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
