"""Whose cards may not enter promotions: employees', and their households'. What was excluded once stays on record."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from house import acts
from house.actors import Actor
from house.refusal import Conflict, NotFound, Refusal
from promotions.clock import database_time
from promotions.models import ExcludedCard, Exclusion
from promotions.people import CARD
from promotions.permissions import EXCLUDE


@transaction.atomic
def exclude_card(*, card: str, why: str, by: Actor, note: str = "") -> ExcludedCard:
    by.require(EXCLUDE)
    card = _read(card)
    if why not in Exclusion.values:
        raise Refusal("no-such-reason", f"The reasons are {', '.join(Exclusion.values)}.", field="why")
    if len(note.strip()) > 200:
        raise Refusal("note-too-long", "A note has at most 200 characters.", field="note")
    try:
        with transaction.atomic():
            made = ExcludedCard.objects.create(
                card=card, why=why, note=note.strip(), added_at=database_time(), added_by=by.identity
            )
    except IntegrityError:
        raise Conflict("already-excluded", f"Card {card} is excluded already.", field="card") from None
    # The log knows that somebody was excluded, not who: what is sealed can never be forgotten again.
    acts.record(kind="promotion.card-excluded", subject=f"excluded-card:{made.pk}", by=by, data={"why": why})
    return made


@transaction.atomic
def readmit_card(*, card: str, by: Actor) -> ExcludedCard:
    by.require(EXCLUDE)
    found = ExcludedCard.objects.select_for_update().filter(card=_read(card), removed_at=None).first()
    if found is None:
        raise NotFound("not-excluded", f"Card {card} is not excluded.")
    found.removed_at, found.removed_by = database_time(), by.identity
    found.save(update_fields=["removed_at", "removed_by"])
    acts.record(kind="promotion.card-readmitted", subject=f"excluded-card:{found.pk}", by=by)
    return found


def _read(card: str) -> str:
    if not CARD.fullmatch(card.strip()):
        raise Refusal("card-unreadable", "A player card’s number is up to 32 letters, digits and dashes.", field="card")
    return card.strip().upper()
