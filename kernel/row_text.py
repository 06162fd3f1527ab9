"""The bytes of a row of the log, as the database writes them (``ledger/rows.py``), from its fields. Pure.

A row has one way to be written: its fields in a fixed order, what it does not have left out, and what is JSON within it
as PostgreSQL's ``jsonb`` writes it (keys by length, then by their bytes; a space after each colon and comma; no floats,
no number of more than eighteen digits). Whoever reads a row writes it again and compares.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

_NUMBER_LIMIT: Final = 10**18
_TRANSFER: Final = ("type", "id", "tx", "at", "day", "kind", "reference", "debit", "credit", "micros", "actor")
_MAY_FOLLOW: Final = ("reverses", "memo")
_ACT: Final = ("type", "id", "tx", "at", "day", "kind", "subject", "actor", "data")
DEPTH_LIMIT: Final = 16


class NotCanonical(ValueError):
    """Why it is not the one way to write a row."""


def row_text(row: Mapping[str, Any]) -> bytes:
    """The row's bytes. NotCanonical where the log has no such row."""
    wanted = {"act": _ACT, "transfer": _TRANSFER + tuple(name for name in _MAY_FOLLOW if name in row)}
    if tuple(row) != wanted.get(str(row.get("type"))):
        raise NotCanonical("its fields are not those of a row, in their order")
    parts = [f'"{name}":{jsonb_text(value)}' for name, value in row.items()]
    return f"{{{','.join(parts)}}}".encode()


def jsonb_text(value: object, *, depth: int = 0) -> str:
    """As PostgreSQL writes a ``jsonb``."""
    if depth > DEPTH_LIMIT:
        raise NotCanonical("it is nested too deeply")
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: (len(key.encode()), key.encode()))
        return "{" + ", ".join(f"{json_text(key)}: {jsonb_text(value[key], depth=depth + 1)}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(jsonb_text(part, depth=depth + 1) for part in value) + "]"
    if value is None or isinstance(value, bool | str):
        return json_text(value)
    if type(value) is int and -_NUMBER_LIMIT < value < _NUMBER_LIMIT:
        return str(value)
    raise NotCanonical("a number is a whole one, of eighteen digits at most")


def json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def read_json(text: bytes | str) -> Any:
    """JSON without floats, without NaN, without a key twice and without giant numbers. NotCanonical, or ValueError."""
    return _STRICT.decode(text if isinstance(text, str) else text.decode())


def read_jsonb(text: str) -> Any:
    """The value, where this is how PostgreSQL writes it: what ``jsonb_text`` would write again. NotCanonical, or
    ValueError. The quick way of what ``read_json`` and ``jsonb_text`` say together."""
    plain = text[:1] in ("{", "[") and not _MANY_DIGITS(text)
    value, end = (_QUICK if plain else _OF_JSONB).raw_decode(text)
    if end != len(text) or _WRITTEN.encode(value) != text:
        raise NotCanonical("it is not written in its one way")
    if text.count("{") + text.count("[") > DEPTH_LIMIT and _is_too_deep(value):
        raise NotCanonical("it is nested too deeply")
    return value


def _is_too_deep(value: object, depth: int = 0) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth > DEPTH_LIMIT or any(_is_too_deep(part, depth + 1) for part in parts)


def _ordered(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if not _in_order(tuple([key for key, _ in pairs])):
        raise NotCanonical("its keys are not in their order")
    return dict(pairs)


@lru_cache(maxsize=4096)  # acts of a kind have the same
def _in_order(keys: tuple[str, ...]) -> bool:
    return keys == tuple(sorted(set(keys), key=lambda key: (len(key.encode()), key.encode())))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NotCanonical("a key stands there twice")
    return found


def _no_number(text: str) -> object:
    raise NotCanonical(f"{text[:20]} is no whole number")


def _whole_number(text: str) -> int:
    if len(text) > 19 or not -_NUMBER_LIMIT < (number := int(text)) < _NUMBER_LIMIT:
        raise NotCanonical("a number has eighteen digits at most")
    return number


_STRICT: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=_no_number, parse_constant=_no_number, parse_int=_whole_number
)
_OF_JSONB: Final = json.JSONDecoder(
    object_pairs_hook=_ordered, parse_float=_no_number, parse_constant=_no_number, parse_int=_whole_number
)
# Where no number can have too many digits.
_QUICK: Final = json.JSONDecoder(object_pairs_hook=_ordered, parse_float=_no_number, parse_constant=_no_number)
_MANY_DIGITS = re.compile(r"[ \[-][0-9]{19}").search  # behind one of these a number stands, rightly written
_WRITTEN: Final = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": "))
