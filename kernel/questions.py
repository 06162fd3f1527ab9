"""What the witness is asked, what it signs, and how its answers follow each other. Pure: house, witness and verifier
share it, so that none of them can mean something else (``docs/proof/witness.md``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Any, Final, Self

from kernel import ed25519, unique_signatures
from kernel.merkle import HASH_SIZE
from kernel.notes import Verify
from kernel.packing import pack

ANSWER_TAG: Final = "meterhouse/witness/2"
LINK_TAG: Final = "meterhouse/answers/2"
FIRST_LINK: Final = bytes(32)  # what the first answer of a key is chained onto
NAME_LIMIT: Final = 200
COUNT_LIMIT: Final = (1 << 63) - 1

_HEXADECIMAL = re.compile(r"([0-9a-f]{2})*").fullmatch
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/-]*").fullmatch


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One attempt at one draw, bound to the sealed set and to the log in which its seal stands.

    Nothing of it is the witness's to choose, so there is one answer to it and no more.
    """

    venue: str
    purpose: str  # keno, promotion, must-hit-by
    occasion: str  # the game, the draw, the seal of a link
    attempt: int  # 1, 2, 3 …
    root: bytes  # over the tickets, entries or contributions
    count: int  # how many of them
    act_index: int  # where the act that seals the root stands in the log
    origin: str  # the log, and its head when the question was logged
    size: int
    checkpoint_root: bytes

    def __post_init__(self) -> None:
        for what in ("venue", "purpose", "occasion", "origin"):
            name = getattr(self, what)
            if not (isinstance(name, str) and len(name) <= NAME_LIMIT and _NAME(name)):
                raise ValueError(f"The {what} of a question is 1 to {NAME_LIMIT} letters, digits and . _ : / -")
        for what, least in (("attempt", 1), ("count", 0), ("act_index", 0), ("size", 1)):
            number = getattr(self, what)
            if type(number) is not int or not least <= number <= COUNT_LIMIT:
                raise ValueError(f"The {what} of a question is a whole number from {least} on.")
        for what in ("root", "checkpoint_root"):
            digest = getattr(self, what)
            if not isinstance(digest, bytes) or len(digest) != HASH_SIZE:
                raise ValueError(f"The {what} of a question is {HASH_SIZE} bytes.")
        if self.act_index >= self.size:
            raise ValueError("The act that seals the root stands in the log that is shown.")

    def same_set(self, other: Question) -> bool:
        """Whether both ask about the same sealed set, in the same place of the same log."""
        return all(getattr(self, what) == getattr(other, what) for what in ("root", "count", "act_index", "origin"))

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What the witness remembers it by: never the log's origin, never the house's key."""
        return self.venue, self.purpose, self.occasion, self.attempt

    def message(self) -> bytes:
        """What the unique signature is over."""
        return pack(
            ANSWER_TAG,
            self.venue,
            self.purpose,
            self.occasion,
            self.attempt,
            self.root,
            self.count,
            self.act_index,
            self.origin,
            self.size,
            self.checkpoint_root,
        )

    def as_json(self) -> dict[str, object]:
        return {
            field.name: value.hex() if isinstance(value := getattr(self, field.name), bytes) else value
            for field in fields(self)
        }

    @classmethod
    def from_json(cls, said: object) -> Self:
        """Strict: exactly these fields. ValueError for anything else."""
        given = _exactly(said, {field.name for field in fields(cls)})
        values: dict[str, Any] = dict(given)
        for name in ("root", "checkpoint_root"):
            values[name] = _bytes(given[name])
        return cls(**values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One answer in the witness's own numbered chain, with its time, signed by its Ed25519 key.

    Numbers go 1, 2, 3 … without a gap, and each link holds the hash of the one before: leaving one out shows.
    """

    number: int  # 1, 2, 3 … of this key
    at: int  # seconds since 1970, by the witness's clock
    previous: bytes  # the hash of the link before
    question: Question
    answer: bytes  # the unique signature, 384 bytes
    signature: bytes = b""  # Ed25519, over statement()

    def statement(self) -> bytes:
        return pack(LINK_TAG, self.number, self.at, self.previous, self.question.message(), self.answer)

    def digest(self) -> bytes:
        return sha256(self.statement()).digest()

    def is_right(self, *, public: bytes, rsa: bytes, verify: Verify = ed25519.verify) -> bool:
        """Whether this witness gave this answer, and gave it in this place of its chain."""
        return unique_signatures.verify(rsa, self.question.message(), self.answer) and verify(
            public, self.statement(), self.signature
        )

    def as_json(self) -> dict[str, object]:
        return {
            "number": self.number,
            "at": self.at,
            "previous": self.previous.hex(),
            "question": self.question.as_json(),
            "answer": self.answer.hex(),
            "signature": self.signature.hex(),
        }

    @classmethod
    def from_json(cls, said: object) -> Self:
        given = _exactly(said, {field.name for field in fields(cls)})
        for what in ("number", "at"):
            if type(given[what]) is not int or not 1 <= given[what] <= COUNT_LIMIT:
                raise ValueError(f"The {what} of an answer is a whole number.")
        return cls(
            number=given["number"],
            at=given["at"],
            previous=_bytes(given["previous"], size=HASH_SIZE),
            question=Question.from_json(given["question"]),
            answer=_bytes(given["answer"], size=unique_signatures.SIZE),
            signature=_bytes(given["signature"], size=64),
        )


def _exactly(said: object, names: set[str]) -> Mapping[str, Any]:
    if not isinstance(said, Mapping) or said.keys() != names:
        raise ValueError(f"Exactly these fields are expected: {', '.join(sorted(names))}.")
    return said


def _bytes(said: object, *, size: int = HASH_SIZE) -> bytes:
    if not isinstance(said, str) or len(said) != 2 * size or not _HEXADECIMAL(said):
        raise ValueError(f"{size} bytes are expected here, as small hexadecimal digits.")
    return bytes.fromhex(said)
