"""How figures, moments and icons are written on every page."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from web import rulebook, words
from web.languages.shown import shown

register = template.Library()


@register.simple_tag
def icon(name: str, tone: str = "") -> SafeString:
    return format_html('<svg class="icon {}" aria-hidden="true"><use href="#i-{}"/></svg>', tone, name)


@register.filter
def money(amount: Any) -> SafeString:
    """$48,213.50, cents slightly smaller."""
    written = shown(words.money(amount))
    at = written.rindex(words.dollars(amount)[1]) - 1  # where the cents begin, with their point or comma
    whole, cents, behind = written[:at], written[at : at + 3], written[at + 3 :]
    return format_html('<span class="money">{}<small>{}</small>{}</span>', whole, cents, behind)


@register.filter
def number(value: int) -> str:
    return words.number(value)


@register.filter
def game(name: int) -> str:
    return words.game(name)


@register.filter
def hand(names: Iterable[str]) -> str:
    return words.hand(names)


@register.filter
def odds(fraction: str) -> str:
    """``"1/649740"`` → 1 in 649,740."""
    return words.one_in(Fraction(fraction))


@register.filter
def share(fraction: str) -> str:
    """``"213/1000"`` → 21.3%."""
    return words.percent(Fraction(fraction))


@register.filter
def whole(fraction: str) -> str:
    """``"1299481/2"`` → 649,740: how many, on average."""
    return words.number(round(Fraction(fraction)))


@register.filter
def grouped(figure: object) -> str:
    """``672763.16`` → 672,763.16: an amount that comes as its decimals."""
    whole, point, part = str(figure).partition(".")
    return f"{int(whole):,}{point}{part}"


@register.simple_tag(takes_context=True)
def moment(context: template.Context, when: dt.datetime | None, nothing: str = "never") -> SafeString:
    """``Mon 16 Nov, 21:04`` in the venue's zone, with the gaming day beside it where that is another date."""
    if when is None:
        return format_html('<span class="soft">{}</span>', shown(nothing))
    local = timezone.localtime(when)
    calendar = context.get("calendar")
    day = calendar.gaming_date(when) if calendar else None
    beside: str | SafeString = ""
    if day is not None and day != local.date():
        title, named = shown("Gaming day"), shown(f"day {words.day(day)}")
        beside = format_html(' <span class="gaming-day" title="{}">· {}</span>', title, named)
    return format_html(
        '<time datetime="{}" title="{} UTC">{}</time>{}',
        when.isoformat(),
        when.astimezone(dt.UTC).strftime("%Y-%m-%d %H:%M:%S"),
        shown(words.moment(when)),
        beside,
    )


@register.filter
def day(date: dt.date) -> str:
    return words.day(date)


@register.filter
def clock(when: dt.datetime) -> str:
    return words.clock(when)


@register.filter
def utc(when: dt.datetime) -> str:
    """The same instant in UTC: ``16 Nov 10:04``."""
    universal = when.astimezone(dt.UTC)
    return f"{universal.day} {universal:%b %H:%M}"


@register.filter
def ago(when: dt.datetime) -> str:
    return words.ago(when)


@register.filter
def fours(text: str) -> str:
    return words.in_fours(text)


@register.filter
def anchor(clause: str) -> str:
    """Where the rules page speaks of a clause."""
    return rulebook.anchor(clause)


@register.filter
def percent(basis_points: int | str) -> str:
    """7000 → 70%; where it comes as the text of a percentage: 0.50 → 0.5%."""
    if isinstance(basis_points, str):
        basis_points = int(Fraction(basis_points) * 100)
    return words.rate(basis_points)


@register.filter
def label(text: str) -> str:
    """A stored word for people: ``early-close`` → Early close."""
    return words.label(text)


@register.filter(name="words")
def split_words(text: str) -> list[str]:
    """``"open closed"`` as two choices, for the options of a select."""
    return text.split()
