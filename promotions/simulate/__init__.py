"""Promotions and tournaments in a simulated month, each with a book of its own."""

from promotions.simulate.cups import Cups
from promotions.simulate.month import Promotions

__all__ = ["Cups", "Promotions"]
