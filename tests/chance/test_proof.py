"""The published proof: the vectors, a stranger's own implementation from docs/proof/README.md, and forgeries."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chance import proof
from chance.commitment import Occasion
from chance.vectors import vectors
from kernel.merkle import nodes_of, root_of

PUBLISHED = Path(__file__).parents[2] / "docs" / "proof" / "vectors.json"
VECTORS = json.loads(PUBLISHED.read_text())
DRAWS = VECTORS["draws"]
HONEST = DRAWS[1]["proof"]


def test_the_published_vectors_are_what_the_code_computes() -> None:
    assert vectors() == VECTORS, "run: python -m chance.vectors > docs/proof/vectors.json"


# --- a stranger's implementation, from the document alone -------------------------------------------------------------
def packed(*fields: str | int | bytes) -> bytes:
    out = b""
    for part in fields:
        raw = part.encode() if isinstance(part, str) else part.to_bytes(8, "big") if isinstance(part, int) else part
        out += len(raw).to_bytes(4, "big") + raw
    return out


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def blocks(entropy: bytes, nonce: bytes, personalisation: bytes) -> Iterator[bytes]:
    key, v = bytes(32), b"\x01" * 32
    for mark in (b"\x00", b"\x01"):
        key = mac(key, v + mark + entropy + nonce + personalisation)
        v = mac(key, v)
    while True:
        first = mac(key, v)
        v = mac(key, first)
        yield first + v
        key = mac(key, v + b"\x00")
        v = mac(key, v)


def strangers_numbers(published: dict[str, Any]) -> list[int]:
    name = (published["purpose"], published["game"], published["attempt"])
    nonce = hashlib.sha256(packed("meterhouse/nonce/1", *name)).digest()[:16]
    root = bytes.fromhex(published["ticket_root"])
    bound = packed("meterhouse/draw/1", *name, root, published["ticket_count"])
    stream = (byte for block in blocks(bytes.fromhex(published["seed"]), nonce, bound) for byte in block)
    balls, drawn = list(range(1, published["pool"] + 1)), []
    for place in range(len(published["numbers"])):
        left = len(balls) - place
        bits = len(f"{left - 1:b}") if left > 1 else 0
        while True:
            value = 0
            for _ in range((bits + 7) // 8):
                value = value * 256 + next(stream)
            value %= 2**bits
            if value < left:
                break
        other = place + value
        balls[place], balls[other] = balls[other], balls[place]
        drawn.append(balls[place])
    return drawn


def strangers_root(entries: list[str]) -> str:
    def tree(leaves: list[bytes]) -> bytes:
        if len(leaves) == 1:
            return leaves[0]
        cut = 1 << ((len(leaves) - 1).bit_length() - 1)
        return hashlib.sha256(b"\x01" + tree(leaves[:cut]) + tree(leaves[cut:])).digest()

    leaves = [hashlib.sha256(b"\x00" + entry.encode()).digest() for entry in entries]
    return (tree(leaves) if leaves else hashlib.sha256().digest()).hex()


@pytest.mark.parametrize("draw", DRAWS, ids=[f"{d['proof']['game']}-{d['proof']['attempt']}" for d in DRAWS])
def test_a_stranger_computes_the_same(draw: dict[str, Any]) -> None:
    published = draw["proof"]
    name = (published["purpose"], published["game"], published["attempt"])
    seed = bytes.fromhex(published["seed"])
    committed = hashlib.sha256(packed("meterhouse/commitment/1", *name, seed)).hexdigest()
    assert committed == published["commitment"]
    assert strangers_numbers(published) == published["numbers"]


def test_a_stranger_computes_the_same_trees_and_blocks() -> None:
    assert [strangers_root(tree["entries"]) for tree in VECTORS["trees"]] == [t["root"] for t in VECTORS["trees"]]
    given_ = VECTORS["generator"]
    made = blocks(*(bytes.fromhex(given_[part]) for part in ("entropy", "nonce", "personalisation")))
    assert [next(made).hex() for _ in range(3)] == given_["blocks"]


# --- the check -------------------------------------------------------------------------------------------------------
def failed(steps: list[proof.Step]) -> list[str]:
    assert all(step.words for step in steps)
    return [step.name for step in steps if not step.ok]


@pytest.mark.parametrize("draw", DRAWS)
def test_an_honest_proof_holds_step_by_step(draw: dict[str, Any]) -> None:
    steps = proof.check(draw["proof"])
    assert [(step.name, step.ok) for step in steps] == [("form", True), ("commitment", True), ("numbers", True)]
    assert proof.holds(steps)
    assert list(steps[-1].details) == draw["working"]["steps"]
    assert len(steps[-1].details) == len(draw["proof"]["numbers"])
    for entry in draw["entries"]:
        assert proof.holds(proof.check_entry(entry, draw["proof"]))


@pytest.mark.parametrize("forged", VECTORS["forged"], ids=[forged["what"] for forged in VECTORS["forged"]])
def test_a_forged_proof_is_shown_as_forged(forged: dict[str, Any]) -> None:
    assert forged["fails"]
    assert failed(proof.check(forged["proof"])) == forged["fails"]
    assert not proof.holds(proof.check(forged["proof"]))


def test_a_consistent_lie_fails_against_what_was_published_before() -> None:
    """A house that makes up a whole new proof afterwards still cannot answer the commitment on yesterday's board."""
    occasion = Occasion(purpose="keno", game="1042", attempt=1)
    lie = proof.make(
        seed=bytes(32),
        occasion=occasion,
        ticket_root=bytes.fromhex(HONEST["ticket_root"]),
        ticket_count=5,
        pool=80,
        count=20,
    )
    assert proof.holds(proof.check(lie))
    noted = {"published_commitment": HONEST["commitment"], "published_root": HONEST["ticket_root"]}
    assert failed(proof.check(lie, **noted)) == ["published commitment"]
    assert failed(proof.check(HONEST, published_commitment=f" {HONEST['commitment'].upper()}\n")) == []
    assert failed(proof.check(HONEST, published_root="00" * 32)) == ["published ticket root"]


