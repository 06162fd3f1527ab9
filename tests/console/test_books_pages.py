"""The back office at the console: revenue, a ledger to take away, the month, and a mapping that two people make."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from house.approvals import approve
from house.books.mapping import in_force
from house.models import Proposal
from tests.world.people import someone

pytestmark = pytest.mark.django_db


def test_from_a_proposal_to_the_month(venue: None, signed_in: Callable[[str], Client]) -> None:
    manager = signed_in("manager")
    page = manager.get("/books/reports/")
    assert "Gaming revenue and duty" in page.content.decode()
    assert "not approved" in page.content.decode()
    assert manager.get("/books/reports/ledger/").status_code == 409  # nobody has approved a mapping
    form = manager.get("/approvals/propose/books/").context["form"]
    given = {field.html_name: field.value() or "" for field in form}
    wrong = manager.post("/approvals/propose/books/", given | {"duties": "keno much", "why": "New auditors."})
    assert wrong.status_code == 422
    assert "keno 8.5%" in wrong.content.decode()
    manager.post("/approvals/propose/books/", given | {"duties": "keno 8.5%", "why": "New auditors."})
    assert in_force() is None
    approve(proposal_id=Proposal.objects.get().pk, by=someone("manager", "paula"))
    books = in_force()
    assert books is not None
    assert books.rate("keno") == 850
    ledger = manager.get("/books/reports/ledger/?format=csv")
    assert ledger.content.decode().startswith("Gaming day,Account,Name,Debit,Credit")
    paper = manager.get("/books/month-end.pdf")
    assert paper.content.startswith(b"%PDF")
    assert manager.get("/books/month-end.pdf?month=soon").status_code == 400


def test_it_is_not_for_the_counter(venue: None, signed_in: Callable[[str], Client]) -> None:
    writer = signed_in("writer")
    for address in ("/books/reports/", "/books/reports/ledger/", "/books/month-end.pdf", "/approvals/propose/books/"):
        assert writer.get(address).status_code == 403
