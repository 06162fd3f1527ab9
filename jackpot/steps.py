"""What may be done next, and by whom: with a hit, a round, a link, a table.

A function that begins with ``must`` refuses, and the verbs ask it; each ``…_steps`` answers what would not be refused
to this person now, by asking the same functions, and that is all a page shows. What only a form's words decide (a hand
that differs, a reason that is missing) is the verb's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final, TypeVar

from django.db.models import QuerySet

from house.models import Proposal
from house.permissions import PROPOSE
from house.persons import is_another, persons_behind
from jackpot import at_once, permissions
from jackpot.models import Hit, HitStatus, Link, Round, RoundStatus, Table, TableStatus
from kernel.actors import Actor
from kernel.codes import Permission
from kernel.refusal import Conflict, Forbidden, Refusal

Thing = TypeVar("Thing", Hit, Link, Table)
Step = TypeVar("Step", bound=StrEnum)

END_KIND: Final = "jackpot.waiting-round"
WRONG_ENTRIES_LIMIT: Final = 3  # of a hand by its verifier; the last of them is an incident


class HitStep(StrEnum):
    VERIFY = "verify"
    AUTHORISE = "authorise"
    PAY = "pay"
    DENY = "deny"
    SLIP = "slip"


class LinkStep(StrEnum):
    PROPOSE_TERMS = "propose-terms"
    ADJUST = "adjust"
    RETIRE = "retire"


class TableStep(StrEnum):
    START = "start"
    OPEN = "open"
    CLOSE = "close"
    SUSPEND = "suspend"
    MOVE = "move"


# A table's device works at its own tables, and nowhere else


def must_be_at(table: str, by: Actor) -> None:
    if by.tables is not None and table not in by.tables:
        raise Forbidden("not-your-table", f"{by.name} works at {', '.join(sorted(by.tables)) or 'no table'} only.")


# A hit: dealt at a table, verified by a supervisor, paid by a manager; nobody acts twice on it


def took_part(hit: Hit, by: Actor) -> bool:
    """Whether this person, or this device in whoever's hands, dealt the hand or took a step of the hit already."""
    people = {hit.claimed_by, hit.verified_by, hit.authorised_by}
    devices = {hit.claimed_device, hit.verified_device, hit.authorised_device}
    if hit.round is not None:
        people |= {hit.round.started_by, hit.round.ended_by}
        devices |= {hit.round.started_device, hit.round.ended_device}
        people |= set(hit.round.late_hands.values_list("proposal__proposed_by", flat=True))
        people |= set(proposed_ends(hit.round).values_list("proposed_by", flat=True))
    if by.device is not None and (by.device in devices or f"device:{by.device}" in people):
        return True
    return by.identity in persons_behind(*people)


def proposed_ends(ended: Round) -> QuerySet[Proposal]:
    """Who said how a round ended that a win had been waiting for (``waiting_rounds.py``)."""
    return Proposal.objects.filter(kind=END_KIND, subject=ended.terms.link.subject, new__round=ended.pk)


def must_be_another_person(hit: Hit, by: Actor, power: Permission) -> None:
    if took_part(hit, by) or not is_another(by, power, hit.claimed_by, hit.verified_by, hit.authorised_by):
        raise Forbidden("same-person", "Another person has to do this: nobody acts twice on a hit.")


def must_be_a_third(proposal: Proposal, by: Actor) -> None:
    """What two people decided is paid by another than they."""
    people = [each for each in (proposal.proposed_by, proposal.decided_by, proposal.seconded_by) if each]
    if by.identity in persons_behind(*people) or not is_another(by, permissions.PAY, *people):
        raise Forbidden("same-person", "Another person pays it than who proposed or decided it.")


def must_verify(hit: Hit, by: Actor) -> None:
    by.require(permissions.VERIFY)
    _must_be(hit, HitStatus.CLAIMED, "verified")
    must_be_another_person(hit, by, permissions.VERIFY)
    if hit.wrong_entries.filter(entered_by=by.identity).count() >= WRONG_ENTRIES_LIMIT:
        raise Forbidden(
            "too-many-wrong-entries",
            "You have entered other cards than were dealt too often: another person verifies this hit, or denies it.",
        )


