"""What stood in the purses of a link at any moment, from the transfers of an export. Pure.

Contributions wait for nobody (decision 4), so the order of the log is not the order in which a pool grew: a win may pay
out what a transaction with a later number brought in. Whoever acted on a balance therefore said which transactions it
was the sum of (``seen``), and here exactly those are added up, as soon as all of them have been read.

A seal ends before the oldest transaction that is under way. Whoever has read the pools and is still under way may so
find sealed before him what he could not see: another that ended after he had read. So a reader is believed that he had
not seen what was sealed while he can have been at it, and nothing older.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from kernel.export_check import CLOCKS_DIFFER_SECONDS, UNDER_WAY, Doubt
from kernel.money import Money

_SNAPSHOT: Final = re.compile(r"([1-9]\d{0,17}):([1-9]\d{0,17}):((?:[1-9]\d{0,17}(?:,[1-9]\d{0,17})*)?)", re.ASCII)

Balances = dict[str, Money]
"""By purse: what it holds."""
ASSETS: Final = frozenset({"advance", "drop", "cash", "cheque", "chips", "transfer"})
CLOCKS_DIFFER: Final = timedelta(seconds=CLOCKS_DIFFER_SECONDS)


@dataclass(frozen=True, slots=True)
class Seen:
    """Which transactions a reader saw: all that had ended, and its own rows before."""

    oldest: int  # every transaction before this one had ended
    newest: int  # from this one on none had begun
    running: frozenset[int]
    tx: int  # the reader's own,
    row: int  # and where in it
    line: int

    def includes(self, tx: int, row: int) -> bool:
        if tx == self.tx:
            return row < self.row
        return tx < self.oldest or (tx < self.newest and tx not in self.running)


@dataclass(slots=True)
class SealsOnRecord:
    """Up to where the log was sealed, and when."""

    upto: int = 0  # everything below is sealed
    settled: int = 0  # and everything below this so long ago that whoever comes now has seen it
    recent: deque[tuple[datetime, int]] = field(default_factory=deque)  # the seals since: when, up to where

    def add(self, upto: int, at: datetime) -> None:
        self.upto = upto
        self.recent.append((at, upto))
        while self.recent[0][0] < at - UNDER_WAY:
            self.settled = self.recent.popleft()[1]

    def seen_by(self, at: datetime) -> int:
        """What a row of this moment that is not sealed yet must have seen. The last seal is as good a clock: whoever
        says that he came long before it was not under way so long."""
        since = at - CLOCKS_DIFFER - UNDER_WAY
        return max((upto for sealed, upto in self.recent if sealed < since), default=self.settled)


def read_seen(text: object, *, tx: int, row: int, line: int, at: Callable[[], datetime], seals: SealsOnRecord) -> Seen:
    """*at*: when it was written; *seals*: those before it."""
    found = _SNAPSHOT.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise Doubt(f"{text!r} does not say which transactions were seen.", line=line)
    oldest, newest = int(found[1]), int(found[2])
    running = [int(each) for each in found[3].split(",") if each]
    if running != sorted(set(running)) or not oldest <= newest or any(not oldest <= x < newest for x in running):
        raise Doubt(f"{text!r} cannot be what was seen.", line=line)
    if min(oldest, tx) < seals.upto and min(oldest, tx) < seals.seen_by(at()):
        raise Doubt("it is said not to have seen what had been sealed before it.", line=line)
    return Seen(oldest, newest, frozenset(running), tx, row, line)


@dataclass(slots=True)
class PursesOnRecord:
    """The purses of one link."""

    balances: dict[str, int] = field(default_factory=dict)  # of all read so far: micro-dollars, credits less debits
    sealed: dict[str, int] = field(default_factory=dict)  # of it, what is sealed
    kept: deque[tuple[int, int, str, int]] = field(default_factory=deque)  # of that, what somebody may not have seen
    recent: deque[tuple[int, int, str, int]] = field(default_factory=deque)  # the rest: tx, row, purse, micro-dollars
    waiting: list[tuple[Seen, Callable[[Balances], None]]] = field(default_factory=list)

    def move(self, tx: int, row: int, source: str, target: str, micros: int) -> None:
        for purse, moved in ((source, -micros), (target, micros)):
            self.balances[purse] = self.balances.get(purse, 0) + moved
            self.recent.append((tx, row, purse, moved))

    def when_seen(self, seen: Seen, check: Callable[[Balances], None]) -> None:
        self.waiting.append((seen, check))

    def read_upto(self, tx: int) -> None:
        """Every transaction below *tx* has been read: what waited for no other is checked."""
        if not self.waiting:
            return
        ready = [each for each in self.waiting if max(each[0].newest, each[0].tx + 1) <= tx]
        if ready:
            self.waiting = [each for each in self.waiting if each not in ready]
            for seen, check in ready:
                check(self.at(seen))

    def seal(self, seals: SealsOnRecord) -> None:
        """What nobody can say any more that he had not seen need not be kept row by row."""
        while self.recent and self.recent[0][0] < seals.upto:
            _, _, purse, moved = row = self.recent.popleft()
            self.sealed[purse] = self.sealed.get(purse, 0) + moved
            self.kept.append(row)
        limit = min([seals.settled, *(min(seen.oldest, seen.tx) for seen, _ in self.waiting)])
        while self.kept and self.kept[0][0] < limit:
            self.kept.popleft()

    def at(self, seen: Seen) -> Balances:
        held, all_seen = dict(self.sealed), min(seen.oldest, seen.tx)  # what began before is included
        for tx, row, purse, moved in reversed(self.kept):
            if tx < all_seen:
                break
            if not seen.includes(tx, row):
                held[purse] -= moved
        for tx, row, purse, moved in self.recent:
            if tx < all_seen or seen.includes(tx, row):
                held[purse] = held.get(purse, 0) + moved
        return {purse: Money(-micros if purse in ASSETS else micros) for purse, micros in held.items()}
