"""Reports over games really played: rows, ledger and report agree to the cent."""

from __future__ import annotations

import csv
from datetime import timedelta
from io import StringIO
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest
from django.utils import timezone

from house.devices import service_token
from keno import agreement, jackpots
from keno.close import close_game
from keno.invalidate import invalidate_game
from keno.models import Game, Prize, TenderType, Ticket
from keno.open_games import keep_open
from keno.pay import pay_ticket
from keno.printing import print_receipt, reprint_receipt
from keno.refunds import void_wagers
from keno.reports import REPORTS
from keno.shifts import close_shift, drop, open_shift
from keno.tender import Handed
from keno.unclaimed import move_unclaimed
from kernel.money import ZERO, Money
from ledger.models import Transfer
from tests.plugins.worlds import kept
from tests.world import keno_counter as at
from tests.world.calls import Caller, problem
from tests.world.keno_balls import enter_balls
from tests.world.keno_counter import plain
from tests.world.keno_played import LOW, Played, gaming_day_of
from tests.world.money import dollars
from tests.world.people import actor
from web.report_paper import as_pdf
from web.reports import as_csv, percent, report

pytestmark = pytest.mark.django_db


def _played() -> Played:
    """A gaming day of four games with everything in it; the last is invalidated, a fifth is open."""
    counter = Played()
    chance = Random(7)
    for number in range(1, 5):
        for _ in range(5):
            counter.buy(chance)
        if number == 4:
            invalidate_game(number=4, by=counter.manager, cause="fire", reason="Fire in the kitchen.")
        else:
            counter.play(number, chance.sample(range(1, 81), 20))
        counter.collect(chance)
        keep_open(now=timezone.now())
    return counter


played = kept(_played)


def test_sold_is_won_and_lost_and_refunded_for_every_game(played: Played) -> None:
    made = played.report("games")
    at_column = {name: place for place, name in enumerate(made.columns)}
    assert [row[0] for row in made.rows] == [1, 2, 3, 4]
    for row in [*made.rows, made.totals]:
        sold, won, lost, refunded = (
            row[at_column[name]]
            for name in ("Sold", "Stakes on winning tickets", "Stakes on losing tickets", "Refunded")
        )
        assert sold == won + lost + refunded
    # Independently, ticket by ticket and game by game.
    for row in made.rows:
        tickets = Ticket.objects.filter(first_game__lte=row[0], plays_to__gte=row[0])
        paid = Money.total(ticket.price_a_game for ticket in tickets if ticket.charged_to >= row[0])
        prizes = Prize.objects.filter(game=row[0]).exclude(kind="refund")
        payout = Money.total(prize.amount for prize in prizes)
        assert row[at_column["Tickets"]] == tickets.count()
        assert row[at_column["Sold"]] == paid
        assert row[at_column["Payout"]] == payout
        assert row[at_column["Win"]] == paid - row[at_column["Refunded"]] - payout
    invalidated = made.rows[-1]
    assert invalidated[2] == "invalidated"
    assert invalidated[at_column["Refunded"]] == invalidated[at_column["Sold"]] > ZERO
    assert made.totals[at_column["Payout"]] > ZERO


def test_days_and_months_add_the_games_up(played: Played) -> None:
    games, days, months = (played.report(name) for name in ("games", "days", "months"))
    assert days.totals[1] == months.totals[1] == 4
    assert days.totals[2:-1] == months.totals[2:-1] == games.totals[3:-1]


def test_what_is_owed_by_the_books_is_what_is_owed_by_the_rows(played: Played) -> None:
    played.sell(plain(1, 2, 3))
    played.play(5, list(range(1, 21)))
    void_wagers(serial=played.sell(plain(games=4)).ticket.serial, why="A breach.", by=played.manager)
    played.sell(tender=[Handed(type=TenderType.CASH, amount=dollars("6.00"))], rest="keno-voucher")
    made = played.report("liability")
    assert all(row[3] == ZERO for row in made.rows), made.rows
    owed = {row[0]: row[1] for row in made.rows}
    assert min(owed["Games still to play"], owed["Prizes not collected"], owed["Refunds not collected"]) > ZERO
    assert owed["Keno vouchers"] == dollars("5.00")
    assert at.in_balance()


