"""The scrutineer (17.2, 15.2): nominated by the operator, there before the draw, signing what came of it.

Needed where one prize is worth more than $10,000; welcome at any draw. Acts: ``promotion.scrutineer-nominated``,
``promotion.scrutineer-attends``, ``promotion.scrutineer-signed`` {"draw", "attempt", "result"}: a hash.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from django.db import transaction

from house import acts
from house.actors import Actor
from house.refusal import Conflict, Forbidden, Refusal
from ledger.statements import canonical
from promotions import results
from promotions.attempts import standing_draw
from promotions.clock import database_time
from promotions.draw_permissions import DRAW, SCRUTINISE
from promotions.locks import lock_promotion
from promotions.models import Draw, Pick, Promotion
from promotions.versions import edition_of


@transaction.atomic
def nominate_scrutineer(*, code: str, scrutineer: str, by: Actor) -> Draw:
    """Say who oversees the draw, as ``staff:name`` or ``device:code``; another person than the one who says it."""
    by.require(DRAW)
    promotion, draw = _lock(code)
    _refuse_drawn(draw)
    scrutineer = scrutineer.strip()
    if not 0 < len(scrutineer) <= 80 or ":" not in scrutineer:
        raise Refusal("scrutineer-unknown", "Write the scrutineer like staff:anna.", field="scrutineer")
    if scrutineer == by.identity:
        raise Conflict(
            "scrutineer-draws",
            "Nominate somebody else than yourself.",
            clause=edition_of(promotion).clause("scrutineer"),
        )
    draw.scrutineer, draw.nominated_by, draw.attended_at = scrutineer, by.identity, None
    draw.save(update_fields=["scrutineer", "nominated_by", "attended_at"])
    _note("nominated", draw, by, {"scrutineer": scrutineer})
    return draw


@transaction.atomic
def attend(*, code: str, by: Actor, now: datetime | None = None) -> Draw:
    """The scrutineer is there. Said by himself, before the draw."""
    _, draw = _lock(code)
    _require_nominated(draw, by)
    _refuse_drawn(draw)
    if draw.attended_at is None:
        draw.attended_at = now or database_time()
        draw.save(update_fields=["attended_at"])
        _note("attends", draw, by, {})
    return draw


@transaction.atomic
def sign(*, code: str, by: Actor, now: datetime | None = None) -> Draw:
    """The scrutineer signs the outcome as it stands; a result that needs it is published with that."""
    _, draw = _lock(code)
    _require_nominated(draw, by)
    if draw.drawn_at is None:
        raise Conflict(
            "not-drawn", f"{code} has not been drawn.", clause=edition_of(draw.promotion).clause("scrutineer")
        )
    if draw.signed_at is not None:
        return draw
    now = now or database_time()
    draw.signed_at, draw.signed_result = now, outcome_hash(draw)
    draw.save(update_fields=["signed_at", "signed_result"])
    _note("signed", draw, by, {"result": draw.signed_result})
    if draw.published_at is None:
        results.publish(draw=draw, by=by, now=now)
    return draw


def outcome_hash(draw: Draw) -> str:
    """SHA-256 over place, entry, outcome and prize of everything drawn."""
    lines = Pick.objects.filter(draw=draw).order_by("place").values_list("place", "number", "outcome", "prize")
    return sha256(canonical({"draw": draw.promotion.code, "drawn": [list(line) for line in lines]})).hexdigest()


def _lock(code: str) -> tuple[Promotion, Draw]:
    promotion = lock_promotion(code)
    draw = standing_draw(promotion)
    if draw is None:
        raise Conflict("nothing-promised", f"The draw of {code} has not been promised yet.")
    draw.promotion = promotion
    return promotion, draw


def _require_nominated(draw: Draw, by: Actor) -> None:
    by.require(SCRUTINISE)
    if draw.scrutineer != by.identity:
        raise Forbidden(
            "not-the-scrutineer",
            "Only the nominated scrutineer does this.",
            clause=edition_of(draw.promotion).clause("scrutineer"),
        )


def _refuse_drawn(draw: Draw) -> None:
    if draw.drawn_at is not None:
        raise Conflict("already-drawn", f"{draw.promotion.code} has been drawn.")


def _note(what: str, draw: Draw, by: Actor, more: dict[str, str]) -> None:
    acts.record(
        kind=f"promotion.scrutineer-{what}",
        subject=draw.promotion.subject,
        by=by,
        data={"draw": draw.promotion.code, "attempt": draw.attempt, **more},
    )
