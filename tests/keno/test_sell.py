"""Selling: what is stored, what is charged, what is refused, and that a refusal leaves nothing behind."""

from __future__ import annotations

import re

import pytest

from house.refusal import Refusal
from keno import particulars
from keno.entries import TicketRequest
from keno.models import Play, Tender, TenderType, Ticket, Voucher
from keno.models.fields import as_bits
from keno.rules.selection import Play as Asked
from keno.sell import sell_ticket
from keno.shifts import close_shift
from keno.tender import Handed
from ledger.merkle import leaf_hash
from ledger.money import ZERO, Money
from tests.keno import counter as at
from tests.keno.counter import dollars, plain

pytestmark = pytest.mark.django_db


@pytest.fixture
def counter():
    return at.Counter()


@pytest.fixture
def refuses():
    """Selling this is refused, and nothing at all has changed."""

    def call(sell, *args, **kwargs):
        before = at.everything()
        with pytest.raises(Refusal) as caught:
            sell(*args, **kwargs)
        assert at.everything() == before
        return caught.value.code, caught.value.clause, caught.value.field

    return call


def cash(amount=None):
    return Handed(type=TenderType.CASH, amount=None if amount is None else dollars(amount))


@pytest.mark.clause("act-keno:1.2", "act-keno:4.7f", "act-keno:3.1")
def test_a_plain_ticket_is_one_row_one_play_one_tender_and_one_transfer(counter):
    sold = counter.sell(plain(80, 1, 40, stake="2.00", games=3), tender=[cash("10.00")])
    ticket = Ticket.objects.get()
    assert (ticket.serial, ticket.kind, ticket.status) == (sold.ticket.serial, "standard", "issued")
    assert ticket.groups == [[1, 40, 80]]
    assert (ticket.first_game, ticket.last_game, ticket.charged_to, ticket.plays_to) == (1, 3, 3, 3)
    assert (ticket.a_game, ticket.price, ticket.change) == (dollars("2.00"), dollars("6.00"), dollars("4.00"))
    assert (ticket.day, ticket.terminal, ticket.writer, ticket.shift_id) == (
        counter.day.date, "device:W-1", "device:W-1", counter.shift.pk,
    )  # fmt: skip
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
def test_a_way_ticket_stores_each_play_and_the_groups_once(counter):
    request = TicketRequest(
        groups=[[1, 2, 3], [4, 5, 6], [7, 8], [9]], plays=[Asked(6, dollars("0.50")), Asked(3, dollars("1.00"))]
    )
    sold = counter.sell(request)
    assert sold.ticket.price == dollars("4.50")  # 3 x 0.50 + 3 x 1.00
    assert [(play.place, play.spots, play.ways, play.numbers) for play in Play.objects.order_by("place")] == [
        (0, 6, 3, None), (1, 3, 3, None),
    ]  # fmt: skip
    assert Ticket.objects.get().groups == [[1, 2, 3], [4, 5, 6], [7, 8], [9]]


def test_a_play_of_everything_marked_is_matched_in_sql_however_it_is_grouped(counter):
    counter.sell(
        TicketRequest(groups=[[1, 2, 3], [4, 5, 6]], plays=[Asked(6, dollars("1.00")), Asked(3, dollars("1.00"))])
    )
    assert [play.numbers for play in Play.objects.order_by("place")] == [(1, 2, 3, 4, 5, 6), None]


@pytest.mark.clause("act-keno:3.1a", "act-keno:3.1b")
@pytest.mark.parametrize(
    ("games", "price", "charged_to"),
    [(49, "49.00", 49), (50, "49.00", 49), (99, "98.00", 98), (100, "98.00", 98), (1000, "998.00", 998)],
)
def test_free_games_are_the_last_ones_and_the_ticket_is_stored_once(counter, games, price, charged_to):
    ticket = counter.sell(plain(games=games)).ticket
    assert (ticket.price, ticket.charged_to, ticket.last_game) == (dollars(price), charged_to, games)
    assert Ticket.objects.count() == Play.objects.count() == 1


@pytest.mark.clause("act-keno:4.7b", "act-keno:4.7c")
def test_picked_numbers_are_stored_like_marked_ones(counter):
    picked = counter.sell(TicketRequest(quick_pick=True, spots=7, stake=dollars("1.00"))).ticket
    mystery = counter.sell(TicketRequest(quick_pick=True, stake=dollars("1.00"))).ticket
    assert (picked.kind, len(picked.groups), len(set(picked.groups[0]))) == ("quick-pick", 1, 7)
    assert mystery.kind == "mystery"
    assert 1 <= len(mystery.groups[0]) <= 15
    for ticket in (picked, mystery):
        assert all(1 <= number <= 80 for number in ticket.groups[0])
        assert ticket.plays.get().numbers == tuple(ticket.groups[0])


