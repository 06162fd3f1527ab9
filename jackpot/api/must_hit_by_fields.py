"""Must-hit-by links as calls show them."""

from __future__ import annotations

from rest_framework import serializers

from web.fields import Choice, InstantField, MoneyField, StrictSerializer, Text, TrueOrFalse, WholeNumber


class MustHitByLevelOut(StrictSerializer):
    level = Text()
    floor = MoneyField()
    ceiling = MoneyField()


class MustHitByOut(StrictSerializer):
    """Where a must-hit-by jackpot stands, and what decides it today. There is no hidden point."""

    number = WholeNumber(help_text="Of the last sealed movement of its meter.")
    floor = MoneyField(help_text="Where the meter stands by what is decided; it falls above it.")
    ceiling = MoneyField(help_text="It is hit by this.")
    commitment = Text(allow_blank=True, help_text="To the master of the gaming day, in hexadecimal: note it.")
    ticket_root = Text(help_text="Over the wagers of the last sealed movement.")
    day = serializers.DateField(help_text="The gaming day.")
    levels = MustHitByLevelOut(many=True, help_text="Each level by itself; above is the last of them.")
    undecided = TrueOrFalse(help_text="Wagers wait to be decided: the witness is away.")


class FellOut(StrictSerializer):
    point = Text(help_text="Where it fell, to the micro-dollar.")
    amount = MoneyField(help_text="What it pays: the point, down to the cent.")
    wager = Text(help_text="The wager that covers the point: round or message, and box.")
    start = Text(help_text="Where the next pool began.")
    ceiling = Text(help_text="By what the next pool must be hit.")
    hit = WholeNumber()
    sequence = WholeNumber()


class MovementOut(StrictSerializer):
    """A sealed movement of a must-hit-by meter, and what was decided."""

    link = Text()
    level = Text()
    number = WholeNumber(help_text="Counts for ever on the link, without a gap.")
    occasion = Text(help_text="What the witness was asked about.")
    attempt = WholeNumber()
    day = serializers.DateField(help_text="The gaming day whose master decides it.")
    floor = MoneyField(allow_null=True, help_text="`before`, down to the cent.")
    ceiling = MoneyField(help_text="By what it had to be hit.")
    commitment = Text(help_text="To the day’s master.")
    ticket_root = Text(help_text="Over its wagers.")
    wagers = WholeNumber()
    moved = Text(help_text="How far the wagers moved the meter, to the micro-dollar.")
    before = Text(allow_null=True, help_text="Where the meter stood. This and what follows: once it is decided.")
    after = Text(allow_null=True)
    status = Choice(choices=["undecided", "stood", "fell"])
    how = Text(allow_null=True, help_text="`witness`, or what stood in its place: `dice`, `beacon`.")
    sealed_at = InstantField()
    ended_at = InstantField(allow_null=True)
    point = MoneyField(allow_null=True, help_text="What the first fall paid, if it fell.")
    sequence = WholeNumber(allow_null=True, help_text="Of the hit that it paid.")
    falls = FellOut(many=True)
    proof = serializers.DictField(
        allow_null=True, help_text="Once the gaming day is over: see docs/proof/must-hit-by.md."
    )
    entry = serializers.DictField(allow_null=True, help_text="Of one movement by itself: its wagers.")
