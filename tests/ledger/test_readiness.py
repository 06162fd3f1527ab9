"""Whether the seals keep up."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ledger.models import Seal
from ledger.post import post
from ledger.readiness import ready, seal_state
from ledger.seal import seal_now
from ledger.tick import tick
from tests.ledger.books import ANNA, DAY, booking, open_books

pytestmark = pytest.mark.django_db(transaction=True)


def test_nothing_to_seal_is_ready() -> None:
    assert ready() == "nothing to seal yet"


def test_a_tick_seals_and_says_so() -> None:
    open_books()
    assert seal_state().waiting_since is not None
    tick(datetime.now(UTC))
    assert Seal.objects.count() == 1
    assert ready() == "seal 1"


def test_rows_that_wait_too_long_for_their_seal_make_it_not_ready() -> None:
    open_books()
    post(booking=booking(), by=ANNA, day=DAY, at=datetime.now(UTC) - timedelta(minutes=2))
    with pytest.raises(RuntimeError, match="waiting for a seal"):
        ready()
    seal_now()
    assert not seal_state().late
