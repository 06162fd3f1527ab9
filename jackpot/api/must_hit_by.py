"""Must-hit-by links: each sealed movement, what was decided, and the proof. Open to everybody but the dice."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from jackpot import permissions, published, queries
from jackpot.api.must_hit_by_fields import MovementOut
from jackpot.dice import dice_for_movement
from jackpot.models import MeterSeal
from kernel.actors import Actor
from web.fields import Nothing, QueryFlag, StrictSerializer, Text, shown
from web.view import PUBLIC, HouseView, Paging, listing, read, verb


class _MovementRow(MovementOut):
    def to_representation(self, seal: MeterSeal) -> dict[str, Any]:
        return super().to_representation(published.published(seal))


class MovementsAsked(Paging):
    fell = QueryFlag(required=False, help_text="Only those in which it fell, or only those in which it did not.")


class Movements(HouseView):
    @listing(permission=PUBLIC, gives=_MovementRow, asks=MovementsAsked, order="-number")
    def get(self, by: Actor, asked: MovementsAsked, *, code: str) -> QuerySet[MeterSeal]:
        """The sealed movements of a must-hit-by link and what was decided, the newest first."""
        return queries.meter_seals_of(code, fell=asked.fell)


class OneMovement(HouseView):
    @read(permission=PUBLIC, gives=MovementOut)
    def get(self, by: Actor, asked: Nothing, *, code: str, number: int) -> dict[str, Any]:
        """One movement with its wagers; once its gaming day is over, with the proof.

        Check it offline: `python -m jackpot.rules.must_hit_by_proof FILE COMMITMENT`.
        """
        return published.published_with_wagers(queries.find_meter_seal(code, number))


class DiceIn(StrictSerializer):
    dice = Text(max_length=400, help_text="The throws, each a digit from 1 to 6.")
    why = Text(max_length=400)
    example = shown({"dice": "3615243621" * 6, "why": "The line to the witness is down."})


class Dice(HouseView):
    @verb(permission=permissions.DICE, takes=DiceIn, gives=MovementOut)
    def post(self, by: Actor, data: DiceIn, *, code: str, number: int) -> dict[str, Any]:
        """An inspector’s dice in the place of a witness that is away. Marked for ever.

        The movement is decided by them within two seconds.
        """
        return published.published_with_wagers(
            dice_for_movement(code=code, number=number, by=by, dice=data.dice, why=data.why)
        )
