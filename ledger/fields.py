"""Money in the database: micro-dollars in a BIGINT."""

from __future__ import annotations

from typing import Any

from django.db import models

from kernel.money import Money


class MoneyField(models.BigIntegerField):  # type: ignore[type-arg]  # not subscriptable when run
    description = "An amount of money, in micro-dollars"
    # What the type checker takes for an attribute of this kind.
    _pyi_private_set_type: Money  # type: ignore[assignment]
    _pyi_private_get_type: Money  # type: ignore[assignment]

    def from_db_value(self, value: int | None, expression: object, connection: object) -> Money | None:
        return None if value is None else Money(int(value))

    def to_python(self, value: Any) -> Money | None:
        return value if value is None or isinstance(value, Money) else Money(int(value))

    def get_prep_value(self, value: object) -> int | None:
        if value is None:
            return None
        if not isinstance(value, Money):
            raise TypeError(f"an amount is stored from Money, not from {type(value).__name__}")
        return value.micros
