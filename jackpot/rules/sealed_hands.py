"""A hand that won is sealed into the log when the round ends, and shown there when it is verified or denied.

Whoever verifies a hit enters what he sees, unseen by him what the table sent; the log is read by many. So it holds a
hash over the hand and a salt of its own; the salt comes with the hand. Pure.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from kernel.canonical import canonical


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOnBox:
    """What lay on a box: in the open, or sealed where it won something that somebody has yet to verify."""

    box: int
    declared: bool
    pieces: tuple[str, ...] | None
    sealed: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandShown:
    """A sealed hand, opened: cards or tiles in their order, and the salt."""

    box: int
    pieces: tuple[str, ...]
    salt: bytes


def salt_of(secret: bytes, box: int) -> bytes:
    """Each box's own: one that is shown opens no other."""
    return hmac.digest(secret, f"box {box}".encode(), "sha256")


def seal_of(*, round_id: int, box: int, pieces: Sequence[str], salt: bytes) -> bytes:
    named = {"round": round_id, "box": box, "pieces": sorted(pieces), "salt": salt.hex()}
    return sha256(b"meterhouse jackpot hand\n" + canonical(named)).digest()
