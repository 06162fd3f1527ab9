"""Typed acts: what is written to the log, each a small frozen class. Pure; the verifier reads the same classes.

    @dataclass(frozen=True, slots=True, kw_only=True)
    class GameClosed(Act):
        kind: ClassVar[str] = "keno.closed"
        game: InSubject[int]
        closed_at: datetime

        @property
        def subject(self) -> str:
            return f"game:{self.game}"

        def sentence(self) -> str:
            return f"closed game {self.game}"

A room's ``acts.py`` holds its acts, its ``room.py`` declares them. Fields are what the log keeps; ``sentence`` says it
after the name of whoever did it. ``GameClosed.read(data, subject=…)`` gives the class back from what the log kept.

A field marked ``InSubject`` stands in the subject (after its colon) and not among the data; one marked ``OrMissing``
is left out of the data where it is None. A name that Python or this class has taken already is written with an
underscore behind it, and kept without: ``kind_``, ``from_``.
"""

from __future__ import annotations

import datetime as dt
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from typing import Annotated, Any, ClassVar, Final, NamedTuple, Self, TypeAlias, TypeVar

from kernel.money import Money

Json = Any  # what JSON can hold: the log keeps each act's fields as one object
T = TypeVar("T")
_IN_SUBJECT, _MAY_BE_MISSING = "in the subject", "may be missing"
InSubject = Annotated[T, _IN_SUBJECT]
OrMissing = Annotated[T | None, _MAY_BE_MISSING]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something somebody did that moved no money by itself."""

    kind: ClassVar[str]

    @property
    def subject(self) -> str:
        """What it was done to: ``game:48213``, ``link:CSP``, ``staff:anna``."""
        raise NotImplementedError

    def sentence(self) -> str:
        """What was done, said after the name of whoever did it: ``closed game 48213``."""
        raise NotImplementedError

    def data(self) -> dict[str, Json]:
        """As the log keeps it."""
        kept = {}
        for name, key, may_be_missing, _ in _shape(type(self)).data:
            value = getattr(self, name)
            if value is not None or not may_be_missing:
                kept[key] = value if type(value) in _AS_THEY_ARE else written(value)
        return kept

    @classmethod
    def keys(cls) -> frozenset[str]:
        """The keys of its data, as the log keeps them."""
        return frozenset(_key(name) for name, kind in _types_of(cls).items() if _IN_SUBJECT not in _marks(kind))

    @classmethod
    def in_subject(cls) -> frozenset[str]:
        """The fields that stand in its subject only."""
        return frozenset(_key(name) for name, kind in _types_of(cls).items() if _IN_SUBJECT in _marks(kind))

    @classmethod
    def read(cls, data: Mapping[str, Json], *, subject: str = "") -> Self:
        """The act again, from what the log kept. Refuses (ValueError) a field missing, unknown or of another type."""
        shape, given = _shape(cls), dict[str, Any]()
        for key, value in data.items():
            found = shape.kept.get(key)
            if found is None:
                raise ValueError(f"{cls.kind} has no field {min(data.keys() - shape.kept.keys())}")
            name, plain, read = found
            given[name] = value if type(value) is plain else read(value)
        for name, kind in shape.said:
            given[name] = _read_said(kind, subject.partition(":")[2])
        try:
            return cls(**given)
        except TypeError as wrong:
            raise ValueError(f"{cls.kind}: {wrong}") from wrong

    @classmethod
    def read_exactly(cls, data: Mapping[str, Json], *, subject: str) -> Self:
        """The same where it is written in its one way, which is what ``data`` and ``subject`` would say again; else
        ValueError."""
        act = cls.read(data, subject=subject)
        if not act._is_written(data) or act.subject != subject:
            raise ValueError(f"{cls.kind} is not written in its one way")
        return act

    def _is_written(self, data: Mapping[str, Json]) -> bool:
        if type(self).data is not Act.data:  # it is kept in a way of its own
            return self.data() == data
        for name, key, may_be_missing, one_way in _shape(type(self)).data:
            if may_be_missing and getattr(self, name) is None:
                if key in data:
                    return False
            elif key not in data or not (one_way or written(getattr(self, name)) == data[key]):
                return False
        return True


def _key(name: str) -> str:
    return name.removesuffix("_")


def _marks(kind: object) -> tuple[object, ...]:
    return getattr(kind, "__metadata__", ())


def _read_said(kind: object, text: str) -> object:
    (inner, *_) = typing.get_args(kind)
    return int(text) if inner is int else _read(inner, text)


def written(value: object) -> Json:
    """A field as JSON holds it: amounts as dollars, moments as RFC 3339, bytes as hexadecimal digits."""
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    known = _WRITERS.get(kind)
    return known(value) if known is not None else _written(value)


def _written_list(value: Sequence[object]) -> Json:
    return [part if type(part) in _AS_THEY_ARE else written(part) for part in value]


def _written_dict(value: Mapping[object, object]) -> Json:
    return {str(key): written(part) for key, part in value.items()}


# What most fields are.
_WRITERS: Final[Mapping[type, Callable[[Any], Json]]] = {
    Money: str, tuple: _written_list, list: _written_list, dict: _written_dict,
}  # fmt: skip


def _written(value: object) -> Json:  # noqa: PLR0911  a line a type
    match value:
        case None | bool():
            return value
        case Enum():
            return written(value.value)
        case int():
            return int(value)
        case str():
            return str(value)
        case Money():
            return str(value)
        case dt.datetime():
            return moment_text(value)
        case dt.date():
            return value.isoformat()
        case bytes():
            return value.hex()
        case Mapping():
            return _written_dict(value)
        case Sequence() | set() | frozenset():
            return _written_list(list(value))
    if is_dataclass(value) and not isinstance(value, type):
        return {_key(field.name): written(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"an act does not hold a {type(value).__name__}")


def moment_text(moment: dt.datetime) -> str:
    """To the millisecond, ``Z`` for UTC."""
    # Judged by what is written: within the first millisecond of a second that is no fraction, as it is when read back.
    text = moment.isoformat(timespec="milliseconds" if moment.microsecond >= 1000 else "seconds")
    return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text


def _types_of(cls: object) -> dict[str, object]:
    return _resolved(cls)


@cache
def _resolved(cls: Any) -> dict[str, object]:
    hints = typing.get_type_hints(cls, include_extras=True)
    return {field.name: hints[field.name] for field in fields(cls)}


class _Shape(NamedTuple):
    """How an act is kept; its fields' types, looked at once."""

    # The field, its key, whether it is left out where it is None, whether only one text is read as what it holds.
    data: tuple[tuple[str, str, bool, bool], ...]
    kept: Mapping[str, tuple[str, object, Reader]]  # by key: the field; its type, if it is kept as it is; what reads it
    said: tuple[tuple[str, object], ...]  # in the subject


