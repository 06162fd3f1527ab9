"""How one sealing key hands over to the next: what both sign. Pure: sealer, witness and verifier read the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Self

from kernel import ed25519
from kernel.canonical import canonical

# Each purpose has its own prefix, so that a signature for one can never be shown as one for another.
HAND_OVER: Final = b"meterhouse/hand-over/v1\n"
ACCEPTANCE: Final = b"meterhouse/acceptance/v1\n"


def fingerprint(public: bytes) -> str:
    """A public key's name: the start of its SHA-256, which people compare in groups of four."""
    return sha256(public).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class HandOver:
    old: str  # its fingerprint
    new: bytes
    signature: bytes = b""
    acceptance: bytes = b""

    def statement(self) -> bytes:
        return canonical({"from": self.old, "to": self.new.hex()})

    def is_signed(self, *, by: bytes) -> bool:
        """Whether the old key has signed it and the new one has accepted."""
        return ed25519.verify(by, HAND_OVER + self.statement(), self.signature) and ed25519.verify(
            self.new, ACCEPTANCE + self.statement(), self.acceptance
        )

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """From the data of the act ``keys.hand-over``. ValueError where it cannot be read."""
        try:
            raw = [bytes.fromhex(data[name]) for name in ("public", "signature", "acceptance")]
            return cls(str(data["from"]), *raw)
        except (KeyError, TypeError):
            raise ValueError("A hand-over names both keys and has both signatures.") from None
