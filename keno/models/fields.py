"""Numbers of 1 to 80 as eighty bits, the first for 1: what `bit_count(numbers & drawn)` matches in one instruction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import models

from keno.rules.selection import NUMBERS
from kernel.money import ZERO, Money


def as_bits(numbers: Iterable[int]) -> str:
    """``{1, 80}`` → ``"1000…0001"``, as PostgreSQL writes a bit(80)."""
    bits = ["0"] * NUMBERS
    for number in numbers:
        bits[number - 1] = "1"
    return "".join(bits)


def from_bits(bits: str) -> tuple[int, ...]:
    return tuple(number for number, bit in enumerate(bits, start=1) if bit == "1")


class NumbersField(models.Field):  # type: ignore[type-arg]  # Django has no arguments at run time
    description = "A set of numbers from 1 to 80"

    def db_type(self, connection: object) -> str:
        return f"bit({NUMBERS})"

    def from_db_value(self, value: str | None, expression: object, connection: object) -> tuple[int, ...] | None:
        return None if value is None else from_bits(value)

    def get_prep_value(self, value: Any) -> str | None:
        return value if value is None or isinstance(value, str) else as_bits(value)

    def get_placeholder(self, value: object, compiler: object, connection: object) -> str:
        return f"%s::bit({NUMBERS})"


def nothing() -> Money:
    """A default that a migration can name."""
    return ZERO
