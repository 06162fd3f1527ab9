"""What the venue has set for Keno, and what games could pay out at most."""

from __future__ import annotations

from rest_framework import serializers

from keno import approved
from keno.models import KenoSettings
from keno.permissions import SEE_ALL
from keno.queries.exposure import Exposed, latest_exposed
from kernel.actors import Actor
from web.fields import MoneyField, Nothing, StrictSerializer, Text, TrueOrFalse, WholeNumber, shown
from web.view import SIGNED_IN, HouseView, read


class KenoSettingsOut(StrictSerializer):
    """Changed by proposals of the kinds `keno.games` and `keno.amount`; the device by `keno/device`."""

    device = Text()
    interval_seconds = WholeNumber(help_text="From one close to the next.")
    draw_after_seconds = WholeNumber(help_text="From the close to the first number.")
    pace_milliseconds = WholeNumber(help_text="From one number to the next.")
    balls_confirmed = TrueOrFalse(help_text="Whether another person reads the twenty balls of a draw back.")
    amounts = serializers.DictField(child=MoneyField(), help_text="Limits and thresholds, by code.")
    example = shown(
        {
            "device": "rng",
            "interval_seconds": 180,
            "draw_after_seconds": 5,
            "pace_milliseconds": 2500,
            "balls_confirmed": True,
            "amounts": {"most-a-ticket": "1000000.00"},
        }
    )


class Settings(HouseView):
    @read(permission=SIGNED_IN, gives=KenoSettingsOut)
    def get(self, by: Actor, asked: Nothing) -> dict[str, object]:
        """How the venue runs Keno, and its limits and thresholds."""
        current = KenoSettings.current()
        return {
            "device": current.device,
            "interval_seconds": int(current.interval.total_seconds()),
            "draw_after_seconds": int(current.draw_after.total_seconds()),
            "pace_milliseconds": int(current.pace.total_seconds() * 1_000),
            "balls_confirmed": current.balls_confirmed,
            "amounts": approved.amounts(),
        }


class GameExposureOut(StrictSerializer):
    game = WholeNumber(source="game.number")
    status = Text(source="game.status")
    could_pay = MoneyField(source="payable", help_text="At most, in prizes that are fixed, whatever is drawn.")
    turnover = MoneyField()
    limit = MoneyField(help_text="What would pass it is not sold.")
    alarm = TrueOrFalse()


class ExposureOut(StrictSerializer):
    games = GameExposureOut(many=True)
    example = shown(
        {
            "games": [
                {
                    "game": 1201,
                    "status": "open",
                    "could_pay": "52310.00",
                    "turnover": "1840.00",
                    "limit": "50000000.00",
                    "alarm": False,
                }
            ]
        }
    )


class ExposureOfGames(HouseView):
    @read(permission=SEE_ALL, gives=ExposureOut)
    def get(self, by: Actor, asked: Nothing) -> dict[str, list[Exposed]]:
        """What the latest games could pay out at most, the newest first, beside what was paid for them."""
        return {"games": latest_exposed()}
