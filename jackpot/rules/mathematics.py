"""What a link is worth, exactly, before anybody approves it: fractions inside, fractions and decimal strings outside.

Every figure is per wager of one box and looks at its own hand alone: that somebody else may win in the same round, and
share, is left out, as it is in the published figures (Caribbean Stud paying 100% / 10% and $100 / $75 / $50 breaks even
at $263,205 for a $1 wager).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from typing import Any, Final

from chance import hands, tiles
from jackpot.rules.policies import Contributes, Game, Prize, RuleSet
from jackpot.rules.pool import Level, Parameters
from kernel.money import BASIS_POINTS, MICROS_PER_CENT, MICROS_PER_DOLLAR, ZERO, Money
from kernel.refusal import Refusal

WORST_ODDS: Final = 100_000_000
"""To one: a prize harder to win than that is refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeFigures:
    prize: Prize
    ways: int
    outcomes: int

    @property
    def frequency(self) -> Fraction:
        return Fraction(self.ways, self.outcomes)

    @property
    def odds_against(self) -> Fraction:
        """N to one."""
        return 1 / self.frequency - 1

    def value(self, meter: Fraction) -> Fraction:
        """What it pays, in dollars, at that meter; the guarantee included, nothing rounded."""
        if self.prize.fixed:
            return _dollars(self.prize.fixed)
        return max(_dollars(self.prize.at_least), meter * self.prize.percent / BASIS_POINTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelFigures:
    level: str
    frequency: Fraction
    """Of a win of the whole level, per wager (of any win from it, where nothing wins the whole)."""
    return_per_thousand: Fraction | None
    """Of the wager, for every $1,000 on the meter; a mystery's chance depends on where the meter stands instead."""
    break_even: Fraction | None
    """The meter, in dollars, from which a wager returns at least itself; none if it never does."""
    mean_when_won: Fraction | None
    """The mean meter, in dollars, when the whole level is won. Guarantees and top-ups can only add to what is paid."""

    @property
    def wagers_to_win(self) -> Fraction:
        return 1 / self.frequency

    def days_to_win(self, *, turnover: Money, wager: Money) -> Fraction:
        """The expected days to a win of the whole level, with that much wagered a day over all tables of the link."""
        if turnover <= ZERO:
            raise Refusal("turnover-not-allowed", "Days to a win need a turnover above zero a day.", field="turnover")
        return self.wagers_to_win * Fraction(wager.micros, turnover.micros)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mathematics:
    rules: RuleSet
    wager: Money
    prizes: tuple[PrizeFigures, ...]
    levels: tuple[LevelFigures, ...]

    @property
    def hit_rate(self) -> Fraction:
        """Any prize at all, per wager."""
        return _often(self.prizes)

    @property
    def fixed_return(self) -> Fraction:
        """The part of the wager that comes back through fixed prizes, whatever the meter shows."""
        fixed = (each.frequency * _dollars(each.prize.fixed) for each in self.prizes)
        return sum(fixed, Fraction(0)) / _dollars(self.wager)

    def as_data(self) -> dict[str, Any]:
        """JSON-ready; every figure as an exact fraction and a decimal string."""
        single = self.levels[0] if len(self.levels) == 1 else None
        return {
            "rules": self.rules.code,
            "wager": str(self.wager),
            "hands": [
                {
                    "hand": each.prize.hand,
                    "kind": each.prize.kind.value,
                    "prize": str(each.prize.fixed) if each.prize.fixed else None,
                    "percent": shown(Fraction(each.prize.percent, 100), 2)["decimal"] if each.prize.percent else None,
                    "at_least": str(each.prize.at_least) if each.prize.at_least else None,
                    "ways": each.ways,
                    "outcomes": each.outcomes,
                    "frequency": shown(each.frequency, 12),
                    "odds_against": shown(each.odds_against, 2),
                }
                for each in self.prizes
            ],
            "hit_rate": shown(self.hit_rate, 12),
            "fixed_return": shown(self.fixed_return, 12),
            **(_level_data(single) if single else {}),
            "levels": [{"level": each.level, **_level_data(each)} for each in self.levels],
        }


def mathematics(rules: RuleSet, *, wager: Money, levels: Sequence[Level] = ()) -> Mathematics:
    """The figures of a rule set at a wager. With the link's levels (seed, increment rate, ceiling) also the mean amount
    when won; a mystery jackpot has no figures without them."""
    if wager <= ZERO or not wager.whole_cents:
        raise Refusal("wager-not-allowed", "A jackpot wager is an amount of whole cents above zero.", field="wager")
    terms = {level.name: level for level in levels}
    if terms and set(terms) != set(rules.levels):
        raise Refusal("level-missing", f"{rules.title}: give the terms of {', '.join(rules.levels)}.", field="levels")
    if rules.game is Game.MYSTERY:
        return _mystery(rules, wager, terms)
    frequencies = hands.frequencies() if rules.game is Game.CARDS else tiles.frequencies()
    outcomes = sum(frequencies.values())
    prizes = tuple(
        PrizeFigures(
            prize=prize,
            ways=sum(ways for names, ways in frequencies.items() if rules.prize_for(names) == prize),
            outcomes=outcomes,
        )
        for prize in rules.prizes
    )
    return Mathematics(
        rules=rules,
        wager=wager,
        prizes=prizes,
        levels=tuple(_level(rules, wager, prizes, name, terms) for name in rules.levels),
    )


def check(rules: RuleSet, parameters: Parameters) -> Mathematics:
    """The figures of a link that may be approved; one that could never keep what it promises is refused."""
    figures = mathematics(rules, wager=parameters.wager, levels=parameters.levels)
    for prize in figures.prizes:
        _check_odds(prize.odds_against, prize.prize.hand)
    for level in figures.levels:
        _check_odds(level.wagers_to_win - 1, level.level)
        terms = parameters.level(level.level)
        if terms.ceiling is not None and level.mean_when_won is not None:
            mean = shown(level.mean_when_won, 2)["decimal"]
            if level.mean_when_won > _dollars(terms.ceiling):
                raise Refusal(
                    "expected-win-above-ceiling",
                    f"The {level.level} is won at {mean} on average, above its ceiling of {terms.ceiling}.",
                    field="ceiling",
                )
        if rules.topped_up:
            _check_guarantee(rules, terms)
    return figures


def _check_odds(against: Fraction, what: str) -> None:
    if against > WORST_ODDS:
        raise Refusal(
            "odds-too-long",
            f"The {what} would be won once in {shown(against + 1, 0)['decimal']}: worse than {WORST_ODDS:,} to 1.",
            field="rules",
        )


def _check_guarantee(rules: RuleSet, terms: Level) -> None:
    """Where the displayed amount is held at its seed, the seed must be able to carry every guarantee (act-cp:11.1)."""
    for prize in rules.pool_prizes:
        if prize.level == terms.name and terms.seed.micros * prize.percent < prize.at_least.micros * BASIS_POINTS:
            raise Refusal(
                "seed-below-guarantee",
                f"A seed of {terms.seed} does not cover the {prize.at_least} guaranteed for {prize.hand}.",
                clause=prize.clause,
                field="seed",
            )


def _level(
    rules: RuleSet, wager: Money, prizes: Sequence[PrizeFigures], name: str, terms: Mapping[str, Level]
) -> LevelFigures:
    ours = [each for each in prizes if each.prize.percent and each.prize.level == name]
    seeds = {level: _dollars(terms[level].seed) if terms else Fraction(0) for level in rules.levels}
    return LevelFigures(
        level=name,
        frequency=_often([each for each in ours if each.prize.takes_all]) or _often(ours),
        return_per_thousand=1000 * _share(ours) / _dollars(wager),
        break_even=_break_even(prizes, ours, name, seeds, _dollars(wager)),
        mean_when_won=_mean_when_won(rules, wager, prizes, ours, terms[name]) if terms else None,
    )


def _break_even(
    prizes: Sequence[PrizeFigures],
    ours: Sequence[PrizeFigures],
    name: str,
    seeds: Mapping[str, Fraction],
    wager: Fraction,
) -> Fraction:
    """The lowest meter of one level at which a wager is worth itself, the other levels at their seeds.

    The worth of a wager grows with the meter in straight pieces: each prize is its guarantee up to the knee at which
    its percentage overtakes it. The piece in which the worth passes the wager gives the answer exactly."""
    knee = {each: _dollars(each.prize.at_least) * BASIS_POINTS / each.prize.percent for each in ours}
    worth = {at: _value(prizes, {**seeds, name: at}) for at in {Fraction(0), *knee.values()}}
    short = [at for at in worth if worth[at] < wager]
    if not short:
        return Fraction(0)  # the guarantees alone are worth the wager
    at = max(short)
    return at + (wager - worth[at]) / _share([each for each in ours if knee[each] <= at])


def _mean_when_won(
    rules: RuleSet, wager: Money, prizes: Sequence[PrizeFigures], ours: Sequence[PrizeFigures], terms: Level
) -> Fraction | None:
    """The mean meter when the whole level falls.

    Let p be the chance that a wager wins it all, d the mean share of the meter that a wager takes away, c the mean
    amount it brings in. Then E = p·seed + c + (1 − d)·E: either this wager wins at once, on the seed, or the meter,
    less what smaller prizes take, starts the same wait again. Hence E = (p·seed + c) / d."""
    p = _often([each for each in ours if each.prize.takes_all])
    if not p:
        return None
    feeding = Fraction(1) - (_often(prizes) if rules.contributes is Contributes.LOSING_WAGERS else 0)
    c = _dollars(wager) * terms.increment_rate / BASIS_POINTS * feeding
    return (p * _dollars(terms.seed) + c) / _share(ours)


def _mystery(rules: RuleSet, wager: Money, terms: Mapping[str, Level]) -> Mathematics:
    """It falls anywhere between seed and ceiling, each micro-dollar as likely, and pays whole cents: mean and wait
    follow."""
    if not terms:
        raise _without_bounds(rules)
    levels = tuple(_mystery_level(rules, wager, level) for level in terms.values())
    return Mathematics(rules=rules, wager=wager, prizes=(), levels=levels)


def _without_bounds(rules: RuleSet) -> Refusal:
    words = f"{rules.title}: its figures need seed, increment rate and ceiling."
    return Refusal("ceiling-missing", words, field="ceiling")


def _mystery_level(rules: RuleSet, wager: Money, level: Level) -> LevelFigures:
    """One level by itself: the others neither hasten nor hold it up."""
    if level.ceiling is None or level.increment_rate <= 0:
        raise _without_bounds(rules)
    if level.ceiling <= level.seed:
        raise Refusal("ceiling-not-above-seed", "It falls between its seed and a ceiling above it.", field="ceiling")
    increment = wager.basis_points(level.increment_rate)
    micros = (level.ceiling - level.seed).micros
    # The wager that covers the point k micro-dollars up is number ⌈k / increment⌉; its mean over all k, exactly.
    wagers = Fraction(_floor_sum(micros, 1, increment.micros, increment.micros), micros)
    # What is paid is ⌊k / cent⌋ cents above the seed.
    cents = Fraction(_floor_sum(micros, 1, 1, MICROS_PER_CENT), micros)
    return LevelFigures(
        level=level.name,
        frequency=1 / wagers,
        return_per_thousand=None,
        # The nearer the ceiling, the likelier the next wager: increment / (ceiling − meter), worth the meter.
        break_even=_dollars(level.ceiling) * wager.micros / (wager + increment).micros,
        mean_when_won=_dollars(level.seed) + cents / 100,
    )


def _floor_sum(n: int, a: int, b: int, m: int) -> int:
    """Σ ⌊(a·i + b) / m⌋ for i from 0 to n − 1, without counting them one by one."""
    total = 0
    while n > 0:
        total += (a // m) * (n * (n - 1) // 2) + (b // m) * n
        a, b = a % m, b % m
        top = a * n + b
        n, b = divmod(top, m)
        a, m = m, a
    return total


def _often(prizes: Iterable[PrizeFigures]) -> Fraction:
    """How often any of these is won, per wager."""
    return sum((each.frequency for each in prizes), Fraction(0))


def _share(prizes: Iterable[PrizeFigures]) -> Fraction:
    """The mean share of the meter that a wager wins through these."""
    return sum((each.frequency * each.prize.percent / BASIS_POINTS for each in prizes), Fraction(0))


def _value(prizes: Sequence[PrizeFigures], meters: Mapping[str, Fraction]) -> Fraction:
    """What a wager is worth, in dollars."""
    return sum((each.frequency * each.value(meters.get(each.prize.level, Fraction(0))) for each in prizes), Fraction(0))


def _dollars(amount: Money) -> Fraction:
    return Fraction(amount.micros, MICROS_PER_DOLLAR)


def _level_data(level: LevelFigures) -> dict[str, object]:
    return {
        "wagers_to_win": shown(level.wagers_to_win, 2),
        "return_per_1000": _shown_or_none(level.return_per_thousand, 12),
        "break_even": _shown_or_none(level.break_even, 2),
        "mean_when_won": _shown_or_none(level.mean_when_won, 2),
    }


def _shown_or_none(figure: Fraction | None, places: int) -> dict[str, str] | None:
    return None if figure is None else shown(figure, places)


def shown(figure: Fraction, places: int) -> dict[str, str]:
    """The figure exactly, and rounded to that many decimals for people."""
    with localcontext() as context:
        context.prec = 60
        scaled = Fraction(figure * 10**places)
        whole = Decimal(round(scaled)).scaleb(-places).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)
    return {"fraction": f"{figure.numerator}/{figure.denominator}", "decimal": f"{whole:f}"}
