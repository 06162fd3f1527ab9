"""What a promise of a draw says, as bytes: the house commits to it, and the master in escrow is bound to it. Pure."""

from __future__ import annotations

from typing import Final

from kernel.packing import pack

COMMITMENT_TAG: Final = "meterhouse/commitment/2"
MASTER_TAG: Final = "meterhouse/master/2"
FIELDS: Final = ("venue", "purpose", "name", "device", "witness_key", "beacon")  # in the order of packing


def bound_to(*, venue: str, purpose: str, name: str, device: str, witness_key: bytes, beacon: str) -> bytes:
    """So that one promise's master is never taken for another's, at rest or in escrow."""
    return pack(MASTER_TAG, venue, purpose, name, device, witness_key, beacon)
