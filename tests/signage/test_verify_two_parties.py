"""/verify/ of a draw between two parties: what was promised, asked, answered and drawn, from the sealed log."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from chance import draw_proof
from draws.ask import ask, numbers, seal_set, void_attempt
from draws.commit import commit, reveal
from draws.models import Commitment
from draws.replace import throw_dice
from house import demo
from kernel.actors import Actor
from kernel.merkle import leaf_hash, root_of
from ledger.cosign import cosign_now
from ledger.models import Act
from ledger.seal import seal_now
from signage.proofs import game_proof
from tests.signage import acts
from tests.world.approvals import INSPECTOR
from tests.world.browser import Screen
from tests.world.owner import unguarded
from tests.world.witness import RunningWitness

pytestmark = pytest.mark.django_db(transaction=True)
GAME = 48213
LEAVES = [leaf_hash(bytes([each])) for each in range(5)]
SUE = Actor("staff:sue", "Sue")


@pytest.fixture
def promised(witness: RunningWitness, settings: Any) -> Commitment:
    """A game whose promise the witness has seen, its tickets sealed."""
    settings.DEMO = True
    demo.build_demo()
    commitment = commit(purpose="keno", name=str(GAME), device="rng", by=SUE)
    acts.record(
        "keno.opened", f"keno-game:{GAME}", game=GAME, device="rng", commitment=bytes(commitment.commitment).hex()
    )
    seal_now()
    assert cosign_now()
    seal_set(commitment, occasion=str(GAME), root=root_of(LEAVES), count=len(LEAVES), by=SUE)
    return commitment


def draw(commitment: Commitment, attempt: int = 1) -> list[int]:
    said = ask(commitment, occasion=str(GAME), attempt=attempt, by=SUE)
    assert said is not None
    return numbers(commitment, said, pool=80, count=20)


def settle(commitment: Commitment, drawn: list[int], attempt: int = 1) -> None:
    parts: dict[str, Any] = {"attempt": attempt, "numbers": drawn}
    parts |= {"ticket_root": root_of(LEAVES).hex(), "ticket_count": len(LEAVES)}
    acts.record("keno.drawn", f"keno-game:{GAME}", game=GAME, **parts)
    reveal(commitment, by=SUE)
    parts |= {"device": "rng", "commitment": None, "seed": None, "totals": {"majors": {}, "jackpots": {}}}
    acts.record("keno.settled", f"keno-game:{GAME}", game=GAME, **parts)


def void(commitment: Commitment, attempt: int, given: list[int]) -> None:
    void_attempt(
        commitment, occasion=str(GAME), attempt=attempt, cause="power cut", numbers=given, by=SUE
    )  # the room asks two people and the inspector first
    about = f"keno-game:{GAME}"
    acts.record("keno.voided", about, game=GAME, attempt=attempt, numbers=[], device="rng", commitment=None, seed=None)


def test_what_is_published_is_a_proof(promised: Commitment) -> None:
    before = game_proof(GAME)
    assert (before["proof"], before["attempts"]) == (None, [])
    drawn = draw(promised)
    assert [each["waits"] for each in game_proof(GAME)["attempts"]] == [False]
    settle(promised, drawn)
    told = game_proof(GAME)
    noted = {"published_commitment": told["promised"]["commitment"], "published_root": told["sealed"]["ticket_root"]}
    steps = draw_proof.check(told["proof"], **noted)
    assert draw_proof.is_witnessed(steps), steps
    assert told["proof"]["numbers"] == drawn
    json.dumps(told)


def test_a_void_attempt_is_told_with_what_it_would_have_given(promised: Commitment) -> None:
    given = draw(promised)
    void(promised, 1, given)
    drawn = draw(promised, attempt=2)
    settle(promised, drawn, attempt=2)
    told = game_proof(GAME)
    first, second = told["attempts"]
    assert first["void"] == {"cause": "power cut", "numbers": given}
    assert second["void"] is None
    assert [draw_proof.is_witnessed(draw_proof.check(each["proof"])) for each in (first, second)] == [True, True]
    assert told["proof"] == second["proof"]


def test_a_wait_and_dice_are_told(promised: Commitment, witness: RunningWitness) -> None:
    witness.away()
    assert ask(promised, occasion=str(GAME), attempt=1, by=SUE) is None
    assert game_proof(GAME)["attempts"][0]["waits"]
    throw_dice(promised, occasion=str(GAME), attempt=1, dice="351264" * 9, why="The line is down.", by=INSPECTOR)
    drawn = draw(promised)
    settle(promised, drawn)
    (told,) = game_proof(GAME)["attempts"]
    assert told["unwitnessed"] == {"how": "dice", "why": "The line is down."}
    steps = draw_proof.check(told["proof"])
    assert draw_proof.holds(steps)
    assert not draw_proof.is_witnessed(steps)


def test_a_record_that_does_not_fit_is_published_as_it_is(promised: Commitment) -> None:
    settle(promised, draw(promised))
    with unguarded("ledger_act") as cursor:
        cursor.execute(
            "UPDATE ledger_act SET data = jsonb_set(data, '{master}', to_jsonb(%s::text)) WHERE kind = 'draw.revealed'",
            ["ab" * 32],
        )
    assert Act.objects.filter(kind="draw.revealed").count() == 1
    failed = [step.name for step in draw_proof.check(game_proof(GAME)["proof"]) if not step.ok]
    assert failed == ["commitment", "numbers"]


def test_a_player_checks_it_in_his_browser(promised: Commitment, screen: Callable[..., Screen]) -> None:
    given = draw(promised)
    void(promised, 1, given)
    settle(promised, draw(promised, attempt=2), attempt=2)
    somebody = screen(f"/verify/?game={GAME}")
    page = somebody.page
    page.locator("#result[data-verdict=good]").wait_for()
    steps = page.locator(".steps > li").evaluate_all("items => items.map((item) => item.dataset.step)")
    assert steps == [
        "form", "published commitment", "published ticket root", "commitment", "question", "witness", "numbers", "void",
    ]  # fmt: skip
    first = page.locator("#result > p.first").all_inner_texts()
    would = ", ".join(map(str, given))
    assert first == [f"Attempt 1 was declared void: power cut. These numbers would have come: {would}."]
    somebody.picture("signage-verify-two-parties", full=True)
