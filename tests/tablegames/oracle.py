"""Poker against the dealer, read a second time from the documents, without a line of tablegames/: strings and loops.

A card is "AS". Each document has its own function, written from its own text.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

ORDER = "23456789TJQKA"
BET = {
    "royal": 100, "straight flush": 50, "four": 20, "full house": 7, "flush": 5,
    "straight": 4, "three": 3, "two pairs": 2, "pair": 1, "ace-king": 1,
}  # fmt: skip
LADDER = ["odd", "ace-king", "pair", "two pairs", "three", "straight", "flush", "full house", "four", "straight flush",
          "royal"]  # fmt: skip


def value(card: str) -> int:
    return ORDER.index(card[0]) + 2


def straight_top(cards: tuple[str, ...]) -> int:
    """The value of the highest card of five in sequence, or 0; an ace may be low."""
    values = sorted(value(card) for card in cards)
    if values == [2, 3, 4, 5, 14]:
        return 5
    return values[4] if [v - values[0] for v in values] == [0, 1, 2, 3, 4] else 0


def ranked(cards: tuple[str, ...]) -> tuple[int, list[int], str]:
    """Five cards: (place on the ladder, what decides between equals, name)."""
    values = [value(card) for card in cards]
    groups = sorted(((values.count(v), v) for v in set(values)), reverse=True)
    shape = [count for count, _ in groups]
    decides = [v for count, v in groups for _ in range(count)]
    flush = len({card[1] for card in cards}) == 1
    top = straight_top(cards)
    if flush and top:
        name, decides = ("royal", [14]) if top == 14 else ("straight flush", [top])
    elif shape == [4, 1]:
        name = "four"
    elif shape == [3, 2]:
        name = "full house"
    elif flush:
        name = "flush"
    elif top:
        name, decides = "straight", [top]
    elif shape == [3, 1, 1]:
        name = "three"
    elif shape == [2, 2, 1]:
        name = "two pairs"
    elif shape == [2, 1, 1, 1]:
        name = "pair"
    else:
        name = "ace-king" if 14 in values and 13 in values else "odd"
    # Odd cards with ace and king are the highest odd cards: their place follows from their values alone.
    return LADDER.index(name), decides, name


def best(cards: list[str]) -> tuple[int, list[int], str]:
    return max(ranked(five) for five in combinations(cards, 5))


def is_combination(cards: tuple[str, ...]) -> str | None:
    """The name of the combination that exactly these cards make, nothing beside them."""
    values = sorted(value(card) for card in cards)
    if len(cards) == 5:
        name = ranked(cards)[2]
        return name if name in ("royal", "straight flush", "full house", "flush", "straight") else None
    if len(cards) == 4:
        if values[0] == values[3]:
            return "four"
        return "two pairs" if values[0] == values[1] and values[2] == values[3] else None
    if len(cards) == 3:
        return "three" if values[0] == values[2] else None
    if values[0] == values[1]:
        return "pair"
    return "ace-king" if values == [13, 14] else None


def bet_pays(cards: list[str]) -> int:
    """What one dollar of a winning bet is paid for the first and for the second combination together."""
    held = [
        (LADDER.index(name), set(some))
        for size in (2, 3, 4, 5)
        for some in combinations(cards, size)
        if (name := is_combination(some))
    ]
    top = max(place for place, _ in held)
    # Of several highest of a name the first is the one with the higher cards.
    first = max((some for place, some in held if place == top), key=_decides)
    rest = [place for place, some in held if some - first]
    return BET[LADDER[top]] + (BET[LADDER[max(rest)]] if rest else 0)


def _decides(some: set[str]) -> list[int]:
    values = [value(card) for card in some]
    if len(some) == 5 and straight_top(tuple(some)):
        return [straight_top(tuple(some))]
    return sorted(values, key=lambda v: (values.count(v), v), reverse=True)


def colour(card: str) -> str:
    return "red" if card[1] in "DH" else "black"


def super_nsw(cards: list[str]) -> int:
    """nsw-lp:10.5.3, 10.6."""
    name = ranked(tuple(cards))[2]
    if name == "four":
        return 200
    if all(card[0] in "KQJ" for card in cards):
        return 150
    if name == "full house":
        return 100
    if name in ("flush", "straight flush", "royal"):
        return 60
    if name == "straight":
        return 25
    if name == "three":
        return 8
    if any(c[0] == "A" for c in cards) and any(c[0] == "K" for c in cards) and any(c[0] == "Q" for c in cards):
        return 5
    return 2 if len({colour(card) for card in cards}) == 1 else -1


def super_islands(cards: list[str], *, four: int, flush: int, straight: int, three: int, akq: int) -> int:
    """vu-lp:5.9, 5.11 and nz-lp:5.9, 5.11."""
    name = ranked(tuple(cards))[2]
    one_colour = len({colour(card) for card in cards}) == 1
    if name == "four":
        return four
    if straight_top(tuple(cards)) and one_colour:
        return 150
    if name == "full house":
        return 100
    if name == "flush":
        return flush
    if name == "straight":
        return straight
    if name == "three":
        return three
    if {"A", "K", "Q"} <= {card[0] for card in cards}:
        return akq
    return 2 if one_colour else -1


def lunar_nsw(ante: int, first: list[str], final: list[str], dealer: list[str], *, drew: bool) -> tuple[int, int]:
    """What ante and bet win or lose, in dollars, of a player who bets and declares nothing (nsw-lp:9.3 to 10.3)."""
    mine, theirs = best(final), best(dealer)
    instant = {"royal": 1000, "straight flush": 250}.get(best(first)[2], 0) if not drew else 0
    if theirs[0] == 0:
        ante_wins = ante * (4 if mine[0] >= LADDER.index("straight") else 1)
        bet_wins = 0
    elif mine[:2] > theirs[:2]:
        ante_wins, bet_wins = 0, 2 * ante * bet_pays(final)
    elif mine[:2] < theirs[:2]:
        ante_wins, bet_wins = -ante, -2 * ante
    else:
        ante_wins = bet_wins = 0
    return (ante * instant if instant else ante_wins), bet_wins


def lunar_islands(
    ante: int,
    first: list[str],
    final: list[str],
    dealer: list[str],
    *,
    drew: bool,
    forced_by: str | None,
    odds: tuple[int, int],
    cap: int | None,
) -> tuple[int, int]:
    """vu-lp and nz-lp 5.5, 5.6, 5.12, 10.1 to 10.9. *odds*: the instant payout, straight flush and royal flush."""

    def capped(amount: int) -> int:
        return amount if cap is None else min(amount, cap)

    mine, theirs = best(final), best(dealer)
    name = best(first)[2] if not drew else ""
    instant = {"straight flush": odds[0], "royal": odds[1]}.get(name)
    if theirs[0] == 0 and forced_by is not None:
        highest = max(dealer, key=value)
        theirs = best([card for card in dealer if card != highest] + [forced_by])
        result = (0, 0) if theirs[0] == 0 else None
    elif theirs[0] == 0:
        result = (capped(ante), 0)
    else:
        result = None
    if result is None:
        if mine[:2] > theirs[:2]:
            result = (0, _islands_bet(ante, final, capped))
        elif mine[:2] < theirs[:2]:
            result = (-ante, -2 * ante)
        else:
            result = (0, 0)
    return (capped(ante * instant) if instant is not None else result[0]), result[1]


def _islands_bet(ante: int, final: list[str], capped: Callable[[int], int]) -> int:
    top = best(final)[2]
    first = BET[top]
    second = bet_pays(final) - first
    return capped(2 * ante * first) + capped(2 * ante * second)


def stud(ante: int, bet: int, player: list[str], dealer: list[str], *, cap: int | None) -> tuple[int, int]:
    """nsw-csp:9.1 to 10.2 and act-cp:8.1 to 9.6: the same figures in both."""
    odds = BET | {"royal": 250}
    mine, theirs = best(player), best(dealer)
    if theirs[0] == 0:
        return ante, 0
    if mine[:2] > theirs[:2]:
        won = bet * odds[mine[2]]
        return ante, won if cap is None else min(won, cap)
    if mine[:2] < theirs[:2]:
        return -ante, -bet
    return 0, 0
