"""Proposals of every kind, which wait for somebody's word."""

from __future__ import annotations

from typing import Final

from django.utils import timezone

from house.approvals import kinds
from house.models import Proposal
from kernel.authority import Authority

WEEK: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


# Where somebody is concerned there must be somebody.
_SUBJECTS: Final = {
    "house.staff-roles": "staff:dealer",
    "house.access": "staff:dealer",
    "house.device-registration": "staff:dealer",
    "house.device-token": "S-0001",
    "house.device-holder": "S-0001",
}


_NEW: Final = {"house.device-holder": {"holder": "staff:dealer", "profile": "supervisor"}}


def one_of_each_kind() -> dict[str, Proposal]:
    """A proposal of every kind that waits, as if somebody else had made it: who may decide it does not hang on what it
    says. Where its rule decides whose word it takes, the house's."""
    return {
        name: Proposal.objects.create(
            kind=name,
            subject=_SUBJECTS.get(name, "nobody"),
            authority=kind.fixed_authority or Authority.HOUSE,
            new=_NEW.get(name),
            why="Shown.",
            proposed_by="staff:somebody-else",
            proposed_at=timezone.now(),
        )
        for name, kind in kinds().items()
    }
