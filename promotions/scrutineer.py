"""The scrutineer (17.2, 15.2): nominated by the operator, there before the draw, signing what came of it.

Needed where one prize is worth more than $10,000; welcome at any draw. He is a person with an account and a second step
of his own: a device oversees nothing, nor does a person who acts through a token only.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import transaction

from house.log import record_act
from house.models import SecondStep
from house.persons import is_another, persons_behind
from kernel.actors import Actor
from kernel.refusal import Conflict, Refusal
from promotions import queries, results, steps
from promotions.acts.draws import ScrutineerAttends, ScrutineerNominated, ScrutineerSigned
from promotions.attempts import current_draw
from promotions.locks import database_time, lock_promotion
from promotions.models import Draw, Pick, Promotion
from promotions.permissions import DRAW, SCRUTINISE
from promotions.rules.draw import EntryOutcome, Outcome, result_hash
from promotions.versions import edition_of


@transaction.atomic
def nominate_scrutineer(*, code: str, scrutineer: str, by: Actor) -> Draw:
    """Say who oversees the draw, as ``staff:name``; another person than the one who says it."""
    by.require(DRAW)
    promotion, draw = _lock(code)
    steps.must_want_scrutineer(draw)
    scrutineer = scrutineer.strip().lower()
    if not is_another(by, DRAW, scrutineer) or persons_behind(scrutineer) & persons_behind(draw.begun_by):
        raise Conflict(
            "scrutineer-draws",
            "Nominate somebody else than yourself, and than who began the draw.",
            clause=edition_of(promotion).clause("scrutineer"),
        )
    _refuse_nobody(scrutineer, promotion)
    draw.scrutineer, draw.nominated_by, draw.attended_at = scrutineer, by.identity, None
    draw.save(update_fields=["scrutineer", "nominated_by", "attended_at"])
    nominated = ScrutineerNominated(promotion=code, draw=draw.pk, attempt=draw.attempt, scrutineer=scrutineer)
    record_act(nominated, by=by)
    return draw


@transaction.atomic
def attend(*, code: str, by: Actor, now: datetime | None = None) -> Draw:
    """The scrutineer is there. Said by himself, before the draw where it needs one."""
    _, draw = _lock(code)
    steps.must_be_scrutineer(draw, by)
    steps.must_want_scrutineer(draw)
    if draw.attended_at is None:
        draw.attended_at = now or database_time()
        draw.save(update_fields=["attended_at"])
        record_act(ScrutineerAttends(promotion=code, draw=draw.pk, attempt=draw.attempt), by=by)
    return draw


@transaction.atomic
def sign(*, code: str, by: Actor, now: datetime | None = None) -> Draw:
    """The scrutineer signs the outcome as it stands; a result that needs it is published with that."""
    _, draw = _lock(code)
    steps.must_be_scrutineer(draw, by)
    steps.must_be_drawn(draw)
    if draw.signed_at is not None:
        return draw
    now = now or database_time()
    draw.signed_at, draw.signed_result = now, outcome_hash(draw)
    draw.save(update_fields=["signed_at", "signed_result"])
    signed = ScrutineerSigned(promotion=code, draw=draw.pk, attempt=draw.attempt, result=draw.signed_result)
    record_act(signed, by=by)
    if draw.published_at is None:
        results.publish(draw=draw, by=by, now=now)
    return draw


def outcome_hash(draw: Draw) -> str:
    """What is signed, of everything drawn as it stands."""
    picked = Pick.objects.filter(draw=draw).order_by("place")
    return result_hash(
        draw.promotion.code,
        (EntryOutcome(each.place, each.number, each.person, Outcome(each.outcome), each.prize) for each in picked),
    )


def _refuse_nobody(named: str, promotion: Promotion) -> None:
    """He works here, may oversee draws and signs in with a second step of his own."""
    able = queries.staff_with(SCRUTINISE).filter(username=named.removeprefix("staff:"))
    person = able.first() if named.startswith("staff:") else None
    if person is None or (person.is_demo and not settings.DEMO):
        raise Refusal(
            "scrutineer-unknown",
            "The scrutineer is a person who works here and may oversee draws, like staff:anna; never a device.",
            clause=edition_of(promotion).clause("scrutineer"),
            field="scrutineer",
        )
    if not SecondStep.objects.filter(user=person, confirmed=True).exists():
        raise Conflict(
            "scrutineer-not-enrolled",
            f"{person.name} has no second step yet, and signs with it: sign in once to set it up.",
            clause=edition_of(promotion).clause("scrutineer"),
            field="scrutineer",
        )


def _lock(code: str) -> tuple[Promotion, Draw]:
    promotion = lock_promotion(code)
    draw = current_draw(promotion)
    if draw is None:
        raise Conflict("nothing-promised", f"The draw of {code} has not been promised yet.")
    draw.promotion = promotion
    return promotion, draw