@pytest.mark.clause("act-keno:4.7h")
def test_a_set_bet_comes_from_the_approved_catalogue(counter, refuses):
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
def test_special_3_is_sold_once_approved_and_keeps_the_version_it_was_sold_under(counter, refuses):
    asked = plain(1, 2, schedule="special-3")
    assert refuses(counter.sell, asked) == ("schedule-not-approved", "act-keno:8.4", "schedule")
    at.approve_value("special-3", "special-3", {"tables": {"2": {"2": "12.00"}}, "band": ["0.7", "0.8"]})
    first = counter.sell(asked).ticket
    at.approve_value("special-3", "special-3", {"tables": {"2": {"2": "12.50"}}, "band": ["0.7", "0.8"]})
    second = counter.sell(asked).ticket
    from keno.entries import schedule_of

    tables = [schedule_of(ticket).table(2) for ticket in (first, second)]
    prizes = [table.prizes[2] for table in tables if table is not None]
    assert prizes == [dollars("12.00"), dollars("12.50")]
    assert first.plays.get().schedule_version == first.schedule_version != second.schedule_version


@pytest.mark.clause("act-keno:4.7a", "act-keno:5.1")
def test_a_jackpot_ticket_pays_the_premium_for_its_jackpot_ways(counter, refuses):
    assert counter.sell(plain(1, 2, 3, 4, 5, 6, jackpot=True)).ticket.price == dollars("1.00")
    at.approve_value("amount", "premium", "0.30")
    ticket = counter.sell(plain(1, 2, 3, 4, 5, 6, jackpot=True, games=2)).ticket
    assert (ticket.a_game, ticket.premium, ticket.price) == (dollars("1.30"), dollars("0.30"), dollars("2.60"))
    assert ticket.plays.get().jackpot
    assert counter.sell(plain(1, 2, 3, 4, 5, 6)).ticket.price == dollars("1.00")
    asked = plain(1, 2, 3, jackpot=True)
    assert refuses(counter.sell, asked) == ("jackpot-needs-6-or-8", "act-keno:4.7a", "jackpot")


def test_serials_tell_nothing_and_codes_cover_every_particular(counter):
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


def test_a_serial_that_exists_is_drawn_again(counter, monkeypatch):
    drawn = iter(["AAAAAAAAAAAA", "AAAAAAAAAAAA", "BBBBBBBBBBBB"])
    monkeypatch.setattr("keno.serials.new_serial", lambda: next(drawn))
    assert [counter.sell().ticket.serial for _ in range(2)] == ["AAAAAAAAAAAA", "BBBBBBBBBBBB"]
    assert Tender.objects.count() == Play.objects.count() == 2


@pytest.mark.clause("act-keno:4.1")
def test_entries_come_in_through_a_writer_terminal_with_an_open_shift_only(counter, refuses):
    for role in ("supervisor", "manager", "inspector", "table", "signage"):
        nobody = at.actor("device:S-9", role)
        assert refuses(sell_ticket, request=plain(), by=nobody) == ("no-permission", None, None)
    other = at.actor("device:W-2", "writer")
    assert refuses(sell_ticket, request=plain(), by=other) == ("no-shift-open", None, None)
    close_shift(shift_id=counter.shift.pk, counted_cash=dollars("1000.00"), by=counter.writer)
    assert refuses(counter.sell) == ("no-shift-open", None, None)


@pytest.mark.clause("act-keno:13.1")
def test_nothing_is_sold_outside_the_hours_of_gaming(counter, refuses):
    from house import gaming_days
    from house.models import GamingDay

    ended = counter.day.opens_at.replace(microsecond=0)
    GamingDay.objects.update(opens_at=ended - (counter.day.closes_at - counter.day.opens_at), closes_at=ended)
    gaming_days.forget()
    assert refuses(counter.sell) == ("outside-gaming-hours", "act-keno:13.1", None)


def test_nothing_is_sold_while_no_game_is_open(counter, refuses):
    at.move(1, "closed")
    assert refuses(counter.sell) == ("no-game-open", "act-keno:13.1", None)
    at.open_game(2)
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
def test_an_impossible_ticket_is_refused_with_clause_and_field_and_nothing_is_half_sold(counter, refuses, asked, says):
    assert refuses(counter.sell, asked) == says


# Tender


