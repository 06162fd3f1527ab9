"""The sealed point of a must-hit-by link: drawn when it is sealed, opened to compare with, shown when it is over.

The seed is made by the operating system and kept encrypted; its commitment is published before the first wager counts
towards it (decision 6). Everything here is about one point; when one begins and ends is ``mystery.py``.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from hashlib import sha256
from typing import Any

from django.db.models import Max
from django.utils import timezone

from chance import seeds
from chance.commitment import commitment, new_seed
from house.log import record_act
from jackpot.acts import TriggerRevealed, TriggerSealed
from jackpot.models import Hit, Link, TriggerPoint, TriggerStatus
from jackpot.rules import mystery as rules
from jackpot.rules import mystery_proof
from jackpot.rules.pool import Level
from kernel import keys
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Conflict

log = logging.getLogger(__name__)


def point_of(sealed: TriggerPoint) -> Money:
    """For comparing, here; nobody is shown it before it is reached."""
    code = sealed.link.code
    try:
        return _point(bytes(sealed.encrypted_seed), code, sealed.number, sealed.floor.micros, sealed.ceiling.micros)
    except seeds.SeedUnreadable:
        raise Conflict(
            "mystery-unreadable", f"The sealed point of {code} cannot be opened: another is being sealed."
        ) from None


def opens(sealed: TriggerPoint) -> bool:
    try:
        _seed_of(sealed)
    except seeds.SeedUnreadable:
        log.exception("trigger point %s of %s does not open", sealed.number, sealed.link.code)
        return False
    return True


@lru_cache(maxsize=256)
def _point(encrypted_seed: bytes, link: str, number: int, floor: int, ceiling: int) -> Money:
    """Worked out once a process: every wager asks for it."""
    sealed = TriggerPoint(
        link=Link(code=link), number=number, floor=Money(floor), ceiling=Money(ceiling), encrypted_seed=encrypted_seed
    )
    text = mystery_proof.bounds(link=link, number=number, floor=sealed.floor, ceiling=sealed.ceiling)
    return rules.trigger_point(
        floor=sealed.floor,
        ceiling=sealed.ceiling,
        below=mystery_proof.fair(seed=_seed_of(sealed), occasion=sealed.occasion, text=text),
    )


def _key() -> bytes:
    return sha256(b"meterhouse/jackpot-seed-key/1:" + keys.secret("jackpot-seed-key").encode()).digest()


def _seed_of(sealed: TriggerPoint) -> bytes:
    return seeds.decrypt(key=_key(), encrypted=bytes(sealed.encrypted_seed), occasion=sealed.occasion)


def seal(link: Link, level: Level, *, start: Money, after_transfer: int, after_wager: int, by: Actor) -> TriggerPoint:
    assert level.ceiling is not None
    last = TriggerPoint.objects.filter(link=link).aggregate(last=Max("number"))["last"] or 0
    sealed = TriggerPoint(
        link=link,
        number=last + 1,
        floor=start.down_to_cents(),
        ceiling=level.ceiling,
        start=start,
        after_transfer=after_transfer,
        after_wager=after_wager,
        status=TriggerStatus.RUNNING,
        sealed_at=timezone.now(),
    )
    seed = new_seed()
    sealed.commitment = commitment(seed, sealed.occasion)
    sealed.encrypted_seed = seeds.encrypt(key=_key(), seed=seed, occasion=sealed.occasion)
    sealed.save(force_insert=True)
    record_act(promised(sealed), by=by)
    return sealed


def reveal(sealed: TriggerPoint, status: TriggerStatus, *, by: Actor, hit: Hit | None = None) -> None:
    point, seed = point_of(sealed), _seed_of(sealed)
    sealed.point, sealed.seed = point, seed
    sealed.status, sealed.ended_at, sealed.hit = status, timezone.now(), hit
    sealed.save(update_fields=["status", "point", "seed", "ended_at", "hit"])
    promise = promised(sealed)
    record_act(
        TriggerRevealed(
            code=promise.code,
            number=promise.number,
            floor=promise.floor,
            ceiling=promise.ceiling,
            commitment=promise.commitment,
            ticket_root=promise.ticket_root,
            status=str(status),
            point=point,
            seed=seed,
            hit=hit.pk if hit else None,
        ),
        by=by,
    )


def promised(sealed: TriggerPoint) -> TriggerSealed:
    """Published when it is sealed."""
    code = sealed.link.code
    text = mystery_proof.bounds(link=code, number=sealed.number, floor=sealed.floor, ceiling=sealed.ceiling)
    return TriggerSealed(
        code=code,
        number=sealed.number,
        floor=sealed.floor,
        ceiling=sealed.ceiling,
        commitment=bytes(sealed.commitment),
        ticket_root=mystery_proof.root(text),
    )


def published(sealed: TriggerPoint) -> dict[str, Any]:
    """What was promised and, once it is over, the proof. What is on record: were they to differ, it must fail."""
    made: dict[str, Any] = {"proof": None, "entry": None}
    if sealed.seed is not None and sealed.point is not None:
        made = mystery_proof.make(
            seed=bytes(sealed.seed), occasion=sealed.occasion, floor=sealed.floor, ceiling=sealed.ceiling
        )
        number = mystery_proof.cents(sealed.point - sealed.floor)
        made["proof"] |= {"commitment": bytes(sealed.commitment).hex(), "numbers": [number]}
    told = promised(sealed).data()
    return {
        "link": told.pop("code"),
        **told,
        "floor": sealed.floor,
        "ceiling": sealed.ceiling,
        "status": sealed.status,
        "sealed_at": sealed.sealed_at,
        "ended_at": sealed.ended_at,
        "point": sealed.point,
        "sequence": sealed.hit.sequence if sealed.hit else None,
        **made,
    }
