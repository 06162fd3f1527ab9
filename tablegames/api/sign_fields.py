"""What requests and answers about a table's sign hold: limits, notices, markers, seats."""

from __future__ import annotations

from rest_framework import serializers

from tablegames.api.fields import LimitIn, Named
from web.fields import InstantField, MoneyField, StrictSerializer, Text, TrueOrFalse, WholeNumber, shown

_ANTE = {"ante": {"minimum": "10.00", "maximum": "500.00"}}


class TableOut(StrictSerializer):
    code = Text()
    game = Text()
    title = Text()
    terms = serializers.JSONField()
    version = WholeNumber()
    effective_at = InstantField()
    authority = Text(help_text="Whose approval the rule asks for.")
    basis = Text(help_text="`decided` by the authority itself, by `letter`, or of the `demo`.")
    by_letter = TrueOrFalse()
    countersigned_at = InstantField(allow_null=True)


class NoticeOut(StrictSerializer):
    number = WholeNumber()
    limits = serializers.JSONField()
    shown_at = InstantField()
    takes_effect_at = InstantField()


class ClosingOut(StrictSerializer):
    number = WholeNumber()
    shown_at = InstantField()
    closes_at = InstantField()


class MarkerOut(StrictSerializer):
    number = WholeNumber()
    seat = WholeNumber()
    box = WholeNumber()
    kind = Text(help_text="`old-minimum` or `own-limits`.")
    limits = serializers.JSONField()
    placed_at = InstantField()


class SeatOut(StrictSerializer):
    number = WholeNumber()
    box = WholeNumber()
    since = InstantField()
    paid_until = InstantField(allow_null=True, help_text="Poker room: where commission goes by time.")


class SignOut(TableOut):
    closed = TrueOrFalse()
    limits = serializers.JSONField(help_text="By wager, as they hold now for whoever has no marker.")
    previous_limits = serializers.ListField(
        child=serializers.JSONField(), help_text="Of those who stay on the old minimum: the sign shows them, too."
    )
    notice = NoticeOut(allow_null=True, help_text="Limits that will hold.")
    closing = ClosingOut(allow_null=True)
    markers = MarkerOut(many=True)
    seats = SeatOut(many=True)


class LimitsIn(StrictSerializer):
    limits = Named(child=LimitIn(), help_text="By wager; the whole of them.")
    takes_effect_at = InstantField(required=False, help_text="Left out: now, where the rules allow it.")
    at_once = TrueOrFalse(required=False, help_text="A higher minimum now; who plays already stays on the old one.")
    example = shown({"limits": _ANTE, "takes_effect_at": "2030-11-17T20:20:00Z"})


class ClosingIn(StrictSerializer):
    closes_at = InstantField()
    example = shown({"closes_at": "2030-11-17T23:30:00Z"})


class SeatIn(StrictSerializer):
    box = WholeNumber(min_value=1, max_value=30)
    player = Text(required=False, max_length=80, allow_blank=True)
    example = shown({"box": 3, "player": "P-1042"})


class TimeChargeIn(StrictSerializer):
    periods = WholeNumber(min_value=1, max_value=48)
    example = shown({"periods": 1})


class OwnLimitsIn(StrictSerializer):
    limits = Named(child=LimitIn(), help_text="His minimum and his maximum, by wager.")
    why = Text(max_length=500)
    example = shown({"limits": {"ante": {"minimum": "100.00", "maximum": "2000.00"}}, "why": "A known player."})


class WagersIn(StrictSerializer):
    box = WholeNumber(required=False, min_value=1, max_value=30)
    wagers = Named(child=MoneyField(allow_zero=False))
    example = shown({"box": 3, "wagers": {"ante": "5.00"}})


class WagersOut(StrictSerializer):
    within = TrueOrFalse()
    limits = serializers.JSONField(help_text="Of the player at that box.")
    outside = serializers.ListField(child=serializers.JSONField())