@pytest.mark.clause("act-keno:4.6")
def test_any_mix_of_tender_and_the_rest_in_cash(counter):
    at.approve_value("voucher-type", "DINE", {"name": "Dinner voucher"})
    voucher = counter.sell(tender=[cash("6.00")], rest="keno-voucher").voucher
    won = counter.sell()
    at.win(won.ticket, "4.00")
    before = at.books()
    sold = counter.sell(
        plain(stake="20.00"),
        tender=[
            Handed(type=TenderType.TICKET, reference=won.ticket.serial, security_code=won.security_code),
            Handed(type=TenderType.VOUCHER, reference="DINE-17", amount=dollars("2.50")),
            Handed(type=TenderType.CHIPS, amount=dollars("5.00")),
            Handed(type=TenderType.KENO_VOUCHER, reference=voucher.voucher.code),
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


def test_the_rest_of_a_voucher_may_be_a_voucher_again(counter):
    first = counter.sell(tender=[cash("50.00")], rest="keno-voucher")
    assert (first.change, first.voucher.voucher.amount) == (ZERO, dollars("49.00"))
    second = counter.sell(
        plain(stake="9.00"),
        tender=[Handed(type=TenderType.KENO_VOUCHER, reference=first.voucher.voucher.code)],
        rest="keno-voucher",
    )
    assert second.voucher.voucher.amount == dollars("40.00")
    assert at.books()["keno:vouchers"] == dollars("40.00")
    assert at.in_balance()


def test_without_a_tender_it_is_exact_cash(counter):
    sold = counter.sell(plain(stake="7.00"))
    assert [(one.type, str(one.amount)) for one in sold.ticket.tenders.all()] == [("cash", "7.00")]
    assert sold.change == ZERO


def spent_voucher(counter):
    code = counter.sell(tender=[cash("2.00")], rest="keno-voucher").voucher.voucher.code
    counter.sell(tender=[Handed(type=TenderType.KENO_VOUCHER, reference=code)])
    return Handed(type=TenderType.KENO_VOUCHER, reference=code)


@pytest.mark.clause("act-keno:4.6")
def test_worthless_and_short_tender_is_refused(counter, refuses):
    at.approve_value("voucher-type", "DINE", {"name": "Dinner voucher"})
    voucher = counter.sell(tender=[cash("3.00")], rest="keno-voucher").voucher

    def tender(*lines):
        return refuses(counter.sell, plain(stake="5.00"), tender=list(lines))

    def handed(type, reference="", amount=None, **more):
        return Handed(type=type, reference=reference, amount=amount and dollars(amount), **more)

    keno = handed(TenderType.KENO_VOUCHER, voucher.voucher.code)
    assert tender(cash("4.99")) == ("tender-short", "act-keno:4.6", "tender")
    assert tender(keno) == ("tender-short", "act-keno:4.6", "tender")
    assert tender(keno, keno, cash()) == ("tendered-twice", "act-keno:4.6", "tender[1].reference")
    assert tender(cash(), cash()) == ("amount-missing", None, "tender")
    assert tender() == ("tender-lines", None, "tender")
    assert tender(handed(TenderType.CASH, "X", "5.00")) == ("reference-misplaced", None, "tender[0].reference")
    assert tender(handed(TenderType.TICKET)) == ("reference-missing", None, "tender[0].reference")
    assert tender(handed(TenderType.KENO_VOUCHER, "NONE")) == ("no-such-voucher", "act-keno:4.6", "tender[0].reference")
    assert tender(handed(TenderType.TICKET, "NONE")) == ("no-such-ticket", "act-keno:4.6", "tender[0].reference")
    wrong = handed(TenderType.KENO_VOUCHER, voucher.voucher.code, security_code="0" * 16)
    assert tender(wrong, cash()) == ("security-code-wrong", "act-keno:10.3", "security_code")
    other = handed(TenderType.KENO_VOUCHER, voucher.voucher.code, "9.00")
    assert tender(other) == ("tender-differs", "act-keno:4.6", "tender[0].amount")
    strange = handed(TenderType.VOUCHER, "ZOO-1", "5.00")
    assert tender(strange) == ("voucher-type-not-approved", "act-keno:4.6", "tender[0].reference")
    assert tender(handed(TenderType.VOUCHER, "DINE-1")) == ("amount-missing", None, "tender[0].amount")
    much = handed(TenderType.VOUCHER, "DINE-1", "6.00")
    assert tender(much) == ("voucher-gives-no-change", "act-keno:4.6", "tender")
    lost = handed(TenderType.TICKET, counter.sell().ticket.serial)
    assert tender(lost) == ("nothing-to-pay", "act-keno:10.1", "tender[0].reference")
    assert tender(spent_voucher(counter)) == ("voucher-spent", None, "tender[0].reference")
    counter.sell(tender=[handed(TenderType.VOUCHER, "DINE-2", "1.00")])
    again = handed(TenderType.VOUCHER, "dine-2", "1.00")
    assert tender(again, cash()) == ("voucher-spent", "act-keno:4.6", "tender[0].reference")


def test_a_large_win_is_paid_by_paying_and_not_by_tendering(counter, refuses):
    won = counter.sell()
    at.win(won.ticket, "10000.00")
    line = Handed(type=TenderType.TICKET, reference=won.ticket.serial)
    extra = Handed(type=TenderType.CASH, amount=dollars("1.00"))
    assert refuses(counter.sell, tender=[line, extra]) == ("pay-it-first", None, "tender")
    sold = counter.sell(tender=[line], rest="keno-voucher")
    assert sold.voucher.voucher.amount == dollars("9999.00")
    larger = counter.sell()
    at.win(larger.ticket, "10000.01")
    line = Handed(type=TenderType.TICKET, reference=larger.ticket.serial)
    assert refuses(counter.sell, tender=[line], rest="keno-voucher") == ("pay-it-first", None, "tender[0].reference")


def test_bits_are_read_back_as_numbers():
    assert as_bits({1, 80}) == "1" + "0" * 78 + "1"
