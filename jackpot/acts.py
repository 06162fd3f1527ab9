"""The acts of linked jackpots. Pure: boards, pages and the offline verifier read the same classes.

The subject of most is the link, ``jackpot:CSP``; of a table's own, ``table:CSP-01``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from jackpot.rules.must_hit_by import Counted
from kernel.acts import Act, InSubject, Json, OrMissing
from kernel.money import Money


def link_subject(code: str) -> str:
    """What the log and approvals call a link."""
    return f"jackpot:{code}"


# A link


@dataclass(frozen=True, slots=True, kw_only=True)
class OfLink(Act):
    link: InSubject[str]

    @property
    def subject(self) -> str:
        return link_subject(self.link)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkOpened(OfLink):
    kind: ClassVar[str] = "jackpot.pool-opened"
    title: str
    levels: tuple[str, ...]

    def sentence(self) -> str:
        return f"opened link {self.link}, {self.title}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsSet(OfLink):
    kind: ClassVar[str] = "jackpot.terms-set"
    version: int
    terms: Mapping[str, Json]  # as jackpot/terms.py writes them
    proposal: int | None

    def sentence(self) -> str:
        return f"put version {self.version} of the terms of {self.link} in force"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkAdjusted(OfLink):
    kind: ClassVar[str] = "jackpot.adjusted"
    purse: str
    amount: Money
    cause: str
    proposal: int

    def sentence(self) -> str:
        return f"adjusted the {self.purse} of {self.link} by {self.amount}: {self.cause}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRetired(OfLink):
    kind: ClassVar[str] = "jackpot.retired"
    into: str
    moved: Mapping[str, Money]  # by purse
    advanced: Money
    proposal: int

    def sentence(self) -> str:
        return f"retired {self.link} into {self.into}"


# A table


@dataclass(frozen=True, slots=True, kw_only=True)
class OfTable(Act):
    table: InSubject[str]

    @property
    def subject(self) -> str:
        return f"table:{self.table}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableJoined(OfTable):
    kind: ClassVar[str] = "jackpot.table-joined"
    link: str
    boxes: int

    def sentence(self) -> str:
        return f"put table {self.table} with {self.boxes} boxes on {self.link}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMoved(OfTable):
    kind: ClassVar[str] = "jackpot.table-moved"
    link: str
    from_: str

    def sentence(self) -> str:
        return f"moved table {self.table} from {self.from_} to {self.link}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened(OfTable):
    kind: ClassVar[str] = "jackpot.table-opened"

    def sentence(self) -> str:
        return f"opened the jackpot of {self.table}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed(OfTable):
    kind: ClassVar[str] = "jackpot.table-closed"

    def sentence(self) -> str:
        return f"closed the jackpot of {self.table}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSuspended(OfTable):
    kind: ClassVar[str] = "jackpot.table-suspended"
    what: str

    def sentence(self) -> str:
        return f"took the jackpot off {self.table}: {self.what}"


# A round, and what controllers count


@dataclass(frozen=True, slots=True, kw_only=True)
class _RoundTakenBack(OfLink):
    round: int
    table: str
    why: str
    refunded: Money
    forfeited: tuple[int, ...]  # boxes


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundVoided(_RoundTakenBack):
    kind: ClassVar[str] = "jackpot.round-void"

    def sentence(self) -> str:
        return f"voided round {self.round} at {self.table}: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundInvalidated(_RoundTakenBack):
    kind: ClassVar[str] = "jackpot.round-invalidated"

    def sentence(self) -> str:
        return f"invalidated round {self.round} at {self.table}: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchAct(OfLink):
    batch: int
    table: str
    wagers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributionsHeld(BatchAct):
    kind: ClassVar[str] = "jackpot.contributions-held"

    def sentence(self) -> str:
        return f"sent {self.wagers} wagers of {self.table}, which are held: unreasonably many at once"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributionsReleased(BatchAct):
    kind: ClassVar[str] = "jackpot.contributions-released"

    def sentence(self) -> str:
        return f"released {self.wagers} held wagers of {self.table}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributionsRejected(BatchAct):
    kind: ClassVar[str] = "jackpot.contributions-rejected"

    def sentence(self) -> str:
        return f"rejected {self.wagers} held wagers of {self.table}"


# A must-hit-by link: its bounds, and each movement of its meter, sealed and then decided. The code stands in the data.


def _meter(code: str, level: str | None) -> str:
    return f"{code}, {level}" if level else code


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfMeter(Act):
    code: str

    @property
    def subject(self) -> str:
        return link_subject(self.code)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterBounded(_OfMeter):
    """Between what it falls, from its first pool or from the next one on: written with the terms that say so."""

    kind: ClassVar[str] = "jackpot.meter-bounded"
    version: int
    seed: Money
    ceiling: Money
    level: OrMissing[str] = None  # where the link has several

    def sentence(self) -> str:
        return f"bounded {_meter(self.code, self.level)}: from {self.seed}, to be hit by {self.ceiling}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementSealed(_OfMeter):
    """The wagers of one movement, with their boxes, before anybody can know what they win."""

    kind: ClassVar[str] = "jackpot.movement-sealed"
    number: int
    occasion: str
    moved: Money
    wagers: tuple[Counted, ...]
    level: OrMissing[str] = None

    def sentence(self) -> str:
        return (
            f"sealed movement {self.number} of {_meter(self.code, self.level)}: {len(self.wagers)} wagers, {self.moved}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fell:
    """A fall: where, what it pays, to whose wager, and between what the next pool runs."""

    point: Money
    amount: Money
    wager: str
    start: Money
    ceiling: Money
    hit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementDecided(_OfMeter):
    """Whether it fell, and where: recomputed by anybody once the day's master is revealed."""

    kind: ClassVar[str] = "jackpot.movement-decided"
    number: int
    occasion: str
    attempt: int
    before: Money
    after: Money
    ceiling: Money
    falls: tuple[Fell, ...]
    waiting: int  # how many sealed movements are still undecided
    level: OrMissing[str] = None

    def sentence(self) -> str:
        fell = ", ".join(f"fell at {fall.point}" for fall in self.falls) or "nothing fell"
        return f"decided movement {self.number} of {_meter(self.code, self.level)}: {fell}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterUndecided(_OfMeter):
    """The witness is away: what was sealed waits for it, and the sign says so."""

    kind: ClassVar[str] = "jackpot.undecided"
    number: int

    def sentence(self) -> str:
        return f"waits for the witness to decide movement {self.number} of {self.code}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WagersTooLate(_OfMeter):
    """Wagers that came late or after a gap: they go to the next pool and cannot win."""

    kind: ClassVar[str] = "jackpot.wagers-too-late"
    table: str
    wagers: int
    why: str

    def sentence(self) -> str:
        return f"put {self.wagers} wagers of {self.table} into the next pool of {self.code}: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WagersRefunded(_OfMeter):
    """A refund after the wagers had counted: the house's cost. The meter stays, and so does what was decided."""

    kind: ClassVar[str] = "jackpot.refunded"
    round: int
    table: str
    refunded: Money
    cause: str
    proposal: int

    def sentence(self) -> str:
        return f"refunded {self.refunded} of round {self.round} at {self.table} at the house’s cost: {self.cause}"


ALL: Final[tuple[type[Act], ...]] = (
    LinkOpened,
    TermsSet,
    LinkAdjusted,
    LinkRetired,
    TableJoined,
    TableMoved,
    TableOpened,
    TableClosed,
    TableSuspended,
    RoundVoided,
    RoundInvalidated,
    ContributionsHeld,
    ContributionsReleased,
    ContributionsRejected,
    MeterBounded,
    MovementSealed,
    MovementDecided,
    MeterUndecided,
    WagersTooLate,
    WagersRefunded,
)
