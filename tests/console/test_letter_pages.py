"""A letter of an authority through the pages: on record, confirmed, countersigned; the document as a file."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from house.approvals import propose
from house.models import Incident, Letter, Proposal
from keno import approved
from tests.console.pages import text
from tests.world.demo import demo_actor

pytestmark = pytest.mark.django_db
PDF = b"%PDF-1.7\nThe ratio is approved.\n%%EOF\n"
NEW = {"prize": 2_000, "secondary": 300, "reimbursement": 200}


@pytest.fixture
def number(venue: None) -> int:
    asked: dict[str, Any] = {
        "kind": "keno.jackpot-ratio",
        "subject": "jackpot-ratio:KENO-6",
        "new": NEW,
        "why": "More.",
    }
    return propose(**asked, by=demo_actor("supervisor")).pk


def form(document: bytes = PDF, **other: Any) -> dict[str, Any]:
    return {
        "signed_by": "J. Okonkwo",
        "office": "Gambling and Racing Commission",
        "reference": "GRC 26/118",
        "dated": "2026-01-05",
        "document": SimpleUploadedFile("letter.html", document, content_type="text/html"),
    } | other


def test_from_the_paper_to_the_countersignature(number: int, signed_in: Callable[[str], Client]) -> None:
    manager, administrator, inspector = map(signed_in, ("manager", "administrator", "inspector"))
    here = f"/approvals/{number}/"
    assert "Put a letter on" in text(manager.get(here))
    assert "Put a letter on" not in text(inspector.get(here))
    assert "Put a letter on" not in text(signed_in("supervisor").get(here))
    assert manager.post(f"{here}letter/new/", form()).status_code == 302
    paper = Letter.objects.get()
    assert (paper.media_type, bytes(paper.document), paper.dated) == ("application/pdf", PDF, date(2026, 1, 5))
    assert "Confirm the" not in text(manager.get(here))
    seen = administrator.get(here)
    assert paper.sha256 in text(seen)
    assert "Confirm letter GRC 26/118" in text(administrator.get("/"))
    kept = administrator.get(f"{here}letter/document/")
    assert (kept["Content-Type"], kept["Content-Disposition"], kept.content) == (
        "application/pdf",
        f'attachment; filename="letter-{paper.pk}.pdf"',
        PDF,
    )
    assert administrator.post(f"{here}letter/confirm/", {"sha256": paper.sha256}).status_code == 302
    assert approved.value("jackpot-ratio", "KENO-6") == NEW
    for page in (here, "/keno/catalogue/jackpot-ratio/", "/approvals/history/"):
        assert "not countersigned" in text(manager.get(page)).lower(), page
    assert "Countersign letter GRC 26/118" in text(inspector.get("/"))
    assert administrator.post(f"{here}answer/countersign/").status_code == 403
    assert inspector.post(f"{here}answer/countersign/", {"comment": "Seen."}).status_code == 302
    assert "countersigned" in text(manager.get("/keno/catalogue/jackpot-ratio/"))
    assert "not countersigned" not in text(manager.get("/keno/catalogue/jackpot-ratio/"))
    csv: Any = manager.get("/approvals/history/?format=csv")
    assert "By letter,Countersigned" in b"".join(csv.streaming_content).decode().replace('"', "")


def test_what_is_missing_or_wrong_is_said(number: int, signed_in: Callable[[str], Client]) -> None:
    manager = signed_in("manager")
    for wrong, says in (
        ({"office": ""}, "Office is missing."),
        ({"dated": "yesterday"}, "Write the date like"),
        ({"dated": (timezone.localdate() + timedelta(days=3)).isoformat()}, "not dated later than today"),
        ({"document": SimpleUploadedFile("a.pdf", b"<html>")}, "no letter that can be kept"),
        ({"document": SimpleUploadedFile("a.txt", b"a" * 5_300_000)}, "more than 5 MB"),
    ):
        answer = manager.post(f"/approvals/{number}/letter/new/", form() | wrong)
        assert (answer.status_code, Letter.objects.count()) == (422, 0), says
        assert says in text(answer)
    assert signed_in("supervisor").post(f"/approvals/{number}/letter/new/", form()).status_code == 403
    assert manager.get(f"/approvals/{number}/letter/document/").status_code == 404
    assert manager.post(f"/approvals/{number}/letter/burn/").status_code == 404


def test_a_letter_discarded_and_one_disputed(number: int, signed_in: Callable[[str], Client]) -> None:
    manager, administrator, inspector = map(signed_in, ("manager", "administrator", "inspector"))
    here = f"/approvals/{number}/"
    manager.post(f"{here}letter/new/", form())
    administrator.post(f"{here}letter/discard/", {"comment": "Not legible."})
    assert "Not legible." in text(manager.get(here))
    manager.post(f"{here}letter/new/", form())
    paper = Letter.objects.exclude(status="discarded").get()
    administrator.post(f"{here}letter/confirm/", {"sha256": paper.sha256})
    inspector.post(f"{here}answer/dispute/", {"comment": "Not our paper."})
    assert Proposal.objects.get().disputed
    assert "The letter is disputed" in text(manager.get(here))
    assert Incident.objects.get().kind == "letter-disputed"
