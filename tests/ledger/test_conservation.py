"""Money is conserved over any order of posting, holding, voiding and reversing, against a model kept in dicts."""

from __future__ import annotations

from collections import Counter

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from house.refusal import Conflict
from ledger.balance import balances
from ledger.models import Transfer
from ledger.money import Money
from ledger.pend import pend, post_pending, void_pending
from ledger.post import post
from ledger.reverse import reverse
from tests.ledger.books import ALL, ANNA, BEN, DAY, booking, open_books

pairs = st.permutations(ALL).map(lambda codes: (codes[0], codes[1]))
amounts = st.integers(1, 10_000_000).map(Money.cents)


class Books(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.net: Counter[str] = Counter()  # debits less credits, in micro-dollars
        self.held: Counter[str] = Counter()
        self.posted: dict[int, tuple[str, str, Money]] = {}
        self.pending: dict[int, tuple[str, str, Money]] = {}
        self.closed: list[int] = []
        self.rows = 0

    @initialize()
    def begin(self) -> None:
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        open_books()

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.atomic.__exit__(None, None, None)

    def _move(self, debit: str, credit: str, amount: Money) -> None:
        self.net[debit] += amount.micros
        self.net[credit] -= amount.micros

    def _hold(self, debit: str, credit: str, amount: Money, sign: int) -> None:
        self.held[f"debit {debit}"] += sign * amount.micros
        self.held[f"credit {credit}"] += sign * amount.micros

    @rule(pair=pairs, amount=amounts)
    def post(self, pair: tuple[str, str], amount: Money) -> None:
        number = post(booking=booking(amount, debit=pair[0], credit=pair[1]), by=ANNA, day=DAY)
        self.posted[number] = (*pair, amount)
        self._move(*pair, amount)
        self.rows += 1

    @rule(pair=pairs, amount=amounts)
    def pend(self, pair: tuple[str, str], amount: Money) -> None:
        number = pend(booking=booking(amount, debit=pair[0], credit=pair[1]), by=ANNA, day=DAY)
        self.pending[number] = (*pair, amount)
        self._hold(*pair, amount, +1)
        self.rows += 1

    @precondition(lambda self: self.pending)
    @rule(data=st.data(), yes=st.booleans())
    def decide(self, data: st.DataObject, yes: bool) -> None:
        number = data.draw(st.sampled_from(sorted(self.pending)))
        entry = self.pending.pop(number)
        self._hold(*entry, -1)
        if yes:
            self.posted[post_pending(transfer=number, by=BEN, day=DAY)] = entry
            self._move(*entry)
        else:
            void_pending(transfer=number, by=BEN, day=DAY)
        self.closed.append(number)
        self.rows += 1

    @precondition(lambda self: self.posted)
    @rule(data=st.data())
    def reverse(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(sorted(self.posted)))
        debit, credit, amount = self.posted.pop(number)
        reverse(transfer=number, why="test", by=BEN, day=DAY)
        self._move(credit, debit, amount)
        self.rows += 1
        with pytest.raises(Conflict):
            reverse(transfer=number, why="test", by=BEN, day=DAY)

    @precondition(lambda self: self.closed)
    @rule(data=st.data(), yes=st.booleans())
    def decide_again(self, data: st.DataObject, yes: bool) -> None:
        number = data.draw(st.sampled_from(self.closed))
        with pytest.raises(Conflict):
            (post_pending if yes else void_pending)(transfer=number, by=ANNA, day=DAY)

    @invariant()
    def books_agree_with_the_model(self) -> None:
        now = balances(ALL) if self.rows else {}
        assert sum(b.debits.micros - b.credits.micros for b in now.values()) == 0
        for code, b in now.items():
            assert b.debits.micros - b.credits.micros == self.net[code]
            assert b.pending_debits.micros == self.held[f"debit {code}"]
            assert b.pending_credits.micros == self.held[f"credit {code}"]
        assert Transfer.objects.count() == self.rows


@pytest.mark.django_db
def test_money_is_conserved_over_any_order_of_acts() -> None:
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        Books,
        settings=settings(
            max_examples=40, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
