"""What is signed, byte for byte. Pure, shared by the sealer and the offline verifier."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, Final

# Each purpose has its own prefix, so that a signature for one can never be shown as one for another.
SEAL: Final = b"meterhouse/seal/v1\n"
HAND_OVER: Final = b"meterhouse/hand-over/v1\n"
ACCEPTANCE: Final = b"meterhouse/acceptance/v1\n"
BEGIN: Final = b"meterhouse/export-begin/v1\n"
END: Final = b"meterhouse/export-end/v1\n"

NO_SEAL: Final = bytes(32)  # what the first seal is hashed onto


def canonical(value: Any) -> bytes:
    """One way to write a value: keys sorted, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def seal_statement(
    *, number: int, at: str, size: int, tx_upto: int, root: bytes, previous: bytes, key: str
) -> dict[str, Any]:
    return {
        "number": number,
        "at": at,
        "size": size,
        "tx_upto": tx_upto,
        "root": root.hex(),
        "previous": previous.hex(),
        "key": key,
    }


def seal_hash(statement: dict[str, Any]) -> bytes:
    return sha256(SEAL + canonical(statement)).digest()


def fingerprint(public: bytes) -> str:
    """A public key's name: the start of its SHA-256, which people compare in groups of four."""
    return sha256(public).hexdigest()[:32]


def in_fours(name: str) -> str:
    return " ".join(name[at : at + 4] for at in range(0, len(name), 4))
