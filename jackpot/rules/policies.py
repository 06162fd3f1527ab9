"""A rule set is data over a few policies: a new jackpot is a new configuration, not new code.

The gazetted figures are in ``catalogue``; a link keeps its own rule set as data (``as_data``/``from_data``), so that
all its tables share one pay table (nsw-csp:11.9.1) and an approved change leaves the old version on record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, Final, NoReturn, TypeVar

from chance import hands, tiles
from kernel.money import BASIS_POINTS, ZERO, Money
from kernel.refusal import Refusal

T = TypeVar("T")

PRIZE: Final = "prize"
"""The level of a jackpot that has only one."""


class Game(StrEnum):
    """What decides a win."""

    CARDS = "cards"
    TILES = "tiles"
    MYSTERY = "mystery"


class Contributes(StrEnum):
    EVERY_WAGER = "every-wager"
    """At acceptance (nsw-csp:11.5)."""
    LOSING_WAGERS = "losing-wagers"
    """At the end of the round; a wager that wins a prize feeds no pool (act-cp:10.5, act-pg:12.7)."""


class MeasuredOn(StrEnum):
    POOL_WHEN_LOCKED = "pool-when-locked"
    """The pool at the moment of the hit, the round's own wagers included (nsw-csp:12.1)."""
    DISPLAYED_AT_START = "displayed-at-start"
    """What the table showed when the round began (act-cp:11.1)."""
    DISPLAYED_AT_WIN = "displayed-at-win"
    """What is shown at the time of the winning hand (act-pg:13.2)."""
    TRIGGER_POINT = "trigger-point"
    """The amount at which a must-hit-by jackpot falls."""


class Sharing(StrEnum):
    """How several winners of percentage prizes share in one round."""

    SUCCESSIVE = "successive"
    """Each prize in turn is a percentage of what the ones before it left; the winners of a hand share the sum of theirs
    equally, and each gets the guarantee where that is more (nsw-csp:12.3, 12.4)."""
    PRO_RATED = "pro-rated"
    """Every prize is measured on one amount; together they never exceed it (act-cp:11.2, act-pg:13.3)."""


class Folded(StrEnum):
    ELIGIBLE = "eligible"
    """nsw-csp:9.3.1."""
    LOSES = "loses"
    """act-cp:7.3."""
    NOT_IN_GAME = "not-in-game"


