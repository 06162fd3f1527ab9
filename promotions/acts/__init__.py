"""What promotions write to the log. Pure: the verifier, the boards and the pages read the same classes.

No person is in them: entries have numbers, entrants none. ``promotion`` is a promotion's code, ``draw`` the number of
one attempt at its draw.
"""

from __future__ import annotations

from typing import Final

from kernel.acts import Act
from promotions.acts import draws, entries, prizes, terms

ALL: Final[tuple[type[Act], ...]] = tuple(
    found
    for module in (terms, entries, draws, prizes)
    for found in vars(module).values()
    if isinstance(found, type) and issubclass(found, Act) and "kind" in vars(found)
)
