"""A manager writes one cheque number twice, in two rooms, so that one of the payments has no cheque behind it."""

from __future__ import annotations

from house.models import Cheque
from tests.attacks.counter import pay, winners
from tests.attacks.felt import WHO, deal, seen
from tests.attacks.insider import House


def test_a_number_is_used_once_in_all_rooms(house: House) -> None:
    writer, manager = house.insider("writer"), house.insider("manager")
    (sold,) = winners(house, writer, stake="70.00")
    pay(writer, sold, method="cheque", cheque_number="000781").ok()
    hit = deal(house.insider("table"))
    house.insider("supervisor").post(f"jackpot/hits/{hit['id']}/verify", seen()).ok()
    with house.unchanged():
        for number in ("000781", "781", " 0781 ", "7-81", "MAIN:781"):
            body = {"method": "cheque", "reference": number, "identity": WHO}
            assert manager.post(f"jackpot/hits/{hit['id']}/pay", body).refused("cheque-used"), number
        for number in ("OTHER:781", "as agreed", "---"):
            body = {"method": "cheque", "reference": number, "identity": WHO}
            answer = manager.post(f"jackpot/hits/{hit['id']}/pay", body)
            assert answer.refused("cheque-account-unknown", "cheque-number-missing"), number
    manager.post(f"jackpot/hits/{hit['id']}/pay", {"method": "cheque", "reference": "000782", "identity": WHO}).ok()
    assert sorted(Cheque.objects.values_list("number", flat=True)) == ["781", "782"]
