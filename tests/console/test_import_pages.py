"""A file of entries that two people reject, and who entered whom, page by page."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from promotions import imports
from promotions.models import Entry, Import
from tests.console.pages import text
from tests.world.promotions import running


def test_a_file_is_rejected_by_two_and_who_entered_whom_is_seen(signed_in: Callable[[str], Client]) -> None:
    supervisor, manager, auditor = (signed_in(who) for who in ("supervisor", "manager", "auditor"))
    running("SPRING")
    for n in range(3):
        supervisor.post("/promo/enter/", {"code": "SPRING", "card": "C-F", "reference": f"mine {n}"})
    file = SimpleUploadedFile("wrong.csv", b"reference,card\nA-1,C-1\nA-2,C-2\n")
    supervisor.post("/promo/SPRING/import/", {"file": file, "all_or_nothing": "all"})
    made = Import.objects.get()
    imports.go_on(made.pk)
    at, why = f"/promo/imports/{made.pk}/", {"comment": "Last month’s."}
    assert "Reject the file" not in text(auditor.get(at))
    # Until two have settled it, it waits for somebody else, who sees it on the home page, too.
    waits = f"Confirm import {made.pk}, “wrong.csv”: 2 entries in SPRING"
    assert waits in text(manager.get("/"))
    assert waits not in text(supervisor.get("/"))
    assert "needs a second person." in text(auditor.get("/promo/SPRING/"))
    supervisor.post(f"{at}reject/", why)
    page = text(supervisor.get(at))
    assert "To be rejected once another person says so, too: Last month’s." in page
    assert "Reject the file" not in page
    assert f"Reject import {made.pk}, “wrong.csv”: 2 entries in SPRING" in text(manager.get("/"))
    assert "Reject the file" in text(manager.get(at))
    manager.post(f"{at}reject/", why)
    assert "Rejected by two people" in text(auditor.get(at))
    assert "needs a second person." not in text(auditor.get("/promo/SPRING/"))
    assert Entry.objects.filter(withdrawn_at=None).count() == 3
    # Who oversees the draw sees that one person has entered somebody three times, and nobody's name.
    entrant = Entry.objects.filter(withdrawn_at=None)[0].entrant_id
    for page in (text(auditor.get("/promo/SPRING/room/")), text(manager.get("/promo/SPRING/"))):
        seen = re.sub(r"<[^>]+>|\s+", " ", page[page.index("Entered most often by the same person") :])
        assert re.search(rf"Entrant {entrant} +Sunita Rao +3", " ".join(seen.split())), seen[:400]
