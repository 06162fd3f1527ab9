"""Amounts as people write them."""

from __future__ import annotations

from kernel.money import Money


def dollars(text: str | int) -> Money:
    """``dollars("12.50")``; whole dollars may leave the cents out."""
    return Money.parse(str(text)) if "." in str(text) else Money.dollars(int(text))
