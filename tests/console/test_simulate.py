"""A simulated stretch of the whole house: everything agrees to the cent, also after it was broken off; what does not is
found."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from datetime import timedelta
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from house.gaming_days import gaming_day_at
from house.simulate import Simulated
from jackpot.models import Batch, Hit, Link, MeterDisagreement, Round, Terms
from keno import accounts, agreement
from keno.models import (
    DisputeReview,
    Draw,
    Game,
    KenoSettings,
    Payment,
    Prize,
    PrizeHold,
    Shift,
    Tender,
    Ticket,
    VoidedWin,
    Voucher,
)
from keno.simulate import Simulation, begin_at
from kernel import verifier_bundle
from kernel.actors import Actor, system
from kernel.money import Money
from kernel.rooms import offered
from ledger.export import export
from ledger.models import Act, Transfer
from ledger.post import Booking, post
from promotions.models import Promotion
from tests.world.owner import unguarded
from tests.world.witness import RunningWitness
from tournaments.models import TournamentEntry

PERIOD = {"days": 2, "seed": 1, "volume": 6, "every": 240}
MONTH = {"days": 30, "seed": 1, "volume": 6, "every": 90}
# What the verifier says of every room, and how much of it there must be: something.
COUNTED = (
    r"House: ([\d,]+) proposals",
    r"House: ([\d,]+) incidents",
    r"Keno: ([\d,]+) draws? computed again",
    r"([\d,]+) with balls",
    r"([\d,]+) tickets stand in the sealed roots",
    r"([\d,]+) movements? of 2 must-hit-by links decided again",
    r"([\d,]+) wagers of \d+ links",
    r"([\d,]+) rounds",
    r"([\d,]+) hits? computed again",
    r"Promotions: ([\d,]+) draws? computed again",
    r"Tournaments: ([\d,]+) under approved conditions",
    r"Table games: ([\d,]+) hands? settled again",
)
IN_A_MONTH = (
    r"([\d,]+) attempts? (?:were|was) void and drawn again",
    r"([\d,]+) winning wagers? of persons in breach void",
    r"([\d,]+) falls?",
    r"([\d,]+) games? settled again on the balls that came out",
    r"([\d,]+) prizes paid, each to who won and once",
)


def simulate(**period: int) -> str:
    said = StringIO()
    call_command("simulate", **(period or PERIOD), stdout=said)
    return said.getvalue()


def strangers_check(folder: Path) -> list[str]:
    """The export, checked by the one file alone with it in a folder: what it says of the rooms."""
    with (folder / "export").open("wb") as file:
        export(to=file, by=system("simulated"), venue="Simulated house")
    verifier_bundle.write(folder)
    command = [sys.executable, "-I", "-S", verifier_bundle.NAME, "export", "--json"]
    done = subprocess.run(command, cwd=folder, env={}, capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr  # right; a witness on the same machine is for a person to look at
    rooms: list[str] = json.loads(done.stdout.splitlines()[-1])["right"]["rooms"]
    return rooms


def none_is_nothing(rooms: list[str], *patterns: str) -> None:
    said = "\n".join(rooms)
    for pattern in patterns:
        found = re.search(pattern, said)
        assert found is not None, (pattern, said)
        assert int(found[1].replace(",", "")) > 0, (pattern, said)


class PowerCut(KeyboardInterrupt):
    pass


def break_off(*, after_minutes: int) -> Simulation:
    def tell(minutes: int) -> None:
        if minutes >= after_minutes and Ticket.objects.exists():  # a quiet night may come first
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
def test_two_simulated_days_agree_to_the_cent(
    monkeypatch: pytest.MonkeyPatch, witness: RunningWitness, tmp_path: Path
) -> None:
    begun = timezone.now()
    # The command comes at one and the same moment each time: no game closes between.
    monkeypatch.setattr("console.management.commands.simulate.timezone", SimpleNamespace(now=lambda: begun))
    broken = break_off(after_minutes=240)
    assert timezone.now() >= begun  # the real clock is back
    sold_before = Ticket.objects.count()
    assert sold_before
    assert agreement.differences() == []
    assert strange(broken) == set()
    one_cent_is_found(broken)

    goes_on = begin_at(days=2, now=timezone.now())
    assert broken.begins < goes_on <= broken.clock.now
    said = simulate()
    assert f"Simulated from {goes_on:%d %B %Y %H:%M} to" in said  # where the record ended
    figures = int(said.rpartition("All ")[2].partition(" figures agree to the cent.")[0])
    assert figures > len(agreement.checks())  # the books of the rooms, too
    assert "rows verified under" in said
    # It was worth looking at: every game of two days, some of them with balls, drawers counted, every room at work.
    assert Ticket.objects.count() > sold_before
    assert not Game.objects.exclude(status__in=["settled", "invalidated", "open", "scheduled"]).exists()
    assert 8 <= Game.objects.filter(status="settled").count() <= 12
    assert Prize.objects.exists()
    assert Shift.objects.filter(closed_at=None).count() == 0
    cup = TournamentEntry.objects.filter(tournament__kind="keno", tournament__code="CUP1")
    assert cup.filter(place=1).exclude(paid_at=None).exists()
    assert not cup.filter(place=None, refunded_at=None).exists()  # whoever left before it began has no place
    assert Ticket.objects.latest("sold_at").sold_at <= timezone.now()  # never ahead of the clock
    assert KenoSettings.objects.get().interval == timedelta(minutes=3)  # the demo's own pace is back
    balls = Draw.objects.filter(device="mechanical", voided_at=None).exclude(finished_at=None)
    assert balls.exists()
    assert not balls.filter(balls_counted=None).exists()
    assert Link.objects.exclude(retired_into=None).exists()
    assert {"CSP", "BOOM", "GJ", "MYST", "LEVS"} <= set(Round.objects.values_list("terms__link__code", flat=True))
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

    none_is_nothing(strangers_check(tmp_path), *COUNTED)
    plant_and_find()


def strange(simulation: Simulation) -> set[str]:
    """Where the books of the simulation and the house's differ."""
    return {f"{room}: {each.what}" for room, each in simulation.figures() if not each.agrees}


