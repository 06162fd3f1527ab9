"""Taking an entry out of the list before it is sealed, by two people: somebody was not eligible after all. Its row is
kept."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction

from house.log import record_act
from house.persons import is_another
from kernel.actors import Actor
from kernel.refusal import Conflict, Forbidden, NotFound, Refusal
from promotions import players, steps
from promotions.acts.entries import EntryWithdrawn, WithdrawalSaid
from promotions.lifecycle import Step
from promotions.locks import database_time, lock_promotion
from promotions.models import Entry, Promotion, Withdrawal
from promotions.permissions import WITHDRAW
from promotions.versions import edition_of, terms_in_force

_NOT_ELIGIBLE: Final = "Not eligible when the list was sealed."


@transaction.atomic
def withdraw_entry(*, code: str, number: int, why: str, by: Actor, now: datetime | None = None) -> Entry:
    """Say that an entry is to be taken out; it is once another person has said so, too. Who could take out entries
    alone could leave in his friend's."""
    by.require(WITHDRAW)
    promotion = lock_promotion(code)
    why, now = why.strip(), now or database_time()
    if not 0 < len(why) <= 200:
        raise Refusal("reason-missing", "Say why, in up to 200 characters: the person is told.", field="why")
    steps.must_allow(Step.WITHDRAW, promotion)
    entry = Entry.objects.select_for_update().filter(promotion=promotion, pk=number).first()
    if entry is None:
        raise NotFound("no-such-entry", f"Promotion {code} has no entry {number}.")
    if entry.withdrawn_at is not None:
        raise Conflict("already-withdrawn", f"Entry {number} has been withdrawn already.")
    said = Withdrawal.objects.filter(entry=entry).first()
    if said is None:
        Withdrawal.objects.create(entry=entry, why=why, said_at=now, said_by=by.identity)
        record_act(WithdrawalSaid(promotion=code, entry=number, why=why), by=by)
        return entry
    if not is_another(by, WITHDRAW, said.said_by):
        raise Forbidden("same-person", "You said so already: another person says it, too, and then it is withdrawn.")
    entry.withdrawn_at, entry.withdrawn_by, entry.withdrawn_why = now, by.identity, said.why
    entry.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_why"])
    clause = edition_of(promotion).clause("refusal")
    record_act(EntryWithdrawn(promotion=code, entry=number, why=said.why, clause=clause), by=by)
    return entry


def withdraw_barred(promotion: Promotion, *, by: Actor, now: datetime) -> int:
    """At the seal: entries of those who may not take part by now are not in the list (17.7.3, 15.7.3).

    The promotion's row is locked. The log says which entries, and not why: that is between the person and the house.
    """
    _, terms = terms_in_force(promotion)
    barred = list(players.left_out(terms))
    theirs = Entry.objects.filter(promotion=promotion, withdrawn_at=None, entrant__identity__in=barred)
    numbers = sorted(theirs.values_list("pk", flat=True))
    Entry.objects.filter(pk__in=numbers).update(withdrawn_at=now, withdrawn_by=by.identity, withdrawn_why=_NOT_ELIGIBLE)
    clause = edition_of(promotion).particular("7.3")
    for number in numbers:
        record_act(EntryWithdrawn(promotion=promotion.code, entry=number, why=_NOT_ELIGIBLE, clause=clause), by=by)
    return len(numbers)
