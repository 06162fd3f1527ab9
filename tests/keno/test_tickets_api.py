"""Tickets over HTTP: the shapes of API.md, refusals as problem documents."""

from __future__ import annotations

from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine

from house.devices import service_token
from house.models import GamingDay
from keno.models import Play, Ticket
from tests.world import keno_counter as at
from tests.world.calls import Caller, ok, problem
from tests.world.keno_played import LOW, Played

pytestmark = pytest.mark.django_db


def _callers(**more: Any) -> SimpleNamespace:
    roles = ("writer", "supervisor", "manager", "signage")
    return SimpleNamespace(**{role: Caller(service_token(role=role).secret) for role in roles}, **more)


@pytest.fixture
def house() -> SimpleNamespace:
    at.open_day()
    at.open_game(7)
    return _callers()


@pytest.fixture
def playing() -> SimpleNamespace:
    """Games are really played; the first is on sale."""
    return _callers(counter=Played())


PLAIN = {"numbers": [1, 2, 3], "stake": "2.00"}


def test_a_quote_changes_nothing_and_is_open_to_every_role(house: SimpleNamespace) -> None:
    way = {
        "groups": [[1, 2, 3], [4, 5, 6], [7, 8], [9]],
        "plays": [{"spots": 6, "stake": "0.50"}, {"spots": 3, "stake": "1.00"}],
        "games": 50,
    }
    before = at.everything()
    for caller in (house.writer, house.signage):
        assert ok(caller.post("keno/quote", way)) == {
            "price": "220.50",
            "games": 50,
            "charged_games": 49,
            "ways": 6,
            "plays": [{"spots": 6, "ways": 3, "stake": "0.50"}, {"spots": 3, "ways": 3, "stake": "1.00"}],
            "keno_to_go": True,
            "could_pay": "1608.00",  # nine of nine: three ways of $500.00, three of $36.00
        }
    assert ok(house.signage.post("keno/quote", {"quick_pick": {}, "stake": "3.00"}))["price"] == "3.00"
    assert at.everything() == before


@pytest.mark.clause("act-keno:1.2", "act-keno:4.2")
def test_a_sale_answers_every_particular(house: SimpleNamespace) -> None:
    body = {**PLAIN, "games": 2, "tender": [{"type": "cash", "amount": "5.00"}]}
    sold = ok(house.writer.post("keno/tickets", body), 201)
    ticket = Ticket.objects.get()
    assert sold == {
        "serial": ticket.serial,
        "kind": "standard",
        "first_game": 7,
        "last_game": 8,
        "games": 2,
        "price": "4.00",
        "numbers": [1, 2, 3],
        "plays": [{"spots": 3, "ways": 1, "stake": "2.00"}],
        "schedule": "standard",
        "jackpot": False,
        "status": "in-play",
        "sold_at": sold["sold_at"],
        "gaming_day": ticket.day.isoformat(),
        "terminal": ticket.terminal,
        "security_code": sold["security_code"],
        "change": "1.00",
        "voucher": None,
        "continuations": [],
    }
    found = ok(house.supervisor.get(f"keno/tickets/{ticket.serial}"))
    assert {name: found[name] for name in ("won", "paid", "owing", "status", "still_playing")} == {
        "won": "0.00", "paid": "0.00", "owing": "0.00", "status": "in-play", "still_playing": True,
    }  # fmt: skip
    assert [one["game"] for one in found["results"]] == [7]
    assert "security_code" not in found


def test_the_same_key_sells_once(house: SimpleNamespace) -> None:
    first = house.writer.post("keno/tickets", PLAIN, key="abc")
    again = house.writer.post("keno/tickets", PLAIN, key="abc")
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert Ticket.objects.count() == 1
    problem(house.writer.post("keno/tickets", {**PLAIN, "games": 2}, key="abc"), 409, "idempotency-key-reused")


