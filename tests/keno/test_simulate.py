"""A simulated stretch of Keno: everything agrees to the cent, also after it was broken off; what does not is found."""

from __future__ import annotations

from datetime import time, timedelta
from io import StringIO
from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import Settings

from house import devices
from house.gaming_days import gaming_day_at
from house.models import Incident, Proposal, Venue
from jackpot.models import Link
from jackpot.pools import read_meter
from keno import agreement, approved
from keno.models import ClaimReason, Game, KenoSettings, Prize, PrizeHold, Shift, Ticket
from keno.simulate import Simulation, desk, machine
from keno.simulate.desk import Desk
from keno.simulate.staff import at_work
from kernel.money import Money
from ledger.models import Transfer
from tests.plugins.worlds import kept
from tests.world.witness import RunningWitness

PERIOD = {"days": 2, "seed": 1, "volume": 12, "every": 180}


def simulate(**options: int) -> str:
    said = StringIO()
    call_command("simulate", **{**PERIOD, **options}, stdout=said)
    return said.getvalue()


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


@pytest.mark.long  # each step by itself: test_claims.py, test_return_to_players.py
@pytest.mark.django_db(transaction=True)
def test_prizes_of_a_year_ago_are_returned_to_players_and_a_late_claim_is_still_paid() -> None:
    now = timezone.now()
    long_ago = now - timedelta(days=400)
    for begins in (long_ago, now - timedelta(days=1)):
        played = Simulation(
            seed=3, volume=20, begins=begins, ends=begins + timedelta(hours=23), every=timedelta(hours=4)
        )
        played.run()
        assert agreement.differences() == []
        assert [each for each in played.figures() if not each[1].agrees] == []
    old = Prize.objects.filter(day__lt=(now - timedelta(days=390)).date())
    owing = {"payment": None, "void": None, "replaced": None}
    assert not old.filter(unclaimed_on=None, **owing).exclude(kind="refund").exists()
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


@pytest.mark.django_db(transaction=True)
@pytest.mark.long
def test_balls_corrections_holds_and_breaches_are_played_and_all_of_it_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a month they are rare; here customers come for little else."""
    often = {"sale": 450, "payment": 60, "wager voided": 120, "prize looked into": 250, "dispute": 150}
    for name, weight in often.items():
        monkeypatch.setitem(desk._BUSINESS, name, (weight, desk._BUSINESS[name][1]))
    monkeypatch.setattr(machine, "MISTYPED", 1.0)
    noon = (timezone.now() - timedelta(days=2)).replace(hour=2, minute=0, second=0, microsecond=0)  # in Sydney
    played = Simulation(seed=4, volume=8, begins=noon, ends=noon + timedelta(hours=12), every=timedelta(hours=1))
    played.run()
    what = {"mechanical draw", "balls read back", "ball corrected", "wager voided", "prize looked into", "dispute"}
    assert {name for name in what if not played.done[name]} == set()
    assert PrizeHold.objects.filter(released_at__isnull=False).exists()
    assert agreement.differences() == []
    assert [each for each in played.figures() if not each[1].agrees] == []


def _demo() -> None:
    call_command("demo", stdout=StringIO())


demo_without_a_past = kept(_demo)


@pytest.mark.long
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
    monkeypatch.setattr("keno.simulate.past.BUSY_FOR", timedelta(minutes=12))
    monkeypatch.setattr("keno.simulate.past.QUIET_INTERVAL", timedelta(hours=4))

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
    assert settled.count() >= 7
    assert list(settled.values_list("number", flat=True)) == list(range(1, settled.count() + 1))  # each once
    assert Ticket.objects.count() > 20
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
