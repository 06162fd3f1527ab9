"""Keno's pages show what the verbs know; what is refused is shown with its clause, and changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client, override_settings

from house.approvals import approve, history
from house.models import Proposal, ThresholdReport
from keno import approved, particulars
from keno.hold import hold_prize
from keno.models import Claim, Game, PaperFound, Payment, Printing, Prize, Shift, Ticket
from keno.pay import pay_ticket
from keno.queries.games import tickets_and_turnover
from keno.reports import REPORTS
from keno.shifts import close_shift
from kernel.money import Money
from tests.console import keno_scene
from tests.console.conftest import build_venue
from tests.plugins.worlds import kept
from tests.world.demo import demo_actor
from tests.world.keno_played import won_with_balls
from web import charts, words
from web.reports import as_csv

pytestmark = pytest.mark.django_db


def _sold() -> list[Ticket]:
    """Those that chance let win come last: what a test makes of the first is all that it has won."""
    with override_settings(DEMO=True):
        evening = keno_scene.evening(games=1, tickets=3)
    return sorted(evening, key=lambda ticket: Prize.objects.filter(ticket=ticket).exists())


sold = kept(build_venue, _sold)


def text(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode())).replace("\u202f", " ")


def code_of(ticket: Ticket) -> str:
    return particulars.code_of(ticket, sorted(ticket.plays.all(), key=lambda play: play.place))


def won(amount: str, **more: Any) -> Ticket:
    """A ticket that has won this."""
    return won_with_balls(amount, writer=demo_actor("writer"), supervisor=demo_actor("supervisor"), **more).ticket


@pytest.mark.clause("act-keno:7.2")
def test_a_step_too_early_is_refused_with_its_clause(sold: list[Ticket], signed_in: Callable[[str], Client]) -> None:
    client = signed_in("supervisor")
    number = Game.objects.get(status="open").number
    answer = client.post(f"/keno/games/{number}/void/", {"cause": "malfunction", "comment": "No power."}, follow=True)
    assert f"Game {number} is open: it cannot be declared void now." in text(answer)
    assert "/rules/#act-keno:12.3" in answer.content.decode()
    assert Game.objects.get(number=number).status == "open"
    client.post(f"/keno/games/{number}/close/")
    assert Game.objects.get(number=number).status == "sealed"
    client.post(f"/keno/games/{number}/draw/")
    assert Game.objects.get(number=number).status == "settled"
    page = client.get(f"/keno/games/{number}/")
    assert page.context["in_order"] == sorted(page.context["attempt"]["numbers"])
    assert len(page.context["in_order"]) == 20
    assert page.context["proved"]


@pytest.mark.parametrize("entered", ["", "x", "1 2 three", "1.5", "81", "0", "7 7"])
def test_balls_that_cannot_be(entered: str, sold: list[Ticket], signed_in: Callable[[str], Client]) -> None:
    number = Game.objects.get(status="open").number
    answer = signed_in("supervisor").post(f"/keno/games/{number}/balls/", {"numbers": entered}, follow=True)
    assert answer.status_code == 200
    assert answer.context["refusal"]["detail"]
    assert Game.objects.get(number=number).status == "open"


@pytest.mark.clause("act-keno:10.4")
def test_paid_tickets_are_kept_on_a_list_to_tick_off(sold: list[Ticket], signed_in: Callable[[str], Client]) -> None:
    writer, supervisor, ticket = demo_actor("writer"), signed_in("supervisor"), won("20.00")
    payment = pay_ticket(serial=ticket.serial, security_code=code_of(ticket), by=writer).payment
    assert "It is here" in text(supervisor.get("/keno/paper/"))
    supervisor.post(f"/keno/paper/{payment.pk}/tick-off/", follow=True)
    assert "It is here" not in text(supervisor.get("/keno/paper/"))
    assert PaperFound.objects.get().payment_id == payment.pk
    assert not list(supervisor.get("/keno/paper/?state=missing").context["listing"].rows)


@pytest.mark.clause("act-keno:10.3")
def test_a_ticket_is_paid_once_with_its_code(sold: list[Ticket], signed_in: Callable[[str], Client]) -> None:
    client, ticket = signed_in("writer"), won("113.00")
    already = payments_on(ticket)
    address = f"/keno/tickets/{ticket.serial}/pay/"
    refused = client.post(address, {"security_code": "0000000000000000", "method": "cash"})
    assert refused.status_code == 422
    assert "/rules/#act-keno:10.3" in refused.content.decode()
    assert payments_on(ticket) == already
    client.post(address, {"security_code": code_of(ticket), "method": "cash"})
    assert Payment.objects.get(ticket=ticket).amount == Money.parse("113.00")
    again = client.post(address, {"security_code": code_of(ticket), "method": "cash"})
    assert again.status_code == 409
    assert Payment.objects.filter(ticket=ticket).count() == 1


def payments_on(ticket: Ticket) -> int:
    return Payment.objects.filter(ticket=ticket).count()


def test_a_large_payment_names_the_customer_and_is_reported(
    sold: list[Ticket], signed_in: Callable[[str], Client]
) -> None:
    ticket = won("12500.00")
    writer, supervisor, manager = (signed_in(role) for role in ("writer", "supervisor", "manager"))
    address, form = f"/keno/tickets/{ticket.serial}/", {"security_code": code_of(ticket), "method": "cash"}
    assert writer.post(f"{address}pay/", form).status_code == 403  # above the supervised amount
    supervisor.post(f"{address}authorise/")
    unnamed = writer.post(f"{address}pay/", form)
    assert "goes only to a customer who shows who he is" in text(unnamed)
    assert not Payment.objects.exists()
    who = {"name": "Anna Marsh", "born": "1970-01-02", "address": "1 Binara Street", "document": "passport"}
    writer.post(f"{address}pay/", form | who | {"document_number": "PA1234567"})
    report = ThresholdReport.objects.get()
    assert report.identity["born"] == "1970-01-02"
    page = manager.get("/cash/threshold-reports/")
    assert "Anna Marsh" not in page.content.decode()
    assert manager.post(f"/cash/threshold-reports/{report.pk}/sent/").status_code == 422  # no receipt
    manager.post(f"/cash/threshold-reports/{report.pk}/sent/", {"reference": "TTR-1"})
    report.refresh_from_db()
    assert (report.reported_by, report.sent_reference) == ("staff:manager", "TTR-1")


@pytest.mark.clause("act-keno:14.3")
def test_why_a_prize_is_on_hold_and_who_looks_into_it_is_told_to_who_sees_all(
    sold: list[Ticket], signed_in: Callable[[str], Client]
) -> None:
    ticket, supervisor = won("36.00"), demo_actor("supervisor")
    hold_prize(serial=ticket.serial, why="The paper looks strange.", by=supervisor)
    address = f"/keno/tickets/{ticket.serial}/"
    for role in ("supervisor", "manager", "inspector", "auditor"):
        assert f"The paper looks strange. {supervisor.name} looks into it." in text(signed_in(role).get(address)), role
    told = text(signed_in("writer").post(address, {"security_code": code_of(ticket)}))
    assert "On hold since" in told
    assert "strange" not in told


def test_a_duplicate_is_on_its_answer_only(sold: list[Ticket], signed_in: Callable[[str], Client]) -> None:
    client, serial = signed_in("supervisor"), sold[0].serial
    answer = client.post(f"/keno/tickets/{serial}/reprint/", {"comment": "The printer ran out of paper."})
    assert "data:application/pdf;base64," in answer.content.decode()
    printing = Printing.objects.get()
    assert (printing.duplicate, printing.reason, printing.by) == (
        True,
        "The printer ran out of paper.",
        "staff:supervisor",
    )
    assert "data:application/pdf" not in client.get(f"/keno/tickets/{serial}/").content.decode()


def test_a_ticket_is_found_as_it_is_typed_or_scanned(sold: list[Ticket], signed_in: Callable[[str], Client]) -> None:
    client, serial = signed_in("inspector"), sold[0].serial
    typed = f"{serial[:4]}-{serial[4:8]}-{serial[8:]}".lower()
    for query in (serial, typed, f"keno:{serial}:ABCDEFGH:1-1"):
        assert client.get("/search/", {"q": query}).headers["Location"] == f"/keno/tickets/{serial}/"
        assert [row.serial for row in client.get("/keno/tickets/", {"serial": query}).context["listing"].rows] == [
            serial
        ]
    assert client.get("/keno/tickets/000000000000/").status_code == 404


@pytest.mark.clause("act-keno:10.3")
def test_a_ticket_is_looked_up_and_cancelled_with_its_code(
    sold: list[Ticket], signed_in: Callable[[str], Client]
) -> None:
    client = signed_in("writer")
    ticket = won("113.00", games=3)
    address = f"/keno/tickets/{ticket.serial}/"
    assert "Owing" not in text(client.get(address))
    assert client.post(address, {"security_code": "0" * 16}).status_code == 422
    for page in (client.post(address, {"security_code": code_of(ticket)}), signed_in("inspector").get(address)):
        assert "Owing" in text(page)
    for code in ({}, {"security_code": "0" * 16}):
        assert client.post(f"{address}cancel/", code).status_code == 422
        ticket.refresh_from_db()
        assert ticket.cancelled_from is None
    client.post(f"{address}cancel/", {"security_code": code_of(ticket)})
    ticket.refresh_from_db()
    assert ticket.cancelled_from is not None


def test_a_shift_that_was_left_open_is_closed_by_two(sold: list[Ticket], signed_in: Callable[[str], Client]) -> None:
    shift = Shift.objects.get()
    count = {"counted_cash": "500.00", "counted_chips": ""}
    signed_in("supervisor").post(f"/keno/shifts/{shift.pk}/close/", count)
    page = signed_in("manager").get(f"/keno/shifts/{shift.pk}/")
    assert "has counted this drawer" in text(page)
    signed_in("manager").post(f"/keno/shifts/{shift.pk}/close/", count)
    shift.refresh_from_db()
    assert shift.closed_by == "staff:manager"


@pytest.mark.clause("act-keno:11.1", "act-keno:11.5")
def test_a_claim_from_form_to_cheque(sold: list[Ticket], signed_in: Callable[[str], Client]) -> None:
    ticket = won("36.00")
    form = {
        "serial": ticket.serial,
        "reason": "lost",
        "name": "Anna Marsh",
        "address": "1 Binara Street",
        "contact": "anna@example.org",
        "grounds": "She names every number and the time.",
    }
    missing = signed_in("writer").post("/keno/claims/new/", form | {"address": ""})
    assert missing.status_code == 422
    assert "Address is missing." in text(missing)
    assert not Claim.objects.exists()
    assert signed_in("dealer").post("/keno/claims/new/", form).status_code == 403
    supervisor = signed_in("supervisor")
    assert supervisor.post("/keno/claims/new/", form).status_code == 302
    claim = Claim.objects.get()
    early = supervisor.post(f"/keno/claims/{claim.pk}/pay/", {"cheque_number": "000777"}, follow=True)
    assert "has not been approved" in text(early)
    approve(proposal_id=Proposal.objects.get().pk, by=demo_actor("inspector"))
    assert f"Pay claim {claim.pk}, ${claim.amount}, by cheque" in text(supervisor.get("/"))
    supervisor.post(f"/keno/claims/{claim.pk}/pay/", {"cheque_number": "000777"})
    assert "Pay claim" not in text(supervisor.get("/"))
    claim.refresh_from_db()
    assert (claim.cheque_number, claim.paid_by) == ("000777", "staff:supervisor")


def test_the_drawer_of_an_open_shift_is_not_told(sold: list[Ticket], signed_in: Callable[[str], Client]) -> None:
    client, shift = signed_in("manager"), Shift.objects.get()
    page = client.get(f"/keno/shifts/{shift.pk}/")
    assert page.context["lines"] == []
    assert "counted blind" in text(page)
    for one in (client, signed_in("writer")):  # both who hand it over say how much
        one.post(f"/keno/shifts/{shift.pk}/cash/fill/", {"amount": "$1,200.50"})
    expected = Money.parse("500.00") + Money.parse("1200.50") + Money.total(each.price for each in sold)
    close_shift(shift_id=shift.pk, counted_cash=expected, by=demo_actor("writer"))
    page = client.get(f"/keno/shifts/{shift.pk}/")
    lines = dict(page.context["lines"])
    assert (lines["Fills"], page.context["over"]) == (Money.parse("1200.50"), Money.parse("0.00"))
    assert Money.total(lines.values()) == expected


def test_what_if_says_what_the_api_says(sold: list[Ticket], signed_in: Callable[[str], Client]) -> None:
    client = signed_in("inspector")
    drawn = list(range(1, 21))
    asked = {
        "drawn": " ".join(map(str, drawn)),
        "tickets": "1 2 3 4 5 6 @ 2.00 J\n1 2 3 | 11 92 / 2 3 5 @ 1.00",
        "schedule": "standard",
        "six": "1500.00",
        "eight": "",
    }
    wrong = client.post("/keno/what-if/", asked)
    assert wrong.status_code == 422
    assert "Line 2: " in text(wrong)
    page = client.post("/keno/what-if/", asked | {"tickets": asked["tickets"].replace("92", "12")})
    tickets: list[dict[str, Any]] = [
        {"numbers": [1, 2, 3, 4, 5, 6], "stake": "2.00", "jackpot": True},
        {"groups": [[1, 2, 3], [11, 12]], "plays": [{"spots": n, "stake": "1.00"} for n in (2, 3, 5)]},
    ]
    body = {"drawn": drawn, "tickets": tickets, "jackpots": {"6": "1500.00"}}
    api = Client(enforce_csrf_checks=False)
    api.cookies = client.cookies
    answer = api.post("/api/v1/keno/evaluate", body, content_type="application/json").json()
    shown = [str(each["prize"]) for each in page.context["results"]["tickets"]]
    # Two dollars win the jackpot once; of the way ticket 13, 36 and 530 by the standard schedule (8.1).
    assert shown == [each["prize"] for each in answer["tickets"]] == ["1500.00", "579.00"]


def test_a_set_bet_is_proposed_and_withdrawn(sold: list[Ticket], signed_in: Callable[[str], Client]) -> None:
    client = signed_in("supervisor")
    form = {"code": "LUCKY", "name": "Lucky threes", "groups": "3 13 | 23 | 33", "plays": "2 3", "why": "Asked for."}
    refused = client.post("/keno/catalogue/set-bet/propose/", form | {"groups": "3 13 | 13"})
    assert refused.status_code == 422
    assert "act-keno:" in refused.content.decode()
    assert not history().exists()
    client.post("/keno/catalogue/set-bet/propose/", form)
    proposal = history().get()
    assert proposal.new == {"name": "Lucky threes", "groups": [[3, 13], [23], [33]], "plays": [2, 3]}
    assert approved.value("set-bet", "LUCKY") is None
    approve(proposal_id=proposal.pk, by=demo_actor("manager"))
    assert "Lucky threes" in text(client.get("/keno/catalogue/set-bet/"))
    client.post("/keno/catalogue/set-bet/LUCKY/withdraw/", {"comment": "Nobody plays it."})
    approve(proposal_id=history().filter(status="proposed").get().pk, by=demo_actor("manager"))
    assert approved.value("set-bet", "LUCKY") is None


def test_reports_are_the_reports(sold: list[Ticket], signed_in: Callable[[str], Client]) -> None:
    client = signed_in("auditor")
    day = sold[0].day
    for name in REPORTS:
        page = client.get(f"/keno/reports/{name}/", {"first": day.isoformat(), "last": day.isoformat()})
        assert page.status_code == 200, name
    file = client.get("/keno/reports/games/", {"first": day.isoformat(), "last": day.isoformat(), "format": "csv"})
    assert file.content.decode().startswith(as_csv(REPORTS["games"](day, day)))  # then the log's latest head
    page = client.get("/keno/reports/games/", {"first": day.isoformat(), "last": day.isoformat()})
    assert page.content.decode().count('<rect class="s') == 2 * len(REPORTS["games"](day, day).rows)
    assert "A day is written like" in text(client.get("/keno/reports/days/?first=yesterday"))


def test_a_report_by_one_touch_and_beside_the_days_before(
    sold: list[Ticket], signed_in: Callable[[str], Client]
) -> None:
    client, day = signed_in("auditor"), sold[0].day
    asked = {"first": day.isoformat(), "last": day.isoformat()}
    page = client.get("/keno/reports/days/", asked)
    presets = [each.title for each in page.context["presets"]]
    assert presets == ["Today", "Yesterday", "This gaming day", "Last 7 days", "This month"]
    assert f'data-says="{words.day(day)}: Sold $' in page.content.decode()  # under the pointer
    before = client.get("/keno/reports/days/", asked | {"compare": "before"})
    assert before.context["compares"]
    assert before.context["before"], "the totals of the days before"
    earlier = words.days(day - timedelta(days=1), day - timedelta(days=1))
    assert earlier in text(before)


def test_home_says_what_is_in_this_game(sold: list[Ticket], signed_in: Callable[[str], Client]) -> None:
    number = Game.objects.get(status="open").number
    playing = [each for each in sold if each.first_game <= number <= each.last_game]
    paid = Money.total(each.price_a_game for each in playing if each.charged_to >= number)
    assert tickets_and_turnover(number) == (len(playing), paid)
    page = signed_in("manager").get("/")
    assert f"Game {number} open, closes in" in text(page)
    assert {meter.code for meter in page.context["meters"]} == {"KENO-6", "KENO-8"}


def test_a_chart_has_a_round_scale_and_says_its_values() -> None:
    chart = charts.Chart(kind="bars", title="Win", name="Win", labels=("<a>", "b"), values=(-30.0, 90.0))
    drawing = str(chart.figure())
    assert [said for said in ("-50", "0", "50", "100") if f">{said}<" in drawing] == ["-50", "0", "50", "100"]
    assert "b: Win 90" in drawing
    assert "&lt;a&gt;" in drawing
    assert charts.Chart(kind="bars", title="nothing", labels=(), values=()).figure() == ""
    assert charts.sparkline([1.0], label="one") == ""
    assert charts.sparkline([2.0, 2.0], label="flat").count("<circle") == 1
