"""A master at rest: AES-256-GCM under a key of this installation, bound to its promise.

The nonce is random, which is sound for 2^32 masters under one key (NIST SP 800-38D, 8.3): a game a second for 136
years.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from chance.two_party import Promise
from kernel import keys, promises
from kernel.promises import MASTER_TAG

_NONCE_SIZE: Final = 12


class MasterLost(Exception):
    """The master does not open: it was altered, or encrypted under another key. An inspector can give it back."""


def encrypt(master: bytes, promise: Promise) -> bytes:
    nonce = secrets.token_bytes(_NONCE_SIZE)
    return nonce + _cipher().encrypt(nonce, master, bound_to(promise))


def decrypt(encrypted: bytes, promise: Promise) -> bytes:
    try:
        return _cipher().decrypt(encrypted[:_NONCE_SIZE], encrypted[_NONCE_SIZE:], bound_to(promise))
    except (InvalidTag, ValueError):  # altered, or cut off
        raise MasterLost(
            f"The master of {promise.purpose} {promise.name} does not open: it was altered, or encrypted under another "
            "key. An inspector can give it back from escrow."
        ) from None


def bound_to(promise: Promise) -> bytes:
    """So that one promise's master is never taken for another's, at rest or in escrow."""
    return promises.bound_to(
        venue=promise.venue,
        purpose=promise.purpose,
        name=promise.name,
        device=promise.device,
        witness_key=promise.witness_key,
        beacon=promise.beacon,
    )


def _cipher() -> AESGCM:
    return AESGCM(sha256(f"{MASTER_TAG}:{keys.secret('draw-masters')}".encode()).digest())
