"""Reading a request's body: JSON and nothing but JSON, and nothing in it that a database or a person trips over."""

from __future__ import annotations

import json
import math
import re
from typing import IO, Any

from django.conf import settings
from rest_framework.parsers import BaseParser

from house.api.problems import TooLarge
from house.refusal import Malformed

DEEPEST = 32
LARGEST = 2**63 - 1
_UNCLEAN = re.compile("[\0\ud800-\udfff]")


def text_is_clean(text: str) -> bool:
    """No NUL (PostgreSQL cannot hold it) and no lone surrogate (UTF-8 cannot)."""
    return _UNCLEAN.search(text) is None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if len(names) != len(pairs):
        twice = next(name for i, (name, _) in enumerate(pairs) if any(name == other for other, _ in pairs[:i]))
        raise Malformed("malformed", f"The field {twice!r} is there twice.")
    return names


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise Malformed("malformed", f"{text[:20]} is no number we can hold.")
    return number


def _constant(text: str) -> float:
    raise Malformed("malformed", f"{text} is not JSON.")


def read_json(text: str) -> Any:
    try:
        data = json.loads(text, object_pairs_hook=_object, parse_float=_number, parse_constant=_constant)
    except RecursionError:
        raise Malformed("malformed", f"This is nested more than {DEEPEST} levels deep.") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Malformed("malformed", f"The body is not valid JSON: {error.msg} ({where}).") from None
    except ValueError:  # an integer of more than 4,300 digits
        raise Malformed("malformed", "The body holds a number that is too large.") from None
    check(data)
    return data


def check(data: Any) -> None:
    """Every string clean, every integer in 64 bits, not too deep. Walks without recursion."""
    waiting: list[tuple[str, int, Any]] = [("", 1, data)]
    while waiting:
        path, depth, value = waiting.pop()
        if depth > DEEPEST:
            raise Malformed("malformed", f"This is nested more than {DEEPEST} levels deep.")
        if isinstance(value, str):
            if not text_is_clean(value):
                raise Malformed("malformed", "Text may not hold NUL or half a character.", field=path or None)
        elif isinstance(value, dict):
            for name, inner in value.items():
                if not text_is_clean(name):
                    raise Malformed("malformed", "A field's name may not hold NUL or half a character.")
                waiting.append((f"{path}.{name}" if path else name, depth + 1, inner))
        elif isinstance(value, list):
            waiting.extend((f"{path}[{i}]", depth + 1, inner) for i, inner in enumerate(value))
        elif isinstance(value, int) and not -LARGEST <= value <= LARGEST:
            raise Malformed("malformed", "This number is too large.", field=path or None)


class JSONOnly(BaseParser):
    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise TooLarge("too-large", f"A request may be {limit} bytes long.")
        try:
            return read_json(body.decode())
        except UnicodeDecodeError:
            raise Malformed("malformed", "The body is not valid UTF-8.") from None
