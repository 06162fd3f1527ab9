"""How the venue runs its games: how often they close, how fast they are drawn, whether balls are read back.

In force is the one row of ``KenoSettings``, which every game reads anyhow and the database holds to what is possible;
what it was before is in the proposals. Two people of the house decide (READING.md: everything that no rule gives to the
inspector). What draws is chosen by a supervisor among the devices that an inspector has approved
(``choose_device.py``); limits and thresholds are amounts (``catalogue.AMOUNT``).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from house.approvals import Approvable, Record, Shape
from house.models import Proposal
from keno.models import KenoSettings
from keno.permissions import DECIDE
from keno.rules.settle import DRAWN
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.refusal import NotFound, Refusal
from web.fields import TrueOrFalse, WholeNumber

KIND: Final = "keno.games"
SUBJECT: Final = "venue"
_DAY_SECONDS: Final = 24 * 3600
_PACE_MILLISECONDS_LIMIT: Final = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSettings:
    interval_seconds: int
    draw_after_seconds: int
    pace_milliseconds: int
    balls_confirmed: bool

    @property
    def draw_milliseconds(self) -> int:
        """From the close to the twentieth number."""
        return self.draw_after_seconds * 1_000 + self.pace_milliseconds * DRAWN


class GameSettingsValue(Record):
    """How games are run, from the next one on."""

    interval_seconds = WholeNumber(help_text="From one close to the next.")
    draw_after_seconds = WholeNumber(help_text="From the close to the first number.")
    pace_milliseconds = WholeNumber(help_text="From one number to the next.")
    balls_confirmed = TrueOrFalse(help_text="Whether another person reads the twenty balls of a draw back.")
    makes = GameSettings


def _current(subject: str) -> GameSettings:
    if subject != SUBJECT:
        raise NotFound("no-such-subject", "This belongs to the venue: the subject is “venue”.", field="subject")
    current = KenoSettings.current()
    return GameSettings(
        interval_seconds=current.interval // timedelta(seconds=1),
        draw_after_seconds=current.draw_after // timedelta(seconds=1),
        pace_milliseconds=current.pace // timedelta(milliseconds=1),
        balls_confirmed=current.balls_confirmed,
    )


def _check(subject: str, new: GameSettings) -> None:
    in_bounds = (
        1 <= new.interval_seconds <= _DAY_SECONDS
        and 0 <= new.draw_after_seconds <= _DAY_SECONDS
        and 0 <= new.pace_milliseconds <= _PACE_MILLISECONDS_LIMIT
    )
    if not in_bounds or new.draw_milliseconds >= new.interval_seconds * 1_000:
        raise Refusal(
            "draw-does-not-fit",
            "A draw is over before the next game closes: choose a longer interval, or draw sooner or faster.",
            field="new",
        )


def _apply(proposal: Proposal, new: GameSettings, by: Actor) -> None:
    KenoSettings.current()
    KenoSettings.objects.filter(pk=1).update(
        interval=timedelta(seconds=new.interval_seconds),
        draw_after=timedelta(seconds=new.draw_after_seconds),
        pace=timedelta(milliseconds=new.pace_milliseconds),
        balls_confirmed=new.balls_confirmed,
    )


def _describe(subject: str, old: GameSettings | None, new: GameSettings) -> str:
    balls = "a second person reads balls back" if new.balls_confirmed else "balls are not read back"
    return (
        f"A game closes every {new.interval_seconds} seconds, its first number comes {new.draw_after_seconds} seconds "
        f"later and the others every {new.pace_milliseconds / 1_000:g} seconds; {balls}."
    )


GAME_SETTINGS: Final = Approvable(
    kind=KIND,
    label="How games are run",
    shape=Shape[GameSettings](GameSettingsValue(), unreadable="settings-not-readable"),
    authority=Authority.HOUSE,
    permission=DECIDE,
    describe=_describe,
    current=_current,
    check=_check,
    apply=_apply,
)
