"""Majors won at the same time on linked tables, as an export tells of them (act-pg:13.3). Pure.

Who shares is computed again: the rounds that were open when the first was locked, by what its transaction had seen;
what each is owed, whenever one more has won or one is denied; and that nobody is paid before it is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from jackpot.books_on_record import WIN, BooksOnRecord
from jackpot.links_on_record import back, booked
from jackpot.purses_on_record import Seen
from jackpot.round_acts import HitShared, RoundFinished
from jackpot.rounds_on_record import CLAIMED, DENIED, OPEN, PAID, HitOnRecord, RoundOnRecord
from jackpot.rules.at_once import Joined, are_shared, shares
from jackpot.rules.payouts import Evaluation
from jackpot.rules.pool import WINNERS, Movement
from kernel.export_check import REVERSAL, ActOnRecord, Doubt, RowOnRecord
from kernel.money import ZERO, Money


@dataclass(slots=True)
class LockOnRecord:
    """What a round won, and who shares it."""

    round: RoundOnRecord
    level: str
    displayed: Money
    waits_for: frozenset[int]
    sharing: list[tuple[HitOnRecord, Money]] = field(default_factory=list)  # with the wager of each

    @property
    def not_denied(self) -> list[tuple[HitOnRecord, Money]]:
        return [(hit, wager) for hit, wager in self.sharing if hit.status != DENIED]


@dataclass(slots=True)
class LocksOnRecord:
    books: BooksOnRecord
    rounds: Mapping[int, RoundOnRecord]
    locks: list[LockOnRecord] = field(default_factory=list)
    of_hit: dict[int, LockOnRecord] = field(default_factory=dict)
    due: dict[int, tuple[Money, int]] = field(default_factory=dict)  # by hit: its share, and among how many

    # A round ends

    def instead(self, found: RoundOnRecord, result: Evaluation) -> tuple[Evaluation, list[tuple[LockOnRecord, Joined]]]:
        """What the round pays where it shares what others have won."""
        rules = found.version.terms.rules
        joined = []
        for level in result.restarts if are_shared(rules) else ():
            lock = next((each for each in self.locks if self._waits(each, found, level)), None)
            if lock is None:
                continue
            others = lock.not_denied
            mine = [payout for payout in result.payouts if payout.level == level]
            parts = self._fix(lock, more=len(mine), wager=found.version.terms.parameters.wager)
            owed = Money.total(hit.act.from_pool for hit, _ in others)
            each = Joined(level, lock.displayed, parts[-1], owed - Money.total(parts[: len(others)]))
            joined.append((lock, each))
        for _, one in joined:
            result = one.instead(result)
        return result, joined

    def _waits(self, lock: LockOnRecord, found: RoundOnRecord, level: str) -> bool:
        on_it = lock.round.link is found.link and lock.level == level and found.number in lock.waits_for
        return on_it and bool(lock.not_denied)

    def _fix(self, lock: LockOnRecord, *, more: int = 0, wager: Money = ZERO) -> list[Money]:
        """What each of them is owed now; acts of this transaction must say so of those who were owed something else."""
        not_denied = lock.not_denied
        parts = shares(lock.displayed, [*(each for _, each in not_denied), *([wager] * more)])
        for (hit, _), part in zip(not_denied, parts, strict=False):
            if hit.act.amount != part:
                self.due[hit.act.hit] = part, len(parts)
        return parts

    def won(
        self,
        found: RoundOnRecord,
        act: RoundFinished,
        row: ActOnRecord,
        result: Evaluation,
        joined: list[tuple[LockOnRecord, Joined]],
    ) -> None:
        """After its hits are known: who shares with whom, and what the first of them waits for."""
        wager = found.version.terms.parameters.wager
        shared = result.restarts if are_shared(found.version.terms.rules) else ()
        if bool(shared) != (act.waits_for is not None):
            raise Doubt(f"{found.named}: which rounds its win waits for is not said, or nothing waits.", line=row.line)
        for lock, each in joined:
            self._add(lock, [hit for hit in found.hits if hit.act.level == each.level], wager)
        for level in shared:
            hits = [hit for hit in found.hits if hit.act.level == level]
            displayed = hits[0].act.measured_on if hits else None
            if displayed is not None:
                lock = LockOnRecord(found, level, displayed, frozenset(act.waits_for or ()))
                self._add(lock, hits, wager)
                self.locks.append(lock)
        if act.waits_for is not None:
            self._open_then(found, act, row)

    def _add(self, lock: LockOnRecord, hits: list[HitOnRecord], wager: Money) -> None:
        lock.sharing += [(hit, wager) for hit in hits]
        self.of_hit |= {hit.act.hit: lock for hit in hits}

    def _open_then(self, found: RoundOnRecord, act: RoundFinished, row: ActOnRecord) -> None:
        seen = found.link.seen(act.open_seen, row)

        def check(held: object) -> None:
            due = [
                each.number
                for each in self.rounds.values()
                if each.link is found.link and each is not found and each.boxes and _was_open(each, seen)
            ]
            if sorted(due) != list(act.waits_for or ()):
                raise Doubt(f"{found.named}: other rounds were open on {found.link.code} than it says.", line=row.line)

        found.link.purses.when_seen(seen, check)

    # Shares

    def shared(self, hit: HitOnRecord, act: HitShared, row: ActOnRecord) -> None:
        due = self.due.pop(act.hit, None)
        if due is None or (act.amount, act.winners) != due or act.shared != hit.shared + 1:
            owed = f"{due[0].said} among {due[1]}" if due else "nothing new"
            raise Doubt(f"{hit.named}: its share is {act.amount.said}, and {owed} was due.", line=row.line)
        was = hit.act
        if (act.from_pool, act.from_house) != (act.amount, ZERO) or act.level is None:
            raise Doubt(f"{hit.named}: its share comes from the pool alone.", line=row.line)
        old, new = ((booked([Movement(act.level, WINNERS, each)])) for each in (was.from_pool, act.from_pool))
        what = f"what {hit.named} sets aside"
        self.books.expect((WIN + REVERSAL, act.link, win_key(hit)), back(old), row, what)
        hit.act = replace(was, amount=act.amount, from_pool=act.from_pool, from_house=act.from_house)
        hit.shared += 1
        self.books.expect((WIN, act.link, win_key(hit)), new, row, what)

    def must_not_wait(self, hit: HitOnRecord, row: RowOnRecord) -> None:
        lock = self.of_hit.get(hit.act.hit)
        if lock is None or not lock.waits_for:
            return
        open_ = [number for number in lock.waits_for if number in self.rounds and self.rounds[number].state == OPEN]
        if open_ or any(each.status == CLAIMED for each, _ in lock.sharing):
            raise Doubt(f"{hit.named} is paid before it is known who shares it.", line=row.line)

    def denied(self, hit: HitOnRecord) -> list[HitOnRecord] | None:
        """The others who stand, of those who share; None: it shares with nobody but its own round's."""
        lock = self.of_hit.get(hit.act.hit)
        if lock is None:
            return None
        left = [each for each, _ in lock.not_denied]
        if left and lock.waits_for and not any(each.status == PAID for each in left):
            self._fix(lock)
        return left

    def restarted_in(self, hit: HitOnRecord, found: RoundOnRecord) -> RoundOnRecord:
        """The round whose win began the pool again."""
        lock = self.of_hit.get(hit.act.hit)
        return found if lock is None else lock.round

    def close(self) -> None:
        if self.due:
            raise Doubt(f"hit {min(self.due)} is owed another share, and nobody says so.")


def win_key(hit: HitOnRecord) -> str:
    return f"hit/{hit.act.hit}/{hit.shared}" if hit.shared else f"hit/{hit.act.hit}"


def _was_open(each: RoundOnRecord, seen: Seen) -> bool:
    return seen.includes(*each.began) and (each.ended is None or not seen.includes(*each.ended))
