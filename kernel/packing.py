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


def unpack(packed: bytes) -> list[bytes]:
    """The fields again, tag first, as bytes. ValueError where this is no packed list, whole and nothing after it."""
    fields, at = [], 0
    while at < len(packed):
        size = int.from_bytes(packed[at : at + 4], "big")
        field = packed[at + 4 : at + 4 + size]
        if len(packed) - at < 4 or len(field) != size:
            raise ValueError("A packed list ends before its last field does.")
        fields.append(field)
        at += 4 + size
    return fields
