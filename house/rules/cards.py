"""The one form of a player card's number: however it is typed, scanned or written in a file, it is one card. Pure.

Upper case, no spaces, letters and digits of the Latin alphabet, plain dashes. Letters of other alphabets that only look
like Latin ones are not read as those: such a number is nobody's card.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

CHARACTERS_LIMIT: Final = 32
CANONICAL: Final = rf"^[A-Z0-9][A-Z0-9-]{{0,{CHARACTERS_LIMIT - 1}}}$"
"""What the database, too, holds every stored number to."""

_READABLE: Final = re.compile(rf"[A-Za-z0-9][A-Za-z0-9-]{{0,{CHARACTERS_LIMIT - 1}}}", re.ASCII)
_MINUS: Final = "\N{MINUS SIGN}"
_LEFT_OUT: Final = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})  # spaces, line ends, and what is not seen at all


def read_card(text: str) -> str | None:
    """The number in its one form, or None where it cannot be the number of a card."""
    if not _READABLE.fullmatch(text):  # most are typed plainly, and files hold a million of them
        text = "".join(map(_plain, unicodedata.normalize("NFKC", text)))
        if not _READABLE.fullmatch(text):
            return None
    return text.upper()


def _plain(character: str) -> str:
    category = unicodedata.category(character)
    if category in _LEFT_OUT:
        return ""
    return "-" if category == "Pd" or character == _MINUS else character
