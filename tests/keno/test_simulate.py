"""A simulated stretch of Keno: everything agrees to the cent, also after it was broken off; what does not is found."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from house.actors import Actor
from house.gaming_days import gaming_day_at
from house.models import Venue
from keno import accounts, agreement
from keno.models import Game, KenoSettings, Payment, Prize, Shift, Tender, Ticket, Voucher
from keno.simulate import Simulation, begin_at
from ledger.models import Transfer
from ledger.money import Money
from ledger.post import Booking, post

PERIOD = {"days": 2, "seed": 1, "volume": 12, "every": 180}


def simulate(**options: int) -> str:
    said = StringIO()
    call_command("simulate", **{**PERIOD, **options}, stdout=said)
    return said.getvalue()


class PowerCut(KeyboardInterrupt):
    pass


def break_off(*, after_minutes: int) -> Simulation:
    def tell(minutes: int) -> None:
        if minutes >= after_minutes:
            raise PowerCut

    now = timezone.now()
    broken = Simulation(
        seed=1, volume=12, begins=begin_at(days=2, now=now), ends=now, every=timedelta(minutes=PERIOD["every"])
    )
    with pytest.raises(PowerCut):
        broken.run(tell)
    return broken


@pytest.mark.django_db(transaction=True)
def test_two_simulated_days_agree_to_the_cent() -> None:
    begun = timezone.now()
    broken = break_off(after_minutes=600)
    assert timezone.now() >= begun  # the real clock is back
    sold_before = Ticket.objects.count()
    assert sold_before
    assert agreement.differences() == []

    goes_on = begin_at(days=2, now=timezone.now())
    assert broken.begins < goes_on <= broken.clock.now
    said = simulate()
    assert f"Simulated from {goes_on:%d %B %Y %H:%M} to" in said  # where the record ended
    assert f"All {len(agreement.checks())} figures agree to the cent." in said
    assert "rows verified under" in said
    # It was worth looking at: every game of two days, tickets and money of all kinds, drawers counted.
    assert Ticket.objects.count() > sold_before
    assert not Game.objects.exclude(status__in=["settled", "invalidated", "open", "scheduled"]).exists()
    assert 14 <= Game.objects.filter(status="settled").count() <= 18
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
    assert KenoSettings.objects.get().interval == timedelta(minutes=3)  # the demo's own pace is back
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
    with pytest.raises(CommandError, match=r"1 of \d+ figures differ; the first is “Owing: Games still to play”"):
        simulate()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE keno_tender DISABLE TRIGGER USER")
        cursor.execute(
            """UPDATE keno_tender SET amount = amount + 10000
               WHERE id = (SELECT min(id) FROM keno_tender WHERE type = 'chips')"""
        )
        cursor.execute("ALTER TABLE keno_tender ENABLE TRIGGER USER")
    found = {check.what: check.difference for check in agreement.differences()}
    assert found == {"Owing: Games still to play": Money.cents(-1), "Chips taken": Money.cents(-1)}


@pytest.mark.django_db
def test_nothing_is_simulated_in_a_real_venue_or_without_the_demo(settings) -> None:
    Venue.objects.update(code="CANB", name="Casino Canberra")
    with pytest.raises(CommandError, match="Casino Canberra, a real venue"):
        simulate()
    settings.DEMO = False
    with pytest.raises(CommandError, match="demo setting is off"):
        simulate()
    with pytest.raises(CommandError, match="Days are 1 to 366"):
        simulate(days=0)
    assert not Ticket.objects.exists()
    assert not Game.objects.exists()
