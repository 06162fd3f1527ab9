"""The two paper entry forms (4.4): standard and way, drawn in the version that an inspector has approved.

The approved value names the layout it is for, the reference of the approval and the help line that the venue prints; a
layout that is not approved is not given out. What the text asks for is on them: stake, games, special schedule, numbers
(4.4a), and on the way form the ways to be played (4.4b); besides, the odds and what comes back of a dollar.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from io import BytesIO
from typing import Final

from reportlab.lib import units
from reportlab.lib.pagesizes import A5
from reportlab.pdfgen.canvas import Canvas

from house.venue import venue
from keno import approved
from keno.rules.mathematics import PrizeTableMathematics, schedule_mathematics
from keno.rules.schedules import STANDARD
from keno.rules.selection import NUMBERS
from keno.shapes import EntryForm
from kernel.refusal import Conflict
from web import faces, words

mm: Final[float] = units.mm
LAYOUT: Final = 3  # of what is drawn here: whoever changes it, changes this, and the inspector approves it anew
STAKES: Final = ("$1", "$2", "$3", "$5", "$10", "$20")
SMALL_STAKES: Final = ("10c", "20c", "50c")  # of way tickets (3.1c)
GAMES: Final = (1, 2, 3, 5, 10, 20, 50, 100)
_ROW: Final = 10
_BLOCK: Final = 40  # two blocks of ten by four, as on every board


class FormCode(StrEnum):
    STANDARD = "STANDARD"
    WAY = "WAY"


@dataclass(frozen=True, slots=True)
class Odds:
    """Of one way of so many numbers on the standard schedule."""

    spots: int
    any_prize: str
    top_prize: str
    returned: str


def in_force(code: FormCode) -> EntryForm | None:
    """The approval of the form as it is drawn here; None where there is none."""
    found = approved.entry_form(code)
    return found if found is not None and found.layout == LAYOUT else None


def require(code: FormCode) -> EntryForm:
    found = in_force(code)
    if found is None:
        raise Conflict(
            "entry-form-not-approved",
            "This entry form is not approved: an inspector decides on a proposal.",
            clause="act-keno:4.4-form",
        )
    return found


def odds(table: PrizeTableMathematics) -> Odds:
    any_prize, top = words.one_in(table.hit_rate), words.one_in(table.top_prize_odds)
    return Odds(table.spots, any_prize, top, words.percent(table.returned))


def pdf(code: FormCode) -> bytes:
    """One page of A5; the same approval gives the same file."""
    form = require(code)
    out = BytesIO()
    canvas = faces.canvas(out, size=A5, title=f"Keno entry form: {code.lower()}")
    canvas.setLineWidth(0.5)
    y = _head(canvas, code, form)
    y = _numbers(canvas, y)
    if code is FormCode.WAY:
        y = _boxes(canvas, y, "WAYS TO BE PLAYED: numbers in a way, stake a way", [str(n) for n in range(1, 16)])
        y = _line(canvas, y, "Circle numbers that belong together: each circle is a group. Every combination of whole")
        y = _line(canvas, y, "groups with so many numbers is a way.")
    stakes = (*SMALL_STAKES, *STAKES) if code is FormCode.WAY else STAKES
    y = _boxes(canvas, y, "STAKE A WAY A GAME", [*stakes, "$ ____"])
    y = _boxes(canvas, y, "GAMES", [*map(str, GAMES), "____"])
    y = _boxes(canvas, y, "SCHEDULE", ["Standard", "Standard with jackpot", "Special 1", "Special 2", "Special 3"])
    _back(canvas, y, form)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


_WIDTH, _HEIGHT = A5
_LEFT: Final = 12 * mm


def _head(canvas: Canvas, code: FormCode, form: EntryForm) -> float:
    y = _HEIGHT - 14 * mm
    canvas.setFont(faces.BOLD, 14)
    canvas.drawString(_LEFT, y, f"KENO: {code} ENTRY FORM")
    canvas.setFont(faces.SANS, 8)
    canvas.drawRightString(_WIDTH - _LEFT, y, venue().name)
    approval = f"Form {code} layout {form.layout}, approved under {form.reference}"
    return _line(canvas, _line(canvas, y - 4 * mm, approval), "Put a cross (X) into the box of each choice.")


def _numbers(canvas: Canvas, y: float) -> float:
    y = _title(canvas, y, "NUMBERS")
    side = 9 * mm
    for number in range(1, NUMBERS + 1):
        row, column = divmod(number - 1, _ROW)
        top = y - row * side - (2 * mm if number > _BLOCK else 0)
        canvas.rect(_LEFT + column * (side + 3.2 * mm), top - side + 1.5 * mm, side, side - 2 * mm)
        canvas.drawCentredString(_LEFT + column * (side + 3.2 * mm) + side / 2, top - side + 4 * mm, str(number))
    return y - NUMBERS / _ROW * side - 4 * mm


def _boxes(canvas: Canvas, y: float, title: str, said: list[str]) -> float:
    y = _title(canvas, y, title)
    x = _LEFT
    for text in said:
        canvas.rect(x, y - 1 * mm, 3 * mm, 3 * mm)
        canvas.drawString(x + 4 * mm, y - 0.5 * mm, text)
        x += 6 * mm + canvas.stringWidth(text, faces.SANS, 8)
    return y - 5 * mm


def _back(canvas: Canvas, y: float, form: EntryForm) -> None:
    """What the player should know before he plays."""
    y = _title(canvas, y, "STANDARD SCHEDULE, one way: any prize, the top prize, what comes back of a dollar")
    for place, each in enumerate(map(odds, schedule_mathematics(STANDARD))):
        row, column = divmod(place, 2)
        text = f"{each.spots}: {each.any_prize}, {each.top_prize}, {each.returned}"
        canvas.drawString(_LEFT + column * 62 * mm, y - row * 3.4 * mm, text)
    y -= 8 * 3.4 * mm
    y = _line(
        canvas, y, "A jackpot ticket plays 6 or 8 numbers for whole dollars; 25% of that stake is in the jackpots."
    )
    y = _line(canvas, y, "This form is no ticket: only the ticket that the writer hands you counts (1.2). Check it.")
    canvas.setFont(faces.BOLD, 9)
    canvas.drawString(_LEFT, y, form.help_line)


def _title(canvas: Canvas, y: float, text: str) -> float:
    y -= 1 * mm
    canvas.setFont(faces.BOLD, 8)
    canvas.drawString(_LEFT, y, text)
    canvas.setFont(faces.SANS, 8)
    return y - 4.5 * mm


def _line(canvas: Canvas, y: float, text: str) -> float:
    canvas.setFont(faces.SANS, 8)
    canvas.drawString(_LEFT, y, text)
    return y - 4 * mm
