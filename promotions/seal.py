"""The sealed list of entries: one Merkle root over all of them, published as an act before the draw.

Leaves stand in the order of the entries' numbers. What is in the list does not change any more (the database sees to
it), so the root can be computed again at any time.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from chance.proof import EntryProof, make_entry
from house.log import record_act
from kernel.actors import Actor
from kernel.refusal import Conflict, NotFound, Refusal
from ledger.models import Act
from promotions import earn, leaves, steps
from promotions.acts.entries import EntriesSealed, ListVoided
from promotions.import_steps import must_be_confirmed
from promotions.lifecycle import Step
from promotions.locks import bar_entries, database_time, find_promotion, lock_promotion
from promotions.models import Entry, EntryList, Promotion, SealedTiles
from promotions.permissions import SUBMIT
from promotions.run import CLERK
from promotions.tree import ListDiffers, ListTree, hash_list, packed_leaves
from promotions.withdraw import withdraw_barred


def seal_list(*, code: str, by: Actor, now: datetime | None = None) -> EntryList:
    by.require(SUBMIT)
    return seal(code=code, by=by, now=now)


@transaction.atomic
def seal(*, code: str, by: Actor = CLERK, now: datetime | None = None) -> EntryList:
    """Seal the list of a closed promotion, once every wager from before the close is counted and every file of entries
    confirmed by a second person."""
    bar_entries(find_promotion(code).pk)
    promotion = lock_promotion(code)
    new = steps.take(Step.SEAL, promotion)
    if not earn.all_counted(promotion):
        raise Conflict("wagers-under-way", "Wagers from before the close are still being written: try again.")
    must_be_confirmed(promotion)
    earn.count_entries(promotion, by=by)
    withdraw_barred(promotion, by=by, now=now or database_time())
    hashed = hash_list(packed_leaves(promotion.pk))
    last = EntryList.objects.filter(promotion=promotion).order_by("-number").first()
    sealed = EntryList.objects.create(
        promotion=promotion,
        number=last.number + 1 if last else 1,
        root=hashed.root,
        count=hashed.count,
        sealed_at=now or database_time(),
        sealed_by=by.identity,
    )
    SealedTiles.objects.create(entry_list=sealed, tiles=hashed.tiles, mark=hashed.mark)
    promotion.status = new
    promotion.save(update_fields=["status"])
    assert promotion.closed_at is not None
    published = EntriesSealed(
        promotion=code,
        list_=sealed.number,
        entry_root=hashed.root,
        entry_count=sealed.count,
        closed_at=promotion.closed_at,
    )
    record_act(published, by=by)
    return sealed


def void_list(promotion: Promotion, *, why: str, by: Actor, now: datetime) -> EntryList:
    """Give up a sealed list so that it can be corrected and sealed anew: for a promotion whose integrity was in doubt.

    In the caller's transaction, which holds the promotion's row and leaves it closed.
    """
    current = current_list(promotion)
    if not why.strip():
        raise Refusal("reason-missing", "Say why the list is void: it stays on record.", field="why")
    current.voided_at, current.voided_by, current.void_reason = now, by.identity, why.strip()
    current.save(update_fields=["voided_at", "voided_by", "void_reason"])
    voided = ListVoided(
        promotion=promotion.code, list_=current.number, entry_root=bytes(current.root), why=current.void_reason
    )
    record_act(voided, by=by)
    return current


def current_list(promotion: Promotion) -> EntryList:
    found = EntryList.objects.filter(promotion=promotion, voided_at=None).first()
    if found is None:
        raise Conflict("list-not-sealed", f"The entries of {promotion.code} are not sealed.")
    return found


def must_be_published(sealed: EntryList) -> None:
    """Refuse a list whose root on record is not the one in the log, where it was published before the draw."""
    of = Act.objects.filter(kind=EntriesSealed.kind, subject=sealed.promotion.subject, data__list=sealed.number)
    published = [EntriesSealed.read(act.data, subject=act.subject) for act in of]
    if [(act.entry_root, act.entry_count) for act in published] != [(bytes(sealed.root), sealed.count)]:
        raise ListDiffers(f"The root on record of list {sealed.number} is not the one that was published.")


def entry_proof(*, code: str, number: int) -> EntryProof:
    """That an entry is in the sealed list: its text and its path (`chance.proof.check_entry` checks it).

    After the personal data has been deleted the text is gone; the leaf and its path remain.
    """
    promotion = find_promotion(code)
    sealed = current_list(promotion)
    entry = Entry.objects.select_related("entrant").filter(promotion=promotion, pk=number, withdrawn_at=None).first()
    if entry is None:
        raise NotFound("no-such-entry", f"Entry {number} is not in the list of {code}.")
    if entry.salt is None or entry.entrant.identity is None:
        raise Conflict("entrant-forgotten", "The personal data of this promotion was deleted, as its terms say.")
    index = Entry.objects.filter(promotion=promotion, pk__lt=number, withdrawn_at=None).count()
    written = leaves.text(code=code, number=number, identity=entry.entrant.identity, salt=entry.salt)
    return make_entry(entry=written, index=index, ticket_count=sealed.count, node=ListTree(sealed).node)
