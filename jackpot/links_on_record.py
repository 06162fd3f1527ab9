"""A link as an export tells of it: its terms version by version, its tables, its purses. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Any, Final

from house.approval_acts import ChangeApproved, ChangeProposed, ChangeTakenUp
from jackpot.acts import LinkOpened, TermsSet
from jackpot.link_acts import TermsRestored
from jackpot.purses_on_record import PursesOnRecord, SealsOnRecord, Seen, read_seen
from jackpot.rules.link_terms import LinkTerms, read_written
from jackpot.rules.policies import Game
from jackpot.rules.pool import (
    DROP,
    HOUSE,
    REIMBURSEMENT,
    RESERVE,
    Movement,
    booked_between,
    contribute,
    overflow_of,
)
from kernel.export_check import ActOnRecord, Doubt, RowOnRecord
from kernel.money import ZERO, Money
from kernel.refusal import Refusal

SYSTEM: Final = "system:"
ABOUT: Final = timedelta(seconds=5)  # between the moment that a verb took and the one at which its act was written

Moved = tuple[str, str, int]
"""From a purse to a purse, in micro-dollars, as it is booked."""


@dataclass(frozen=True, slots=True)
class Version:
    number: int
    terms: LinkTerms
    at: datetime
    tx: int
    proposal: int | None = None
    _contributed: dict[int, tuple[Moved, ...]] = field(default_factory=dict, compare=False)

    def contributed(self, wagers: int) -> tuple[Moved, ...]:
        """What so many wagers bring in where they feed the pools at once."""
        if wagers not in self._contributed:
            self._contributed[wagers] = booked(contribute(self.terms.parameters, wagers=wagers), wagers=DROP)
        return self._contributed[wagers]


@dataclass(slots=True)
class LinkOnRecord:
    code: str
    levels: tuple[str, ...]
    opened_tx: int
    seals: SealsOnRecord  # of the log, the same for all
    versions: list[Version] = field(default_factory=list)  # none: a pool that tables do not play for (Keno's)
    purses: PursesOnRecord = field(default_factory=PursesOnRecord)
    sequence: int = 0  # of the last hit
    retired_into: LinkOnRecord | None = None
    ended: bool = False  # retired into another, or paid out
    restarts: list[tuple[str, int]] = field(default_factory=list)  # (level, index): 100% of it was won
    installed: bool = False  # it began with terms that nobody has approved

    @property
    def newest(self) -> Version:
        return self.versions[-1]

    def version(self, number: int, row: RowOnRecord) -> Version:
        if not 1 <= number <= len(self.versions):
            raise Doubt(f"{self.code} has no version {number} of its terms.", line=row.line)
        return self.versions[number - 1]

    @property
    def players_purses(self) -> tuple[str, ...]:
        return _players_purses(self.levels)

    @property
    def must_hit_by(self) -> bool:
        return bool(self.versions) and self.newest.terms.rules.game is Game.MYSTERY

    def same_purse(self, purse: str) -> str:
        """Where what is in such a purse of another link goes when that is retired into this one."""
        same = purse if purse in self.players_purses else self.levels[0]
        return overflow_of(same) if same in self.levels and self.must_hit_by else same

    def seen(self, text: object, row: RowOnRecord) -> Seen:
        at = partial(moment, row.at, row)
        return read_seen(text, tx=row.tx, row=row.id, line=row.line, at=at, seals=self.seals)

    def players(self, held: Mapping[str, Money]) -> dict[str, Money]:
        """The purses that are the players', as the rules look at them."""
        found = {purse: held.get(purse, ZERO) for purse in self.players_purses}
        if short := sorted(purse for purse, amount in found.items() if amount < ZERO):
            raise Doubt(f"{self.code}: its {short[0]} would have held {found[short[0]].said}.")
        return found

    def in_force(self, number: int, at: datetime) -> bool:
        """Whether that version was in force then; before its first there was only the first."""
        later = self.versions[number] if number < len(self.versions) else None
        return (number == 1 or self.versions[number - 1].at - ABOUT <= at) and (later is None or at <= later.at + ABOUT)


@cache
def _players_purses(levels: tuple[str, ...]) -> tuple[str, ...]:
    return (*levels, *(overflow_of(level) for level in levels), RESERVE, REIMBURSEMENT)


def booked(movements: Iterable[Movement], **outside: str) -> tuple[Moved, ...]:
    """Movements as the ledger has them. *outside*: ``wagers="drop"``: a purse by another name."""
    moved = []
    for move in movements:
        source, target = booked_between(move.source, move.target)
        source, target = outside.get(move.source, source), outside.get(move.target, target)
        moved.append((source, target, move.amount.micros))
    return tuple(moved)


def back(moved: Iterable[Moved]) -> tuple[Moved, ...]:
    return tuple((target, source, micros) for source, target, micros in moved)


