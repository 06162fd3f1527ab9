"""What incidents there are, under which clause, and who is told of each by when: the stranger's own table, held by a
test against what the rooms declare; and which acts never come without one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from house.acts import GamingDayClosedEarly
from house.approval_acts import LetterDisputed
from house.incident_acts import IncidentReported
from house.rules.gaming_day import instant
from keno.acts import BallFellBack, GameInvalidated
from keno.prize_acts import PrizeHeld
from keno.resettle_acts import GameResettled
from kernel.acts import Act
from kernel.export_check import ActOnRecord, Doubt
from promotions.acts.terms import Postponed
from tablegames.acts import IntentDecided, PaymentErrorFound

_NOW, _HOURS_48, _MONTH_END = "immediately", "48-hours", "month-end"
_AHEAD: Final = timedelta(minutes=2)  # of the clock of who reports it
_SUSPECTED: Final = "suspected"
COMPROMISED: Final = "promotion-compromised-"  # by its edition


class Kind(NamedTuple):
    clauses: frozenset[str]  # one of which it is reported under; "": under none
    notices: tuple[tuple[str, str], ...]


def _kind(clauses: str = "", *told: str, by: str = _NOW, or_none: bool = False) -> Kind:
    found = frozenset(clauses.split() or [""]) | ({""} if or_none else frozenset())
    return Kind(found, tuple((to, by) for to in told))


def _numbered(numbers: str) -> str:
    """``bj:16.2`` is act-bj:16.2."""
    return " ".join(f"act-{each}" if not each.startswith(("nsw-", "vu-", "nz-")) else each for each in numbers.split())


_INSPECTOR, _PLAYERS = "inspector", "players"
_BOTH: Final = (_INSPECTOR, _PLAYERS)
KINDS: Final = {
    "collusion": _kind("act-cp:12.2 act-pg:14.2 vu-lp:11.1 nz-lp:11.1", or_none=True),
    "draw-waits": _kind(),
    "draws-void": _kind("", _INSPECTOR),
    "early-close": _kind("act-keno:13.2", _PLAYERS, _INSPECTOR),
    "employee-conduct": _kind(
        _numbered(
            "keno:14.7 bj:16.7 ar:10.7 bac:11.7 mb:11.7 pg:17.7 cp:15.7 sb:10.7 mw:10.7 pk:18.7 nsw-csp:16.11 "
            "nsw-lp:14.6"
        ),
        or_none=True,
    ),
    "equipment-malfunction": _kind("nsw-csp:14.15", _INSPECTOR),
    "foreign-or-missing-card": _kind(
        "nsw-csp:14.9 nsw-lp:12.11 vu-lp:11.10 nz-lp:11.10", "surveillance", _INSPECTOR
    ),
    "guessing": _kind(),
    "influence": _kind(
        _numbered(
            "keno:14.8 bj:16.9 ar:10.9 bac:11.9 mb:11.9 pg:17.9 cp:15.9 sb:10.8 mw:10.9 pk:18.9 nsw-csp:16.12 "
            "nsw-lp:14.7"
        ),
        or_none=True,
    ),
    "jackpot-controller-silent": _kind("nsw-csp:14.15", _INSPECTOR),
    "jackpot-hand-not-confirmed": _kind("nsw-csp:9.6", _INSPECTOR),
    "jackpot-hit-differs": _kind("", _INSPECTOR),
    "jackpot-instalment-overdue": _kind("", _INSPECTOR),
    "jackpot-messages-differ": _kind("", _INSPECTOR),
    "jackpot-meter-disagrees": _kind("", _INSPECTOR),
    "jackpot-meter-not-believed": _kind("", _INSPECTOR),
    "jackpot-out-of-balance": _kind("nsw-csp:11.5", _INSPECTOR),
    "jackpot-refund-after-counting": _kind("", _INSPECTOR),
    "jackpot-round-waited-for": _kind("act-pg:13.3", _INSPECTOR),
    "jackpot-unreasonable-contributions": _kind("", _INSPECTOR),
    "jackpot-wagers-too-late": _kind("", _INSPECTOR),
    "keno-ball-bias": _kind("act-keno:2.1", _INSPECTOR),
    "keno-ball-damaged": _kind("act-keno:12.4a", *_BOTH),
    "keno-ball-fell-back": _kind("act-keno:12.4b"),
    "keno-balls-missing": _kind("act-keno:12.2", *_BOTH),
    "keno-balls-spilled": _kind("act-keno:12.4c", *_BOTH),
    "keno-device-stopped": _kind("act-keno:12.4d", _INSPECTOR),
    "keno-dispute": _kind("act-keno:14.6"),
    "keno-exposure": _kind(),
    "keno-game-invalidated": _kind("act-keno:14.1", *_BOTH),
    "keno-game-resettled": _kind("act-keno:12.1-record", *_BOTH),
    "keno-malfunction": _kind("act-keno:12.3", *_BOTH),
    "keno-master-lost": _kind("act-keno:12.3", _INSPECTOR),
    "keno-over-short": _kind(),
    "keno-prize-differs": _kind("act-keno:4.3", _INSPECTOR),
    "keno-prize-held": _kind("act-keno:14.3"),
    "keno-shift-abandoned": _kind(),
    "keno-witness-away": _kind("act-keno:12.3", *_BOTH),
    "keno-wrong-codes": _kind("act-keno:10.3"),
    "late": _kind(),
    "leavers-tokens": _kind(),
    "letter-disputed": _kind("", "regulator"),
    "log-diverged": _kind("", _INSPECTOR),
    "master-lost": _kind("", _INSPECTOR),
    "not-covered": _kind("act-pk:18.6 nsw-lp:12.18 vu-lp:11.18 nz-lp:11.20", or_none=True),
    "other": _kind(),
    "payment-error": _kind("nsw-csp:14.16"),
    "payment-error-above-1000": _kind("nsw-csp:14.19", "regulator", by=_MONTH_END),
    "payment-error-suspected": _kind("nsw-csp:14.17"),
    "possible-structuring": _kind(),
    "prohibited-device": _kind(
        _numbered(
            "keno:14.2 bj:16.2 ar:10.2 bac:11.2 mb:11.2 pg:17.2 cp:15.2 sb:10.2 mw:10.2 pk:18.2 nsw-csp:16.6 "
            "nsw-lp:14.1"
        ),
        or_none=True,
    ),
    "promotion-compromised-2019": _kind("nsw-promo-2019:15.12", _INSPECTOR),
    "promotion-compromised-2025": _kind("nsw-promo-2025:17.11", _INSPECTOR, by=_HOURS_48),
    "promotion-dispute-2019": _kind("nsw-promo-2019:15.11", "person"),
    "promotion-dispute-2025": _kind("nsw-promo-2025:17.10", "person"),
    "promotion-draw-waits": _kind(),
    "promotion-winner-not-notified-2019": _kind("nsw-promo-2019:15.8"),
    "promotion-winner-not-notified-2025": _kind("nsw-promo-2025:17.8"),
    "proxy-betting": _kind("nsw-csp:16.21"),
    "report-overdue": _kind(),
    "round-invalidated": _kind(
        _numbered("bj:16.4 ar:10.4 bac:11.4 mb:11.4 pg:17.4 cp:15.4 sb:10.4 mw:10.4 pk:18.4 nsw-csp:16.9 nsw-lp:14.4"),
        or_none=True,
    ),
    "rules-broken": _kind(
        _numbered("bj:16.3 ar:10.3 bac:11.3 mb:11.3 pg:17.3 cp:15.3 sb:10.3 mw:10.3 pk:18.3"), or_none=True
    ),
    "shuffler-failed": _kind("nsw-csp:15.2 nsw-lp:13.2", or_none=True),
    "side-bet": _kind(
        _numbered(
            "keno:14.9 bj:16.10 ar:10.10 bac:11.10 mb:11.10 pg:17.10 cp:15.10 sb:10.9 mw:10.10 pk:18.10 "
            "nsw-csp:16.15 nsw-lp:14.10"
        ),
        or_none=True,
    ),
    "table-closed-early": _kind(
        _numbered("bj:15.2 ar:8.2 bac:10.2 mb:10.2 pg:16.2 cp:14.2 sb:9.2 mw:9.2 pk:17.2"),
        _PLAYERS,
        _INSPECTOR,
        or_none=True,
    ),
    "table-dispute": _kind(
        _numbered(
            "bj:16.6 ar:10.6 bac:11.6 mb:11.6 pg:17.6 cp:15.6 sb:10.6 mw:10.6 pk:18.6 nsw-csp:16.17 nsw-lp:14.12"
        ),
        "gaming-supervisor",
        or_none=True,
    ),
    "witness-away": _kind("", _INSPECTOR),
    "witness-stopped": _kind("", _INSPECTOR),
}  # fmt: skip


def check_reported(act: IncidentReported, row: ActOnRecord, zone: str) -> None:
    """By its kind: the clause, who is told, by when."""
    kind, name = KINDS.get(act.kind_), f"incident {act.incident}"
    if kind is None:
        raise Doubt(f"{name} is of a kind that there is not: {act.kind_}.")
    if act.clause not in kind.clauses:
        raise Doubt(f"{name} ({act.kind_}) is reported under {act.clause or 'no clause'}, which says nothing of it.")
    known = datetime.fromisoformat(row.at)
    if act.happened_at > known + _AHEAD:
        raise Doubt(f"{name} is reported before it happened.")
    for (to, by), said in zip(kind.notices, act.notices, strict=False):
        due = _due(by, act.happened_at, known, zone)
        if said.to != to or (due is not None and abs(said.due_at - due) > _AHEAD):
            raise Doubt(f"{name} ({act.kind_}): {to} is to be told {by}, and the record says otherwise.")
    if len(act.notices) != len(kind.notices):
        raise Doubt(f"{name} ({act.kind_}) is not told to whom it has to be.")


def clock_of(zone: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError):
        return None


def _due(by: str, happened: datetime, known: datetime, zone: str) -> datetime | None:
    """None: this machine does not know the venue's clock."""
    if by != _MONTH_END:
        return happened.astimezone(UTC) + timedelta(hours=48 if by == _HOURS_48 else 0)
    clock = clock_of(zone)
    if clock is None:
        return None
    there = known.astimezone(clock)
    years, month = divmod(there.month, 12)
    return instant(date(there.year + years, month + 1, 1), time(0), clock)


def owed(act: Act) -> Iterator[tuple[str, str]]:
    """What an act never comes without, in its own transaction: an incident of this kind (or that begins so), about
    that."""
    match act:
        case GamingDayClosedEarly():
            yield "early-close", act.subject
        case LetterDisputed():
            yield "letter-disputed", f"proposal:{act.proposal}"
        case GameInvalidated():
            yield "keno-game-invalidated", act.subject
        case GameResettled():
            yield "keno-game-resettled", act.subject
        case BallFellBack():
            yield "keno-ball-fell-back", act.subject
        case PrizeHeld():
            yield "keno-prize-held", f"ticket:{act.ticket}"
        case Postponed():
            yield COMPROMISED, act.subject
        case IntentDecided() if act.intent == _SUSPECTED:
            yield "payment-error-suspected", act.subject
        case PaymentErrorFound():
            yield "payment-error", ""


ACTS: Final[tuple[type[Act], ...]] = (
    GamingDayClosedEarly, LetterDisputed, GameInvalidated, GameResettled, BallFellBack, PrizeHeld,
    Postponed, IntentDecided, PaymentErrorFound,
)  # fmt: skip
