"""The most that a game could pay out: of one ticket over every possible draw, and of all tickets of a game together.

What is fixed by the schedules and by 9.1 to 9.4. A jackpot is not: a full match of a jackpot way pays the amount on
display, once a game, whoever wins it (9.5); neither are bonuses, which have a budget of their own.

In a draw a ticket has small prizes *n* (each below $200), and *c* majors of *a* dollars before they are pro-rated. A
game pays its majors ``min(a, max($50,000, $200 x c))`` (9.2, 9.3: within $50,000 in full, else $50,000, or $200 each if
that is more), and its small prizes whole. Of each ticket three figures are kept, each the largest over all draws:

- *most*: what it would be paid if it were alone in the game;
- *minors*: n, its small prizes alone;
- *held*: n + $200 x c, its majors at the $200 that nothing takes them below.

The game then pays at most ``min(sum of most, max($50,000 + sum of minors, sum of held))``, in every draw: the majors of
all tickets together are one sum that is cut once, and the cut is the larger of two. For one ticket that is exact. For
several it is a bound: it lets each have its best draw, and which numbers would serve most tickets at once is a question
that nobody can answer in the time of a sale. It errs on the side of caution only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final

from keno.rules.entry import TicketEntry
from keno.rules.prorate import MAJOR, MAJORS_TOTAL_LIMIT
from keno.rules.schedules import PrizeTable
from keno.rules.selection import NUMBERS
from keno.rules.settle import DRAWN
from keno.rules.ways import WayCounts
from kernel.money import ZERO, Money
from kernel.refusal import Conflict, Refusal

# Ways in which a draw can fall on the groups of a ticket, looked at one by one. Beyond that the ticket gets a bound.
PATTERNS_LIMIT: Final = 1_000
_CACHED_TICKETS: Final = 4_096

Pattern = dict[tuple[int, int], int]  # groups by size and hits: how many
Prizes = tuple[int, ...]  # micro-dollars of one way, by matches; a jackpot's full match is nothing here
_MAJOR: Final = MAJOR.micros
_TOGETHER: Final = MAJORS_TOTAL_LIMIT.micros


@dataclass(frozen=True, slots=True)
class Exposure:
    """What a ticket adds to what each of its games could pay. *way*: the most that one way of it is paid."""

    way: Money = ZERO
    most: Money = ZERO
    minors: Money = ZERO
    held: Money = ZERO
    exact: bool = True  # false: a bound, of a ticket that a draw can fall on in too many ways to look at

    def __add__(self, other: Exposure) -> Exposure:
        """Of several tickets of one game."""
        return Exposure(
            max(self.way, other.way),
            self.most + other.most,
            self.minors + other.minors,
            self.held + other.held,
            exact=False,
        )

    @property
    def payable(self) -> Money:
        """The most that the game pays to these tickets."""
        return min(self.most, max(MAJORS_TOTAL_LIMIT + self.minors, self.held))


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that a way, a ticket and a game may make payable. The house's own: no clause asks for them."""

    way_limit: Money
    ticket_limit: Money
    game_limit: Money


def require_within(ticket: Exposure, limits: Limits) -> None:
    """What can be said of a ticket by itself."""
    if ticket.way > limits.way_limit:
        raise Refusal(
            "way-over-house-limit",
            f"One way of this ticket could win ${ticket.way}. The house takes at most ${limits.way_limit} on a way: "
            "stake less.",
            field="stake",
        )
    if ticket.payable > limits.ticket_limit:
        raise Refusal(
            "ticket-over-house-limit",
            f"This ticket could win ${ticket.payable} in one game. The house takes at most ${limits.ticket_limit} on a "
            "ticket: play fewer ways, or stake less.",
            field="stake",
        )


def require_room(ticket: Exposure, *, game: int, before: Exposure, limits: Limits) -> None:
    """*before*: what the tickets sold until now could make the game pay."""
    require_within(ticket, limits)
    if (payable := (before + ticket).payable) > limits.game_limit:
        raise Conflict(
            "game-over-house-limit",
            f"With this ticket game {game} could pay out ${payable}. The house limits a game to ${limits.game_limit}: "
            "play fewer ways, stake less, or wait for the next game.",
            field="stake",
        )


