"""Where something stands in the log: the transaction that wrote it, then its number. Written ``tx-id``.

That is also how Redis writes the ids of a stream, and Redis refuses an id that is not above the last: so a position is
published once, whoever publishes, and means the same after Redis has lost everything.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_WRITTEN: Final = re.compile(r"(\d{1,19})-(\d{1,19})", re.ASCII)
LAST_ID: Final = (1 << 63) - 1
METER_ID: Final = 1 << 62  # from here on stand the meters of a transaction, above all its rows


class Position(NamedTuple):
    tx: int
    id: int

    def __str__(self) -> str:
        return f"{self.tx}-{self.id}"

    @classmethod
    def parse(cls, text: str) -> Position | None:
        """None where it is no position."""
        found = _WRITTEN.fullmatch(text.strip())
        if found is None or max(int(found[1]), int(found[2])) > LAST_ID:
            return None
        return cls(int(found[1]), int(found[2]))


START: Final = Position(0, 0)
