"""Cosigning by C2SP's witness protocol: only what extends what was seen, whoever signs it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random

import pytest

from kernel import notes
from kernel.notes import Checkpoint, Note, Signature, Submission
from tests.world.witness import ToyHouse, folder_with_keys, remembering, turned_down, with_signature
from witness.admit import admit
from witness.cosign import add_checkpoint, latest, take_over
from witness.memory import Memory
from witness.trouble import Refused


def cosign(memory: Memory, house: ToyHouse, old: int, size: int | None = None) -> Note:
    """The checkpoint with the witness's line under it."""
    line = add_checkpoint(memory, house.submission(old, size))
    return with_signature(house.note(size), Signature.parse(line))


def submit(memory: Memory, body: bytes | str) -> object:
    return add_checkpoint(memory, body.encode() if isinstance(body, str) else body)


refused = partial(turned_down, submit)


def test_heads_that_extend_each_other_are_cosigned(memory: Memory, house: ToyHouse) -> None:
    chance, size = Random(6962), 0
    for _ in range(12):
        house.pad(chance.randrange(1, 40))
        note = cosign(memory, house, size)
        size = len(house.rows)
        assert note.opened([house.key, memory.keys.cosigner]) == [house.key, memory.keys.cosigner]
        assert memory.state.logs[house.origin].size == size
        assert note.signed_by(memory.keys.cosigner) == memory.state.logs[house.origin].at


def test_the_latest_is_there_for_monitors(memory: Memory, house: ToyHouse) -> None:
    from hashlib import sha256

    named = sha256(house.origin.encode()).hexdigest()
    with pytest.raises(Refused):
        latest(memory, named)
    house.pad(3)
    note = cosign(memory, house, 0)
    assert latest(memory, named) == str(note)


def test_the_wrong_old_size_is_told_the_right_one(memory: Memory, house: ToyHouse) -> None:
    house.pad(5)
    cosign(memory, house, 0)
    house.pad(4)
    for old in (0, 4, 6):
        no = refused(memory, house.submission(old))
        assert (no.status, no.detail) == (409, "5")
    no = refused(memory, str(Submission(9, (), house.note(5))))
    assert no.status == 400


def test_the_same_head_again_is_the_same_line(memory: Memory, house: ToyHouse) -> None:
    house.pad(5)
    note = cosign(memory, house, 0)
    lines = memory._journal.last.n
    assert cosign(memory, house, 5) == note
    assert memory._journal.last.n == lines  # whoever repeats a public checkpoint fills no disk


def test_a_log_that_is_not_known_is_not_there(memory: Memory) -> None:
    stranger = ToyHouse("meterhouse.log/stranger")
    stranger.pad(2)
    assert refused(memory, stranger.submission(0)).status == 404


def test_only_the_key_of_the_log_counts(memory: Memory, house: ToyHouse) -> None:
    thief = ToyHouse(house.origin, seed=9)
    thief.pad(3)
    assert refused(memory, thief.submission(0)).status == 403
    house.pad(3)
    forged = Signature(house.origin, house.key.id, bytes(64))
    assert refused(memory, str(Submission(0, (), Note(house.note().text, (forged,))))).status == 403
    both = with_signature(house.note(), thief.note().signatures[0])  # an unknown signature beside it is ignored
    add_checkpoint(memory, str(Submission(0, (), both)).encode())


def test_a_rewritten_history_is_not_cosigned(memory: Memory, house: ToyHouse) -> None:
    house.pad(8)
    cosign(memory, house, 0)
    house.rows[3] = b'{"type":"act","kind":"toy.row","data":{"n":"changed"}}'
    house.pad(4)
    assert refused(memory, house.submission(8)).status == 422
    assert refused(memory, house.submission(8, 8)).status == 422  # another root of the same size
    (alarm,) = memory.alarms(limit=9)
    assert "two heads of 8 rows" in alarm[2]


def test_a_wrong_proof_is_no_alarm(memory: Memory, house: ToyHouse) -> None:
    """Checkpoints are public: a stranger may send one with any proof he likes."""
    house.pad(8)
    cosign(memory, house, 0)
    house.pad(4)
    assert refused(memory, str(Submission(8, (bytes(32),), house.note()))).status == 422
    assert memory.alarms(limit=9) == []


def test_a_truncated_head_is_not_cosigned(memory: Memory, house: ToyHouse) -> None:
    house.pad(8)
    cosign(memory, house, 0)
    assert refused(memory, house.submission(0, 5)).status == 409
    assert refused(memory, house.submission(5, 5)).status == 409


