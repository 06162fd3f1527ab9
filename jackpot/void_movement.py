"""An attempt at deciding a movement that does not count: two people and the inspector (``must_hit_by_changes.py``).

Only while the movement is undecided, and only once what the attempt gives is known, which is published with it. The
next attempt is at the same wagers, under the same promise: there is nothing to choose. What is decided is never void.
"""

from __future__ import annotations

from django.db import transaction

from chance.two_party import Said
from draws import ask as draws
from jackpot import movements, queries, terms
from jackpot.decide import computed
from jackpot.models import Link, MeterSeal
from jackpot.rules import must_hit_by as rules
from kernel.actors import Actor
from kernel.refusal import Conflict, Refusal


def check(link: Link, *, number: int, attempt: int, cause: str) -> None:
    if not cause.strip():
        raise Refusal("cause-missing", "Say what made the attempt void.", field="cause")
    seal = queries.find_meter_seal(link.code, number)
    if seal.decided_at is not None:
        raise Conflict("movement-decided", f"Movement {number} of {link} is decided: that never changes.")
    if seal.attempt != attempt:
        raise Conflict("another-attempt", f"Movement {number} of {link} is at attempt {seal.attempt}.", field="attempt")
    if movements.undecided(link).first() != seal:
        raise Conflict("out-of-order", f"An earlier movement of {link} is not decided yet.")
    _said(seal)


@transaction.atomic
def void_attempt(link: Link, *, number: int, attempt: int, cause: str, by: Actor) -> MeterSeal:
    """Publish what it would have given, and go on with the next. The link is held by the caller."""
    check(link, number=number, attempt=attempt, cause=cause)
    seal = (
        MeterSeal.objects.select_for_update(of=("self",))
        .select_related("link", "commitment")
        .get(link=link, number=number)
    )
    said = _said(seal)
    ordered = rules.in_order([each.as_sealed() for each in seal.wagers.prefetch_related("table")], answer=said.said)
    bounds = rules.bounds_of(terms.of(terms.in_force(link)).parameters, seal.of_level)
    would = computed(seal, [each.increment.micros for each in ordered], said, bounds=lambda falls: bounds)
    draws.void_attempt(
        seal.commitment, occasion=seal.occasion, attempt=attempt, cause=cause, numbers=would.drawn, by=by
    )
    seal.attempt += 1
    seal.save(update_fields=["attempt"])
    return seal


def _said(seal: MeterSeal) -> Said:
    said = draws.said_to(seal.commitment, occasion=seal.occasion, attempt=seal.attempt)
    if said is None:
        raise Conflict(
            "not-answered-yet",
            f"Attempt {seal.attempt} at {seal} has no answer yet: what it would give cannot be published.",
        )
    return said
