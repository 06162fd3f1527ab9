"""Entering one person once. Closing is to the second by the database's clock, and a barrier (decision 7)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final
from uuid import uuid4

from django.db import connection, transaction

from house.times import for_people
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Conflict, Refusal
from promotions import leaves, steps
from promotions.lifecycle import Step
from promotions.locks import database_time, find_promotion, hold_entries
from promotions.models import Entrant, Entry, Person, Promotion, Source
from promotions.people import Contact, identity_of, refuse_barred, refuse_small_wager, whose
from promotions.permissions import ENTER
from promotions.rules.terms import Terms
from promotions.versions import edition_of, terms_in_force

REFERENCE_CHARACTERS_LIMIT: Final = 100
NOBODY: Final = Contact()

_INSERT: Final = f"""
    WITH e AS (
        SELECT nextval('promotions_entry_id_seq') AS number,
               %(identity)s AS identity, %(salt)s AS salt
    )
    INSERT INTO promotions_entry (id, promotion_id, entrant_id, source, reference, entered_at, entered_by, wagered,
                                  salt, leaf, withdrawn_why)
    SELECT e.number, %(promotion)s, %(entrant)s, %(source)s, %(reference)s, %(now)s, %(by)s, %(wagered)s,
           e.salt::uuid, {leaves.SQL}, ''
    FROM e ON CONFLICT (promotion_id, reference) WHERE NOT rejected DO NOTHING RETURNING id
"""  # noqa: S608  only our own text is put together


@transaction.atomic
def enter(
    *,
    code: str,
    by: Actor,
    card: str = "",
    contact: Contact = NOBODY,
    reference: str = "",
    wagered: Money | None = None,
    source: Source = Source.STAFF,
) -> Entry:
    """One entry. *reference* is the coupon, or whatever it comes from: the same one enters once."""
    by.require(ENTER)
    promotion = find_promotion(code)
    promotion, terms, now = hold_open(promotion)
    try:
        given = identity_of(card=card.strip(), contact=contact, card_required=terms.card_required)
    except ValueError as fault:
        raise Refusal(
            "entrant-unreadable", str(fault), clause=edition_of(promotion).particular("7.3"), field="card"
        ) from None
    identity = whose(given, promotion)
    refuse_barred(identity, terms, promotion)
    refuse_small_wager(terms, wagered, promotion)
    entrant = _lock_entrant(promotion, identity)
    _refuse_over_limit(promotion, entrant, terms)
    if contact:
        keep_person(entrant, contact)
    return _insert(
        promotion,
        entrant,
        identity=identity,
        source=source,
        reference=_reference(reference),
        wagered=wagered,
        by=by,
        now=now,
    )


def hold_open(promotion: Promotion) -> tuple[Promotion, Terms, datetime]:
    """The promotion held open until the transaction ends, with the terms in force: or a refusal, to the second."""
    hold_entries(promotion.pk)
    # A statement after the lock sees the close that the lock may have waited for.
    promotion = Promotion.objects.get(pk=promotion.pk)
    now = database_time()
    refuse_not_open(promotion, now)
    _, terms = terms_in_force(promotion)
    return promotion, terms, now


def refuse_not_open(promotion: Promotion, now: datetime) -> None:
    steps.must_allow(Step.ENTER, promotion)
    assert promotion.closes_at is not None
    if now >= promotion.closes_at:
        raise Conflict(
            "entries-closed",
            f"Entries to {promotion.code} closed {for_people(promotion.closes_at)}.",
            clause=edition_of(promotion).particular("7.6"),
        )


def keep_person(entrant: Entrant, contact: Contact) -> None:
    """The newest word on how to reach somebody."""
    Person.objects.update_or_create(
        entrant=entrant,
        defaults={
            "name": contact.name.strip(),
            "address": contact.address.strip(),
            "telephone": contact.telephone.strip(),
            "email": contact.email.strip(),
        },
    )


def _reference(given: str) -> str:
    given = given.strip()
    if len(given) > REFERENCE_CHARACTERS_LIMIT:
        raise Refusal(
            "reference-too-long", f"A reference has at most {REFERENCE_CHARACTERS_LIMIT} characters.", field="reference"
        )
    return given or f"staff/{uuid4()}"


def _lock_entrant(promotion: Promotion, identity: str) -> Entrant:
    """The person's row, made or found, held: of two entries at once the second counts the first."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO promotions_entrant (promotion_id, identity) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            [promotion.pk, identity],
        )
    return Entrant.objects.select_for_update().get(promotion=promotion, identity=identity)


def _refuse_over_limit(promotion: Promotion, entrant: Entrant, terms: Terms) -> None:
    if terms.limit_per_person is None:
        return
    if Entry.objects.filter(entrant=entrant, withdrawn_at=None).count() >= terms.limit_per_person:
        raise Refusal(
            "limit-reached",
            f"This person has entered {terms.limit_per_person} times, as often as the terms allow.",
            clause=edition_of(promotion).particular("7.3"),
            field="card",
        )


def _insert(
    promotion: Promotion,
    entrant: Entrant,
    *,
    identity: str,
    source: Source,
    reference: str,
    wagered: Money | None,
    by: Actor,
    now: datetime,
) -> Entry:
    salt = uuid4()
    row: dict[str, Any] = {
        "promotion": promotion.pk,
        "code": promotion.code,
        "entrant": entrant.pk,
        "identity": identity,
        "source": str(source),
        "reference": reference,
        "wagered": None if wagered is None else wagered.micros,
        "salt": str(salt),
        "by": by.identity,
        "now": now,
    }
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, row)
        made = cursor.fetchone()
    if made is None:
        raise Conflict("already-entered", f"“{reference}” has been entered already.", field="reference")
    return Entry.objects.get(pk=made[0])
