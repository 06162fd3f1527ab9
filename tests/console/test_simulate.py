"""A simulated stretch of the whole house: everything agrees to the cent, also after it was broken off; what does not is
found."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from house.gaming_days import gaming_day_at
from house.simulate import Simulated
from jackpot.models import Batch, Hit, Round
from keno import accounts, agreement
from keno.models import Draw, Game, KenoSettings, Payment, Prize, Shift, Tender, Ticket, Voucher
from keno.simulate import Simulation, begin_at
from kernel.actors import Actor
from kernel.money import Money
from kernel.rooms import offered
from ledger.models import Transfer
from ledger.post import Booking, post
from promotions.models import Promotion
from tablegames.models import Check
from tests.world.owner import unguarded
from tests.world.witness import RunningWitness
from tournaments.models import TournamentEntry

PERIOD = {"days": 2, "seed": 1, "volume": 7, "every": 240}


def simulate() -> str:
    said = StringIO()
    call_command("simulate", **PERIOD, stdout=said)
    return said.getvalue()


class PowerCut(KeyboardInterrupt):
    pass


def break_off(*, after_minutes: int) -> Simulation:
    def tell(minutes: int) -> None:
        if minutes >= after_minutes:
            raise PowerCut

    now = timezone.now()
    broken = Simulation(
        seed=1,
        volume=PERIOD["volume"],
        begins=begin_at(days=2, now=now),
        ends=now,
        every=timedelta(minutes=PERIOD["every"]),
        beside=lambda clock: [part.make(clock) for part in offered(Simulated)],
    )
    with pytest.raises(PowerCut):
        broken.run(tell)
    return broken


@pytest.mark.django_db(transaction=True)
def test_two_simulated_days_agree_to_the_cent(monkeypatch: pytest.MonkeyPatch, witness: RunningWitness) -> None:
    begun = timezone.now()
    # The command comes at one and the same moment each time: no game closes between.
    monkeypatch.setattr("console.management.commands.simulate.timezone", SimpleNamespace(now=lambda: begun))
    broken = break_off(after_minutes=600)
    assert timezone.now() >= begun  # the real clock is back
    sold_before = Ticket.objects.count()
    assert sold_before
    assert agreement.differences() == []

    goes_on = begin_at(days=2, now=timezone.now())
    assert broken.begins < goes_on <= broken.clock.now
    said = simulate()
    assert f"Simulated from {goes_on:%d %B %Y %H:%M} to" in said  # where the record ended
    figures = int(said.rpartition("All ")[2].partition(" figures agree to the cent.")[0])
    assert figures > len(agreement.checks())  # the books of the rooms, too
    assert "rows verified under" in said
    # It was worth looking at: every game of two days, tickets and money of all kinds, drawers counted.
    assert Ticket.objects.count() > sold_before
    assert not Game.objects.exclude(status__in=["settled", "invalidated", "open", "scheduled"]).exists()
    assert 8 <= Game.objects.filter(status="settled").count() <= 12
    assert set(Ticket.objects.values_list("kind", flat=True)) == {
        "standard", "way", "quick-pick", "mystery", "set-bet",
    }  # fmt: skip
    assert Ticket.objects.filter(jackpot=True).exists()
    assert Ticket.objects.exclude(cancelled_from=None).exists()
    assert set(Tender.objects.values_list("type", flat=True)) >= {"cash", "chips", "voucher"}
    assert Prize.objects.exists()
    assert Payment.objects.exists()
    assert Voucher.objects.exists()
    assert Shift.objects.filter(closed_at=None).count() == 0
    cup = TournamentEntry.objects.filter(tournament__kind="keno", tournament__code="CUP1")
    assert cup.filter(place=1).exclude(paid_at=None).exists()
    assert not cup.filter(place=None).exists()
    assert Ticket.objects.latest("sold_at").sold_at <= timezone.now()  # never ahead of the clock
    assert KenoSettings.objects.get().interval == timedelta(minutes=3)  # the demo's own pace is back
    balls = Draw.objects.filter(device="mechanical", voided_at=None).exclude(finished_at=None)
    assert balls.exists()
    assert not balls.filter(balls_counted=None).exists()
    assert {"CSP", "BOOM", "GJ", "MYST"} <= set(Round.objects.values_list("terms__link__code", flat=True))
    assert Hit.objects.filter(status="paid").exists()
    assert Batch.objects.exists()
    assert Promotion.objects.filter(code__startswith="SIM-").exists()
    assert TournamentEntry.objects.filter(tournament__kind="promotions").exists()
    assert Check.objects.exists()
    # By hand: every ticket's price came in, and nothing else.
    sales = Transfer.objects.filter(kind="keno.sale", credit__code=accounts.STAKES_HELD)
    assert Money.total(sales.values_list("amount", flat=True)) == Money.total(
        Ticket.objects.values_list("price", flat=True)
    )

    # A second time there is nothing left to simulate, and it is checked all the same.
    tickets = Ticket.objects.count()
    said = simulate()
    assert "nothing to simulate" in said
    assert "figures agree to the cent" in said
    assert Ticket.objects.count() == tickets

    plant_and_find()


def plant_and_find() -> None:
    """One cent in the books that no row knows of; one cent in a row that the books do not know of."""
    now = timezone.now()
    stray = Booking(
        debit=accounts.STAKES_HELD,
        credit=accounts.CAGE,
        amount=Money.cents(1),
        kind="keno.handed-in",
        reference="a-stray-cent",
    )
    post(booking=stray, by=Actor("staff:mallory", "Mallory"), day=gaming_day_at(now).date)
    found = {check.what: check.difference for check in agreement.differences()}
    assert found == {"Owing: Games still to play": Money.cents(-1)}
    with pytest.raises(CommandError, match=r"line \d+: a drawer's cash moves for the shift a-stray-cent"):
        simulate()
    with unguarded("keno_tender") as cursor:
        cursor.execute(
            """UPDATE keno_tender SET amount = amount + 10000
               WHERE id = (SELECT min(id) FROM keno_tender WHERE type = 'chips')"""
        )
    found = {check.what: check.difference for check in agreement.differences()}
    assert found == {"Owing: Games still to play": Money.cents(-1), "Chips taken": Money.cents(-1)}
