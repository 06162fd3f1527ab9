"""The draw is declared void until it is liked: by one manager, by two, by one with two tokens, by a letter.

What stops it: after asking, void takes a person who proposes, another who stands behind it and an inspector in his own
name; no letter will do, and the person behind a device counts as himself. What the attempt gave is published with the
decision, so everybody sees what was refused. Not stopped: two people and the inspector together, in the open, with the
numbers beside it; and the exit code 3 of the check for ever.
"""

from __future__ import annotations

import pytest

from chance.proof import holds
from ledger.models import Act
from promotions import verify
from promotions.models import Draw, Promotion
from tests.attacks.letters import letter
from tests.attacks.promotions import Insiders, due, everything, refused_answer
from tests.world.promotion_draws import published

pytestmark = pytest.mark.django_db
WHY = {"why": "Not the right winner."}


def drawn() -> tuple[Insiders, list[int]]:
    insiders = Insiders()
    due()
    numbers: list[int] = insiders.supervisor.post("promotions/SPRING/draw").json()["numbers"]
    return insiders, numbers


def test_one_manager_alone_only_proposes() -> None:
    insiders, numbers = drawn()
    before = everything()
    refused_answer(insiders.manager.post("promotions/SPRING/integrity/postpone", WHY), "promotion-drawn")
    refused_answer(insiders.manager.post("promotions/SPRING/integrity/cancel", WHY), "promotion-drawn")
    assert everything() == before
    proposal = insiders.manager.post("promotions/SPRING/integrity/void", WHY).json()["proposal"]
    refused_answer(insiders.manager.post(f"approvals/{proposal}/approve"), "own-proposal")
    assert (Promotion.objects.get().status, Draw.objects.get().numbers) == ("drawn", numbers)


def test_nor_two_managers_without_the_inspector() -> None:
    insiders, numbers = drawn()
    proposal = insiders.manager.post("promotions/SPRING/integrity/void", WHY).json()["proposal"]
    # Not the inspector before the house stands behind it, not the house in his place, and no letter.
    refused_answer(insiders.inspector.post(f"approvals/{proposal}/approve"), "needs-second-person")
    assert insiders.other_manager.post(f"approvals/{proposal}/approve").status_code == 200
    for caller in (insiders.manager, insiders.other_manager, insiders.supervisor):
        refused_answer(caller.post(f"approvals/{proposal}/approve"), "needs-inspector", "own-proposal")
    refused_answer(insiders.manager.post(f"approvals/{proposal}/letter", letter()), "in-person")
    assert (Promotion.objects.get().status, Draw.objects.get().numbers) == ("drawn", numbers)
    assert not Act.objects.filter(kind="draw.void").exists()


def test_with_the_inspector_everybody_sees_what_was_refused() -> None:
    insiders, numbers = drawn()
    proposal = insiders.manager.post("promotions/SPRING/integrity/void", WHY).json()["proposal"]
    insiders.other_manager.post(f"approvals/{proposal}/approve")
    assert insiders.inspector.post(f"approvals/{proposal}/approve").json()["status"] == "effective"
    assert Act.objects.get(kind="draw.void").data["numbers"] == numbers
    insiders.manager.post("promotions/SPRING/integrity/resume", {"why": "Again."})
    insiders.supervisor.post("promotions/SPRING/draw")
    made = published()
    assert made["void"][0]["proof"]["numbers"] == numbers
    assert holds(verify.check(made))
    made["void"] = []  # forgotten
    assert not holds(verify.check(made))
