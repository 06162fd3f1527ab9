"""A second reading of the poker schedule, from its text and slowly: every choice of cards, every card for the joker,
the money unit by unit. It shares nothing with the rules but how a card is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

RANKS = "23456789TJQKA"
SUITS = "CDHS"
FULL = ["high", "pair", "two", "three", "straight", "flush", "full", "four", "straight-flush", "five", "royal"]
REDUCED = ["high", "pair", "two", "three", "straight", "full", "flush", "four", "straight-flush", "five", "royal"]
OWN = {
    "five-card-stud": 5,
    "seven-card-stud": 7,
    "canberra-manila": 2,
    "three-card-manila": 3,
    "hold-em": 2,
    "omaha": 4,
    "draw": 5,
    "faro": 5,
}
COMMUNAL = {"canberra-manila", "three-card-manila", "hold-em", "omaha", "faro"}
Key = tuple[int, list[int]]


def deck_of(size: int) -> list[str]:
    return [rank + suit for rank in RANKS[13 - size // 4 :] for suit in SUITS]


def kind(hand: Iterable[int]) -> tuple[str, list[int]]:
    """By what is held most often: what it is called, and the ranks in the order in which they count."""
    counts = Counter(hand)
    grouped = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = tuple(counts[rank] for rank in grouped)
    names = {(5,): "five", (4, 1): "four", (3, 2): "full", (3, 1, 1): "three", (2, 2, 1): "two", (2, 1, 1, 1): "pair"}
    return names.get(shape, "high"), [rank for rank in grouped for _ in range(counts[rank])]


def high(five: Sequence[str], size: int, ace_low: bool) -> Key:
    order = FULL if size == 52 else REDUCED
    ranks = sorted((RANKS.index(card[0]) + 2 for card in five), reverse=True)
    lowest = 15 - size // 4
    runs = [list(range(top, top - 5, -1)) for top in range(14, lowest + 3, -1)]
    suited = len({card[1] for card in five}) == 1
    name, counted = kind(ranks)
    if ace_low and sorted(ranks) == [lowest, lowest + 1, lowest + 2, lowest + 3, 14]:
        name, counted = "straight", [*ranks[1:], 1]
    elif ranks in runs:
        name = "straight"
    if suited and name == "straight":
        name = "royal" if counted[0] == 14 else "straight-flush"
    elif suited and order.index(name) < order.index("flush"):
        name, counted = "flush", ranks
    return order.index(name), counted


def low(five: Sequence[str]) -> Key:
    name, counted = kind(RANKS.index(card[0]) + 2 for card in five)
    return FULL.index(name), counted


def hands(game: str, own: Sequence[str], board: Sequence[str]) -> Iterable[list[str]]:
    for five in combinations([*own, *board], 5):
        from_own = sum(card in own for card in five)
        if game in COMMUNAL - {"hold-em"} and from_own != 2:
            continue
        yield list(five)


def stands_for(five: list[str], deck: Sequence[str]) -> Iterable[list[str]]:
    """A card that is held already only for five of a kind."""
    if "JK" not in five:
        return [five]
    rest = [card for card in five if card != "JK"]
    alike = len({card[0] for card in rest}) == 1
    return ([*rest, card] for card in deck if alike or card not in rest)


def best_high(game: str, own: Sequence[str], board: Sequence[str], size: int, ace_low: bool) -> Key:
    deck = deck_of(size)
    return max(high(full, size, ace_low) for five in hands(game, own, board) for full in stands_for(five, deck))


def best_low(game: str, own: Sequence[str], board: Sequence[str], size: int) -> Key:
    deck = deck_of(size)
    return min(low(full) for five in hands(game, own, board) for full in stands_for(five, deck))


def money(
    bets: dict[int, int], contesting: set[int], unit: int
) -> tuple[dict[int, int], list[tuple[tuple[int, ...], int]]]:
    """What goes back to whom, and the pots: who may win each, and its amount. One unit of every bet after another."""
    back: Counter[int] = Counter()
    formed: list[tuple[tuple[int, ...], int]] = []
    for level in range(0, max(bets.values()), unit):
        putting = [seat for seat, bet in bets.items() if bet > level]
        if len(putting) == 1:
            back[putting[0]] += unit
            continue
        may_win = tuple(sorted(contesting & set(putting))) or formed[-1][0]
        before = formed.pop()[1] if formed and formed[-1][0] == may_win else 0
        formed.append((may_win, before + unit * len(putting)))
    return dict(back), formed


def commission(total: int, maximum: int) -> int:
    """In cents."""
    return 0 if total <= 1900 else min(total * 5 // 100 // 100 * 100, maximum)


def share(cents: int, winners: Sequence[int], buck: int) -> Counter[int]:
    """A dollar to each as long as there is one for all; the rest to the first winner met walking from the buck."""
    got: Counter[int] = Counter()
    while cents >= 100 * len(winners):
        for seat in winners:
            got[seat] += 100
        cents -= 100 * len(winners)
    walk = [*range(buck, 31), *range(1, buck)]
    got[next(seat for seat in walk if seat in winners)] += cents
    return got


def settle(
    pots: list[tuple[tuple[int, ...], int]],
    highs: dict[int, Key] | None,
    lows: dict[int, Key] | None,
    due: int,
    buck: int,
) -> Counter[int]:
    """What each seat gets from the pots."""
    paid: Counter[int] = Counter()
    for may_win, formed in pots:
        taken = min(due, formed)
        due -= taken
        amount = formed - taken
        top = max((highs[seat] for seat in may_win), default=None) if highs else None
        bottom = min((lows[seat] for seat in may_win if seat in lows), default=None) if lows else None
        for_low = amount if top is None else 0 if bottom is None else amount // 2 // 100 * 100
        if highs and top is not None:
            paid += share(amount - for_low, [seat for seat in may_win if highs[seat] == top], buck)
        if lows and bottom is not None and for_low:
            paid += share(for_low, [seat for seat in may_win if lows.get(seat) == bottom], buck)
    return paid
