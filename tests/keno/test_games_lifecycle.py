"""The one table of a game's life, step by step."""

from __future__ import annotations

import pytest

from keno.steps import CHANGES, OVER, TRANSITIONS, Status, Step, after
from kernel.refusal import Conflict

# Written from the rules and the API, not from the table: what each status allows.
ALLOWED = {
    "scheduled": {"opened": "open"},
    "open": {"closed": "closed", "invalidated": "invalidated"},
    "closed": {"sealed": "sealed", "declared void": "closed", "invalidated": "invalidated"},
    "sealed": {"drawn": "drawing", "declared void": "sealed", "invalidated": "invalidated"},
    "drawing": {"finished": "drawn", "declared void": "sealed", "invalidated": "invalidated"},
    "drawn": {"settled": "settled", "declared void": "sealed", "invalidated": "invalidated"},
    "settled": {},
    "invalidated": {},
}


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("step", Step)
@pytest.mark.clause("act-keno:7.2")
def test_every_step_from_every_status(status: Status, step: Step) -> None:
    if step in ALLOWED[status]:
        assert after(status, step, game=7) == ALLOWED[status][step]
        return
    with pytest.raises(Conflict) as refused:
        after(status, step, game=7)
    assert refused.value.code == f"game-{status}"
    assert refused.value.detail == f"Game 7 is {status}: it cannot be {step} now."


def test_the_table_is_what_the_trigger_is_made_from() -> None:
    assert set(CHANGES) == {(old, new) for (old, _), new in TRANSITIONS.items() if old != new}
    assert {old for old, _ in CHANGES}.isdisjoint(OVER)
