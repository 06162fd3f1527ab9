"""Calls about prizes on hold, and winning wagers that are void after the draw (14.3)."""

from __future__ import annotations

from house.api.approvals import ApprovalOut
from house.models import Proposal
from keno.hold import hold_prize, release_hold
from keno.models import PrizeHold
from keno.permissions import HOLD, VOID_WIN
from keno.void_win import propose_void_win
from kernel.actors import Actor
from web.fields import InstantField, StrictSerializer, Text, WholeNumber, shown
from web.view import HouseView, verb

_EXAMPLE = {
    "ticket": "7K2MX0Q4RT9B",
    "why": "The player is said to have played with a device that records the draws.",
    "owner": "staff:sam",
    "put_by": "staff:sue",
    "put_at": "2026-11-16T21:09:00+11:00",
    "released_by": None,
    "released_at": None,
}


class HoldIn(StrictSerializer):
    why = Text(help_text="What is looked into. It stays on record.")
    owner = Text(required=False, max_length=80, help_text="Who looks into it; left out, whoever puts it on hold.")
    example = shown({"why": _EXAMPLE["why"], "owner": "sam"})


class HoldOut(StrictSerializer):
    ticket = Text(source="ticket.serial")
    why = Text()
    owner = Text()
    put_by = Text()
    put_at = InstantField()
    released_by = Text(allow_null=True)
    released_at = InstantField(allow_null=True)
    example = shown(_EXAMPLE)


class ReleaseIn(StrictSerializer):
    why = Text(help_text="What was found. It stays on record.")
    example = shown({"why": "The recordings show nothing of the kind."})


class VoidWinIn(StrictSerializer):
    game = WholeNumber(min_value=1, help_text="Settled; the ticket won in it and was not paid for it.")
    why = Text(help_text="Which rule was broken, and how. It stays on record.")
    exclude = Text(
        required=False, max_length=24, help_text="The number of the player in breach, to be excluded from Keno as well."
    )
    example = shown({"game": 1201, "why": "Played with a device that records the draws."})


class Hold(HouseView):
    @verb(permission=HOLD, takes=HoldIn, gives=HoldOut, status=201)
    def post(self, by: Actor, data: HoldIn, *, serial: str) -> PrizeHold:
        """Put everything on a ticket on hold while it is looked into.

        Nothing on it is paid, tendered or claimed until the hold is ended.
        """
        return hold_prize(serial=serial, why=data.why, owner=data.owner, by=by)


class Release(HouseView):
    @verb(permission=HOLD, takes=ReleaseIn, gives=HoldOut)
    def post(self, by: Actor, data: ReleaseIn, *, serial: str) -> PrizeHold:
        """End a hold: there is nothing against the ticket. Another person than who put it on hold does."""
        return release_hold(serial=serial, why=data.why, by=by)


class VoidWinOf(HouseView):
    @verb(permission=VOID_WIN, takes=VoidWinIn, gives=ApprovalOut, status=202)
    def post(self, by: Actor, data: VoidWinIn, *, serial: str) -> Proposal:
        """Propose that the winning wager of a person in breach is void, after the draw and before it is paid.

        The ticket is on hold from this moment on. Another person decides: then the stake is refunded, and what was won
        goes back to its pool, never to other winners. A ticket that lost stands.
        """
        return propose_void_win(serial=serial, game=data.game, why=data.why, exclude=data.exclude, by=by)
