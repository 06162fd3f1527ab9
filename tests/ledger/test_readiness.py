"""Whether the seals keep up."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ledger.models import Seal
from ledger.post import post
from ledger.readiness import ready, seal_state
from ledger.seal import seal, seal_now
from tests.world.books import ANNA, DAY, booking, open_books
from tests.world.owner import unguarded

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def _an_empty_log() -> None:
    """Also without what the house says of itself when it is made."""
    with unguarded("ledger_act") as cursor:
        cursor.execute("DELETE FROM ledger_act")


@pytest.mark.usefixtures("_an_empty_log")
def test_nothing_to_seal_is_ready() -> None:
    assert ready() == "nothing to seal yet"


def test_a_seal_is_made_and_told() -> None:
    open_books()
    assert seal_state().waiting_since is not None
    seal()
    assert Seal.objects.count() == 1
    assert ready() == "seal 1"


def test_rows_that_wait_too_long_for_their_seal_make_it_not_ready() -> None:
    open_books()
    post(booking=booking(), by=ANNA, day=DAY, at=datetime.now(UTC) - timedelta(minutes=2))
    with pytest.raises(RuntimeError, match="waiting for a seal"):
        ready()
    seal_now()
    assert not seal_state().late
