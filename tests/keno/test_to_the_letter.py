"""Clauses whose breach nobody would see in a figure: every state here is reached through the verbs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client

from house.approvals import approve, propose
from house.devices import service_token
from house.models import ApprovedValue
from keno import agreement, approved, particulars
from keno.balls import count_balls, enter_balls
from keno.choose_device import choose_device
from keno.close import close_game
from keno.draw import draw_game
from keno.entries import TicketRequest
from keno.invalidate import invalidate_game
from keno.jackpots import displayed, purses_of, staked_in
from keno.models import Draw, Game, Prize, TenderType
from keno.pay import pay_ticket
from keno.printing import print_receipt, reprint_receipt
from keno.rules.selection import Play as Asked
from keno.sell import Sold
from keno.tender import Handed
from ledger.models import Act
from tests.plugins.worlds import kept
from tests.world import keno_counter as at
from tests.world.approvals import INSPECTOR, put_in_force
from tests.world.calls import Caller
from tests.world.keno_balls import approve_set
from tests.world.keno_counter import plain
from tests.world.keno_played import Played
from tests.world.money import dollars
from tests.world.owner import as_owner, unguarded
from tests.world.refusals import refused_as

pytestmark = pytest.mark.django_db
LOW, HIGH = list(range(1, 21)), list(range(61, 81))


counter = kept(Played)


def values() -> Any:
    return at.everything(), list(ApprovedValue.objects.order_by("pk").values()), list(Draw.objects.values())


refused = partial(refused_as, "code clause", unchanged=values)


def at_terminal() -> Caller:
    return Caller(service_token(role="writer").secret)


def scanned(text: str) -> Handed:
    serial, code = particulars.read_paper(text)
    return Handed(type=TenderType.TICKET, reference=serial, security_code=code)


def pay(counter: Played, sold: Sold) -> Any:
    return pay_ticket(serial=sold.ticket.serial, security_code=sold.security_code, by=counter.writer)


@pytest.mark.clause("act-keno:1.1", "act-keno:def-approved")
def test_nobody_but_the_inspector_approves_the_system_and_what_he_approved_stays_on_record(counter: Played) -> None:
    new = {"reference": "GC-1", "software": "Meterhouse 1"}
    made = propose(
        kind="keno.configuration", subject="configuration:KENO", new=new, why="A release.", by=counter.supervisor
    )
    assert refused(approve, proposal_id=made.pk, by=counter.manager)[0] == "needs-inspector"
    assert approved.value("configuration", "KENO") is None
    assert "GC-1" not in Client().get("/rules/keno/").content.decode()  # what is only proposed is told to nobody
    approve(proposal_id=made.pk, by=INSPECTOR)
    assert "approved under GC-1" in " ".join(Client().get("/rules/keno/").content.decode().split())
    said = Act.objects.filter(kind="approval.effective").last()
    assert said is not None
    assert (said.actor, said.data["new"], said.data["authority"]) == (INSPECTOR.identity, new, "inspector")
    kept = ApprovedValue.objects.get(kind="keno.configuration")
    assert (kept.value, kept.approved_by) == (new, INSPECTOR.identity)
    for change in ({"value": {**new, "software": "Another"}}, {"approved_by": "staff:mona"}):
        with pytest.raises(DatabaseError), transaction.atomic():
            ApprovedValue.objects.filter(pk=kept.pk).update(**change)
    with pytest.raises(DatabaseError), transaction.atomic():
        kept.delete()


@pytest.mark.clause("act-keno:4.3")
def test_the_record_decides_whatever_the_paper_says(counter: Played) -> None:
    """Somebody alters good paper: another game, more games, other numbers. What counts is what was stored."""
    one, other = counter.sell(plain(1, 2, 3, games=1)), counter.sell(plain(*HIGH[:3], games=2))
    code = print_receipt(serial=one.ticket.serial, layout="data", by=counter.writer).receipt.code
    assert "/verify/?game=1#" in code
    counter.play(1, LOW)
    counter.play(2, LOW)  # its numbers win here, too; the ticket does not play any more
    prize = Prize.objects.get(ticket=one.ticket)
    altered = code.replace("?game=1#", "?game=2&numbers=1-20&stake=9.00#")
    bought = counter.sell(plain(5), tender=[scanned(altered)])
    assert (prize.game, prize.amount - bought.change) == (1, dollars("1.00"))
    # And the loser's paper, altered to the numbers that came: his record is read to him, and he gets nothing.
    told = at_terminal().post(f"keno/tickets/{other.ticket.serial}/look-up", {"security_code": other.security_code})
    assert (told.json()["numbers"], told.json()["owing"]) == (HIGH[:3], "0.00")
    assert refused(pay, counter, other) == ("nothing-to-pay", "act-keno:10.1")


# A value of the same kind that is another one.
OTHERWISE = {
    "bigint": "coalesce({0}, 0) + 1",
    "integer": "{0} + 1",
    "smallint": "{0} + 1",
    "boolean": "NOT {0}",
    "character varying": "'other'",
    "date": "{0} + 1",
    "timestamp with time zone": "{0} + interval '1 second'",
    "jsonb": "'[[61, 62, 63]]'",
    "bytea": "''",
    "bit": "~{0}",
}
# Where it stops playing, and which paper is good (6.1, 10.4).
MAY_CHANGE = {
    "keno_ticket": {"status", "cancelled_from", "cancelled_at", "cancelled_by", "plays_to", "paper"},
    "keno_play": {"plays_to"},
}


@pytest.mark.clause("act-keno:4.3", "act-keno:10.3")
@pytest.mark.parametrize("table", MAY_CHANGE)
def test_no_particular_of_the_record_is_ever_another(counter: Played, table: str) -> None:
    """The record decides, so it stays as it was sold. Who sells has no right to change a column of it; the owner of the
    tables, who has every right, is stopped by the guard of each column."""
    counter.sell(plain(1, 2, 3, games=2))
    with connection.cursor() as cursor:
        asked = "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = %s"
        cursor.execute(asked, [table])
        as_sold = {name: kind for name, kind in cursor.fetchall() if name not in MAY_CHANGE[table]}
    assert len(as_sold) == {"keno_ticket": 26, "keno_play": 12}[table]
    changes = [f"UPDATE {table} SET {name} = {OTHERWISE[kind].format(name)}" for name, kind in as_sold.items()]
    for denied, person in ((r"permission denied|Cannot update", connection.cursor), (r"Cannot update", as_owner)):
        with person() as cursor:
            for change in changes:
                with pytest.raises(DatabaseError, match=denied), transaction.atomic():
                    cursor.execute(change)
            with pytest.raises(DatabaseError), transaction.atomic():
                cursor.execute(f"DELETE FROM {table}")


ALTERED = {
    "its numbers": "UPDATE keno_ticket SET groups = '[[1, 2, 3]]' WHERE id = {id}",
    "its stake": "UPDATE keno_play SET stake = stake * 9 WHERE ticket_id = {id}",
    "its games": "UPDATE keno_ticket SET games = 3, last_game = 3, charged_to = 3, price = 3000000 WHERE id = {id}",
    "its schedule": "UPDATE keno_ticket SET schedule = 'special-2' WHERE id = {id}",
    "its price": "UPDATE keno_ticket SET price = price * 9, price_a_game = price_a_game * 9 WHERE id = {id}",
    "its day": "UPDATE keno_ticket SET day = day + 1 WHERE id = {id}",
    "its terminal": "UPDATE keno_ticket SET terminal = 'device:W-9' WHERE id = {id}",
    "its moment": "UPDATE keno_ticket SET sold_at = sold_at + interval '1 second' WHERE id = {id}",
}


@pytest.mark.clause("act-keno:10.3")
@pytest.mark.parametrize("what", ALTERED)
def test_paper_and_record_that_do_not_agree_in_one_particular_pay_nothing(counter: Played, what: str) -> None:
    """The code on the paper is made from every particular: whoever owns the database and alters one pays nobody."""
    sold = counter.sell(plain(1, 2, 40, games=2))
    counter.play(1, LOW)
    assert Prize.objects.filter(ticket=sold.ticket).exists()
    with unguarded("keno_ticket", "keno_play") as cursor:  # no trigger stops the owner
        cursor.execute(ALTERED[what].format(id=sold.ticket.pk))
    assert refused(pay, counter, sold) == ("security-code-wrong", "act-keno:10.3")


@pytest.mark.clause("act-keno:10.1", "act-keno:10.3")
def test_a_prize_that_somebody_made_larger_is_paid_by_no_way(counter: Played) -> None:
    """What is paid is what the sealed ticket won, whatever the record of the prize has become."""
    sold = counter.sell(plain(1, 2, 3))
    counter.play(1, LOW)
    with unguarded("keno_prize") as cursor:
        cursor.execute("UPDATE keno_prize SET amount = amount + 1000000")
    before = at.books()
    paper = Handed(type=TenderType.TICKET, reference=sold.ticket.serial, security_code=sold.security_code)
    for way in (partial(pay, counter, sold), partial(counter.sell, plain(5), tender=[paper])):
        assert refused(way) == ("prize-differs", "act-keno:10.1")
    assert at.books() == before
    assert Prize.objects.get().payment is None


@pytest.mark.clause("act-keno:10.3")
def test_a_forged_paper_pays_nothing_and_the_good_one_does(counter: Played) -> None:
    sold, twin = (counter.sell(plain(1, 2, 3)) for _ in range(2))  # alike but for serial and moment
    counter.play(1, LOW)
    forged = replace(sold, security_code=twin.security_code)
    assert refused(pay, counter, forged) == ("security-code-wrong", "act-keno:10.3")
    copy = reprint_receipt(serial=sold.ticket.serial, reason="Torn.", layout="data", by=counter.supervisor).receipt
    assert refused(pay, counter, replace(sold, security_code=copy.security_code)) == ("code-missing", "act-keno:10.3")
    assert pay(counter, sold).payment.amount == Prize.objects.get(ticket=sold.ticket).amount
    assert Prize.objects.get(ticket=twin.ticket).payment is None


@pytest.mark.clause("act-keno:10.2")
def test_a_ticket_wins_in_the_games_it_names_and_in_no_other(counter: Played) -> None:
    before = counter.sell(plain(*HIGH[:3], games=1))  # its numbers come in game 2
    ways = TicketRequest(groups=[HIGH[:3], HIGH[3:6]], plays=[Asked(3, dollars("1.00"))])
    way_before = counter.sell(ways)  # the same, in ways: they are found by another statement
    both = counter.sell(plain(*HIGH[:3], games=2))
    gone = counter.sell(plain(*HIGH[:3], games=2))
    close_game(number=1, by=counter.supervisor)
    late = counter.sell(plain(1, 2, 3, games=1))  # its numbers come in game 1, which is closed
    way_late = counter.sell(replace(ways, groups=[LOW[:3], LOW[3:6]]))
    assert late.ticket.first_game == way_late.ticket.first_game == 2
    approve_set()
    count_balls(number=1, counted=80, ball_set="A", by=counter.supervisor)
    enter_balls(number=1, balls=LOW, by=counter.supervisor)
    at.cancel(gone, counter.writer)  # what it has left: game 2
    counter.play(2, HIGH)
    counter.play(3, HIGH)
    assert [(each.ticket_id, each.game) for each in Prize.objects.filter(kind="prize")] == [(both.ticket.pk, 2)]
    for nothing in (before, late, way_before, way_late):
        assert refused(pay, counter, nothing) == ("nothing-to-pay", "act-keno:10.1")
    paid = pay(counter, both)
    assert [prize.game for prize in paid.due.prizes] == [2]


@pytest.mark.clause("act-keno:5.3", "act-keno:3.1a")
def test_a_free_game_puts_nothing_into_the_jackpots(counter: Played) -> None:
    """25% of what was wagered: for the fiftieth game of fifty nothing was."""
    counter.sell(plain(*range(1, 7), games=50, jackpot=True))
    counter.sell(plain(*range(1, 9), games=2, jackpot=True))
    assert staked_in(1) == staked_in(2) == {6: dollars("1.00"), 8: dollars("1.00")}
    assert (staked_in(49), staked_in(50)) == ({6: dollars("1.00")}, {})


@pytest.mark.clause("act-keno:5.2", "act-keno:5.3", "act-keno:14.5")
def test_a_game_invalidated_after_a_win_leaves_the_jackpot_at_its_guarantee(counter: Played) -> None:
    """What it had put in was won by the game before it: it goes back all the same, and the next prize is whole."""
    counter.sell(plain(*range(1, 7), jackpot=True))
    close_game(number=1, by=counter.supervisor)
    counter.sell(plain(*range(41, 47), stake="100.00", jackpot=True))
    close_game(number=2, by=counter.supervisor)
    assert displayed()[6] == dollars("1015.15")  # 15% of $101.00
    approve_set()
    count_balls(number=1, counted=80, ball_set="A", by=counter.supervisor)
    enter_balls(number=1, balls=LOW, by=counter.supervisor)
    assert Prize.objects.get().amount == dollars("1015.15")
    invalidate_game(number=2, by=counter.manager, cause="fire", reason="Fire.")
    assert (displayed()[6], purses_of(6).prize) == (dollars("1000.00"), dollars("1000.00"))
    assert at.books()["keno:refunds-owing"] == dollars("100.00")
    counter.sell(plain(*range(41, 47), stake="100.00", jackpot=True))
    close_game(number=3, by=counter.supervisor)
    assert displayed()[6] == dollars("1015.00")  # nothing of it fills a hole that the invalidated game had left
    assert at.in_balance()
    assert agreement.differences() == []


@pytest.mark.clause("act-keno:7.2")
def test_no_number_of_a_game_is_drawn_while_it_is_on_sale(counter: Played) -> None:
    counter.sell(plain(1, 2, 3))
    approve_set()
    for early in (
        partial(count_balls, number=1, counted=80, ball_set="A"),
        partial(enter_balls, number=1, balls=[7]),
    ):
        assert refused(early, by=counter.supervisor) == ("game-open", "act-keno:7.2")
    counter.sell(plain(4, 5, 6))  # it is on sale still
    put_in_force("keno.draw-device", "rng", {"name": "Generator", "reference": "2"})
    choose_device(device="rng", by=counter.supervisor)
    close_game(number=1, by=counter.supervisor)
    assert counter.sell(plain(7, 8, 9)).ticket.first_game == 2
    count_balls(number=1, counted=80, ball_set="A", by=counter.supervisor)
    enter_balls(number=1, balls=LOW, by=counter.supervisor)
    game = Game.objects.get(number=1)
    assert (game.status, (game.totals or {})["tickets"]) == ("settled", 2)  # what was sold after the close is not in it
    closed, ball = (Act.objects.filter(kind=kind).earliest("id") for kind in ("keno.closed", "keno.ball"))
    assert closed.pk < ball.pk
    assert refused(draw_game, number=2, by=counter.supervisor) == ("game-open", "act-keno:7.2")  # by generator
    with pytest.raises(DatabaseError), transaction.atomic():
        Game.objects.filter(number=2).update(status="drawing")