def test_shifts_explain_their_cash(played: Played) -> None:
    for one in (played.supervisor, played.writer):
        drop(shift_id=played.shift.pk, amount=dollars("100.00"), by=one)
    expected = at.books()[played.shift.cash]
    made = played.report("drawers")
    row = dict(zip(made.columns, made.rows[0], strict=True))
    assert row["Expected"] == expected
    assert (row["Float"], row["Drops"], row["Counted"]) == (dollars("5000.00"), dollars("-100.00"), None)
    close_shift(shift_id=played.shift.pk, counted_cash=expected - dollars("1.00"), by=played.writer)
    made = played.report("drawers")
    row = dict(zip(made.columns, made.rows[0], strict=True))
    assert (row["Expected"], row["Over or short"]) == (expected, dollars("-1.00"))


def test_the_write_of_shifts_is_what_the_books_took_and_gave(played: Played) -> None:
    other = actor("device:W-2", "writer")
    open_shift(by=other, opening_float=dollars("100.00"))
    sold = played.sell(plain(1, 2, 3, games=4), by=other)
    played.play(5, list(range(1, 21)))
    at.cancel(sold, played.writer)  # three of its four games, at another terminal
    pay_ticket(serial=sold.ticket.serial, security_code=sold.security_code, by=played.writer)
    voided = played.sell(plain(4, 5, stake="2.00", games=3), by=other)
    void_wagers(serial=voided.ticket.serial, why="A breach.", by=played.manager)
    made = played.report("shifts")
    first, second = (dict(zip(made.columns, row, strict=True)) for row in made.rows)
    assert [second[name] for name in ("Tickets", "Sold", "Taken back", "Write", "Payout", "Win", "Hold")] == [
        2, dollars("10.00"), dollars("9.00"), dollars("1.00"), ZERO, dollars("1.00"), "100.00%",
    ]  # fmt: skip
    mine = Ticket.objects.filter(shift=played.shift)
    assert first["Sold"] == Money.total(mine.values_list("price", flat=True))
    prizes = Prize.objects.filter(payment__shift=played.shift).exclude(kind="refund")
    assert first["Payout"] == Money.total(prizes.values_list("amount", flat=True)) >= dollars("36.00")
    # The other side: what went into stakes held, and what came back out to players.
    totals = dict(zip(made.columns, made.totals, strict=True))
    assert totals["Sold"] == Money.total(Transfer.objects.filter(kind="keno.sale").values_list("amount", flat=True))
    back = Transfer.objects.filter(kind__in=["keno.cancel", "keno.voided"])
    assert totals["Taken back"] == Money.total(back.values_list("amount", flat=True))


def test_unclaimed_by_age() -> None:
    played = Played()
    ticket, sold_on = played.won("7.00", games=4).ticket, played.day.date
    for game, days in enumerate((200, 300, 369), start=ticket.first_game + 1):
        with gaming_day_of(sold_on + timedelta(days=days)):
            played.play(game, LOW)
    with gaming_day_of(sold_on + timedelta(days=400)) as played.day:
        move_unclaimed(now=timezone.now())
        after = {row[0]: row[1:] for row in played.report("unclaimed").rows}
    assert after["up to 30 days"] == (0, ZERO)
    for name in ("31 to 90", "91 to 180", "181 days to twelve months", "moved to return to players"):
        assert after[name] == (1, dollars("7.00"))


def test_voids_and_reprints_are_listed(played: Played) -> None:
    sold = played.sell(plain(games=2))
    print_receipt(serial=sold.ticket.serial, by=played.writer)
    reprint_receipt(serial=sold.ticket.serial, reason="=1+1", by=played.supervisor)
    void_wagers(serial=sold.ticket.serial, why="A breach.", by=played.manager)
    made = played.report("voids")
    assert [row[1:3] for row in made.rows[-2:]] == [
        ("reprinted", sold.ticket.serial), ("voided", sold.ticket.serial),
    ]  # fmt: skip
    assert sum(row[1] == "cancelled" for row in made.rows) == Ticket.objects.filter(status="cancelled").count()
    # A reason that a spreadsheet would run is written as text.
    assert [row[-1] for row in csv.reader(StringIO(as_csv(made))) if row[1] == "reprinted"] == ["'=1+1"]