def test_no_steps_hold_nothing() -> None:
    assert not proof.holds([])


def test_the_proof_names_the_first_wrong_number() -> None:
    numbers = list(HONEST["numbers"])
    spare = next(number for number in range(1, 81) if number not in numbers)
    right, numbers[4] = numbers[4], spare
    step = proof.check({**HONEST, "numbers": numbers})[-1]
    assert step.words.endswith(f"number 5 should be {right}, the proof says {spare}.")


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"version": True},
        {"purpose": None},
        {"purpose": "kéno"},
        {"game": 1042},
        {"attempt": "1"},
        {"attempt": 0},
        {"commitment": "00"},
        {"commitment": 7},
        {"ticket_root": None},
        {"ticket_count": -1},
        {"ticket_count": 2**63},
        {"ticket_count": 1.5},
        {"pool": 0},
        {"pool": 2**40},
        {"pool": 10},
        {"seed": "zz" * 32},
        {"numbers": "1 2 3"},
        {"numbers": []},
        {"numbers": [1, 2, "3"]},
        {"numbers": [1, True]},
        {"numbers": [0]},
        {"numbers": [81]},
        {"numbers": [5, 5]},
    ],
    ids=str,
)
def test_a_proof_that_cannot_be_read_says_why(change: dict[str, Any]) -> None:
    steps = proof.check({**HONEST, **change})
    assert failed(steps) == ["form"]
    assert len(steps) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=50)
@given(JSON, st.sampled_from(sorted(HONEST)), JSON)
def test_whatever_is_handed_in_is_answered(anything: object, part: str, other: object) -> None:
    assert not proof.holds(proof.check(anything))
    proof.check({**HONEST, part: other})
    assert not proof.holds(proof.check_entry(anything, HONEST))
    assert not proof.holds(proof.check_entry(DRAWS[1]["entries"][0], anything))


# --- entries ---------------------------------------------------------------------------------------------------------
@given(st.integers(1, 20), st.data())
def test_every_entry_of_a_draw_is_proven_and_no_other(count: int, data: st.DataObject) -> None:
    entries = [f"ticket {number}" for number in range(count)]
    leaves = [proof.entry_leaf(entry) for entry in entries]
    occasion = Occasion(purpose="promotion", game="car", attempt=1)
    draw = proof.make(
        seed=bytes(32), occasion=occasion, ticket_root=root_of(leaves), ticket_count=count, pool=count, count=1
    )
    index = data.draw(st.integers(0, count - 1))
    shown = proof.make_entry(entry=entries[index], index=index, ticket_count=count, node=nodes_of(leaves))
    steps = proof.check_entry(shown, draw)
    assert proof.holds(steps)
    assert f"entry {index + 1} of {count}" in steps[-1].words
    assert failed(proof.check_entry({**shown, "entry": "ticket never sold"}, draw)) == ["entry"]
    assert failed(proof.check_entry({**shown, "index": index + 1}, draw)) == ["entry"]
    assert failed(proof.check_entry({**shown, "path": [*shown["path"], "00" * 32]}, draw)) == ["entry"]
    assert failed(proof.check_entry({**shown, "ticket_count": count + 1}, draw)) == ["form"]
    hashed = proof.make_leaf(leaf=leaves[index], index=index, ticket_count=count, node=nodes_of(leaves))
    assert "entry" not in hashed
    assert proof.holds(proof.check_entry(hashed, draw))
    assert failed(proof.check_entry({**hashed, "leaf": "00" * 32}, draw)) == ["entry"]
    assert failed(proof.check_entry({**hashed, "leaf": "x"}, draw)) == ["form"]
    assert failed(proof.check_entry({**hashed, "entry": "ticket never sold"}, draw)) == ["entry"]  # a text is hashed


@pytest.mark.parametrize(
    "change",
    [
        {"entry": 7},
        {"entry": "\ud800"},
        {"index": -1},
        {"index": None},
        {"path": None},
        {"path": ["x"]},
        {"version": 0},
    ],
    ids=repr,
)
def test_an_entry_that_cannot_be_read_says_why(change: dict[str, Any]) -> None:
    assert failed(proof.check_entry({**DRAWS[1]["entries"][0], **change}, HONEST)) == ["form"]


def test_the_worked_example_in_the_document_is_the_vectors() -> None:
    example = (PUBLISHED.parent / "README.md").read_text().split("## Worked example")[1].split("```")[1]
    drawn = DRAWS[1]
    known = json.dumps(drawn)
    for digits in re.findall(r"\b[0-9a-f]{16,}\b", example):
        assert digits in known
    assert " ".join(map(str, HONEST["numbers"])) in example
    joined = re.sub(r'"[^"]*"|[^0-9a-f]', "", example.split("personalisation  ")[1].split("five entries")[0])
    assert joined == drawn["working"]["personalisation"]