def must_attend(hit: Hit, by: Actor) -> None:
    """Go to the table: whoever could verify it. Who dealt it is there already."""
    by.require(permissions.VERIFY)
    _must_be(hit, HitStatus.CLAIMED, "attended")
    if took_part(hit, by):
        raise Forbidden("same-person", "Another person comes to the table: you dealt this hit.")


def may_see_cards(hit: Hit, by: Actor) -> bool:
    """Before a hit is verified, only those see its cards who look after others and never verify."""
    return hit.status != HitStatus.CLAIMED or (by.may(permissions.CARDS) and not by.may(permissions.VERIFY))


def must_authorise(hit: Hit, by: Actor) -> None:
    by.require(permissions.AUTHORISE)
    _must_be(hit, HitStatus.VERIFIED, "authorised")
    if hit.authorised_at is not None:
        raise Conflict("hit-authorised", f"The payment of hit {hit.pk} is authorised already.")
    must_be_another_person(hit, by, permissions.AUTHORISE)


def must_pay(hit: Hit, by: Actor) -> None:
    by.require(permissions.PAY)
    _must_be(hit, HitStatus.VERIFIED, "paid")
    must_be_another_person(hit, by, permissions.PAY)
    must_not_wait(hit)


def must_not_wait(hit: Hit) -> None:
    """Majors won at the same time on linked tables share: until it is known who shares, nobody is paid."""
    if waits := what_it_waits_for(hit):
        raise Conflict("hit-waits", f"Hit {hit.pk} waits: {waits}.", clause="act-pg:13.3")


def what_it_waits_for(hit: Hit) -> str:
    """In words; nothing: it does not wait."""
    if not hit.restarts or hit.status in (HitStatus.PAID, HitStatus.DENIED):
        return ""
    if rounds := at_once.still_open(hit):
        named = ", ".join(f"round {each.pk} at {each.table}" for each in rounds)
        return f"{named} was open when it was won, and may win a share of it"
    if others := at_once.not_verified(hit):
        named = ", ".join(f"hit {each.pk} at {each.table}" for each in others)
        return f"{named} shares it, and is neither verified nor denied"
    return ""


def must_deny(hit: Hit, by: Actor) -> None:
    by.require(permissions.DENY)
    if hit.status not in (HitStatus.CLAIMED, HitStatus.VERIFIED):
        raise Conflict("hit-decided", f"Hit {hit.pk} is {hit.status} already.")
    must_be_another_person(hit, by, permissions.DENY)


def must_print(hit: Hit, by: Actor) -> None:
    by.require(permissions.SLIPS)
    must_have_a_slip(hit)


def must_have_a_slip(hit: Hit) -> None:
    if hit.status == HitStatus.CLAIMED:
        raise Conflict("hit-not-ready", f"Hit {hit.pk} has no slip before it is verified.")


def _must_be(hit: Hit, status: HitStatus, to_be: str) -> None:
    if hit.status != status:
        raise Conflict("hit-not-ready", f"Hit {hit.pk} is {hit.status}: only a {status} one can be {to_be}.")


def hit_steps(hit: Hit, by: Actor) -> frozenset[HitStep]:
    checks = {HitStep.VERIFY: must_verify, HitStep.PAY: must_pay, HitStep.DENY: must_deny, HitStep.SLIP: must_print}
    return _allowed(checks, hit, by)


# A round: a late or doubled message from a controller finds it ended


def must_finish(ending: Round, by: Actor) -> None:
    by.require(permissions.PLAY)
    must_be_its_table(ending, by)
    must_be_running(ending, RoundStatus.OPEN)
    _must_not_be_overdue(ending)


def must_void(ending: Round, by: Actor) -> None:
    by.require(permissions.VOID)
    must_be_its_table(ending, by)
    must_be_running(ending, RoundStatus.OPEN)
    _must_not_be_overdue(ending)