@pytest.mark.clause("act-keno:5.2")
def test_jackpots_are_listed_as_they_stand_and_as_they_were_won(played: Played) -> None:
    played.sell(plain(1, 2, 3, 4, 5, 6, jackpot=True))
    shown = {row[0]: row[4] for row in played.report("jackpots").rows}
    number = Game.objects.get(status="open").number
    played.play(number, list(range(1, 21)))
    won = [row for row in played.report("jackpots").rows if row[1] == "won"]
    six = next(row for row in won if row[0] == "6 numbers")
    assert (six[3], six[5] >= 1) == (number, True)
    assert six[4] >= shown["6 numbers"] >= dollars("1000.00")


def test_csv_and_pdf_hold_the_same_table(played: Played) -> None:
    for name in REPORTS:
        made = played.report(name)
        rows = list(csv.reader(StringIO(as_csv(made))))
        assert rows[0] == list(made.columns)
        assert len(rows) == 1 + len(made.rows) + bool(made.totals)
        assert as_pdf(made, venue="The <Demo> Casino").startswith(b"%PDF")


def test_hold_is_rounded_half_up_in_whole_numbers() -> None:
    assert percent(dollars("1.00"), dollars("3.00")) == "33.33%"
    assert percent(dollars("-1.00"), dollars("8.00")) == "-12.50%"
    assert percent(dollars("1.00"), ZERO) == ""
    assert report("Empty", ("A", "B"), [], add=("B",)).totals == ("Total", ZERO)


@pytest.fixture
def manager(played: Played) -> Caller:
    return Caller(service_token(role="manager").secret)


def asked(caller: Caller, name: str, **question: Any) -> Any:
    headers = {"Accept": question.pop("accept")} if "accept" in question else {}
    return caller.get(f"keno/reports/{name}?{urlencode(question)}", **headers)


def test_every_report_over_http_is_the_report(played: Played, manager: Caller) -> None:
    day = played.day.date
    names = manager.get("keno/reports").json()["results"]
    assert {one["name"] for one in names} == set(REPORTS)
    assert all(one["about"].endswith(".") for one in names)
    for name in REPORTS:
        made = REPORTS[name](day, day)
        answer = asked(manager, name, first=day, last=day)
        assert answer.status_code == 200, answer.content
        told = answer.json()
        written = made.written()
        assert told["totals"] == (written.pop() if made.totals else None)
        assert told == {
            "title": made.title,
            "first": day.isoformat(),
            "last": day.isoformat(),
            "columns": list(made.columns),
            "rows": written,
            "totals": told["totals"],
            "count": len(written),
            "next": None,
        }
        assert asked(manager, name, gaming_day=day).json() == told
        assert asked(manager, name).json() == told  # today


def test_games_over_http_add_up_to_the_cent(played: Played, manager: Caller) -> None:
    told = asked(manager, "games", gaming_day=played.day.date).json()
    place = told["columns"].index
    for row in [*told["rows"], told["totals"]]:
        sold, won, lost, refunded = (
            dollars(row[place(name)])
            for name in ("Sold", "Stakes on winning tickets", "Stakes on losing tickets", "Refunded")
        )
        assert sold == won + lost + refunded
    assert len(told["rows"]) == 4


def test_reports_come_in_pages(played: Played, manager: Caller) -> None:
    day = played.day.date
    whole = asked(manager, "games", gaming_day=day).json()
    rows, start, pages = [], 0, 0
    while start is not None:
        page = asked(manager, "games", gaming_day=day, start=start, limit=3).json()
        assert (page["count"], page["totals"]) == (4, whole["totals"])
        rows += page["rows"]
        start, pages = page["next"], pages + 1
    assert (rows, pages) == (whole["rows"], 2)
    assert asked(manager, "games", gaming_day=day, start=4).json()["rows"] == []


