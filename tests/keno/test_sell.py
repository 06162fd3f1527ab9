"""Selling: what is stored, what is charged, what is refused, and that a refusal leaves nothing behind."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from keno import approved, particulars
from keno.close import close
from keno.entries import TicketRequest
from keno.models import Play, Tender, TenderType, Ticket, Voucher
from keno.models.fields import as_bits
from keno.open_games import keep_open
from keno.rules.selection import Play as Asked
from keno.sell import sell_ticket
from keno.shifts import close_shift
from keno.tender import Handed
from keno.vouchers import IssuedVoucher, redeem_voucher
from kernel.merkle import leaf_hash
from kernel.money import ZERO, Money
from tests.world import keno_counter as at
from tests.world.keno_counter import paper_of, plain
from tests.world.keno_played import Played
from tests.world.money import dollars
from tests.world.people import actor
from tests.world.refusals import refused_in_full

if TYPE_CHECKING:
    from tests.world.second_party import AtHand

pytestmark = pytest.mark.django_db


refuses = partial(refused_in_full, unchanged=at.everything)


def cash(amount: str | None = None) -> Handed:
    return Handed(type=TenderType.CASH, amount=None if amount is None else dollars(amount))


@pytest.mark.clause("act-keno:1.2", "act-keno:4.7f", "act-keno:3.1")
def test_a_plain_ticket_is_one_row_one_play_one_tender_and_one_transfer(counter: at.Counter) -> None:
    sold = counter.sell(plain(80, 1, 40, stake="2.00", games=3), tender=[cash("10.00")])
    ticket = Ticket.objects.get()
    assert (ticket.serial, ticket.kind, ticket.status) == (sold.ticket.serial, "standard", "issued")
    assert ticket.groups == [[1, 40, 80]]
    assert (ticket.first_game, ticket.last_game, ticket.charged_to, ticket.plays_to) == (1, 3, 3, 3)
    assert (ticket.price_a_game, ticket.price, ticket.change) == (dollars("2.00"), dollars("6.00"), dollars("4.00"))
    assert (ticket.day, ticket.shift_id) == (counter.day.date, counter.shift.pk)
    assert ticket.terminal == ticket.writer == "device:W-1"
    play = Play.objects.get()
    assert (play.spots, play.ways, play.stake, play.numbers) == (3, 1, dollars("2.00"), (1, 40, 80))
    assert (play.first_game, play.charged_to, play.plays_to, play.jackpot) == (1, 3, 3, False)
    tender = Tender.objects.get()
    assert (tender.type, tender.amount, tender.reference) == ("cash", dollars("10.00"), "")
    assert sold.change == dollars("4.00")
    assert at.transfers("keno.sale") == [(counter.shift.cash, "keno:stakes-held", "6.00")]
    assert at.books()[counter.shift.cash] == dollars("1006.00")
    assert at.in_balance()


@pytest.mark.clause("act-keno:4.7g")
def test_a_way_ticket_stores_each_play_and_the_groups_once(counter: at.Counter) -> None:
    request = TicketRequest(
        groups=[[1, 2, 3], [4, 5, 6], [7, 8], [9]], plays=[Asked(6, dollars("0.50")), Asked(3, dollars("1.00"))]
    )
    sold = counter.sell(request)
    assert sold.ticket.price == dollars("4.50")  # 3 x 0.50 + 3 x 1.00
    assert [(play.place, play.spots, play.ways, play.numbers) for play in Play.objects.order_by("place")] == [
        (0, 6, 3, None), (1, 3, 3, None),
    ]  # fmt: skip
    assert Ticket.objects.get().groups == [[1, 2, 3], [4, 5, 6], [7, 8], [9]]


def test_a_play_of_everything_marked_is_matched_in_sql_however_it_is_grouped(counter: at.Counter) -> None:
    counter.sell(
        TicketRequest(groups=[[1, 2, 3], [4, 5, 6]], plays=[Asked(6, dollars("1.00")), Asked(3, dollars("1.00"))])
    )
    assert [play.numbers for play in Play.objects.order_by("place")] == [(1, 2, 3, 4, 5, 6), None]


@pytest.mark.clause("act-keno:3.1a", "act-keno:3.1b")
@pytest.mark.parametrize(
    ("games", "price", "charged_to"),
    [(49, "49.00", 49), (50, "49.00", 49), (99, "98.00", 98), (100, "98.00", 98), (1000, "998.00", 998)],
)
def test_free_games_are_the_last_ones_and_the_ticket_is_stored_once(
    counter: at.Counter, games: int, price: str, charged_to: int
) -> None:
    ticket = counter.sell(plain(games=games)).ticket
    assert (ticket.price, ticket.charged_to, ticket.last_game) == (dollars(price), charged_to, games)
    assert Ticket.objects.count() == Play.objects.count() == 1


@pytest.mark.clause("act-keno:4.7b", "act-keno:4.7c")
def test_picked_numbers_are_stored_like_marked_ones(counter: at.Counter) -> None:
    picked = counter.sell(TicketRequest(quick_pick=True, spots=7, stake=dollars("1.00"))).ticket
    mystery = counter.sell(TicketRequest(quick_pick=True, stake=dollars("1.00"))).ticket
    assert (picked.kind, len(picked.groups), len(set(picked.groups[0]))) == ("quick-pick", 1, 7)
    assert mystery.kind == "mystery"
    assert 1 <= len(mystery.groups[0]) <= 15
    for ticket in (picked, mystery):
        assert all(1 <= number <= 80 for number in ticket.groups[0])
        assert ticket.plays.get().numbers == tuple(ticket.groups[0])


@pytest.mark.clause("act-keno:4.7h")
def test_a_set_bet_comes_from_the_approved_catalogue(counter: at.Counter) -> None:
    at.approve_value("set-bet", "LUCKY", {"name": "Lucky", "groups": [[3, 13], [23], [33]], "plays": [2, 3]})
    at.approve_value("set-bet", "FRESH", {"name": "Fresh", "sizes": [4, 4], "plays": [4, 8]})
    fixed = counter.sell(TicketRequest(set_bet="LUCKY", stake=dollars("1.00"))).ticket
    assert (fixed.kind, fixed.groups, fixed.set_bet) == ("set-bet", [[3, 13], [23], [33]], "LUCKY")
    assert [(play.spots, play.ways) for play in fixed.plays.order_by("place")] == [(2, 2), (3, 2)]
    fresh = [counter.sell(TicketRequest(set_bet="FRESH", stake=dollars("1.00"))).ticket for _ in range(3)]
    assert all([len(group) for group in ticket.groups] == [4, 4] for ticket in fresh)
    assert len({str(ticket.groups) for ticket in fresh}) > 1
    asked = TicketRequest(set_bet="OTHER", stake=dollars("1.00"))
    assert refuses(counter.sell, asked) == ("set-bet-unknown", "act-keno:4.7h", "set_bet")
    at.approve_value("set-bet", "LUCKY", None)
    asked = TicketRequest(set_bet="LUCKY", stake=dollars("1.00"))
    assert refuses(counter.sell, asked) == ("set-bet-unknown", "act-keno:4.7h", "set_bet")


@pytest.mark.clause("act-keno:4.7d", "act-keno:8.4")
def test_special_3_is_sold_once_approved_and_keeps_the_version_it_was_sold_under(counter: at.Counter) -> None:
    asked = plain(1, 2, schedule="special-3")
    assert refuses(counter.sell, asked) == ("schedule-not-approved", "act-keno:8.4", "schedule")
    at.approve_value("special-3", "special-3", {"tables": {"2": {"2": "12.00"}}, "band": ["0.7", "0.8"]})
    first = counter.sell(asked).ticket
    at.approve_value("special-3", "special-3", {"tables": {"2": {"2": "12.50"}}, "band": ["0.7", "0.8"]})
    second = counter.sell(asked).ticket
    for ticket, prize in ((first, "12.00"), (second, "12.50")):
        assert ticket.schedule_version is not None
        table = approved.special_3_of(approved.version(ticket.schedule_version)).prize_table(2)
        assert table is not None
        assert table.prizes[2] == dollars(prize)
    assert first.plays.get().schedule_version == first.schedule_version != second.schedule_version


@pytest.mark.clause("act-keno:4.7a", "act-keno:5.1")
def test_a_jackpot_ticket_pays_the_premium_for_its_jackpot_ways(counter: at.Counter) -> None:
    assert counter.sell(plain(1, 2, 3, 4, 5, 6, jackpot=True)).ticket.price == dollars("1.00")
    at.approve_value("amount", "premium", "0.30")
    ticket = counter.sell(plain(1, 2, 3, 4, 5, 6, jackpot=True, games=2)).ticket
    assert (ticket.price_a_game, ticket.premium, ticket.price) == (dollars("1.30"), dollars("0.30"), dollars("2.60"))
    assert ticket.plays.get().jackpot
    assert counter.sell(plain(1, 2, 3, 4, 5, 6)).ticket.price == dollars("1.00")
    asked = plain(1, 2, 3, jackpot=True)
    assert refuses(counter.sell, asked) == ("jackpot-needs-6-or-8", "act-keno:4.7a", "jackpot")


def test_serials_tell_nothing_and_codes_cover_every_particular(counter: at.Counter) -> None:
    sold = [counter.sell() for _ in range(20)]
    serials = [one.ticket.serial for one in sold]
    assert all(re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{12}", serial) for serial in serials)
    assert len(set(serials)) == 20
    assert serials != sorted(serials)  # 1 in 20! by chance
    assert len({one.security_code for one in sold}) == 20
    for one in sold:
        kept = Ticket.objects.get(serial=one.ticket.serial)
        assert particulars.code_of(kept) == one.security_code
        text = particulars.entry_text(particulars.of_ticket(kept), one.security_code)
        assert bytes(kept.leaf) == leaf_hash(text)


def test_a_serial_that_exists_is_drawn_again(counter: at.Counter, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["AAAAAAAAAAAA", "AAAAAAAAAAAA", "BBBBBBBBBBBB"])
    monkeypatch.setattr("keno.particulars.new_serial", lambda: next(drawn))
    assert [counter.sell().ticket.serial for _ in range(2)] == ["AAAAAAAAAAAA", "BBBBBBBBBBBB"]
    assert Tender.objects.count() == Play.objects.count() == 2


@pytest.mark.clause("act-keno:4.1")
def test_entries_come_in_through_a_writer_terminal_with_an_open_shift_only(counter: at.Counter) -> None:
    for role in ("supervisor", "manager", "inspector", "table", "signage"):
        nobody = actor("device:S-9", role)
        assert refuses(sell_ticket, request=plain(), by=nobody) == ("no-permission", None, None)
    other = actor("device:W-2", "writer")
    assert refuses(sell_ticket, request=plain(), by=other) == ("no-shift-open", None, None)
    close_shift(shift_id=counter.shift.pk, counted_cash=dollars("1000.00"), by=counter.writer)
    assert refuses(counter.sell) == ("no-shift-open", None, None)


@pytest.mark.clause("act-keno:13.1")
def test_nothing_is_sold_outside_the_hours_of_gaming(counter: at.Counter) -> None:
    from house import gaming_days
    from house.models import GamingDay

    ended = counter.day.opens_at.replace(microsecond=0)
    GamingDay.objects.update(opens_at=ended - (counter.day.closes_at - counter.day.opens_at), closes_at=ended)
    gaming_days.forget()
    assert refuses(counter.sell) == ("outside-gaming-hours", "act-keno:13.1", None)


def test_nothing_is_sold_while_no_game_is_open(counter: at.Counter, second_party: AtHand) -> None:
    second_party.goes_away()  # the next game opens when the witness has seen the promise of its draw
    close(number=1, now=timezone.now())
    assert refuses(counter.sell) == ("no-game-open", "act-keno:13.1", None)
    second_party.comes_back()
    keep_open()
    assert counter.sell().ticket.first_game == 2


BAD = [
    (plain(1, 2, 3, stake="0.50"), ("stake-not-allowed", "act-keno:3.1", "stake")),
    (plain(1, 2, 3, stake="1.50"), ("stake-not-allowed", "act-keno:3.1", "stake")),
    (plain(1, 1), ("number-repeated", "act-keno:4.4a", "numbers[1]")),
    (plain(81), ("number-out-of-range", "act-keno:4.4a", "numbers[0]")),
    (plain(*range(1, 17)), ("spots-not-offered", "act-keno:8.1", "numbers")),
    (plain(games=0), ("games-missing", "act-keno:3.1", "games")),
    (plain(stake="5000.00", games=2), ("price-over-limit", "act-keno:3.1", "games")),
    (plain(schedule="special-1"), ("special-1-needs-ways", "act-keno:8.2", "schedule")),
    (plain(1, 2, schedule="special-2"), ("spots-not-in-schedule", "act-keno:8.3", "numbers")),
    (TicketRequest(stake=Money.dollars(1)), ("ticket-form", None, None)),
    (TicketRequest(numbers=(1,), quick_pick=True, stake=Money.dollars(1)), ("ticket-form", None, None)),
    (TicketRequest(numbers=(1,)), ("stake-missing", None, "stake")),
    (TicketRequest(groups=[[1]]), ("plays-missing", None, "plays")),
    (TicketRequest(plays=[Asked(1, Money.dollars(1))]), ("groups-missing", None, "groups")),
    (
        TicketRequest(groups=[[1, 2], [3, 4]], plays=[Asked(3, Money.dollars(1))]),
        ("play-without-ways", "act-keno:4.7g", "plays[0].spots"),
    ),
]


@pytest.mark.parametrize(("asked", "says"), BAD, ids=[says[0] for _, says in BAD])
def test_an_impossible_ticket_is_refused_with_clause_and_field_and_nothing_is_half_sold(
    counter: at.Counter, asked: Any, says: tuple[Any, ...]
) -> None:
    assert refuses(counter.sell, asked) == says


# Tender


def shown(paper: IssuedVoucher) -> Handed:
    """A Keno voucher handed over, with its code."""
    return Handed(type=TenderType.KENO_VOUCHER, reference=paper.voucher.code, security_code=paper.security_code)


@pytest.mark.clause("act-keno:4.6")
def test_any_mix_of_tender_and_the_rest_in_cash() -> None:
    counter = Played()
    at.issue_vouchers("2.50", "17")
    voucher = paper_of(counter.sell(tender=[cash("6.00")], rest="keno-voucher"))
    won = counter.won("4.00")
    before = at.books()
    sold = counter.sell(
        plain(stake="20.00"),
        tender=[
            Handed(type=TenderType.TICKET, reference=won.ticket.serial, security_code=won.security_code),
            Handed(type=TenderType.VOUCHER, reference="DINE-17", amount=dollars("2.50")),
            Handed(type=TenderType.CHIPS, amount=dollars("5.00")),
            shown(voucher),
            cash("10.00"),
        ],
    )
    assert sold.change == dollars("6.50")  # 4 + 2.50 + 5 + 5 + 10 - 20
    after = at.books()
    moved = {code: after.get(code, ZERO) - before.get(code, ZERO) for code in after.keys() | before.keys()}
    assert {code: str(amount) for code, amount in moved.items() if amount} == {
        "keno:approved-vouchers": "2.50",
        "keno:prizes-owing": "-4.00",
        "keno:vouchers": "-5.00",
        counter.shift.chips: "5.00",
        counter.shift.cash: "3.50",
        "keno:stakes-held": "20.00",
    }
    assert at.in_balance()
    assert [(one.type, str(one.amount), one.reference) for one in sold.ticket.tenders.order_by("place")] == [
        ("ticket", "4.00", won.ticket.serial),
        ("voucher", "2.50", "DINE-17"),
        ("chips", "5.00", ""),
        ("keno-voucher", "5.00", voucher.voucher.code),
        ("cash", "10.00", ""),
    ]
    assert Voucher.objects.get().spent_on == sold.ticket


def test_the_rest_of_a_voucher_may_be_a_voucher_again(counter: at.Counter) -> None:
    first = counter.sell(tender=[cash("50.00")], rest="keno-voucher")
    assert (first.change, paper_of(first).voucher.amount) == (ZERO, dollars("49.00"))
    second = counter.sell(
        plain(stake="9.00"),
        tender=[shown(paper_of(first))],
        rest="keno-voucher",
    )
    assert paper_of(second).voucher.amount == dollars("40.00")
    assert at.books()["keno:vouchers"] == dollars("40.00")
    assert at.in_balance()


def test_without_a_tender_it_is_exact_cash(counter: at.Counter) -> None:
    sold = counter.sell(plain(stake="7.00"))
    assert [(one.type, str(one.amount)) for one in sold.ticket.tenders.all()] == [("cash", "7.00")]
    assert sold.change == ZERO


def spent_voucher(counter: at.Counter) -> Handed:
    paper = paper_of(counter.sell(tender=[cash("2.00")], rest="keno-voucher"))
    counter.sell(tender=[shown(paper)])
    return shown(paper)


@pytest.mark.clause("act-keno:4.6")
def test_worthless_and_short_tender_is_refused(counter: at.Counter) -> None:
    at.issue_vouchers("6.00", "1")
    at.issue_vouchers("1.00", "2")
    voucher = paper_of(counter.sell(tender=[cash("3.00")], rest="keno-voucher"))
    no_code = "0" * 16

    def tender(*lines: Handed) -> object:
        return refuses(counter.sell, plain(stake="5.00"), tender=list(lines))

    def handed(type: TenderType, reference: str = "", amount: str | None = None, **more: Any) -> Handed:
        return Handed(type=type, reference=reference, amount=None if amount is None else dollars(amount), **more)

    keno = shown(voucher)
    assert tender(cash("4.99")) == ("tender-short", "act-keno:4.6", "tender")
    assert tender(keno) == ("tender-short", "act-keno:4.6", "tender")
    assert tender(keno, keno, cash()) == ("tendered-twice", "act-keno:4.6", "tender[1].reference")
    assert tender(cash(), cash()) == ("amount-missing", None, "tender")
    assert tender() == ("tender-lines", None, "tender")
    assert tender(handed(TenderType.CASH, "X", "5.00")) == ("reference-misplaced", None, "tender[0].reference")
    assert tender(handed(TenderType.TICKET)) == ("reference-missing", None, "tender[0].reference")
    unknown = handed(TenderType.KENO_VOUCHER, "NONE", security_code=no_code)
    assert tender(unknown) == ("no-such-voucher", "act-keno:4.6", "tender[0].reference")
    unknown = handed(TenderType.TICKET, "NONE", security_code=no_code)
    assert tender(unknown) == ("no-such-ticket", "act-keno:4.6", "tender[0].reference")
    wrong = handed(TenderType.KENO_VOUCHER, voucher.voucher.code, security_code=no_code)
    assert tender(wrong, cash()) == ("security-code-wrong", "act-keno:10.3", "tender[0].security_code")
    for named in (TenderType.KENO_VOUCHER, TenderType.TICKET):
        without = ("code-missing", "act-keno:10.3", "tender[0].security_code")
        assert tender(handed(named, voucher.voucher.code), cash()) == without
    other = handed(TenderType.KENO_VOUCHER, voucher.voucher.code, "9.00", security_code=voucher.security_code)
    assert tender(other) == ("tender-differs", "act-keno:4.6", "tender[0].amount")
    strange = handed(TenderType.VOUCHER, "ZOO-1", "5.00")
    assert tender(strange) == ("voucher-type-not-approved", "act-keno:4.6", "tender[0].reference")
    invented = handed(TenderType.VOUCHER, "DINE-3", "5.00")
    assert tender(invented) == ("voucher-not-issued", "act-keno:4.6", "tender[0].reference")
    dearer = handed(TenderType.VOUCHER, "DINE-1", "5.00")
    assert tender(dearer) == ("tender-differs", "act-keno:4.6", "tender[0].amount")
    much = handed(TenderType.VOUCHER, "DINE-1", "6.00")
    assert tender(much) == ("voucher-gives-no-change", "act-keno:4.6", "tender")
    blank = counter.sell()
    lost = handed(TenderType.TICKET, blank.ticket.serial, security_code=blank.security_code)
    assert tender(lost) == ("nothing-to-pay", "act-keno:10.1", "tender[0].reference")
    assert tender(spent_voucher(counter)) == ("voucher-spent", None, "tender[0].reference")
    counter.sell(tender=[handed(TenderType.VOUCHER, "DINE-2", "1.00")])
    again = handed(TenderType.VOUCHER, "dine-2", "1.00")
    assert tender(again, cash()) == ("voucher-spent", "act-keno:4.6", "tender[0].reference")


def test_a_large_win_is_paid_by_paying_and_not_by_tendering() -> None:
    counter, lines = Played(), []
    for amount in ("10000.00", "6000.00", "6000.00"):
        won = counter.won(amount)
        code = won.security_code
        lines.append(Handed(type=TenderType.TICKET, reference=won.ticket.serial, security_code=code))
    for rest in ("cash", "keno-voucher"):
        refusal = refuses(counter.sell, tender=lines[:1], rest=rest)
        assert refusal == ("pay-it-first", None, "tender[0].reference")
    assert refuses(counter.sell, tender=lines[1:]) == ("pay-it-first", None, "tender")
    for handed in (lines[1:], lines[1:2]):  # what was won is cash, or a cheque; never a voucher (10.5)
        refusal = refuses(counter.sell, tender=handed, rest="keno-voucher")
        assert refusal == ("voucher-is-change", "act-keno:10.5", "rest")


@pytest.mark.clause("act-keno:4.6")
def test_what_stands_for_an_approved_voucher_never_becomes_cash(counter: at.Counter) -> None:
    at.issue_vouchers("5.00", "1")
    line = Handed(type=TenderType.VOUCHER, reference="DINE-1")
    back = at.cancel(counter.sell(plain(stake="5.00"), tender=[line]), counter.writer)
    assert back.voucher is not None
    redeem = {"code": back.voucher.voucher.code, "security_code": back.voucher.security_code, "by": counter.writer}
    assert refuses(redeem_voucher, **redeem)[0] == "voucher-not-cash"
    assert refuses(counter.sell, tender=[shown(back.voucher), cash("1.00")])[0] == "tender-too-much"
    sold = counter.sell(plain(stake="2.00"), tender=[shown(back.voucher)])  # the rest was asked for in cash
    rest = paper_of(sold)
    assert (sold.change, rest.voucher.amount, rest.voucher.cashable) == (ZERO, dollars("3.00"), False)
    again = at.cancel(sold, counter.writer)
    assert again.voucher is not None
    assert (again.cash, again.voucher.voucher.amount, again.voucher.voucher.cashable) == (ZERO, dollars("2.00"), False)
    mixed = counter.sell(plain(stake="4.00"), tender=[shown(rest), cash("6.00")])
    assert (mixed.change, mixed.voucher) == (dollars("5.00"), None)
    assert at.books()["keno:vouchers"] == dollars("2.00")
    assert at.in_balance()


def test_bits_are_read_back_as_numbers() -> None:
    assert as_bits({1, 80}) == "1" + "0" * 78 + "1"