def moment(text: str, row: RowOnRecord) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except (ValueError, TypeError):
        raise Doubt(f"{text!r} is no moment.", line=row.line) from None


@dataclass(slots=True)
class Proposed:
    kind: str
    about: str
    new: Any
    by: str
    decided_by: str = ""


@dataclass(slots=True)
class LinksOnRecord:
    """Every link, and what was proposed about them. (Whose word a change takes is for ``house/verify.py``.)"""

    links: dict[str, LinkOnRecord] = field(default_factory=dict)
    proposals: dict[int, Proposed] = field(default_factory=dict)
    seals: SealsOnRecord = field(default_factory=SealsOnRecord)

    def link(self, code: str, row: RowOnRecord) -> LinkOnRecord:
        found = self.links.get(code)
        if found is None:
            raise Doubt(f"there is no jackpot {code}.", line=row.line)
        return found

    def about(self, act: ChangeProposed | ChangeTakenUp | ChangeApproved, row: ActOnRecord) -> None:
        if not act.kind_.startswith("jackpot."):
            return
        if isinstance(act, ChangeProposed):
            self.proposals[act.proposal] = Proposed(act.kind_, act.about, act.new, row.actor)
            return
        found = self.proposals.get(act.proposal)
        if found is None:
            raise Doubt(f"there is word of proposal {act.proposal}, which nobody made.", line=row.line)
        if isinstance(act, ChangeTakenUp):
            found.by = row.actor
        elif row.actor == found.by:
            raise Doubt(f"proposal {act.proposal} was approved by {row.actor}, who had made it.", line=row.line)
        else:
            found.decided_by = row.actor

    def approved(self, number: int | None, kinds: Sequence[str], about: str, row: RowOnRecord) -> Any:
        """What two people decided: the value, as it was proposed."""
        found = self.proposals.get(number or 0)
        if found is None or not found.decided_by or found.kind not in kinds or found.about != about:
            raise Doubt(f"{about}: nobody has approved it as proposal {number}.", line=row.line)
        return found.new

    def opened(self, act: LinkOpened, row: ActOnRecord) -> None:
        if act.link in self.links:
            raise Doubt(f"{act.link} is opened twice.", line=row.line)
        self.links[act.link] = LinkOnRecord(act.link, act.levels, row.tx, self.seals)

    def terms_set(self, act: TermsSet, row: ActOnRecord) -> None:
        link = self.link(act.link, row)
        if act.version != len(link.versions) + 1:
            raise Doubt(f"{act.link}: version {act.version} of its terms follows {len(link.versions)}.", line=row.line)
        try:
            terms = read_written(act.terms)
        except (KeyError, TypeError, ValueError, Refusal) as wrong:
            raise Doubt(f"{act.link}: its terms cannot be read: {wrong}.", line=row.line) from wrong
        if act.proposal is None:
            # What a new installation or the demo begins with; it is never replaced so.
            if not row.actor.startswith(SYSTEM) or act.version > 1:
                raise Doubt(f"{act.link}: terms were put in force that nobody has approved.", line=row.line)
            link.installed = True
        else:
            kinds = ("jackpot.link",) if act.version == 1 else ("jackpot.terms",)
            new = self.approved(act.proposal, kinds, row.subject, row)
            if (new["terms"] if act.version == 1 else new) != act.terms:
                raise Doubt(f"{act.link}: other terms were put in force than were approved.", line=row.line)
        if tuple(level.name for level in terms.parameters.levels) != link.levels:
            raise Doubt(f"{act.link}: its levels stay {', '.join(link.levels)}.", line=row.line)
        link.versions.append(Version(act.version, terms, moment(row.at, row), row.tx, act.proposal))

    def terms_restored(self, act: TermsRestored, row: ActOnRecord, *, won_in: int) -> list[int]:
        """The win of transaction *won_in* is denied: what it had put in force goes. The answer: the proposals of that,
        which wait again."""
        link = self.link(act.link, row)
        gone = [each for each in link.versions if each.tx == won_in]
        of = link.version(act.of, row)
        in_its_place = gone and gone[-1] is link.newest and of.number == gone[0].number - 1
        if not in_its_place or act.version != link.newest.number + 1 or read_written(act.terms) != of.terms:
            raise Doubt(f"{act.link}: terms are restored that the denied win had not replaced.", line=row.line)
        link.versions.append(Version(act.version, of.terms, moment(row.at, row), row.tx, of.proposal))
        return [each.proposal for each in gone if each.proposal is not None]


def seed_of(link: LinkOnRecord) -> tuple[Moved, ...]:
    return tuple(
        move
        for level in link.versions[0].terms.parameters.levels
        for move in booked([Movement(HOUSE, level.name, level.seed)] if level.seed else [])
    )
