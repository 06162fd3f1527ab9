"""Feed documents carry the house's signature, so that a display controller can trust them whoever brings them.

Signed with a key of its own, which seals nothing: its public half is at /signage/key.json and, announced and sealed, in
the log. What is signed is the prefix of this purpose and then the body, byte for byte.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from typing import Final

from ledger.keys import SigningKey, signing

FEED: Final = b"meterhouse/feed/v1\n"
HEADER: Final = "Meterhouse-Signature"


@cache
def signing_key() -> SigningKey:
    return signing("feed")


def signature_of(body: bytes) -> str:
    """``keyid="fingerprint", alg="ed25519", sig="base64"``."""
    key = signing_key()
    signed = b64encode(key.sign(FEED, body)).decode()
    return f'keyid="{key.fingerprint}", alg="ed25519", sig="{signed}"'
