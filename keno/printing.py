"""Printing a receipt, a record of its own. The first is the receipt; any other is a supervisor's and says DUPLICATE.

A duplicate has no security code: who prints it by a serial would hold what he only names (10.3). It shows the player
what he plays; the original is paid, or a claim. A terminal whose printer jammed sends its own request again, under its
key, and prints the receipt from the same answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.utils import timezone

from keno.models import Payment, Printing, Ticket
from keno.pay import lock_ticket
from keno.permissions import PRINT, REPRINT
from keno.receipts.data import Receipt, as_data, receipt_of
from keno.receipts.escpos import escpos
from keno.receipts.page import html
from keno.receipts.slip import pdf
from kernel.actors import Actor
from kernel.refusal import Conflict, Malformed, Refusal

FORMATS: Final[dict[str, tuple[str, Callable[[Receipt], bytes]]]] = {
    "data": ("application/json", lambda receipt: json.dumps(as_data(receipt)).encode()),
    "html": ("text/html", lambda receipt: html(receipt).encode()),
    "pdf": ("application/pdf", pdf),
    "escpos": ("application/octet-stream", escpos),
}


@dataclass(frozen=True, slots=True)
class Printed:
    receipt: Receipt
    media_type: str
    content: bytes


@transaction.atomic
def print_receipt(*, serial: str, by: Actor, layout: str = "escpos") -> Printed:
    """Print the receipt of a sale, once, at the terminal that sold it; a continuation where the ticket was paid."""
    by.require(PRINT)
    ticket = lock_ticket(serial)
    if _made_at(ticket) != by.identity:
        raise Refusal(
            "sold-elsewhere", "The receipt is printed where the ticket was sold; a reprint is a supervisor’s."
        )
    if Printing.objects.filter(ticket=ticket, paper=ticket.paper).exists():
        raise Conflict("printed-already", "This receipt has been printed. A reprint is a supervisor’s.")
    printing = Printing.objects.create(
        ticket=ticket, at=timezone.now(), by=by.identity, duplicate=False, paper=ticket.paper
    )
    return lay_out(receipt_of(ticket, duplicate=False, at=printing.at), layout)


@transaction.atomic
def reprint_receipt(*, serial: str, reason: str, by: Actor, layout: str = "escpos") -> Printed:
    """Print a receipt again, marked DUPLICATE, with the reason on record."""
    by.require(REPRINT)
    if not reason.strip():
        raise Refusal("reason-missing", "Say why it is printed again.", field="reason")
    ticket = lock_ticket(serial)
    printing = Printing.objects.create(
        ticket=ticket, at=timezone.now(), by=by.identity, duplicate=True, reason=reason.strip(), paper=ticket.paper
    )
    return lay_out(receipt_of(ticket, duplicate=True, at=printing.at), layout)


def _made_at(ticket: Ticket) -> str:
    """Where the paper that is good was handed out."""
    if ticket.paper == 1:
        return ticket.terminal
    return Payment.objects.get(ticket=ticket, continued=ticket.paper).paid_by


def lay_out(receipt: Receipt, layout: str) -> Printed:
    if layout not in FORMATS:
        raise Malformed("no-such-layout", f"A receipt is one of: {', '.join(FORMATS)}.", field="layout")
    media_type, draw = FORMATS[layout]
    return Printed(receipt, media_type, draw(receipt))