def _must_not_be_overdue(ending: Round) -> None:
    if at_once.is_overdue(ending):
        raise Conflict(
            "two-people-end-it",
            f"A jackpot has been waiting for round {ending.pk} for five minutes: one person proposes how it ended, "
            "another decides.",
            clause="act-pg:13.3",
        )


def must_invalidate(ending: Round, by: Actor) -> None:
    by.require(permissions.INVALIDATE)
    must_be_at(ending.table.code, by)
    must_be_running(ending, RoundStatus.OPEN, RoundStatus.FINISHED)


def must_be_its_table(ending: Round, by: Actor) -> None:
    """A round is ended by the table that started it: a device of that table, or the person who did; or by a
    supervisor."""
    must_be_at(ending.table.code, by)
    if by.tables is None and by.identity != ending.started_by and not by.may(permissions.INVALIDATE):
        raise Forbidden("not-your-round", f"Round {ending.pk} is ended by who started it, or by a supervisor.")


def must_be_running(ending: Round, *statuses: RoundStatus) -> None:
    if ending.status not in statuses:
        raise Conflict("round-ended", f"Round {ending.pk} is {ending.status} already.")


# A link: everything that changes it is proposed, and needs a second person


def must_be_open(link: Link, *, field: str | None = None) -> None:
    if link.status != Link.Status.OPEN:
        raise Conflict("pool-retired", f"Jackpot {link} is retired.", field=field)


def must_propose(link: Link, by: Actor) -> None:
    by.require(PROPOSE)
    must_be_open(link)


def link_steps(link: Link, by: Actor) -> frozenset[LinkStep]:
    return _allowed(dict.fromkeys(LinkStep, must_propose), link, by)


# A table's jackpot


def must_start(table: Table, by: Actor) -> None:
    by.require(permissions.PLAY)
    must_be_at(table.code, by)
    if table.status != TableStatus.OPEN:
        raise Conflict(
            "table-not-open",
            f"The jackpot of {table.code} is {table.status}: play goes on without it.",
            clause="nsw-csp:14.15" if table.status == TableStatus.SUSPENDED else None,
        )


def must_open(table: Table, by: Actor) -> None:
    by.require(permissions.TABLES)
    must_be_at(table.code, by)
    must_be_open(table.link)
    _must_change(table, TableStatus.OPEN)


def must_close(table: Table, by: Actor) -> None:
    by.require(permissions.TABLES)
    must_be_at(table.code, by)
    _must_change(table, TableStatus.CLOSED)


def must_move(table: Table, by: Actor) -> None:
    by.require(permissions.TABLES)
    must_be_at(table.code, by)


def must_suspend(table: Table, by: Actor) -> None:
    by.require(permissions.TABLES)
    must_be_at(table.code, by)
    _must_change(table, TableStatus.SUSPENDED)


def _must_change(table: Table, status: TableStatus) -> None:
    if table.status == status:
        raise Conflict("table-is-so", f"The jackpot of {table.code} is {status} already.")


_OF_TABLE: Final = {
    TableStep.START: must_start,
    TableStep.OPEN: must_open,
    TableStep.CLOSE: must_close,
    TableStep.SUSPEND: must_suspend,
    TableStep.MOVE: must_move,
}


def table_steps(table: Table, by: Actor) -> frozenset[TableStep]:
    return _allowed(_OF_TABLE, table, by)


def terminal_steps(by: Actor) -> frozenset[str]:
    """What the terminal at a table offers this person; whether it can be done just now, the round and table say."""
    needs = {"void": permissions.VOID, "tables": permissions.TABLES}
    return frozenset(step for step, permission in needs.items() if by.may(permission))


def would_allow(check: Callable[..., None], *asked: object) -> bool:
    try:
        check(*asked)
    except Refusal:
        return False
    return True


def _allowed(checks: Mapping[Step, Callable[[Thing, Actor], None]], thing: Thing, by: Actor) -> frozenset[Step]:
    return frozenset(step for step, check in checks.items() if would_allow(check, thing, by))
