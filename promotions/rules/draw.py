"""Who wins what: from the drawn order of the entries to the prizes, their winners and the alternates. Pure.

The order comes from what the house promised and what the witness answered (`chance.two_party`): entry numbers 1 to N,
without replacement, as long as anybody asks. Walking along it:

- entries that were barred when the witness was asked win nothing and are passed over;
- the prizes are won in the order of the terms, each by the next entry that may win;
- the entries after them are the alternates;
- a prize that its winner loses (absent when called, refused, unclaimed in time) goes to the next in the drawn order,
  where the terms say that it is drawn again; otherwise nobody wins it;
- whoever has lost a prize is out of the draw, with all his entries; where the terms give one prize to a person, whoever
  has won one is passed over.

Losses count in the order they were recorded, so the whole outcome follows from the drawn order and the list of losses:
anybody can walk it again (`promotions.verify`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Final

from kernel.canonical import canonical

PURPOSE: Final = "promotion"
DEVICE: Final = "rng"


class Outcome(StrEnum):
    WINNER = "winner"
    ALTERNATE = "alternate"
    PASSED_OVER = "passed-over"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Drawn:
    """One entry as it was drawn: its place in the order from 1, its number in the sealed list, whose it is."""

    place: int
    entry: int
    person: str


@dataclass(frozen=True, slots=True)
class Loss:
    """The prize won at *place* is lost; *redraw*: the next in the drawn order wins it."""

    place: int
    redraw: bool


@dataclass(frozen=True, slots=True)
class EntryOutcome:
    """What became of one drawn entry. *prize* counts from 1 in the order of the terms; None wins nothing."""

    place: int
    entry: int
    person: str
    outcome: Outcome
    prize: int | None = None


class _Walk:
    """One walk along the drawn order."""

    def __init__(self, order: Iterator[Drawn], *, one_prize_a_person: bool, barred: Collection[int]) -> None:
        self.order = order
        self.barred = frozenset(barred)
        self.one_prize_a_person = one_prize_a_person
        self.outcomes: dict[int, EntryOutcome] = {}
        self.waiting: deque[Drawn] = deque()  # drawn as alternates
        self.won: set[str] = set()
        self.out: set[str] = set()

    def mark(self, drawn: Drawn, outcome: Outcome, prize: int | None = None) -> None:
        self.outcomes[drawn.place] = EntryOutcome(drawn.place, drawn.entry, drawn.person, outcome, prize)

    def may_win(self, drawn: Drawn) -> bool:
        if drawn.entry in self.barred or drawn.person in self.out:
            return False
        return not (self.one_prize_a_person and drawn.person in self.won)

    def next_winner(self) -> Drawn | None:
        """The next that may win, alternates first; those who may not are passed over. None: nobody is left."""
        while self.waiting:
            if self.may_win(drawn := self.waiting.popleft()):
                return drawn
            self.mark(drawn, Outcome.PASSED_OVER)
        for drawn in self.order:
            if self.may_win(drawn):
                return drawn
            self.mark(drawn, Outcome.PASSED_OVER)
        return None

    def give(self, prize: int) -> None:
        if (drawn := self.next_winner()) is not None:
            self.won.add(drawn.person)
            self.mark(drawn, Outcome.WINNER, prize)

    def name_alternates(self, count: int) -> None:
        """An alternate wins at most once by his turn, so where one prize is a person's, each alternate is another."""
        named: set[str] = set()
        while len(self.waiting) < count and (drawn := next(self.order, None)) is not None:
            if self.may_win(drawn) and not (self.one_prize_a_person and drawn.person in named):
                named.add(drawn.person)
                self.waiting.append(drawn)
                self.mark(drawn, Outcome.ALTERNATE)
            else:
                self.mark(drawn, Outcome.PASSED_OVER)

    def lose(self, loss: Loss) -> None:
        held = self.outcomes.get(loss.place)
        if held is None or held.outcome is not Outcome.WINNER or held.prize is None:
            raise ValueError(f"Place {loss.place} holds no prize that could be lost.")
        self.outcomes[loss.place] = EntryOutcome(held.place, held.entry, held.person, Outcome.LOST, held.prize)
        self.out.add(held.person)
        if loss.redraw:
            self.give(held.prize)


def walk(
    order: Iterable[Drawn],
    *,
    prizes: int,
    alternates: int,
    one_prize_a_person: bool,
    losses: Sequence[Loss] = (),
    barred: Collection[int] = (),
) -> list[EntryOutcome]:
    """What became of every entry drawn so far, in the drawn order. *order* is read only as far as it is needed;
    *barred* are the entries that win nothing, by what was on record when the witness was asked."""
    if prizes < 1 or alternates < 0:
        raise ValueError("A draw has at least one prize, and no fewer than no alternates.")
    walked = _Walk(iter(order), one_prize_a_person=one_prize_a_person, barred=barred)
    for prize in range(1, prizes + 1):
        walked.give(prize)
    walked.name_alternates(alternates)
    for loss in losses:
        walked.lose(loss)
    return [walked.outcomes[place] for place in sorted(walked.outcomes)]


def winners(outcomes: Iterable[EntryOutcome]) -> Mapping[int, EntryOutcome]:
    """Who holds each prize now. A prize that is missing has no winner."""
    return {each.prize: each for each in outcomes if each.outcome is Outcome.WINNER and each.prize is not None}


def result_hash(code: str, outcomes: Iterable[EntryOutcome]) -> str:
    """What the scrutineer signs: SHA-256 over place, entry, outcome and prize of everything drawn."""
    lines = [[each.place, each.entry, each.outcome.value, each.prize] for each in outcomes]
    return sha256(canonical({"draw": code, "drawn": lines})).hexdigest()
