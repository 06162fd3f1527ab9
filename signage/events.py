"""What the boards may know: which acts are published, and which of their parts. Everything else stays in the house.

A board needs no names, no boxes and no reasons that people typed in. A kind that is not listed is not published. Parts
are named as the act's class names them, and looked at when this module is imported; what is published is what the log
kept, byte for byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from jackpot.acts import (
    LinkOpened,
    LinkRetired,
    MeterBounded,
    MeterUndecided,
    MovementDecided,
    TableClosed,
    TableJoined,
    TableMoved,
    TableOpened,
    TableSuspended,
)
from jackpot.hit_acts import HitClaimed, HitDenied, HitPaid, HitVerified
from jackpot.link_acts import LINK_DOWN
from jackpot.round_acts import HitShared
from keno.acts import (
    BallFellBack,
    DrawFinished,
    DrawLocked,
    DrawVoided,
    DrawWaits,
    GameClosed,
    GameInvalidated,
    GameMoved,
    GameOpened,
    GameSettled,
    NumberDrawn,
    TicketsSealed,
)
from keno.ball_acts import BallCorrected
from keno.resettle_acts import GameResettled
from kernel.acts import Act
from promotions.acts.draws import ResultPublished

_WRITTEN: Final = re.compile(r"(\d{1,19})-(\d{1,19})", re.ASCII)
LAST_ID: Final = (1 << 63) - 1
METER_ID: Final = 1 << 62  # from here on stand the meters of a transaction, above all its rows


class Position(NamedTuple):
    """Where something stands in the log: the transaction that wrote it, then its number. Written ``tx-id``.

    Redis writes the ids of a stream so, too, and refuses one that is not above the last: a position is published once,
    whoever publishes, and means the same after Redis has lost everything.
    """

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


# What is no act: a meter that has moved, and the log's latest head as a signed note (C2SP), as soon as there is one.
METER: Final = "jackpot.meter"
CHECKPOINT: Final = "log.checkpoint"

Data = Mapping[str, Any]
Part = str | tuple[str, Callable[[Data], object]]  # a part of the act, or a name with how it is made of the act's data


class Published:
    """The parts of one kind of act that everybody may see, in the order in which they are written."""

    def __init__(self, act: type[Act], *parts: Part) -> None:
        in_subject = act.in_subject()
        for part in parts:
            if isinstance(part, str) and _field(part) not in act.keys() | in_subject:
                raise TypeError(f"{act.__name__} has no part {_field(part)}")
        self.act, self.parts, self.in_subject = act, parts, in_subject

    def shown(self, subject: str, data: Data) -> dict[str, Any]:
        known = {**dict.fromkeys(self.in_subject, subject.partition(":")[2]), **data}
        found: dict[str, Any] = {}
        for part in self.parts:
            if not isinstance(part, str):
                found[part[0]] = part[1](data)
            elif _field(part) in known:
                found[part.partition("=")[0]] = known[_field(part)]
        return found


def _field(part: str) -> str:
    """``title`` is published under its own name; ``code=link`` is the field link, published as code."""
    return part.rpartition("=")[2]


def _jackpots_won(settled: Data) -> object:
    return settled["totals"].get("jackpots") or {}


def _total(name: str) -> tuple[str, Callable[[Data], Any]]:
    return name, lambda settled: settled["totals"].get(name)


def _falls(decided: Data) -> Any:
    """Where it fell and what that pays; whose wager it was is no board's business."""
    return [{name: fell[name] for name in ("point", "amount", "start", "ceiling")} for fell in decided["falls"]]


def _link_down(suspended: Data) -> bool:
    """Its controller is not heard of. What else may be wrong with a table is no board's business."""
    return str(suspended.get("what", "")).startswith(LINK_DOWN)


_HIT: Final = ("hit", "link", "table", "hand", "kind", "amount", "from_pool", "status")
_TOTALS: Final = (("jackpots", _jackpots_won), _total("winners"), _total("prizes"), _total("biggest"))
_SETTLED: Final = ("game", "attempt", "numbers", "device", "commitment", "ticket_root", "ticket_count", "seed")

GAMES: Final = (
    Published(GameOpened, "game", "opens_at", "closes_at", "gaming_day", "device", "commitment"),
    Published(GameMoved, "game", "new"),
    Published(GameClosed, "game", "closed_at"),
    Published(TicketsSealed, "game", "ticket_root", "ticket_count"),
    Published(DrawLocked, "game", "attempt"),
    Published(DrawWaits, "game", "attempt"),
    Published(NumberDrawn, "game", "attempt", "place", "number"),
    Published(BallFellBack, "game", "attempt", "number"),
    Published(BallCorrected, "game", "attempt", "place", "old", "new"),
    Published(DrawFinished, "game", "attempt", "numbers", "ticket_root", "ticket_count"),
    Published(GameSettled, *_SETTLED, *_TOTALS),
    Published(GameResettled, "game", "attempt", "recorded", "numbers", *_TOTALS),
    Published(DrawVoided, "game", "attempt", "cause", "numbers", "would_be", "device"),
    Published(GameInvalidated, "game", "cause"),
)
LINKS: Final = (
    Published(LinkOpened, "code=link", "title"),
    Published(LinkRetired, "code=link"),
    Published(TableJoined, "table", "link"),
    Published(TableMoved, "table", "link"),
    Published(TableOpened, "table"),
    Published(TableClosed, "table"),
    Published(TableSuspended, "table", ("link_down", _link_down)),
)
HITS: Final = tuple(Published(act, *_HIT) for act in (HitClaimed, HitShared, HitVerified, HitPaid, HitDenied))
METERS: Final = (
    Published(MeterBounded, "code", "seed", "ceiling", "level"),
    Published(MeterUndecided, "code", "number"),
    Published(MovementDecided, "code", "number", "level", "before", "after", "ceiling", "waiting", ("falls", _falls)),
)

RESULTS: Final = (Published(ResultPublished, "promotion", "name", "draw", "attempt", "numbers", "prize", "winners"),)

PUBLISHED: Final = {each.act.kind: each for each in (*GAMES, *LINKS, *HITS, *METERS, *RESULTS)}
KINDS: Final = sorted(PUBLISHED)


def kinds_of(published: tuple[Published, ...]) -> list[str]:
    return [each.act.kind for each in published]


@dataclass(frozen=True, slots=True)
class Event:
    """Something a board is told. *before* is the act published just before it; what is no act has none."""

    position: Position
    kind: str
    data: Mapping[str, Any]
    before: Position | None = None

    def encoded(self, *, with_id: bool = True) -> bytes:
        """As server-sent events are written. Without an id it does not move the listener's place in the log."""
        said = f"id: {self.position}\n" if with_id else ""
        return f"{said}event: {self.kind}\ndata: {written(self.data)}\n\n".encode()


def written(data: object) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def public(kind: str, subject: str, at: datetime, data: Data) -> dict[str, object]:
    """The parts of an act that everybody may see, and when it was."""
    shown = PUBLISHED[kind].shown(subject, data)
    return {"at": at.astimezone(UTC).isoformat(timespec="milliseconds"), **shown}
