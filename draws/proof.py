"""The published proof of an attempt, once its master is revealed (``chance/draw_proof.py``, docs/proof/draws.md)."""

from __future__ import annotations

from typing import Any

from chance import draw_proof
from draws import second_party
from draws.models import Commitment
from draws.said import said_at, said_to
from kernel.refusal import Conflict


def proof_of(commitment: Commitment, *, occasion: str, attempt: int, pool: int, count: int) -> dict[str, Any]:
    """Everything a stranger needs to compute the numbers of this attempt himself. A void one has its proof, too."""
    if commitment.master is None:
        raise Conflict("not-revealed", f"The master of {commitment} is not revealed yet: there is no proof before it.")
    said = said_to(commitment, occasion=occasion, attempt=attempt)
    if said is None:
        raise Conflict("not-answered-yet", f"Nothing was said yet to attempt {attempt} of {commitment}.")
    witness = second_party.serving(commitment)
    return draw_proof.make(
        promise=commitment.promise,
        commitment=bytes(commitment.commitment),
        master=bytes(commitment.master),
        said=said,
        said_at=said_at(commitment, occasion=occasion, attempt=attempt),
        witness=witness.name,
        rsa=witness.rsa,
        pool=pool,
        count=count,
    )
