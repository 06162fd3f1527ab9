"""Cash in the console: reports with their dates and their file, possible structuring, suspicious matters."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.identity import Identity
from house.cash.limits import cash_limits
from house.cash.overdue import note_overdue
from house.models import Proposal, SuspiciousMatter, ThresholdReport
from keno.cash_kinds import TICKET, VOUCHER
from keno.demo import build_demo
from keno.models import PaymentAuthority, TenderType
from keno.sell import REST_AS_VOUCHER, sell_ticket
from keno.shifts import open_shift
from keno.tender import Handed
from kernel.actors import Actor
from kernel.money import Money
from ledger.models import Act
from tests.console.test_keno_pages import text
from tests.world.demo import demo_actor
from tests.world.keno_counter import plain
from tests.world.players import registered

pytestmark = pytest.mark.django_db

ANNA = Identity.read(
    {
        "name": "Anna Marsh",
        "born": "1980-02-29",
        "address": "1 Lake St",
        "document": "passport",
        "document_number": "P1",
    }
)
PAYER = Actor("device:W-0001", "Counter 1")


def paid(dollars: int, *, payment: int, of: Any = TICKET, **who: Any) -> None:
    now = timezone.now()
    what = HandedOver(
        kind=of, payment=payment, reference=f"V{payment}", cash=Money.dollars(dollars), day=timezone.localdate(), at=now
    )
    hand_over(what, receiver=Receiver(**who), by=PAYER)


def test_a_report_is_looked_at_downloaded_and_sent(venue: None, signed_in: Callable[[str], Client]) -> None:
    paid(12_000, payment=1, of=VOUCHER, identity=ANNA)
    report = ThresholdReport.objects.get()
    manager, auditor = signed_in("manager"), signed_in("auditor")
    address = f"/cash/threshold-reports/{report.pk}/"
    assert "Anna Marsh" in text(manager.get(address))
    for page in (
        "/cash/threshold-reports/",
        "/cash/threshold-reports/?format=csv",
        "/cash/threshold-reports/?state=due",
    ):
        seen = b"".join(auditor.get(page)) if "csv" in page else auditor.get(page).content
        assert b"Anna" not in seen
        assert b"V1" in seen
    assert "Anna" not in text(auditor.get(address))
    assert auditor.post(f"{address}file/").status_code == 403
    assert auditor.post(f"{address}sent/", {"reference": "X"}).status_code == 403
    assert signed_in("writer").get(address).status_code == 403
    file = manager.post(f"{address}file/", {"format": "csv"})
    assert file.headers["Content-Disposition"].startswith("attachment")
    assert b"Anna Marsh" in file.content
    assert (
        manager.post("/cash/threshold-reports/file/", {"format": "json"}).headers["Content-Type"] == "application/json"
    )
    assert Act.objects.filter(kind="cash.reports-downloaded").count() == 2
    manager.post(f"{address}sent/", {"reference": "TTR-7"})
    assert "TTR-7" in text(manager.get(address))
    nothing = manager.post("/cash/threshold-reports/file/", follow=True)
    assert "nothing to send" in text(nothing)


def test_what_is_late_is_said_so_and_waits_at_home(
    venue: None, signed_in: Callable[[str], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    paid(12_000, payment=1, of=VOUCHER, identity=ANNA)
    manager = signed_in("manager")
    assert "Send 1 threshold report to the authority" in text(manager.get("/"))
    due = ThresholdReport.objects.get().due_at
    later = due + timedelta(minutes=1)
    monkeypatch.setattr(timezone, "now", lambda: later)
    note_overdue(later)
    monkeypatch.undo()
    assert "A report to the authority is overdue" in text(manager.get("/incidents/"))


def test_possible_structuring_is_a_list_with_its_payments(venue: None, signed_in: Callable[[str], Client]) -> None:
    (player,) = registered("C-1")
    paid(6_000, payment=1, of=VOUCHER, played_by=player.pk)
    paid(6_000, payment=2, of=VOUCHER, played_by=player.pk, identity=ANNA)
    page = text(signed_in("auditor").get("/cash/structuring/"))
    assert "2 payments in cash" in page
    assert "V1" in page
    assert "V2" in page
    assert "Anna" not in page
    assert signed_in("writer").get("/cash/structuring/").status_code == 403


def test_a_writer_raises_a_matter_and_sees_it_never_again(venue: None, signed_in: Callable[[str], Client]) -> None:
    writer, manager = signed_in("writer"), signed_in("manager")
    words = {"what": "He counts his vouchers aloud.", "reference": "V1", "staff": "supervisor"}
    assert "It is on record as no." in text(writer.post("/cash/matters/raise/", words))
    matter = SuspiciousMatter.objects.get()
    assert matter.concerns == ["staff:supervisor"]
    address = f"/cash/matters/{matter.pk}/"
    for client in (writer, *(signed_in(role) for role in ("supervisor", "auditor", "inspector", "administrator"))):
        for page in ("/cash/matters/", address):
            assert client.get(page).status_code == 403
        assert client.post(f"{address}file/").status_code == 403
        for page in ("/", "/incidents/"):
            assert "vouchers aloud" not in client.get(page).content.decode()
    assert "Decide 1 suspicious matter" in text(manager.get("/"))
    assert "He counts his vouchers aloud." in text(manager.get(address))
    assert b"aloud" in manager.post(f"{address}file/", {"format": "json"}).content
    assert manager.post(f"{address}dismiss/").status_code == 422
    manager.post(f"{address}dismiss/", {"why": "He always does."})
    assert manager.post(f"{address}agree/").status_code == 403  # not alone
    manager.post(f"{address}sent/", {"reference": "SMR-1"})
    matter.refresh_from_db()
    assert (matter.sent_by, matter.is_open) == ("staff:manager", False)


def test_other_limits_are_proposed(venue: None, signed_in: Callable[[str], Client]) -> None:
    manager = signed_in("manager")
    page = manager.get("/approvals/propose/cash-limits/")
    given = {field.html_name: field.value() or "" for field in page.context["form"]}
    wrong = manager.post("/approvals/propose/cash-limits/", given | {"identity_from": "20000.00", "why": "Laxer."})
    assert wrong.status_code == 422
    right = given | {"identity_from": "5000.00", "holidays": "2026-12-25 2026-12-28", "why": "Stricter."}
    manager.post("/approvals/propose/cash-limits/", right)
    new: Any = Proposal.objects.get().new
    assert (new["identity_from"], new["holidays"]) == ("5000.00", ["2026-12-25", "2026-12-28"])
    assert cash_limits().identity_from == Money.dollars(10_000)  # until somebody else has decided


def test_a_supervisor_stands_by_a_voucher(venue: None, signed_in: Callable[[str], Client]) -> None:
    build_demo()
    writer = demo_actor("writer")
    open_shift(by=writer)
    handed = [Handed(type=TenderType.CASH, amount=Money.dollars(500))]
    paper = sell_ticket(request=plain(), tender=handed, rest=REST_AS_VOUCHER, by=writer).voucher
    assert paper is not None
    address = f"/keno/vouchers/{paper.voucher.code}/"
    supervisor = signed_in("supervisor")
    assert supervisor.get("/search/", {"q": paper.voucher.code}).headers["Location"] == address
    assert "Authorise redemption" in text(supervisor.get(address))
    supervisor.post(f"{address}authorise/")
    assert PaymentAuthority.objects.get().voucher == paper.voucher
    assert "Authorise redemption" not in text(signed_in("auditor").get(address))
    assert "Authorise redemption" not in text(signed_in("writer").get(address))