def exposure(entry: TicketEntry, *, numbers: int = NUMBERS, drawn: int = DRAWN) -> Exposure:
    """Of one ticket in one game. *numbers* and *drawn*: of a smaller board, on which every draw can be tried."""
    selection = entry.selection
    plays = tuple(
        (play.spots, _prizes(entry.prize_table(play), play.stake, entry.in_jackpot(play))) for play in selection.plays
    )
    return _exposure(tuple(sorted(map(len, selection.groups))), plays, selection.ways, numbers, drawn)


@lru_cache(maxsize=_CACHED_TICKETS)
def _prizes(table: PrizeTable, stake: Money, enters: bool) -> Prizes:
    """Of one way. *enters*: a jackpot way, whose full match is paid by its jackpot and whose others have no cap."""
    prizes = [table.prize(matches, stake, capped=not enters).micros for matches in range(table.spots + 1)]
    return (*prizes[:-1], 0 if enters else prizes[-1])


@lru_cache(maxsize=_CACHED_TICKETS)
def _exposure(
    sizes: tuple[int, ...], plays: tuple[tuple[int, Prizes], ...], ways: tuple[int, ...], numbers: int, drawn: int
) -> Exposure:
    """Which numbers are marked makes no difference, only how many to a group."""
    way = Money(min(max(max(prizes) for _, prizes in plays), _TOGETHER))
    patterns = list(islice(_patterns(sizes, numbers=numbers, drawn=drawn), PATTERNS_LIMIT + 1))
    if len(patterns) > PATTERNS_LIMIT:
        return _bound(way, plays, ways)
    most = minors = held = 0
    most_spots = max(spots for spots, _ in plays)
    for hits in patterns:
        counts = WayCounts(hits, most_spots=most_spots)
        small = majors = count = 0
        for spots, prizes in plays:
            for matches, matching in counts.matching(spots):
                if prizes[matches] >= _MAJOR:
                    majors += prizes[matches] * matching
                    count += matching
                else:
                    small += prizes[matches] * matching
        most = max(most, small + min(majors, max(_TOGETHER, _MAJOR * count)))
        minors = max(minors, small)
        held = max(held, small + _MAJOR * count)
    return Exposure(way, Money(most), Money(minors), Money(held))


def _bound(way: Money, plays: Sequence[tuple[int, Prizes]], ways: Sequence[int]) -> Exposure:
    """As if every way could have its best draw at once."""
    top = minors = held = 0
    for (_, prizes), count in zip(plays, ways, strict=True):
        small = max((prize for prize in prizes if prize < _MAJOR), default=0)
        top += max(prizes) * count
        minors += small * count
        held += (_MAJOR if max(prizes) >= _MAJOR else small) * count
    most = min(top, max(_TOGETHER + minors, held))
    return Exposure(way, Money(most), Money(minors), Money(held), exact=False)


def _patterns(sizes: Sequence[int], *, numbers: int, drawn: int) -> Iterator[Pattern]:
    """Every way in which a draw can fall on the groups; groups alike change places freely."""
    alike = sorted(Counter(sizes).items())
    least = max(0, drawn - (numbers - sum(sizes)))  # what the numbers that nobody marked cannot take up

    def of_kinds(kind: int, left: int) -> Iterator[Pattern]:
        if kind == len(alike):
            if drawn - left >= least:
                yield {}
            return
        size, count = alike[kind]
        for falls, taken in _falls(size, count, left, size):
            for rest in of_kinds(kind + 1, left - taken):
                yield falls | rest

    return of_kinds(0, drawn)


def _falls(size: int, count: int, left: int, hits: int) -> Iterator[tuple[Pattern, int]]:
    """How *count* groups of one size can be hit, each at most *hits* times and *left* times together; and how often."""
    if hits == 0 or count == 0:
        yield ({(size, 0): count} if count else {}), 0
        return
    for groups in range(min(count, left // hits) + 1):
        for rest, taken in _falls(size, count - groups, left - groups * hits, hits - 1):
            yield ({(size, hits): groups} | rest if groups else rest), taken + groups * hits
