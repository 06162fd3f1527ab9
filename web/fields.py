"""What a request or an answer is made of. Nothing unknown is taken and nothing coerced: ``"3"`` is not 3, ``true`` is
not 1, ``12.5`` is not an amount."""

from __future__ import annotations

import datetime as dt
import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeAlias, TypeVar, cast

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.utils.serializer_helpers import BindingDict

from kernel.actors import Actor, initials
from kernel.codes import Permission
from kernel.money import Money
from kernel.refusal import Malformed
from web.forms import Held, T_co

_INSTANT = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,6})?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
T = TypeVar("T")
AnyField: TypeAlias = serializers.Field[Any, Any, Any, Any]  # whatever it reads and shows
Shown = dict[str, Any]  # an answer as it is written: text, numbers, lists of them; its serializer says which
BIGINT_MIN, BIGINT_MAX = -(2**63) + 1, 2**63 - 1


class Holds(Held[T_co], AnyField):
    """What mypy takes a serializer's field for: of what was sent, its attribute is a T, and so is what a list has."""

    if TYPE_CHECKING:

        def to_internal_value(self, data: object) -> T_co: ...


class ListOf(serializers.ListField, Generic[T]):
    """A kind of list with a name of its own: ``class Numbers(ListOf[int])`` gives it its ``child``."""

    if TYPE_CHECKING:

        def to_internal_value(self, data: object) -> list[T]: ...


class WholeNumber(serializers.IntegerField):
    """A JSON integer: no booleans, no floats, no digits in quotes; 64 bits unless bounded closer."""

    default_error_messages: ClassVar = {"not-whole": "Write a whole number, without quotes and without a point."}

    def __init__(self, *, min_value: int = BIGINT_MIN, max_value: int = BIGINT_MAX, **options: Any) -> None:
        super().__init__(min_value=min_value, max_value=max_value, **options)

    def to_internal_value(self, data: object) -> int:
        if type(data) is not int:
            self.fail("not-whole")
        return data


class BasisPoints(WholeNumber):
    """A share or a rate: 10000 is the whole. People read it as a percentage (``web/words.py:rate``)."""


@extend_schema_field({"type": "boolean"})
class TrueOrFalse(serializers.Field[bool, object, bool, object]):
    default_error_messages: ClassVar = {"not-true-or-false": "Write true or false, without quotes."}

    def to_internal_value(self, data: object) -> bool:
        if not isinstance(data, bool):
            self.fail("not-true-or-false")
        return data

    def to_representation(self, value: bool) -> bool:
        return value


class Text(serializers.CharField):
    """A JSON string, kept as it is. Blank only where ``allow_blank`` says so."""

    default_error_messages: ClassVar = {"not-text": "Write text, in quotes."}

    def __init__(self, *, max_length: int = 1000, **options: Any) -> None:
        super().__init__(max_length=max_length, trim_whitespace=False, **options)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if isinstance(data, str) and not data.strip() and not self.allow_blank:
            self.fail("blank")
        return super().run_validation(data)

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str):
            self.fail("not-text")
        return data


_asking: ContextVar[Actor | None] = ContextVar("asking", default=None)


@contextmanager
def asked_by(by: Actor) -> Iterator[None]:
    """What is answered within is answered to this actor. Fields hold nothing of a request, so it stands beside them."""
    before = _asking.set(by)
    try:
        yield
    finally:
        _asking.reset(before)


def asking() -> Actor | None:
    return _asking.get()


class Personal(AnyField):
    """Who somebody is: mixed into a field that says so, and shown to whoever holds *power*; to others *masked*.

    *own*: the name of what says who wrote it down, who sees it again. Where nobody is said to ask (``asked_by``),
    nobody may know.
    """

    def __init__(
        self, *, power: Permission, own: str = "", masked: Callable[[Any], Any] = initials, **options: Any
    ) -> None:
        assert power.personal, f"{power} is not declared as personal"
        self.power, self.own, self.masked = power, own, masked
        told = "initials" if masked is initials else "nothing"
        options["help_text"] = " ".join([options.get("help_text", ""), f"Without `{power}`: {told}."]).strip()
        super().__init__(**options)

    def get_attribute(self, instance: Any) -> Any:
        value = super().get_attribute(instance)
        return value if value is None or self.may_see(instance) else self.masked(value)

    def may_see(self, instance: Any) -> bool:
        by = asking()
        if by is None:
            return False
        return by.may(self.power) or (bool(self.own) and getattr(instance, self.own) == by.identity)


