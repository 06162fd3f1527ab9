"""Calls about prizes that their winners lose: noted by one person, seconded by another, signed by the scrutineer."""

from __future__ import annotations

from kernel.actors import Actor
from promotions import calls, claims, losses
from promotions.api.forms import WhyIn
from promotions.api.winners import WinOut
from promotions.models import LossCase, LossReason
from promotions.permissions import CLAIM, DRAW, LOSE, SCRUTINISE
from web.fields import Choice, InstantField, Nothing, StrictSerializer, Text, WholeNumber, shown
from web.view import HouseView, verb


class LossOut(StrictSerializer):
    """What is said of a loss so far."""

    win = WholeNumber(source="win_id")
    reason = Choice(choices=LossReason.values)
    noted_at = InstantField()
    noted_by = Text()
    seconded_at = InstantField(allow_null=True)
    seconded_by = Text(allow_null=True)
    signed_at = InstantField(allow_null=True)
    withdrawn_at = InstantField(allow_null=True)
    example = shown(
        {
            "win": 31,
            "reason": "absent",
            "noted_at": "2026-12-01T20:02:00+11:00",
            "noted_by": "staff:sue",
            "seconded_at": None,
            "seconded_by": None,
            "signed_at": None,
            "withdrawn_at": None,
        }
    )


class HeirsOut(StrictSerializer):
    results = WinOut(many=True, help_text="Who wins instead; empty where nobody is left, or before it is signed.")
    loss = LossOut(required=False, allow_null=True, help_text="What still needs to be seconded and signed.")
    example = shown({"results": [], "loss": LossOut.example})


def _noted(case: LossCase) -> dict[str, object]:
    return {"results": [], "loss": case}


class Absent(HouseView):
    @verb(permission=DRAW, gives=HeirsOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> dict[str, object]:
        """Nobody came forward in time. The next wins once another person has seconded it and the scrutineer signed."""
        return _noted(calls.winner_absent(win_id=id, by=by))


class Decline(HouseView):
    @verb(permission=CLAIM, gives=HeirsOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> dict[str, object]:
        """The winner does not want the prize. Another person seconds it, the scrutineer signs; then it goes on."""
        return _noted(claims.decline_prize(win_id=id, by=by))


class Ineligible(HouseView):
    @verb(permission=LOSE, takes=WhyIn, gives=HeirsOut)
    def post(self, by: Actor, data: WhyIn, *, id: int) -> dict[str, object]:
        """The winner was found not to be eligible after the draw. Another person seconds it, the scrutineer signs."""
        return _noted(losses.winner_ineligible(win_id=id, why=data.why, by=by))


class Unclaimed(HouseView):
    @verb(permission=LOSE, gives=HeirsOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> dict[str, object]:
        """The winner did not claim the prize in time. Another person seconds it, the scrutineer signs."""
        return _noted(losses.winner_unclaimed(win_id=id, by=by))


class Second(HouseView):
    @verb(permission=LOSE, gives=LossOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> LossCase:
        """Second what another person said of a winner's loss."""
        return losses.second_loss(win_id=id, by=by)


class Withdraw(HouseView):
    @verb(permission=LOSE, gives=LossOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> LossCase:
        """Take back what was said of a loss, before it is signed: the prize stays the winner's."""
        return losses.withdraw_loss(win_id=id, by=by)


class Sign(HouseView):
    @verb(permission=SCRUTINISE, gives=HeirsOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> dict[str, object]:
        """The scrutineer signs that the prize is lost: by the terms the next in the drawn order wins it, or nobody.

        At the console, in person, after password and second step: a token is refused.
        """
        return {"results": losses.sign_loss(win_id=id, by=by)}
