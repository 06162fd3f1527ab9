"""The settlement of one game: matches, prizes, majors, jackpots (7.1, 8, 9, 10.1).

Two steps. `match` needs one ticket and the numbers drawn; what a ticket wins then depends on others only if the majors
pass $50,000 together or a jackpot is shared, and `settle_game` decides that for all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from keno.rules.entry import TicketEntry
from keno.rules.prorate import MAJOR, Proration, settle_majors, share_jackpot
from keno.rules.schedules import GUARANTEES
from keno.rules.selection import NUMBERS
from keno.rules.ways import WayCounts
from kernel.money import ZERO, Money
from kernel.refusal import Refusal

DRAWN: Final = 20


@dataclass(frozen=True, slots=True)
class WayGroup:
    """Ways of one play with the same matches: each is a ticket of its own (9.7), and all win alike."""

    play: int
    spots: int
    matches: int
    count: int
    stake: Money
    # Of one way. From `match`: by the schedule and the cap of 9.1 (nothing yet for a jackpot way that matched in full).
    # From `settle_game`: what it is paid, loose cents not counted.
    prize: Money
    jackpot: bool = False
    prorated: bool = False
    # What fell to the whole group when loose cents were handed out.
    loose: Money = ZERO

    @property
    def total(self) -> Money:
        return self.prize * self.count + self.loose

    @property
    def major(self) -> bool:
        """A win of $200 or more on a single way; it may be paid by cheque (10.5)."""
        return self.prize >= MAJOR


@dataclass(frozen=True, slots=True)
class TicketResult:
    """What one ticket wins in the game; *ways* lists all its groups, the losing ones too."""

    prize: Money
    ways: tuple[WayGroup, ...]


@dataclass(frozen=True, slots=True)
class JackpotResult:
    """A jackpot won in the game: the whole displayed amount, shared by *ways* winning ways."""

    amount: Money
    ways: int


@dataclass(frozen=True, slots=True)
class GameResult:
    tickets: tuple[TicketResult, ...]
    majors: Proration
    jackpots: Mapping[int, JackpotResult]


def check_draw(drawn: Collection[int]) -> frozenset[int]:
    """Twenty different numbers of 1 to 80 (7.1)."""
    seen: set[int] = set()
    for i, number in enumerate(drawn):
        if not 1 <= number <= NUMBERS or number in seen:
            why = "is drawn twice" if number in seen else f"is not one of 1 to {NUMBERS}"
            raise Refusal("draw-impossible", f"{number} {why}.", clause="act-keno:7.1", field=f"drawn[{i}]")
        seen.add(number)
    if len(seen) != DRAWN:
        raise Refusal(
            "draw-impossible", f"{DRAWN} numbers are drawn, not {len(seen)}.", clause="act-keno:7.1", field="drawn"
        )
    return frozenset(seen)


def match(entry: TicketEntry, drawn: Collection[int]) -> tuple[WayGroup, ...]:
    """The ways of a ticket by play and matches, each with its prize before majors and jackpots are settled (10.1).

    *drawn* is looked up number by number: pass a set.
    """
    selection = entry.selection
    hits = [(len(group), sum(number in drawn for number in group)) for group in selection.groups]
    if len(hits) == 1:
        found = [(0, hits[0][1], 1)]  # one group is one way: plain tickets need no counting
    else:
        counts = WayCounts(hits, most_spots=max(play.spots for play in selection.plays))
        found = [
            (i, matches, count)
            for i, play in enumerate(selection.plays)
            for matches, count in counts.matching(play.spots)
        ]
    groups = []
    for i, matches, count in found:
        play = selection.plays[i]
        enters = entry.in_jackpot(play)
        jackpot = matches == play.spots and enters
        prize = ZERO if jackpot else entry.prize_table(play).prize(matches, play.stake, capped=not enters)
        groups.append(WayGroup(i, play.spots, matches, count, play.stake, prize, jackpot))
    return tuple(groups)


def settle_game(
    *, drawn: Collection[int], entries: Sequence[TicketEntry], jackpots: Mapping[int, Money] | None = None
) -> GameResult:
    """What a game pays to *entries*, which stand in ticket order (by serial).

    *jackpots*: the amounts displayed, by spots; never below the guarantee (5.2), which is also what a missing one has.
    """
    numbers = check_draw(drawn)
    tickets = [list(match(entry, numbers)) for entry in entries]
    places = [(t, g) for t, groups in enumerate(tickets) for g in range(len(groups))]

    # Jackpot entries short of a full match are paid and pro-rated like any other way (9.6); full ones are not.
    majors = [(t, g) for t, g in places if tickets[t][g].prize >= MAJOR]
    proration, settled = settle_majors([(tickets[t][g].prize, tickets[t][g].count) for t, g in majors])
    for (t, g), one in zip(majors, settled, strict=True):
        tickets[t][g] = replace(tickets[t][g], prize=one.amount, prorated=one.prorated, loose=one.loose)

    won: dict[int, JackpotResult] = {}
    for spots, guarantee in GUARANTEES.items():
        winners = [(t, g) for t, g in places if tickets[t][g].jackpot and tickets[t][g].spots == spots]
        if not winners:
            continue
        amount = max(guarantee, (jackpots or {}).get(spots, guarantee).down_to_cents())
        shares = share_jackpot(amount, [(tickets[t][g].stake, tickets[t][g].count) for t, g in winners])
        for (t, g), one in zip(winners, shares, strict=True):
            tickets[t][g] = replace(tickets[t][g], prize=one.amount, loose=one.loose)
        won[spots] = JackpotResult(amount, sum(tickets[t][g].count for t, g in winners))

    results = (TicketResult(Money.total(group.total for group in groups), tuple(groups)) for groups in tickets)
    return GameResult(tuple(results), proration, won)
