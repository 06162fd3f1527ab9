"""One way to write a list of fields as bytes, for everything that is hashed, signed or seeded between parties. Pure."""

from __future__ import annotations


def pack(tag: str, *fields: str | int | bytes) -> bytes:
    """The canonical encoding: every field, tag first, as its length in 4 bytes and then its bytes, all big-endian.

    Text is ASCII, whole numbers are 8 bytes. Two different lists of fields never encode alike.
    """
    packed = bytearray()
    for field in (tag, *fields):
        if isinstance(field, str):
            raw = field.encode("ascii")
        elif isinstance(field, int):
            raw = field.to_bytes(8, "big")
        else:
            raw = field
        packed += len(raw).to_bytes(4, "big") + raw
    return bytes(packed)
