"""One way to write a value, byte for byte: what is hashed, signed and compared. Pure."""

from __future__ import annotations

import json


def canonical(value: object) -> bytes:
    """Keys sorted, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
