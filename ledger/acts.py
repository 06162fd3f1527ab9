"""What the ledger itself writes to the log: accounts opened, which keys sign, which witness is asked, and what it is
asked and answers. Pure: the verifier reads the same, and the witness knows a seal and a void by these kinds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from kernel.acts import Act, InSubject, OrMissing


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountOpened(Act):
    kind: ClassVar[str] = "ledger.account-opened"
    code: str
    name: str
    kind_: str
    whole_cents: bool

    @property
    def subject(self) -> str:
        return f"account:{self.code}"

    def sentence(self) -> str:
        return f"opened the account {self.code}, “{self.name}”"


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfKey(Act):
    key: InSubject[str]  # its fingerprint
    public: bytes

    @property
    def subject(self) -> str:
        return f"key:{self.key}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessKeys:
    """Who the witness is: pinning its Ed25519 key pins its RSA key too."""

    name: str
    public: bytes  # Ed25519: cosigns checkpoints, chains answers
    rsa: bytes  # SubjectPublicKeyInfo, DER: gives the unique signatures
    endorsement: bytes  # of the RSA key's hash, by the Ed25519 key
    dice: str  # thrown at the key ceremony,
    roots: list[bytes]  # and the answers to the challenges made from key and dice: the key is a permutation
    same_machine: bool  # it stands on the house's own machine, and guards against everybody but root


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstKey(_OfKey):
    """The first sealing key announces itself, and the witness that the log begins with."""

    kind: ClassVar[str] = "keys.first"
    witness: OrMissing[WitnessKeys] = None

    def sentence(self) -> str:
        return f"began to seal with key {self.key}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyHandedOver(_OfKey):
    """Every later key is handed over to by the one before, and accepts."""

    kind: ClassVar[str] = "keys.hand-over"
    from_: str
    signature: bytes
    acceptance: bytes

    def sentence(self) -> str:
        return f"handed sealing over from key {self.from_} to key {self.key}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyDestroyed(Act):
    """The private half of a sealing key that has handed over is no more: nobody can sign with it again."""

    kind: ClassVar[str] = "keys.destroyed"
    key: InSubject[str]

    @property
    def subject(self) -> str:
        return f"key:{self.key}"

    def sentence(self) -> str:
        return f"destroyed the private half of key {self.key}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyInUse(_OfKey):
    """What signs for the house beside the seals: feeds, receipts, exports. Sealed, and so vouched for by the seals."""

    kind: ClassVar[str] = "keys.in-use"
    purpose: str

    def sentence(self) -> str:
        return f"began to use key {self.key} for what the house signs: {self.purpose}"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierPublished(Act):
    """The one file with which a stranger checks an export, as the house serves it from now on."""

    kind: ClassVar[str] = "verifier.published"
    sha256: InSubject[str]
    bytes_: int

    @property
    def subject(self) -> str:
        return f"verifier:{self.sha256}"

    def sentence(self) -> str:
        return f"published the verifier whose SHA-256 is {self.sha256}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessAppointed(Act):
    """An inspector names another witness. It serves what opens after this; what opened before stays the old one's."""

    kind: ClassVar[str] = "witness.appointed"
    witness: WitnessKeys
    before: str  # the name of the witness until now,
    last_number: int  # and the last number of its chain: answers it gives later are nobody's

    @property
    def subject(self) -> str:
        return f"witness:{self.witness.name}"

    def sentence(self) -> str:
        return f"appointed the witness {self.witness.name} after answer {self.last_number} of {self.before}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfOccasion(Act):
    venue: str
    purpose: str
    occasion: str

    @property
    def subject(self) -> str:
        return f"draw:{self.purpose}/{self.occasion}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OccasionSealed(_OfOccasion):
    """The Merkle root over the tickets, entries or contributions: an act of its own, once, and it never changes."""

    kind: ClassVar[str] = "draw.sealed"
    root: bytes
    count: int

    def sentence(self) -> str:
        return f"sealed {self.purpose} {self.occasion}: {self.count} under root {self.root.hex()[:16]}…"


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfAttempt(_OfOccasion):
    attempt: int

    @property
    def subject(self) -> str:
        return f"draw:{self.purpose}/{self.occasion}/{self.attempt}"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptVoid(_OfAttempt):
    """An attempt that was asked for does not count. Says why, and what it would have given."""

    kind: ClassVar[str] = "draw.void"
    cause: str
    numbers: list[int]  # that would have come

    def sentence(self) -> str:
        return f"declared attempt {self.attempt} of {self.purpose} {self.occasion} void: {self.cause}"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked(_OfAttempt):
    """What the witness is asked, whole, before it is sent. Asked again it is the same."""

    kind: ClassVar[str] = "witness.asked"
    witness: str
    root: bytes
    count: int
    act_index: int
    origin: str
    size: int
    checkpoint_root: bytes

    def sentence(self) -> str:
        return f"asked {self.witness} about attempt {self.attempt} of {self.purpose} {self.occasion}"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAnswered(_OfAttempt):
    """What the witness answered, as a link of its chain."""

    kind: ClassVar[str] = "witness.answered"
    witness: str
    number: int
    size: int  # the head under which it was answered,
    checkpoint_root: bytes  # where somebody had asked before: the one he had shown
    answered_at: int  # seconds since 1970, by the witness's clock
    previous: bytes
    answer: bytes
    signature: bytes

    def sentence(self) -> str:
        return (
            f"had answer {self.number} of {self.witness} for attempt {self.attempt} of {self.purpose} {self.occasion}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherAnswerFound(Act):
    """A link of the witness's chain to a question that this log does not hold. Whoever checks us has to see it."""

    kind: ClassVar[str] = "witness.other-answer"
    witness: str
    number: InSubject[int]
    link: dict[str, Any]

    @property
    def subject(self) -> str:
        return f"answer:{self.number}"

    def sentence(self) -> str:
        return f"found answer {self.number} of {self.witness}, which nobody in this log had asked for"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRestored(Act):
    """The database was restored from a backup that ends with this seal and what was written until it was made."""

    kind: ClassVar[str] = "log.restored"
    seal: InSubject[int]
    rows: int
    root: bytes

    @property
    def subject(self) -> str:
        return f"seal:{self.seal}"

    def sentence(self) -> str:
        return f"restored the database from a backup that ends after seal {self.seal}, with {self.rows:,} sealed rows"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRewound(Act):
    """The witness has cosigned what this log does not have. No money moves until another witness is appointed."""

    kind: ClassVar[str] = "log.rewound"
    witness: InSubject[str]
    size: int  # that this log had when it was noticed
    note: str  # the witness's latest checkpoint, with its signature

    @property
    def subject(self) -> str:
        return f"witness:{self.witness}"

    def sentence(self) -> str:
        return f"found that {self.witness} has cosigned what this log of {self.size:,} rows does not have"
