"""Money is conserved over any order of posting and reversing, against a model kept in dicts."""

from __future__ import annotations

from collections import Counter

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from kernel.money import Money
from kernel.refusal import Conflict
from ledger.balance import balances
from ledger.models import Transfer
from ledger.post import post
from ledger.reverse import reverse
from tests.world.books import ALL, ANNA, BEN, DAY, booking, open_books

pairs = st.permutations(ALL).map(lambda codes: (codes[0], codes[1]))
amounts = st.integers(1, 10_000_000).map(Money.cents)


class Books(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.net: Counter[str] = Counter()  # debits less credits, in micro-dollars
        self.posted: dict[int, tuple[str, str, Money]] = {}
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

    @rule(pair=pairs, amount=amounts)
    def post(self, pair: tuple[str, str], amount: Money) -> None:
        number = post(booking=booking(amount, debit=pair[0], credit=pair[1]), by=ANNA, day=DAY)
        self.posted[number] = (*pair, amount)
        self._move(*pair, amount)
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

    @invariant()
    def books_agree_with_the_model(self) -> None:
        now = balances(ALL) if self.rows else {}
        assert sum(b.debits.micros - b.credits.micros for b in now.values()) == 0
        for code, b in now.items():
            assert b.debits.micros - b.credits.micros == self.net[code]
        assert Transfer.objects.count() == self.rows


@pytest.mark.django_db
def test_money_is_conserved_over_any_order_of_acts(exhaustive: bool) -> None:
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        Books,
        settings=settings(
            max_examples=200 if exhaustive else 15,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
