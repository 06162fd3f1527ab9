"""The arithmetic of a draw between two parties, against bytes packed and hashed by hand."""

from __future__ import annotations

import hmac
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chance import two_party
from chance.drbg import HmacDrbg
from chance.select import RecordDiffers
from chance.two_party import How, Promise, Said
from kernel.questions import Question

PROMISE = Promise(venue="DEMO", purpose="keno", name="1042", device="rng", witness_key=bytes(range(32)))
QUESTION = Question(
    venue="DEMO", purpose="keno", occasion="1042", attempt=1, root=bytes([7] * 32), count=14, act_index=3,
    origin="meterhouse.log/x", size=9, checkpoint_root=bytes([8] * 32),
)  # fmt: skip
MASTER = bytes([5] * 32)
SAID = Said(question=QUESTION, how=How.WITNESS, said=bytes([9] * 384))


def packed(*fields: bytes) -> bytes:
    return b"".join(len(each).to_bytes(4, "big") + each for each in fields)


def test_the_commitment_is_over_everything_that_makes_the_numbers() -> None:
    by_hand = packed(
        b"meterhouse/commitment/2",
        b"meterhouse/draw/2",
        b"DEMO",
        b"keno",
        b"1042",
        b"rng",
        bytes(range(32)),
        b"",
        MASTER,
    )
    assert two_party.commitment(MASTER, PROMISE) == sha256(by_hand).digest()
    others = [
        replace(PROMISE, venue="OTHER"),
        replace(PROMISE, purpose="promotion"),
        replace(PROMISE, name="1043"),
        replace(PROMISE, device="mechanical"),
        replace(PROMISE, witness_key=bytes(32)),
        replace(PROMISE, beacon="drand-quicknet+30"),
    ]
    published = two_party.commitment(MASTER, PROMISE)
    assert two_party.keeps(published, MASTER, PROMISE)
    assert not any(two_party.keeps(published, MASTER, other) for other in others)
    assert not two_party.keeps(published, bytes(32), PROMISE)
    assert not two_party.keeps(published, MASTER + b"0", PROMISE)


def test_the_seed_of_an_attempt_follows_from_the_master() -> None:
    by_hand = packed(b"meterhouse/seed/2", b"DEMO", b"keno", b"1042", (1).to_bytes(8, "big"))
    assert two_party.attempt_seed(MASTER, QUESTION) == hmac.digest(MASTER, by_hand, "sha256")
    second = replace(QUESTION, attempt=2)
    assert two_party.attempt_seed(MASTER, second) != two_party.attempt_seed(MASTER, QUESTION)


def test_the_generator_is_bound_to_question_and_answer() -> None:
    nonce = sha256(packed(b"meterhouse/nonce/2", b"DEMO", b"keno", b"1042", (1).to_bytes(8, "big"))).digest()[:16]
    bound_to = packed(b"meterhouse/draw/2", QUESTION.message(), b"witness", bytes([9] * 384), b"")
    drbg = HmacDrbg(entropy=two_party.attempt_seed(MASTER, QUESTION), nonce=nonce, personalisation=bound_to)
    assert two_party.source(MASTER, SAID).take(64) == drbg.generate(64)
    drawn = two_party.numbers(MASTER, SAID, pool=80, count=20)
    assert len(set(drawn)) == 20
    for other in (
        replace(SAID, said=bytes(384)),
        replace(SAID, how=How.DICE),
        replace(SAID, beacon=b"1"),
        replace(SAID, question=replace(QUESTION, root=bytes(32))),
        replace(SAID, question=replace(QUESTION, count=15)),
        replace(SAID, question=replace(QUESTION, size=10)),
    ):
        assert two_party.numbers(MASTER, other, pool=80, count=20) != drawn


@pytest.mark.clause("act-keno:7.1", "act-keno:12.3")
def test_any_worker_continues_a_draw_with_the_same_numbers() -> None:
    drawn = two_party.numbers(MASTER, SAID, pool=80, count=20)
    assert len(set(drawn)) == 20
    for taken in range(20):
        assert two_party.numbers(MASTER, SAID, pool=80, count=20, recorded=drawn[:taken]) == drawn
        assert two_party.numbers(MASTER, SAID, pool=80, count=taken) == drawn[:taken]


def test_a_record_that_is_not_the_masters_stops_the_draw() -> None:
    drawn = two_party.numbers(MASTER, SAID, pool=80, count=20)
    said = f"Number 7 on record is {drawn[7]}; the promised master gives {drawn[6]}"
    with pytest.raises(RecordDiffers, match=said):
        two_party.numbers(MASTER, SAID, pool=80, count=20, recorded=[*drawn[:6], drawn[7]])
    with pytest.raises(ValueError, match="81 numbers cannot be drawn from a pool of 80"):
        two_party.numbers(MASTER, SAID, pool=80, count=81)
    with pytest.raises(ValueError, match="master is 32 bytes, not 33"):
        two_party.numbers(bytes(33), SAID, pool=80, count=20)


@given(st.text(alphabet="0123456789 ", max_size=80))
def test_dice_are_fifty_throws_at_least(throws: str) -> None:
    right = len(throws) >= 50 and set(throws) <= set("123456")
    if right:
        assert two_party.dice(throws) == packed(b"meterhouse/dice/2", throws.encode())
    else:
        with pytest.raises(ValueError, match="throws"):
            two_party.dice(throws)
