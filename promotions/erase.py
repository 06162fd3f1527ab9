"""Forgetting people. When the time the terms state is over, names, addresses, identities and salts are deleted.

Numbers, leaf hashes, roots and everything in the ledger stay: every draw can still be checked, and nobody can be found.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import connection, transaction

from house.log import record_act
from kernel.actors import Actor
from kernel.retention import Kept
from promotions.acts.entries import PersonalDataErased
from promotions.claims import claims_naming, forget_claimants, keeps_its_name
from promotions.lifecycle import OVER
from promotions.locks import database_time, lock_promotion
from promotions.models import Entrant, Person, Promotion
from promotions.permissions import ERASE
from promotions.run import CLERK
from promotions.steps import must_be_forgettable
from promotions.versions import in_force, terms_of


def kept_until(promotion: Promotion) -> datetime | None:
    """When personal data may be deleted, by the terms; None while the promotion is not over."""
    over = promotion.finished_at or promotion.cancelled_at
    if over is None:
        return None
    version = in_force(promotion)
    days = terms_of(version).retention_days if version else 0
    return over + timedelta(days=days)


@dataclass(frozen=True, slots=True)
class Held:
    """How much is known of how many people: what erasing would delete, and the claims whose names stay (17.9.1)."""

    people: int
    contacts: int
    claims: int
    denied: int


def held(promotion: Promotion) -> Held:
    keep = [keeps_its_name(claim) for claim in claims_naming(promotion)]
    return Held(
        people=Entrant.objects.filter(promotion=promotion, identity__isnull=False).count(),
        contacts=Person.objects.filter(entrant__promotion=promotion).count(),
        claims=keep.count(False),
        denied=keep.count(True),
    )


def erase_personal_data(*, code: str, by: Actor, now: datetime | None = None) -> int:
    by.require(ERASE)
    return erase(code=code, by=by, now=now)


@transaction.atomic
def erase(*, code: str, by: Actor = CLERK, now: datetime | None = None) -> int:
    """Delete the personal data of a promotion whose retention is over. Answers how many people are forgotten."""
    promotion = lock_promotion(code)
    until = kept_until(promotion)
    now = now or database_time()
    must_be_forgettable(promotion, until=until, now=now)
    with connection.cursor() as cursor:
        cursor.execute(
            """DELETE FROM promotions_person p USING promotions_entrant n
               WHERE n.id = p.entrant_id AND n.promotion_id = %s""",
            [promotion.pk],
        )
        cursor.execute(
            "UPDATE promotions_entrant SET identity = NULL WHERE promotion_id = %s AND identity IS NOT NULL",
            [promotion.pk],
        )
        forgotten: int = cursor.rowcount
        cursor.execute(
            "UPDATE promotions_entry SET salt = NULL WHERE promotion_id = %s AND salt IS NOT NULL", [promotion.pk]
        )
        cursor.execute(
            """DELETE FROM promotions_importrow r USING promotions_import i
               WHERE i.id = r.of_id AND i.promotion_id = %s""",
            [promotion.pk],
        )
    forget_claimants(promotion)
    promotion.erased_at = now
    promotion.save(update_fields=["erased_at"])
    record_act(PersonalDataErased(promotion=code, entrants=forgotten), by=by)
    return forgotten


def erase_due(*, now: datetime) -> None:
    """What the tick does once a minute."""
    for promotion in Promotion.objects.filter(status__in=OVER, erased_at=None):
        until = kept_until(promotion)
        if until is not None and until <= now:
            erase(code=promotion.code, now=now)


KEPT: Final = Kept(
    name="entrants",
    label="Entrants and claimants of promotions",
    kept="as each promotion’s terms say",
    ends="by itself, or on the promotion’s page",
    held=lambda: Entrant.objects.exclude(identity=None).count(),
)
