"""Somebody goes to the table where a jackpot was hit: the alert stops on every screen, the dealer sees who comes."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from house import people
from house.log import record_act
from jackpot import permissions, steps
from jackpot.hit_acts import HitAttended, hit_subject
from jackpot.hits import find_hit
from jackpot.models import Hit, HitStatus
from kernel.actors import Actor
from kernel.money import ZERO
from ledger.models import Act


@transaction.atomic
def attend_hit(*, hit_id: int, by: Actor) -> Hit:
    """Said once a person; who says it last is who comes."""
    hit = find_hit(hit_id)
    steps.must_attend(hit, by)
    if coming([hit.pk]).get(hit.pk) != by.identity:
        record_act(HitAttended(hit=hit.pk, link=hit.link.code, table=hit.table.code), by=by)
    return hit


def coming(hits: Iterable[int]) -> dict[int, str]:
    """Who attends each of these hits, of those that anybody attends."""
    subjects = {hit_subject(hit): hit for hit in hits}
    if not subjects:
        return {}
    said = Act.objects.filter(kind=HitAttended.kind, subject__in=subjects).order_by("id")
    return {subjects[subject]: actor for subject, actor in said.values_list("subject", "actor")}


def coming_by_name(hits: Iterable[int]) -> dict[int, str]:
    found = coming(hits)
    names = people.names(found.values())
    return {hit: names[identity] for hit, identity in found.items()}


def unattended(by: Actor) -> list[Hit]:
    """The jackpots that nobody has taken yet, for whoever may verify them: the oldest first."""
    if not by.may(permissions.VERIFY):
        return []
    claimed = Hit.objects.filter(status=HitStatus.CLAIMED, from_pool__gt=ZERO)
    hits = list(claimed.select_related("link", "table").order_by("pk"))
    taken = coming([hit.pk for hit in hits])
    return [hit for hit in hits if hit.pk not in taken]
