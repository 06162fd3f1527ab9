"""Tournaments of a simulated month: conditions approved, entries by card and their fees, a rebuy now and then,
somebody who is called away, scores by two people, prizes to the cent. Each second one has heats and a final, with seats
by lot (``finals.py``). Now and then one is called off, and every fee goes back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from itertools import groupby
from random import Random
from typing import Any, Final

from house.approvals import approve, propose
from house.simulate import Clock, Figure, Part
from house.simulate.players import card_for
from house.staff import find
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Busy
from ledger.balance import balance
from promotions import accounts
from promotions.simulate.finals import HeatBook, conditions_of
from promotions.tournaments import (
    ANY_GAME,
    authorise_refund,
    close_heats,
    draw_seats,
    enter_tournament,
    finish_tournament,
    pay_tournament_prize,
    propose_calling_off,
    rebuy,
    refund_entry,
    score_tournament,
)
from tournaments.models import TournamentEntry
from tournaments.queries import tournaments_of

ENTERED_FOR: Final = timedelta(hours=5)
EVERY: Final = timedelta(hours=16)
FEE_CENTS: Final = 5_005
REBUY_CENTS: Final = 2_501
REBUYS: Final = 2  # of an entry, at most
RETAINED_PERCENT: Final = 10
SHARES: Final = (50, 30, 20)  # percent of the balance, by place
PLAYERS: Final = ("Ana", "Bela", "Chris", "Dora", "Emil", "Fay", "Goran", "Hilda")


def own_prizes(scores: Sequence[int], *, fees_cents: int) -> list[int]:
    """In cents, for scores from the best to the worst: the balance of the fees by place, ties shared (act-cp:16.4)."""
    balance_cents = fees_cents - fees_cents * RETAINED_PERCENT // 100
    by_place = _divide(balance_cents, SHARES[: len(scores)])
    by_place += [0] * (len(scores) - len(by_place))
    prizes: list[int] = []
    for _, tied in groupby(scores):
        count = len(list(tied))
        prizes += _divide(sum(by_place[len(prizes) : len(prizes) + count]), (1,) * count)
    return prizes


def _divide(cents: int, parts: Sequence[int]) -> list[int]:
    """By the parts, to the cent: what does not divide goes to the largest remainders, the better place first."""
    whole = [cents * part // sum(parts) for part in parts]
    left = cents - sum(whole)
    by_remainder = sorted(range(len(parts)), key=lambda place: -(cents * parts[place] % sum(parts)))
    for place in by_remainder[:left]:
        whole[place] += 1
    return whole


class Cups(Part):
    name = "Tournaments"

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.supervisor: Actor
        self.manager: Actor
        self.inspector: Actor
        self.cashier: Actor
        self.code = ""
        self.number = 0  # of the last one
        self.closes = self.next_at = clock.now
        self.entries: list[TournamentEntry] = []
        self.rebuys: Counter[int] = Counter()  # of the one that is played, by entry
        self.heats: HeatBook | None = None  # where it has a final
        self.to_play: list[Callable[[Random], None]] = []  # what of it is still to be played
        self.cents: Counter[str] = Counter()
        self.before: dict[str, Money] = {}

    def begin(self) -> None:
        self.supervisor, self.manager, self.inspector, self.cashier = (
            find(name).as_actor() for name in ("supervisor", "manager", "inspector", "writer")
        )
        self.number = tournaments_of(ANY_GAME).count()
        self.before = {code: balance(code).amount for code in (accounts.TOURNAMENTS, accounts.TOURNAMENT_FEES)}

    def moment(self, chance: Random) -> None:
        if self.to_play:
            self._go_on(chance)
        elif self.code and self.clock.now > self.closes:
            self._end(chance)
        elif self.code and len(self.entries) < len(PLAYERS) and chance.random() < 0.5:
            self._enter()
        elif self.entries and chance.random() < 0.3:
            self._buy_in(chance.choice(self.entries))
        elif len(self.entries) > 1 and chance.random() < 0.1:
            self._called_away()
        elif not self.code and self.clock.now >= self.next_at:
            self._open()

    def end(self, chance: Random) -> None:
        if self.to_play:
            self._go_on(chance)
        elif self.code:
            self._give_up()

    def _open(self) -> None:
        self.number += 1
        self.code, self.closes = f"SIMCUP{self.number}", self.clock.now + ENTERED_FOR
        self.next_at, self.entries, self.rebuys = self.clock.now + EVERY, [], Counter()
        heats = conditions_of(self.number)
        self.heats = HeatBook(heats["final"]["ties"], heats["final"]["carries_over"]) if heats else None
        conditions: dict[str, Any] = {
            "name": f"Poker cup {self.number}",
            "game": "Canberra Poker",
            "entry_fee": str(Money.cents(FEE_CENTS)),
            "retained": RETAINED_PERCENT * 100,
            "prizes": [share * 100 for share in SHARES],
            "play": "Five rounds; chips count.",
            "closes_at": self.closes.isoformat(),
            "rebuys": {
                "most": REBUYS,
                "price": str(Money.cents(REBUY_CENTS)),
                "until": (self.closes + ENTERED_FOR).isoformat(),
            },
        } | heats
        made = propose(
            kind="promotions.tournament",
            subject=f"tournament:{self.code}",
            new=conditions,
            why="A livelier month.",
            by=self.supervisor,
        )
        approve(proposal_id=made.pk, by=self.inspector)
        self._enter()

    def _enter(self) -> None:
        card = card_for(PLAYERS[len(self.entries)], by=self.supervisor)
        self.entries.append(enter_tournament(code=self.code, card=card, by=self.supervisor))
        self.cents["fees"] += FEE_CENTS
        self.done["cup entry"] += 1

    def _buy_in(self, entry: TournamentEntry) -> None:
        if self.rebuys[entry.pk] >= REBUYS:
            return
        rebuy(entry_id=entry.pk, by=self.supervisor)
        self.rebuys[entry.pk] += 1
        self.cents["fees"] += REBUY_CENTS
        self.done["cup rebuy"] += 1

    def _called_away(self) -> None:
        """The last one leaves before it begins: one says that his money goes back, another hands it over."""
        left = self.entries.pop()
        authorise_refund(entry_id=left.pk, why="Called away.", by=self.supervisor)
        refund_entry(entry_id=left.pk, by=self.manager)
        self.cents["returned"] += FEE_CENTS + REBUY_CENTS * self.rebuys.pop(left.pk, 0)
        self.done["cup refund"] += 1

    def _end(self, chance: Random) -> None:
        if chance.random() < 0.2:
            self._give_up()
            return
        heats = self.heats
        if heats is None:
            self.to_play = [self._only_round]
        else:
            self.to_play = [lambda chance: self._seat(), self._heats, lambda chance: self._close(heats), self._final]
            if heats.ties == "play-off":
                self.to_play.insert(2, self._play_off)
        self._go_on(chance)

    def _go_on(self, chance: Random) -> None:
        """As far as it goes: while the witness is away a lot waits."""
        while self.to_play:
            try:
                self.to_play[0](chance)
            except Busy as busy:
                self.refused[busy.code] += 1
                return
            del self.to_play[0]

    def _score(self, scores: Mapping[int, int]) -> None:
        for each in (self.supervisor, self.manager):
            score_tournament(code=self.code, scores=scores, by=each)

    def _only_round(self, chance: Random) -> None:
        scores = {entry.pk: chance.choice((10, 20, 20, 30, 40)) for entry in self.entries}
        self._score(scores)
        self._finish(scores)

    def _seat(self) -> None:
        assert self.heats is not None
        seated = draw_seats(code=self.code, by=self.supervisor)
        self.heats.heat_of = {entry.pk: entry.heat or 0 for entry in seated}
        self.expect(f"Seated in {self.code}", {entry.pk for entry in self.entries}, set(self.heats.heat_of))

    def _heats(self, chance: Random) -> None:
        assert self.heats is not None
        self.heats.scores = {entry.pk: chance.choice((10, 20, 20, 30, 40)) for entry in self.entries}
        self._score(self.heats.scores)

    def _play_off(self, chance: Random) -> None:
        """Where there is one: nobody ties in it."""
        assert self.heats is not None
        tied = self.heats.open_ties()
        if tied:
            decided = dict(zip(tied, chance.sample(range(100), len(tied)), strict=True))
            self._score(decided)
            self.done["cup play-off"] += 1

    def _close(self, heats: HeatBook) -> None:
        tied = heats.open_ties()
        into = close_heats(code=self.code, by=self.manager)
        told = TournamentEntry.objects.filter(pk__in=tied).values_list("pk", "tie_score")
        decided = {entry: score or 0 for entry, score in told}
        if heats.ties == "lot":
            self.expect(f"The lot of {self.code}", list(range(1, len(tied) + 1)), sorted(decided.values()))
            self.done["cup lot"] += bool(tied)
        self.expect(f"The final of {self.code}", heats.into(decided), [entry.pk for entry in into])

    def _final(self, chance: Random) -> None:
        assert self.heats is not None
        seated = draw_seats(code=self.code, by=self.supervisor)
        scores = {entry.pk: chance.choice((10, 20, 30)) for entry in seated}
        self._score(scores)
        self._finish(self.heats.points(scores))
        self.done["cup final"] += 1

    def _finish(self, scores: Mapping[int, int]) -> None:
        """*scores*: of those who are ranked."""
        ranked = finish_tournament(code=self.code, by=self.manager)
        fees = FEE_CENTS * len(self.entries) + REBUY_CENTS * self.rebuys.total()
        own = own_prizes(sorted(scores.values(), reverse=True), fees_cents=fees)
        order = sorted(scores, key=lambda entry: (-scores[entry], entry))
        expected = [(entry, Money.cents(prize)) for entry, prize in zip(order, own, strict=True)]
        self.expect(f"Prizes of {self.code}", expected, [(entry.pk, entry.prize) for entry in ranked])
        self.cents["retained"] += fees - sum(own)
        for entry, prize in zip(order, own, strict=True):
            if prize:
                self._pay(entry, prize)
        self.code, self.entries = "", []
        self.done["cup"] += 1

    def _pay(self, entry: int, cents: int) -> None:
        pay_tournament_prize(entry_id=entry, by=self.supervisor)
        self.cents["paid"] += cents
        self.done["cup prize"] += 1

    def _give_up(self) -> None:
        made = propose_calling_off(code=self.code, why="Too few came.", by=self.manager)
        approve(proposal_id=made.pk, by=self.supervisor)
        for entry in self.entries:
            refund_entry(entry_id=entry.pk, by=self.cashier)
        self.cents["returned"] += FEE_CENTS * len(self.entries) + REBUY_CENTS * self.rebuys.total()
        self.code, self.entries = "", []
        self.done["cup called off"] += 1

    def figures(self) -> list[Figure]:
        own = self.cents
        held = Money.cents(own["fees"] - own["returned"] - own["retained"] - own["paid"])
        moved = {code: balance(code).amount - before for code, before in self.before.items()}
        return [
            *super().figures(),
            Figure("Entry fees still held", held, moved[accounts.TOURNAMENTS]),
            Figure("Retained of entry fees", Money.cents(own["retained"]), moved[accounts.TOURNAMENT_FEES]),
        ]
