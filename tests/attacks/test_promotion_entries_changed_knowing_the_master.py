"""The house reads its master and changes the list until its friend would win: adds or withdraws an entry, bars a card.

What stops it: with the master alone nobody knows a number, because the witness's answer, which does not exist before
the list is fixed, is half of the generator's input. While the list can still change every change is as good as any
other; once the witness is asked nothing changes any more: entries, withdrawals, amendments and exclusions count only up
to the head that the witness signed. Not stopped: filling the list with people who do not exist, before it is sealed;
the inspector's reading of the sealed texts is for that.
"""

from __future__ import annotations

from typing import Any

import pytest

from chance import two_party
from chance.two_party import How, Said
from draws.commit import master_of
from draws.models import Commitment
from house.players.cards import known_card
from kernel.questions import Question
from promotions.exclude import exclude_card
from promotions.models import Draw, Entry, Pick, Promotion
from tests.attacks.promotions import Insiders, due, everything
from tests.world.promotion_draws import failed, promised, published
from tests.world.promotions import keep_out, manager
from tests.world.second_party import AtHand

pytestmark = pytest.mark.django_db


def test_the_master_alone_tells_nothing() -> None:
    """Every answer that the witness might give is another order: the insider has nothing to try lists against."""
    due()
    promise = Commitment.objects.get()
    question = Question(
        venue=promise.venue, purpose="promotion", occasion="SPRING", attempt=1, root=bytes(32), count=8, act_index=1,
        origin="meterhouse.log/tests", size=2, checkpoint_root=bytes(32),
    )  # fmt: skip
    orders = {
        tuple(
            two_party.numbers(
                master_of(promise),
                Said(question=question, how=How.WITNESS, said=bytes([guess]) * 384),
                pool=8,
                count=8,
            )
        )
        for guess in range(50)
    }
    assert len(orders) > 45


def test_from_asking_on_the_list_and_who_may_win_are_fixed(second_party: AtHand) -> None:
    insiders, noted = Insiders(), None
    due()
    noted = promised()
    second_party.away = True
    insiders.supervisor.post("promotions/SPRING/draw")
    assert Promotion.objects.get().status == "drawing"
    first = Entry.objects.order_by("id")[0]
    before = everything()
    for path, body in (
        ("entries", {"card": "C-A", "reference": "one more"}),
        (f"entries/{first.pk}/withdraw", {"why": "Not eligible."}),
        ("amendments", {"terms": {"nature": "Other."}, "why": "Better."}),
        ("seal", {}),
        ("integrity/resume", {"why": "A better list.", "reseal": True}),
        ("integrity/postpone", {"why": "Let us think."}),
        ("integrity/cancel", {"why": "Let us not."}),
    ):
        answer = insiders.manager.post(f"promotions/SPRING/{path}", body)
        assert 400 <= answer.status_code < 500, (path, answer.content)
        assert everything() == before, path
    # Whoever is barred now was not when the witness was asked: he wins, and what is found out is a loss of its own.
    for letter in "ABCDEFGH":
        exclude_card(card=known_card(f"C-{letter}", field="card").number, why="employee", by=manager())
    second_party.away = False
    drawn: dict[str, Any] = insiders.supervisor.post("promotions/SPRING/draw").json()
    assert drawn["status"] == "drawn"
    assert Draw.objects.get().barred == []
    assert Pick.objects.filter(outcome="winner").exists()
    assert failed(published(), noted) == []


def test_whoever_was_barred_before_asking_wins_nothing() -> None:
    insiders = Insiders()
    due("ABAB")
    noted = promised()
    keep_out(known_card("C-A", field="card").number)
    insiders.supervisor.post("promotions/SPRING/draw")
    assert Draw.objects.get().barred == [1, 3]
    (winner,) = Pick.objects.filter(outcome="winner")
    assert winner.number in {2, 4}
    assert failed(published(), noted) == []