def blank(_: object) -> str:
    return ""


class PersonalText(Personal, Text):
    pass


class AnyOf(serializers.JSONField):
    """JSON that something else has checked already, in one of several forms. The OpenAPI document shows them all."""

    def __init__(self, *, forms: Callable[[], Iterable[AnyField]], **options: Any) -> None:
        self.forms = forms
        super().__init__(**options)


class Choice(serializers.ChoiceField):
    """One of a list of words, written exactly."""

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str) or data not in self.choices:
            self.fail("invalid_choice", input=data if isinstance(data, str) else type(data).__name__)
        return data


class QueryFlag(Choice):
    """``?overdue=true``."""

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=["true", "false"], **options)

    def to_internal_value(self, data: Any) -> bool:  # type: ignore[override]  # one of two words, and is what it says
        return super().to_internal_value(data) == "true"


@extend_schema_field(
    {
        "type": "string",
        "pattern": r"^-?\d{1,12}\.\d{2}$",
        "description": "Dollars with two decimals.",
        "examples": ["12.50"],
    }
)
class MoneyField(serializers.Field[Money, object, str, object]):
    """Dollars with exactly two decimals, in quotes: ``"12.50"``. Never a JSON number."""

    default_error_messages: ClassVar = {
        "not-money": 'Write dollars with two decimals, in quotes, like "12.50".',
        "negative": "An amount cannot be negative.",
        "zero": "An amount of nothing is no amount.",
    }

    def __init__(self, *, allow_zero: bool = True, allow_negative: bool = False, **options: Any) -> None:
        self.allow_zero, self.allow_negative = allow_zero, allow_negative
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> Money:
        try:
            amount = Money.parse(data)
        except ValueError:
            self.fail("not-money")
        if amount.micros < 0 and not self.allow_negative:
            self.fail("negative")
        if not amount and not self.allow_zero:
            self.fail("zero")
        return amount

    def to_representation(self, value: Money) -> str:
        if not value.whole_cents:
            # What is shown of a pool is rounded down by the room that knows which pool it is, never here.
            raise ValueError(f"{value} is not whole cents and cannot be shown as an amount")
        return str(value)


@extend_schema_field({"type": "string", "format": "date-time", "examples": ["2026-11-16T21:04:00+11:00"]})
class InstantField(serializers.Field[dt.datetime, object, str, object]):
    """RFC 3339 with its offset. Written in the zone of the request, which is the venue's."""

    default_error_messages: ClassVar = {
        "not-instant": "Write a date and time with its offset, like 2026-11-16T21:04:00+11:00 (RFC 3339).",
    }

    def to_internal_value(self, data: object) -> dt.datetime:
        if not isinstance(data, str) or not _INSTANT.fullmatch(data):
            self.fail("not-instant")
        try:
            return dt.datetime.fromisoformat(data.upper()).astimezone(dt.UTC)
        except (ValueError, OverflowError):
            self.fail("not-instant")

    def to_representation(self, value: dt.datetime) -> str:
        return timezone.localtime(value).isoformat()


@extend_schema_field({"type": "string", "format": "date", "examples": ["2026-11-16"]})
class DayField(serializers.Field[dt.date, object, str, object]):
    default_error_messages: ClassVar = {"not-day": "Write a day like 2026-11-16."}

    def to_internal_value(self, data: object) -> dt.date:
        if not isinstance(data, str) or not _DATE.fullmatch(data):
            self.fail("not-day")
        try:
            return dt.date.fromisoformat(data)
        except ValueError:
            self.fail("not-day")

    def to_representation(self, value: dt.date) -> str:
        return value.isoformat()


