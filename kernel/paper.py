"""What a ticket's QR code carries, so that paper alone convicts whoever rewrites history. Pure.

The log's origin, the ticket's leaf, its first game's commitment, the latest cosigned head when it was sold, the time,
which keys signed, where the witness is found; and the receipt key's signature over all of it. The text stands behind
``#`` in the code's address (``…/verify/#serial=…&code=…&paper=mh1.…``), so that no server sees it before the holder
wants that.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Final, Self

from kernel import ed25519
from kernel.packing import pack, unpack

TAG: Final = "meterhouse/paper/1"
PREFIX: Final = "mh1."
NAME: Final = "paper="  # before it, in an address
TEXT_LIMIT: Final = 2_000

_TEXT = re.compile(r"[A-Za-z0-9_-]+").fullmatch
_NUMBERS: Final = frozenset({"size", "at"})
_TEXTS: Final = frozenset({"origin", "witness"})
_SIZES: Final = {"leaf": 32, "commitment": 32, "root": 32, "receipt_key": 4, "witness_key": 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    origin: str
    leaf: bytes  # the hash of what is printed
    commitment: bytes  # of the first game
    size: int  # the latest cosigned head: rows
    root: bytes  # and all of its root
    at: int  # seconds since 1970
    receipt_key: bytes  # ids, as in signed notes
    witness_key: bytes
    witness: str  # the address of the witness's page

    def statement(self) -> bytes:
        return pack(TAG, *(getattr(self, field.name) for field in fields(self)))

    def signed(self, sign: Callable[[bytes], bytes]) -> str:
        """The text of the QR code."""
        statement = self.statement()
        return PREFIX + base64.urlsafe_b64encode(statement + sign(statement)).rstrip(b"=").decode()

    @classmethod
    def read(cls, text: str) -> tuple[Self, bytes]:
        """The paper and its signature, from the text or an address that has it behind ``#``. ValueError if none."""
        parts_of_address = text.strip().rpartition("#")[2].split("&")
        text = next((part for part in (each.removeprefix(NAME) for each in parts_of_address) if PREFIX in part), "")
        body = text.removeprefix(PREFIX)
        if len(text) > TEXT_LIMIT or body == text or not _TEXT(body):
            raise ValueError("This is not the text of a ticket's code.")
        raw = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
        statement, signature = raw[:-64], raw[-64:]
        parts = unpack(statement)
        names = [field.name for field in fields(cls)]
        if len(parts) != len(names) + 1 or parts[0] != TAG.encode():
            raise ValueError("This ticket's code cannot be read.")
        given = {name: _field(name, part) for name, part in zip(names, parts[1:], strict=True)}
        paper = cls(**given)  # type: ignore[arg-type]  # each read as its name says
        if paper.statement() != statement or paper.signed(lambda _: signature) != text:
            raise ValueError("This ticket's code is not written in the one way.")
        return paper, signature

    def is_signed(self, signature: bytes, *, by: bytes) -> bool:
        return ed25519.verify(by, self.statement(), signature)


def _field(name: str, raw: bytes) -> str | int | bytes:
    if name in _TEXTS:
        return raw.decode("ascii")
    if len(raw) != _SIZES.get(name, 8):
        raise ValueError("This ticket's code cannot be read.")
    return int.from_bytes(raw, "big") if name in _NUMBERS else raw