def _shape(cls: object) -> _Shape:
    return _looked_at(cls)


@cache
def _looked_at(cls: Any) -> _Shape:
    types_of = _types_of(cls)
    kept = {_key(name): (name, kind) for name, kind in types_of.items() if _IN_SUBJECT not in _marks(kind)}
    data = tuple((name, key, _MAY_BE_MISSING in _marks(kind), _one_way(kind)) for key, (name, kind) in kept.items())
    readers = {key: (name, kind if kind in _AS_THEY_ARE else None, _reader(kind)) for key, (name, kind) in kept.items()}
    return _Shape(data, readers, tuple((name, kind) for name, kind in types_of.items() if _IN_SUBJECT in _marks(kind)))


_AS_THEY_ARE: Final = frozenset({int, str, bool})
Reader: TypeAlias = Callable[[Json], object]


@cache
def _looked_into(kind: Any) -> tuple[Any, Any, tuple[Any, ...]]:
    """A field's type without marks; where it is made of others: of what kind, and of which."""
    if _marks(kind):
        kind = typing.get_args(kind)[0]
    return kind, typing.get_origin(kind), typing.get_args(kind)


@cache
def _one_way(kind: Any) -> bool:
    """Whether there is one text for each value, and its reader takes no other: whole numbers, texts, lists of them."""
    kind, origin, inner = _looked_into(kind)
    if origin in (typing.Union, types.UnionType):
        some = [each for each in inner if each is not type(None)]
        return len(some) == 1 and _one_way(some[0])
    if origin in (list, tuple):
        return all(_one_way(each) for each in inner if each is not Ellipsis)
    return kind in _AS_THEY_ARE


