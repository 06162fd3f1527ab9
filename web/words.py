"""How the console says things: money, moments, spans of time. Pure text, no rules."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from fractions import Fraction

from django.utils import timezone

from kernel.money import Money

THIN = "\u202f"  # narrow no-break space: the figures stay together at the end of a line


def number(value: int) -> str:
    return f"{value:,}".replace(",", THIN)


def one_in(chance: Fraction) -> str:
    """``1 in 7 753``: odds as people read them; to the hundredth below ten."""
    if not chance:
        return "never"
    whole, hundredths = round(1 / chance), round(100 / chance)
    return f"1 in {number(whole)}" if whole >= 10 else f"1 in {hundredths // 100}.{hundredths % 100:02d}"


def percent(share: Fraction) -> str:
    """``77.4%``"""
    tenths = round(share * 1_000)
    return f"{tenths // 10}.{tenths % 10}%"


def dollars(amount: Money | int) -> tuple[str, str]:
    """The two parts of an amount in words: ``("$48,213", "50")``. What a pool holds below the cent is not shown."""
    micros = amount.micros if isinstance(amount, Money) else amount
    sign = "−" if micros < 0 else ""
    whole, cents = divmod(abs(micros) // 10_000, 100)
    return f"{sign}${whole:,}", f"{cents:02d}"


def money(amount: Money | int) -> str:
    return ".".join(dollars(amount))


def day(date: dt.date) -> str:
    year = "" if date.year == timezone.localdate().year else f" {date.year}"
    return f"{date:%a} {date.day} {date:%b}{year}"


def moment(when: dt.datetime) -> str:
    local = timezone.localtime(when)
    return f"{day(local.date())}, {local:%H:%M}"


def clock(when: dt.datetime) -> str:
    return f"{timezone.localtime(when):%H:%M}"


def span(length: dt.timedelta) -> str:
    """``3 days 4 hours``, ``1 hour 20 minutes``, ``40 seconds``: the two largest units that are not nothing."""
    left = int(abs(length.total_seconds()))
    parts = []
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")):
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count} {name}{'' if count == 1 else 's'}")
        elif parts:
            break
        if len(parts) == 2 or (parts and name == "minute"):
            break
    return " ".join(parts) or "no time"


def ago(when: dt.datetime) -> str:
    gone = timezone.now() - when
    if gone < dt.timedelta(seconds=45):
        return "just now"
    return f"{span(gone)} ago"


def in_fours(text: str) -> str:
    return " ".join(text[i : i + 4] for i in range(0, len(text), 4))


def label(text: object) -> str:
    plain = str(text).replace("-", " ").replace("_", " ").strip()
    return plain[:1].upper() + plain[1:]


def listed(items: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    names = list(items)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""


def count(how_many: int, one: str, many: str | None = None) -> str:
    return f"{number(how_many)} {one if how_many == 1 else many or one + 's'}"