@pytest.mark.parametrize(
    ("body", "status", "code", "field"),
    [
        ({"numbers": [1, 2, 3]}, 400, "stake-missing", "stake"),
        ({**PLAIN, "stake": 2}, 400, "malformed", "stake"),
        ({**PLAIN, "stake": "0.75"}, 422, "stake-not-allowed", "stake"),
        ({**PLAIN, "numbers": ["1"]}, 400, "malformed", "numbers[0]"),
        ({**PLAIN, "numbers": [True]}, 400, "malformed", "numbers[0]"),
        ({**PLAIN, "numbers": []}, 422, "group-empty", "numbers"),
        ({**PLAIN, "numbers": [0]}, 422, "number-out-of-range", "numbers[0]"),
        ({**PLAIN, "games": 0}, 422, "games-missing", "games"),
        ({**PLAIN, "games": 10**17}, 422, "price-over-limit", "games"),
        ({**PLAIN, "schedule": "special-9"}, 400, "malformed", "schedule"),
        ({**PLAIN, "schedule": "special-3"}, 422, "schedule-not-approved", "schedule"),
        ({**PLAIN, "jackpot": "yes"}, 400, "malformed", "jackpot"),
        ({**PLAIN, "jackpot": True}, 422, "jackpot-needs-6-or-8", "jackpot"),
        ({**PLAIN, "set_bet": "X"}, 400, "ticket-form", None),
        ({**PLAIN, "colour": "red"}, 400, "unknown-field", "colour"),
        ({"groups": [[1], [2]], "plays": []}, 422, "plays-missing", "plays"),
        ({"groups": [[1], [2]], "plays": [{"spots": 1, "stake": "1.00", "x": 1}]}, 400, "unknown-field", "plays[0].x"),
        ({"groups": [[1], [1]], "plays": [{"spots": 1, "stake": "1.00"}]}, 422, "number-repeated", "groups[1][0]"),
        ({"quick_pick": {"spots": 16}, "stake": "1.00"}, 422, "spots-not-offered", "quick_pick.spots"),
        ({"set_bet": "NONE", "stake": "1.00"}, 422, "set-bet-unknown", "set_bet"),
        ({**PLAIN, "tender": [{"type": "gold"}]}, 400, "malformed", "tender[0].type"),
        ({**PLAIN, "tender": [{"type": "cash", "amount": "1.00"}]}, 422, "tender-short", "tender"),
        ({**PLAIN, "tender": []}, 400, "tender-lines", "tender"),
        ([], 400, "malformed", None),
    ],
)
def test_bad_input_is_refused_with_its_field_and_nothing_is_half_sold(
    house: SimpleNamespace, body: dict[str, Any] | list[Any], status: int, code: str, field: str | None
) -> None:
    before = {name: rows for name, rows in at.everything().items() if name != "Act"}
    document = problem(house.writer.post("keno/tickets", body), status, code)
    if field is not None:
        assert document["field"] == field
    assert {name: rows for name, rows in at.everything().items() if name != "Act"} == before


@pytest.mark.clause("act-keno:4.1")
def test_only_writers_sell(house: SimpleNamespace) -> None:
    for caller in (house.supervisor, house.manager, house.signage):
        problem(caller.post("keno/tickets", PLAIN), 403, "no-permission")
    assert Ticket.objects.count() == 0


def test_cancel_over_http(house: SimpleNamespace) -> None:
    sold = ok(house.writer.post("keno/tickets", {**PLAIN, "games": 3}), 201)
    serial, code = sold["serial"], {"security_code": sold["security_code"]}
    problem(house.writer.post(f"keno/tickets/{serial}/cancel"), 422, "code-missing")
    problem(house.writer.post(f"keno/tickets/{serial}/cancel", {"security_code": "FORGED"}), 422, "security-code-wrong")
    assert ok(house.writer.post(f"keno/tickets/{serial}/cancel", code)) == {
        "refund": "6.00", "cash": "6.00", "cancelled_games": 3, "voucher": None,
    }  # fmt: skip
    assert ok(house.supervisor.get(f"keno/tickets/{serial}"))["status"] == "cancelled"
    problem(house.writer.post(f"keno/tickets/{serial}/cancel", code), 409, "cancelled-already")
    problem(house.writer.post("keno/tickets/NOSUCHTICKET/cancel", code), 404, "no-such-ticket")


@pytest.mark.clause("act-keno:10.3")
def test_what_a_ticket_won_is_told_to_whoever_holds_it(playing: SimpleNamespace) -> None:
    sold = ok(playing.writer.post("keno/tickets", PLAIN), 201)
    playing.counter.play(1, LOW)
    address = f"keno/tickets/{sold['serial']}"
    printed = ok(playing.writer.get(address))
    told = ("won", "refunded", "paid", "owing", "still_playing", "cancelled_from")
    assert {name: printed[name] for name in told} == dict.fromkeys(told)
    assert (printed["status"], printed["results"], printed["numbers"]) == ("issued", [], [1, 2, 3])
    problem(playing.writer.post(f"{address}/look-up"), 422, "code-missing")
    problem(playing.writer.post(f"{address}/look-up", {"security_code": "FORGED"}), 422, "security-code-wrong")
    known = ok(playing.writer.post(f"{address}/look-up", {"security_code": sold["security_code"]}))
    assert (known["won"], known["owing"], known["status"]) == ("72.00", "72.00", "won")
    for caller in (playing.supervisor, playing.manager):
        assert ok(caller.get(address)) == known


