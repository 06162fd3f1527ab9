"""What one person tries alone, and how it is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from house.approvals import approve, reject
from house.models import Proposal
from house.permissions import AS_INSPECTOR
from keno.models import Game
from kernel.actors import Actor
from tests.world.people import someone
from tests.world.proposals import one_of_each_kind
from tests.world.refusals import refusal


def other(role: str) -> Actor:
    return someone(role, "somebody-else")


def alone(*codes: str, verb: Callable[..., object], **asked: Any) -> None:
    """It is refused, for being done by the same person."""
    assert refusal(verb, **asked).code in codes


def decided_by_proposer(by: Actor) -> None:
    """Of every kind: whoever proposed it decides nothing, and nothing has changed by the proposal itself."""
    everything = Actor(by.identity, by.name, by.permissions | {AS_INSPECTOR})
    for proposal in one_of_each_kind().values():
        type(proposal).objects.filter(pk=proposal.pk).update(proposed_by=by.identity)
        for verb in (approve, reject):
            for who in (by, everything):
                alone("own-proposal", verb=verb, proposal_id=proposal.pk, by=who)


def stands_alone(proposal: Game | Proposal, by: Actor) -> None:
    """Who proposed it neither stands behind it nor decides it."""
    assert isinstance(proposal, Proposal)
    for who in (by, Actor(by.identity, by.name, by.permissions | {AS_INSPECTOR})):
        alone("own-proposal", verb=approve, proposal_id=proposal.pk, by=who)
