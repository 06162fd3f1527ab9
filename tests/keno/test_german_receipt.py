"""A ticket printed in German: every line of it, in every layout, with its letters; what is sealed stays the same."""

from __future__ import annotations

from io import BytesIO

import pytest
from pypdf import PdfReader
from pytest_django import Settings

from keno.entries import TicketRequest
from keno.receipts.data import receipt_of
from keno.receipts.escpos import escpos
from keno.receipts.page import html
from keno.receipts.slip import pdf
from keno.rules.selection import Play as Asked
from tests.world import keno_counter as at
from tests.world.german import english_on
from tests.world.money import dollars

pytestmark = pytest.mark.django_db


def test_a_ticket_in_german(counter: at.Counter, settings: Settings) -> None:
    ticket = counter.sell(
        TicketRequest(groups=[[1, 2, 3], [4, 5, 6]], plays=[Asked(6, dollars("30.00"))], games=50, jackpot=True)
    ).ticket
    receipt, leaf = receipt_of(ticket, duplicate=False), bytes(ticket.leaf)
    english = html(receipt)
    settings.PAPER_LANGUAGE = "de"
    printed = receipt_of(ticket, duplicate=False)
    assert (printed, bytes(ticket.leaf)) == (receipt, leaf)  # nothing of it is other words
    assert printed.code == receipt.code
    page = html(printed)
    assert english_on(page) == []
    for said in ("Systemschein, Jackpot", "Spiele", "Prüfen Sie Ihren Schein jetzt.", "Verkauft", "30,00\u00a0$"):
        assert said in page
    settings.PAPER_LANGUAGE = "en"
    assert html(printed) == english


def test_its_letters_are_on_the_paper(counter: at.Counter, settings: Settings) -> None:
    ticket = counter.sell(TicketRequest(numbers=[1, 2, 3], stake=dollars("1.00"))).ticket
    settings.PAPER_LANGUAGE = "de"
    drawn = PdfReader(BytesIO(pdf(receipt_of(ticket, duplicate=True))))
    text = " ".join(drawn.pages[0].extract_text().split())
    assert "DUPLIKAT" in text
    assert "Prüfen Sie Ihren Schein jetzt." in text
    assert "später" in text
    thermal = escpos(receipt_of(ticket, duplicate=True))
    assert b"Pruefen Sie Ihren Schein jetzt." in thermal
    assert b"?" not in thermal.split(b"\x1d(k")[0]
