"""The one formatter: money, counts, percentages, odds, moments, cards. Pages, charts, tickets and PDFs write by it, and
templates through ``templatetags/figures.py``. Pure text, no rules."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from fractions import Fraction

from django.utils import timezone

from kernel.money import MICROS_PER_CENT, Money

THIN = "\u202f"  # narrow no-break space: the figures stay together at the end of a line
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")  # not strftime's, which depend on the machine's language
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
RANKS = "AKQJT98765432"


def number(value: int) -> str:
    """``1,380,688``: how many."""
    return f"{value:,}"


def game(name: int) -> str:
    """``48 213``: which one. A game's number is a name, and nothing is counted by it."""
    return f"{name:,}".replace(",", THIN)


def one_in(chance: Fraction) -> str:
    """``1 in 7,753``: odds as people read them; to the hundredth below ten."""
    if not chance:
        return "never"
    whole, hundredths = round(1 / chance), round(100 / chance)
    return f"1 in {number(whole)}" if whole >= 10 else f"1 in {hundredths // 100}.{hundredths % 100:02d}"


def percent(share: Fraction) -> str:
    """``77.4%``"""
    whole, tenth = divmod(abs(tenths := round(share * 1_000)), 10)
    return f"{'−' if tenths < 0 else ''}{whole}.{tenth}%"


def rate(basis_points: int) -> str:
    """7000 → ``70%``; 1225 → ``12.25%``: a rate that somebody set, as he set it."""
    return f"{basis_points / 100:g}%"


def card(name: str) -> str:
    """``TS`` → ``10♠``. What is no card of the deck (a tile, the joker) stays as it is."""
    if len(name) != 2 or name[0] not in RANKS or name[1] not in SUITS:
        return name
    return f"{'10' if name[0] == 'T' else name[0]}{SUITS[name[1]]}"


def hand(names: Iterable[str]) -> str:
    """``A♠ K♠ Q♠ J♠ 10♠``: by rank, the highest first; of one rank the suits as bridge has them."""
    order = f"{RANKS}{''.join(SUITS)}"
    return " ".join(card(name) for name in sorted(names, key=lambda name: [order.find(sign) for sign in name]))


def dollars(amount: Money | int) -> tuple[str, str]:
    """The two parts of an amount in words: ``("$48,213", "50")``. What a pool holds below the cent is not shown."""
    micros = amount.micros if isinstance(amount, Money) else amount
    cents = abs(micros) // MICROS_PER_CENT
    whole, _, rest = Money.cents(-cents if micros < 0 else cents).said.partition(".")
    return whole, rest


def money(amount: Money | int) -> str:
    return ".".join(dollars(amount))


def day(date: dt.date, *, year: bool | None = None) -> str:
    """``Mon 16 Nov``; with its year where that is another than ours, or where it is asked for."""
    named = date.year != timezone.localdate().year if year is None else year
    return f"{WEEKDAYS[date.weekday()]} {date.day} {MONTHS[date.month - 1]}{f' {date.year}' if named else ''}"


def days(first: dt.date, last: dt.date) -> str:
    """``Mon 16 Nov 2026``, ``Mon 16 Nov to Tue 17 Nov 2026``: what a report is about, whenever it is read."""
    if first == last:
        return day(last, year=True)
    return f"{day(first, year=first.year != last.year)} to {day(last, year=True)}"


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
