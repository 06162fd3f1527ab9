"""The slip of a hit, for the people who sign it: as PDF, and as ESC/POS for the printer at the pit."""

from __future__ import annotations

import io
from typing import Final

from reportlab.lib.pagesizes import A6

from house.times import for_people
from house.venue import venue
from jackpot import steps
from jackpot.hits import RIGHT_TO_COMPLAIN, find_hit
from jackpot.models import Hit
from kernel.money import Money
from web import faces, words

WIDTH_CHARACTERS: Final = 42  # characters of an 80 mm printer
_INITIALISE: Final = b"\x1b@"
_CODE_PAGE: Final = b"\x1bt\x10"  # Windows-1252
_BOLD_ON: Final = b"\x1bE\x01"
_BOLD_OFF: Final = b"\x1bE\x00"
_CUT: Final = b"\n\n\n\x1dV\x00"
_MARGIN_POINTS, _LEADING_POINTS, _FONT_POINTS = 24.0, 13.0, 9.0


def lines(hit: Hit) -> list[tuple[str, str]]:
    """What the slip says: label and value, in order."""
    shown = [
        ("Hit", f"{hit.link.code} {hit.sequence}"),
        ("Table", hit.table.code),
        ("Round", str(hit.round_id)) if hit.round_id else ("Message", hit.message or ""),
        ("Box", str(hit.box or "not named")),
        ("Player", hit.player_card or "not named"),
        ("Prize", f"{hit.kind}, {hit.hand}" if hit.hand else hit.kind),
        ("Amount", words.money(hit.amount)),
        ("From the jackpot", words.money(hit.from_pool)),
        ("From the house", words.money(hit.from_house)),
    ]
    if hit.measured_on is not None:
        shown.append(("Meter when won", words.money(hit.measured_on)))
    shown += [("Won", for_people(hit.claimed_at)), ("Recorded by", hit.claimed_by)]
    if hit.verified_at is not None:
        shown += [("Verified", for_people(hit.verified_at)), ("Verified by", hit.verified_by or "")]
    if hit.authorised_at is not None:
        shown += [("Authorised", for_people(hit.authorised_at)), ("Authorised by", hit.authorised_by or "")]
    if hit.paid_at is not None:
        shown += _payment(hit)
    if hit.denied_at is not None:
        shown += [("Denied", for_people(hit.denied_at)), ("Denied by", hit.denied_by or ""), ("Reason", hit.reason)]
    return shown


def _payment(hit: Hit) -> list[tuple[str, str]]:
    """How it was paid; what was withheld of it; what is still owed."""
    shown = (
        [("Tax withheld", words.money(hit.withheld)), ("Handed over", words.money(hit.paid_out))]
        if hit.withheld
        else []
    )
    assert hit.paid_at is not None
    shown += [("Paid", f"{for_people(hit.paid_at)}, {hit.method}"), ("Paid by", hit.paid_by or "")]
    if hit.payment_surveillance:
        shown.append(("Surveillance", hit.payment_surveillance))
    parts = list(hit.instalments.order_by("number"))
    if parts:
        open_ = [part for part in parts if part.paid_at is None]
        owed = Money.total(part.amount for part in open_)
        shown.append(("Instalments", f"{len(open_)} of {len(parts)} owed, {words.money(owed)}"))
        shown += [("Next", f"{words.money(open_[0].amount)} on {words.day(open_[0].due, year=True)}")] if open_ else []
    return shown


def title(hit: Hit) -> str:
    return {"paid": "JACKPOT PAYMENT", "denied": "JACKPOT DENIED"}.get(hit.status, "JACKPOT HIT")


def decided(hit_id: int) -> Hit:
    hit = find_hit(hit_id)
    steps.must_have_a_slip(hit)
    return hit


def as_pdf(*, hit_id: int) -> bytes:
    """One page of A6, with lines to sign on."""
    hit = decided(hit_id)
    out = io.BytesIO()
    page = faces.canvas(out, size=A6, title=f"{title(hit)} {hit.link.code} {hit.sequence}")
    width, height = A6
    y = height - _MARGIN_POINTS
    page.setFont(faces.BOLD, 12)
    page.drawString(_MARGIN_POINTS, y, title(hit))
    page.setFont(faces.SANS, _FONT_POINTS)
    y -= _LEADING_POINTS
    page.drawString(_MARGIN_POINTS, y, venue().name)
    y -= _LEADING_POINTS
    for label, value in lines(hit):
        for i, part in enumerate(_wrapped(value, 36)):
            y -= _LEADING_POINTS
            page.drawString(_MARGIN_POINTS, y, label if i == 0 else "")
            page.drawString(_MARGIN_POINTS + 90, y, part)
    if hit.status == Hit.Status.DENIED:
        for part in _wrapped(RIGHT_TO_COMPLAIN, 56):
            y -= _LEADING_POINTS
            page.drawString(_MARGIN_POINTS, y, part)
    for who in ("Player", "Supervisor", "Manager"):
        y -= 2 * _LEADING_POINTS
        page.drawString(_MARGIN_POINTS, y, who)
        page.line(_MARGIN_POINTS + 90, y, width - _MARGIN_POINTS, y)
    page.showPage()
    page.save()
    return out.getvalue()


def as_escpos(*, hit_id: int) -> bytes:
    """For an 80 mm thermal printer: initialised, printed, cut."""
    hit = decided(hit_id)
    text = [venue().name, ""]
    for label, value in lines(hit):
        for i, part in enumerate(_wrapped(value, WIDTH_CHARACTERS - 18)):
            text.append(f"{label if i == 0 else '':<18}{part}")
    if hit.status == Hit.Status.DENIED:
        text += ["", *_wrapped(RIGHT_TO_COMPLAIN, WIDTH_CHARACTERS)]
    for who in ("Player", "Supervisor", "Manager"):
        text += ["", f"{who:<18}{'_' * (WIDTH_CHARACTERS - 18)}"]
    heading = _BOLD_ON + title(hit).encode() + _BOLD_OFF + b"\n"
    return _INITIALISE + _CODE_PAGE + heading + _printable("\n".join(text)) + _CUT


def _printable(text: str) -> bytes:
    """No control codes from a name or a reason: what a person typed must not drive the printer."""
    clean = "".join(c if c == "\n" or c.isprintable() else "?" for c in text)
    return clean.encode("cp1252", errors="replace")


def _wrapped(text: str, width: int) -> list[str]:
    """By words, and a word that is longer than the line by force."""
    done, line = [], ""
    for word in text.split():
        while len(word) > width:
            if line:
                done.append(line)
                line = ""
            done.append(word[:width])
            word = word[width:]  # noqa: PLW2901  the rest of it
        if line and len(line) + 1 + len(word) > width:
            done.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return [*done, line] if line or not done else done
