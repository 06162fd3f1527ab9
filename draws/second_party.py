"""Who the second party is, whether it has seen a row of ours, and what it says to a question.

The one place where draws turn to the witness: nothing else in the house makes the second party's part.
"""

from __future__ import annotations

from hashlib import sha256

from draws.models import Commitment
from kernel.actors import Actor
from kernel.refusal import Conflict
from ledger import ask as questions
from ledger import witnesses
from ledger.acts import WitnessKeys
from ledger.cosign import is_cosigned


def in_force() -> WitnessKeys:
    """The witness that what opens now is drawn with."""
    witness = witnesses.current()
    if witness is None:
        raise Conflict("no-witness", "The log names no witness: nothing can be promised that needs one.")
    return witness


def serving(commitment: Commitment) -> WitnessKeys:
    """The witness that this promise names, whoever is in force by now."""
    return next(keys for keys in witnesses.all_named() if key_hash(keys) == bytes(commitment.witness_key))


def key_hash(witness: WitnessKeys) -> bytes:
    return sha256(witness.rsa).digest()


def has_seen(*, act: int) -> bool:
    """Whether the row stands under a head that the witness has cosigned."""
    return is_cosigned(act=act)


def ask(commitment: Commitment, *, occasion: str, attempt: int, by: Actor) -> questions.Answer | None:
    """Seal, log the question, send it. None: the witness is away, and the same question is sent again later."""
    return questions.ask(
        venue=commitment.venue,
        purpose=commitment.purpose,
        occasion=occasion,
        attempt=attempt,
        by=by,
        opened_act=commitment.act,
    )
