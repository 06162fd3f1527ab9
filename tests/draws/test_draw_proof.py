"""The published proof of a draw between two parties: an honest one holds, and nothing of it can be another."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chance import draw_proof, proof, two_party
from chance.two_party import How, Promise, Said
from kernel import unique_signatures
from kernel.merkle import nodes_of, root_of
from kernel.packing import pack, unpack
from kernel.questions import Question
from tests.world.witness import folder_with_keys
from witness.keys import Keys

MASTER = bytes(range(32))
ENTRIES = [f"ticket {number}" for number in range(5)]
LEAVES = [proof.entry_leaf(entry) for entry in ENTRIES]
THROWS = "165423" * 10
ROUND = two_party.beacon_round(1000, bytes([9] * 48))


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    return Keys.load(folder_with_keys(tmp_path_factory.mktemp("proof") / "witness"))


def made(keys: Keys, *, how: How = How.WITNESS, beacon: str = "", attempt: int = 1, count: int = 20) -> dict[str, Any]:
    question = Question(
        venue="DEMO", purpose="keno", occasion="1042", attempt=attempt, root=root_of(LEAVES), count=5, act_index=17,
        origin="meterhouse.log/d87712cad57dd482ad76e4b88c997289", size=40, checkpoint_root=bytes([8] * 32),
    )  # fmt: skip
    rsa = keys.rsa_public
    said = {How.WITNESS: keys.answer(question.message()), How.DICE: two_party.dice(THROWS), How.BEACON: ROUND}[how]
    promise = Promise(
        venue="DEMO", purpose="keno", name="1042", device="rng", beacon=beacon,
        witness_key=unique_signatures.fingerprint(rsa),
    )  # fmt: skip
    return draw_proof.make(
        promise=promise,
        commitment=two_party.commitment(MASTER, promise),
        master=MASTER,
        said=Said(question=question, how=how, said=said, beacon=ROUND if beacon else b""),
        witness="witness.example/tests",
        rsa=rsa,
        pool=80,
        count=count,
    )


def failed(steps: list[proof.Step]) -> list[str]:
    assert all(step.words for step in steps)
    return [step.name for step in steps if not step.ok]


def test_an_honest_proof_holds_step_by_step(keys: Keys) -> None:
    honest = json.loads(json.dumps(made(keys)))
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


def test_against_what_the_reader_noted(keys: Keys) -> None:
    honest = made(keys)
    assert failed(draw_proof.check(honest, published_commitment="0" * 64)) == ["published commitment"]
    assert failed(draw_proof.check(honest, published_root="no root")) == ["published ticket root"]
    assert failed(draw_proof.check(honest, witness_key="0" * 64)) == ["witness's key"]
    assert failed(draw_proof.check(honest, witness_key="-----BEGIN nothing")) == ["witness's key"]


@pytest.mark.parametrize(("how", "tells"), [(How.DICE, THROWS), (How.BEACON, "round 1000")])
def test_an_unwitnessed_attempt_says_so(keys: Keys, how: How, tells: str) -> None:
    steps = draw_proof.check(made(keys, how=how))
    [unwitnessed] = [step for step in steps if step.name == draw_proof.UNWITNESSED]
    assert draw_proof.holds(steps)
    assert not draw_proof.is_witnessed(steps)
    assert unwitnessed.words.startswith("No witness took part")
    assert tells in unwitnessed.words


def test_a_beacons_round_takes_part_where_it_was_promised(keys: Keys) -> None:
    with_beacon = made(keys, beacon="drand-quicknet+30")
    steps = draw_proof.check(with_beacon)
    assert draw_proof.is_witnessed(steps)
    assert "round 1000" in next(step for step in steps if step.name == "beacon").words
    assert with_beacon["numbers"] != made(keys)["numbers"]
    assert failed(draw_proof.check({**with_beacon, "beacon_round": None})) == ["form"]
    assert failed(draw_proof.check({**made(keys), "beacon_round": with_beacon["beacon_round"]})) == ["form"]
    for name, other in (("round", 1001), ("signature", "00" * 48)):
        forged = {**with_beacon, "beacon_round": {**with_beacon["beacon_round"], name: other}}
        assert failed(draw_proof.check(forged)) == ["numbers"]


def other_key() -> str:
    """Nobody's key, of the right form."""
    head, tail = unique_signatures._HEAD, unique_signatures._TAIL
    return unique_signatures.to_pem(head + b"\xff" * unique_signatures.SIZE + tail)


