"""Go's ``sumdb/note`` and ``tlog`` open our checkpoints and check our proofs, and we open theirs."""

from __future__ import annotations

from random import Random
from typing import Any

from kernel.merkle import inclusion_proof, leaf_hash, nodes_of
from kernel.notes import Checkpoint, Note, Signature, VerifierKey, to_base64
from tests.world.go.checker import needs_go, told_by_go
from tests.world.witness import ToyHouse, with_signature
from witness.cosign import add_checkpoint
from witness.memory import Memory

pytestmark = needs_go


def consistency(house: ToyHouse, old: int, new: int) -> dict[str, Any]:
    path = [to_base64(each) for each in house.consistency(old, new)]
    roots = {"Root": to_base64(house.root(new)), "OldRoot": to_base64(house.root(old))}
    return {"Size": str(new), "Old": str(old), **roots, "Path": path}


def inclusion(house: ToyHouse, index: int, size: int) -> dict[str, Any]:
    leaves = [leaf_hash(row) for row in house.rows[:size]]
    path = [to_base64(each) for each in inclusion_proof(index, size, nodes_of(leaves))]
    at = {"Size": str(size), "Index": str(index)}
    return {**at, "Root": to_base64(house.root(size)), "Leaf": to_base64(leaves[index]), "Path": path}


def test_go_opens_our_checkpoints_and_checks_our_proofs(memory: Memory, house: ToyHouse) -> None:
    chance = Random(42)
    house.pad(300)
    line = add_checkpoint(memory, house.submission(0))
    note = with_signature(house.note(), Signature.parse(line))
    pairs = [tuple(sorted(chance.sample(range(1, 301), 2))) for _ in range(40)]
    places = [(chance.randrange(size), size) for size in chance.sample(range(1, 301), 40)]
    said = told_by_go(
        Note=str(note),
        House=str(house.key),
        Witness=str(memory.keys.cosigner),
        Consistency=[consistency(house, old, new) for old, new in pairs],
        Inclusion=[inclusion(house, index, size) for index, size in places],
    )
    assert said["Wrong"] is None
    assert said["Text"] == note.text
    assert said["Signers"] == [house.origin, memory.keys.name]
    theirs, key = Note.parse(said["Note"].encode()), VerifierKey.parse(said["VKey"])
    assert theirs.opened([key]) == [key]
    assert Checkpoint.parse(theirs.text).size == 42


def test_and_finds_what_is_wrong_with_them(memory: Memory, house: ToyHouse) -> None:
    house.pad(20)
    line = add_checkpoint(memory, house.submission(0))
    note = with_signature(house.note(), Signature.parse(line))
    wrong = consistency(house, 7, 20) | {"OldRoot": to_base64(house.root(8))}
    keys = {"House": str(house.key), "Witness": str(memory.keys.cosigner)}
    changed = str(note).replace("\n20\n", "\n21\n")
    assert len(told_by_go(Note=str(note), **keys, Consistency=[wrong])["Wrong"]) == 1
    assert "invalid signature" in told_by_go(Note=changed, **keys)["Wrong"][0]
