"""The code with which an inspectors' authority lets one of its own in, or takes him back. Pure.

    mhi1.<what it says>.<signature>

Both parts are URL-safe base64 without padding. What it says is JSON: ``what`` ("enrol" or "withdraw"), ``venue``,
``username``, ``name``, ``until`` (a date), ``nonce``. The signature is Ed25519 over ``SIGNED`` and the bytes of the
first part as written. Anybody can make one who has the authority's private key, with any tool that signs.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import asdict, dataclass
from datetime import date
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

PREFIX: Final = "mhi1"
SIGNED: Final = b"meterhouse inspector code v1\n"
ENROL, WITHDRAW = "enrol", "withdraw"


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectorCode:
    what: str
    venue: str
    username: str
    name: str
    until: str
    nonce: str


def make(code: InspectorCode, *, key: Ed25519PrivateKey) -> str:
    said = _encoded(json.dumps(asdict(code), sort_keys=True).encode())
    return f"{PREFIX}.{said}.{_encoded(key.sign(SIGNED + said.encode()))}"


def read(text: str, *, public_key: str) -> InspectorCode | None:
    """What it says, if this authority signed it; None for anything else."""
    prefix, _, rest = text.strip().partition(".")
    said, _, signature = rest.partition(".")
    if prefix != PREFIX or not said.isascii():
        return None
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(
            _decoded(signature), SIGNED + said.encode()
        )
        found = json.loads(_decoded(said))
        code = InspectorCode(**found)
        date.fromisoformat(code.until)
    except (InvalidSignature, ValueError, TypeError, binascii.Error):
        return None
    return code if all(isinstance(each, str) for each in asdict(code).values()) else None


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
