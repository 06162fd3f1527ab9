"""Figures and moments as German writes them, made from how the one formatter (web/words.py) writes them in English.

``static/web/german.js`` does the same for what scripts show; one list of examples holds both."""

from __future__ import annotations

import re
from typing import Final

SPACE: Final = "\u00a0"  # before a unit: the figure and its unit stay together
WEEKDAYS: Final = {"Mon": "Mo.", "Tue": "Di.", "Wed": "Mi.", "Thu": "Do.", "Fri": "Fr.", "Sat": "Sa.", "Sun": "So."}
MONTHS: Final = {
    "Jan": "Jan.", "Feb": "Feb.", "Mar": "März", "Apr": "Apr.", "May": "Mai", "Jun": "Juni", "Jul": "Juli",
    "Aug": "Aug.", "Sep": "Sept.", "Oct": "Okt.", "Nov": "Nov.", "Dec": "Dez.",
}  # fmt: skip
_UNITS: Final = {"day": "Tag", "hour": "Stunde", "minute": "Minute", "second": "Sekunde"}
_FIGURE: Final = re.compile(r"(?<![\w.,:/#])([+−-]?)(\$?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(%?)(?![\w%]|[.,/]\d)")
_DAY: Final = re.compile(rf"\b(?:({'|'.join(WEEKDAYS)}) )?(\d{{1,2}}) ({'|'.join(MONTHS)})\b(?!\.)")
_SPAN: Final = re.compile(rf"\b(\d+) ({'|'.join(_UNITS)})(s?)\b")
_AGO: Final = re.compile(rf"((?:\b\d+ (?:{'|'.join(_UNITS)})s? ?)+)\bago\b")
_ODDS: Final = re.compile(r"\b1 in (\d[\d,]*)(\.\d\d)?(?![\d,])")


def figures(text: str) -> str:
    """``$1,590.00`` → ``1.590,00 $``; ``21.3%`` → ``21,3 %``; ``Mon 16 Nov`` → ``Mo., 16. Nov.``"""
    text = _AGO.sub(lambda found: f"vor {_SPAN.sub(_before, found[1]).strip()}", text)
    text = _ODDS.sub(lambda found: f"1 zu {_whole(found[1])}{(found[2] or '').replace('.', ',')}", text)
    text = _DAY.sub(_date, text)
    text = _SPAN.sub(_span, text)
    return _FIGURE.sub(_figure, text)


def _whole(digits: str) -> str:
    return digits.replace(",", ".")


def _figure(found: re.Match[str]) -> str:
    sign, dollar, whole, part, percent = found[1], found[2], found[3], found[4] or "", found[5]
    if not (dollar or percent or "," in whole):
        return found[0]
    unit = f"{SPACE}$" if dollar else f"{SPACE}%" if percent else ""
    return f"{sign}{_whole(whole)}{part.replace('.', ',')}{unit}"


def _date(found: re.Match[str]) -> str:
    weekday = f"{WEEKDAYS[found[1]]}, " if found[1] else ""
    return f"{weekday}{found[2]}. {MONTHS[found[3]]}"


def _span(found: re.Match[str]) -> str:
    several = ("e" if found[2] == "day" else "n") if found[3] else ""
    return f"{found[1]} {_UNITS[found[2]]}{several}"


def _before(found: re.Match[str]) -> str:
    """As it stands behind ``vor``: vor 3 Tagen."""
    return _span(found) + ("n" if found[2] == "day" and found[3] else "")
