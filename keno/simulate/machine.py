"""The ball machine of a simulation, and the people at it: balls counted, entered, mistyped, fallen back, read back.

The balls come out of a source of chance of their own; what the house then has on record must be they (12.1).
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from random import Random
from typing import Final

from house.approvals import approve
from house.simulate import Clock
from keno.balls import confirm_balls, correct_ball, count_balls, enter_balls, fall_back, report_stoppage
from keno.choose_device import choose_device
from keno.models import DrawDevice
from keno.resettle import propose_resettlement
from keno.rules.selection import NUMBERS
from keno.rules.settle import DRAWN
from keno.simulate.staff import People
from keno.simulate.venue_settings import VenueSettings
from keno.void import void_draw
from kernel.refusal import Forbidden

BALL_SET: Final = "A"
HANDFUL: Final = 5  # balls that are entered at once
BETWEEN_BALLS: Final = timedelta(seconds=2)
MISTYPED = 0.4  # of the draws have a ball that somebody mistypes


class Machine:
    def __init__(self, people: People, settings: VenueSettings, clock: Clock, done: Counter[str]) -> None:
        self.people, self.settings, self.clock, self.done = people, settings, clock, done
        self.unseen = False  # a slip of the finger that nobody sees before the settlement

    def choose(self, device: DrawDevice) -> None:
        choose_device(device=device, by=self.people.supervisor)

    def draw(self, number: int, chance: Random) -> tuple[int, ...]:
        """The whole draw of a closed game; the answer is what lies in the tube at its end."""
        self.settings.balls_confirmed = number % 2 == 0
        if chance.random() < 0.1:
            count_balls(number=number, counted=NUMBERS - 1, ball_set=BALL_SET, by=self.people.supervisor)
            self.done["ball missing: draw void"] += 1
        count_balls(number=number, counted=NUMBERS, ball_set=BALL_SET, by=self.people.supervisor)
        if chance.random() < 0.05:
            self._enter(number, chance.sample(range(1, NUMBERS + 1), 3))
            void_draw(number=number, cause="balls-spilled", reason="Balls lie on the floor.", by=self.people.supervisor)
            self.done["balls spilled: draw void"] += 1
            count_balls(number=number, counted=NUMBERS, ball_set=BALL_SET, by=self.people.supervisor)
        tube = self._balls(number, chance)
        if self.settings.balls_confirmed:
            self._read_back(number, tube)
        elif self.unseen:
            self._settle_again(number, tube)
        self.done["mechanical draw"] += 1
        return tuple(tube)

    def _balls(self, number: int, chance: Random) -> list[int]:
        """Twenty balls, handful by handful. One slip of the finger and one ball that falls back, now and then."""
        drum = list(range(1, NUMBERS + 1))
        chance.shuffle(drum)
        slip_in = chance.randrange(0, 3) if chance.random() < MISTYPED else None
        self.unseen = not self.settings.balls_confirmed and slip_in is not None and chance.random() < 0.25
        falls_in = chance.randrange(0, 3) if chance.random() < 0.2 else None
        tube: list[int] = []
        handful = 0
        while len(tube) < DRAWN:
            coming = [drum.pop() for _ in range(min(HANDFUL, DRAWN - len(tube)))]
            if handful == slip_in:
                self._mistype(number, tube, coming, typed=drum[0])
            else:
                self._enter(number, coming)
            tube += coming
            if handful == falls_in:
                fallen = tube.pop()
                fall_back(number=number, ball=fallen, by=self.people.supervisor)
                drum.insert(0, fallen)
                self.done["ball fell back"] += 1
            if handful == 1 and chance.random() < 0.05:
                report_stoppage(number=number, by=self.people.supervisor)
                self.done["device stopped"] += 1
            handful += 1
        return tube

    def _enter(self, number: int, balls: list[int]) -> None:
        self.clock.advance(self.clock.now + BETWEEN_BALLS * len(balls))
        enter_balls(number=number, balls=balls, by=self.people.supervisor)

    def _mistype(self, number: int, tube: list[int], coming: list[int], *, typed: int) -> None:
        """The first of them is mistyped, and put right as soon as somebody sees it (12.1)."""
        self._enter(number, [typed, *coming[1:]])
        if self.unseen:
            return
        correct_ball(number=number, place=len(tube) + 1, ball=coming[0], by=self.people.supervisor)
        self.done["ball corrected"] += 1

    def _settle_again(self, number: int, tube: list[int]) -> None:
        """Seen only after the settlement: proposed by one, decided by another."""
        why = "The recording shows another ball."
        made = propose_resettlement(number=number, numbers=tube, why=why, by=self.people.supervisor)
        approve(proposal_id=made.pk, by=self.people.manager)
        self.done["game settled again"] += 1

    def _read_back(self, number: int, tube: list[int]) -> None:
        """By another person: who entered them is refused."""
        try:
            confirm_balls(number=number, by=self.people.supervisor)
        except Forbidden:
            self.done["own balls read back: refused"] += 1
        confirm_balls(number=number, numbers=sorted(tube), by=self.people.manager)
        self.done["balls read back"] += 1
