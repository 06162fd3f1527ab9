"""An entry as one line of text, and its leaf hash: the same in Python, in SQL and in a player's hands.

    {"entrant":"player:P-4KZ7QW2MXA","number":17,"promotion":"SPRING","salt":"6f9c…"}

Canonical JSON: keys sorted, no spaces. Who knows the line can prove that it was in the sealed list; who does not cannot
guess it, for the salt is 122 random bits.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from chance.proof import entry_leaf
from kernel.canonical import canonical

# %(code)s is the promotion's; e is the row being made, with its number, identity and salt.
SQL: Final = r"""
    sha256('\x00'::bytea || convert_to(
        '{"entrant":"' || e.identity || '","number":' || e.number || ',"promotion":"' || %(code)s
        || '","salt":"' || e.salt || '"}', 'UTF8'))
"""


def text(*, code: str, number: int, identity: str, salt: UUID) -> str:
    return canonical({"entrant": identity, "number": number, "promotion": code, "salt": str(salt)}).decode()


def leaf(*, code: str, number: int, identity: str, salt: UUID) -> bytes:
    return entry_leaf(text(code=code, number=number, identity=identity, salt=salt))
