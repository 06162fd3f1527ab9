"""The money of links in an export, transaction by transaction: every transfer follows from an act, or from where the
purses stood, by the rules; and whatever follows is there. Pure.

Transfers of one kind and reference are a group: what one booking moved. When a transaction has been read whole, its
acts say which groups are due; what is due and missing, or there and not due, is a Doubt.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from jackpot.links_on_record import LinkOnRecord, LinksOnRecord, Moved, booked
from jackpot.rules import must_hit_by, pool
from kernel.export_check import REVERSAL, Doubt, RowOnRecord, TransferOnRecord
from kernel.money import Money

CONTRIBUTION: Final = "jackpot.contribution"
HELD_WAGERS: Final = "jackpot.wagers"
KEPT: Final = "jackpot.kept"
VOID_HAND: Final = "jackpot.void-hand"
WIN: Final = "jackpot.win"
RESTART: Final = "jackpot.restart"
OVERFLOW: Final = "jackpot.overflow"
TOP_UP: Final = "jackpot.top-up"
PAY_BACK: Final = "jackpot.pay-back"
SEED: Final = "jackpot.seed"
MADE_GOOD: Final = "jackpot.made-good"
PAYMENT: Final = "jackpot.payment"
FORFEITED: Final = "jackpot.forfeited"
ADJUSTMENT: Final = "jackpot.adjustment"
RETIREMENT: Final = "jackpot.retirement"
REFUND: Final = "jackpot.refund"
PAY_OUT: Final = "jackpot.pay-out"
TAX_WITHHELD: Final = "jackpot.tax"
INSTALMENT: Final = "jackpot.instalment"
KINDS: Final = frozenset(
    {
        *(CONTRIBUTION, HELD_WAGERS, KEPT, VOID_HAND, WIN, RESTART, OVERFLOW, TOP_UP, PAY_BACK, SEED, MADE_GOOD),
        *(PAYMENT, FORFEITED, ADJUSTMENT, RETIREMENT, REFUND, PAY_OUT, TAX_WITHHELD, INSTALMENT),
    }
)
_BY_ITSELF: Final = (OVERFLOW, TOP_UP, PAY_BACK)  # what a link does between wagers

Key = tuple[str, str, str]
"""Kind, link, reference."""


@dataclass(slots=True)
class Group:
    first: TransferOnRecord
    moved: list[Moved] = field(default_factory=list)

    @property
    def memo(self) -> Mapping[str, Any]:
        return self.first.memo or {}


@dataclass(frozen=True, slots=True)
class Due:
    moved: tuple[Moved, ...]
    row: RowOnRecord
    what: str


@dataclass(slots=True)
class BooksOnRecord:
    record: LinksOnRecord
    groups: dict[Key, Group] = field(default_factory=dict)  # of the transaction that is being read
    due: dict[Key, Due] = field(default_factory=dict)

    # Reading

    def transfer(self, row: TransferOnRecord) -> None:
        code, reference, place = _reference(row)
        link = self.record.link(code, row)
        source, target = _purse(row.debit, code, row), _purse(row.credit, code, row)
        group = self.groups.setdefault((row.kind, code, reference), Group(row))
        if place not in (0, len(group.moved) + 1) or row.actor != group.first.actor:
            raise Doubt(f"{row.reference}: a part of it is missing, or booked by somebody else.", line=row.line)
        group.moved.append((source, target, row.micros))
        into = self.record.link(_link_of(row.credit, row), row)
        if into is link:
            link.purses.move(row.tx, row.id, source, target, row.micros)
        elif row.kind == RETIREMENT:
            link.purses.move(row.tx, row.id, source, "retired", row.micros)
            into.purses.move(row.tx, row.id, "retired", target, row.micros)
        else:
            raise Doubt(f"{row.reference} moves money from one jackpot to another.", line=row.line)

    def expect(self, key: Key, moved: Iterable[Moved], row: RowOnRecord, what: str) -> None:
        found = tuple(moved)
        if not found:
            return
        if key in self.due:
            raise Doubt(f"{what} is due twice.", line=row.line)
        self.due[key] = Due(found, row, what)

    def close(self) -> None:
        """The transaction has been read, and its acts have said what is due."""
        groups, due = self.groups, self.due
        self.groups, self.due = {}, {}
        for key, each in due.items():
            group = groups.pop(key, None)
            if group is None:
                raise Doubt(f"{each.what} is missing.", line=each.row.line)
            _same(group, each.moved, each.what)
        for key in [key for key in groups if key[0] == MADE_GOOD]:
            self._made_good(key, groups.pop(key), due)
        self._by_themselves(groups)
        for (kind, code, reference), group in groups.items():
            raise Doubt(f"{code}: {kind} {reference} was booked, and nothing gives a reason.", line=group.first.line)

    # What follows from where purses stood

    def _made_good(self, key: Key, group: Group, due: Mapping[Key, Due]) -> None:
        """The house's part of a reversal: exactly what the purses did not hold, or their seeds would have lost."""
        _, code, reference = key
        kind, _, of = reference.partition("/")
        moved = due.get((kind + REVERSAL, code, of)) or due.get((kind, code, of))
        if moved is None:
            raise Doubt(f"{code}: the house made good {reference}, and nothing went back.", line=group.first.line)
        link = self.record.link(code, group.first)
        seeds = self._seeds(link, group)

        def check(held: Mapping[str, Money]) -> None:
            taken = [pool.Movement(source, target, Money(micros)) for source, target, micros in moved.moved]
            _same(group, booked(pool.make_good(link.players(held), taken, seeds=seeds)), f"{code}: what was made good")

        link.purses.when_seen(link.seen(group.memo.get("seen"), group.first), check)

    def _seeds(self, link: LinkOnRecord, group: Group) -> dict[str, Money]:
        said = group.memo.get("seeds", {})
        parameters = link.newest.terms.parameters if link.versions else None
        seeds = {}
        for level, seed in said.items():
            won = any(each == level for each, _ in link.restarts)
            if parameters is None or level not in link.levels or not won or str(parameters.level(level).seed) != seed:
                raise Doubt(f"{link.code}: its {level} has not begun again at {seed}.", line=group.first.line)
            seeds[level] = parameters.level(level).seed
        return seeds

    def _by_themselves(self, groups: dict[Key, Group]) -> None:
        settled: dict[tuple[str, str], dict[str, Group]] = {}
        for kind, code, reference in [key for key in groups if key[0] in _BY_ITSELF and key[2].startswith("settled/")]:
            settled.setdefault((code, reference), {})[kind] = groups.pop((kind, code, reference))
        for (code, reference), parts in settled.items():
            self._settled(code, reference, parts)

    def _settled(self, code: str, reference: str, parts: Mapping[str, Group]) -> None:
        first = next(iter(parts.values()))
        link = self.record.link(code, first.first)
        seen = link.seen(first.memo.get("seen"), first.first)
        if not link.versions or not first.first.actor.startswith("system:"):
            raise Doubt(f"{code}: {reference} is not what a link does by itself.", line=first.first.line)

        def check(held: Mapping[str, Money]) -> None:
            version = next((each for each in reversed(link.versions) if seen.includes(each.tx, 0)), link.versions[0])
            terms = version.terms
            advance = held.get(pool.ADVANCE, Money(0))
            moves = pool.settle(terms.rules, terms.parameters, link.players(held), advance=advance)
            for kind, each in zip(_BY_ITSELF, moves, strict=True):
                due, group = booked(each), parts.get(kind)
                if group is not None:
                    _same(group, due, f"{code}: {kind}")
                elif due:
                    raise Doubt(f"{code}: {kind} was due at {reference}.", line=first.first.line)

        link.purses.when_seen(seen, check)

    def fell(self, code: str, level: str | None, hit: int, fall: must_hit_by.Fall, row: RowOnRecord) -> None:
        """After a must-hit-by fall the next pool is filled, from what the purses then held."""
        group = self.groups.pop((RESTART, code, f"fall/{hit}"), None)
        if group is None:
            return  # it had nothing to be filled with, or needed nothing
        link = self.record.link(code, row)
        parameters = link.newest.terms.parameters
        named = level or link.levels[0]

        def check(held: Mapping[str, Money]) -> None:
            moves = must_hit_by.restart(parameters, link.players(held), fall=fall, level=named)
            _same(group, booked(moves), f"{code}: what began the next pool")

        link.purses.when_seen(link.seen(group.memo.get("seen"), group.first), check)


