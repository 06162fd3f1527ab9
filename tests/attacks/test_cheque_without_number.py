"""A manager pays $50,000 by a cheque that nobody can find again, or to somebody whose name nobody took down."""

from __future__ import annotations

from typing import Any

from jackpot.models import Hit
from ledger.models import Act
from tests.attacks.felt import FULL_HOUSE, WHO, deal, seen
from tests.attacks.insider import House

REFUSED: tuple[tuple[dict[str, Any], str], ...] = (
    ({}, "identity-missing"),
    ({"method": "cheque", "reference": "000781"}, "identity-missing"),
    ({"method": "cash"}, "identity-missing"),
    ({"method": "chips"}, "identity-missing"),
    ({"method": "transfer", "reference": "T-1"}, "identity-missing"),
    ({"method": "cheque", "reference": "000781", "identity": WHO | {"document_number": " "}}, "identity-missing"),
    ({"method": "cheque", "identity": WHO}, "cheque-number-missing"),
    ({"method": "cheque", "reference": "   ", "identity": WHO}, "cheque-number-missing"),
    ({"identity": WHO}, "cheque-number-missing"),
)


def test_large_prizes_leave_a_number_and_a_name(house: House) -> None:
    hit = deal(house.insider("table"))
    house.insider("supervisor").post(f"jackpot/hits/{hit['id']}/verify", seen()).ok()
    manager = house.insider("manager")
    pay = f"jackpot/hits/{hit['id']}/pay"
    with house.unchanged():
        for body, code in REFUSED:
            assert manager.post(pay, body).refused(code, "malformed"), body
    paid = manager.post(pay, {"method": "cheque", "reference": "000781", "identity": WHO}).ok()
    assert (paid["status"], paid["method"]) == ("paid", "cheque")
    assert Hit.objects.get().payment_reference == "000781"
    assert "Wu Li" not in str(list(Act.objects.values_list("data", flat=True)))


def test_small_prizes_need_neither(house: House) -> None:
    hit = deal(house.insider("table"), FULL_HOUSE)
    house.insider("supervisor").post(f"jackpot/hits/{hit['id']}/verify", seen(FULL_HOUSE)).ok()
    assert house.insider("manager").post(f"jackpot/hits/{hit['id']}/pay", {"method": "chips"}).ok()["method"] == "chips"
