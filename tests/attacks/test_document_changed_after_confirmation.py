"""An insider exchanges the document of a letter: before it is confirmed, after, and in the database itself."""

from __future__ import annotations

import hashlib

import pytest
from django.db import DatabaseError, transaction

from house.models import Letter
from tests.attacks.insider import House
from tests.attacks.letters import letter, proposed


def test_the_confirmed_document_is_the_one_that_was_read(house: House) -> None:
    one, two = house.insider("manager"), house.insider("manager")
    number = proposed(house.insider("supervisor"))
    read = one.post(f"approvals/{number}/letter", letter()).ok(201)
    # While the second person reads it, the first puts another one in its place.
    one.post(f"approvals/{number}/letter/discard", {"comment": "A better scan."}).ok()
    one.post(f"approvals/{number}/letter", letter(b"Everything is approved.")).ok(201)
    with house.unchanged():
        answer = two.post(f"approvals/{number}/letter/confirm", {"sha256": read["sha256"]})
        assert answer.refused("document-differs")


def test_nothing_replaces_it_afterwards(house: House) -> None:
    one, two = house.insider("manager"), house.insider("manager")
    number = proposed(house.insider("supervisor"))
    paper = one.post(f"approvals/{number}/letter", letter()).ok(201)
    two.post(f"approvals/{number}/letter/confirm", {"sha256": paper["sha256"]}).ok()
    with house.unchanged():
        assert one.post(f"approvals/{number}/letter", letter(b"Another.", reference="X")).refused("already-decided")
        assert one.post(f"approvals/{number}/letter/discard", {"comment": "Away."}).refused("already-decided")
    other = b"Nothing is approved."
    for change in (
        {"document": other},
        {"document": other, "sha256": hashlib.sha256(other).hexdigest()},
        {"reference": "GRC 1"},
        {"recorded_by": "staff:nobody"},
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            Letter.objects.update(**change)
    with pytest.raises(DatabaseError), transaction.atomic():
        Letter.objects.all().delete()
    kept = two.get(f"approvals/{number}/letter/document")
    assert kept.body == "The ratio is approved."
    assert hashlib.sha256(kept.body.encode()).hexdigest() == paper["sha256"]
