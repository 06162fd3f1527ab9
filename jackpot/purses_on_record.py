"""What stood in the purses of a link at any moment, from the transfers of an export. Pure.

Contributions wait for nobody (decision 4), so the order of the log is not the order in which a pool grew: a win may pay
out what a transaction with a later number brought in. Whoever acted on a balance therefore said which transactions it
was the sum of (``seen``), and here exactly those are added up, as soon as all of them have been read.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from kernel.export_check import Doubt
from kernel.money import Money

_SNAPSHOT: Final = re.compile(r"([1-9]\d{0,17}):([1-9]\d{0,17}):((?:[1-9]\d{0,17}(?:,[1-9]\d{0,17})*)?)", re.ASCII)

Balances = dict[str, Money]
"""By purse: what it holds."""
ASSETS: Final = frozenset({"advance", "drop", "cash", "cheque", "chips", "transfer"})


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


def read_seen(text: object, *, tx: int, row: int, line: int, sealed_upto: int) -> Seen:
    """*sealed_upto*: everything below it was sealed before this transaction began, and so it had ended."""
    found = _SNAPSHOT.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise Doubt(f"{text!r} does not say which transactions were seen.", line=line)
    oldest, newest = int(found[1]), int(found[2])
    running = [int(each) for each in found[3].split(",") if each]
    if running != sorted(set(running)) or not oldest <= newest or any(not oldest <= x < newest for x in running):
        raise Doubt(f"{text!r} cannot be what was seen.", line=line)
    if min(oldest, tx) < sealed_upto:
        raise Doubt("it is said not to have seen what had been sealed before it.", line=line)
    return Seen(oldest, newest, frozenset(running), tx, row, line)


@dataclass(slots=True)
class PursesOnRecord:
    """The purses of one link."""

    balances: dict[str, int] = field(default_factory=dict)  # of all read so far: micro-dollars, credits less debits
    settled: dict[str, int] = field(default_factory=dict)  # of it, what every reader from now on must have seen
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

    def sealed(self, upto: int) -> None:
        """Who begins from now on has seen everything below *upto*: it need not be kept row by row."""
        limit = min([upto, *(min(seen.oldest, seen.tx) for seen, _ in self.waiting)])
        while self.recent and self.recent[0][0] < limit:
            _, _, purse, moved = self.recent.popleft()
            self.settled[purse] = self.settled.get(purse, 0) + moved

    def at(self, seen: Seen) -> Balances:
        held = dict(self.settled)
        for tx, row, purse, moved in self.recent:
            if seen.includes(tx, row):
                held[purse] = held.get(purse, 0) + moved
        return {purse: Money(-micros if purse in ASSETS else micros) for purse, micros in held.items()}
