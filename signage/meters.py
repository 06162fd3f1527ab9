"""What the meters show now. A room with jackpots has a ``board.py`` with ``meters()``; having it is registering it.

``meters()`` answers the displayed amount of every jackpot by its code: ``{"CSP": Money, "KENO-6": Money}``.
"""

from __future__ import annotations

from importlib import import_module

from config.rooms import rooms_with


def displayed() -> dict[str, str]:
    """Dollars and cents by code, from every room that has meters."""
    shown: dict[str, str] = {}
    for room in rooms_with("board"):
        board = import_module(f"{room}.board")
        shown.update({code: str(amount) for code, amount in board.meters().items()})
    return shown
