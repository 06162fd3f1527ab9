"""Nobody edits a meter: an adjustment is a transfer with a cause code and two people; so is the end of a pool."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db import transaction
from django.utils import timezone

from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import Proposal
from jackpot import links, movements, pools, promises, steps, tables, terms
from jackpot.acts import LinkAdjusted, LinkRetired
from jackpot.models import Hit, Link, Round, Table
from jackpot.rules import pool as purses
from jackpot.rules.pool import HOUSE, REIMBURSEMENT, RESERVE, Movement, overflow_of
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import Conflict, Refusal
from ledger.post import Booking

ADJUSTMENT: Final = "jackpot.adjustment"
RETIREMENT: Final = "jackpot.retirement"
CAUSES: Final = {
    "overcount": "more wagers were counted than made",
    "undercount": "fewer wagers were counted than made",
    "equipment-fault": "equipment showed or counted wrongly",
    "misposted": "booked to the wrong purse",
    "promotion": "the house adds to the jackpot",
    "regulator": "by direction of the regulator",
}


@transaction.atomic
def adjust(*, link: str, purse: str, amount: Money, cause: str, by: Actor, proposal: Proposal) -> None:
    """Put an amount into a purse from the house, or (below zero) take it out. Only as an approved proposal."""
    found = links.find_link(link)
    check_adjustment(found, purse=purse, amount=amount, cause=cause)
    links.hold(link)
    move = Movement(HOUSE, purse, amount) if amount > ZERO else Movement(purse, HOUSE, -amount)
    purses.apply(pools.read_pools(link, levels=found.levels).balances, [move])
    record_act(LinkAdjusted(link=link, purse=purse, amount=amount, cause=cause, proposal=proposal.pk), by=by)
    pools.book(
        link=link,
        movements=[move],
        kind=ADJUSTMENT,
        reference=f"proposal/{proposal.pk}",
        # An adjustment is the house's gain or loss, not an advance that the pool would pay back.
        outside={HOUSE: pools.account(link, HOUSE)},
        memo={"cause": cause, "why": proposal.why, "proposed_by": proposal.proposed_by},
        by=by,
        day=gaming_day_at(timezone.now()).date,
    )


def check_adjustment(link: Link, *, purse: str, amount: Money, cause: str) -> None:
    steps.must_be_open(link)
    if purse not in pools.players_purses(link.levels):
        known = ", ".join(pools.players_purses(link.levels))
        raise Refusal("no-such-purse", f"{link} has no purse {purse!r}: it has {known}.", field="purse")
    if not amount:
        raise Refusal("nothing-changes", "An adjustment of nothing is none.", field="amount")
    if cause not in CAUSES:
        raise Refusal("no-such-cause", f"The causes are {', '.join(CAUSES)}.", field="cause")
    held = pools.read_pools(link.code, levels=link.levels).balances[purse]
    if promises.is_must_hit_by_link(link) and purse not in (allowed := adjustable(link)):
        raise Refusal(
            "meter-stands",
            f"Only wagers move the meter of {link}: adjust {' or '.join(allowed)}, from which its next pool starts.",
            field="purse",
        )
    if held + amount < ZERO:
        raise Refusal("purse-short", f"There is only {held} in {purse}.", field="amount")


def adjustable(link: Link) -> list[str]:
    """The purses that may be adjusted: of a must-hit-by link the reserve and what waits for its next pool."""
    if promises.is_must_hit_by_link(link):
        return [RESERVE, *(overflow_of(level) for level in link.levels)]
    return [*link.levels, RESERVE, REIMBURSEMENT]


@transaction.atomic
def retire(*, link: str, into: str, by: Actor, proposal: Proposal) -> None:
    """End a pool. What players put into it goes, purse by purse, to another one."""
    old, new = links.find_link(link), links.find_link(into)
    links.hold(link, into)
    links.shut(old)
    list(Table.objects.select_for_update().filter(link=old))  # no round begins meanwhile
    check_retirement(old, new)
    day = gaming_day_at(timezone.now()).date
    held = pools.read_pools(link, levels=old.levels)
    retired = LinkRetired(link=link, into=into, moved=held.balances, advanced=held.advanced, proposal=proposal.pk)
    record_act(retired, by=by)
    pools.post_once(
        bookings=[
            Booking(
                debit=pools.account(link, purse),
                credit=pools.account(into, _same_purse(purse, old, new)),
                amount=amount,
                kind=RETIREMENT,
                reference=f"{link}/{purse}",
                memo={"into": into, "why": proposal.why, "proposed_by": proposal.proposed_by, "seen": held.seen},
            )
            for purse, amount in held.balances.items()
            if amount > ZERO
        ],
        what=f"the retirement of {link}",
        by=by,
        day=day,
    )
    moment = timezone.now()
    tables.close_all(old, at=moment)
    old.status, old.retired_at, old.retired_into = Link.Status.RETIRED, moment, new
    old.save(update_fields=["status", "retired_at", "retired_into"])


def sweep(old: Link, moves: Iterable[Movement], *, reference: str) -> list[Booking]:
    """What still comes in for a link after its end goes where its money went."""
    new = old.retired_into
    assert new is not None
    purse_of = pools.players_purses(old.levels)
    return [
        Booking(
            debit=pools.account(old.code, move.target),
            credit=pools.account(new.code, _same_purse(move.target, old, new)),
            amount=move.amount,
            kind=RETIREMENT,
            reference=f"{old.code}/{reference}/{move.target}",
            memo={"into": new.code},
        )
        for move in moves
        if move.target in purse_of
    ]


def check_retirement(old: Link, new: Link) -> None:
    if old == new:
        raise Refusal("same-pool", "A pool cannot be retired into itself.", field="into")
    steps.must_be_open(new)
    check_end(old)
    terms.in_force(new)


def check_end(old: Link) -> None:
    """Whether a link can end now: nobody plays for it in this moment, and nobody is owed anything of it."""
    steps.must_be_open(old)
    if not Table.objects.filter(link=old).exists() and not old.terms.exists():
        raise Refusal("not-a-link", f"{old} is not a link of tables.", field="subject")
    if Round.objects.filter(terms__link=old, status=Round.Status.OPEN).exists():
        raise Conflict("round-open", f"A round is open on {old}: finish or void it first.")
    if promises.is_must_hit_by_link(old):
        movements.must_be_settled(old)
    if Hit.objects.filter(link=old, status__in=[Hit.Status.CLAIMED, Hit.Status.VERIFIED]).exists():
        raise Conflict("hit-open", f"Something won on {old} is neither paid nor denied yet.")


def _same_purse(purse: str, old: Link, new: Link) -> str:
    """The purse of the other pool: of the same name where it has one, else its first level. What would move
    the meter of a must-hit-by link waits beside it instead."""
    same = purse if purse in pools.players_purses(new.levels) else new.levels[0]
    return overflow_of(same) if same in new.levels and promises.is_must_hit_by_link(new) else same
