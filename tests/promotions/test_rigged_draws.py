"""What somebody with the run of the database does to a draw, and how it is seen."""

from __future__ import annotations

from typing import Any

import pytest

from draws.commit import commit
from house.models import Incident, Notice
from promotions.attempts import make_attempt
from promotions.draw import draw, draw_promotion
from promotions.models import Draw, Pick, Promotion
from tests.world import promotion_draws as world
from tests.world.promotion_draws import drawn, failed, oracle_faults, promised, published, sealed, unguarded
from tests.world.promotions import manager, prize

pytestmark = pytest.mark.django_db

INSIDER = """
    INSERT INTO promotions_entry (promotion_id, entrant_id, source, reference, entered_at, entered_by, salt, leaf,
                                  withdrawn_why)
    SELECT promotion_id, entrant_id, source, 'insider', entered_at, entered_by, salt, leaf, withdrawn_why
    FROM promotions_entry ORDER BY id LIMIT 1
"""


@pytest.mark.clause("nsw-promo-2025:17.11", "nsw-promo-2019:15.12")
@pytest.mark.parametrize(
    ("edition", "kind"), [("2025", "promotion-compromised-2025"), ("2019", "promotion-compromised-2019")]
)
@pytest.mark.parametrize(
    "crime",
    [
        INSIDER,
        "UPDATE promotions_entry SET leaf = sha256(leaf) WHERE id = (SELECT max(id) FROM promotions_entry)",
        "DELETE FROM promotions_entry WHERE id = (SELECT max(id) FROM promotions_entry)",
    ],
    ids=["added", "changed", "taken away"],
)
def test_a_list_touched_after_the_seal_is_not_drawn_from(edition: str, kind: str, crime: Any) -> None:
    promotion = sealed(edition=edition)
    unguarded(crime)
    attempt = draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    assert attempt.drawn_at is None
    assert not Pick.objects.exists()
    after = Promotion.objects.get()
    assert (after.status, after.resumes_as) == ("postponed", "sealed")
    incident = Incident.objects.get()
    assert incident.kind == kind
    assert Notice.objects.get().to == "inspector"


def test_an_entry_added_after_the_draw_is_caught_by_the_leaves() -> None:
    drawn()
    noted = promised()
    unguarded(INSIDER)
    assert failed(published(), {**noted, "leaves": promised()["leaves"]}) == ["list"]


def test_a_master_swapped_in_the_database_is_caught() -> None:
    sealed()
    noted = promised()
    promotion = Promotion.objects.get()
    draw(code="SPRING", now=promotion.draw_at)
    unguarded("UPDATE draws_commitment SET master = sha256(master)")
    # Of so few entries another master may, once in a while, draw the same: the commitment gives it away every time.
    assert failed(published(), noted)[0] == "commitment"
    assert "commitment" in oracle_faults(published(), noted)


def test_a_whole_other_attempt_put_in_place_is_caught() -> None:
    """Master, commitment, numbers and winners all made to fit: what was noted before the draw does not."""
    sealed()
    noted = promised()
    unguarded("DELETE FROM promotions_draw")
    unguarded("DELETE FROM draws_commitment")
    promotion = Promotion.objects.get()
    assert promotion.started_at is not None
    again = commit(purpose="promotion", name="SPRING", device="rng", by=manager())
    make_attempt(promotion=promotion, promised=again, by=manager(), now=promotion.started_at)
    draw(code="SPRING", now=promotion.draw_at)
    assert failed(published(), noted) == ["published commitment"]
    assert oracle_faults(published(), noted) == ["commitment"]


def test_a_replaced_winner_is_caught() -> None:
    drawn("ABCDEFGH" * 2, prizes=[prize(alternates=2)])
    noted = promised()
    place = Pick.objects.get(outcome="winner").place
    unguarded("UPDATE promotions_pick SET outcome = 'passed-over', prize = NULL WHERE place = %s", place)
    unguarded("UPDATE promotions_pick SET outcome = 'winner', prize = 1 WHERE place = %s", place + 1)
    assert failed(published(), noted) == ["winners"]
    assert oracle_faults(published(), noted) == ["winners"]
    # And with another entry in the winner's place.
    insider = max(set(range(1, 17)) - set(Draw.objects.get().numbers))
    unguarded("UPDATE promotions_pick SET number = %s WHERE place = %s", insider, place)
    assert "entries" in failed(published(), noted)
    assert "drawn" in oracle_faults(published(), noted)
