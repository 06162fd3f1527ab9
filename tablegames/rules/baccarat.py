"""Baccarat (act-bac) and Mini-Baccarat (act-mb) of Casino Canberra: the same rules, number by number; eight decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Final

from chance.cards import Card, read_card
from kernel.money import Money
from kernel.refusal import Refusal
from tablegames.rules import owed
from tablegames.rules.layout import all_void, check_amounts, irregularity, no_such_wager, up_to_maximum
from tablegames.rules.odds import Cell, Odds
from tablegames.rules.owed import Owed, Settlement
from tablegames.rules.terms import Terms, only

DECKS: Final = 8
PLAYER, BANKER, TIE = "player", "banker", "tie"
WAGERS: Final = (PLAYER, BANKER, TIE)
# 7.3: on which third cards of the Player's hand the Banker's hand draws; without one it draws to 5.
BANKER_DRAWS: Final[Mapping[int, frozenset[int]]] = {
    0: frozenset(range(10)),
    1: frozenset(range(10)),
    2: frozenset(range(10)),
    3: frozenset(range(10)) - {8},
    4: frozenset({2, 3, 4, 5, 6, 7}),
    5: frozenset({4, 5, 6, 7}),
    6: frozenset({6, 7}),
    7: frozenset(),
}
_STANDS_FROM: Final = 6


def count(rank: int) -> int:
    """2.4: tens and pictures nothing, an ace one."""
    return 1 if rank == 14 else rank if rank < 10 else 0


def total(counts: Sequence[int]) -> int:
    return sum(counts) % 10


def player_draws(two: int) -> bool:
    return two < _STANDS_FROM


def banker_draws(two: int, third: int | None) -> bool:
    return two < _STANDS_FROM if third is None else third in BANKER_DRAWS[two]


@dataclass(frozen=True, slots=True)
class BaccaratGame:
    code: str
    title: str
    document: str
    decks: int = DECKS

    @property
    def cells(self) -> Mapping[str, Cell]:
        return {
            PLAYER: Cell(PLAYER, Odds(1), f"{self.document}:8.4a"),
            BANKER: Cell(BANKER, Odds(1, less=5), f"{self.document}:8.4b"),
            TIE: Cell(TIE, Odds(8), f"{self.document}:8.4c"),
        }

    @property
    def irregularities(self) -> Mapping[str, str]:
        return {"misdeal": "9.5", "insufficient-cards": "9.6", "rules-broken": "11.3", "invalidated": "11.5"}

    def clause(self, number: str) -> str:
        return f"{self.document}:{number}"

    def check_terms(self, terms: Terms) -> None:
        only(terms, "differential", game=self.title, wagers=WAGERS)

    def settle(
        self,
        *,
        terms: Terms,
        wagers: Mapping[str, Money],
        cards: Mapping[str, Sequence[str]],
        choices: Mapping[str, object],
    ) -> Settlement:
        self.check_terms(terms)
        check_amounts(wagers)
        for wager in wagers:
            if wager not in WAGERS:
                raise no_such_wager(wager, WAGERS)
        fault = irregularity(self.title, self.irregularities, choices)
        if fault is not None:
            return all_void(self.code, wagers, clause=self.clause(self.irregularities[fault]), why=fault)
        player, banker = self._read(cards)
        mine, theirs = total(player), total(banker)
        won = PLAYER if mine > theirs else BANKER if theirs > mine else TIE
        return Settlement(
            game=self.code,
            owed=tuple(self._line(wager, amount, won, terms) for wager, amount in wagers.items()),
            notes=(f"Player {mine}, Banker {theirs}.",),
        )

    def _line(self, wager: str, placed: Money, won: str, terms: Terms) -> Owed:
        stake = up_to_maximum(terms, wager, placed)
        rule = {PLAYER: "8.2", BANKER: "8.1", TIE: "8.3"}[wager]
        why = {PLAYER: "The Player’s hand is higher.", BANKER: "The Banker’s hand is higher.", TIE: "Both are equal."}
        if wager == won:
            paid = [owed.payment(self.cells[wager], stake)]
            line = owed.wins(wager, stake, paid, clause=self.clause(f"{rule}a"), why=why[won])
        elif won == TIE:
            line = owed.stands_off(wager, stake, clause=self.clause(f"{rule}c"), why=why[won])
        else:
            line = owed.loses(wager, stake, clause=self.clause(f"{rule}b"), why=why[won])
        return owed.with_excess(line, placed - stake, clause=self.clause("3.5"))

    def _read(self, cards: Mapping[str, Sequence[str]]) -> tuple[list[int], list[int]]:
        """The two hands, drawn to as the tableau says: a card too many or too few cannot be (9.4)."""
        read = read_shoe(cards, names=(PLAYER, BANKER), decks=self.decks, clause=self.clause("2.1"))
        hands = {}
        for name, dealt in read.items():
            if not 2 <= len(dealt) <= 3:
                raise self._wrong(f"A hand has two or three cards, not {len(dealt)}.", "6.2", name)
            hands[name] = [count(card.rank) for card in dealt]
        player, banker = hands[PLAYER], hands[BANKER]
        natural = total(player[:2]) >= 8 or total(banker[:2]) >= 8
        must = not natural and player_draws(total(player[:2]))
        if must != (len(player) == 3):
            says = "draws a third card" if must else "takes no third card"
            raise self._wrong(f"The Player’s hand {says} here.", "6.4" if natural else "7.2", PLAYER)
        third = player[2] if len(player) == 3 else None
        must = not natural and banker_draws(total(banker[:2]), third)
        if must != (len(banker) == 3):
            says = "draws a third card" if must else "takes no third card"
            raise self._wrong(f"The Banker’s hand {says} here.", "6.4" if natural else "7.3", BANKER)
        return player, banker

    def _wrong(self, says: str, number: str, name: str) -> Refusal:
        return Refusal("third-card-wrong", says, clause=self.clause(number), field=f"cards.{name}")


def read_shoe(
    cards: Mapping[str, Sequence[str]], *, names: Sequence[str], decks: int, clause: str
) -> dict[str, list[Card]]:
    """Cards of several decks: a card at most as often as the shoe has it."""
    for name in cards:
        if name not in names:
            raise Refusal("cards-not-wanted", "Leave these cards out.", field=f"cards.{name}")
    read = {
        name: [read_card(text, clause=clause, field=f"cards.{name}[{i}]") for i, text in enumerate(cards.get(name, ()))]
        for name in names
    }
    seen: Counter[Card] = Counter()
    for name, dealt in read.items():
        for i, card in enumerate(dealt):
            seen[card] += 1
            if seen[card] > decks:
                raise Refusal(
                    "card-too-often",
                    f"{card} is there more often than {decks} decks have it.",
                    clause=clause,
                    field=f"cards.{name}[{i}]",
                )
    return read


BACCARAT: Final = BaccaratGame("baccarat", "Baccarat (Australian Capital Territory)", "act-bac")
MINI_BACCARAT: Final = BaccaratGame("mini-baccarat", "Mini-Baccarat (Australian Capital Territory)", "act-mb")


@cache
def results(decks: int = DECKS) -> Mapping[str, Fraction]:
    """How often Player, Banker and tie come of a full shoe, exactly: every order of counts, weighed by its cards."""
    shoe = [16 * decks, *([4 * decks] * 9)]
    size = sum(shoe)
    found = dict.fromkeys(WAGERS, Fraction(0))
    for four in product(range(10), repeat=4):
        left, ways = list(shoe), 1
        for value in four:
            ways *= left[value]
            left[value] -= 1
        player, banker = (four[0] + four[2]) % 10, (four[1] + four[3]) % 10
        orders = size * (size - 1) * (size - 2) * (size - 3)
        for won, part in _drawn(player, banker, left, size - 4).items():
            found[won] += Fraction(ways, orders) * part
    return found


def _won(player: int, banker: int) -> str:
    return PLAYER if player > banker else BANKER if banker > player else TIE


def _drawn(player: int, banker: int, left: list[int], size: int) -> dict[str, Fraction]:
    """What becomes of two totals, the shoe being what is left: shares of one."""
    counts = dict.fromkeys(WAGERS, 0)
    if player >= 8 or banker >= 8 or (not player_draws(player) and not banker_draws(banker, None)):
        return {_won(player, banker): Fraction(1)}
    if not player_draws(player):
        for value, many in enumerate(left):
            counts[_won(player, (banker + value) % 10)] += many
        return {won: Fraction(many, size) for won, many in counts.items()}
    for third, many in enumerate(left):
        mine = (player + third) % 10
        if not banker_draws(banker, third):
            counts[_won(mine, banker)] += many * (size - 1)
            continue
        left[third] -= 1
        for value, more in enumerate(left):
            counts[_won(mine, (banker + value) % 10)] += many * more
        left[third] += 1
    return {won: Fraction(many, size * (size - 1)) for won, many in counts.items()}


def edges(game: BaccaratGame) -> dict[str, Fraction]:
    """What the house keeps of each wager, a tie that stands off counted as part of what is wagered."""
    often = results(game.decks)
    cells = game.cells
    return {
        PLAYER: often[BANKER] - often[PLAYER] * cells[PLAYER].odds.exact,
        BANKER: often[PLAYER] - often[BANKER] * cells[BANKER].odds.exact,
        TIE: often[PLAYER] + often[BANKER] - often[TIE] * cells[TIE].odds.exact,
    }
