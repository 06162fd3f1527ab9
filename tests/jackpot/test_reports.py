"""What people read and sign."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime, timedelta
from xml.etree import ElementTree

import pytest
from django.utils import timezone

from house.gaming_days import gaming_day_at
from jackpot import links, reports, slips
from jackpot.contribute import Message, contribute_bulk
from jackpot.finish_round import finish_round
from jackpot.hits import deny_hit
from jackpot.models import Hit
from jackpot.reconcile import reconcile
from jackpot.start_round import Offer, start_round
from jackpot.void_round import void_round
from kernel.money import ZERO, Money
from kernel.refusal import Conflict
from tests.jackpot.dealt import ROYAL, STRAIGHT_FLUSH, cards
from tests.world.calls import Caller, make_device, problem
from tests.world.jackpot_table import pay, verify
from tests.world.money import dollars
from tests.world.people import MANAGER, TABLE
from web.charts import Chart
from web.reports import as_csv

pytestmark = pytest.mark.usefixtures("floor")


def play(table: str = "CSP-01", hand: str | None = None, player: str | None = None) -> list[Hit]:
    started = start_round(table=table, wagers=[Offer(box=1, player_card=player), Offer(box=2)], by=TABLE)
    return finish_round(round_id=started.pk, hands=[cards(1, hand)] if hand else [], by=TABLE)


def test_reconciliation_hits_and_liabilities() -> None:
    play()
    bonus, royal = play("CSP-02", ROYAL)
    Hit.objects.filter(pk=royal.pk).update(player_card="=cmd|' /C calc'!A0")  # as it might stand in an old row
    verify(bonus)
    pay(bonus)
    reconcile(link=links.find_link("CSP"))
    today = gaming_day_at(timezone.now()).date
    (row,) = reports.reconciliation(first=today, last=today, link="CSP")
    assert row.opening + row.contributions + row.topped_up - row.wins + row.adjustments == row.closing
    assert (row.wagers, row.wins, row.fault) == (4, dollars("50007.00"), "")
    written = list(csv.reader(io.StringIO(as_csv(reports.REPORTS["reconciliation"](today, today, link="CSP")))))
    assert written[0][:4] == ["Link", "Gaming day", "Opening", "Contributions"]
    assert written[1][:4] == ["CSP", today.isoformat(), "0.00", "8.00"]

    rows = reports.hits_history(first=today, last=today)
    assert [(each.sequence, each.kind, each.status) for each in rows] == [(1, "bonus", "paid"), (2, "royal", "claimed")]
    assert "'=cmd" in as_csv(reports.REPORTS["hits"](today, today))  # text, not a formula
    assert reports.hits_history(first=date(2020, 1, 1), last=date(2020, 1, 2)) == []
    assert as_csv(reports.REPORTS["hits"](date(2020, 1, 1), date(2020, 1, 2))).startswith("Link,No.,Gaming day,")

    owed = {each.link: each for each in reports.liabilities()}
    assert owed["CSP"].levels == dollars("50000.00")
    assert owed["CSP"].owed_to_winners == royal.amount
    assert owed["BOOM"].overflow == ZERO
    (meter,) = reports.meters(link="CSP")
    assert (meter.wagers, meter.hits, meter.wins, meter.displayed) == (
        4,
        1,
        dollars("50007.00"),
        dollars("50000.00"),
    )


def test_contributions_by_table_and_hour() -> None:
    now = datetime.now(UTC)
    an_hour_ago = now - timedelta(hours=1)
    play()
    contribute_bulk(messages=[Message("a", "CSP-01", 5, an_hour_ago), Message("b", "CSP-02", 7, an_hour_ago)], by=TABLE)
    rows = reports.contributions_by_table_and_hour(first=now - timedelta(days=1), upto=now + timedelta(days=1))
    assert [(row.table, row.wagers) for row in rows] == [("CSP-01", 5), ("CSP-01", 2), ("CSP-02", 7)]
    assert all(row.hour.minute == row.hour.second == 0 for row in rows)
    assert reports.contributions_by_table_and_hour(first=now, upto=now + timedelta(days=1), link="BOOM") == []


def test_expected_beside_observed() -> None:
    play()
    play(hand=ROYAL)
    found = {row.hand: row for row in reports.expected_and_observed(link="CSP")}
    assert (found["royal-flush"].wagers, found["royal-flush"].observed) == (4, 1)
    assert found["royal-flush"].expected == pytest.approx(4 / 649_740)
    assert not found["royal-flush"].within  # once in four wagers is worth a look
    assert found["flush"].within


@pytest.mark.parametrize(
    ("mean", "band"),
    # The first counts up to which more than 0.5%, and at least 99.5%, of the distribution lies.
    [(0.0, (0, 0)), (1.0, (0, 4)), (10.0, (3, 19)), (100.0, (75, 127))],
)
def test_the_band_is_the_poisson_distributions(mean: float, band: tuple[int, int]) -> None:
    assert reports.poisson_band(mean) == band


@pytest.mark.clause("nsw-csp:16.18")
def test_slips() -> None:
    (bonus, royal) = play(hand=ROYAL)
    Hit.objects.filter(pk=bonus.pk).update(player_card="P-\x1b@7")  # as it might stand in an old row
    with pytest.raises(Conflict):
        slips.as_pdf(hit_id=royal.pk)
    verify(bonus)
    pay(bonus)
    deny_hit(hit_id=royal.pk, reason="Seen by nobody — and the camera was dark. " * 3, by=MANAGER)
    for hit in (bonus, royal):
        pdf = slips.as_pdf(hit_id=hit.pk)
        assert pdf.startswith(b"%PDF-")
        assert pdf == slips.as_pdf(hit_id=hit.pk)
    paid, denied = slips.as_escpos(hit_id=bonus.pk), slips.as_escpos(hit_id=royal.pk)
    assert b"JACKPOT PAYMENT" in paid
    assert b"$250.00" in paid
    assert b"JACKPOT DENIED" in denied
    assert b"complain" in denied
    assert denied.count(b"\x1b@") == 1  # the printer is initialised by us, not by a player's name
    assert all(len(line) <= slips.WIDTH_CHARACTERS for line in denied.split(b"\n")[2:-4])


def test_the_tables_of_a_link_add_up_to_its_day() -> None:
    """By table: rounds, batches, a denied and a voided part; opening + contributions + top-ups − wins ± adjustments =
    closing, worked out here from the rows."""
    play("CSP-01")
    _, royal = play("CSP-02", ROYAL)
    _, straight = play("CSP-02", STRAIGHT_FLUSH)
    deny_hit(hit_id=straight.pk, reason="No.", by=MANAGER)
    contribute_bulk(messages=[Message("x", "CSP-03", 10, datetime.now(UTC))], by=TABLE)
    void_round(round_id=start_round(table="CSP-04", wagers=[Offer(box=1)], by=TABLE).pk, by=TABLE)
    reconcile(link=links.find_link("CSP"))
    today = gaming_day_at(timezone.now()).date
    found = reports.by_table_and_day(first=today, last=today, link="CSP")
    assert [(row.table, row.wagers, row.contributions, row.wins) for row in found] == [
        ("CSP-01", 2, dollars("4.00"), ZERO),
        ("CSP-02", 4, dollars("8.00"), royal.from_pool),
        ("CSP-03", 10, dollars("20.00"), ZERO),
        ("CSP-04", 0, ZERO, ZERO),
    ]
    *tables, whole = reports.REPORTS["tables"](today, today, link="CSP").rows
    assert [row[2] for row in tables] == ["CSP-01", "CSP-02", "CSP-03", "CSP-04"]
    opening, contributions, topped_up, wins, adjustments, closing, wagers = whole[3:]
    assert opening + contributions + topped_up - wins + adjustments == closing
    assert contributions == Money.total(row[4] for row in tables)
    assert wins == Money.total(row[6] for row in tables) == royal.from_pool
    assert wagers == sum(row[9] for row in tables) == 16


def names() -> list[str]:
    return list(reports.REPORTS)


@pytest.mark.parametrize("name", names())
def test_every_report_over_http(name: str) -> None:
    play()
    play(hand=ROYAL)
    contribute_bulk(messages=[Message("x", "BOOM-01", 10, datetime.now(UTC))], by=TABLE)
    for code in ("CSP", "BOOM", "GJ"):
        reconcile(link=links.find_link(code))
    auditor = Caller(make_device("inspector")[1])
    data = auditor.get(f"jackpot/reports/{name}?link=CSP").json()
    assert data["count"] == len(data["rows"]) > 0
    assert all(len(row) == len(data["columns"]) for row in data["rows"])
    written = auditor.get(f"jackpot/reports/{name}?link=CSP&format=csv")
    assert (written.status_code, written["Content-Type"]) == (200, "text/csv")
    lines = list(csv.reader(io.StringIO(written.content.decode())))
    assert lines[0] == data["columns"]
    assert lines[1 : 1 + data["count"]] == data["rows"]
    paper = auditor.get(f"jackpot/reports/{name}?format=pdf")
    assert paper["Content-Type"] == "application/pdf"
    assert paper.content.startswith(b"%PDF-")
    assert paper.content == auditor.get(f"jackpot/reports/{name}?format=pdf").content
    chart = auditor.get(f"jackpot/reports/{name}?format=svg")
    if name in ("tables", "meters"):
        problem(chart, 422, "no-chart")
    else:
        assert ElementTree.fromstring(chart.content).tag == "{http://www.w3.org/2000/svg}svg"
    if name not in ("liabilities", "meters", "expected"):
        assert auditor.get(f"jackpot/reports/{name}?gaming_day=2020-01-01").json()["count"] == 0


def test_who_may_read_reports_and_what_may_be_asked() -> None:
    auditor = Caller(make_device("inspector")[1])
    listed = auditor.get("jackpot/reports").json()["results"]
    assert [each["name"] for each in listed] == names()
    assert all(each["about"] for each in listed)
    problem(Caller(make_device("table")[1]).get("jackpot/reports/hits"), 403, "no-permission")
    problem(Caller().get("jackpot/reports/hits"), 401, "not-signed-in")
    problem(auditor.get("jackpot/reports/none"), 404, "no-such-report")
    problem(auditor.get("jackpot/reports/hits?link=NONE"), 404, "no-such-pool")
    problem(auditor.get("jackpot/reports/hits?first=2026-01-02&last=2026-01-01"), 400, "days-impossible")
    problem(auditor.get("jackpot/reports/hits?first=2026-01-02&gaming_day=2026-01-01"), 400, "days-twice")
    problem(auditor.get("jackpot/reports/hits?limit=0"), 400, "malformed")
    problem(auditor.get("jackpot/reports/hits?format=xls"), 400, "malformed")
    for _ in range(3):
        play()
    today = gaming_day_at(timezone.now()).date
    contribute_bulk(messages=[Message(f"m{n}", f"CSP-0{n}", n, datetime.now(UTC)) for n in (1, 2, 3)], by=TABLE)
    page = auditor.get(f"jackpot/reports/hours?gaming_day={today}&limit=2").json()
    assert (page["count"], page["next"], page["totals"]) == (3, 2, ["Total", "", "", "12"])
    rest = auditor.get(f"jackpot/reports/hours?gaming_day={today}&limit=2&start=2").json()
    assert (len(rest["rows"]), rest["next"]) == (1, None)


def test_charts_show_what_lies_outside_its_band() -> None:
    chart = Chart(kind="band", title="A & <B>", labels=("x", "y"), values=(1.0, 9.0), low=(0.0, 0.0), high=(3.0, 3.0))
    drawn = ElementTree.fromstring(chart.svg())
    assert [each.get("class") for each in drawn if each.tag.endswith("rect")][:4] == ["band", "mark", "band", "odd"]
    assert drawn.get("aria-label") == "A & <B>"
    line = Chart(kind="line", title="t", labels=(), values=())
    assert ElementTree.fromstring(line.svg()).tag.endswith("svg")


def test_slips_and_threshold_reports_over_http() -> None:
    bonus, royal = play(hand=ROYAL)
    manager, supervisor = Caller(make_device("manager")[1]), Caller(make_device("supervisor")[1])
    problem(manager.get(f"jackpot/hits/{royal.pk}/slip"), 409, "hit-not-ready")
    problem(manager.get("jackpot/hits/999999/slip"), 404, "no-such-hit")
    for hit in (bonus, royal):
        seen = {"surveillance": "CAM-7 21:04"} | ({"cards": hit.dealt} if hit.dealt else {})
        assert supervisor.post(f"jackpot/hits/{hit.pk}/verify", seen).status_code == 200
    manager.post(f"jackpot/hits/{bonus.pk}/pay")
    who = {"name": "Wu Li", "date_of_birth": "1980-02-29", "address": "1 George St", "document": "Passport PA1"}
    manager.post(f"jackpot/hits/{royal.pk}/pay", {"method": "cash", "identity": who})
    slip = manager.get(f"jackpot/hits/{royal.pk}/slip").json()
    assert slip["title"] == "JACKPOT PAYMENT"
    assert {"name": "Amount", "text": "$50,003.50"} in slip["lines"]
    for form, kind, starts in (("pdf", "application/pdf", b"%PDF-"), ("escpos", "application/octet-stream", b"\x1b@")):
        paper = manager.get(f"jackpot/hits/{royal.pk}/slip?format={form}")
        assert (paper.status_code, paper["Content-Type"]) == (200, kind)
        assert paper.content.startswith(starts)
    problem(Caller(make_device("table")[1]).get(f"jackpot/hits/{royal.pk}/slip"), 403, "no-permission")
    (report,) = manager.get("jackpot/threshold-reports").json()["results"]
    assert (report["hit"], report["amount"], report["name"], report["sent_at"]) == (royal.pk, "50003.50", "Wu Li", None)
    (seen,) = supervisor.get("jackpot/threshold-reports").json()["results"]
    assert (seen["amount"], seen["name"], seen["document"]) == ("50003.50", "", "")
    problem(supervisor.post(f"jackpot/threshold-reports/{report['id']}/reported"), 403, "no-permission")
    problem(manager.post(f"jackpot/threshold-reports/{report['id']}/reported"), 403, "two-people-needed")
    other = Caller(make_device("manager")[1])
    assert other.post(f"jackpot/threshold-reports/{report['id']}/reported").json()["sent_at"]
    problem(other.post(f"jackpot/threshold-reports/{report['id']}/reported"), 409, "already-reported")
    problem(other.post("jackpot/threshold-reports/999999/reported"), 404, "no-such-report")
