"""What is signed, byte for byte. Pure, shared by the sealer and the offline verifier.

A seal is a checkpoint as C2SP writes it (``kernel/notes.py``): the log's origin, how many rows, their root, and one
line of our own with the seal's number, its time, the transaction before which its rows lie, and the hash of the seal
before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Self

from kernel.notes import Checkpoint, NoteError, from_base64, to_base64

# Each purpose has its own prefix, so that a signature for one can never be shown as one for another.
BEGIN: Final = b"meterhouse/export-begin/v1\n"
END: Final = b"meterhouse/export-end/v1\n"

VERSION: Final = 6  # of the export's format
NO_SEAL: Final = bytes(32)  # what the first seal is hashed onto

_OWN_LINE = re.compile(
    r"seal ([1-9][0-9]{0,17}) ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{6}Z) ([1-9][0-9]{0,18}) (\S{44})"
).fullmatch


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """What a seal says."""

    origin: str
    number: int
    at: str
    size: int
    tx_upto: int
    root: bytes
    previous: bytes

    def text(self) -> str:
        own = f"seal {self.number} {self.at} {self.tx_upto} {to_base64(self.previous)}"
        return Checkpoint(self.origin, self.size, self.root, (own,)).text()

    def digest(self) -> bytes:
        """What the next seal is hashed onto."""
        return sha256(self.text().encode()).digest()

    @classmethod
    def parse(cls, text: str) -> Self:
        head = Checkpoint.parse(text)
        own = _OWN_LINE(head.extensions[0]) if len(head.extensions) == 1 else None
        if own is None:
            raise NoteError("A seal has one line of its own: seal, its number, time, transaction and the seal before.")
        return cls(
            origin=head.origin,
            number=int(own[1]),
            at=own[2],
            size=head.size,
            tx_upto=int(own[3]),
            root=head.root,
            previous=from_base64(own[4], size=32),
        )


def in_fours(name: str) -> str:
    return " ".join(name[at : at + 4] for at in range(0, len(name), 4))


def origin_of(first_key: str) -> str:
    """A log's origin, from the fingerprint of its first key: no two logs share one."""
    return f"meterhouse.log/{first_key}"
