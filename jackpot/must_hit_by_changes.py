"""What changes of must-hit-by links need more than one person: a table that joins, a refund, an attempt that is void.

The subject is ``jackpot:MYS``. A table joins a link that is played for only when it is won. A refund after the wagers
counted is the house's cost and moves no meter. An attempt is void by two people and the inspector, only while its
movement is undecided, and the next attempt is at the same wagers.
"""

from __future__ import annotations

from dataclasses import dataclass

from house.approvals import Approvable, Record, Shape
from house.models import Proposal
from jackpot import links, permissions, promises, refund, tables, void_movement
from jackpot.approvables import code_of, link_of
from jackpot.claim import JOIN_KIND, WHEN_WON
from jackpot.models import Link
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.refusal import Refusal
from web.fields import Text, WholeNumber


def _must_hit_by(subject: str) -> Link:
    link = link_of(subject)
    if not promises.is_must_hit_by_link(link):
        raise Refusal("not-must-hit-by", f"{link} is no must-hit-by link.", field="subject")
    return link


def _hold(subject: str, new: object) -> None:
    links.hold(code_of(subject))


def _exists(subject: str) -> None:
    _must_hit_by(subject)


# A table that joins: {"table": "MYS-04", "boxes": 7}


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    table: str
    boxes: int


class JoiningValue(Record):
    """A table that joins a must-hit-by link when it is won."""

    table = Text(max_length=16)
    boxes = WholeNumber(min_value=1, max_value=20)
    makes = Joining


def _check_joining(subject: str, new: Joining) -> None:
    tables.check_table(_must_hit_by(subject), code=new.table, boxes=new.boxes)


def _apply_joining(proposal: Proposal, new: Joining, by: Actor) -> None:
    tables.put_on(_must_hit_by(proposal.subject), code=new.table, boxes=new.boxes, by=by)


JOINING = Approvable(
    kind=JOIN_KIND,
    label="A table that joins a must-hit-by jackpot",
    shape=Shape[Joining](JoiningValue()),
    authority=Authority.HOUSE,
    permission=permissions.DECIDE,
    describe=lambda subject, old, new: f"{new.table}, with {new.boxes} boxes, joins {code_of(subject)} when it is won.",
    current=_exists,
    check=_check_joining,
    hold=_hold,
    apply=_apply_joining,
    conditions=[WHEN_WON],
    only_when=lambda subject, new: WHEN_WON,
)


# A refund: {"round": 12, "cause": "fire"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Refund:
    round: int
    cause: str


class RefundValue(Record):
    """The wagers of a round that have counted, back to its players, at the house's cost."""

    round = WholeNumber(min_value=1)
    cause = Text(max_length=64, help_text=f"One of: {', '.join(refund.CAUSES)}.")
    makes = Refund


def _check_refund(subject: str, new: Refund) -> None:
    refund.check(_must_hit_by(subject), round_id=new.round, cause=new.cause)


def _apply_refund(proposal: Proposal, new: Refund, by: Actor) -> None:
    refund.refund(_must_hit_by(proposal.subject), round_id=new.round, cause=new.cause, by=by, proposal=proposal)


REFUND = Approvable(
    kind="jackpot.refund",
    label="A refund on a must-hit-by jackpot after its wagers counted",
    shape=Shape[Refund](RefundValue()),
    authority=Authority.HOUSE,
    permission=permissions.DECIDE,
    describe=lambda subject, old, new: (
        f"{code_of(subject)}: the wagers of round {new.round} back, at the house’s cost."
    ),
    current=_exists,
    check=_check_refund,
    hold=_hold,
    apply=_apply_refund,
)


# An attempt that is void: {"number": 42, "attempt": 1, "cause": "…"}


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidAttempt:
    number: int
    attempt: int
    cause: str


class VoidAttemptValue(Record):
    """An attempt at deciding a movement that does not count. Never one that is decided."""

    number = WholeNumber(min_value=1, help_text="Of the sealed movement.")
    attempt = WholeNumber(min_value=1)
    cause = Text(max_length=200)
    makes = VoidAttempt


def _check_void(subject: str, new: VoidAttempt) -> None:
    void_movement.check(_must_hit_by(subject), number=new.number, attempt=new.attempt, cause=new.cause)


def _apply_void(proposal: Proposal, new: VoidAttempt, by: Actor) -> None:
    link = _must_hit_by(proposal.subject)
    void_movement.void_attempt(link, number=new.number, attempt=new.attempt, cause=new.cause, by=by)


VOID_ATTEMPT = Approvable(
    kind="jackpot.void-attempt",
    label="An attempt at a must-hit-by movement that is void",
    shape=Shape[VoidAttempt](VoidAttemptValue()),
    authority=Authority.INSPECTOR,
    second=permissions.VOID_MOVEMENT,
    describe=lambda subject, old, new: (
        f"{code_of(subject)}: attempt {new.attempt} at movement {new.number} is void, because {new.cause}."
    ),
    current=_exists,
    check=_check_void,
    hold=_hold,
    apply=_apply_void,
)