def test_an_empty_log_has_the_empty_root(memory: Memory, house: ToyHouse) -> None:
    text = Checkpoint(house.origin, 0, bytes(32)).text()
    note = Note(text, (notes.signature(house.key, text, house.private.sign),))
    assert refused(memory, str(Submission(0, (), note))).status == 422
    cosign(memory, house, 0)


def test_a_key_is_handed_over_in_the_log_and_not_otherwise(memory: Memory, house: ToyHouse) -> None:
    house.pad(4)
    cosign(memory, house, 0)
    index = house.hand_over(7)
    old = house.private
    cosign(memory, house, 4)  # the old key signs the head with the hand-over
    size = len(house.rows)
    said = {"origin": house.origin, "size": size, "act": house.shown(index, size)}
    house.private = house.next
    house.pad(2)
    assert refused(memory, house.submission(size)).status == 403  # nobody has told us
    take_over(memory, said)
    take_over(memory, said)  # again is nothing new
    cosign(memory, house, size)
    house.private = old
    house.pad(1)
    assert refused(memory, house.submission(len(house.rows) - 1)).status == 403  # the old one has handed over


@pytest.mark.parametrize("what", ["signature", "acceptance", "public", "from"])
def test_a_hand_over_takes_both_keys(memory: Memory, house: ToyHouse, what: str) -> None:
    """Whoever can write acts, and have them sealed, has no key with that."""
    import json

    house.pad(4)
    index = house.hand_over(7)
    act = json.loads(house.rows[index])
    act["data"][what] = "00" * (len(act["data"][what]) // 2)
    house.rows[index] = json.dumps(act).encode()
    cosign(memory, house, 0)
    size = len(house.rows)
    with pytest.raises(Refused):
        take_over(memory, {"origin": house.origin, "size": size, "act": house.shown(index, size)})
    assert len(memory.state.logs[house.origin].keys) == 1


def test_shown_its_own_signature_beyond_its_memory_it_stops_for_ever(
    folder: Path, logs: Path, house: ToyHouse, tmp_path: Path
) -> None:
    house.pad(4)
    with remembering(folder) as memory:
        admit(memory, logs)
        cosign(memory, house, 0)
    import shutil

    shutil.copytree(folder, tmp_path / "old copy")
    house.pad(4)
    with remembering(folder) as memory:
        signed = cosign(memory, house, 4)
    with remembering(tmp_path / "old copy") as memory:
        house.pad(1)
        body = str(Submission(4, tuple(house.consistency(4, 8)), signed))
        assert refused(memory, body).status == 503
        assert "does not remember" in memory.state.stopped
        assert refused(memory, house.submission(4)).status == 503
    with remembering(tmp_path / "old copy") as memory:  # and a new start does not help
        assert refused(memory, house.submission(4)).status == 503


def test_somebody_elses_idea_of_its_signature_stops_nothing(memory: Memory, house: ToyHouse) -> None:
    house.pad(4)
    own = memory.keys.cosigner
    forged = with_signature(house.note(), Signature(own.name, own.id, bytes(72)))
    add_checkpoint(memory, str(Submission(0, (), forged)).encode())
    assert not memory.state.stopped


def test_the_clock_never_goes_back(folder: Path, logs: Path, house: ToyHouse) -> None:
    from witness.keys import Keys

    times = iter([2_000.0] * 40)
    memory = Memory(folder, Keys.load(folder), now=lambda: next(times))
    admit(memory, logs)
    house.pad(1)
    first = cosign(memory, house, 0).signed_by(memory.keys.cosigner)
    times = iter([1_000.0] * 40)
    house.pad(1)
    assert cosign(memory, house, 1).signed_by(memory.keys.cosigner) == first == 2_000
    memory.close()


def test_a_second_log_of_a_venue_is_an_alarm(memory: Memory, logs: Path) -> None:
    logs.write_text(logs.read_text() + ToyHouse("meterhouse.log/second", seed=3).admission)
    admit(memory, logs)
    admit(memory, logs)
    (alarm,) = memory.alarms(limit=9)
    assert "second log was admitted" in alarm[2]


def test_a_witness_beside_its_house_says_so_in_its_name(tmp_path: Path) -> None:
    with remembering(folder_with_keys(tmp_path / "w", same_machine=True)) as memory:
        assert str(memory.keys.cosigner).startswith("same-machine.")
