"""What an amendment changes, in words, and what players lose by it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from kernel.money import Money


def in_words(old: Mapping[str, object], new: Mapping[str, object]) -> str:
    """Every difference in a sentence; losses of players first, each with a warning."""
    warned = [f"Players lose by it: {loss}." for loss in lost_by_players(old, new)]
    return " ".join([*warned, *changes(old, new)]) or "Nothing changes."


def changes(old: Mapping[str, object], new: Mapping[str, object]) -> list[str]:
    """Every particular that differs, a sentence each."""
    return [_change(key, old.get(key), new.get(key)) for key in sorted({*old, *new}) if old.get(key) != new.get(key)]


def lost_by_players(old: Mapping[str, object], new: Mapping[str, object]) -> Iterator[str]:
    """What somebody who has entered had, and has no more."""
    before, after = _prizes(old), _prizes(new)
    for name, (value, quantity) in before.items():
        if name not in after:
            yield f"the prize “{name}” is gone"
            continue
        now, many = after[name]
        if now < value:
            yield f"“{name}” is worth {_dollars(now)} instead of {_dollars(value)}"
        if many < quantity:
            yield f"there are {many} instead of {quantity} of “{name}”"
    for key, less, words in _LESS:
        if key in old and key in new and old[key] != new[key] and less(old[key], new[key]):
            yield f"{words}: {_said(new[key])} instead of {_said(old[key])}"


def _prizes(terms: Mapping[str, Any]) -> dict[str, tuple[Money, int]]:
    found = {}
    for prize in terms.get("prizes") or []:
        try:
            found[str(prize["name"]).strip()] = (Money.parse(prize["value"]), int(prize.get("quantity", 1)))
        except (KeyError, TypeError, ValueError):
            continue  # not complete: it is refused for that
    return found


def _dollars(amount: Money) -> str:
    whole, cents = divmod(amount.micros // 10_000, 100)
    return f"${whole:,}.{cents:02d}"


def _worth(value: Any) -> str:
    try:
        return _dollars(Money.parse(value))
    except (TypeError, ValueError):
        return str(value)


def _sooner(old: Any, new: Any) -> bool:
    try:
        return datetime.fromisoformat(new) < datetime.fromisoformat(old)
    except (TypeError, ValueError):
        return False


def _fewer(old: object, new: object) -> bool:
    return isinstance(old, int) and isinstance(new, int) and new < old


def _more(old: object, new: object) -> bool:
    return isinstance(old, int) and isinstance(new, int) and new > old


def _dearer(old: Any, new: Any) -> bool:
    try:
        return old == "none" or Money.parse(new) > Money.parse(old)
    except (TypeError, ValueError):
        return False


# Where less than before is a loss of the players'.
_LESS = (
    ("entries_close_at", _sooner, "entries close sooner"),
    ("claim_within_days", _fewer, "there are fewer days to claim"),
    ("call_seconds", _fewer, "there is less time to come forward"),
    ("limit_per_person", _fewer, "a person may enter less often"),
    ("minimum_age", _more, "one has to be older"),
    ("minimum_wager", _dearer, "it takes a higher wager to enter"),
    ("must_be_present", lambda old, new: not old and bool(new), "winners have to be present"),
)


def _change(key: str, old: object, new: object) -> str:
    name = key.replace("_", " ")
    if key == "prizes":
        return f"The prizes were {_said(old)}; they are {_said(new)}."
    if old is None:
        return f"New is {name}: {_said(new)}."
    if new is None:
        return f"No more {name}: it was {_said(old)}."
    return f"{name.capitalize()} was {_said(old)}; it is {_said(new)}."


def _said(value: Any) -> str:  # noqa: PLR0911  a line a type
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case {"name": name, "value": worth, **rest}:
            return f"{rest.get('quantity', 1)} × “{name}” ({_worth(worth)})"
        case str():
            return f"“{value}”"
        case Sequence():
            return ", ".join(_said(each) for each in value) or "none"
        case Mapping():
            return ", ".join(f"{key} {_said(part)}" for key, part in value.items()) or "none"
    return str(value)
