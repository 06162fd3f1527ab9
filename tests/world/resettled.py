"""A Keno game with a one typed where an eighty came out, paid for in part, and settled again by two people (12.1)."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from house.approvals import approve
from house.models import Proposal
from keno import particulars
from keno.models import Payment, Ticket
from keno.open_games import keep_open
from keno.pay import pay_ticket
from keno.resettle import propose_resettlement
from keno.sell import Sold
from tests.world.keno_played import Played

TYPED = list(range(1, 21))
CAME = [80, *range(2, 21)]
WHY = "The recording of camera 4 shows ball 80."


def play(played: Played, game: int = 1, balls: list[int] = TYPED) -> None:
    played.play(game, balls)
    keep_open(now=timezone.now())


def pay(played: Played, sold: Sold) -> Payment:
    """With the paper that is good now."""
    good = particulars.code_of(Ticket.objects.get(pk=sold.ticket.pk))
    return pay_ticket(serial=sold.ticket.serial, security_code=good, by=played.writer).payment


def resettle(played: Played, game: int = 1, numbers: Sequence[int] = CAME) -> Proposal:
    """Proposed by the supervisor, decided by the manager."""
    made = propose_resettlement(number=game, numbers=numbers, why=WHY, by=played.supervisor)
    return approve(proposal_id=made.pk, by=played.manager)
