"""The promise of a promotion's draw and the attempts that follow from it (DRAWS.md, decision 6).

One master for each promotion, promised when it is about to start and published before the first entry; every attempt,
whatever is postponed, resumed, amended or sealed anew, follows from it. The occasion has the promotion's own code.
"""

from __future__ import annotations

from datetime import datetime
from itertools import islice

from chance.select import Source, picks
from chance.two_party import Said
from draws import ask, commit
from draws.masters import MasterLost
from draws.models import Commitment
from kernel.actors import Actor
from kernel.refusal import Conflict
from promotions.models import Draw, Promotion
from promotions.rules.draw import DEVICE, PURPOSE


def promise(*, promotion: Promotion, by: Actor, now: datetime) -> Commitment:
    """The promise that stands, made here where there is none yet. The promotion's row is locked."""
    standing = promise_of(promotion)
    if standing is not None:
        return standing
    made = commit.commit(purpose=PURPOSE, name=promotion.code, device=DEVICE, by=by)
    make_attempt(promotion=promotion, promised=made, by=by, now=now)
    return made


def promise_of(promotion: Promotion) -> Commitment | None:
    return Commitment.objects.filter(purpose=PURPOSE, name=promotion.code).first()


def make_attempt(*, promotion: Promotion, promised: Commitment, by: Actor, now: datetime) -> Draw:
    """The next attempt, from the same promise. The promotion's row is locked; none stands."""
    made = Draw.objects.filter(promotion=promotion).count()
    return Draw.objects.create(
        promotion=promotion, attempt=made + 1, promise=promised, made_at=now, made_by=by.identity
    )


def current_draw(promotion: Promotion) -> Draw | None:
    """The attempt that is not void."""
    return (
        Draw.objects.filter(promotion=promotion, voided_at=None)
        .select_related("promotion", "promise", "entry_list", "version")
        .first()
    )


def was_asked(promotion: Promotion) -> bool:
    """Whether any attempt was begun: from then on the list stands."""
    return Draw.objects.filter(promotion=promotion, begun_at__isnull=False).exists()


def said_to(draw: Draw) -> Said | None:
    """What was said to this attempt, by the witness or in its place; None where it still waits."""
    return ask.said_to(draw.promise, occasion=draw.promotion.code, attempt=draw.attempt)


def must_be_said(draw: Draw) -> Said:
    said = said_to(draw)
    if said is None:
        raise Conflict(
            "not-answered-yet",
            f"Attempt {draw.attempt} at {draw.promotion.code} has no answer yet: it is asked again until it is "
            "answered, or an inspector throws dice in the place of the witness.",
        )
    return said


def order_of(draw: Draw, said: Said) -> Source:
    """The generator that gives the drawn order."""
    try:
        return ask.source(draw.promise, said)
    except MasterLost as lost:
        raise Conflict("master-lost", str(lost)) from None


def first_numbers(draw: Draw, said: Said) -> list[int]:
    """As many numbers as there are prizes and alternates: what an attempt gives, whoever the entries are."""
    assert draw.entry_list is not None
    pool = draw.entry_list.count
    if not pool:
        return []
    wanted = min(pool, (draw.prizes or 0) + (draw.alternates or 0))
    return [pick.number for pick in islice(picks(order_of(draw, said), pool), wanted)]


def reveal(promised: Commitment, *, by: Actor) -> None:
    """Publish the master; one that is lost stays so, and every check says it."""
    try:
        commit.reveal(promised, by=by)
    except MasterLost:
        return
