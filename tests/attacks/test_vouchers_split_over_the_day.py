"""Much cash becomes vouchers below the limit, which are cashed one by one at several terminals; or all of them are
handed in for a $1 ticket, and the rest comes back in cash. The same with chips."""

from __future__ import annotations

from house.models import ThresholdReport
from keno.models import Voucher
from tests.attacks.cards import register
from tests.attacks.counter import redeem, voucher
from tests.attacks.felt import WHO
from tests.attacks.insider import House


def test_vouchers_of_one_card_count_together(house: House) -> None:
    """The voucher is paper; that it came from a ticket bought with a card is known all the same."""
    register(house, "SM-1")
    writers = [house.insider("writer") for _ in range(3)]
    papers = [voucher(writer, "4200.00", player="SM-1") for writer in writers]
    redeem(writers[0], papers[0]).ok()
    redeem(writers[1], papers[1]).ok()
    with house.unchanged():
        assert redeem(writers[2], papers[2]).refused("identity-needed")
    redeem(writers[2], papers[2], identity=WHO).ok()
    assert str(ThresholdReport.objects.get().cash) == "12600.00"


def test_vouchers_handed_in_for_a_ticket_are_no_way_to_cash(house: House) -> None:
    writers = [house.insider("writer") for _ in range(3)]
    papers = [voucher(writer, "4200.00") for writer in writers]
    lines = [{"type": "keno-voucher", "reference": f"{each['code']}:{each['security_code']}"} for each in papers]
    sale = {"numbers": [1], "stake": "1.00", "tender": lines}
    with house.unchanged():
        assert writers[0].post("keno/tickets", sale).refused("pay-it-first")
        assert writers[0].post("keno/tickets", sale | {"rest": "keno-voucher"}).refused("voucher-is-change")
    assert not Voucher.objects.filter(spent_at__isnull=False).exists()


def test_nor_are_chips(house: House) -> None:
    writer = house.insider("writer")
    writer.post("keno/tickets", {"numbers": [1], "stake": "1.00"}).ok(201)
    sale = {"numbers": [1], "stake": "1.00", "tender": [{"type": "chips", "amount": "20000.00"}]}
    with house.unchanged():
        assert writer.post("keno/tickets", sale).refused("pay-it-first")


def test_the_rest_of_papers_of_one_card_counts_with_what_was_paid(house: House) -> None:
    register(house, "SM-1")
    writers = [house.insider("writer") for _ in range(2)]
    redeem(writers[0], voucher(writers[0], "7200.00", player="SM-1")).ok()
    paper = voucher(writers[1], "7200.00", player="SM-1")
    line = {"type": "keno-voucher", "reference": f"{paper['code']}:{paper['security_code']}"}
    with house.unchanged():
        sale = {"numbers": [1], "stake": "1.00", "tender": [line]}
        assert writers[1].post("keno/tickets", sale).refused("identity-needed")
