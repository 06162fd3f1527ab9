"""The scrutineer (17.2, 15.2): nominated by the operator, there before the draw, signing what came of it.

Needed where one prize is worth more than $10,000; welcome at any draw.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from django.db import transaction

from house.log import record_act
from house.persons import is_another, persons_behind
from kernel.actors import Actor
from kernel.canonical import canonical
from kernel.refusal import Conflict, Refusal
from promotions import results, steps
from promotions.acts.draws import ScrutineerAttends, ScrutineerNominated, ScrutineerSigned
from promotions.attempts import current_draw
from promotions.locks import database_time, lock_promotion
from promotions.models import Draw, Pick, Promotion
from promotions.permissions import DRAW
from promotions.versions import edition_of


@transaction.atomic
def nominate_scrutineer(*, code: str, scrutineer: str, by: Actor) -> Draw:
    """Say who oversees the draw, as ``staff:name`` or ``device:code``; another person than the one who says it."""
    by.require(DRAW)
    promotion, draw = _lock(code)
    steps.must_want_scrutineer(draw)
    scrutineer = scrutineer.strip()
    if not 0 < len(scrutineer) <= 80 or ":" not in scrutineer:
        raise Refusal("scrutineer-unknown", "Write the scrutineer like staff:anna.", field="scrutineer")
    if not is_another(by, DRAW, scrutineer) or persons_behind(scrutineer) & persons_behind(draw.begun_by):
        raise Conflict(
            "scrutineer-draws",
            "Nominate somebody else than yourself, and than who began the draw.",
            clause=edition_of(promotion).clause("scrutineer"),
        )
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
    """SHA-256 over place, entry, outcome and prize of everything drawn."""
    lines = Pick.objects.filter(draw=draw).order_by("place").values_list("place", "number", "outcome", "prize")
    return sha256(canonical({"draw": draw.promotion.code, "drawn": [list(line) for line in lines]})).hexdigest()


def _lock(code: str) -> tuple[Promotion, Draw]:
    promotion = lock_promotion(code)
    draw = current_draw(promotion)
    if draw is None:
        raise Conflict("nothing-promised", f"The draw of {code} has not been promised yet.")
    draw.promotion = promotion
    return promotion, draw
