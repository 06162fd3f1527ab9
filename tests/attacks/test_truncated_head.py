"""The last rows are cut off, and the log goes on from there: what displeased never happened.

What stops it: the witness cosigns only what extends the head it cosigned, and tells the house that it has more; whoever
kept a checkpoint, from a board or a ticket, finds that the log has no proof from it. Not stopped: cutting off rows
before anybody was shown a head over them, which is a matter of seconds.
"""

from __future__ import annotations

from kernel.merkle import check_consistency
from kernel.notes import Checkpoint, Note, from_base64
from ledger.cosign import cosign_now
from tests.attacks.insider import House
from tests.attacks.operator import Operator, drawn


def test_the_witness_does_not_go_back(operator: Operator, house: House) -> None:
    drawn()
    before = operator.witnessed
    history = operator.history(before[1] - 3)
    with house.unchanged():
        for size in (len(history.rows), len(history.rows) - 5):
            assert operator.post("/add-checkpoint", history.submission(0, size))[0] == 409
            assert operator.post("/add-checkpoint", history.submission(size, size))[0] == 409
        history.pad(9)  # another history from there
        assert operator.post("/add-checkpoint", history.submission(before[1]))[0] == 422
        act = history.seal("48213", root=bytes([7]) * 32)
        status, _ = operator.ask(history.request(history.question(act), old=before[1]))
        assert status == 200  # the answer that was given, and no other
    assert operator.witnessed == before


def test_whoever_kept_a_checkpoint_finds_out(operator: Operator, house: House) -> None:
    drawn()
    cosign_now()
    stranger = house.stranger()
    kept = Checkpoint.parse(Note.parse(str(stranger.get("/log/checkpoint").ok()).encode()).text)
    history = operator.history(kept.size - 3)
    history.pad(9)
    forged = (len(history.rows), history.root())
    proof = [from_base64(each) for each in stranger.get(f"/log/proof/consistency?old=1&new={kept.size}").ok()]
    assert not check_consistency(kept.size, kept.root, *forged, proof)
    assert not check_consistency(kept.size, kept.root, *forged, history.consistency(kept.size, forged[0]))
    larger = stranger.get(f"/log/proof/consistency?old={kept.size}&new={kept.size + 10**6}")
    assert larger.refused("no-such-size")
