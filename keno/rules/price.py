"""What may be staked, what a ticket costs, what was paid for each of its games, what comes back (3.1, 5.1, 6, 14.5).

The tier is set by the number of ways on the whole ticket. Above its minimum a stake goes up by $0.10 to $1.00, then
by $1.00. Ways in a jackpot are staked in whole dollars (5.1); we read 5.1 way by way, as 9.7 reads a way ticket, so
the other plays of a jackpot ticket keep their own tier.

Free games are the last ones of the ticket: nothing was paid for them, so nothing is refunded for them. The premium of a
jackpot ticket (4.7a) is charged like the stake, for the charged games only, and counts towards the $9,999.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from keno.rules.entry import TicketEntry
from kernel.money import ZERO, Money
from kernel.refusal import Conflict, Refusal

DOLLAR: Final = Money.dollars(1)
STEP: Final = Money.cents(10)


@dataclass(frozen=True, slots=True)
class Tier:
    from_ways: int
    least: Money
    clause: str


# Highest first: the first one that a ticket has ways enough for is its tier.
TIERS: Final = (
    Tier(50, Money.cents(10), "act-keno:3.1c-iii"),
    Tier(20, Money.cents(20), "act-keno:3.1c-ii"),
    Tier(4, Money.cents(50), "act-keno:3.1c-i"),
    Tier(1, DOLLAR, "act-keno:3.1"),
)


def tier_for(ways: int) -> Tier:
    """The tier of a ticket with this many ways on it (3.1c)."""
    return next(tier for tier in TIERS if ways >= tier.from_ways)


def check_stakes(entry: TicketEntry) -> None:
    """Refuse the first play whose stake is not allowed, with the clause that says so."""
    tier = tier_for(entry.selection.total_ways)
    for i, play in enumerate(entry.selection.plays):
        if entry.in_jackpot(play):
            _check(play.stake, DOLLAR, least="act-keno:5.1", steps="act-keno:5.1", field=_field(entry, i))
        else:
            steps = "act-keno:3.1" if tier.least == DOLLAR else "act-keno:3.1c-steps"
            _check(play.stake, tier.least, least=tier.clause, steps=steps, field=_field(entry, i))


def _field(entry: TicketEntry, play: int) -> str:
    return entry.selection.form.stake_field(play)


def _check(stake: Money, minimum: Money, *, least: str, steps: str, field: str) -> None:
    if stake < minimum:
        raise Refusal(
            "stake-not-allowed", f"${stake} a way is too little: from ${minimum} here.", clause=least, field=field
        )
    step = STEP if stake < DOLLAR else DOLLAR
    if stake.micros % step.micros:
        raise Refusal(
            "stake-not-allowed",
            f"${stake} a way is not a stake: "
            + ("whole dollars only." if minimum == DOLLAR else "steps of $0.10 up to $1.00, then whole dollars."),
            clause=steps,
            field=field,
        )


PRICE_LIMIT: Final = Money.dollars(9_999)  # 3.1
KENO_TO_GO: Final = 50  # games (Terms used in Keno)


def charged_games(games: int) -> int:
    """50 to 99 games: one fewer (3.1a). 100 or more: two fewer (3.1b)."""
    return games - (games >= 50) - (games >= 100)


@dataclass(frozen=True, slots=True)
class Price:
    """The price of *games* games at *price_a_game* each."""

    games: int
    price_a_game: Money

    @property
    def charged_games(self) -> int:
        return charged_games(self.games)

    @property
    def keno_to_go(self) -> bool:
        return self.games >= KENO_TO_GO

    @property
    def total(self) -> Money:
        return self.price_a_game * self.charged_games

    def is_charged(self, position: int) -> bool:
        """Whether the *position*-th game of the ticket (from 1) was paid for."""
        if not 1 <= position <= self.games:
            raise ValueError(f"a ticket of {self.games} games has no game {position}")
        return position <= self.charged_games

    def paid_for(self, position: int) -> Money:
        """What was paid for the *position*-th game: its refund if it is invalidated (14.5)."""
        return self.price_a_game if self.is_charged(position) else ZERO


@dataclass(frozen=True, slots=True)
class QuotedPlay:
    spots: int
    ways: int
    stake: Money


@dataclass(frozen=True, slots=True)
class Quote:
    """What the writer reads to the player before the sale."""

    price: Price
    ways: int
    plays: tuple[QuotedPlay, ...]


def quote(entry: TicketEntry, *, games: int = 1, premium: Money = ZERO) -> Quote:
    """The price of a ticket that may be sold: sum of ways x stake x charged games, at most $9,999.00 (3.1).

    *premium*: the house's premium a jackpot way a game (4.7a).
    """
    if games < 1:
        raise Refusal(
            "games-missing", f"A ticket plays at least one game, not {games}.", clause="act-keno:3.1", field="games"
        )
    check_stakes(entry)
    selection = entry.selection
    plays = tuple(
        QuotedPlay(play.spots, ways, play.stake) for play, ways in zip(selection.plays, selection.ways, strict=True)
    )
    price_a_game = Money.total(play.stake * play.ways for play in plays) + premium * entry.jackpot_ways
    price = Price(games, price_a_game)
    if price.total > PRICE_LIMIT:
        raise Refusal(
            "price-over-limit",
            f"The ticket would cost ${price.total}. One ticket costs at most ${PRICE_LIMIT}: "
            "play fewer games or ways, or stake less.",
            clause="act-keno:3.1",
            field="games" if price_a_game <= PRICE_LIMIT else selection.form.stake_field(0),
        )
    return Quote(price, selection.total_ways, plays)


@dataclass(frozen=True, slots=True)
class Cancellation:
    """The games taken back, by their position on the ticket, and the money returned."""

    first: int
    last: int
    refund: Money

    @property
    def games(self) -> int:
        return self.last - self.first + 1


def cancellation(price: Price, *, first_unplayed: int, begun: bool | None = None) -> Cancellation:
    """Take back the games from *first_unplayed* on: the first whose first number is not yet recorded (6.1).

    Under 50 games every unplayed game goes (6.2); a Keno To Go ticket goes whole, before its first game, or not at all
    (6.3). *begun*: whether a number of any of its games was recorded; left out, of those before. They can differ: a
    game that was invalidated while it was open is over, and no number of it was ever recorded. The gaming day of issue
    (6.4) is the caller's to check: these rules have no clock.
    """
    if first_unplayed > price.games:
        raise Conflict(
            "nothing-to-cancel",
            "Every game of this ticket has begun to be drawn: there is nothing left to cancel.",
            clause="act-keno:6.1",
        )
    if price.keno_to_go and (first_unplayed > 1 if begun is None else begun):
        raise Conflict(
            "keno-to-go-begun",
            f"A ticket of {KENO_TO_GO} games or more can be cancelled only before the first number of its first game.",
            clause="act-keno:6.3",
        )
    charged = max(0, price.charged_games - first_unplayed + 1)
    return Cancellation(first_unplayed, price.games, price.price_a_game * charged)
