"""The published proof of a draw between two parties: an honest one holds, and nothing of it can be another."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chance import beacon, draw_proof, proof, two_party
from chance.two_party import How, Promise, Said
from kernel import unique_signatures
from kernel.environment import ROOT
from kernel.merkle import nodes_of
from kernel.packing import pack, unpack
from kernel.questions import Question
from tests.draws.vectors import ENTRIES, LEAVES, THROWS, draw, other_key, vectors

VECTORS: dict[str, Any] = json.loads((ROOT / "docs/proof/draws.json").read_text())


def failed(steps: list[proof.Step]) -> list[str]:
    assert all(step.words for step in steps)
    return [step.name for step in steps if not step.ok]


def test_the_published_vectors_are_what_the_code_computes() -> None:
    again = "run: python -m tests.draws.vectors > docs/proof/draws.json"
    assert json.loads(json.dumps(vectors())) == VECTORS, again
    for each in VECTORS["draws"]:
        assert draw_proof.holds(draw_proof.check(each["proof"]))
        assert draw_proof.holds(draw_proof.check_entry(each["entry"], each["proof"]))


def test_an_honest_proof_holds_step_by_step() -> None:
    honest = json.loads(json.dumps(draw()))
    steps = draw_proof.check(
        honest,
        published_commitment=honest["commitment"].upper(),
        published_root=honest["ticket_root"],
        witness_key=honest["witness"]["rsa"],
    )
    assert [step.name for step in steps] == [
        "form", "published commitment", "published ticket root", "witness's key", "commitment", "question", "witness",
        "numbers",
    ]  # fmt: skip
    assert draw_proof.is_witnessed(steps)
    assert len(steps[-1].details) == 20
    fingerprint = unique_signatures.fingerprint(unique_signatures.from_pem(honest["witness"]["rsa"])).hex()
    assert draw_proof.holds(draw_proof.check(honest, witness_key=fingerprint))


def test_against_what_the_reader_noted() -> None:
    honest = draw()
    assert failed(draw_proof.check(honest, published_commitment="0" * 64)) == ["published commitment"]
    assert failed(draw_proof.check(honest, published_root="no root")) == ["published ticket root"]
    assert failed(draw_proof.check(honest, witness_key="0" * 64)) == ["witness's key"]
    assert failed(draw_proof.check(honest, witness_key="-----BEGIN nothing")) == ["witness's key"]


@pytest.mark.parametrize(("how", "tells"), [(How.DICE, THROWS), (How.BEACON, "Round 657413")])
def test_an_unwitnessed_attempt_says_so(how: How, tells: str) -> None:
    steps = draw_proof.check(draw(how=how))
    [unwitnessed] = [step for step in steps if step.name == draw_proof.UNWITNESSED]
    assert draw_proof.holds(steps)
    assert not draw_proof.is_witnessed(steps)
    assert unwitnessed.words.startswith("No witness took part")
    assert tells in unwitnessed.words


def test_a_beacons_round_takes_part_where_it_was_promised() -> None:
    with_beacon = draw(with_beacon=True)
    steps = draw_proof.check(with_beacon)
    assert draw_proof.is_witnessed(steps)
    assert "the round is number 1000" in next(step for step in steps if step.name == "beacon").words
    assert with_beacon["numbers"] != draw()["numbers"]
    assert failed(draw_proof.check({**with_beacon, "beacon_round": None})) == ["form"]
    assert failed(draw_proof.check({**draw(), "beacon_round": with_beacon["beacon_round"]})) == ["form"]
    signed = {**with_beacon, "beacon_round": {**with_beacon["beacon_round"], "signature": "00" * 48}}
    assert failed(draw_proof.check(signed)) == (["beacon", "numbers"] if beacon.can_check() else ["numbers"])


@pytest.mark.parametrize("forged", VECTORS["forged"], ids=[each["what"] for each in VECTORS["forged"]])
def test_no_field_can_be_another(forged: dict[str, Any]) -> None:
    assert failed(draw_proof.check(forged["proof"])) == forged["fails"]


@pytest.mark.parametrize("field", sorted(["question", "witness", "how", "said", "beacon_round", "device", "numbers"]))
def test_a_part_left_out_or_of_another_kind_cannot_be_read(field: str) -> None:
    honest = draw()
    for other in (7, [], {}, "x", True, 1.5, "\ud800", [[1]], {"name": 1}):
        assert "form" in failed(draw_proof.check({**honest, field: other})) or (field, other) == ("device", "x")
    if field != "beacon_round":
        assert failed(draw_proof.check({name: honest[name] for name in honest if name != field})) == ["form"]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
        max_leaves=8,
    )
)
def test_a_check_never_raises_on_what_a_stranger_hands_in(said: object) -> None:
    assert failed(draw_proof.check(said)) == ["form"]
    assert failed(draw_proof.check_entry({}, said)) == ["form"]
    assert failed(draw_proof.check({"version": 2, "algorithm": two_party.ALGORITHM, "witness": said})) == ["form"]


def test_an_entry_was_in_the_set() -> None:
    honest = draw()
    entry = proof.make_entry(entry=ENTRIES[3], index=3, ticket_count=5, node=nodes_of(LEAVES))
    assert draw_proof.holds(draw_proof.check_entry(entry, honest))
    assert failed(draw_proof.check_entry({**entry, "entry": "another"}, honest)) == ["entry"]


def test_a_proof_is_made_only_of_what_belongs_together() -> None:
    honest = draw()
    rsa = unique_signatures.from_pem(honest["witness"]["rsa"])
    question = Question.from_json(honest["question"])
    promise = Promise(
        venue="DEMO", purpose="keno", name="1042", device="rng", witness_key=unique_signatures.fingerprint(rsa)
    )
    right: dict[str, Any] = {
        "promise": promise, "commitment": bytes.fromhex(honest["commitment"]),
        "master": bytes.fromhex(honest["master"]),
        "said": Said(question=question, how=How.WITNESS, said=bytes.fromhex(honest["said"])),
        "witness": honest["witness"]["name"], "rsa": rsa, "pool": 80, "count": 20,
    }  # fmt: skip
    assert draw_proof.make(**right) == honest
    for wrong in (
        {"master": bytes(32)},
        {"commitment": bytes(32)},
        {"rsa": unique_signatures.from_pem(other_key())},
    ):
        with pytest.raises(ValueError, match="promise"):
            draw_proof.make(**{**right, **wrong})


@given(st.lists(st.binary(max_size=20), max_size=5))
def test_what_is_packed_is_unpacked(fields: list[bytes]) -> None:
    packed = pack("tag", *fields)
    assert unpack(packed) == [b"tag", *fields]
    with pytest.raises(ValueError, match="ends before"):
        unpack(packed[:-1])