@pytest.mark.clause("act-keno:10.3")
def test_pay_over_http(playing: SimpleNamespace) -> None:
    sold = ok(playing.writer.post("keno/tickets", {**PLAIN, "games": 2}), 201)
    address = f"keno/tickets/{sold['serial']}/pay"
    code = {"security_code": sold["security_code"]}
    problem(playing.writer.post(address, code), 409, "nothing-to-pay")
    playing.counter.play(1, LOW)
    problem(playing.writer.post(address, {"security_code": "FORGED"}), 422, "security-code-wrong")
    problem(playing.writer.post(address, {}), 422, "code-missing")
    paid = ok(playing.writer.post(address, code, key="pay"))
    assert (paid["paid"], paid["games"], paid["still_playing"]) == (
        "72.00", [{"game": 1, "kind": "prize", "prize": "72.00"}], True,
    )  # fmt: skip
    assert ok(playing.writer.post(address, code, key="pay")) == paid
    problem(playing.writer.post(address, code), 409, "already-paid")


def test_a_large_payment_over_http(playing: SimpleNamespace) -> None:
    sold = ok(playing.writer.post("keno/tickets", {"numbers": LOW[:10], "stake": "1.00"}), 201)
    playing.counter.play(1, LOW)
    address = f"keno/tickets/{sold['serial']}"
    body = {"security_code": sold["security_code"]}
    problem(playing.writer.post(f"{address}/pay", body), 403, "supervisor-needed")
    assert ok(playing.supervisor.post(f"{address}/authorise-payment"), 201)["amount"] == "25000.00"
    problem(playing.writer.post(f"{address}/pay", body), 422, "identity-needed")
    identity = {
        "name": "Anna Marsh", "born": "1980-02-29", "address": "Canberra", "document": "passport",
        "document_number": "PA1",
    }  # fmt: skip
    assert ok(playing.writer.post(f"{address}/pay", {**body, "identity": identity}))["paid"] == "25000.00"


def test_a_winning_ticket_buys_a_ticket(playing: SimpleNamespace) -> None:
    sold = ok(playing.writer.post("keno/tickets", PLAIN), 201)
    playing.counter.play(1, LOW)
    tender = [{"type": "ticket", "reference": sold["serial"]}]
    problem(playing.writer.post("keno/tickets", {**PLAIN, "tender": tender}), 422, "code-missing")
    tender = [{"type": "ticket", "reference": sold["serial"], "security_code": sold["security_code"]}]
    before = at.everything()
    asked = playing.writer.post("keno/tickets", {**PLAIN, "tender": tender, "rest": "keno-voucher"})
    assert problem(asked, 422, "voucher-is-change")["clause"] == "act-keno:10.5"
    assert at.everything() == before
    bought = ok(playing.writer.post("keno/tickets", {**PLAIN, "tender": tender}), 201)
    assert (bought["change"], bought["voucher"]) == ("70.00", None)


def test_a_keno_voucher_is_change_of_other_tender(house: SimpleNamespace) -> None:
    cash = [{"type": "cash", "amount": "5.00"}]
    bought = ok(house.writer.post("keno/tickets", {**PLAIN, "tender": cash, "rest": "keno-voucher"}), 201)
    assert (bought["change"], bought["voucher"]["amount"]) == ("0.00", "3.00")
    voucher = bought["voucher"]
    assert ok(house.writer.get(f"keno/vouchers/{voucher['code']}"))["spent_at"] is None
    redeem = {"security_code": voucher["security_code"]}
    assert ok(house.writer.post(f"keno/vouchers/{voucher['code']}/redeem", redeem))["spent_at"] is not None
    problem(house.writer.post(f"keno/vouchers/{voucher['code']}/redeem", redeem), 409, "voucher-spent")


def test_shifts_over_http(house: SimpleNamespace) -> None:
    shift = ok(house.writer.post("keno/shifts", {"opening_float": "100.00"}), 201)
    ok(house.writer.post("keno/tickets", PLAIN), 201)
    assert ok(house.writer.get("keno/shifts/current"))["id"] == shift["id"]
    assert ok(house.supervisor.post(f"keno/shifts/{shift['id']}/drop", {"amount": "50.00"}))["waits"] is True
    assert ok(house.writer.post(f"keno/shifts/{shift['id']}/drop", {"amount": "50.00"}))["waits"] is False
    shown = ok(house.writer.get(f"keno/shifts/{shift['id']}"))
    assert shown["expected_cash"] is None  # counted blind
    closed = ok(house.writer.post(f"keno/shifts/{shift['id']}/close", {"counted_cash": "51.00"}))
    assert (closed["cash_over"], closed["shift"]["expected_cash"]) == ("-1.00", "52.00")
    assert len(ok(house.manager.get("keno/shifts"))["results"]) == 1


