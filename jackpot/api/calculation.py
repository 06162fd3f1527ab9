"""What is asked and answered about rounds and jackpots that are only worked out: nothing is kept."""

from __future__ import annotations

from rest_framework import serializers

from jackpot.api.fields import Boxes, HandIn, RateField, WonOut
from jackpot.rules.catalogue import RULE_SETS
from web.fields import Choice, MoneyField, StrictSerializer, Text, WholeNumber, shown

Rules = list(RULE_SETS)


class EvaluateIn(StrictSerializer):
    rules = Choice(choices=Rules)
    meter = MoneyField(required=False, help_text="The pool, the round’s own contributions included.")
    meters = serializers.DictField(child=MoneyField(), required=False, help_text="By level, where there are several.")
    displayed = MoneyField(required=False, help_text="What was shown when the round began; left out: the meter.")
    wagers = Boxes(help_text="The boxes with a jackpot wager.")
    hands = HandIn(many=True, max_length=1000)  # type: ignore[call-arg]
    bonus = MoneyField(required=False)
    folded = Boxes(required=False)
    example = shown(
        {
            "rules": "caribbean-stud",
            "meter": "100000.00",
            "wagers": [1, 2, 3],
            "hands": [{"box": 2, "cards": ["AS", "KS", "QS", "JS", "TS"]}],
            "bonus": "100.00",
        }
    )


class InBoxOut(StrictSerializer):
    box = WholeNumber()


class PayoutOut(InBoxOut, WonOut):
    pass


class EvaluationOut(StrictSerializer):
    payouts = PayoutOut(many=True, help_text="In order of payment.")
    pool_after = MoneyField(help_text="What the payouts leave, before the pool restarts.")
    pools_after = serializers.DictField(child=MoneyField(), help_text="The same by level.")


class MathematicsIn(StrictSerializer):
    rules = Choice(choices=Rules)
    wager = MoneyField(required=False, allow_zero=False, help_text="Left out: one dollar.")
    seed = MoneyField(required=False)
    increment_rate = RateField(required=False)
    ceiling = MoneyField(required=False, help_text="For a jackpot that must be hit by it.")
    prizes = serializers.DictField(
        child=MoneyField(allow_zero=False), required=False, help_text="Other fixed prizes than the gazetted, by hand."
    )
    turnover = MoneyField(required=False, allow_zero=False, help_text="Wagered a day, for the days to a win.")
    example = shown({"rules": "caribbean-stud", "wager": "2.50", "seed": "50000.00", "increment_rate": "0.70"})


class FigureOut(StrictSerializer):
    fraction = Text()
    decimal = Text()


class HandFiguresOut(StrictSerializer):
    hand = Text()
    kind = Text()
    prize = Text(allow_null=True)
    percent = Text(allow_null=True)
    at_least = Text(allow_null=True)
    ways = WholeNumber()
    outcomes = WholeNumber()
    frequency = FigureOut()
    odds_against = FigureOut()


class LevelFiguresOut(StrictSerializer):
    level = Text()
    wagers_to_win = FigureOut()
    return_per_1000 = FigureOut(allow_null=True)
    break_even = FigureOut(allow_null=True)
    mean_when_won = FigureOut(allow_null=True)
    days_to_win = FigureOut(allow_null=True)


class MathematicsOut(StrictSerializer):
    rules = Text()
    wager = Text()
    hands = HandFiguresOut(many=True)
    hit_rate = FigureOut()
    fixed_return = FigureOut()
    wagers_to_win = FigureOut(allow_null=True, help_text="This and the next three where there is one level.")
    return_per_1000 = FigureOut(allow_null=True)
    break_even = FigureOut(allow_null=True)
    mean_when_won = FigureOut(allow_null=True)
    levels = LevelFiguresOut(many=True)
