"""What people read and sign."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from house.gaming_days import gaming_day_at
from house.refusal import Conflict
from jackpot import pools, reports, slips
from jackpot.contribute import Message, contribute_bulk
from jackpot.finish_round import finish_round
from jackpot.hits import deny_hit, pay_hit, verify_hit
from jackpot.models import Hit
from jackpot.reconcile import reconcile
from jackpot.start_round import Offer, start_round
from ledger.money import ZERO
from tests.jackpot.people import MANAGER, ROYAL, SUPERVISOR, TABLE, cards, dollars

pytestmark = pytest.mark.usefixtures("floor")


def play(table: str = "CSP-01", hand: str | None = None, player: str | None = None) -> list[Hit]:
    started = start_round(table=table, wagers=[Offer(box=1, player=player), Offer(box=2)], by=TABLE)
    return finish_round(round_id=started.pk, hands=[cards(1, hand)] if hand else [], by=TABLE)


def test_reconciliation_hits_and_liabilities() -> None:
    play()
    bonus, royal = play("CSP-02", ROYAL, player="=cmd|' /C calc'!A0")
    verify_hit(hit_id=bonus.pk, by=SUPERVISOR)
    pay_hit(hit_id=bonus.pk, by=MANAGER)
    reconcile(pool=pools.find("CSP"))
    today = gaming_day_at(timezone.now()).date
    (row,) = reports.reconciliation(first=today, last=today, link="CSP")
    assert row.opening + row.contributions + row.topped_up - row.wins + row.adjustments == row.closing
    assert (row.wagers, row.wins, row.fault) == (4, dollars("50007.00"), "")
    written = list(csv.reader(io.StringIO(reports.as_csv([row], row_type=reports.ReconciliationRow))))
    assert written[0][:3] == ["link", "gaming_day", "opening"]
    assert written[1][:4] == ["CSP", today.isoformat(), "0.00", "8.00"]

    rows = reports.hits_history(first=today, last=today)
    assert [(each.sequence, each.kind, each.status) for each in rows] == [(1, "bonus", "paid"), (2, "royal", "claimed")]
    assert "'=cmd" in reports.as_csv(rows, row_type=reports.HitRow)  # text, not a formula
    assert reports.hits_history(first=date(2020, 1, 1), last=date(2020, 1, 2)) == []
    assert reports.as_csv([], row_type=reports.HitRow).startswith("sequence,gaming_day,")

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
    (bonus, royal) = play(hand=ROYAL, player="P-\x1b@7")
    with pytest.raises(Conflict):
        slips.as_pdf(hit_id=royal.pk)
    verify_hit(hit_id=bonus.pk, by=SUPERVISOR)
    pay_hit(hit_id=bonus.pk, by=MANAGER)
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
    assert all(len(line) <= slips.WIDTH for line in denied.split(b"\n")[2:-4])
