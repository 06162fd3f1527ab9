"""Rejecting a file of entries before its list is sealed, by two people: it was the wrong one, or not what it should be.

Everything it entered is withdrawn with one act. The rows are kept; what they came from may enter again.
"""

from __future__ import annotations

from typing import Final

from django.db import transaction

from house.log import record_act
from kernel.actors import Actor
from kernel.refusal import Conflict, Refusal
from promotions.acts.entries import ImportRejected, ImportRejectionSaid
from promotions.import_steps import must_be_rejectable
from promotions.imports import lock_import
from promotions.locks import database_time, lock_promotion
from promotions.models import Entry, Import
from promotions.permissions import WITHDRAW
from promotions.versions import edition_of

WHY_CHARACTERS_LIMIT: Final = 200


@transaction.atomic
def reject_import(*, import_id: int, why: str, by: Actor) -> Import:
    """Say that a file is to be rejected; it is once another person has said so, too. Who could reject one alone could
    take out everybody but a friend. Who brought it in may be one of the two."""
    by.require(WITHDRAW)
    made = lock_import(import_id)
    made.promotion = lock_promotion(made.promotion.code)
    why = why.strip()
    if not 0 < len(why) <= WHY_CHARACTERS_LIMIT:
        raise Refusal("reason-missing", "Say why, in up to 200 characters: who entered is told.", field="why")
    must_be_rejectable(made, by)
    now = database_time()
    if made.rejection_said_by is None:
        made.rejection_said_at, made.rejection_said_by, made.rejection_why = now, by.identity, why
        made.save(update_fields=["rejection_said_at", "rejection_said_by", "rejection_why"])
        record_act(ImportRejectionSaid(promotion=made.promotion.code, import_=made.pk, why=why), by=by)
        return made
    made.rejected_at, made.rejected_by = now, by.identity
    made.save(update_fields=["rejected_at", "rejected_by"])
    rejected = ImportRejected(
        promotion=made.promotion.code,
        import_=made.pk,
        sha256=made.sha256,
        withdrawn=_withdraw(made),
        why=made.rejection_why,
        clause=edition_of(made.promotion).clause("refusal"),
    )
    record_act(rejected, by=by)
    return made


def _withdraw(made: Import) -> int:
    """Everything the file entered; answers how many of them still stood."""
    its = Entry.objects.filter(promotion=made.promotion, of_import=made)
    stood = its.filter(withdrawn_at=None).update(
        withdrawn_at=made.rejected_at, withdrawn_by=made.rejected_by, withdrawn_why=made.rejection_why, rejected=True
    )
    if stood + its.filter(rejected=False).count() != made.entered:
        raise Conflict(
            "entries-unknown",
            f"What import {made.pk} entered was not kept apart in its time: withdraw its entries one by one.",
        )
    return stood
