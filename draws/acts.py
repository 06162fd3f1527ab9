"""What a draw between two parties writes to the log. Seal, question, answer and void are in ``ledger.acts``. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kernel.acts import Act, OrMissing


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfPromise(Act):
    venue: str
    purpose: str
    name: str

    @property
    def subject(self) -> str:
        return f"promise:{self.purpose}/{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MasterPromised(_OfPromise):
    """The commitment to a master, before anything is sold on it, over everything that will make the numbers."""

    kind: ClassVar[str] = "draw.promised"
    device: str
    witness: str  # by its name,
    witness_key: bytes  # and the hash of its RSA key
    beacon: str
    algorithm: str
    commitment: bytes
    escrow: bytes  # the master, encrypted to the inspector's offline key,
    inspector_key: bytes  # which this is

    def sentence(self) -> str:
        return f"promised the draw of {self.purpose} {self.name}: {self.commitment.hex()[:16]}…"


@dataclass(frozen=True, slots=True, kw_only=True)
class MasterRevealed(_OfPromise):
    """The master, once nothing depends on it any more."""

    kind: ClassVar[str] = "draw.revealed"
    master: bytes

    def sentence(self) -> str:
        return f"revealed the master of {self.purpose} {self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MasterRestored(_OfPromise):
    """An inspector gave the house back a master whose copy did not open any more."""

    kind: ClassVar[str] = "draw.restored"
    why: str

    def sentence(self) -> str:
        return f"gave the master of {self.purpose} {self.name} back from escrow: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfAttempt(Act):
    venue: str
    purpose: str
    occasion: str
    attempt: int

    @property
    def subject(self) -> str:
        return f"draw:{self.purpose}/{self.occasion}/{self.attempt}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundNamed(_OfAttempt):
    """The witness is away; an inspector names a public round that is still to come in its place."""

    kind: ClassVar[str] = "draw.round-named"
    round: int
    why: str
    at: int  # the second of it since 1970, before the round's

    def sentence(self) -> str:
        return f"named drand round {self.round} for {self.purpose} {self.occasion}, the witness being away: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerReplaced(_OfAttempt):
    """What stands in the place of the witness's answer, by an inspector's act: the attempt is unwitnessed for ever."""

    kind: ClassVar[str] = "draw.replaced"
    how: str  # "dice" or "beacon"
    said: bytes
    why: str
    at: int  # the second of the inspector's act since 1970: a beacon that was promised follows it
    dice: OrMissing[str] = None
    round: OrMissing[int] = None

    def sentence(self) -> str:
        by = f"{len(self.dice)} throws of a die" if self.dice else f"drand round {self.round}"
        return f"put {by} in the place of the witness for {self.purpose} {self.occasion}: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BeaconHeard(_OfAttempt):
    """The round of the public beacon that the promise named, as evidence."""

    kind: ClassVar[str] = "draw.beacon"
    round: int
    signature: bytes

    def sentence(self) -> str:
        return f"had drand round {self.round} for attempt {self.attempt} of {self.purpose} {self.occasion}"
