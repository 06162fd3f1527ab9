"""The sign of a table as data: the shape in which its terms are proposed, approved and kept (``rules/terms.py``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rest_framework.serializers import DictField, ValidationError

from house.approvals import Record, Shape
from kernel.money import ZERO, Money
from tablegames.rules.terms import Limit, Terms
from web.fields import MoneyField, Text, WholeNumber


def _limit(*, minimum: Money | None = None, maximum: Money | None = None) -> Limit:
    low = minimum or ZERO
    if maximum is not None and (not maximum or maximum < low):
        raise ValidationError({"maximum": "The maximum is above zero and not below the minimum."})
    return Limit(low, maximum)


class LimitValue(Record):
    """The least and the most of one wager."""

    minimum = MoneyField(required=False, allow_null=True)
    maximum = MoneyField(required=False, allow_null=True)
    makes = _limit


def _terms(*, limits: Mapping[str, Limit] | None = None, **chosen: Any) -> Terms:
    return Terms(limits=limits or {}, **chosen)


class TableTermsValue(Record):
    """What a table's sign says; what is left out is the game's own."""

    super = Text(required=False, allow_null=True, allow_blank=True, max_length=64)
    instant = Text(required=False, allow_null=True, allow_blank=True, max_length=64)
    maximum_payout = MoneyField(required=False, allow_null=True, allow_zero=False)
    decks = WholeNumber(required=False, allow_null=True)
    commission = WholeNumber(
        required=False, allow_null=True, help_text="Pai Gow: basis points, where less than 5% is charged."
    )
    limits = DictField(child=LimitValue(), required=False, allow_null=True, help_text="By wager.")
    makes = _terms


SHAPE: Final = Shape[Terms](TableTermsValue(), write=Terms.as_data, unreadable="terms-invalid", where="terms")


def read(data: object) -> Terms:
    """Read terms that a person wrote or that were stored."""
    return SHAPE.read(data)
