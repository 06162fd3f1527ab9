"""A room of the tests beside those of the house."""

from __future__ import annotations

import pytest

from kernel import rooms


def offer(monkeypatch: pytest.MonkeyPatch, *offers: object) -> None:
    """What these offer is offered until the test ends."""
    known = rooms.rooms()
    monkeypatch.setattr(rooms, "rooms", lambda: (*known, rooms.Room("test", *offers)))
