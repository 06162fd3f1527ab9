"""The one form of what a person shows: a document's number, a name. However it is typed, it is the same. Pure.

Numbers of passports and licences are Latin letters and digits (ICAO 9303, the licences of every Australian state): what
stands between them is how somebody writes, and letters of other alphabets are refused rather than read as Latin ones.
"""

from __future__ import annotations

import unicodedata
from typing import Final

NUMBER_CHARACTERS_LIMIT: Final = 60
_LETTERS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_DIGITS: Final = frozenset("0123456789")
# What one writer reads as a digit another reads as a letter.
_LOOKS_LIKE: Final = str.maketrans("OIL", "011")


def read_document_number(text: str) -> str | None:
    """Capitals and digits, with nothing between them; None where it cannot be the number of a document."""
    plain = [each for each in unicodedata.normalize("NFKC", text).upper() if not _between(each)]
    if not 0 < len(plain) <= NUMBER_CHARACTERS_LIMIT or not set(plain) <= _LETTERS | _DIGITS:
        return None
    return "".join(plain) if not _DIGITS.isdisjoint(plain) else None


def compared(number: str) -> str:
    """A number as two of them are compared: O and 0, I, L and 1 are one."""
    return number.translate(_LOOKS_LIKE)


def read_name(text: str) -> str:
    """Small letters without accents, the words in order of the alphabet: ``Li, WU`` is ``wu li``."""
    letters = unicodedata.normalize("NFKD", text).casefold()
    spaced = "".join(each if each.isalnum() else "" if unicodedata.combining(each) else " " for each in letters)
    return " ".join(sorted(spaced.split()))


def _between(character: str) -> bool:
    """Spaces, dashes, dots, strokes, and what is not seen at all."""
    return unicodedata.category(character)[0] in "ZPC" or character == "\N{MINUS SIGN}"
