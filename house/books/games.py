"""What the books call a game, and what a room suggests for the general ledger. Rooms offer both in ``room.py``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from kernel.rooms import offered
from web.reports import Make


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """Gaming revenue is what came into *stakes* less what went out of *prizes*, by accounts or patterns of them."""

    code: str
    label: str
    stakes: tuple[str, ...]
    prizes: tuple[str, ...] = ()
    # For a first proposal: pattern, account of the ledger, its name.
    suggested: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class MonthEnd:
    """A report of a room that belongs into the pack at the end of a month."""

    make: Make


def played_games() -> list[PlayedGame]:
    return sorted(offered(PlayedGame), key=lambda game: game.code)


def sides() -> Callable[[str], tuple[str, int] | None]:
    """By account: the game it belongs to, and 1 for its stakes, -1 for its prizes; None where it is no gaming revenue.
    Of several patterns that fit the longest counts: Keno's pools are Keno's, all others are the jackpots'."""
    known = [
        (pattern, game.code, side)
        for game in played_games()
        for side, patterns in ((1, game.stakes), (-1, game.prizes))
        for pattern in patterns
    ]

    def side_of(account: str) -> tuple[str, int] | None:
        fits = [each for each in known if fnmatchcase(account, each[0])]
        return max(fits, key=lambda each: len(each[0]))[1:] if fits else None

    return side_of
