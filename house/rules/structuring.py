"""Payments that look as if one had been cut into several, to stay below the limit. Pure; a hint, never a verdict."""

from __future__ import annotations

from collections.abc import Collection

from kernel.money import Money


def looks_structured(amounts: Collection[Money], *, below: Money, each_from: Money, at_least: int) -> bool:
    """So many payments of that much and more, each below the limit, that reach it together."""
    near = [amount for amount in amounts if each_from <= amount < below]
    return len(near) >= at_least and Money.total(near) >= below