def test_reports_as_csv_and_pdf(played: Played, manager: Caller) -> None:
    day = played.day.date
    for name in REPORTS:
        made = REPORTS[name](day, day)
        for ask in ({"format": "csv"}, {"accept": "text/csv"}, {"format": "csv", "accept": "application/json"}):
            answer = asked(manager, name, first=day, last=day, **ask)
            assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv")
            assert answer["Content-Disposition"] == f'attachment; filename="keno-{name}-{day}-{day}.csv"'
            assert answer.content.decode().startswith(as_csv(made))  # then the log's latest head
        for ask in ({"format": "pdf"}, {"accept": "application/pdf"}):
            answer = asked(manager, name, first=day, last=day, **ask)
            assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
            assert answer.content.startswith(b"%PDF")


def test_a_report_too_long_for_paper_is_refused_and_comes_as_csv(
    played: Played, manager: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    from house.api import reports

    monkeypatch.setattr(reports, "PDF_ROWS_LIMIT", 3)
    day = played.day.date
    document = problem(asked(manager, "games", gaming_day=day, format="pdf"), 422, "report-too-long")
    assert document["detail"] == "4 rows are too many for a PDF (3 at most): take the CSV, or fewer days."
    assert asked(manager, "games", gaming_day=day, format="csv").status_code == 200


def test_reports_that_cannot_be_had(played: Played, manager: Caller) -> None:
    day = played.day.date.isoformat()
    problem(asked(manager, "secrets"), 404, "no-such-report")
    problem(asked(manager, "games", first=day, last="2020-01-01"), 400, "days-impossible")
    problem(asked(manager, "games", first="2020-01-01", last=day), 400, "days-impossible")
    problem(asked(manager, "games", first=day, gaming_day=day), 400, "days-twice")
    for name, value in {
        "first": "yesterday", "format": "xls", "start": "-1", "limit": "0", "limit ": "3", "colour": "red",
    }.items():  # fmt: skip
        assert asked(manager, "games", **{name: value}).status_code == 400, name
    assert asked(manager, "games", limit="1001").status_code == 400


def test_who_sees_reports(played: Played) -> None:
    for role, status in {"supervisor": 200, "inspector": 200, "writer": 403, "signage": 403, "table": 403}.items():
        caller = Caller(service_token(role=role).secret)
        for path in ("keno/reports", "keno/reports/liability", "keno/reports/liability?format=csv"):
            assert caller.get(path).status_code == status, (role, path)
    problem(Caller().get("keno/reports/liability"), 401, "not-signed-in")


@pytest.mark.clause("act-keno:5.2", "act-keno:14.5")
def test_a_game_invalidated_after_a_win_leaves_the_jackpot_at_its_guarantee() -> None:
    """What it had put in was paid out with the win: the next contribution is on top of the guarantee, not of less."""
    counter = Played()
    six: dict[str, Any] = {"jackpot": True, "stake": "100.00"}
    counter.sell(plain(1, 2, 3, 4, 5, 6, **six))
    close_game(number=1, by=counter.supervisor)
    keep_open(now=timezone.now())
    counter.sell(plain(41, 42, 43, 44, 45, 46, **six))
    close_game(number=2, by=counter.supervisor)
    keep_open(now=timezone.now())
    enter_balls(number=1, balls=list(range(1, 21)), by=counter.supervisor)  # won, with what game 2 had put in
    assert jackpots.displayed()[6] == dollars("1000.00")
    invalidate_game(number=2, by=counter.manager, cause="fire", reason="Fire in the kitchen.")
    purses = jackpots.purses_of(6)
    assert purses.prize == dollars("1000.00")  # not the $985.00 that taking back alone would leave
    counter.sell(plain(51, 52, 53, 54, 55, 56, **six))
    close_game(number=3, by=counter.supervisor)
    assert jackpots.displayed()[6] == dollars("1015.00")
    assert agreement.differences() == []
    assert at.in_balance()
