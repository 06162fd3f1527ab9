"""What the house writes to the log of incidents. Pure: the verifier reads the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from kernel.acts import Act, InSubject


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfIncident(Act):
    incident: InSubject[int]

    @property
    def subject(self) -> str:
        return f"incident:{self.incident}"


@dataclass(frozen=True, slots=True)
class NoticeDue:
    to: str
    due_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentReported(_OfIncident):
    kind: ClassVar[str] = "incident.reported"
    kind_: str
    clause: str
    what: str
    about: str
    happened_at: datetime
    notices: Sequence[NoticeDue]

    def sentence(self) -> str:
        return f"reported incident {self.incident} ({self.kind_}): {self.what}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Notice(_OfIncident):
    to: str
    how: str
    at: datetime
    reference: str
    notes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentTold(_Notice):
    kind: ClassVar[str] = "incident.told"

    def sentence(self) -> str:
        return f"told {self.to} of incident {self.incident} by {self.how}"


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentNotReached(_Notice):
    kind: ClassVar[str] = "incident.not-reached"

    def sentence(self) -> str:
        return f"tried to tell {self.to} of incident {self.incident} by {self.how}, and reached nobody"


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentClosed(_OfIncident):
    kind: ClassVar[str] = "incident.closed"
    outcome: str

    def sentence(self) -> str:
        return f"closed incident {self.incident}: {self.outcome}"