def shown(example: Shown) -> Shown:
    """The example of a request or an answer that the docs show: ``example = shown({…})`` in its serializer."""
    return example


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields it does not know, at every level: a misspelt option must not be silently ignored."""

    example: ClassVar[Shown | None] = None
    told_apart_by: ClassVar[str] = ""  # the field whose value decides what the others hold, if one does

    @classmethod
    def variants(cls) -> Mapping[str, type[StrictSerializer]]:
        """By the value of that field: the same, with what the others hold then. The OpenAPI document shows them."""
        return {}

    @property
    def fields(self) -> BindingDict:
        """The fields of the class, made once. DRF would make them anew for every request, which takes as long as
        checking it; ours hold nothing of a request, so that all may share them."""
        return _fields_of(type(self))

    @classmethod
    def read(cls, data: object) -> Self:
        """What was sent, checked. DRF words what is wrong with it, and would take as long to make a serializer for what
        is right as to check it."""
        try:
            return cast("Self", one_of(cls).run_validation(data))
        except ValidationError:
            form = cls(data=data)
            form.is_valid(raise_exception=True)
            raise  # what was wrong a moment ago is right now: no serializer is like that

    @classmethod
    def read_many(cls, data: object) -> Any:
        if not isinstance(data, list):
            raise Malformed("malformed", "Send a list.")
        form = cls(data=data, many=True)
        form.is_valid(raise_exception=True)
        return form.validated_data

    def to_internal_value(self, data: Any) -> Any:
        """What was sent, with an attribute for each field, typed as this class (web/mypy_fields.py)."""
        sent: Sent = _sent_as(type(self))()
        sent.__dict__ = self.values_in(data)
        return sent

    def values_in(self, data: Any) -> dict[str, Any]:
        """The fields that were sent, read, and those that have a default."""
        if not isinstance(data, Mapping):
            super().to_internal_value(data)  # says that an object is expected
        writable, speak_up = _writable(type(self))
        errors: dict[str, Any] = {
            str(name): [ErrorDetail(f"There is no field {name!r} here.", code="unknown-field")]
            for name in data
            if name not in writable
        }
        values: dict[str, Any] = {}
        for name, field in writable.items():
            if name not in data and name not in speak_up:
                continue
            try:
                values[name] = field.run_validation(data.get(name, serializers.empty))
            except ValidationError as error:
                errors[name] = error.detail
        if errors:
            raise ValidationError(errors)
        return values

    def to_representation(self, instance: Any) -> Shown:
        """As DRF does, but what is simply there is taken without DRF's search for it."""
        take = instance.get if isinstance(instance, Mapping) else functools.partial(getattr, instance)
        shown: Shown = {}
        for name, field, source in _readable(type(self)):
            value = take(source, _MISSING) if source else _MISSING
            if value is _MISSING or callable(value):
                try:
                    value = field.get_attribute(instance)
                except serializers.SkipField:
                    continue
            shown[name] = None if value is None else field.to_representation(value)
        return shown


@functools.cache
def one_of(kind: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """A serializer of this kind that everybody shares: it holds nothing of a request."""
    return kind()


class Sent:
    """What a call was sent, once it is read: an attribute for each field. What was left out is None."""


def sent(data: StrictSerializer) -> dict[str, Any]:
    """What was sent and nothing else, by name, to whatever depth: for one who reads it further himself, or to whom
    left out and null are two things."""
    return {name: _plain(value) for name, value in vars(data).items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Sent):
        return {name: _plain(inner) for name, inner in vars(value).items()}
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def asked_for(**columns: object) -> dict[str, object]:
    """Those of a question's fields that were asked: ``rows.filter(**asked_for(status=asked.status))``."""
    return {name: value for name, value in columns.items() if value is not None}


@functools.cache
def _sent_as(kind: type[StrictSerializer]) -> type[Sent]:
    return type(kind.__name__, (Sent,), dict.fromkeys(_writable(kind)[0]))


_MISSING = object()


@functools.cache
def _fields_of(kind: type[StrictSerializer]) -> BindingDict:
    return cast("BindingDict", serializers.Serializer.fields.func(kind()))  # type: ignore[attr-defined]


@functools.cache
def _readable(kind: type[StrictSerializer]) -> list[tuple[str, AnyField, str | None]]:
    """The fields that are shown, and the one name that each is found under, if it is one."""
    fields = [(name, field) for name, field in _fields_of(kind).items() if not field.write_only]
    return [
        (name, field, field.source if len(field.source_attrs) == 1 and not isinstance(field, Personal) else None)
        for name, field in fields
    ]


@functools.cache
def _writable(kind: type[StrictSerializer]) -> tuple[dict[str, AnyField], frozenset[str]]:
    """The fields that may be sent, and those that have a say when they are not: the required, and the defaults."""
    writable = {name: field for name, field in _fields_of(kind).items() if not field.read_only}
    silent = {name for name, field in writable.items() if not field.required and field.default is serializers.empty}
    return writable, frozenset(writable.keys() - silent)


class Nothing(StrictSerializer):
    """A call that takes no fields."""