def test_the_catalogue_of_set_bets(house: SimpleNamespace) -> None:
    at.approve_value("set-bet", "LUCKY", {"name": "Lucky", "groups": [[3, 13], [23]], "plays": [2]})
    at.approve_value("set-bet", "OLD", {"name": "Old", "sizes": [2], "plays": [2]})
    at.approve_value("set-bet", "OLD", None)
    assert ok(house.signage.get("keno/set-bets")) == {
        "results": [{"code": "LUCKY", "name": "Lucky", "groups": [[3, 13], [23]], "plays": [2]}]
    }


# Evaluate


def test_evaluate_works_the_published_example(house: SimpleNamespace) -> None:
    """Majors of $50,000, $12,500 and $200 come to $39,840.00, $9,960.00 and $200.00."""
    drawn = list(range(1, 21))
    tickets = [
        {"numbers": list(range(1, 11)), "stake": "2.00"},  # 10 of 10: 25,000 x 2
        {"numbers": list(range(1, 9)), "stake": "1.00"},  # 8 of 8, not in the jackpot: 12,500
        {"numbers": [*range(1, 9), 79, 80, 78], "stake": "1.00"},  # 8 of 11: 200
    ]
    answer = ok(house.writer.post("keno/evaluate", {"drawn": drawn, "tickets": tickets}))
    assert [ticket["prize"] for ticket in answer["tickets"]] == ["39840.00", "9960.00", "200.00"]
    assert answer["majors"] == {"before": "62700.00", "after": "50000.00", "count": 3}
    assert [ticket["ways"][0]["prorated"] for ticket in answer["tickets"]] == [True, True, False]


def test_evaluate_refuses_with_the_place_of_the_ticket(house: SimpleNamespace) -> None:
    tickets = [PLAIN, {"numbers": [1, 1], "stake": "1.00"}]
    document = problem(
        house.writer.post("keno/evaluate", {"drawn": list(range(1, 21)), "tickets": tickets}), 422, "number-repeated"
    )
    assert document["field"] == "tickets[1].numbers[1]"
    short = {"drawn": list(range(1, 20)), "tickets": []}
    assert problem(house.writer.post("keno/evaluate", short), 422, "draw-impossible")["field"] == "drawn"
    assert Play.objects.count() == 0


# Mathematics


@pytest.mark.parametrize(
    ("spots", "prizes", "returns"),
    [
        (10, {"5": "2", "6": "20", "7": "132", "8": "1000", "9": "4000", "10": "25000"}, "0.707821"),
        (10, {"4": "0.5", "5": "2", "6": "20", "7": "120", "8": "800", "9": "3800", "10": "50000"}, "0.736644"),
    ],
)
def test_the_return_of_published_tables(
    house: SimpleNamespace, spots: int, prizes: dict[str, Any], returns: str
) -> None:
    answer = ok(house.signage.post("keno/mathematics", {"spots": spots, "prizes": prizes}))
    assert f"{float(answer['return']['decimal']):.6f}" == returns


def test_odds_break_even_and_schedules(house: SimpleNamespace) -> None:
    six = ok(house.writer.post("keno/mathematics", {"spots": 6, "prizes": {"5": "70", "4": "2", "3": "1"}}))
    assert six["jackpot"]["break_even"] == "4623.87"
    standard = ok(house.writer.post("keno/mathematics", {"schedule": "standard"}))
    returns = {table["spots"]: table["return"]["fraction"] for table in standard["tables"]}
    assert {spots: returns[spots] for spots in range(1, 7)} == {
        1: "3/4", 2: "247/316", 3: "798/1027", 4: "22287/28756", 5: "122391/158158", 6: "41733/79079",
    }  # fmt: skip
    eight = standard["tables"][7]
    numerator, denominator = map(int, eight["odds"]["8"]["fraction"].split("/"))
    assert round(denominator / numerator, 2) == 230114.61
    assert eight["jackpot"]["amount"] == "12500.00"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "question-incomplete"),
        ({"spots": 6}, 400, "question-incomplete"),
        ({"spots": 6, "prizes": {}, "schedule": "standard"}, 400, "two-questions"),
        ({"spots": 0, "prizes": {}}, 422, "spots-not-offered"),
        ({"spots": 3, "prizes": {"4": "1"}}, 422, "matches-impossible"),
        ({"spots": 3, "prizes": {"a": "1"}}, 400, "matches-unreadable"),
        ({"spots": 3, "prizes": {"1": "1", "01": "2"}}, 400, "matches-repeated"),
        ({"spots": 3, "prizes": {"1": "-1"}}, 400, "figure-unreadable"),
        ({"schedule": "special-3"}, 422, "schedule-not-approved"),
    ],
)
def test_questions_that_have_no_answer(house: SimpleNamespace, body: dict[str, Any], status: int, code: str) -> None:
    problem(house.writer.post("keno/mathematics", body), status, code)


