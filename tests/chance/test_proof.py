"""What proofs share: the vectors, a stranger's own implementation from docs/proof/README.md, and proofs of entries."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chance import proof
from chance.drbg import HmacDrbg
from chance.select import Source
from chance.vectors import vectors
from kernel.merkle import nodes_of, root_of

PUBLISHED = Path(__file__).parents[2] / "docs" / "proof" / "vectors.json"
VECTORS = json.loads(PUBLISHED.read_text())
DRAWN = VECTORS["numbers"]
FIVE = VECTORS["sets"][1]


def test_the_published_vectors_are_what_the_code_computes() -> None:
    assert vectors() == VECTORS, "run: python -m chance.vectors > docs/proof/vectors.json"


# --- a stranger's implementation, from the document alone -------------------------------------------------------------
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


def strangers_numbers(given_: dict[str, Any]) -> list[int]:
    parts = (bytes.fromhex(given_[part]) for part in ("entropy", "nonce", "personalisation"))
    stream = (byte for block in blocks(*parts) for byte in block)
    balls, drawn = list(range(1, given_["pool"] + 1)), []
    for place in range(len(given_["numbers"])):
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


@pytest.mark.parametrize("drawn", DRAWN, ids=[f"{len(each['numbers'])} of {each['pool']}" for each in DRAWN])
def test_a_stranger_computes_the_same_numbers(drawn: dict[str, Any]) -> None:
    assert strangers_numbers(drawn) == drawn["numbers"]
    assert len(drawn["steps"]) == len(drawn["numbers"])


def test_a_stranger_computes_the_same_trees_and_blocks() -> None:
    assert [strangers_root(tree["entries"]) for tree in VECTORS["trees"]] == [t["root"] for t in VECTORS["trees"]]
    given_ = VECTORS["generator"]
    made = blocks(*(bytes.fromhex(given_[part]) for part in ("entropy", "nonce", "personalisation")))
    assert [next(made).hex() for _ in range(3)] == given_["blocks"]


# --- the check -------------------------------------------------------------------------------------------------------
def failed(steps: list[proof.Step]) -> list[str]:
    assert all(step.words for step in steps)
    return [step.name for step in steps if not step.ok]


def in_set(entry: object, sealed: dict[str, Any] = FIVE) -> list[str]:
    """The steps that fail."""
    root = bytes.fromhex(sealed["ticket_root"])
    return failed(proof.entry_steps(entry, ticket_root=root, ticket_count=sealed["ticket_count"]))


@pytest.mark.parametrize("sealed", VECTORS["sets"], ids=[f"of {each['ticket_count']}" for each in VECTORS["sets"]])
def test_the_published_entries_are_in_their_sets(sealed: dict[str, Any]) -> None:
    for each in (*sealed["entries"], *sealed["leaves"]):
        assert in_set(each, sealed) == []
    for each in sealed["entries"]:
        assert in_set({**each, "entry": each["entry"] + " "}, sealed) == ["entry"]


def test_no_steps_hold_nothing() -> None:
    assert not proof.holds([])


def test_a_step_names_the_first_wrong_number() -> None:
    drawn = DRAWN[0]
    entropy, nonce, bound_to = (bytes.fromhex(drawn[name]) for name in ("entropy", "nonce", "personalisation"))
    stream = Source(HmacDrbg(entropy=entropy, nonce=nonce, personalisation=bound_to))
    said = list(drawn["numbers"])
    spare = next(number for number in range(1, 81) if number not in said)
    right, said[4] = said[4], spare
    step = proof.numbers_step(stream, pool=80, said=said, come_from="Master and answer")
    assert not step.ok
    assert step.words.endswith(f"number 5 should be {right}, the proof says {spare}.")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(JSON, st.sampled_from(sorted(FIVE["entries"][0])), JSON)
def test_whatever_is_handed_in_is_answered(anything: object, part: str, other: object) -> None:
    assert in_set(anything)
    in_set({**FIVE["entries"][0], part: other})


@given(st.integers(1, 20), st.data())
def test_every_entry_of_a_set_is_proven_and_no_other(count: int, data: st.DataObject) -> None:
    entries = [f"ticket {number}" for number in range(count)]
    leaves = [proof.entry_leaf(entry) for entry in entries]
    sealed = {"ticket_root": root_of(leaves).hex(), "ticket_count": count}
    index = data.draw(st.integers(0, count - 1))
    shown = proof.make_entry(entry=entries[index], index=index, ticket_count=count, node=nodes_of(leaves))
    steps = proof.entry_steps(shown, ticket_root=root_of(leaves), ticket_count=count)
    assert proof.holds(steps)
    assert f"entry {index + 1} of {count}" in steps[-1].words
    assert in_set({**shown, "entry": "ticket never sold"}, sealed) == ["entry"]
    assert in_set({**shown, "index": index + 1}, sealed) == ["entry"]
    assert in_set({**shown, "path": [*shown["path"], "00" * 32]}, sealed) == ["entry"]
    assert in_set({**shown, "ticket_count": count + 1}, sealed) == ["form"]
    hashed = proof.make_leaf(leaf=leaves[index], index=index, ticket_count=count, node=nodes_of(leaves))
    assert "entry" not in hashed
    assert in_set(hashed, sealed) == []
    assert in_set({**hashed, "leaf": "00" * 32}, sealed) == ["entry"]
    assert in_set({**hashed, "leaf": "x"}, sealed) == ["form"]
    assert in_set({**hashed, "entry": "ticket never sold"}, sealed) == ["entry"]  # a text is hashed


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
    assert in_set({**FIVE["entries"][0], **change}) == ["form"]


def test_the_worked_example_in_the_document_is_the_vectors() -> None:
    example = (PUBLISHED.parent / "README.md").read_text().split("## Worked example")[1].split("```")[1]
    known = json.dumps(DRAWN[0])
    digits = re.findall(r"\b[0-9a-f]{16,}\b", example)
    assert len(digits) == 5
    assert all(each in known for each in digits)
    assert " ".join(map(str, DRAWN[0]["numbers"])) in example
