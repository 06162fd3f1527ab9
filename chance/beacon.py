"""The public beacon that may take part in a draw: drand's quicknet, a round every three seconds. Pure.

A promise names it by a rule such as ``drand-quicknet+30``: the first round after the moment of the witness's answer and
thirty seconds. Nobody at all knows that round before its time, so that house and witness together do not either.
"""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from typing import Final

CHAIN: Final = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"  # the hash of its parameters
PUBLIC_KEY: Final = (
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc"
    "22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
GENESIS: Final = 1_692_803_367  # when round 1 came, in seconds since 1970
PERIOD: Final = 3
SIGNATURE_SIZE: Final = 48
DELAY_LEAST_SECONDS: Final = 10  # what is drawn from has to be on public boards before the round
DELAY_MOST_SECONDS: Final = 3600
CHECKED_BY: Final = "drand_verify"

_RULE = re.compile(r"drand-quicknet\+([1-9][0-9]{0,3})").fullmatch


def delay_of(rule: str) -> int:
    """The seconds between the answer and the round. ValueError where this is no rule."""
    read = _RULE(rule)
    if read is None or not DELAY_LEAST_SECONDS <= int(read[1]) <= DELAY_MOST_SECONDS:
        raise ValueError(f"A beacon's rule is drand-quicknet+SECONDS, {DELAY_LEAST_SECONDS} to {DELAY_MOST_SECONDS}.")
    return int(read[1])


def time_of(number: int) -> int:
    """When a round comes, in seconds since 1970."""
    return GENESIS + (number - 1) * PERIOD


def first_after(seconds: int) -> int:
    """The number of the first round that comes later than this second."""
    return max((seconds - GENESIS) // PERIOD + 2, 1)


def round_of_rule(rule: str, *, at: int) -> int:
    """The round that a rule means, where the answer was given at *at*, in seconds since 1970."""
    return first_after(at + delay_of(rule))


def can_check() -> bool:
    """Whether drand-verify is installed, with which a round's signature is checked."""
    return find_spec(CHECKED_BY) is not None


def is_genuine(number: int, signature: bytes) -> bool:
    """Whether quicknet has signed this round so. Only where ``can_check``."""
    if len(signature) != SIGNATURE_SIZE or number < 1:
        return False
    try:
        import_module(CHECKED_BY).verify_quicknet(number, signature.hex(), PUBLIC_KEY)
    except ValueError:
        return False
    return True
