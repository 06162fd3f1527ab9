"""Taking an entry out of the list before it is sealed: somebody was not eligible after all. Its row is kept."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from house.log import record_act
from kernel.actors import Actor
from kernel.refusal import Conflict, NotFound, Refusal
from promotions import steps
from promotions.acts.entries import EntryWithdrawn
from promotions.lifecycle import Step
from promotions.locks import database_time, lock_promotion
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
    steps.must_allow(Step.WITHDRAW, promotion)
    entry = Entry.objects.select_for_update().filter(promotion=promotion, pk=number).first()
    if entry is None:
        raise NotFound("no-such-entry", f"Promotion {code} has no entry {number}.")
    if entry.withdrawn_at is not None:
        raise Conflict("already-withdrawn", f"Entry {number} has been withdrawn already.")
    entry.withdrawn_at, entry.withdrawn_by, entry.withdrawn_why = now or database_time(), by.identity, why
    entry.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_why"])
    clause = edition_of(promotion).clause("refusal")
    record_act(EntryWithdrawn(promotion=code, entry=number, why=why, clause=clause), by=by)
    return entry
