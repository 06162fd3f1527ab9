"""When an approved change takes effect: at its time (the tick), or on its condition (the room that knows)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Final

from django.db import OperationalError, transaction
from django.utils import timezone

from house.approval_acts import ChangeEffective, ChangeFailed, ChangeStale, ChangeWaitsAgain
from house.approvals.propose import as_stored
from house.approvals.registry import find
from house.approvals.steps import letter_of
from house.log import record_act
from house.models import ApprovedValue, Proposal, ProposalStatus
from kernel.actors import Actor
from kernel.locks import Lock, hold
from kernel.refusal import Busy, Refusal
from ledger.log import refuse_overtaken

log = logging.getLogger(__name__)

_ENDS: Final = {
    ProposalStatus.EFFECTIVE: ChangeEffective,
    ProposalStatus.STALE: ChangeStale,
    ProposalStatus.FAILED: ChangeFailed,
}


def apply_due(*, now: datetime | None = None) -> list[Proposal]:
    """Put in force what is due, each in its own transaction, so that one that fails stops no other.

    Rows that another worker holds are skipped: each takes effect once.
    """
    now = now or timezone.now()
    approved = Proposal.objects.filter(status=ProposalStatus.APPROVED, condition="")
    done = []
    for pk in list(
        approved.filter(effective_from__lte=now).order_by("effective_from", "id").values_list("pk", flat=True)
    ):
        try:
            with transaction.atomic():
                proposal = approved.select_for_update(skip_locked=True).filter(pk=pk).first()
                if proposal is not None:
                    take_effect(proposal, by=decider(proposal), now=now)
                    done.append(proposal)
        except (Busy, OperationalError):  # a lock that did not come, or not in time: the next tick tries again
            log.warning("proposal %s could not take effect yet", pk, exc_info=True)
    return done


def next_effective() -> datetime | None:
    """From when the next approved proposal is in force."""
    waiting = Proposal.objects.filter(status=ProposalStatus.APPROVED, condition="")
    return waiting.order_by("effective_from").values_list("effective_from", flat=True).first()


@transaction.atomic
def condition_met(
    *,
    condition: str,
    subject: str,
    kinds: Collection[str],
    now: datetime | None = None,
    only: Callable[[Proposal], bool] | None = None,
) -> list[Proposal]:
    """Put in force what waits for this condition, in the caller's transaction: a jackpot was won, say. *only*: where it
    is met for some of what waits."""
    waiting = Proposal.objects.select_for_update().filter(
        status=ProposalStatus.APPROVED, condition=condition, subject=subject, kind__in=kinds
    )
    done = [each for each in waiting.order_by("decided_at", "id") if only is None or only(each)]
    for proposal in done:
        take_effect(proposal, by=decider(proposal), now=now or timezone.now())
    return done


@transaction.atomic
def wait_again(*, proposals: Collection[int], why: str, by: Actor) -> None:
    """What these had waited for did not happen after all. The caller has put back what they had put in force."""
    for proposal in Proposal.objects.select_for_update().filter(pk__in=proposals).order_by("id"):
        assert proposal.status == ProposalStatus.EFFECTIVE
        assert proposal.condition
        proposal.status, proposal.effective_at = ProposalStatus.APPROVED, None
        proposal.save(update_fields=["status", "effective_at"])
        again = ChangeWaitsAgain(proposal=proposal.pk, kind_=proposal.kind, about=proposal.subject, why=why)
        record_act(again, by=by)


def decider(proposal: Proposal) -> Actor:
    """Whose decision it was. Without permissions: those were asked for when it was decided."""
    return Actor(identity=proposal.decided_by or "", name=proposal.decided_by or "")


def take_effect(proposal: Proposal, *, by: Actor, now: datetime) -> None:
    """Apply it, or say why not. The row is held by the caller."""
    change = find(proposal.kind)
    try:
        with transaction.atomic():
            new = change.shape.read(proposal.new)
            change.hold(proposal.subject, new)
            hold(Lock.APPROVALS)  # two changes of one thing: the second sees what the first made of it
            if as_stored(change.stored(proposal.subject)) != proposal.old:
                proposal.status = ProposalStatus.STALE
                proposal.outcome = "What it was to replace has changed since it was proposed."
            else:
                change.check(proposal.subject, new)
                change.apply(proposal, new, by)
                refuse_overtaken(proposal.subject, f"proposal:{proposal.pk}")
                proposal.status, proposal.effective_at = ProposalStatus.EFFECTIVE, now
    except Busy:  # somebody else was first; nothing is decided by that
        raise
    except Refusal as refusal:
        proposal.status, proposal.outcome = ProposalStatus.FAILED, refusal.detail
    except OperationalError:
        raise
    except Exception as fault:
        # A fault of ours must not be tried again every second for ever, nor keep other changes waiting.
        log.exception("proposal %s failed", proposal.pk)
        proposal.status = ProposalStatus.FAILED
        proposal.outcome = f"It could not be put in force ({type(fault).__name__}); see the server’s log."
    _ended(proposal, by=by)


def fail(proposal: Proposal, *, outcome: str, by: Actor) -> None:
    """It was approved and will not take effect after all. The row is held by the caller."""
    proposal.status, proposal.outcome = ProposalStatus.FAILED, outcome
    _ended(proposal, by=by)


def _ended(proposal: Proposal, *, by: Actor) -> None:
    proposal.save(update_fields=["status", "outcome", "effective_at"])
    letter = letter_of(proposal) if proposal.by_letter else None
    more = {"number": _version_of(proposal)} if proposal.status == ProposalStatus.EFFECTIVE else {}
    act = _ENDS[ProposalStatus(proposal.status)](
        proposal=proposal.pk,
        kind_=proposal.kind,
        about=proposal.subject,
        old=proposal.old,
        new=proposal.new,
        outcome=proposal.outcome,
        authority=proposal.authority,
        letter=None if letter is None else letter.sha256,
        **more,
    )
    record_act(act, by=by)


def _version_of(proposal: Proposal) -> int | None:
    """The number of the approved value that it has put in force, if it is about one."""
    return ApprovedValue.objects.filter(proposal=proposal).values_list("pk", flat=True).first()
