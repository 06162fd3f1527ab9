"""A draw with a running witness: promised and seen, asked once, void by three, and drawn again from the same list."""

from __future__ import annotations

import pytest

from draws.commit import is_public
from draws.models import Commitment
from ledger.models import Question
from promotions import integrity
from promotions.draw import draw_promotion
from promotions.models import Draw, Promotion
from promotions.run import close
from promotions.seal import seal
from tests.world import promotion_draws as world
from tests.world.promotion_draws import failed, oracle_faults, promised, published, voided
from tests.world.promotions import manager, running
from tests.world.witness import RunningWitness

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def house(witness: RunningWitness) -> None:
    from house.seed import seed as seed_house
    from promotions.accounts import open_accounts

    seed_house()
    open_accounts()


def test_from_the_promise_to_the_second_attempt(house: None) -> None:
    world.open_day()
    promotion = running()  # promised, then seen by the witness, then started
    assert promotion.status == "running"
    assert is_public(Commitment.objects.get())
    world.put_in("ABCDEFGH")
    close(code="SPRING", now=promotion.closes_at)
    seal(code="SPRING", now=promotion.closes_at)
    noted = promised()
    first = draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    assert first.drawn_at is not None
    assert (failed(published(), noted), oracle_faults(published(), noted)) == ([], [])
    voided()
    integrity.resume(code="SPRING", why="Validated.", by=manager())
    second = draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    assert (second.attempt, second.drawn_at) == (2, promotion.draw_at)
    assert (failed(published(), noted), oracle_faults(published(), noted)) == ([], [])
    asked = Question.objects.order_by("attempt")
    assert [(each.attempt, each.seal_act == asked[0].seal_act, bool(each.answer)) for each in asked] == [
        (1, True, True),
        (2, True, True),
    ]
    assert (Promotion.objects.get().status, Draw.objects.count()) == ("drawn", 2)
