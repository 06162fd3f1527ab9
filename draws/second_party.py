"""Who the second party is, whether it has seen a row of ours, and what it says to a question.

The one place where draws turn to the witness: nothing else in the house makes the second party's part.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from django.db import connection

from chance.two_party import Said
from draws.models import Commitment
from kernel import unique_signatures
from kernel.actors import Actor
from kernel.refusal import Busy, Conflict
from ledger import ask as questions
from ledger import witnesses
from ledger.acts import WitnessKeys
from ledger.asked import find
from ledger.cosign import cosign_now, is_cosigned
from ledger.proofs import is_sealed
from ledger.seal import seal_now

_known: dict[bytes, WitnessKeys] = {}


def in_force() -> WitnessKeys:
    """The witness that what opens now is drawn with."""
    witness = witnesses.current()
    if witness is None:
        raise Conflict("no-witness", "The log names no witness: nothing can be promised that needs one.")
    return witness


def serving(commitment: Commitment) -> WitnessKeys:
    """The witness that this promise names, whoever is in force by now."""
    named = bytes(commitment.witness_key)
    if named not in _known:  # by the hash of the key: what is kept of it never gets old
        _known.update((key_hash(keys), keys) for keys in witnesses.all_named())
    return _known[named]


def has_signed(commitment: Commitment, said: Said) -> bool:
    """Whether this is the one signature of the question, by the key that the promise names."""
    rsa = serving(commitment).rsa
    return unique_signatures.verify(rsa, said.question.message(), said.said)


def key_hash(witness: WitnessKeys) -> bytes:
    return sha256(witness.rsa).digest()


def has_seen(*, act: int) -> bool:
    """Whether the row stands under a head that the witness has cosigned."""
    return is_cosigned(act=act)


def show() -> bool:
    """Seal what there is and have the witness cosign it. False: inside a transaction, or it cannot be done now."""
    if connection.in_atomic_block or witnesses.state().trouble:
        return False
    try:
        seal_now()
    except Conflict:  # nobody seals at this moment
        return False
    return cosign_now()


def ask(
    commitment: Commitment, *, occasion: str, attempt: int, by: Actor, locked_by: int | None = None
) -> questions.Answer | None:
    """Seal, log the question, send it. None: the witness is away, and the same question is sent again later.

    *locked_by*: the row by which the room locked the occasion. The witness is asked under a head that contains it, and
    with it everything that was done before; Busy as long as there is none.
    """
    of: dict[str, Any] = {
        "venue": commitment.venue,
        "purpose": commitment.purpose,
        "occasion": occasion,
        "attempt": attempt,
    }
    if locked_by is not None and find(**of) is None:
        seal_now()
        if not is_sealed(locked_by):
            raise Busy("not-sealed-yet", "What the witness is asked about is not sealed yet: try again in a second.")
    return questions.ask(**of, by=by, opened_act=commitment.act)
