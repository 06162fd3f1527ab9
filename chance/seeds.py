"""A seed at rest: AES-256-GCM, bound to its game and attempt. The key is the caller's; nothing is kept here.

The 96-bit GCM nonce is random, which is sound for 2^32 seeds under one key (NIST SP 800-38D, 8.3): a game a second for
136 years.
"""

from __future__ import annotations

import secrets
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from chance.commitment import SEED_SIZE, Occasion
from kernel.packing import pack

SEED_TAG: Final = "meterhouse/seed/1"
KEY_SIZE: Final = 32
_NONCE_SIZE: Final = 12
_GCM_TAG_SIZE: Final = 16
ENCRYPTED_SIZE: Final = _NONCE_SIZE + SEED_SIZE + _GCM_TAG_SIZE


class SeedUnreadable(Exception):
    """The stored seed was altered, belongs to another draw, or was encrypted under another key."""


def _cipher(key: bytes) -> AESGCM:
    if len(key) != KEY_SIZE:
        raise ValueError(f"The seed key is {KEY_SIZE} bytes, not {len(key)}.")
    return AESGCM(key)


def _bound_to(occasion: Occasion) -> bytes:
    return pack(SEED_TAG, occasion.purpose, occasion.game, occasion.attempt)


def encrypt(*, key: bytes, seed: bytes, occasion: Occasion) -> bytes:
    """Nonce, ciphertext and tag, 60 bytes in all."""
    if len(seed) != SEED_SIZE:
        raise ValueError(f"A seed is {SEED_SIZE} bytes, not {len(seed)}.")
    nonce = secrets.token_bytes(_NONCE_SIZE)
    return nonce + _cipher(key).encrypt(nonce, seed, _bound_to(occasion))


def decrypt(*, key: bytes, encrypted: bytes, occasion: Occasion) -> bytes:
    cipher = _cipher(key)
    encrypted = bytes(encrypted)
    if len(encrypted) != ENCRYPTED_SIZE:
        raise SeedUnreadable(f"An encrypted seed is {ENCRYPTED_SIZE} bytes; {len(encrypted)} are stored.")
    try:
        return cipher.decrypt(encrypted[:_NONCE_SIZE], encrypted[_NONCE_SIZE:], _bound_to(occasion))
    except InvalidTag:
        raise SeedUnreadable(
            f"The seed of {occasion.purpose} {occasion.game}, attempt {occasion.attempt}, does not open: "
            "it was altered, belongs to another draw, or was encrypted under another key."
        ) from None
