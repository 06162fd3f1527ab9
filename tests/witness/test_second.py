"""The published vectors, by a second implementation written from docs/proof/witness.md only, and by our own."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from kernel import unique_signatures
from kernel.environment import ROOT
from kernel.merkle import check_consistency, check_inclusion, leaf_hash
from kernel.notes import Checkpoint, Note, NoteError, VerifierKey, from_base64
from kernel.questions import FIRST_LINK, Link
from tests.witness import second
from tests.world.witness import ToyHouse
from witness.answer import answer
from witness.cosign import add_checkpoint, latest
from witness.memory import Memory

VECTORS: dict[str, Any] = json.loads((ROOT / "docs/proof/witness.json").read_text())
WITNESS, HOUSE = VECTORS["witness"], VECTORS["house"]["key"]
FORGED_NOTES = {each["what"]: each["note"] for each in VECTORS["forged_notes"]}
FORGED_LINKS = {each["what"]: each["links"] for each in VECTORS["forged_links"]}


def ours(links: list[dict[str, Any]]) -> bool:
    """Our own check of a chain."""
    public, rsa = VerifierKey.parse(WITNESS["key"]).public, bytes.fromhex(WITNESS["rsa"])
    read = [Link.from_json(link) for link in links]
    return (
        all(link.is_right(public=public, rsa=rsa) for link in read)
        and (read[0].number, read[0].previous) == (1, FIRST_LINK)
        and all((b.number, b.previous) == (a.number + 1, a.digest()) for a, b in pairwise(read))
    )


def opened_by_us(text: str) -> Checkpoint:
    note = Note.parse(text.encode())
    for key in (HOUSE, WITNESS["key"]):
        note.opened([VerifierKey.parse(key)])
    return Checkpoint.parse(note.text)


def test_the_witness_and_its_ceremony() -> None:
    second.ceremony(WITNESS)
    roots = [bytes.fromhex(root) for root in WITNESS["roots"]]
    assert unique_signatures.is_permutation(bytes.fromhex(WITNESS["rsa"]), WITNESS["dice"], roots)
    with pytest.raises(second.Bad):
        second.ceremony(WITNESS | {"dice": WITNESS["dice"][::-1]})


def test_checkpoints_and_proofs() -> None:
    heads = [second.open_note(note, HOUSE, WITNESS["key"]) for note in VECTORS["checkpoints"]]
    for note, head in zip(VECTORS["checkpoints"], heads, strict=True):
        assert opened_by_us(note) == Checkpoint(*head)
    (_, old, old_root), (_, new, new_root) = heads
    path = [from_base64(each) for each in VECTORS["consistency"]]
    assert check_consistency(old, old_root, new, new_root, path)
    assert second.consistency_roots(old, new, path, True, old_root) == (old_root, new_root)
    seal = VECTORS["seal"]
    row, way = seal["row"].encode(), [from_base64(each) for each in seal["proof"]]
    assert check_inclusion(leaf_hash(row), seal["index"], seal["size"], way, new_root)
    assert second.inclusion_root(second.sha(b"\0", row), seal["index"], seal["size"], way) == new_root


def test_the_chain() -> None:
    links = [each["link"] for each in VECTORS["links"]]
    assert second.chain(links, WITNESS).hex() == VECTORS["links"][-1]["digest"]
    assert ours(links)
    for each in VECTORS["links"]:
        link = Link.from_json(each["link"])
        assert second.message(each["link"]["question"]) == link.question.message() == bytes.fromhex(each["message"])
        assert second.sha(second.statement(each["link"])) == link.digest() == bytes.fromhex(each["digest"])


@pytest.mark.parametrize("what", FORGED_NOTES)
def test_a_forged_note_is_refused_by_both(what: str) -> None:
    with pytest.raises(second.Bad):
        second.open_note(FORGED_NOTES[what], HOUSE, WITNESS["key"])
    with pytest.raises(NoteError):
        opened_by_us(FORGED_NOTES[what])


@pytest.mark.parametrize("what", FORGED_LINKS)
def test_a_forged_chain_is_refused_by_both(what: str) -> None:
    with pytest.raises(second.Bad):
        second.chain(FORGED_LINKS[what], WITNESS)
    assert not ours(FORGED_LINKS[what])


def test_it_follows_a_witness_of_ours(memory: Memory, house: ToyHouse) -> None:
    """Notes and links as they come out of the program."""
    house.pad(3)
    add_checkpoint(memory, house.submission(0))
    links, old = [], 3
    for game in range(3):
        act = house.seal(str(game))
        links.append(answer(memory, house.request(house.question(act), old=old))["link"])
        old = len(house.rows)
    about = memory.keys.about()
    second.ceremony(about)
    assert second.chain(links, about).hex() == memory.state.digest
    note = latest(memory, second.sha(house.origin.encode()).hex())
    assert second.open_note(note, str(house.key), about["key"]) == (house.origin, old, house.root())


@pytest.mark.long
def test_the_vectors_are_what_their_program_writes() -> None:
    from tests.world.witness_vectors import vectors

    assert vectors() == VECTORS
