"""The back office: revenue and duty by game, a ledger that balances every day, a mapping that two people approve."""

from __future__ import annotations

import csv
from datetime import date, timedelta
from typing import Any

import pytest

from house.approvals import propose
from house.books import mapping, month, reports
from house.books.games import played_games
from house.books.mapping import KIND, SHAPE, SUBJECT, suggested
from house.plan_days import ensure_gaming_days
from jackpot.links import create_link
from kernel.actors import system
from kernel.money import Money
from kernel.refusal import Conflict
from ledger.accounts import open_account
from ledger.models import Account
from ledger.post import Booking, post_many
from tests.world.approvals import decide
from tests.world.people import someone
from tests.world.refusals import refused_as
from web.report_paper import as_pack
from web.reports import Report, as_csv

pytestmark = pytest.mark.django_db
DAY = date(2026, 11, 2)
BY = system("tests")
MONA = someone("manager", "mona")


@pytest.fixture(autouse=True)
def _days() -> None:
    ensure_gaming_days()


def book(day: date, *moves: tuple[str, str, str]) -> None:
    bookings = [
        Booking(debit=debit, credit=credit, amount=Money.parse_exact(amount), kind="tests.move", reference=f"{day}/{n}")
        for n, (debit, credit, amount) in enumerate(moves)
    ]
    post_many(bookings=bookings, by=BY, day=day)


def approve(**changes: Any) -> None:
    new = SHAPE.write(suggested()) | {"duties": [{"game": "keno", "rate": 850}]} | changes
    decide(
        propose(kind=KIND, subject=SUBJECT, new=new, why="The auditors’ chart.", by=MONA),
        house=someone("manager", "paula"),
    )


def a_day(day: date = DAY) -> None:
    """Stakes of $1,000 with $600 won, $10.005 of a jackpot’s wagers kept and $20.011 in its pool."""
    create_link(code="CSP", title="Stud", by=BY)
    book(
        day,
        ("keno:cage", "keno:stakes-held", "1000.00"),
        ("keno:stakes-held", "keno:stakes", "1000.00"),
        ("keno:prizes", "keno:prizes-owing", "600.00"),
        ("jackpot:CSP:drop", "jackpot:CSP:prize", "20.011"),
        ("jackpot:CSP:drop", "jackpot:CSP:house", "10.005"),
    )


def by_game(made: Report) -> dict[str, tuple[str, ...]]:
    return {str(row[0]): tuple(map(str, row[1:])) for row in made.rows}


def test_revenue_and_duty_are_the_transfers_own_sums() -> None:
    a_day()
    found = by_game(reports.revenue(DAY, DAY))
    assert found["Keno"] == ("1000.00", "600.00", "400.00", "not approved", "0.00")
    approve()
    found = by_game(reports.revenue(DAY, DAY))
    assert found["Keno"] == ("1000.00", "600.00", "400.00", "8.50%", "34.00")
    assert found["Jackpots"] == ("10.00", "0.00", "10.00", "0.00%", "0.00")
    assert reports.revenue(DAY, DAY).totals[-1] == Money.parse("34.00")
    assert by_game(reports.revenue(DAY + timedelta(1), DAY + timedelta(1)))["Keno"][0] == "0.00"


def test_no_duty_on_a_loss() -> None:
    approve()
    book(DAY, ("keno:prizes", "keno:prizes-owing", "600.00"))
    assert by_game(reports.revenue(DAY, DAY))["Keno"] == ("0.00", "600.00", "-600.00", "8.50%", "0.00")


def test_kenos_pools_are_kenos_and_others_the_jackpots() -> None:
    for code in ("KENO-6", "CSP"):
        create_link(code=code, title=code, by=BY)
        book_house = (f"jackpot:{code}:drop", f"jackpot:{code}:house", "5.00")
        book(DAY + timedelta(len(code)), book_house)
    found = by_game(reports.revenue(DAY, DAY + timedelta(9)))
    assert (found["Keno"][0], found["Jackpots"][0]) == ("5.00", "5.00")