FORGERIES: dict[str, tuple[Callable[[dict[str, Any]], None], list[str]]] = {
    "version": (lambda it: it.update(version=1), ["form"]),
    "version as a text": (lambda it: it.update(version="2"), ["form"]),
    "algorithm": (lambda it: it.update(algorithm="meterhouse/draw/1"), ["form"]),
    "venue": (lambda it: it.update(venue="OTHER"), ["commitment", "question"]),
    "purpose": (lambda it: it.update(purpose="promotion"), ["commitment", "question"]),
    "occasion": (lambda it: it.update(occasion="1043"), ["commitment", "question"]),
    "attempt": (lambda it: it.update(attempt=2), ["question"]),
    "device": (lambda it: it.update(device="another"), ["commitment"]),
    "beacon": (lambda it: it.update(beacon="drand-quicknet+30", beacon_round={"round": 1, "signature": "00"}),
               ["commitment", "numbers"]),
    "commitment": (lambda it: it.update(commitment="0" * 64), ["commitment"]),
    "master": (lambda it: it.update(master="0" * 64), ["commitment", "numbers"]),
    "witness's key": (lambda it: it["witness"].update(rsa=other_key()), ["commitment", "witness"]),
    "witness's key cut off": (lambda it: it["witness"].update(rsa=other_key()[:-30]), ["form"]),
    "how": (lambda it: it.update(how="dice"), ["unwitnessed", "numbers"]),
    "how, by a round": (lambda it: it.update(how="beacon"), ["unwitnessed", "numbers"]),
    "how, by nothing known": (lambda it: it.update(how="tea leaves"), ["form"]),
    "said": (lambda it: it.update(said="00" * 384), ["witness", "numbers"]),
    "dice of the forger": (lambda it: it.update(how="dice", said=two_party.dice("1" * 50).hex()), ["numbers"]),
    "few dice": (lambda it: it.update(how="dice", said=pack(two_party.DICE_TAG, "1").hex()),
                 ["unwitnessed", "numbers"]),
    "ticket root": (lambda it: it.update(ticket_root="0" * 64), ["question"]),
    "ticket count": (lambda it: it.update(ticket_count=4), ["question"]),
    "pool": (lambda it: it.update(pool=200), ["numbers"]),
    "a number": (lambda it: it["numbers"].reverse(), ["numbers"]),
    "a number twice": (lambda it: it["numbers"].append(it["numbers"][0]), ["form"]),
    "no numbers": (lambda it: it["numbers"].clear(), ["form"]),
    **{
        f"the question's {name}": (
            lambda it, name=name, other=other: it["question"].update({name: other}),  # type: ignore[misc]
            steps,
        )
        for name, other, steps in (
            ("venue", "OTHER", ["question", "witness", "numbers"]),
            ("purpose", "promotion", ["question", "witness", "numbers"]),
            ("occasion", "1043", ["question", "witness", "numbers"]),
            ("attempt", 2, ["question", "witness", "numbers"]),
            ("root", "0" * 64, ["question", "witness", "numbers"]),
            ("count", 4, ["question", "witness", "numbers"]),
            ("act_index", 16, ["witness", "numbers"]),
            ("origin", "meterhouse.log/other", ["witness", "numbers"]),
            ("size", 41, ["witness", "numbers"]),
            ("checkpoint_root", "0" * 64, ["witness", "numbers"]),
            ("act_index", 40, ["form"]),
            ("origin", None, ["form"]),
        )
    },
}  # fmt: skip


@pytest.mark.parametrize("forgery", FORGERIES)
def test_no_field_can_be_another(keys: Keys, forgery: str) -> None:
    alter, steps = FORGERIES[forgery]
    forged = deepcopy(made(keys))
    alter(forged)
    assert failed(draw_proof.check(forged)) == steps


def test_both_roots_altered_alike_fail_at_the_signature(keys: Keys) -> None:
    """He who has the master and seals other tickets has no signature for them."""
    forged = deepcopy(made(keys))
    forged["ticket_root"] = forged["question"]["root"] = "ab" * 32
    assert failed(draw_proof.check(forged)) == ["witness", "numbers"]


@pytest.mark.parametrize("field", sorted(["question", "witness", "how", "said", "beacon_round", "device", "numbers"]))
def test_a_part_left_out_or_of_another_kind_cannot_be_read(keys: Keys, field: str) -> None:
    honest = made(keys)
    for other in (7, [], {}, "x", True, 1.5, "\ud800", [[1]], {"name": 1}):
        assert "form" in failed(draw_proof.check({**honest, field: other})) or (field, other) == ("device", "x")
    if field != "beacon_round":
        assert failed(draw_proof.check({name: honest[name] for name in honest if name != field})) == ["form"]


@settings(max_examples=200)
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


def test_an_entry_was_in_the_set(keys: Keys) -> None:
    honest = made(keys)
    entry = proof.make_entry(entry=ENTRIES[3], index=3, ticket_count=5, node=nodes_of(LEAVES))
    assert draw_proof.holds(draw_proof.check_entry(entry, honest))
    assert failed(draw_proof.check_entry({**entry, "entry": "ticket 9"}, honest)) == ["entry"]


def test_a_proof_is_made_only_of_what_belongs_together(keys: Keys) -> None:
    honest = made(keys)
    rsa = unique_signatures.from_pem(honest["witness"]["rsa"])
    question = Question.from_json(honest["question"])
    promise = Promise(
        venue="DEMO", purpose="keno", name="1042", device="rng", witness_key=unique_signatures.fingerprint(rsa)
    )
    right: dict[str, Any] = {
        "promise": promise, "commitment": bytes.fromhex(honest["commitment"]), "master": MASTER,
        "said": Said(question=question, how=How.WITNESS, said=bytes.fromhex(honest["said"])),
        "witness": "witness.example/tests", "rsa": rsa, "pool": 80, "count": 20,
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
