from __future__ import annotations

import json
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house.approval_acts import ChangeProposed
from house.approvals.registry import find
from house.approvals.steps import refuse_proposer
from house.log import record_act
from house.models import Proposal
from kernel.actors import Actor
from kernel.acts import Json
from kernel.refusal import Forbidden, Malformed, Refusal


@transaction.atomic
def propose(
    *,
    kind: str,
    subject: str,
    new: Json,
    why: str,
    by: Actor,
    effective_from: datetime | None = None,
    condition: str = "",
) -> Proposal:
    """Propose a change: at once on approval, from a stated time, or on a condition that the kind knows."""
    change = find(kind)
    refuse_proposer(by)
    by.require(change.propose_permission)
    if not why.strip():
        raise Refusal("reason-missing", "Say why, in a sentence: it stays on record.", field="why")
    now = timezone.now()
    if effective_from is not None and condition:
        raise Refusal("two-moments", "A change takes effect at a time or on a condition, not both.")
    if effective_from is not None and (effective_from.tzinfo is None or effective_from <= now):
        raise Refusal("time-has-passed", "It can take effect only at a time still to come.", field="effective_from")
    if condition and condition not in change.conditions:
        raise Refusal("no-such-condition", f"This kind of change cannot wait for “{condition}”.", field="condition")
    subject = change.canonical(subject)
    new = as_stored(new)
    old = as_stored(change.stored(subject))
    value = change.shape.read(new)
    change.check(subject, value)
    if condition != (needed := change.only_when(subject, value)) and needed:
        raise Refusal("waits-for-condition", f"It takes effect “{needed}” only: say so.", field="condition")
    if by.identity in change.appoints(subject, new):
        raise Forbidden("own-affair", "Somebody else has to propose it: two others appoint you, never yourself.")
    if new == old:
        raise Refusal("nothing-changes", "Nothing would change: it is like this already.", field="new")
    proposal = Proposal.objects.create(
        kind=kind,
        subject=subject,
        authority=change.authority(subject, value),
        old=old,
        new=new,
        effective_from=effective_from,
        condition=condition,
        why=why.strip(),
        proposed_by=by.identity,
        proposed_at=now,
    )
    act = ChangeProposed(
        proposal=proposal.pk,
        kind_=str(kind),
        about=subject,
        old=old,
        new=new,
        why=proposal.why,
        effective_from=effective_from.isoformat() if effective_from else None,
        condition=condition,
        authority=proposal.authority,
    )
    record_act(act, by=by)
    return proposal


def as_stored(value: Json) -> Json:
    """The value as JSON gives it back, so that what is compared is what is kept."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError):
        raise Malformed("value-not-readable", "The new value is not plain JSON.", field="new") from None
