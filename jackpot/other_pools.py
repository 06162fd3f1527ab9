"""Pools that another game feeds and wins: what they show is that game's to say. It declares them in its ``room.py``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kernel.rooms import offered


@dataclass(frozen=True, slots=True)
class OtherPool:
    """*shown*: what ``GET jackpot/pools/{code}`` says of it."""

    code: str
    shown: Callable[[], Mapping[str, object]]


def shown_by_another(code: str) -> Mapping[str, object] | None:
    return next((each.shown() for each in offered(OtherPool) if each.code == code), None)
