"""Serials and security codes of tickets and vouchers.

A serial is sixty random bits: it tells nothing about how many were sold, and nobody finds one by trying. The security
code is an HMAC over the serial and every particular on the paper, under a secret of this installation: a receipt that
was altered, or never issued, has another one (10.3). It is not stored; it is computed again from the record, so that
a record that was tampered with is found out too.
"""

from __future__ import annotations

import functools
import hmac
import secrets
from typing import Final
from urllib.parse import parse_qs

from config.environment import secret

_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: none that is read as another
_READ_AS: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})
LENGTH: Final = 12
CODE_LENGTH: Final = 16


def new_serial() -> str:
    return _written(secrets.randbits(LENGTH * 5), LENGTH)


def read_serial(text: str) -> str:
    """As a person types it: small letters, dashes and letters that look like digits are forgiven."""
    return text.upper().translate(_READ_AS)


def read_paper(text: str) -> tuple[str, str | None]:
    """Serial and, if it is there, security code: typed as ``SERIAL`` or ``SERIAL:CODE``, or scanned from a receipt."""
    if "#" in text:  # the QR code of a receipt: …/verify/?game=…#serial=…&code=…
        scanned = parse_qs(text.partition("#")[2])
        return read_serial(scanned.get("serial", [""])[0]), scanned.get("code", [None])[0]
    serial, colon, code = text.partition(":")
    return read_serial(serial), code if colon else None


def security_code(particulars: bytes) -> str:
    """Eighty bits, so that guessing one is hopeless, in letters that can be typed."""
    digest = hmac.digest(_key(), particulars, "sha256")
    return _written(int.from_bytes(digest[:10], "big"), CODE_LENGTH)


def agrees(code: str, particulars: bytes) -> bool:
    """Whether the code on the paper is the one of the record, compared in constant time."""
    return hmac.compare_digest(read_serial(code).encode(), security_code(particulars).encode())


@functools.cache
def _key() -> bytes:
    return secret("keno-security-code").encode()


def _written(value: int, length: int) -> str:
    return "".join(_LETTERS[value >> 5 * place & 31] for place in reversed(range(length)))
