"""The arithmetic of a draw between two parties: the house's master, promised before, and the witness's answer. Pure.

A commitment is over everything that will make the numbers, so that nothing of it can be chosen later. The seed of each
attempt follows from the master; the generator is bound to the question and to what was said to it, so that neither
party alone knows a number. `docs/proof/draws.md` says it byte for byte.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from itertools import islice
from typing import Final

from chance.drbg import HmacDrbg, self_test
from chance.select import RecordDiffers, Source, picks
from kernel.merkle import HASH_SIZE
from kernel.packing import pack, unpack
from kernel.promises import COMMITMENT_TAG
from kernel.questions import Question
from kernel.unique_signatures import DICE_LEAST

ALGORITHM: Final = "meterhouse/draw/2"
SEED_TAG: Final = "meterhouse/seed/2"
NONCE_TAG: Final = "meterhouse/nonce/2"
DICE_TAG: Final = "meterhouse/dice/2"
BEACON_TAG: Final = "meterhouse/beacon/2"
MASTER_SIZE: Final = 32
_NONCE_SIZE: Final = 16

_DICE = re.compile(r"[1-6]+").fullmatch


class How(StrEnum):
    """Where the second party's part comes from."""

    WITNESS = "witness"  # its unique signature
    DICE = "dice"  # the inspector's throws, where the witness was away
    BEACON = "beacon"  # a public round that the inspector named beforehand, where the witness was away


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What a commitment is over, besides the master."""

    venue: str
    purpose: str
    name: str  # the game, the draw, the link and its gaming day
    device: str
    witness_key: bytes  # SHA-256 of the witness's RSA key; 32 zero bytes with a device that asks no witness
    beacon: str = ""  # the rule of the public beacon that takes part; empty: none does

    def __post_init__(self) -> None:
        if len(self.witness_key) != HASH_SIZE:
            raise ValueError("The witness's key is named by the 32 bytes of its hash.")

    def fields(self) -> tuple[str | bytes, ...]:
        """As they are packed, wherever something is bound to this promise."""
        return (self.venue, self.purpose, self.name, self.device, self.witness_key, self.beacon)


def new_master() -> bytes:
    """From the operating system, every time: no state of ours that a restart or a fork could repeat."""
    return secrets.token_bytes(MASTER_SIZE)


def commitment(master: bytes, promise: Promise) -> bytes:
    """What is published before the first sale."""
    _is_master(master)
    return sha256(pack(COMMITMENT_TAG, ALGORITHM, *promise.fields(), master)).digest()


def keeps(published: bytes, master: bytes, promise: Promise) -> bool:
    """Whether this master is the one that was promised."""
    return len(master) == MASTER_SIZE and hmac.compare_digest(published, commitment(master, promise))


def attempt_seed(master: bytes, question: Question) -> bytes:
    """The house's part of one attempt. It follows from the master: no later attempt can be chosen."""
    _is_master(master)
    return hmac.digest(
        master, pack(SEED_TAG, question.venue, question.purpose, question.occasion, question.attempt), "sha256"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What was said to a question: the witness's signature, or what stands in its place, marked for ever."""

    question: Question
    how: How
    said: bytes
    beacon: bytes = b""  # the signature of the beacon's round, where the promise names a beacon

    @property
    def is_witnessed(self) -> bool:
        return self.how is How.WITNESS


def dice(throws: str) -> bytes:
    """An inspector's throws as the second party's part. ValueError: too few, or no throws."""
    if not _DICE(throws) or len(throws) < DICE_LEAST:
        raise ValueError(f"At least {DICE_LEAST} throws are needed, each a digit from 1 to 6.")
    return pack(DICE_TAG, throws)


def throws_of(said: bytes) -> str:
    """The throws again. ValueError where these are none."""
    tag, *fields = unpack(said) or [b""]
    if tag != DICE_TAG.encode() or len(fields) != 1:
        raise ValueError("These are no throws of dice.")
    throws = fields[0].decode("ascii")
    dice(throws)
    return throws


def beacon_round(number: int, signature: bytes) -> bytes:
    """A public round as the second party's part."""
    return pack(BEACON_TAG, number, signature)


def round_of(said: bytes) -> tuple[int, bytes]:
    """Number and signature of the round again. ValueError where this is none."""
    tag, *fields = unpack(said) or [b""]
    if tag != BEACON_TAG.encode() or len(fields) != 2 or len(fields[0]) != 8 or not fields[1]:
        raise ValueError("This is no round of a beacon.")
    return int.from_bytes(fields[0], "big"), fields[1]


def source(master: bytes, said: Said) -> Source:
    """The generator of one attempt (SP 800-90A), seeded by the house and bound to the question and what was said."""
    self_test()
    question = said.question
    nonce = sha256(pack(NONCE_TAG, question.venue, question.purpose, question.occasion, question.attempt)).digest()
    bound_to = pack(ALGORITHM, question.message(), said.how.value, said.said, said.beacon)
    return Source(HmacDrbg(entropy=attempt_seed(master, question), nonce=nonce[:_NONCE_SIZE], personalisation=bound_to))


def numbers(master: bytes, said: Said, *, pool: int, count: int, recorded: Sequence[int] = ()) -> list[int]:
    """The first *count* numbers of the attempt, in the order drawn. *recorded*: those on record, which must be the
    first of them (act-keno 12.3: on from the last valid number)."""
    if not 0 <= count <= pool:
        raise ValueError(f"{count} numbers cannot be drawn from a pool of {pool}.")
    drawn = [pick.number for pick in islice(picks(source(master, said), pool), max(count, len(recorded)))]
    for place, (ours, theirs) in enumerate(zip(drawn, recorded, strict=False), start=1):
        if ours != theirs:
            raise RecordDiffers(f"Number {place} on record is {theirs}; the promised master gives {ours}.")
    return drawn[:count]


def _is_master(master: bytes) -> None:
    if len(master) != MASTER_SIZE:
        raise ValueError(f"A master is {MASTER_SIZE} bytes, not {len(master)}.")
