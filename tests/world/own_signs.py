"""A player's own sign at a gaming table, as one person proposes it and another decides."""

from __future__ import annotations

from house.approvals import approve
from kernel.actors import Actor
from tablegames.higher_maximum import propose_higher_maximum
from tablegames.models import SignMarker
from tablegames.rules.signs import Limits
from tests.world.people import MANAGER, SUPERVISOR


def own_sign(
    *, table: str, seat: int, limits: Limits, by: Actor = SUPERVISOR, agreed_by: Actor = MANAGER
) -> SignMarker:
    made = propose_higher_maximum(table=table, seat=seat, limits=limits, why="A known player.", by=by)
    assert approve(proposal_id=made.pk, by=agreed_by).status == "effective", made.outcome
    return SignMarker.objects.latest("pk")
