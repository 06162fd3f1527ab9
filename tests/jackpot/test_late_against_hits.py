"""Messages that arrive late, against two events, in every order of arrival there is: a win and a change of the rates, a
win that is denied, one that other rates had waited for, two wins.

Three messages: one played before both events, one between them, one after. Each counts by the rates of when it was
played, whenever it arrives. Beside the house stands a model of a few lines, in whole cents and with no clock: what has
arrived when the win is locked is won, what was played before it and comes later stands in the running pool, and all of
it together is the money of arrival in time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import permutations
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from house.approvals import propose
from jackpot import pools, terms
from jackpot.contribute import Message, contribute_bulk
from jackpot.demo import BOOM
from jackpot.hits import deny_hit
from jackpot.models import Hit, Link
from jackpot.reconcile import reconcile
from kernel.money import Money
from tests.jackpot.dealt import ROYAL, cards
from tests.world.approvals import decide
from tests.world.jackpot_table import conserved, finish, start
from tests.world.people import MANAGER, SUPERVISOR, TABLE

pytestmark = pytest.mark.usefixtures("floor")

WIN, AGAIN, DENIED = "win", "another win", "denied"
RATES = "rates"
WAITED = "a win that rates had waited for"
WINS = (WIN, AGAIN, WAITED)
WAGERS = {"early": 10, "between": 30, "last": 70}
OLD, NEW, NEWER = (60, 40), (50, 50), (30, 70)  # per cent into the prize and the reserve
SEED = 1_000_000


@dataclass
class Model:
    """A link that is fed by messages, in cents."""

    prize: int = SEED
    reserve: int = 0
    advance: int = SEED
    won: int = 0
    last: tuple[int, int] = (0, 0)  # win: its amount, and what the reserve gave to the next pool

    def message(self, wagers: int, rates: tuple[int, int]) -> None:
        self.prize += wagers * rates[0]
        self.reserve += wagers * rates[1]

    def win(self) -> None:
        from_reserve = min(self.reserve, SEED)
        self.last = self.prize, from_reserve
        self.won += self.prize
        self.reserve -= from_reserve
        self.advance += SEED - from_reserve
        self.prize = SEED

    def deny(self) -> None:
        """As if it had not been, with everything that has come in since."""
        won, from_reserve = self.last
        self.won -= won
        self.prize += won - SEED
        self.reserve += from_reserve
        self.advance -= SEED - from_reserve
        self.last = 0, 0

    @property
    def money(self) -> int:
        return self.prize + self.reserve + self.won - self.advance


def rates_of(name: str, events: Sequence[str]) -> tuple[int, int]:
    """By when it was played: after so many of the events. Rates that had waited for a win go when it is denied."""
    before = events[: {"early": 0, "between": 1, "last": 2}[name]]
    if RATES in before:
        return rates_after(events)
    return NEW if WAITED in before and DENIED not in before else OLD


def rates_after(events: Sequence[str]) -> tuple[int, int]:
    """What is approved at once; others than a win has brought."""
    return NEWER if WAITED in events else NEW


def modelled(order: Sequence[str], events: Sequence[str]) -> Model:
    model = Model()
    for step in order:
        if step in WINS:
            model.win()
        elif step == DENIED:
            model.deny()
        elif step != RATES:
            model.message(WAGERS[step], rates_of(step, events))
    return model


def orders(events: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every order in which the events happen as they do, and no message arrives before it is played."""
    first, second = events
    for order in permutations([first, second, *WAGERS]):
        at = order.index
        if at(first) < at(second) < at("last") and at(first) < at("between"):
            yield order


def in_time(events: Sequence[str]) -> tuple[str, ...]:
    return ("early", events[0], "between", events[1], "last")


PAIRS = ((WIN, RATES), (RATES, WIN), (WIN, DENIED), (WAITED, DENIED), (WAITED, RATES), (WIN, AGAIN))
ALL = [(events, order) for events in PAIRS for order in orders(events)]


def test_there_are_fifteen_orders_of_each_and_all_of_them_are_the_same_money() -> None:
    assert len(ALL) == len(set(ALL)) == 15 * len(PAIRS)
    for events, order in ALL:
        here, there = modelled(order, events), modelled(in_time(events), events)
        assert here.money == there.money
        if DENIED in events:
            assert here == there  # nobody has won: when it came makes no difference at all
        elif AGAIN not in events:
            (win,) = set(events) & set(WINS)
            before_the_win = [name for place, name in enumerate(WAGERS) if place <= events.index(win)]
            late = [name for name in before_the_win if order.index(name) > order.index(win)]
            assert here.prize == there.prize + sum(WAGERS[name] * rates_of(name, events)[0] for name in late)
            assert here.won == there.won - (here.prize - there.prize)


def play(order: Sequence[str], events: Sequence[str]) -> None:
    played = {"early": timezone.now()}
    after = dict(zip(events, ("between", "last"), strict=True))
    if WAITED in events:
        _change_rates(NEW, condition="when-won")
    for step in order:
        if step in WINS:
            finish(start("BOOM-02", (1,)), cards(1, ROYAL))
        elif step == DENIED:
            deny_hit(hit_id=Hit.objects.get().pk, reason="The deck was short.", by=MANAGER)
        elif step == RATES:
            _change_rates(rates_after(events))
        else:
            _arrives(step, played[step])
        if step in after:
            played[after[step]] = timezone.now()


def _change_rates(rates: tuple[int, int], *, condition: str = "") -> None:
    data = terms.write(BOOM)
    data["levels"][0]["increment_rate"], data["reserve_rate"] = (rate * 100 for rate in rates)
    about: dict[str, Any] = {"subject": "jackpot:BOOM", "why": "Agreed.", "by": SUPERVISOR, "condition": condition}
    decide(propose(kind="jackpot.terms", new=data, **about))


def _arrives(name: str, at: datetime) -> None:
    sent = Message(name, "BOOM-01", WAGERS[name], at)
    assert contribute_bulk(messages=[sent], by=TABLE).counted == 1
    assert contribute_bulk(messages=[sent], by=TABLE).duplicates == 1  # the answer was lost: nothing is doubled


def _cents(amount: Money) -> int:
    return amount.micros // 10_000


@pytest.mark.clause("nsw-csp:11.6", "act-cp:10.5")
def test_the_house_stands_where_the_model_stands_after_every_order(exhaustive: bool) -> None:
    """After each of them, or after every eleventh, which takes of all kinds."""
    for events, order in ALL if exhaustive else ALL[::11]:
        with transaction.atomic():
            play(order, events)
            now = pools.read_pools("BOOM")
            won = Hit.objects.exclude(status="denied").values_list("from_pool", flat=True)
            due = modelled(order, events)
            stands = (now.prize, now.reserve, now.advanced, Money.total(won))
            assert (order, tuple(map(_cents, stands))) == (order, (due.prize, due.reserve, due.advance, due.won))
            conserved("BOOM")
            assert reconcile(link=Link.objects.get(code="BOOM")).fault == ""
            transaction.set_rollback(True)
