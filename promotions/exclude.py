"""Whose cards may not enter promotions: employees', and their households'. What was excluded once stays on record.

One person's word keeps a card from entering, from claiming and from being paid. What it had entered before is left out
of a list or a draw once a second person has confirmed it: one alone could exclude every rival of a friend. Two others
let it enter again: one alone would let back a friend.
"""

from __future__ import annotations

from django.db import IntegrityError, transaction

from house.log import record_act
from house.persons import is_another
from house.players.cards import known_card
from house.rules.cards import read_card
from kernel.actors import Actor
from kernel.refusal import Conflict, Forbidden, NotFound, Refusal
from promotions.acts.entries import CardExcluded, CardReadmitted, ExclusionConfirmed, ReadmissionSaid
from promotions.locks import database_time
from promotions.models import ExcludedCard, Exclusion
from promotions.permissions import EXCLUDE


@transaction.atomic
def exclude_card(*, card: str, why: str, by: Actor, note: str = "") -> ExcludedCard:
    by.require(EXCLUDE)
    card = known_card(_read(card), field="card").number
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
    record_act(CardExcluded(exclusion=made.pk, why=why), by=by)
    return made


@transaction.atomic
def confirm_exclusion(*, card: str, by: Actor) -> ExcludedCard:
    """Say so as the second person: entries from before are left out as well, at the seal and at the draw."""
    by.require(EXCLUDE)
    found = _lock_excluded(card)
    if found.confirmed_at is not None:
        raise Conflict("already-confirmed", f"The exclusion of card {found.card} has been confirmed already.")
    if not is_another(by, EXCLUDE, found.added_by):
        raise Forbidden("same-person", "Somebody else confirms it than the person who excluded the card.")
    found.confirmed_at, found.confirmed_by = database_time(), by.identity
    found.save(update_fields=["confirmed_at", "confirmed_by"])
    record_act(ExclusionConfirmed(exclusion=found.pk), by=by)
    return found


@transaction.atomic
def readmit_card(*, card: str, by: Actor) -> ExcludedCard:
    """Say that it may enter again; it may once another person has said so, too. Neither is who excluded it."""
    by.require(EXCLUDE)
    found = _lock_excluded(card)
    if not is_another(by, EXCLUDE, found.added_by):
        raise Forbidden("same-person", "Somebody else lets it enter again than the person who excluded it.")
    if not is_another(by, EXCLUDE, found.readmission_said_by):
        raise Forbidden("same-person", "You said so already: another person says it, too, and then it may enter again.")
    if found.readmission_said_by is None:
        found.readmission_said_at, found.readmission_said_by = database_time(), by.identity
        found.save(update_fields=["readmission_said_at", "readmission_said_by"])
        record_act(ReadmissionSaid(exclusion=found.pk), by=by)
        return found
    found.removed_at, found.removed_by = database_time(), by.identity
    found.save(update_fields=["removed_at", "removed_by"])
    record_act(CardReadmitted(exclusion=found.pk), by=by)
    return found


def _lock_excluded(card: str) -> ExcludedCard:
    found = ExcludedCard.objects.select_for_update().filter(card=_read(card), removed_at=None).first()
    if found is None:
        raise NotFound("not-excluded", f"Card {card} is not excluded.")
    return found


def _read(card: str) -> str:
    number = read_card(card)
    if number is None:
        raise Refusal("card-unreadable", "A player card’s number is up to 32 letters, digits and dashes.", field="card")
    return number
