"""Wagers of a must-hit-by link back to their players after they had counted: the house's cost, and reported.

What they moved the meter by stays, and so does what was decided: who could know the outcome must not take a stake back
from the pool. Two people, by a proposal (``must_hit_by_changes.py``).
"""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from house import incidents
from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import Proposal
from jackpot import pools
from jackpot.acts import WagersRefunded
from jackpot.finish_round import find_round, give_back
from jackpot.incident_kinds import REFUNDED_AFTER
from jackpot.models import Link, Round, Wager
from jackpot.rules.pool import HOUSE, Movement
from jackpot.start_round import reference
from jackpot.void_round import INVALIDATION_CAUSES
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Conflict, Refusal

REFUND: Final = "jackpot.refund"
CAUSES: Final = INVALIDATION_CAUSES


def check(link: Link, *, round_id: int, cause: str) -> None:
    if cause not in CAUSES:
        raise Refusal("no-such-cause", f"The causes are {', '.join(CAUSES)}.", field="cause")
    found = find_round(round_id)
    if found.terms.link_id != link.pk:
        raise Refusal("not-on-this-link", f"Round {round_id} was not played on {link}.", field="round")
    if found.status != Round.Status.FINISHED:
        raise Conflict("round-not-finished", f"Round {round_id} is {found.status}: nothing of it has counted.")


@transaction.atomic
def refund(link: Link, *, round_id: int, cause: str, by: Actor, proposal: Proposal) -> None:
    """Only as an approved proposal. The link is held by the caller."""
    ended = Round.objects.select_for_update(of=("self",)).select_related("table", "terms__link").get(pk=round_id)
    check(link, round_id=round_id, cause=cause)
    wagers = list(Wager.objects.filter(round=ended))
    amount = Money.total(wager.amount for wager in wagers)
    moment = timezone.now()
    record_act(
        WagersRefunded(
            code=link.code,
            round=ended.pk,
            table=ended.table.code,
            refunded=amount,
            cause=cause,
            proposal=proposal.pk,
        ),
        by=by,
    )
    pools.book(
        link=link.code,
        movements=[Movement(HOUSE, pools.DROP, amount)],
        kind=REFUND,
        reference=reference(ended),
        outside={HOUSE: pools.account(link.code, HOUSE)},  # its cost, not an advance that the pool would pay back
        memo={"table": ended.table.code, "cause": cause, "proposed_by": proposal.proposed_by},
        by=by,
        day=gaming_day_at(moment).date,
    )
    give_back(ended, wagers, by)
    ended.status, ended.why = Round.Status.INVALIDATED, f"{cause}: refunded at the house’s cost"
    ended.save(update_fields=["status", "why"])
    incidents.open_incident(
        kind=REFUNDED_AFTER,
        what=f"Round {ended.pk} at {ended.table}: ${amount} refunded after its wagers had counted, because {cause}.",
        by=by,
        subject=link.subject,
    )
