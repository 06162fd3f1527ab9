"""Attempts at a draw: the seed that is promised while entries are taken, kept, used and revealed (decision 6).

The key is a secret of this installation; a seed that does not open any more can only be declared void, and the next
attempt has its own.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from django.db import transaction

from chance import seeds
from chance.commitment import commitment, new_seed
from house.log import record_act
from kernel import keys
from kernel.actors import Actor
from kernel.refusal import Conflict
from promotions.acts.draws import DrawCommitted, DrawVoided
from promotions.lifecycle import Status
from promotions.locks import database_time, lock_promotion
from promotions.models import Draw, Promotion

COMMITS = (Status.SUBMITTED, Status.RUNNING)


def _key() -> bytes:
    return sha256(b"meterhouse/promotion-seed-key/1:" + keys.secret("promotion-seed-key").encode()).digest()


@transaction.atomic
def commit_draw(*, code: str, by: Actor, now: datetime | None = None) -> Draw:
    """Promise the seed of the draw: once, and while entries are still to be taken. Answers the promise that stands."""
    promotion = lock_promotion(code)
    current = Draw.objects.filter(promotion=promotion, voided_at=None).first()
    if current is not None:
        return current
    if promotion.status not in COMMITS:
        raise Conflict(
            f"promotion-{promotion.status}",
            f"Promotion {code} is {promotion.status}: its draw is promised before entries close.",
        )
    return make_attempt(promotion=promotion, by=by, now=now or database_time())


def make_attempt(*, promotion: Promotion, by: Actor, now: datetime) -> Draw:
    """The next attempt, with a new seed from the operating system. The promotion's row is locked; none stands."""
    draw = Draw(
        promotion=promotion,
        attempt=Draw.objects.filter(promotion=promotion).count() + 1,
        made_at=now,
        made_by=by.identity,
    )
    seed = new_seed()
    draw.commitment = commitment(seed, draw.occasion)
    draw.encrypted_seed = seeds.encrypt(key=_key(), seed=seed, occasion=draw.occasion)
    draw.save(force_insert=True)
    committed = DrawCommitted(promotion=promotion.code, draw=draw.pk, attempt=draw.attempt, commitment=draw.commitment)
    record_act(committed, by=by)
    return draw


def seed_of(draw: Draw) -> bytes:
    """For drawing, and for revealing it when the attempt is over."""
    return seeds.decrypt(key=_key(), encrypted=bytes(draw.encrypted_seed), occasion=draw.occasion)


def current_draw(promotion: Promotion) -> Draw | None:
    """The attempt that is not void."""
    return (
        Draw.objects.filter(promotion=promotion, voided_at=None)
        .select_related("promotion", "entry_list", "version")
        .first()
    )


def void_attempt(*, draw: Draw, why: str, by: Actor, now: datetime) -> None:
    """It did not count. Its seed is revealed, so that nobody can say afterwards what it would have given."""
    draw.seed = draw.seed or seed_of(draw)
    draw.voided_at, draw.voided_by, draw.void_reason = now, by.identity, why
    draw.save(update_fields=["seed", "voided_at", "voided_by", "void_reason"])
    voided = DrawVoided(
        promotion=draw.promotion.code,
        draw=draw.pk,
        attempt=draw.attempt,
        commitment=bytes(draw.commitment),
        seed=bytes(draw.seed),
        numbers=tuple(draw.numbers),
        why=why,
    )
    record_act(voided, by=by)
