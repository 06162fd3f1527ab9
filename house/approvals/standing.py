"""By whose word something is in force: the authority's own act, a letter's, or nobody's, as in the demo."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from house.approvals.steps import letter_of
from house.models import LetterStatus, Proposal
from kernel.authority import Authority


class Basis(StrEnum):
    DECIDED = "decided"  # the authority decided in its own name
    LETTER = "letter"
    DEMO = "demo"  # what a demo or a new house starts with


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How an approved value came into force. Marked "by letter" until the authority has countersigned."""

    authority: Authority
    basis: Basis
    countersigned_at: datetime | None = None
    disputed_at: datetime | None = None
    reference: str = ""

    @property
    def by_letter(self) -> bool:
        return self.basis is Basis.LETTER

    @property
    def countersigned(self) -> bool:
        return self.countersigned_at is not None

    @property
    def mark(self) -> str:
        """What stands beside it wherever it is shown; empty where the authority itself has decided."""
        if self.basis is Basis.DEMO:
            return "Demo value: nobody has approved it"
        if not self.by_letter:
            return ""
        if self.disputed_at is not None:
            return f"By letter {self.reference}, which is disputed"
        return (
            f"By letter {self.reference}, countersigned"
            if self.countersigned
            else f"By letter {self.reference}, not countersigned"
        )

    @property
    def tone(self) -> str:
        """The style of the mark."""
        if self.disputed_at is not None:
            return "is-stopped"
        return "is-good" if self.countersigned else "is-attention"


def standing_of(proposal: Proposal | None, *, authority: Authority | None = None) -> Standing:
    """Of what a proposal put in force; without one, of what nobody approved."""
    if proposal is None:
        return Standing(authority=authority or Authority.HOUSE, basis=Basis.DEMO)
    named = Authority(proposal.authority)
    letter = letter_of(proposal) if proposal.by_letter else None
    if letter is None:
        return Standing(authority=named, basis=Basis.DECIDED)
    return Standing(
        authority=named,
        basis=Basis.LETTER,
        reference=letter.reference,
        countersigned_at=letter.answered_at if letter.status == LetterStatus.COUNTERSIGNED else None,
        disputed_at=letter.answered_at if letter.status == LetterStatus.DISPUTED else None,
    )