@cache
def _reader(kind: Any) -> Reader:
    """What reads such a field; what can be said of the type alone is said once."""
    kind, origin, inner = _looked_into(kind)
    if origin in (typing.Union, types.UnionType):
        others = [each for each in inner if each is not type(None)]
        some = _reader(others[0]) if len(others) == 1 else partial(_first_that_reads, others)
        return some if len(others) == len(inner) else lambda value: None if value is None else some(value)
    if kind is Any:
        return lambda value: value
    if kind is Money:
        return Money.parse_exact
    if origin is not None:
        return _collection_reader(origin, inner)
    return partial(_AS_IT_IS.get(kind) or _read_plain, kind)


def _read(kind: Any, value: Json) -> object:
    return _reader(kind)(value)


def _as_it_is(kind: type, value: Json) -> object:
    if type(value) is not kind:
        raise ValueError(f"{value!r} is no {kind.__name__}")
    return value


_AS_IT_IS: Final[Mapping[object, Callable[[Any, Json], object]]] = dict.fromkeys(_AS_THEY_ARE, _as_it_is)


def _first_that_reads(kinds: Sequence[object], value: Json) -> object:
    for kind in kinds[:-1]:
        try:
            return _read(kind, value)
        except ValueError:
            continue
    return _read(kinds[-1], value)


def _collection_reader(origin: Any, inner: tuple[Any, ...]) -> Reader:
    if issubclass(origin, Mapping):
        return partial(_read_mapping, inner[0], _reader(inner[1]))
    if origin is tuple and inner[-1] is not Ellipsis:
        return partial(_read_parts, [_reader(part) for part in inner])
    made = frozenset if origin in (set, frozenset) else tuple if origin is tuple else list
    return partial(_read_list, made, inner[0], _reader(inner[0]))


def _read_mapping(key_kind: object, read: Reader, value: Json) -> object:
    if not isinstance(value, dict):
        raise ValueError(f"{value!r} is no object")
    if key_kind is str:
        return {key: read(part) for key, part in value.items()}
    return {_read_key(key_kind, key): read(part) for key, part in value.items()}


def _read_parts(readers: Sequence[Reader], value: Json) -> object:
    if not isinstance(value, list):
        raise ValueError(f"{value!r} is no list")
    if len(readers) != len(value):
        raise ValueError(f"{value!r} has not {len(readers)} parts")
    return tuple([read(each) for read, each in zip(readers, value, strict=True)])


def _read_list(made: Callable[[Sequence[object]], object], kind: object, read: Reader, value: Json) -> object:
    if not isinstance(value, list):
        raise ValueError(f"{value!r} is no list")
    return made([each if type(each) is kind and kind in _AS_THEY_ARE else read(each) for each in value])


def _read_key(kind: object, key: str) -> object:
    return int(key) if kind is int else _read(kind, key)


def _read_object(kind: Any, value: Json) -> object:
    """A part of an act that is a small class itself."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{value!r} is no object")
    parts = {_key(name): (name, part) for name, part in _types_of(kind).items()}
    if unknown := value.keys() - parts.keys():
        raise ValueError(f"{kind.__name__} has no field {min(unknown)}")
    try:
        return kind(**{parts[key][0]: _read(parts[key][1], part) for key, part in value.items()})
    except TypeError as wrong:
        raise ValueError(f"{kind.__name__}: {wrong}") from wrong


def _read_plain(kind: object, value: Json) -> object:
    if kind is not Money and is_dataclass(kind) and isinstance(kind, type):
        return _read_object(kind, value)
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    if kind is dt.datetime:
        return dt.datetime.fromisoformat(value)
    if kind is dt.date:
        return dt.date.fromisoformat(value)
    if kind is bytes:
        return bytes.fromhex(value)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    raise TypeError(f"an act does not hold a {kind}")
