"""The sign of a table as data: the shape in which its terms are proposed, approved and kept (``rules/terms.py``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rest_framework.serializers import DictField, ValidationError

from house.approvals import Record, Shape
from kernel.money import ZERO, Money
from tablegames.rules.terms import Limit, Terms
from web.fields import BasisPoints, MoneyField, Text, WholeNumber


def _limit(*, minimum: Money | None = None, maximum: Money | None = None, multiple: Money | None = None) -> Limit:
    low = minimum or ZERO
    if maximum is not None and (not maximum or maximum < low):
        raise ValidationError({"maximum": "The maximum is above zero and not below the minimum."})
    return Limit(low, maximum, multiple)


class LimitValue(Record):
    """The least and the most of one wager."""

    minimum = MoneyField(required=False, allow_null=True)
    maximum = MoneyField(required=False, allow_null=True)
    multiple = MoneyField(
        required=False, allow_null=True, allow_zero=False, help_text="What wagers are a multiple of, where it is said."
    )
    makes = _limit


def _terms(*, limits: Mapping[str, Limit] | None = None, **chosen: Any) -> Terms:
    return Terms(limits=limits or {}, **chosen)


class TableTermsValue(Record):
    """What a table's sign says; what is left out is the game's own."""

    super = Text(required=False, allow_null=True, allow_blank=True, max_length=64)
    instant = Text(required=False, allow_null=True, allow_blank=True, max_length=64)
    maximum_payout = MoneyField(required=False, allow_null=True, allow_zero=False)
    decks = WholeNumber(required=False, allow_null=True)
    commission = BasisPoints(
        required=False, allow_null=True, help_text="Pai Gow: basis points, where less than 5% is charged."
    )
    differential = MoneyField(
        required=False,
        allow_null=True,
        allow_zero=False,
        help_text="Baccarat: the most by which wagers on the two hands may differ.",
    )
    commission_maximum = MoneyField(
        required=False, allow_null=True, help_text="Poker room: the most that is taken from the pots of a round."
    )
    time_charge = MoneyField(
        required=False, allow_null=True, allow_zero=False, help_text="Poker room: the most for a time at the table."
    )
    time_minutes = WholeNumber(
        required=False, allow_null=True, min_value=1, max_value=1440, help_text="Poker room: for how many minutes."
    )
    limits = DictField(child=LimitValue(), required=False, allow_null=True, help_text="By wager.")
    makes = _terms


SHAPE: Final = Shape[Terms](TableTermsValue(), write=Terms.as_data, unreadable="terms-invalid", where="terms")


def read(data: object) -> Terms:
    """Read terms that a person wrote or that were stored."""
    return SHAPE.read(data)


def read_limits(data: object) -> Mapping[str, Limit]:
    """Read limits by wager, as a person wrote them or as they were stored."""
    return SHAPE.read({"limits": data}).limits
