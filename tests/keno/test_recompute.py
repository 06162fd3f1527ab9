"""What is paid is computed again from what was sealed (decision 16). That it agrees with every honest settlement is in
test_games_settle.py; the attacks over HTTP are in tests/attacks."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from house.log import record_act
from house.models import Incident
from keno.acts import GameSettled, TicketCancelled
from keno.cancel import stop
from keno.close import close_game
from keno.invalidate import invalidate_game
from keno.models import KenoSettings, Prize, Ticket, TicketStatus
from keno.open_games import keep_open
from keno.recompute import require_as_sealed
from kernel.money import Money
from ledger.models import Act
from ledger.seal import begin_log, seal_now
from tests.world.keno_balls import enter_balls
from tests.world.keno_games import OPENS, SUE, open_days, put_ticket
from tests.world.owner import unguarded
from tests.world.refusals import refusal

pytestmark = pytest.mark.django_db
NOW = OPENS + timedelta(minutes=3)
BALLS = list(range(1, 21))


def settled_game() -> list[Ticket]:
    """A winner of a little, of a jackpot alone, two of majors that are pro-rated, and a loser, by known balls."""
    KenoSettings.objects.create(device="mechanical")
    open_days()
    keep_open(now=OPENS)
    tickets = [
        put_ticket(first_game=1, groups=[[1, 2, 40]], plays=[(3, 100)]),
        put_ticket(first_game=1, groups=[[1, 2, 3, 4, 5, 6]], plays=[(6, 100)], jackpot=True),
        put_ticket(first_game=1, groups=[[1, 2, 3, 4, 5, 6, 7, 8]], plays=[(8, 300)]),
        put_ticket(first_game=1, groups=[[5, 6, 7, 8, 9, 10, 11, 12]], plays=[(8, 200)]),
        put_ticket(first_game=1, groups=[[61, 62, 63]], plays=[(3, 100)]),
    ]
    close_game(number=1, by=SUE, now=NOW)
    enter_balls(number=1, balls=BALLS, by=SUE, now=NOW)
    return tickets


def stopped(ticket: Ticket) -> str:
    """What the refusal says, and that it is an incident, one."""
    prizes = list(Prize.objects.filter(ticket=ticket))
    fresh = Ticket.objects.get(pk=ticket.pk)
    said = refusal(require_as_sealed, fresh, prizes, by=SUE)
    assert (said.status, said.code) == (409, "prize-differs")
    said.take_note()
    refusal(require_as_sealed, fresh, prizes, by=SUE).take_note()
    assert Incident.objects.filter(kind="keno-prize-differs", subject=f"ticket:{ticket.serial}").count() == 1
    return said.detail


def pays(ticket: Ticket) -> list[str]:
    prizes = list(Prize.objects.filter(ticket=ticket))
    require_as_sealed(Ticket.objects.get(pk=ticket.pk), prizes, by=SUE)
    return [str(prize.amount) for prize in prizes]


def test_an_honest_game_is_paid() -> None:
    tickets = settled_game()
    little, jackpot, three, two, lost = map(pays, tickets)
    assert (little, len(jackpot), lost) == (["2.00"], 1, [])
    assert (three, two) == (["30000.00"], ["20000.00"])  # $37,500 and $25,000, together no more than $50,000


@pytest.mark.django_db(transaction=True)
def test_of_a_sealed_log_too(transactional_db: None) -> None:
    begin_log()
    tickets = settled_game()
    seal_now()
    assert [bool(pays(ticket)) for ticket in tickets] == [True, True, True, True, False]
    act = Act.objects.get(kind=GameSettled.kind)
    with unguarded("ledger_act") as cursor:
        cursor.execute(
            "UPDATE ledger_act SET data = jsonb_set(data::jsonb, '{numbers,0}', '61') WHERE id = %s", [act.id]
        )
    assert "as it was sealed, how game 1 was settled" in stopped(tickets[0])


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("keno_draw", "UPDATE keno_draw SET numbers[1] = 61 WHERE game_id = 1"),
        ("keno_draw", "UPDATE keno_draw SET voided_at = now(), voided_by = 'x', void_reason = 'x'"),
        ("keno_game", "UPDATE keno_game SET totals = jsonb_set(totals::jsonb, '{majors,before}', '\"50.00\"')"),
    ],
)
def test_another_record_of_the_game_stops_it(table: str, change: str) -> None:
    tickets = settled_game()
    with unguarded(table) as cursor:
        cursor.execute(change)
    assert "what is on record of game 1 is not what was settled" in stopped(tickets[0])


def put_prize(ticket: Ticket, *, micros: int) -> None:
    """With the database's own password."""
    with unguarded("keno_prize") as cursor:
        cursor.execute(
            "INSERT INTO keno_prize (ticket_id, game, kind, amount, jackpot, major, day) "
            "SELECT id, 1, 'prize', %s, 0, false, day FROM keno_ticket WHERE id = %s",
            [micros, ticket.pk],
        )


