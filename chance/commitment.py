"""What is promised before a draw, and what the draw is bound to.

A seed is 32 bytes from the operating system, new for every attempt. Its commitment is published when the game opens;
the seed itself at settlement. Every hash here begins with a tag of its own, so a commitment tells nothing about an
outcome and the commitment of one game cannot serve another.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from kernel.packing import pack

SEED_SIZE: Final = 32
HASH_SIZE: Final = 32
NONCE_SIZE: Final = 16

COMMITMENT_TAG: Final = "meterhouse/commitment/1"
NONCE_TAG: Final = "meterhouse/nonce/1"
DRAW_TAG: Final = "meterhouse/draw/1"

MAX_NAME: Final = 200
MAX_COUNT: Final = (1 << 63) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """One attempt at one draw: ``("keno", "1042", 1)``. A void attempt is followed by another, with its own seed."""

    purpose: str
    game: str
    attempt: int

    def __post_init__(self) -> None:
        for what, name in (("purpose", self.purpose), ("game", self.game)):
            if not (isinstance(name, str) and 0 < len(name) <= MAX_NAME and name.isascii() and name.isprintable()):
                raise ValueError(f"The {what} of a draw is 1 to {MAX_NAME} printable ASCII characters.")
        if type(self.attempt) is not int or not 1 <= self.attempt <= MAX_COUNT:
            raise ValueError("Attempts at a draw are counted 1, 2, 3 and so on.")


def new_seed() -> bytes:
    """From the operating system, every time: no state of ours that a restart or a fork could repeat."""
    return secrets.token_bytes(SEED_SIZE)


def _seed(seed: bytes) -> bytes:
    if len(seed) != SEED_SIZE:
        raise ValueError(f"A seed is {SEED_SIZE} bytes, not {len(seed)}.")
    return bytes(seed)


def commitment(seed: bytes, occasion: Occasion) -> bytes:
    """What is published when the game opens."""
    return sha256(pack(COMMITMENT_TAG, occasion.purpose, occasion.game, occasion.attempt, _seed(seed))).digest()


def verify_commitment(published: bytes, seed: bytes, occasion: Occasion) -> bool:
    return len(seed) == SEED_SIZE and hmac.compare_digest(published, commitment(seed, occasion))


def nonce(occasion: Occasion) -> bytes:
    """The generator's nonce: not secret, and repeating no more often than 128 random bits would (SP 800-90A, 8.6.7)."""
    return sha256(pack(NONCE_TAG, occasion.purpose, occasion.game, occasion.attempt)).digest()[:NONCE_SIZE]


def personalisation(occasion: Occasion, *, ticket_root: bytes, ticket_count: int) -> bytes:
    """What the numbers depend on besides the seed: the occasion and every entry in it.

    The count stands beside the root because the root of RFC 6962 does not say how many leaves it covers, and a
    promotion draws from exactly that many.
    """
    if len(ticket_root) != HASH_SIZE:
        raise ValueError(f"A ticket root is {HASH_SIZE} bytes, not {len(ticket_root)}.")
    if not 0 <= ticket_count <= MAX_COUNT:
        raise ValueError("The number of entries cannot be below zero.")
    return pack(DRAW_TAG, occasion.purpose, occasion.game, occasion.attempt, bytes(ticket_root), ticket_count)
