"""The published proof of an attempt, once its master is revealed (``chance/draw_proof.py``, docs/proof/draws.md)."""

from __future__ import annotations

from collections.abc import Sequence

from chance import draw_proof, two_party
from draws import second_party
from draws.models import Commitment
from draws.said import said_at, said_to


def proof_of(
    commitment: Commitment, *, occasion: str, attempt: int, pool: int, numbers: Sequence[int]
) -> dict[str, object] | None:
    """Everything a stranger needs to compute the numbers of this attempt himself. A void one has its proof, too.

    What is published is what is on record, the commitment and the *numbers*: were they ever not to fit, everybody shall
    see it fail. None before the master is revealed, and where nothing was said or no number came of it.
    """
    if commitment.master is None or not numbers:
        return None
    said = said_to(commitment, occasion=occasion, attempt=attempt)
    if said is None:
        return None
    promise, master = commitment.promise, bytes(commitment.master)
    made = draw_proof.make(
        promise=promise,
        commitment=two_party.commitment(master, promise),
        master=master,
        said=said,
        said_at=said_at(commitment, occasion=occasion, attempt=attempt),
        witness=commitment.witness,
        rsa=second_party.serving(commitment).rsa,
        pool=pool,
        count=len(numbers),
    )
    return {**made, "commitment": bytes(commitment.commitment).hex(), "numbers": list(numbers)}
