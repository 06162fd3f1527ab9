"""What was won is claimed: its place in the link's strict order, its money set aside, the log written (decision 12)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from django.db.models import Max

from house.log import record_act
from jackpot import pools
from jackpot.hit_acts import HitClaimed
from jackpot.models import Hit, Link
from jackpot.rules.pool import HOUSE, WINNERS, Movement
from jackpot.rules.sealed_hands import HandShown, salt_of
from kernel.actors import Actor
from kernel.money import ZERO

CONTRIBUTION: Final = "jackpot.contribution"
WIN: Final = "jackpot.win"
RESTART: Final = "jackpot.restart"
OVERFLOW: Final = "jackpot.overflow"
WHEN_WON: Final = "when-won"
TERMS_KIND: Final = "jackpot.terms"
JOIN_KIND: Final = "jackpot.table"
AFTER_WIN_KINDS: Final = (TERMS_KIND, JOIN_KIND)


def last_sequence(link: Link) -> int:
    """The pool is held by the caller: the next one has no rival."""
    return Hit.objects.filter(link=link).aggregate(last=Max("sequence"))["last"] or 0


def claim(hits: Sequence[Hit], *, by: Actor, day: date) -> list[Hit]:
    """Write hits down and set their money aside, in order. The pool is held by the caller."""
    claimed = Hit.objects.bulk_create(hits)
    for hit in claimed:
        record_act(HitClaimed(**shown(hit)), by=by)
        set_aside(hit, by=by, day=day)
    return claimed


def set_aside(hit: Hit, *, by: Actor, day: date) -> None:
    parts = ((hit.level or HOUSE, hit.from_pool), (HOUSE, hit.from_house))
    pools.book(
        link=hit.link.code,
        movements=[Movement(source, WINNERS, amount) for source, amount in parts if amount > ZERO],
        kind=WIN,
        reference=win_reference(hit),
        memo={"table": hit.table.code, "round": hit.round_id, "box": hit.box, "hand": hit.hand},
        by=by,
        day=day,
    )


def win_reference(hit: Hit) -> str:
    """Under what its money is set aside now. Each time that it is shared anew it is set aside anew (act-pg:13.3)."""
    return f"hit/{hit.pk}/{hit.shared}" if hit.shared else f"hit/{hit.pk}"


def shown(hit: Hit) -> dict[str, Any]:
    """A hit as the log, and so the boards, are told of it."""
    return {
        "hit": hit.pk,
        "sequence": hit.sequence,
        "link": hit.link.code,
        "table": hit.table.code,
        "round": hit.round_id,
        "box": hit.box,
        "hand": hit.hand,
        "kind_": hit.kind,
        "amount": hit.amount,
        "from_pool": hit.from_pool,
        "from_house": hit.from_house,
        "measured_on": hit.measured_on,
        "status": hit.status,
        "place": hit.place,
        "level": hit.level,
    }


def opened(hit: Hit) -> HandShown | None:
    """The hand of its box, as it was sealed when the round ended: shown once somebody has looked at it."""
    if hit.round is None or hit.box is None or not hit.dealt or hit.round.salt is None:
        return None
    if hit.round.late_hands.filter(box=hit.box).exists():
        return None  # it was never sealed
    return HandShown(box=hit.box, pieces=tuple(hit.dealt), salt=salt_of(bytes(hit.round.salt), hit.box))
