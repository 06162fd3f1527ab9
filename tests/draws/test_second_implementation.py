"""The vectors, and a draw made through the verbs, by a second implementation written from docs/proof/draws.md only."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from chance import draw_proof
from draws import ask, commit
from draws.models import Commitment
from draws.proof import proof_of
from draws.replace import throw_dice
from kernel.environment import ROOT
from tests.draws.conftest import BY
from tests.world import second_escrow
from tests.world import second_implementation as second
from tests.world.demo import demo_actor
from tests.world.second_party import AtHand

VECTORS: dict[str, Any] = json.loads((ROOT / "docs/proof/draws.json").read_text())
DRAWS, FORGED = VECTORS["draws"], VECTORS["forged"]


def test_it_takes_nothing_of_ours() -> None:
    """Standard library only: whoever follows the page needs no more."""
    import sys

    own = {second.__name__}
    for module in (second, second_escrow):
        tree = ast.parse(Path(str(module.__file__)).read_text())
        taken = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        taken |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert {name.split(".")[0] for name in taken - own} <= sys.stdlib_module_names


@pytest.mark.parametrize("draw", DRAWS, ids=[each["what"] for each in DRAWS])
def test_it_finds_every_published_draw_right(draw: dict[str, Any]) -> None:
    proof, working = draw["proof"], draw["working"]
    assert second.failures(proof) == []
    read = second.read_proof(proof)
    assert second.message_of(read["question"]).hex() == working["message"]
    assert second.sha(bytes.fromhex(working["commitment_of"])) == second.commitment_of(read)
    come = second.stream(*(bytes.fromhex(working[name]) for name in ("attempt_seed", "nonce", "personalisation")))
    assert bytes(next(come) for _ in range(128)).hex() == working["stream"]
    assert second.is_in_set(draw["entry"], proof)
    assert not second.is_in_set({**draw["entry"], "index": 2}, proof)


@pytest.mark.parametrize("forged", FORGED, ids=[each["what"] for each in FORGED])
def test_it_refuses_every_forgery_at_the_same_step(forged: dict[str, Any]) -> None:
    assert second.failures(forged["proof"]) == forged["fails"]


def test_it_means_the_same_rounds() -> None:
    assert [second.round_meant(each["rule"], each["at"]) for each in VECTORS["rounds"]] == [
        each["round"] for each in VECTORS["rounds"]
    ]


def test_it_opens_the_escrow() -> None:
    escrow = VECTORS["escrow"]
    private, act = bytes.fromhex(escrow["private"]), escrow["act"]
    assert second_escrow.master_of(private, act).hex() == escrow["master"]
    for other in ({"name": "1043"}, {"device": "balls"}, {"escrow": act["escrow"][:-2] + "00"}):
        with pytest.raises(second_escrow.Closed):
            second_escrow.master_of(private, act | other)
    with pytest.raises(second_escrow.Closed):
        second_escrow.master_of(bytes(32), act)


@pytest.mark.django_db
def test_it_finds_a_draw_right_that_was_made_through_the_verbs(promised: Commitment, second_party: AtHand) -> None:
    ask.seal_set(promised, occasion="1042", root=bytes([7] * 32), count=14, by=BY)
    said = ask.ask(promised, occasion="1042", attempt=1, by=BY)
    assert said is not None
    first = ask.numbers(promised, said, pool=80, count=20)
    ask.void_attempt(promised, occasion="1042", attempt=1, cause="malfunction", numbers=first, by=BY)
    second_party.away = True
    ask.ask(promised, occasion="1042", attempt=2, by=BY)
    throw_dice(promised, occasion="1042", attempt=2, dice="123456" * 10, why="Away.", by=demo_actor("inspector"))
    replaced = ask.said_to(promised, occasion="1042", attempt=2)
    assert replaced is not None
    drawn = {1: first, 2: ask.numbers(promised, replaced, pool=80, count=20)}
    assert proof_of(promised, occasion="1042", attempt=2, pool=80, numbers=drawn[2]) is None  # not revealed
    commit.reveal(promised, by=BY)
    for attempt, how in ((1, "witness"), (2, "dice")):
        proof = json.loads(
            json.dumps(proof_of(promised, occasion="1042", attempt=attempt, pool=80, numbers=drawn[attempt]))
        )
        assert (second.failures(proof), proof["how"]) == ([], how)
        steps = draw_proof.check(proof, published_commitment=bytes(promised.commitment).hex())
        assert draw_proof.is_witnessed(steps) == (how == "witness")
        assert second.failures({**proof, "attempt": 3 - attempt}) == ["question"]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_openssl_checks_the_witness_in_one_line(tmp_path: Path) -> None:
    """The line is the page's."""
    page = (ROOT / "docs/proof/draws.md").read_text()
    [line] = [line for line in page.splitlines() if line.startswith("openssl ")]
    first, second_attempt = DRAWS[0], DRAWS[1]
    (tmp_path / "witness.pem").write_text(first["proof"]["witness"]["rsa"])
    (tmp_path / "message").write_bytes(bytes.fromhex(first["working"]["message"]))
    for said, right in ((first["proof"]["said"], True), (second_attempt["proof"]["said"], False)):
        (tmp_path / "said").write_bytes(bytes.fromhex(said))
        ran = subprocess.run(line.split(), cwd=tmp_path, capture_output=True, text=True, check=False, timeout=30)
        assert (ran.returncode == 0, "Verified OK" in ran.stdout) == (right, right)