def test_a_ticket_added_to_a_sealed_game_is_not_paid_and_the_others_are() -> None:
    tickets = settled_game()
    late = put_ticket(first_game=1, groups=[[1, 2, 3]], plays=[(3, 100)])
    put_prize(late, micros=42_000_000)
    assert "is not among the tickets that were sealed for game 1" in stopped(late)
    assert pays(tickets[0]) == ["2.00"]


def test_what_was_kept_of_the_set_is_not_believed() -> None:
    """His leaf in the place of another's, the tile's hash made right: it leads to another root."""
    tickets = settled_game()
    late = put_ticket(first_game=1, groups=[[1, 2, 3]], plays=[(3, 100)])
    put_prize(late, micros=42_000_000)
    with unguarded("keno_sealedtickets") as cursor:
        cursor.execute("UPDATE keno_sealedtickets SET leaves = overlay(leaves PLACING %s FROM 33)", [bytes(late.leaf)])
    assert "is not among the tickets that were sealed for game 1" in stopped(late)
    assert "is not among the tickets that were sealed for game 1" in stopped(tickets[0])  # nor do the rows lead there


@pytest.mark.parametrize(
    "spoil",
    [
        "DELETE FROM keno_sealedtickets",
        "UPDATE keno_sealedtickets SET firsts = ''",
        "UPDATE keno_sealedtickets SET firsts = 'ZZZZZZZZZZZZ'",
        "UPDATE keno_sealedtickets SET leaves = ''",
        "UPDATE keno_sealedtickets SET leaves = substring(leaves FROM 1 FOR 33), tiles = leaves",
    ],
)
def test_where_nothing_was_kept_or_it_was_spoilt_the_tickets_are_hashed_again(spoil: str) -> None:
    tickets = settled_game()
    with unguarded("keno_sealedtickets") as cursor:
        cursor.execute(spoil)
    assert pays(tickets[0]) == ["2.00"]


def test_a_cancelled_ticket_that_is_made_to_play_again_is_not_paid() -> None:
    """It is in the sealed set, for it was cancelled after the close; the log says that it plays no more (6.1)."""
    KenoSettings.objects.create(device="mechanical")
    open_days()
    keep_open(now=OPENS)
    ticket = put_ticket(first_game=1, groups=[[1, 2, 3]], plays=[(3, 100)])
    close_game(number=1, by=SUE, now=NOW)
    late = stop(ticket, before=1, status=TicketStatus.CANCELLED, by=SUE, now=NOW)
    cancelled = TicketCancelled(ticket=ticket.serial, from_=1, to=1, refund=Money.dollars(1), late=late)
    record_act(cancelled, by=SUE)
    enter_balls(number=1, balls=BALLS, by=SUE, now=NOW)
    with unguarded("keno_ticket") as cursor:
        cursor.execute(
            "UPDATE keno_ticket SET status = 'issued', cancelled_from = NULL, cancelled_at = NULL, cancelled_by = NULL"
        )
    put_prize(ticket, micros=42_000_000)
    assert "did not play in game 1" in stopped(ticket)


def test_a_share_of_the_majors_does_not_grow_when_anothers_prize_goes() -> None:
    tickets = settled_game()
    with unguarded("keno_prize") as cursor:
        cursor.execute("DELETE FROM keno_prize WHERE ticket_id = %s", [tickets[3].pk])
        cursor.execute("UPDATE keno_prize SET amount = 37500000000 WHERE ticket_id = %s", [tickets[2].pk])
    assert "the major prizes and jackpots on record of game 1 are not the sealed ones" in stopped(tickets[2])


def test_refunds_are_what_was_paid_for_the_game() -> None:
    KenoSettings.objects.create(device="mechanical")
    open_days()
    keep_open(now=OPENS)
    ticket = put_ticket(first_game=1, groups=[[1, 2, 40]], plays=[(3, 100)])
    close_game(number=1, by=SUE, now=NOW)
    invalidate_game(number=1, cause="fire", reason="Fire.", by=SUE, now=NOW)
    assert pays(ticket) == ["1.00"]
    with unguarded("keno_prize") as cursor:
        cursor.execute("UPDATE keno_prize SET amount = 2000000")
    assert "$2.00 on record for game 1; what was sealed gives $1.00" in stopped(ticket)


def test_refunds_of_voided_wagers_are_of_all_games_left() -> None:
    open_days()
    keep_open(now=OPENS)
    ticket = put_ticket(first_game=1, groups=[[1, 2, 40]], plays=[(3, 100)], games=3)
    stop(ticket, before=1, status=TicketStatus.VOIDED, by=SUE, now=NOW)
    made: dict[str, Any] = {"ticket": ticket, "game": 1, "kind": "refund", "day": ticket.day}
    Prize.objects.create(**made, amount=Money.dollars(3))
    assert pays(ticket) == ["3.00"]
