"""Somebody shows one document and has it written down differently each time: small letters, dashes, an O for a nought,
letters of another alphabet; or he shows his licence instead."""

from __future__ import annotations

from house.models import ThresholdReport
from tests.attacks.counter import pay, winners
from tests.attacks.felt import WHO
from tests.attacks.insider import House

PASSPORT = WHO | {"document_number": "PA1O34567"}
SPELLINGS = (
    {"document_number": "pa1034567"},
    {"document_number": "PA-1O3.45 67", "name": "W. Li"},
    {"document_number": "ＰＡ１Ｏ３４５６７", "document": "Reisepass"},
    {"document_number": "9912 4711", "document": "licence", "name": "LI, Wu"},
)


def test_he_is_one_person(house: House) -> None:
    writers = [house.insider("writer") for _ in range(1 + len(SPELLINGS))]
    tickets = winners(house, *writers, stake="70.00")
    for writer, sold, spelt in zip(writers, tickets, ({}, *SPELLINGS), strict=True):
        pay(writer, sold, identity=PASSPORT | spelt).ok()
    report = ThresholdReport.objects.get()
    assert (str(report.cash), report.lines.count()) == ("21000.00", 5)


def test_letters_of_another_alphabet_are_no_number(house: House) -> None:
    writer = house.insider("writer")
    (sold,) = winners(house, writer, stake="120.00")
    with house.unchanged():
        for number in ("РА1O34567", "n/a", "-", "passport"):
            assert pay(writer, sold, identity=PASSPORT | {"document_number": number}).refused("identity-needed")