# What is tendered is found by its serial, and taken for its security code


@pytest.mark.clause("act-keno:4.6", "act-keno:10.3")
@pytest.mark.parametrize(
    "form",
    [
        "{serial}:{code}",
        "keno:{serial}:{code}:1-1",
        "https://keno.example.com/verify/?game=1#serial={serial}&code={code}",
    ],
)
def test_a_winning_ticket_and_a_voucher_are_tendered_as_typed_or_scanned(playing: SimpleNamespace, form: str) -> None:
    won = ok(playing.writer.post("keno/tickets", PLAIN), 201)
    playing.counter.play(1, LOW)
    line = {"type": "ticket", "reference": form.format(serial=won["serial"], code=won["security_code"])}
    body = {**PLAIN, "stake": "10.00", "tender": [line]}
    forged = form.format(serial=won["serial"], code="0" * 16)
    before = at.everything()
    wrong = playing.writer.post("keno/tickets", {**body, "tender": [{**line, "reference": forged}]})
    assert problem(wrong, 422, "security-code-wrong")["clause"] == "act-keno:10.3"
    assert at.everything() == before
    assert ok(playing.writer.post("keno/tickets", body), 201)["change"] == "62.00"
    cash = {**PLAIN, "tender": [{"type": "cash", "amount": "64.00"}], "rest": "keno-voucher"}
    voucher = ok(playing.writer.post("keno/tickets", cash), 201)["voucher"]
    assert voucher["amount"] == "62.00"
    line = {"type": "keno-voucher", "reference": form.format(serial=voucher["code"], code=voucher["security_code"])}
    sold = ok(playing.writer.post("keno/tickets", {**PLAIN, "tender": [line]}), 201)
    assert sold["change"] == "60.00"


def test_tender_that_nobody_can_read_is_refused(house: SimpleNamespace) -> None:
    for line, status, code in (
        ({"type": "ticket"}, 400, "reference-missing"),
        ({"type": "ticket", "reference": "https://x/#"}, 400, "reference-missing"),
        ({"type": "ticket", "reference": "7K2MX0Q4RT9B:3F8D"}, 422, "no-such-ticket"),
        ({"type": "keno-voucher", "reference": ":"}, 400, "reference-missing"),
        ({"type": "voucher", "reference": "D" * 65, "amount": "2.00"}, 400, "reference-too-long"),
        ({"type": "voucher", "reference": "\u00df" * 64, "amount": "2.00"}, 400, "reference-too-long"),
    ):
        problem(house.writer.post("keno/tickets", {**PLAIN, "tender": [line]}), status, code)
    assert not Ticket.objects.exists()


@pytest.mark.clause("act-keno:10.4")
def test_paid_tickets_are_kept_until_the_close_of_the_day_and_the_list_says_which(playing: SimpleNamespace) -> None:
    sold = ok(playing.writer.post("keno/tickets", PLAIN), 201)
    playing.counter.play(1, LOW)
    paid = ok(playing.writer.post(f"keno/tickets/{sold['serial']}/pay", {"security_code": sold["security_code"]}))
    day = GamingDay.objects.get()
    row = ok(playing.supervisor.get(f"keno/payments?gaming_day={day.date}&retained=true"))["results"][0]
    assert {name: row[name] for name in ("ticket", "amount", "method", "cash", "cheque", "gaming_day")} == {
        "ticket": sold["serial"], "amount": "72.00", "method": "cash", "cash": "72.00", "cheque": "0.00",
        "gaming_day": day.date.isoformat(),
    }  # fmt: skip
    assert row["retain_until"] == paid["retain_until"]
    assert datetime.fromisoformat(row["retain_until"]) == day.closes_at
    assert ok(playing.supervisor.get("keno/payments?retained=false"))["results"] == []
    with time_machine.travel(day.closes_at + timedelta(seconds=1), tick=False):
        assert ok(playing.supervisor.get("keno/payments?retained=true"))["results"] == []
        assert len(ok(playing.supervisor.get("keno/payments?retained=false"))["results"]) == 1
    problem(playing.signage.get("keno/payments"), 403, "no-permission")
