"""Feed documents carry the house's signature, so that a display controller can trust them whoever brings them.

Signed with the key that seals the log: whoever holds an export, or /signage/key.json, has its public half. What is
signed is the prefix of this purpose and then the body, byte for byte.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Final

from ledger.keys import KeyMissing, SealingKey
from ledger.seal import key_after, last_seal, seal

FEED: Final = b"meterhouse/feed/v1\n"
HEADER: Final = "Meterhouse-Signature"


def signing_key() -> SealingKey | None:
    """The key that signs now. None before anything was ever done here, or on a machine that does not hold it."""
    last = last_seal() or seal()
    if last is None:
        return None
    try:
        return key_after(last)
    except KeyMissing:
        return None


def signature_of(body: bytes) -> str | None:
    """``keyid="fingerprint", alg="ed25519", sig="base64"``."""
    key = signing_key()
    if key is None:
        return None
    signed = b64encode(key.sign(FEED, body)).decode()
    return f'keyid="{key.fingerprint}", alg="ed25519", sig="{signed}"'