class Kind(StrEnum):
    FIXED = "fixed"
    BONUS = "bonus"
    STRAIGHT = "straight"
    ROYAL = "royal"
    MINOR = "minor"
    MAJOR = "major"
    MYSTERY = "mystery"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prize:
    """What a hand wins: a fixed amount paid by the house, or a percentage of a level with an amount it is at least."""

    hand: str
    kind: Kind
    fixed: Money = ZERO
    percent: int = 0
    """In basis points of the level."""
    at_least: Money = ZERO
    level: str = PRIZE
    clause: str | None = None

    def __post_init__(self) -> None:
        if (self.kind is Kind.FIXED) != bool(self.fixed) or bool(self.fixed) == bool(self.percent):
            _refuse(f"The prize for {self.hand} must be either a fixed amount or a percentage of a level.")
        if self.fixed < ZERO or self.at_least < ZERO or not 0 <= self.percent <= BASIS_POINTS:
            _refuse(f"The prize for {self.hand} must not be negative, nor more than the whole of its level.")
        if not (self.fixed.whole_cents and self.at_least.whole_cents):
            _refuse(f"The prize for {self.hand} must be in whole cents.")
        if self.kind is Kind.BONUS:
            _refuse("A bonus is an amount of the link, paid to the other wagering boxes; it is not a prize of a hand.")

    @property
    def takes_all(self) -> bool:
        return self.percent == BASIS_POINTS

    def of(self, meter: Money) -> Money:
        """The prize at that meter, exact down to the cent, guarantee included."""
        return self.fixed or max(self.at_least, Money(meter.micros * self.percent // BASIS_POINTS).down_to_cents())


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    code: str
    title: str
    game: Game
    contributes: Contributes
    measured_on: MeasuredOn
    sharing: Sharing
    folded: Folded
    pays_bonus: bool
    """Whether every other wagering box of the table gets the link's bonus when a percentage prize is won."""
    topped_up: bool
    """Whether the displayed amount is kept at its seed at once; otherwise the house makes a win up to its guarantee."""
    prizes: tuple[Prize, ...]
    """Percentage prizes stand in the order in which they are paid."""
    void_hand_clause: str | None = None
    foreign_piece_clause: str | None = None
    one_wager_clause: str | None = None
    bonus_clause: str | None = None
    ante_clause: str | None = None
    """No jackpot wager without an ante."""
    one_hand_clause: str | None = None
    """One hand a player a round."""
    denomination_clause: str | None = None
    """A jackpot wager is of the approved amount."""
    other_player_clause: str | None = None
    """A supervisor may let another player wager on a box that has none."""
    box_players_clause: str | None = None
    """Several play on a box: who of them may wager."""
    house_clause: str | None = None
    """The house does not wager."""
    declared_clause: str | None = None
    """A hand wins only if the player declares it before the cards are collected."""

    def __post_init__(self) -> None:
        if not self.prizes:
            _refuse("A rule set needs at least one prize.")
        named = [prize.hand for prize in self.prizes]
        if len(set(named)) < len(named):
            _refuse("A pay table names every hand once.")
        if unknown := set(named) - _NAMES[self.game]:
            _refuse(f"A game of {self.game.value} knows no {', '.join(sorted(unknown))}.")
        if (self.game is Game.MYSTERY) != (self.measured_on is MeasuredOn.TRIGGER_POINT):
            _refuse("A mystery jackpot, and only that, is measured on its trigger point.")
        if self.game is Game.MYSTERY and any(not prize.takes_all for prize in self.prizes):
            _refuse("A mystery jackpot pays the whole of its level.")
        if self.game is Game.MYSTERY and len(self.levels) < len(self.prizes):
            _refuse("A level of a mystery jackpot is won in one way.")
        if self.measured_on is MeasuredOn.POOL_WHEN_LOCKED and self.sharing is Sharing.PRO_RATED:
            _refuse("Pro-rated prizes are measured on a displayed amount, not on a pool that changes as they are paid.")

    @property
    def levels(self) -> tuple[str, ...]:
        """The pools it plays for, in order of payment."""
        return tuple(dict.fromkeys(prize.level for prize in self.pool_prizes))

    @property
    def pool_prizes(self) -> tuple[Prize, ...]:
        return tuple(prize for prize in self.prizes if prize.percent)

    def prize_for(self, names: Iterable[str]) -> Prize | None:
        """The prize of a hand that goes by these names, the most particular first."""
        by_hand = {prize.hand: prize for prize in self.prizes}
        return next((by_hand[name] for name in names if name in by_hand), None)

    def repriced(self, fixed: Mapping[str, Money]) -> RuleSet:
        """The same rules with other fixed prizes: another approved pay table."""
        if unknown := set(fixed) - {prize.hand for prize in self.prizes if prize.fixed}:
            _refuse(f"{self.title} has no fixed prize for {', '.join(sorted(unknown))}.")
        return replace(
            self,
            prizes=tuple(replace(prize, fixed=fixed.get(prize.hand, prize.fixed)) for prize in self.prizes),
        )

    def contributing(self, *, wagers: Iterable[int], paid: Iterable[int]) -> tuple[int, ...]:
        """The boxes whose wagers feed the pools, once it is known which were paid a prize of their own hand."""
        winners = set(paid) if self.contributes is Contributes.LOSING_WAGERS else set()
        return tuple(sorted(set(wagers) - winners))


MYSTERY_NAME: Final = "mystery"
MYSTERY_LEVELS: Final = ("mini", "minor", "major", "grand")
"""What the levels of a mystery jackpot that has several are called; ``mystery-minor`` is won on the minor."""
_NAMES: Final[Mapping[Game, frozenset[str]]] = {
    Game.CARDS: hands.NAMES,
    Game.TILES: tiles.NAMES,
    Game.MYSTERY: frozenset({MYSTERY_NAME, *(f"{MYSTERY_NAME}-{each}" for each in MYSTERY_LEVELS)}),
}


def as_data(rules: RuleSet) -> dict[str, object]:
    """The rule set as JSON-ready data, amounts as dollars: what a link stores and an approval shows."""
    data = asdict(rules)
    data["prizes"] = [
        asdict(prize) | {"fixed": str(prize.fixed), "at_least": str(prize.at_least)} for prize in rules.prizes
    ]
    return data


def from_data(data: Mapping[str, Any]) -> RuleSet:
    """Read a rule set that ``as_data`` wrote or a person configured. What cannot be read is refused in words."""
    try:
        prizes = tuple(
            Prize(
                hand=_typed(str, prize["hand"]),
                kind=Kind(prize["kind"]),
                fixed=Money.parse(prize.get("fixed", "0.00")),
                percent=_typed(int, prize.get("percent", 0)),
                at_least=Money.parse(prize.get("at_least", "0.00")),
                level=_typed(str, prize.get("level", PRIZE)),
                clause=prize.get("clause"),
            )
            for prize in data["prizes"]
        )
        return RuleSet(
            code=_typed(str, data["code"]),
            title=_typed(str, data["title"]),
            game=Game(data["game"]),
            contributes=Contributes(data["contributes"]),
            measured_on=MeasuredOn(data["measured_on"]),
            sharing=Sharing(data["sharing"]),
            folded=Folded(data["folded"]),
            pays_bonus=_typed(bool, data["pays_bonus"]),
            topped_up=_typed(bool, data["topped_up"]),
            prizes=prizes,
            void_hand_clause=data.get("void_hand_clause"),
            foreign_piece_clause=data.get("foreign_piece_clause"),
            one_wager_clause=data.get("one_wager_clause"),
            bonus_clause=data.get("bonus_clause"),
            ante_clause=data.get("ante_clause"),
            one_hand_clause=data.get("one_hand_clause"),
            denomination_clause=data.get("denomination_clause"),
            other_player_clause=data.get("other_player_clause"),
            box_players_clause=data.get("box_players_clause"),
            house_clause=data.get("house_clause"),
            declared_clause=data.get("declared_clause"),
        )
    except KeyError as missing:
        _refuse(f"The rule set lacks {missing}.")
    except (ValueError, TypeError, AttributeError) as wrong:
        _refuse(f"The rule set cannot be read: {wrong}.")


def _typed(kind: type[T], value: object) -> T:
    if type(value) is not kind:
        raise TypeError(f"{value!r} should be {kind.__name__}")
    return value


def _refuse(detail: str) -> NoReturn:
    raise Refusal("rule-set-invalid", detail, field="rules")
