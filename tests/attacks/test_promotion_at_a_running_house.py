"""Everything that an insider tries at a promotion's draw, over HTTP, at a running house with its witness and sealer.

One draw, from a postponement before it to a void after it: what each trick is, what stops it and what would not be
stopped is told in the `test_promotion_*.py` beside this. Here it is that the way in does not matter: no call of the
running copy moves a cent or writes an act of the draw, and the witness, which is another process's memory, was asked
once.
"""

from __future__ import annotations

from typing import Any

import pytest

from ledger.models import Act
from promotions.models import Draw, Entry, EntryList, Promotion, Win
from tests.attacks.insider import Caller, House
from tests.attacks.promotions import due
from tests.world.promotion_draws import failed, oracle_faults, promised, published
from tests.world.witness import RunningWitness

WHY = {"why": "It does not please."}
THROWS = {"dice": "351662413562" * 5, "why": "It does not please."}
SPRING = "promotions/SPRING"


def test_no_call_of_the_running_house_helps(house: House, witness: RunningWitness) -> None:
    due()
    noted = promised()
    supervisor, manager = house.insider("supervisor"), house.insider("manager")
    _no_other_promise(house, manager)
    witness.away()
    assert supervisor.post(f"{SPRING}/draw").ok()["status"] == "drawing"
    _nothing_changes_while_it_waits(house, manager, supervisor)
    witness.back()
    drawn = supervisor.post(f"{SPRING}/draw").ok()
    assert (drawn["status"], witness.memory.state.number) == ("drawn", 1)
    _nobody_alone_undoes_it(house, manager, supervisor)
    assert Draw.objects.get().numbers == drawn["numbers"]
    assert (EntryList.objects.count(), witness.memory.state.number) == (1, 1)
    assert (failed(published(), noted), oracle_faults(published(), noted)) == ([], [])


def _no_other_promise(house: House, manager: Caller) -> None:
    manager.post(f"{SPRING}/integrity/postpone", WHY).ok()
    with house.unchanged():
        assert manager.post(f"{SPRING}/integrity/resume", {**WHY, "new_seed": True}).refused("promise-stands")
        assert manager.post(f"{SPRING}/draw").refused()
    manager.post(f"{SPRING}/integrity/resume", WHY).ok()
    assert Act.objects.filter(kind="draw.promised", data__purpose="promotion").count() == 1


def _nothing_changes_while_it_waits(house: House, manager: Caller, supervisor: Caller) -> None:
    first = Entry.objects.order_by("id")[0]
    tries: list[tuple[str, Any]] = [
        ("entries", {"card": "C-A", "reference": "one more"}),
        (f"entries/{first.pk}/withdraw", {"why": "Not eligible."}),
        ("amend", {"terms": {"nature": "Other."}, "why": "Better."}),
        ("close", {}),
        ("seal", {}),
        ("integrity/resume", {**WHY, "reseal": True}),
        ("integrity/postpone", WHY),
        ("integrity/cancel", WHY),
        ("draw/dice", THROWS),  # the inspector's, and nobody else's
    ]
    with house.unchanged():
        for path, body in tries:
            for by in (manager, supervisor, house.stranger()):
                assert by.post(f"{SPRING}/{path}", body).refused(), path
        assert Promotion.objects.get(code="SPRING").status == "drawing"


def _nobody_alone_undoes_it(house: House, manager: Caller, supervisor: Caller) -> None:
    (win,) = Win.objects.all()
    inspector = house.insider("inspector")
    with house.unchanged(but={"approval.proposed", "approval.seconded"}):
        for path, body in (
            ("seal", {}),
            ("integrity/resume", {**WHY, "reseal": True}),
            ("integrity/postpone", WHY),
            ("integrity/cancel", WHY),
            ("draw/dice", THROWS),
        ):
            assert manager.post(f"{SPRING}/{path}", body).refused(), path
        assert inspector.post(f"{SPRING}/draw/dice", THROWS).refused()  # it has answered
        proposal = manager.post(f"{SPRING}/integrity/void", WHY).ok(202)["proposal"]
        assert manager.post(f"approvals/{proposal}/approve").refused("own-proposal")
        supervisor.post(f"approvals/{proposal}/approve").ok()  # he stands behind it, and decides nothing
        for by in (manager, supervisor):
            assert by.post(f"approvals/{proposal}/approve").refused()
    # Somebody else should have won: one person notes it, and that is all that comes of it.
    before = house.money()
    manager.post(f"promotions/winners/{win.pk}/ineligible", {"why": "His cousin."})
    for path in ("ineligible", "loss/second", "loss/sign"):
        assert manager.post(f"promotions/winners/{win.pk}/{path}", {"why": "His cousin."}).refused(), path
    win.refresh_from_db()
    assert (win.status, house.money()) == ("drawn", before)


@pytest.mark.parametrize("role", ["writer", "table", "signage"])
def test_whoever_has_nothing_to_do_with_it_gets_nowhere(house: House, role: str) -> None:
    due()
    other = house.insider(role)
    with house.unchanged():
        for path in ("draw", "seal", "draw/dice", "integrity/void", "integrity/postpone", "entries"):
            assert other.post(f"{SPRING}/{path}", {}).refused(), path
    assert Promotion.objects.get(code="SPRING").status == "sealed"
