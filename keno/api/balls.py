"""Calls about the balls of a mechanical draw: counted, entered, corrected, read back, fallen back (2.1, 12)."""

from __future__ import annotations

from rest_framework import serializers

from house.api.approvals import ApprovalOut
from house.models import Proposal
from keno import balls
from keno.api.games import GameStateOut, GameView
from keno.permissions import RESETTLE, RUN_GAMES
from keno.queries.games import described
from keno.resettle import propose_resettlement
from kernel.actors import Actor
from kernel.refusal import Malformed
from web.fields import StrictSerializer, Text, WholeNumber, shown
from web.view import verb


class BallsDrawnIn(StrictSerializer):
    """Exactly one of the two."""

    number = WholeNumber(required=False, help_text="The next ball.")
    numbers = serializers.ListField(
        child=WholeNumber(), required=False, max_length=80, help_text="The next balls, in order."
    )
    example = shown({"numbers": [4, 80, 17]})


class BallCountIn(StrictSerializer):
    balls = WholeNumber(min_value=0, max_value=1000, help_text="Balls in the device before the draw.")
    set = Text(
        max_length=16, required=False, help_text="The approved set that was counted. Without it nothing is done."
    )
    example = shown({"balls": 80, "set": "A"})


class BallCorrectedIn(StrictSerializer):
    place = WholeNumber(min_value=1, max_value=20, help_text="Which of the numbers on record.")
    number = WholeNumber(help_text="The ball that came out.")
    example = shown({"place": 3, "number": 71})


class BallsReadIn(StrictSerializer):
    numbers = serializers.ListField(
        child=WholeNumber(), required=False, max_length=80, help_text="As read, in any order; compared with the record."
    )
    example = shown({"numbers": [4, 80, 17, 9, 33, 61, 2, 45, 70, 12, 58, 26, 74, 39, 8, 50, 21, 66, 1, 77]})


class BallFellBackIn(StrictSerializer):
    number = WholeNumber()
    example = shown({"number": 17})


class DeviceStoppedIn(StrictSerializer):
    what = Text(required=False, help_text="What happened.")
    example = shown({"what": "The blower failed."})


class ResettleIn(StrictSerializer):
    numbers = serializers.ListField(
        child=WholeNumber(), max_length=80, help_text="The twenty balls that came out, in their order."
    )
    why = Text(help_text="What shows it. It stays on record.")
    example = shown(
        {
            "numbers": [4, 80, 17, 9, 33, 61, 2, 45, 70, 12, 58, 26, 74, 39, 8, 50, 21, 66, 1, 77],
            "why": "The recording of camera 4 shows ball 80.",
        }
    )


class Resettle(GameView):
    @verb(permission=RESETTLE, takes=ResettleIn, gives=ApprovalOut, status=202, needs_key=False)
    def post(self, by: Actor, data: ResettleIn, *, number: int) -> Proposal:
        """Propose that a game whose balls were recorded wrongly is settled again, on those that came out.

        Another person decides. Then unpaid prizes are replaced; of paid ones only what is missing is owed.
        """
        return propose_resettlement(number=number, numbers=data.numbers, why=data.why, by=by)


class Count(GameView):
    @verb(permission=RUN_GAMES, takes=BallCountIn, gives=GameStateOut, needs_key=False)
    def post(self, by: Actor, data: BallCountIn, *, number: int) -> dict[str, object]:
        """Enter the count of the balls before the draw, of an approved set. Each attempt has its own.

        Anything but 80 makes the draw void. Without a count there is no draw.
        """
        return described(balls.count_balls(number=number, counted=data.balls, ball_set=data.set or "", by=by))


class Correct(GameView):
    @verb(permission=RUN_GAMES, takes=BallCorrectedIn, gives=GameStateOut, needs_key=False)
    def post(self, by: Actor, data: BallCorrectedIn, *, number: int) -> dict[str, object]:
        """Correct a ball that was mistyped to the one that came out, while the draw is not complete."""
        return described(balls.correct_ball(number=number, place=data.place, ball=data.number, by=by))


class Confirm(GameView):
    @verb(permission=RUN_GAMES, takes=BallsReadIn, gives=GameStateOut, needs_key=False)
    def post(self, by: Actor, data: BallsReadIn, *, number: int) -> dict[str, object]:
        """Read the twenty balls back, where the venue wants it: another person than who entered them.

        It settles the game.
        """
        return described(balls.confirm_balls(number=number, numbers=data.numbers, by=by))


class Balls(GameView):
    @verb(permission=RUN_GAMES, takes=BallsDrawnIn, gives=GameStateOut, needs_key=False)
    def post(self, by: Actor, data: BallsDrawnIn, *, number: int) -> dict[str, object]:
        """Enter the next ball or balls of the mechanical device.

        The twentieth completes the draw and settles the game; where the venue wants them read back, after `confirm`.
        """
        drawn = data.numbers if data.number is None else [data.number]
        if drawn is None or (data.number is not None and data.numbers is not None):
            raise Malformed("balls-form", "Send one “number”, or “numbers”, not both.", field="number")
        return described(balls.enter_balls(number=number, balls=drawn, by=by))


class FallBack(GameView):
    @verb(permission=RUN_GAMES, takes=BallFellBackIn, gives=GameStateOut, needs_key=False)
    def post(self, by: Actor, data: BallFellBackIn, *, number: int) -> dict[str, object]:
        """Take a ball back that fell into the device again."""
        return described(balls.fall_back(number=number, ball=data.number, by=by))


class Stoppage(GameView):
    @verb(permission=RUN_GAMES, takes=DeviceStoppedIn, gives=GameStateOut, needs_key=False)
    def post(self, by: Actor, data: DeviceStoppedIn, *, number: int) -> dict[str, object]:
        """Report that the device stopped and is operated by hand."""
        return described(balls.report_stoppage(number=number, what=data.what or "", by=by))
