"""What the house writes to the log of approvals. Pure: the verifier reads the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kernel.acts import Act, InSubject, Json, OrMissing


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfProposal(Act):
    """``kind_`` is the kind of change and ``about`` its subject, as the proposal names them."""

    proposal: InSubject[int]
    kind_: str
    about: str

    @property
    def subject(self) -> str:
        return f"proposal:{self.proposal}"

    @property
    def change(self) -> str:
        return f"the change {self.proposal} of {self.about} ({self.kind_})"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeProposed(_OfProposal):
    kind: ClassVar[str] = "approval.proposed"
    old: Json
    new: Json
    why: str
    effective_from: str | None
    condition: str
    authority: OrMissing[str] = None

    def sentence(self) -> str:
        return f"proposed {self.change}: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeTakenUp(_OfProposal):
    """A person stands for what the command line proposed: from now on it is his proposal."""

    kind: ClassVar[str] = "approval.taken-up"
    proposed_by: str

    def sentence(self) -> str:
        return f"took up {self.change}, which {self.proposed_by.removeprefix('system:')} had proposed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSeconded(_OfProposal):
    """A second person of the house stands behind it; now its authority may decide."""

    kind: ClassVar[str] = "approval.seconded"

    def sentence(self) -> str:
        return f"seconded {self.change}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Decided(_OfProposal):
    comment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeApproved(_Decided):
    """``letter`` is the hash of the authority's letter, where one decided and not the authority itself."""

    kind: ClassVar[str] = "approval.approved"
    authority: OrMissing[str] = None
    letter: OrMissing[str] = None

    def sentence(self) -> str:
        return f"approved {self.change}" + (" by letter" if self.letter else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRejected(_Decided):
    kind: ClassVar[str] = "approval.rejected"

    def sentence(self) -> str:
        return f"rejected {self.change}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeWithdrawn(_Decided):
    kind: ClassVar[str] = "approval.withdrawn"

    def sentence(self) -> str:
        return f"withdrew {self.change}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ended(_OfProposal):
    old: Json
    new: Json
    outcome: str
    authority: OrMissing[str] = None
    letter: OrMissing[str] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeEffective(_Ended):
    """*number*: of the version that it put in force, where it is an approved value. Tickets name it."""

    kind: ClassVar[str] = "approval.effective"
    number: OrMissing[int] = None

    def sentence(self) -> str:
        return f"put {self.change} into effect" + (" by letter" if self.letter else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeStale(_Ended):
    kind: ClassVar[str] = "approval.stale"

    def sentence(self) -> str:
        return f"found {self.change} stale: {self.outcome}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeFailed(_Ended):
    kind: ClassVar[str] = "approval.failed"

    def sentence(self) -> str:
        return f"could not put {self.change} into effect: {self.outcome}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeWaitsAgain(_OfProposal):
    """What it had waited for did not happen after all: it is not in force any more, and waits."""

    kind: ClassVar[str] = "approval.waits-again"
    why: str

    def sentence(self) -> str:
        return f"let {self.change} wait again: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueInstalled(Act):
    """A value that the demo or the installation starts with: nobody approved it. *number*: of its version."""

    kind: ClassVar[str] = "approval.installed"
    kind_: str
    code: str
    value: Json
    authority: str
    number: OrMissing[int] = None

    @property
    def subject(self) -> str:
        return f"{self.kind_}:{self.code}"

    def sentence(self) -> str:
        return f"put {self.kind_} {self.code} in force at the beginning; nobody has approved it"


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfLetter(_OfProposal):
    """``letter`` is the SHA-256 of its document. The name under it stays out of the log."""

    authority: str
    office: str
    reference: str
    letter: str

    @property
    def paper(self) -> str:
        return f"letter {self.reference} of {self.office} about {self.change}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterRecorded(_OfLetter):
    kind: ClassVar[str] = "approval.letter-recorded"
    dated: str

    def sentence(self) -> str:
        return f"put {self.paper} on record"


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterConfirmed(_OfLetter):
    kind: ClassVar[str] = "approval.letter-confirmed"
    recorded_by: str

    def sentence(self) -> str:
        return f"confirmed {self.paper}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterDiscarded(_OfLetter):
    kind: ClassVar[str] = "approval.letter-discarded"
    comment: str

    def sentence(self) -> str:
        return f"discarded {self.paper}: {self.comment}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterCountersigned(_OfLetter):
    kind: ClassVar[str] = "approval.letter-countersigned"
    comment: str

    def sentence(self) -> str:
        return f"countersigned {self.paper}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterDisputed(_OfLetter):
    kind: ClassVar[str] = "approval.letter-disputed"
    comment: str
    incident: int

    def sentence(self) -> str:
        return f"disputed {self.paper}: {self.comment}"
