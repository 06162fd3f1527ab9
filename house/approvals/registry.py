"""What "approved" covers. A room registers each kind of change that needs a second person."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from house.actors import Actor
from house.models import Proposal
from house.refusal import NotFound

Value = Any  # what JSON can hold


@dataclass(frozen=True, slots=True)
class Approvable:
    kind: str
    label: str
    permission: str  # to decide
    propose_permission: str
    # A sentence for people: what would change. (subject, old, new)
    describe: Callable[[str, Value, Value], str]
    # The value in force. (subject); refuses a subject that does not exist
    current: Callable[[str], Value]
    # Refuses an impossible value, when it is proposed and again before it takes effect. (subject, new)
    check: Callable[[str, Value], None]
    # Makes it so, inside the transaction that marks the proposal effective. The actor is who approved.
    apply: Callable[[Proposal, Actor], None]
    # Named moments that a proposal of this kind may wait for, such as "when-won" (see effect.condition_met).
    conditions: frozenset[str]
    # Whose own affair it is, if anybody's: that person may not decide. (subject)
    concerns: Callable[[str], str | None]


_kinds: dict[str, Approvable] = {}


def approvable(
    *,
    kind: str,
    permission: str,
    describe: Callable[[str, Value, Value], str],
    current: Callable[[str], Value],
    check: Callable[[str, Value], None],
    apply: Callable[[Proposal, Actor], None],
    label: str | None = None,
    propose_permission: str = "approvals.propose",
    conditions: Iterable[str] = (),
    concerns: Callable[[str], str | None] = lambda subject: None,
) -> str:
    """Register a kind of change. Called once, from a room's AppConfig.ready; answers the kind."""
    if kind in _kinds:
        raise ValueError(f"{kind} is registered twice")
    _kinds[kind] = Approvable(
        kind=kind,
        label=label or kind,
        permission=permission,
        propose_permission=propose_permission,
        describe=describe,
        current=current,
        check=check,
        apply=apply,
        conditions=frozenset(conditions),
        concerns=concerns,
    )
    return kind


def kinds() -> Mapping[str, Approvable]:
    return MappingProxyType(_kinds)


def find(kind: str) -> Approvable:
    if kind not in _kinds:
        raise NotFound("no-such-kind", f"There is no kind of change “{kind}”.", field="kind")
    return _kinds[kind]
