"""The moment before the witness is asked: everything that decides who wins is fixed, and the promotion is locked.

The list as it stands is compared with the sealed root and the root with the published one; one that differs postpones
the promotion and opens the inspector's notice (17.11, 15.12), and nobody is asked about it. Then the list is the draw's
(`draws.ask.seal_set`), once: every attempt is drawn from it, and after asking there is no reseal. Whose entries win
nothing is decided here, too, by what is on record at this moment, and written to the log before the head that the
witness signs: whatever is found out later is a loss of the prize, by two people and the scrutineer.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from draws.ask import seal_set
from house.log import record_act
from kernel.actors import Actor
from promotions import integrity, players, steps
from promotions.acts.draws import DrawBegun
from promotions.attempts import current_draw
from promotions.lifecycle import Step
from promotions.locks import database_time, lock_promotion
from promotions.models import Draw, Entry, EntryList, Promotion, TermsVersion
from promotions.models.draws import FIXED
from promotions.rules.terms import Terms
from promotions.seal import current_list, must_be_published
from promotions.tree import ListDiffers, ListTree
from promotions.versions import single_prizes, terms_in_force


class Begun(NamedTuple):
    """The attempt, and its list where it was read just now. An attempt without *begun_at*: it was postponed instead."""

    attempt: Draw
    found: ListTree | None


@transaction.atomic
def begin(*, code: str, by: Actor, now: datetime | None = None) -> Begun:
    """Lock the promotion for its draw; an attempt that has begun is answered as it stands."""
    promotion = lock_promotion(code)
    attempt = current_draw(promotion)
    if attempt is not None and attempt.begun_at is not None:
        attempt.promotion = promotion
        return Begun(attempt, None)
    now = now or database_time()
    steps.must_allow(Step.DRAW, promotion)
    version, terms = terms_in_force(promotion)
    prizes = single_prizes(version)
    attempt = steps.must_be_drawable(promotion, attempt, prizes, by=by, now=now)
    sealed = current_list(promotion)
    try:
        must_be_published(sealed)
        found = ListTree(sealed)
        found.must_be(sealed)
    except ListDiffers as differs:
        integrity.list_differs(promotion=promotion, differs=str(differs), now=now)
        attempt.promotion = promotion
        return Begun(attempt, None)
    promotion.status = steps.take(Step.DRAW, promotion)
    promotion.save(update_fields=["status"])
    attempt.promotion = promotion
    attempt.begun_at, attempt.begun_by = now, by.identity
    attempt.entry_list, attempt.version = sealed, version
    attempt.scrutinised = steps.is_overseen(prizes)
    attempt.prizes, attempt.alternates = len(prizes), sum(prize.alternates for prize in prizes)
    attempt.one_prize_a_person = terms.one_prize_a_person
    attempt.barred = _barred(promotion, terms, found)
    attempt.begun_act = record_act(_begun(attempt, sealed, version), by=by)
    attempt.save(update_fields=[*FIXED, "barred"])
    if attempt.attempt == 1:  # a later attempt is drawn from the same list
        seal_set(attempt.promise, occasion=code, root=bytes(sealed.root), count=sealed.count, by=by)
    return Begun(attempt, found)


def _begun(attempt: Draw, sealed: EntryList, version: TermsVersion) -> DrawBegun:
    return DrawBegun(
        promotion=attempt.promotion.code,
        draw=attempt.pk,
        attempt=attempt.attempt,
        list_=sealed.number,
        version=version.number,
        prizes=attempt.prizes or 0,
        alternates=attempt.alternates or 0,
        one_prize_a_person=bool(attempt.one_prize_a_person),
        barred=tuple(attempt.barred),
    )


def _barred(promotion: Promotion, terms: Terms, found: ListTree) -> list[int]:
    """Places in the list of those who may not take part, by what the house has on record now."""
    barred = list(players.left_out(terms))
    theirs = Entry.objects.filter(promotion=promotion, withdrawn_at=None, entrant__identity__in=barred)
    return sorted(found.place_of(entry) for entry in theirs.values_list("id", flat=True))
