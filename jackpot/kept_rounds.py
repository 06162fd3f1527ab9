"""Every round of an export: those at hand in memory; what is over, and long ago, in a file, in as little memory for a
million as for ten. Pure.

A round can be refunded, claimed late or declared void any time later, and is then taken out of the file again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from jackpot.links_on_record import LinksOnRecord
from jackpot.rounds_on_record import OPEN, RoundOnRecord
from kernel.kept import Kept

_AT_HAND: Final = 512  # rounds from which on it is worth looking which are over
_IN_MEMORY: Final = 512  # of those that are over, until they are written down
_BY_NAME: Final = ("link", "version")  # not the round's own
_OWN: Final = tuple(each.name for each in fields(RoundOnRecord) if each.name not in _BY_NAME)


@dataclass(slots=True)
class KeptRounds(Mapping[int, RoundOnRecord]):
    """By number. Walked through are those at hand: who was open a moment ago, and whoever has won something."""

    record: LinksOnRecord
    at_hand: dict[int, RoundOnRecord] = field(default_factory=dict)
    over: Kept[int, tuple[Any, ...]] = field(default_factory=lambda: Kept(_IN_MEMORY))
    count: int = 0
    highest: int = 0
    look_from: int = _AT_HAND

    def add(self, found: RoundOnRecord) -> None:
        self.at_hand[found.number] = found
        self.count += 1
        self.highest = max(self.highest, found.number)

    def __getitem__(self, number: int) -> RoundOnRecord:
        found = self.at_hand.get(number)
        if found is None:
            kept = self.over.pop(number) if number <= self.highest else None
            if kept is None:
                raise KeyError(number)
            code, version, *own = kept
            link = self.record.links[code]
            said = dict(zip(_OWN, own, strict=True))
            found = self.at_hand[number] = RoundOnRecord(link=link, version=link.versions[version - 1], **said)
        return found

    def __iter__(self) -> Iterator[int]:
        return iter(self.at_hand)

    def __len__(self) -> int:
        return self.count

    def ended_before(self, tx: int) -> None:
        """Whoever comes now has seen all that was done before *tx*."""
        if len(self.at_hand) < self.look_from:
            return
        for number, found in list(self.at_hand.items()):
            ended = found.ended
            if found.state != OPEN and ended is not None and ended[0] < tx and not (found.hits or found.sealed):
                own = [getattr(found, name) for name in _OWN]
                self.over[number] = (found.link.code, found.version.number, *own)
                del self.at_hand[number]
        self.look_from = 2 * len(self.at_hand) + _AT_HAND
