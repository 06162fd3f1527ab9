"""Taking an entry out of the list before it is sealed: somebody was not eligible after all. Its row is kept."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from house import acts
from house.actors import Actor
from house.refusal import Conflict, NotFound, Refusal
from promotions.clock import database_time
from promotions.lifecycle import Status
from promotions.locks import lock_promotion
from promotions.models import Entry
from promotions.permissions import WITHDRAW
from promotions.versions import edition_of


@transaction.atomic
def withdraw_entry(*, code: str, number: int, why: str, by: Actor, now: datetime | None = None) -> Entry:
    by.require(WITHDRAW)
    promotion = lock_promotion(code)
    why = why.strip()
    if not 0 < len(why) <= 200:
        raise Refusal("reason-missing", "Say why, in up to 200 characters: the person is told.", field="why")
    if promotion.status not in {Status.RUNNING, Status.CLOSED}:
        raise Conflict(
            f"promotion-{promotion.status}", f"Promotion {code} is {promotion.status}: its list of entries stands."
        )
    entry = Entry.objects.select_for_update().filter(promotion=promotion, pk=number).first()
    if entry is None:
        raise NotFound("no-such-entry", f"Promotion {code} has no entry {number}.")
    if entry.withdrawn_at is not None:
        raise Conflict("already-withdrawn", f"Entry {number} has been withdrawn already.")
    entry.withdrawn_at, entry.withdrawn_by, entry.withdrawn_why = now or database_time(), by.identity, why
    entry.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_why"])
    acts.record(
        kind="promotion.entry-withdrawn",
        subject=promotion.subject,
        by=by,
        data={"entry": number, "why": why, "clause": edition_of(promotion).clause("refusal")},
    )
    return entry
