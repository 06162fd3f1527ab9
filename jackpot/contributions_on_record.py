"""What controllers counted, batch by batch: by the terms then in force, once; what was held, decided by another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Final

from jackpot.acts import BatchAct, ContributionsHeld, ContributionsRejected, ContributionsReleased
from jackpot.books_on_record import CONTRIBUTION, RETIREMENT, BooksOnRecord, Group
from jackpot.link_acts import MeterAgrees, MeterDisagrees, MeterExplained
from jackpot.links_on_record import LinksOnRecord, booked, moment
from jackpot.play_on_record import PlayOnRecord
from jackpot.rules import must_hit_by, pool
from jackpot.rules.pool import DROP
from kernel.export_check import ActOnRecord, Doubt, RowOnRecord

CLOCK_AHEAD: Final = timedelta(minutes=6)  # how far a controller's clock may be in front, and what a call may take


@dataclass(slots=True)
class ContributionsOnRecord:
    record: LinksOnRecord
    books: BooksOnRecord
    play: PlayOnRecord
    held: dict[int, tuple[ContributionsHeld, str]] = field(default_factory=dict)  # and by whom it was sent
    released: dict[int, BatchAct] = field(default_factory=dict)  # in this transaction
    batches: set[int] = field(default_factory=set)  # counted, or rejected
    disagreements: dict[int, MeterDisagrees] = field(default_factory=dict)  # open: a table’s meter against the count
    known: set[int] = field(default_factory=set)  # disagreements, closed ones too
    explained: dict[int, MeterExplained] = field(default_factory=dict)  # in this transaction, with wagers to count

    def act(self, row: ActOnRecord) -> None:
        match row.act:
            case ContributionsHeld() | ContributionsReleased() | ContributionsRejected() as act:
                self.decided(act, row)
            case MeterDisagrees() as act:
                self.disagrees(act, row)
            case MeterAgrees() | MeterExplained() as act:
                self.agrees(act, row)
            case _:
                pass

    def decided(self, act: BatchAct, row: ActOnRecord) -> None:
        if isinstance(act, ContributionsHeld):
            if act.batch in self.held or act.batch in self.batches:
                raise Doubt(f"batch {act.batch} is held twice.", line=row.line)
            self.held[act.batch] = act, row.actor
            return
        held, sent_by = self.held.pop(act.batch, (None, ""))
        if held is None or (held.table, held.wagers, held.link) != (act.table, act.wagers, act.link):
            raise Doubt(f"batch {act.batch} is decided, and it was not held so.", line=row.line)
        if row.actor == sent_by:
            raise Doubt(f"batch {act.batch} is decided by {sent_by}, who sent it.", line=row.line)
        if isinstance(act, ContributionsReleased):
            self.released[act.batch] = act
            if (CONTRIBUTION, act.link, f"batch/{act.batch}") not in self.books.groups:
                raise Doubt(f"batch {act.batch} is released, and contributes nothing.", line=row.line)
        else:
            self.batches.add(act.batch)

    def disagrees(self, act: MeterDisagrees, row: ActOnRecord) -> None:
        found = self.disagreements.get(act.disagreement)
        others = [each for each in self.disagreements.values() if each.table == act.table and each is not found]
        if others or (found is None and act.disagreement in self.known) or (found and found.table != act.table):
            raise Doubt(f"disagreement {act.disagreement} about {act.table} cannot be open.", line=row.line)
        if act.shown == act.counted and act.fell_to is None and not act.unseen:
            raise Doubt(f"disagreement {act.disagreement}: the meter and the count are the same.", line=row.line)
        self.disagreements[act.disagreement] = act
        self.known.add(act.disagreement)

    def agrees(self, act: MeterAgrees | MeterExplained, row: ActOnRecord) -> None:
        """It is over: both sides are the same again, or two people have said why they differ."""
        found = self.disagreements.pop(act.disagreement, None)
        if found is None or found.table != act.table:
            raise Doubt(f"disagreement {act.disagreement} about {act.table} was not open.", line=row.line)
        if isinstance(act, MeterAgrees):
            return
        approved = self.record.approved(act.proposal, ("jackpot.meter-disagreement",), row.subject, row)
        said = {name: getattr(act, name) for name in ("disagreement", "shown", "counted", "cause", "wagers")}
        said["unseen"] = act.unseen or 0
        stood = found.shown, found.counted, found.unseen
        if {"unseen": 0, **approved} != said or stood != (act.shown, act.counted, act.unseen):
            raise Doubt(f"disagreement {act.disagreement}: something else was approved.", line=row.line)
        if act.wagers > max(found.shown - found.counted, 0) + (found.fell_to or 0) + (found.unseen or 0):
            raise Doubt(f"disagreement {act.disagreement}: the meter did not show so many.", line=row.line)
        if act.wagers:
            self.explained[act.disagreement] = act

    def close(self) -> None:
        """The transaction has been read: what was to be counted for an explanation has been."""
        for number, act in self.explained.items():
            raise Doubt(f"disagreement {number}: {act.wagers} wagers of {act.table} were to be counted.")

    def batch(self, code: str, reference: str, group: Group) -> None:
        """What a controller brought in: so many wagers, by the terms then in force."""
        row, memo = group.first, group.memo
        number = int(reference.removeprefix("batch/"))
        link = self.record.link(code, row)
        released = self.released.pop(number, None)
        try:
            wagers, messages, table = memo["wagers"], memo["messages"], memo["table"]
            version = link.version(memo["terms"], row)
            first, last = moment(memo["first"], row), moment(memo["last"], row)
        except (KeyError, TypeError):
            raise Doubt(f"batch {number} does not say what was counted.", line=row.line) from None
        if number in self.batches or number in self.held or (released is not None and released.wagers != wagers):
            raise Doubt(f"batch {number} is counted twice, or was held or rejected.", line=row.line)
        self.batches.add(number)
        if not self.play.was_on(table, code, first, last) or not messages or wagers < messages:
            raise Doubt(f"batch {number} is not of a table of {code}.", line=row.line)
        if not (link.in_force(version.number, first) and link.in_force(version.number, last) and first <= last):
            raise Doubt(f"batch {number} was counted by terms that were not in force.", line=row.line)
        if last > moment(row.at, row) + CLOCK_AHEAD:
            raise Doubt(f"batch {number} was counted before it was played.", line=row.line)
        parameters = version.terms.parameters
        limit = parameters.contribution_limit
        by_two = self._by_two(memo, table, wagers, row)
        if released is None and not by_two and limit is not None and parameters.wager * wagers > limit * messages:
            raise Doubt(f"batch {number}: {wagers} wagers in {messages} messages should have been held.", line=row.line)
        moves = pool.contribute(replace(parameters, contribution_limit=None), wagers=wagers)
        if memo.get("next_pool"):
            moves = must_hit_by.into_next_pool(moves, levels=link.levels)
        moved = booked(moves, wagers=DROP)
        self.books.expect((CONTRIBUTION, code, reference), moved, row, f"what batch {number} contributed")
        if (new := link.retired_into) is not None:  # on to where its money went
            late = tuple(
                (target, new.same_purse(target), micros) for _, target, micros in moved if target in link.players_purses
            )
            self.books.expect((RETIREMENT, code, reference), late, row, f"what batch {number} brought for {new.code}")
        self.play.figures.wagers(row, wagers, parameters.wager)

    def _by_two(self, memo: Mapping[str, object], table: str, wagers: int, row: RowOnRecord) -> bool:
        """Whether these are wagers that two people found uncounted, by a disagreement about a table’s meter."""
        if "explains" not in memo:
            return False
        number = memo["explains"]
        found = self.explained.pop(number, None) if isinstance(number, int) else None
        if found is None or (found.table, found.wagers) != (table, wagers):
            raise Doubt(f"{wagers} wagers of {table} are said to explain disagreement {number}.", line=row.line)
        return True