def test_every_day_of_the_ledger_balances_to_the_cent() -> None:
    approve()
    a_day()
    book(DAY + timedelta(1), ("jackpot:CSP:drop", "jackpot:CSP:prize", "0.014"), ("keno:cage", "keno:stakes", "0.01"))
    made = reports.ledger(DAY, DAY + timedelta(1))
    for day in (DAY, DAY + timedelta(1)):
        debits = Money.total(row[3] for row in made.rows if row[0] == day and row[3])
        credits = Money.total(row[4] for row in made.rows if row[0] == day and row[4])
        assert debits == credits
        assert debits
    assert made.totals[3] == made.totals[4]
    entries = {(row[0], row[1]): row[3:] for row in made.rows}
    assert entries[(DAY, "4110")] == (None, Money.parse("1000.00"))
    assert entries[(DAY, "4210")] == (None, Money.parse("10.00"))  # half a cent goes to the even one
    assert entries[(DAY, "9990")] == (None, Money.parse("0.01"))  # 30.016 taken, 20.011 and 10.005 given
    lines = list(csv.reader(as_csv(made).splitlines()))
    assert lines[0] == ["Gaming day", "Account", "Name", "Debit", "Credit"]
    trial = {row[0]: row[2:] for row in reports.trial(DAY, DAY + timedelta(1)).rows}
    assert trial["4110"] == (None, Money.parse("1000.01"))


def test_nothing_goes_into_a_ledger_that_nobody_approved() -> None:
    a_day()
    assert refused_as("code", reports.ledger, DAY, DAY) == "books-not-mapped"
    few = [each for each in SHAPE.write(suggested())["accounts"] if each["pattern"] != "keno:stakes"]
    approve(accounts=[each for each in few if each["pattern"] != "keno:*"])
    with pytest.raises(Conflict, match="keno:stakes has moved"):
        reports.ledger(DAY, DAY)


def test_what_the_rooms_suggest_covers_every_account_once() -> None:
    approve()
    create_link(code="CSP", title="Stud", by=BY)
    open_account(code="keno:shift:7:cash", name="A drawer", kind=Account.Kind.ASSET, by=BY)
    books = mapping.books()
    rows = reports.accounts(DAY, DAY).rows
    assert [row[0] for row in rows if row[4] == "not mapped"] == []
    assert books.mapped("keno:shift:7:cash").code == "1130"  # type: ignore[union-attr]
    assert books.mapped("jackpot:CSP:prize").code == "2210"  # type: ignore[union-attr]
    kinds = {"1": "asset", "2": "liability", "4": "income", "5": "expense"}
    assert {row[0]: row[2] for row in rows if kinds[str(row[3])[0]] != row[2]} == {"keno:overpaid": "expense"}


def test_a_mapping_is_two_peoples_and_well_made() -> None:
    given: dict[str, Any] = {"kind": KIND, "why": "New auditors.", "by": MONA}
    new = SHAPE.write(suggested())
    wrong: list[dict[str, Any]] = [
        {"accounts": []},
        {"accounts": [{"pattern": "keno cage", "code": "1", "name": "A"}]},
        {"accounts": [{"pattern": "keno:*", "code": "a b", "name": "A"}]},
        {"accounts": [{"pattern": p, "code": "1", "name": p} for p in ("keno:a", "keno:b")]},
        {"accounts": [{"pattern": "keno:*", "code": "1", "name": "A"}] * 2},
        {"rounding": "?"},
        {"duties": [{"game": "bingo", "rate": 1}]},
        {"duties": [{"game": "keno", "rate": 10_001}]},
        {"duties": [{"game": "keno", "rate": 1}] * 2},
    ]
    for changes in wrong:
        assert refused_as("code", propose, subject=SUBJECT, new=new | changes, **given) == "books-invalid", changes
    assert refused_as("code", propose, subject="books:other", new=new, **given) == "no-such-subject"
    propose(subject=SUBJECT, new=new, **given)
    assert mapping.in_force() is None  # until somebody else has decided


def test_the_month_is_one_paper() -> None:
    approve()
    a_day()
    assert month.days_of("", today=date(2026, 12, 5)) == (date(2026, 11, 1), date(2026, 11, 30))
    assert month.days_of("2028-02", today=DAY) == (date(2028, 2, 1), date(2028, 2, 29))
    assert refused_as("code", month.days_of, "2026-13", today=DAY) == "malformed"
    pack = month.pack(date(2026, 11, 1), date(2026, 11, 30))
    assert [made.title for made in pack][:3] == [
        "Gaming revenue and duty", "Gaming revenue by day", "General ledger, all days",
    ]  # fmt: skip
    assert len(pack) >= 6  # and what the rooms add
    pypdf = pytest.importorskip("pypdf")
    from io import BytesIO

    read = pypdf.PdfReader(BytesIO(as_pack(pack, title="Month-end, November 2026", venue="The Star", by="Mona")))
    assert len(read.pages) >= len(pack)
    assert "Page 1 of" in read.pages[0].extract_text()
    assert {game.code for game in played_games()} == {"keno", "jackpots", "promotions", "tablegames"}
