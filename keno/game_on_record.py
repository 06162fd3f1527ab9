"""What the log says about one game that is not over, for the offline check. Pure: see ``verify.py``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from chance import two_party
from draws.record import DrawsOnRecord, PromiseOnRecord
from keno.acts import DrawFinished, DrawLocked, DrawVoided, GameInvalidated, GameSettled, NumberDrawn
from keno.ball_acts import BallCorrected, BallsCounted, BallsReadBack
from keno.rules.selection import NUMBERS
from keno.rules.settle import DRAWN
from kernel.export_check import Doubt

RNG: Final = "rng"


@dataclass(slots=True)
class GameOnRecord:
    number: int
    device: str
    promise: PromiseOnRecord
    record: DrawsOnRecord
    closed: bool = False
    attempt: int = 1
    root: bytes | None = None
    count: int = 0
    told: bool = False  # to those who follow the game: that its tickets are sealed,
    ended: bool = False  # and that the standing attempt has all its numbers
    locked: tuple[int, int] | None = None  # of the standing attempt: where in the log, and under which number
    asked: int = 0  # how often the witness was asked
    balls: int | None = None  # in the device, as they were counted before the standing attempt
    hands: set[str] = field(default_factory=set)  # who entered or corrected its balls, or took one back
    drawn: list[int] = field(default_factory=list)
    given: dict[int, list[int]] = field(default_factory=dict)  # by the number asked under: what was said to come of it

    def doubt(self, what: str) -> Doubt:
        return Doubt(f"game {self.number}: {what}")

    def seal(self, root: bytes, count: int) -> None:
        if not self.closed or self.root is not None:
            raise self.doubt("its tickets are sealed before its close, or twice.")
        self.root, self.count = root, count

    def lock(self, act: DrawLocked, *, index: int) -> None:
        next_in_turn = act.asked == self.asked + 1 and act.attempt == self.attempt
        if self.root is None or self.device != RNG or self.locked is not None or not next_in_turn:
            raise self.doubt("it is locked for the witness at a moment that does not fit.")
        self.locked = (index, act.asked)

    def ask(self, attempt: int, *, size: int) -> None:
        if self.locked is None or self.locked[1] != attempt or attempt != self.asked + 1:
            raise self.doubt("the witness is asked about it though it was not locked.")
        if self.locked[0] >= size:
            raise self.doubt("the witness was asked under a head from before the lock: a cancellation could slip in.")
        self.asked = attempt

    def count_balls(self, act: BallsCounted, *, approved: bool) -> None:
        """Before the first ball of an attempt, of a set that is approved (2.1, 12.4a)."""
        if self.device == RNG or act.attempt != self.attempt or self.drawn:
            raise self.doubt("balls are counted for it at a moment that does not fit.")
        if not approved:
            raise self.doubt(f"balls of set {act.ball_set} are counted for it, which was not approved.")
        self.balls = act.balls

    def number_drawn(self, act: NumberDrawn, *, by: str) -> None:
        if act.attempt != self.attempt or act.place != len(self.drawn) + 1:
            raise self.doubt(f"number {len(self.drawn) + 1} should be here, and another is.")
        if self.root is None:
            raise self.doubt("numbers were drawn, and no set of tickets was sealed.")
        self.same_set(act.ticket_root, act.ticket_count)
        if self.device == RNG:
            if self.locked is None:
                raise self.doubt("a number is on record, and the witness was not asked.")
            self.record.said(str(self.number), self.locked[1])  # raises where nothing was said
        elif self.balls != NUMBERS:
            counted = "nobody had counted them" if self.balls is None else f"{self.balls} were counted"
            raise self.doubt(f"its balls are drawn, and {counted}.")
        self.hands.add(by)
        self.drawn.append(act.number)

    def fall_back(self, ball: int, *, by: str) -> None:
        if self.device == RNG or ball not in self.drawn:
            raise self.doubt("a ball fell back that was not drawn.")
        if self.is_complete:
            raise self.doubt(f"ball {ball} fell back after all {DRAWN} were drawn.")
        self.drawn.remove(ball)
        self.hands.add(by)

    def read_back(self, act: BallsReadBack, *, another: bool) -> None:
        if self.device == RNG or (act.attempt, act.numbers) != (self.attempt, tuple(self.drawn)):
            raise self.doubt("other balls are read back than are on record.")
        if not another:
            raise self.doubt("its balls are read back by who entered them, or took one back.")

    def corrected(self, act: BallCorrected, *, by: str) -> None:
        """An error in recording: before the draw was complete, of a number that stood there (12.1)."""
        if self.device == RNG or act.attempt != self.attempt or self.drawn[act.place - 1 : act.place] != [act.old]:
            raise self.doubt("a ball was corrected that was not on record.")
        self.drawn[act.place - 1] = act.new
        self.hands.add(by)

    def tell_set(self, root: bytes, count: int) -> None:
        if self.root is None or self.told:
            raise self.doubt("its tickets are said to be sealed before they are, or twice.")
        self.same_set(root, count)
        self.told = True

    def finished(self, act: DrawFinished) -> None:
        if self.ended:
            raise self.doubt(f"attempt {self.attempt} ends twice.")
        self.ended = True
        self.same_set(act.ticket_root, act.ticket_count)
        self._same(attempt=act.attempt, numbers=act.numbers)
        if len(set(self.drawn)) != DRAWN or not all(1 <= number <= NUMBERS for number in self.drawn):
            raise self.doubt(f"a draw has {DRAWN} different numbers from 1 to {NUMBERS}.")

    def voided(self, act: DrawVoided) -> None:
        self._same(attempt=act.attempt, numbers=act.numbers)
        if self.device == RNG and act.proposal is None and not self.asked_now:
            raise self.doubt(f"attempt {self.attempt} was declared void by one person, though it could be continued.")
        self._stopped(act.would_be, act.proposal, goes_on_with=act.device)
        self.attempt, self.device, self.drawn, self.locked = act.attempt + 1, act.device, [], None
        self.balls, self.hands, self.ended = None, set(), False

    def invalidated(self, act: GameInvalidated) -> int:
        self._same(numbers=act.numbers)
        self._stopped(act.would_be, act.proposal)
        return self._recompute()

    @property
    def asked_now(self) -> bool:
        """Whether the witness was asked about the standing attempt."""
        return self.locked is not None and self.asked >= self.locked[1]

    @property
    def is_complete(self) -> bool:
        """All its balls wait to be read back: who would stop it now knows who won."""
        return len(self.drawn) == DRAWN

    @property
    def inspector_decides(self) -> bool:
        """Whether the standing attempt is stopped only by two people of the house and the inspector (12.3, 14.1)."""
        return self.asked_now or self.is_complete

    def _stopped(self, would_be: tuple[int, ...] | None, proposal: int | None, *, goes_on_with: str = "") -> None:
        """Once the witness is asked, by the inspector only, and what would have come is published with it. The same of
        twenty balls; they are published already."""
        if self.is_complete and proposal is None:
            raise self.doubt(f"attempt {self.attempt} was stopped after its last number, and no inspector decided.")
        if not self.asked_now:
            return
        assert self.locked is not None
        asked = self.locked[1]
        if proposal is None:
            raise self.doubt(
                f"attempt {self.attempt} was stopped after the witness was asked, and no inspector decided."
            )
        attempt = self.record.attempt(str(self.number), asked)
        if would_be is None:
            if attempt.answer is not None or attempt.replaced is not None or goes_on_with == RNG:
                raise self.doubt(f"attempt {self.attempt} is void, and what would have come was not published.")
            return
        if attempt.void is None or tuple(attempt.void.numbers) != would_be or len(would_be) != DRAWN:
            raise self.doubt(f"attempt {self.attempt} is void, and what would have come was not published.")
        if list(would_be[: len(self.drawn)]) != self.drawn:
            raise self.doubt(f"attempt {self.attempt}: the numbers published are not the ones on record.")
        self.given[asked] = list(would_be)

    def settled(self, act: GameSettled) -> int:
        """How many draws were computed again."""
        self.same_set(act.ticket_root, act.ticket_count)
        self._same(attempt=act.attempt, numbers=act.numbers, commitment=act.commitment)
        if len(self.drawn) != DRAWN or not self.ended or not self.told:
            raise self.doubt(
                f"it was settled without {DRAWN} numbers, or before they and its set were said to be whole."
            )
        if act.device != self.device:
            raise self.doubt(f"it was drawn with the device “{self.device}”, and is settled as “{act.device}”.")
        if self.device == RNG:
            assert self.locked is not None
            self.given[self.locked[1]] = self.drawn
            if act.seed is None or act.seed != self.promise.master:
                raise self.doubt("it was settled without the master that was promised.")
        return self._recompute()

    def _recompute(self) -> int:
        """That the master is revealed, and gives exactly these numbers with what was said to each attempt."""
        if self.promise.master is None:
            raise self.doubt("it is over, and its master was not revealed.")
        for asked, on_record in self.given.items():
            said = self.record.said(str(self.number), asked)
            given = two_party.numbers(self.promise.master, said, pool=NUMBERS, count=DRAWN)
            for place, (ours, theirs) in enumerate(zip(given, on_record, strict=True), start=1):
                if ours != theirs:
                    raise self.doubt(
                        f"master and answer {asked} give {ours} as number {place}, and {theirs} is on record."
                    )
        return len(self.given)

    def same_set(self, root: bytes | None, count: int | None) -> None:
        if root is not None and (root, count) != (self.root, self.count):
            raise self.doubt("its tickets are not the ones that were sealed after its close.")

    def _same(self, **at_the_end: int | tuple[int, ...] | bytes | None) -> None:
        """What is said at the end is what was said before."""
        said = {"attempt": self.attempt, "numbers": tuple(self.drawn), "commitment": self.promise.commitment}
        for name, value in at_the_end.items():
            if value != said[name]:
                noun = "ones" if name == "numbers" else "one"
                raise self.doubt(f"the {name} at the end and the {noun} on record before differ.")
