"""A simulated stretch of Keno: everything agrees to the cent, also after it was broken off; what does not is found."""

from __future__ import annotations

from datetime import time, timedelta
from io import StringIO
from random import Random
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import Settings

from house import devices
from house.gaming_days import gaming_day_at
from house.models import Incident, Proposal, Venue
from jackpot.models import Link
from jackpot.pools import read_meter
from keno import accounts, agreement, approved
from keno.models import ClaimReason, Game, KenoSettings, Payment, Prize, Shift, Tender, Ticket, Voucher
from keno.simulate import Simulation, begin_at
from keno.simulate.desk import Desk
from keno.simulate.staff import at_work
from kernel.actors import Actor
from kernel.money import Money
from ledger.models import Transfer
from ledger.post import Booking, post
from tests.plugins.worlds import kept
from tests.world.owner import unguarded
from tests.world.witness import RunningWitness
from tournaments.models import TournamentEntry

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
def test_two_simulated_days_agree_to_the_cent(monkeypatch: pytest.MonkeyPatch, witness: RunningWitness) -> None:
    begun = timezone.now()
    # The command comes at one and the same moment each time: no game closes between.
    monkeypatch.setattr("keno.management.commands.simulate.timezone", SimpleNamespace(now=lambda: begun))
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
    assert 11 <= Game.objects.filter(status="settled").count() <= 16
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


@pytest.mark.django_db
def test_nothing_is_simulated_in_a_real_venue_or_without_the_demo(settings: Settings) -> None:
    Venue.objects.update(code="CANB", name="Casino Canberra")
    with pytest.raises(CommandError, match="Casino Canberra, a real venue"):
        simulate()
    settings.DEMO = False
    with pytest.raises(CommandError, match="demo setting is off"):
        simulate()
    with pytest.raises(CommandError, match="Days are 1 to 800"):
        simulate(days=0)
    assert not Ticket.objects.exists()
    assert not Game.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.clause("act-keno:11.2", "act-keno:11.4")
def test_prizes_of_a_year_ago_are_returned_to_players_and_a_late_claim_is_still_paid() -> None:
    now = timezone.now()
    long_ago = now - timedelta(days=400)
    for begins in (long_ago, now - timedelta(days=1)):
        Simulation(seed=3, volume=25, begins=begins, ends=begins + timedelta(hours=23), every=timedelta(hours=3)).run()
        assert agreement.differences() == []
    old = Prize.objects.filter(day__lt=(now - timedelta(days=390)).date())
    assert not old.filter(payment=None, unclaimed_on=None).exclude(kind="refund").exists()
    moved = old.exclude(unclaimed_on=None)
    assert moved.exists()
    addition = Transfer.objects.get(kind="keno.unclaimed-to-jackpot")
    assert Money(0) < addition.amount <= Money.total(moved.values_list("amount", flat=True))
    # Somebody comes after all, with a form: it is paid from the fund, and by the house where the fund is spent.
    late = moved.filter(payment=None).select_related("ticket").order_by("ticket_id", "game", "kind")[0]
    Desk(at_work()).claim_for(late.ticket.serial, ClaimReason.LATE)
    late.refresh_from_db()
    assert late.payment_id is not None
    assert agreement.differences() == []


def _demo() -> None:
    call_command("demo", stdout=StringIO())


demo_without_a_past = kept(_demo)


@pytest.mark.django_db
@pytest.mark.usefixtures("demo_without_a_past")
def test_a_venue_whose_record_reaches_until_now_gets_no_other_past() -> None:
    with pytest.raises(CommandError, match=r"reaches until .* but not 2 days back.*METERHOUSE_DATA"):
        simulate()
    assert Game.objects.filter(status="open").count() == 1
    assert not Ticket.objects.exists()


class Killed(BaseException):
    """Nothing in the process survives it, and nothing is put in order."""


@pytest.mark.django_db(transaction=True)
def test_the_demo_has_a_past_that_leaves_everything_it_promises_alone(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, witness: RunningWitness
) -> None:
    settings.DEMO_OPENS = time(6)

    def demo() -> str:
        said = StringIO()
        call_command("demo", days=1, stdout=said)
        return said.getvalue()

    begun, games = timezone.now(), iter(range(4))
    finish = Simulation._finish

    def until_killed(self: Simulation, number: int, chance: Random) -> None:
        if next(games, None) is None:
            raise Killed
        finish(self, number, chance)

    monkeypatch.setattr(Simulation, "_finish", until_killed)
    with pytest.raises(Killed):
        demo()
    assert 0 < Game.objects.filter(status="settled").count() <= 4
    monkeypatch.setattr(Simulation, "_finish", finish)
    assert "The demo venue has a past." in demo()

    today = gaming_day_at(timezone.now()).date
    settled = Game.objects.filter(status="settled")
    assert list(settled.values_list("number", flat=True)) == list(range(1, 27))  # none left out, none twice
    assert Ticket.objects.count() > 50
    assert agreement.differences() == []
    # Today is as in a house that opens for the first time.
    assert not Ticket.objects.filter(day__gte=today).exists()
    assert not Transfer.objects.filter(day__gte=today, kind__startswith="keno.", amount__gt=Money(0)).exists()
    current = Game.objects.get(status="open")
    assert current.number == settled.count() + 1
    assert current.opened_at is not None
    assert current.opened_at >= begun
    assert current.closes_at > begun
    assert not Ticket.objects.filter(plays_to__gte=current.number).exists()
    assert not Shift.objects.filter(closed_at=None).exists()
    assert not Incident.objects.exists()
    assert not devices.offline().exists()
    assert not Proposal.objects.filter(status="proposed").exists()
    bonus = approved.value(approved.BONUS, "LUCKY7")
    assert bonus["last_game"] < current.number
    pace = KenoSettings.objects.get()
    assert (pace.interval, pace.device) == (timedelta(minutes=3), "rng")
    assert {link.code: read_meter(link).total for link in Link.objects.filter(code__in=["CSP", "BOOM", "GJ"])} == {
        "CSP": Money.dollars(50_000),
        "BOOM": Money.dollars(10_000),
        "GJ": Money.dollars(10_000),
    }

    before = Ticket.objects.count(), Game.objects.count(), Transfer.objects.count()
    assert "none is simulated" in demo()
    assert (Ticket.objects.count(), Game.objects.count(), Transfer.objects.count()) == before


@pytest.mark.django_db
@pytest.mark.usefixtures("demo_without_a_past")
def test_a_demo_without_a_past_stays_without() -> None:
    call_command("demo", days=1, stdout=StringIO())
    assert not Ticket.objects.exists()
    with pytest.raises(CommandError, match="0 to 30 days"):
        call_command("demo", days=31)
