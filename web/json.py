"""JSON in and out: a request's body is JSON and nothing but JSON, with nothing in it that a database or a person trips
over; answers are written in one way."""

from __future__ import annotations

import json
import math
import re
from typing import IO, Any, Final

from django.conf import settings
from rest_framework.parsers import BaseParser
from rest_framework.utils.encoders import JSONEncoder

from kernel.money import Money
from kernel.refusal import Malformed, Refusal

DEPTH_LIMIT = 32
BIGINT_MAX = 2**63 - 1
_UNCLEAN = re.compile("[\0\ud800-\udfff]")


class TooLarge(Refusal):
    status = 413
    title = "Request too large"
    final = False


def text_is_clean(text: str) -> bool:
    """No NUL (PostgreSQL cannot hold it) and no lone surrogate (UTF-8 cannot)."""
    return "\0" not in text and (text.isascii() or _UNCLEAN.search(text) is None)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
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


def read_json(text: str) -> object:
    try:
        data = json.loads(text, object_pairs_hook=_object, parse_float=_number, parse_constant=_constant)
    except RecursionError:
        raise Malformed("malformed", f"This is nested more than {DEPTH_LIMIT} levels deep.") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Malformed("malformed", f"The body is not valid JSON: {error.msg} ({where}).") from None
    except ValueError:  # an integer of more than 4,300 digits
        raise Malformed("malformed", "The body holds a number that is too large.") from None
    check(data)
    return data


def check(data: object) -> None:
    """Every string clean, every integer in 64 bits, not too deep."""
    if not _is_fine(data):
        _refuse(data)


def _is_fine(data: object) -> bool:
    """One level after the other: a call may have forty thousand values, and hardly ever is one of them refused."""
    level: list[object] = [data]
    texts: list[str] = []
    for _ in range(DEPTH_LIMIT):
        inner: list[object] = []
        for value in level:
            if isinstance(value, str):
                texts.append(value)
            elif isinstance(value, dict):
                texts.extend(value)
                inner.extend(value.values())
            elif isinstance(value, list):
                inner.extend(value)
            elif isinstance(value, int) and not -BIGINT_MAX <= value <= BIGINT_MAX:
                return False
        if not inner:
            return text_is_clean("".join(texts))
        level = inner
    return False


def _refuse(data: object) -> None:
    """Which it is. Walks without recursion."""
    waiting: list[tuple[str, int, object]] = [("", 1, data)]
    while waiting:
        path, depth, value = waiting.pop()
        if depth > DEPTH_LIMIT:
            raise Malformed("malformed", f"This is nested more than {DEPTH_LIMIT} levels deep.")
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
        elif isinstance(value, int) and not -BIGINT_MAX <= value <= BIGINT_MAX:
            raise Malformed("malformed", "This number is too large.", field=path or None)


class JSONOnly(BaseParser):
    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        view = (parser_context or {}).get("view")
        limit: int = getattr(view, "body_bytes_limit", None) or settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise TooLarge("too-large", f"A request may be {limit} bytes long.")
        try:
            return read_json(body.decode())
        except UnicodeDecodeError:
            raise Malformed("malformed", "The body is not valid UTF-8.") from None


class Encoder(JSONEncoder):
    def default(self, obj: object) -> object:
        return str(obj) if isinstance(obj, Money) else super().default(obj)


_ENCODER: Final = Encoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def as_json(data: object) -> bytes:
    """One way to write JSON, so that an answer remembered and an answer given are the same bytes."""
    return _ENCODER.encode(data).encode()
