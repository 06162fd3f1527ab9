"""The back of a ticket: odds and return of what it plays, and whom to call, as on the entry form and a telephone."""

from __future__ import annotations

import pytest

from keno.entry_forms import LAYOUT, odds
from keno.printing import print_receipt
from keno.rules.mathematics import schedule_mathematics
from keno.rules.schedules import SPECIAL_2, STANDARD
from tests.world import keno_counter as at
from tests.world.approvals import put_in_force
from tests.world.keno_counter import plain
from tests.world.paper import whole

pytestmark = pytest.mark.django_db
HELP = "Call 1800 858 858."


@pytest.mark.clause("act-keno:4.2")
@pytest.mark.parametrize("layout", ["html", "pdf", "escpos", "data"])
def test_it_is_in_every_layout(counter: at.Counter, layout: str) -> None:
    put_in_force("keno.entry-form", "STANDARD", {"layout": LAYOUT, "reference": "GC-4", "help_line": HELP})
    sold = counter.sell(plain(4, 8, 15, 16, 23, 42, jackpot=True))
    printed = print_receipt(serial=sold.ticket.serial, by=counter.writer, layout=layout)
    first, *_, last = printed.receipt.back
    six = next(each for each in map(odds, schedule_mathematics(STANDARD)) if each.spots == 6)
    expected = f"6 numbers: any prize {six.any_prize}, top prize {six.top_prize}, comes back {six.returned}"
    assert (first, last) == (expected, HELP)
    assert any("jackpots" in said for said in printed.receipt.back)
    on_paper = whole(printed.content) if layout == "pdf" else printed.content.decode("latin-1")
    assert HELP in on_paper
    assert "comes back" in " ".join(on_paper.split())


def test_the_odds_are_those_of_its_own_schedule(counter: at.Counter) -> None:
    sold = counter.sell(plain(4, 8, 15, schedule="special-2"))
    back = print_receipt(serial=sold.ticket.serial, by=counter.writer, layout="data").receipt.back
    three = next(each for each in map(odds, schedule_mathematics(SPECIAL_2)) if each.spots == 3)
    assert back[0].endswith(f"comes back {three.returned}")
    assert not any("jackpots" in said for said in back)
    assert len(back) == 2  # no form is approved here: there is no line to call
