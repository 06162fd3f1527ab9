"""Who is paid what after a round, in which order and from which purse.

Order of payment: fixed prizes, bonuses, then the percentage prizes in the order of the rule set (the straight flush
before the royal, nsw-csp:11.10.4, 12.4); within each from right to left (nsw-csp:12.2). Boxes are numbered from the
dealer's left, so right to left is the highest box first.

A percentage prize is measured on whole cents, its share rounded down to the cent; the remainder stays in the pool. The
pool pays the percentage, as far as it holds it; the house pays the rest of what is owed, fixed prizes and bonuses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from chance import cards, hands, tiles
from jackpot.rules.policies import PRIZE, Folded, Game, Kind, MeasuredOn, Prize, RuleSet, Sharing
from kernel.money import BASIS_POINTS, ZERO, Money
from kernel.refusal import Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """What lies on a box: cards or tiles by name, as they were seen."""

    box: int
    cards: Sequence[str] | None = None
    tiles: Sequence[str] | None = None
    declared: bool = True
    """Whether the player said before the cards were collected that it qualifies (act-cp:10.3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payout:
    box: int
    hand: str | None
    """The hand that wins; none for a bonus."""
    kind: Kind
    amount: Money
    from_pool: Money = ZERO
    from_house: Money = ZERO
    level: str | None = None
    """The pool a percentage prize is taken from."""
    measured_on: Money | None = None
    """The amount a percentage prize was measured on, for the record."""
    clause: str | None = None

    def __post_init__(self) -> None:
        assert self.amount == self.from_pool + self.from_house
        assert self.from_pool >= ZERO
        assert self.from_house >= ZERO


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What a round pays. ``pools_after`` is what the payouts leave, before a pool restarts or is topped up."""

    payouts: tuple[Payout, ...]
    pools_after: Mapping[str, Money]
    restarts: tuple[str, ...]
    """The levels of which 100% was won: they begin again at their seed."""

    @property
    def pool_after(self) -> Money:
        return Money.total(self.pools_after.values())

    @property
    def paid_boxes(self) -> tuple[int, ...]:
        """The boxes whose own hand won; a bonus is won by somebody else's."""
        return tuple(sorted({payout.box for payout in self.payouts if payout.kind is not Kind.BONUS}))


def evaluate(
    rules: RuleSet,
    *,
    meter: Money | Mapping[str, Money],
    wagers: Sequence[int],
    hands: Sequence[Dealt] = (),
    bonus: Money = ZERO,
    folded: Iterable[int] = (),
    displayed: Money | Mapping[str, Money] | None = None,
    sets: int = 1,
) -> Evaluation:
    """Pay a finished round.

    *meter* is the pool now, this round's contributions included where every wager contributes; a jackpot of several
    levels takes one amount a level. *displayed* is what the table showed when the round began (left out: the meter). A
    hand on a box without a jackpot wager wins nothing; a bonus under rules that have none is not paid. *sets* says from
    how many decks or sets of tiles the hands may come: one a table, more only where linked tables are taken together.
    """
    if rules.game is Game.MYSTERY:
        raise Refusal("not-won-by-a-hand", f"{rules.title}: no hand wins it, its trigger point does.", field="rules")
    pools = meters(rules, meter, field="meter")
    shown = pools if displayed is None else meters(rules, displayed, field="displayed")
    if bonus < ZERO or not bonus.whole_cents:
        raise Refusal("bonus-not-allowed", f"A bonus of {bonus} cannot be paid: name dollars and cents.", field="bonus")
    out = frozenset(folded)
    if out and rules.folded is Folded.NOT_IN_GAME:
        raise Refusal("no-folding", f"{rules.title}: there is no folding in this game.", field="folded")

    boxes = _boxes(rules, wagers)
    names = _read_round(rules, hands, sets=sets)
    if rules.declared_clause:
        names = {hand.box: names[hand.box] for hand in hands if hand.declared}
    won = prizes_won(rules, boxes, names, folded=out)
    return pay_prizes(rules, pools=pools, shown=shown, boxes=boxes, won=won, bonus=bonus)


def prizes_won(
    rules: RuleSet, boxes: Sequence[int], names: Mapping[int, tuple[str, ...]], *, folded: frozenset[int]
) -> dict[int, Prize]:
    """By box, in the order of *boxes*: what its hand wins. A folded box is out of it where the rule says so."""
    eligible = boxes if rules.folded is not Folded.LOSES else [box for box in boxes if box not in folded]
    return {box: prize for box in eligible if (prize := rules.prize_for(names.get(box, ())))}


def pay_prizes(
    rules: RuleSet,
    *,
    pools: Mapping[str, Money],
    shown: Mapping[str, Money],
    boxes: Sequence[int],
    won: Mapping[int, Prize],
    bonus: Money = ZERO,
) -> Evaluation:
    """Pay what was won. *boxes* are the wagering ones, from right to left; *won* what the hands of some of them win."""
    left = dict(pools)
    payouts = [_from_house(box, prize) for box, prize in won.items() if prize.fixed]
    pool_winners = {box for box, prize in won.items() if prize.percent}
    if rules.pays_bonus and bonus and pool_winners:
        # Folded or not, every wagering box but the winners': nsw-csp:11.10.2, 11.10.3.
        payouts += [
            Payout(box=box, hand=None, kind=Kind.BONUS, amount=bonus, from_house=bonus, clause=rules.bonus_clause)
            for box in boxes
            if box not in pool_winners
        ]
    winners = [(prize, [box for box in won if won[box] == prize]) for prize in rules.pool_prizes]
    winners = [(prize, its) for prize, its in winners if its]
    if rules.sharing is Sharing.SUCCESSIVE:
        payouts += _successive(winners, left)
    else:
        measure = shown if rules.measured_on is MeasuredOn.DISPLAYED_AT_START else pools
        payouts += _pro_rated(winners, left, {level: amount.down_to_cents() for level, amount in measure.items()})
    return Evaluation(
        payouts=tuple(payouts),
        pools_after=left,
        restarts=tuple(dict.fromkeys(prize.level for prize, _ in winners if prize.takes_all)),
    )


def late_payouts(
    rules: RuleSet,
    *,
    pools: Mapping[str, Money],
    shown: Mapping[str, Money],
    boxes: Sequence[int],
    box: int,
    pieces: Sequence[str],
    bonus: Money,
) -> Evaluation:
    """What a hand pays that was not named when its round was finished: alone, with the bonus that it brings others."""
    prize = rules.prize_for(names_of(rules, pieces))
    won = {} if prize is None else {box: prize}
    return pay_prizes(rules, pools=pools, shown=shown, boxes=boxes, won=won, bonus=bonus)


def meters(rules: RuleSet, meter: Money | Mapping[str, Money], *, field: str) -> dict[str, Money]:
    """One amount a level, none negative. A single amount is enough for a jackpot of one level."""
    if isinstance(meter, Money):
        if rules.levels != (PRIZE,):
            raise Refusal("level-missing", f"{rules.title}: give an amount for {', '.join(rules.levels)}.", field=field)
        meter = {PRIZE: meter}
    if set(meter) != set(rules.levels):
        raise Refusal("level-missing", f"{rules.title}: give an amount for {', '.join(rules.levels)}.", field=field)
    if any(amount < ZERO for amount in meter.values()):
        raise Refusal("meter-negative", "A jackpot is never below zero.", field=field)
    return dict(meter)


def _from_house(box: int, prize: Prize) -> Payout:
    return Payout(
        box=box, hand=prize.hand, kind=prize.kind, amount=prize.fixed, from_house=prize.fixed, clause=prize.clause
    )


def _from_pool(
    box: int, prize: Prize, *, amount: Money, share: Money, measured_on: Money, pools: dict[str, Money]
) -> Payout:
    """Take the pool's share of an amount out of its level, as far as it is there; the house pays the rest."""
    from_pool = min(amount, share, pools[prize.level].down_to_cents())
    pools[prize.level] -= from_pool
    return Payout(
        box=box,
        hand=prize.hand,
        kind=prize.kind,
        amount=amount,
        from_pool=from_pool,
        from_house=amount - from_pool,
        level=prize.level,
        measured_on=measured_on,
        clause=prize.clause,
    )


def _successive(winners: Sequence[tuple[Prize, list[int]]], pools: dict[str, Money]) -> list[Payout]:
    """nsw-csp:12.3.1, 12.3.2, 12.4: n winners of p% share 1 − (1 − p)ⁿ of what is there; 100% is shared outright."""
    payouts = []
    for prize, boxes in winners:
        measured_on = pools[prize.level].down_to_cents()
        kept = (1 - Fraction(prize.percent, BASIS_POINTS)) ** len(boxes)
        share = measured_on.times((1 - kept) / len(boxes))
        amount = max(share, prize.at_least)
        payouts += [
            _from_pool(box, prize, amount=amount, share=share, measured_on=measured_on, pools=pools) for box in boxes
        ]
    return payouts


def _pro_rated(
    winners: Sequence[tuple[Prize, list[int]]], pools: dict[str, Money], shown: Mapping[str, Money]
) -> list[Payout]:
    """act-cp:11.2, act-pg:13.3: all together at most what was shown, each in proportion to what it would have been."""
    together: Counter[str] = Counter()
    for prize, boxes in winners:
        together[prize.level] += _owed(prize, shown[prize.level]) * len(boxes)
    payouts = []
    for prize, boxes in winners:
        measured_on = shown[prize.level]
        cap = measured_on.micros * BASIS_POINTS
        factor = Fraction(min(cap, together[prize.level]), together[prize.level] or 1)
        amount = Money(int(_owed(prize, measured_on) * factor / BASIS_POINTS)).down_to_cents()
        share = measured_on.times(Fraction(prize.percent, BASIS_POINTS))
        payouts += [
            _from_pool(box, prize, amount=amount, share=share, measured_on=measured_on, pools=pools) for box in boxes
        ]
    return payouts


def _owed(prize: Prize, shown: Money) -> int:
    """What a prize would be alone, in 10,000ths of a micro-dollar: nothing is rounded before it is pro-rated."""
    return max(prize.at_least.micros * BASIS_POINTS, shown.micros * prize.percent)


def _boxes(rules: RuleSet, wagers: Sequence[int]) -> list[int]:
    """The wagering boxes from right to left, each once."""
    for i, box in enumerate(wagers):
        if box < 1:
            raise Refusal("no-such-box", f"There is no box {box}: boxes count from 1.", field=f"wagers[{i}]")
        if box in wagers[:i]:
            raise Refusal(
                "second-wager-on-box",
                f"Box {box} has a jackpot wager already: one wager a box.",
                clause=rules.one_wager_clause,
                field=f"wagers[{i}]",
            )
    return sorted(wagers, reverse=True)


def _read_round(rules: RuleSet, dealt: Sequence[Dealt], *, sets: int) -> dict[int, tuple[str, ...]]:
    """The names of every box's hand. A card or tile seen more often than the sets in play have it is foreign."""
    names: dict[int, tuple[str, ...]] = {}
    seen: Counter[object] = Counter()
    for i, hand in enumerate(dealt):
        if hand.box < 1 or hand.box in names:
            raise Refusal(
                "hand-not-on-a-box",
                f"Box {hand.box} cannot have this hand: boxes count from 1 and hold one hand a round.",
                field=f"hands[{i}].box",
            )
        what, given, other = (
            ("cards", hand.cards, hand.tiles) if rules.game is Game.CARDS else ("tiles", hand.tiles, hand.cards)
        )
        if given is None or other is not None:
            raise Refusal("wrong-game", f"{rules.title}: hands are given as {what}.", field=f"hands[{i}].{what}")
        field = f"hands[{i}].{what}"
        if rules.game is Game.CARDS:
            five = cards.read_hand(
                given, void_clause=rules.void_hand_clause, foreign_clause=rules.foreign_piece_clause, field=field
            )
            _count(rules, five, seen, each=sets, a_set=1, field=field)
            names[hand.box] = hands.rank(five).names
        else:
            four = tiles.read_hand(
                given, void_clause=rules.void_hand_clause, foreign_clause=rules.foreign_piece_clause, field=field
            )
            _count(rules, four, seen, each=sets, a_set=tiles.COPIES, field=field)
            names[hand.box] = tiles.names(four)
    return names


def names_of(rules: RuleSet, pieces: Sequence[str]) -> tuple[str, ...]:
    """The names of one hand of this game, the most particular first."""
    if rules.game is Game.CARDS:
        return hands.rank(cards.read_hand(pieces)).names
    return tiles.names(tiles.read_hand(pieces))


def _count(
    rules: RuleSet, pieces: Sequence[object], seen: Counter[object], *, each: int, a_set: int, field: str
) -> None:
    """No hand holds more of a piece than one set has, no round more than all its sets have."""
    hand: Counter[object] = Counter()
    for i, piece in enumerate(pieces):
        hand[piece] += 1
        seen[piece] += 1
        if hand[piece] > a_set or seen[piece] > each * a_set:
            raise Refusal(
                "dealt-too-often",
                f"{piece} is seen more often than there is of it: the round has a foreign {rules.game.value[:-1]}.",
                clause=rules.foreign_piece_clause,
                field=f"{field}[{i}]",
            )
