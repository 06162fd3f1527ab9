"""The kinds of payment between the house and its customers, as each room declares its own."""

from __future__ import annotations

from dataclasses import dataclass

from house.models import Way


@dataclass(frozen=True, slots=True)
class CashKind:
    """Declared in a room's ``room.py``, and named by the verb that pays."""

    room: str
    what: str
    label: str
    page: str = ""  # of one of them: the name of its url, which takes the line's reference; or nothing
    way: Way = Way.OUT
    # False: always below every limit of the law. It counts, and is looked at, but by itself asks and reports nothing.
    reported: bool = True
