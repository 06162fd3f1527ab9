"""The file that this program was started from, where it is the one file that a house publishes."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path


def own_digest() -> tuple[str, int] | None:
    """Its SHA-256 and its length; None: it runs from a folder of sources."""
    archive = Path(__file__).parents[1]
    if not archive.is_file():
        return None
    read = archive.read_bytes()
    return sha256(read).hexdigest(), len(read)


def is_the_published(own: tuple[str, int] | None, published: tuple[str, int] | None) -> str:
    """What a person should look at; "": nothing. The house says in its log which program it hands out."""
    if own is None or own == published:
        return ""
    said = f"it published {published[0]} ({published[1]:,} bytes)" if published else "it says of none"
    return (
        f"This program has the SHA-256 {own[0]} ({own[1]:,} bytes), and is not the one of the house’s log: {said}. "
        "Compare it with the one that whoever gave it to you vouches for."
    )