def one_cent_is_found(simulation: Simulation) -> None:
    """Booked by a stranger between any two accounts of a room: the room's own book does not have it."""
    for debit, credit, found in (
        ("jackpot:CSP:drop", "jackpot:CSP:prize", {"Tables: CSP: drop", "Tables: CSP: prize"}),
        ("jackpot:MYST:advance", "jackpot:MYST:reserve", {"Tables: MYST: advance", "Tables: MYST: reserve"}),
        ("promotions:prizes", "promotions:prizes-owing", {"Promotions: Prizes owing"}),
        ("promotions:cage", "promotions:tournaments", {"Tournaments: Entry fees still held"}),
        ("tablegames:cage", "tablegames:float", {"Table checks: tablegames:cage", "Table checks: tablegames:float"}),
    ):
        stray = Booking(
            debit=debit, credit=credit, amount=Money.cents(1), kind="ledger.stray", reference="a-stray-cent"
        )
        with transaction.atomic():
            post(booking=stray, by=Actor("staff:mallory", "Mallory"), day=gaming_day_at(timezone.now()).date)
            assert strange(simulation) == found
            transaction.set_rollback(True)


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
               WHERE id = (SELECT min(id) FROM keno_tender WHERE type = 'cash')"""
        )
    found = {check.what: check.difference for check in agreement.differences()}
    assert found == {"Owing: Games still to play": Money.cents(-1), "Cash taken, less change": Money.cents(-1)}


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_month_of_the_whole_house_agrees_to_the_cent(witness: RunningWitness, tmp_path: Path) -> None:
    assert "figures agree to the cent." in simulate(**MONTH)
    none_is_nothing(strangers_check(tmp_path), *COUNTED, *IN_A_MONTH)
    # Tickets and money of all kinds; whatever can go wrong at a draw with balls; whatever a controller can do.
    assert set(Ticket.objects.values_list("kind", flat=True)) == {
        "standard", "way", "quick-pick", "mystery", "set-bet",
    }  # fmt: skip
    assert Ticket.objects.filter(jackpot=True).exists()
    assert Ticket.objects.exclude(cancelled_from=None).exists()
    assert set(Tender.objects.values_list("type", flat=True)) >= {"cash", "chips", "voucher", "keno-voucher", "ticket"}
    assert Payment.objects.exclude(continued=None).exists()
    assert Voucher.objects.exists()
    assert PrizeHold.objects.filter(decided=None).exclude(released_at=None).exists()
    assert VoidedWin.objects.exists()
    assert DisputeReview.objects.exists()
    written = set(Act.objects.values_list("kind", flat=True).distinct())
    assert written >= {"keno.ball-corrected", "keno.ball-fell-back", "keno.balls-read-back", "keno.voided"}
    assert set(Batch.objects.values_list("status", flat=True)) == {"counted", "released", "rejected"}
    assert {"void", "invalidated", "finished"} <= set(Round.objects.values_list("status", flat=True))
    assert {"paid", "denied"} <= set(Hit.objects.values_list("status", flat=True))
    assert Promotion.objects.filter(status="finished").count() > 3
    assert Terms.objects.filter(link__code="BOOM").count() > 1
    assert set(Hit.objects.filter(link__code="LEVS").values_list("level", flat=True)) == {"mini", "minor", "major"}
    restarts = MeterDisagreement.objects.filter(table__code="CSP-04", unseen__gt=0)
    assert set(restarts.values_list("status", flat=True)) == {"closed"}
