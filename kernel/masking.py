"""Texts that may hold a secret, without it: for logs, and for sentences that people read.

What people typed, what is stored and how a service is reached gets into the words of errors: PostgreSQL quotes the row
that it refuses, a driver the address with its password. Nothing of that is needed to find a fault.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from functools import cache
from types import TracebackType
from typing import Final
from urllib.parse import unquote, urlsplit

from kernel import tracebacks

MASK: Final = "(not logged)"
# Whatever is called so is a secret, in a log line's names as in "password=…".
NAMES: Final = r"passw(?:or)?d|secret|token|authorization|cookie|seed|credential|otp|security[-_ ]?code|sslpassword"

_IN_AN_ADDRESS: Final = re.compile(r"(\b[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@'\"]*):\S*@")
_NAMED: Final = re.compile(rf"(?i)([\w-]*(?:{NAMES})[\w-]*['\"]?\s*(?:=|:)\s*)(\"[^\"]*\"|'[^']*'|[^\s&,;)}}]+)")
_BEARER: Final = re.compile(r"(?i)\b(bearer\s+)\S+|\bmh_[0-9a-f]{8}_\S+")
# PostgreSQL's: the row, the value, the statement. Up to the empty line that ends a part of a traceback.
_DATABASE: Final = re.compile(r"(?s)(?:\b|(?<=\\n))(DETAIL|CONTEXT|QUERY|STATEMENT|LINE \d+):.*?(?=\n\n|\Z)")
_INVALID: Final = re.compile(r"(invalid input (?:syntax|value) for [^:\n]*): \"(?:(?!\\n).)*\"")  # also in a repr
_ANY: Final = re.compile(rf"(?i:{NAMES})|DETAIL:|CONTEXT:|QUERY:|STATEMENT:|LINE \d|invalid input")
_ADDRESSES: Final = (
    *("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_SEALER_URL"),
    *("REDIS_URL", "CELERY_BROKER_URL", "WITNESS_URL", "BEACON_URL"),
)
# The variables that hold a key (kernel/keys.py).
_KEYS: Final = re.compile(r"(?:SECRET|SECOND_STEP|CUSTOMER)_KEY|METERHOUSE_KEY_\w+")
_SHORTEST: Final = 4  # a password that is a word like "on" would take words out of every sentence


def masked(text: str) -> str:
    text = without_own_secrets(text)
    if "://" in text and "@" in text:
        text = _IN_AN_ADDRESS.sub(rf"\1:{MASK}@", text)
    if "mh_" in text or "earer " in text or "EARER " in text:
        text = _BEARER.sub(lambda found: f"{found.group(1) or ''}{MASK}", text)
    if ("=" in text or ":" in text) and _ANY.search(text):  # nearly never
        text = _DATABASE.sub(rf"\1: {MASK}", text)
        text = _INVALID.sub(rf"\1: {MASK}", text)
        text = _NAMED.sub(rf"\1{MASK}", text)
    return text


def without_own_secrets(text: str) -> str:
    for secret in own_secrets():
        if secret in text:
            text = text.replace(secret, MASK)
    return text


@cache
def own_secrets() -> tuple[str, ...]:
    """This installation's, wherever they turn up: passwords as they are written in an address, and as they are."""
    found = {value for name, value in os.environ.items() if _KEYS.fullmatch(name) and not name.endswith("_COMMAND")}
    for name in _ADDRESSES:
        try:
            password = urlsplit(os.environ.get(name, "")).password or ""
        except ValueError:
            continue
        found |= {password, unquote(password)}
    return tuple(sorted((secret for secret in found if len(secret) >= _SHORTEST), key=len, reverse=True))


def mask_uncaught() -> None:
    """An error that nobody catches is told without secrets, too. For each process that is a program of ours."""
    sys.excepthook = _tell
    threading.excepthook = lambda failed: _tell(failed.exc_type, failed.exc_value, failed.exc_traceback)


def _tell(kind: type[BaseException], error: BaseException | None, where: TracebackType | None) -> None:
    if issubclass(kind, SystemExit):
        return
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error or kind(), where)
        return
    sys.stderr.write(masked(tracebacks.told(error if error is not None else kind())) + "\n")
    sys.stderr.flush()