def _same(group: Group, due: tuple[Moved, ...], what: str) -> None:
    if tuple(group.moved) == due:
        return
    for i, moved in enumerate(group.moved):
        if i >= len(due) or moved != due[i]:
            owed = f"{Money(due[i][2]).said} from {due[i][0]} to {due[i][1]}" if i < len(due) else "nothing"
            said = f"{Money(moved[2]).said} from {moved[0]} to {moved[1]}"
            raise Doubt(f"{what}: {said} was booked, and {owed} was due.", line=group.first.line)
    raise Doubt(f"{what}: a part of it was not booked.", line=group.first.line)


def _reference(row: TransferOnRecord) -> tuple[str, str, int]:
    """Link, reference, place."""
    code, _, rest = row.reference.partition("/")
    reference, _, place = rest.rpartition("/")
    if row.kind == RETIREMENT:
        return code, reference, 0  # the last is the purse
    if not place.isascii() or not place.isdigit():
        raise Doubt(f"{row.reference!r} names no booking of a jackpot.", line=row.line)
    return code, reference, int(place)


def _link_of(account: str, row: RowOnRecord) -> str:
    room, _, rest = account.partition(":")
    if room != "jackpot":
        raise Doubt(f"{row.kind} moves money of {account}, which is no jackpot’s.", line=row.line)
    return rest.partition(":")[0]


def _purse(account: str, code: str, row: TransferOnRecord) -> str:
    if _link_of(account, row) != code and row.kind != RETIREMENT:
        raise Doubt(f"{row.reference} moves money of {account}.", line=row.line)
    return account.rpartition(":")[2]
