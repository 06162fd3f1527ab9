"""What a game could pay out at most, kept with every sale and held to the house's limits, whoever sells at once."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from house.models import Incident
from keno import approved, exposure, locks
from keno.close import close
from keno.entries import TicketRequest
from keno.models import Game, GameExposure, Ticket
from keno.open_games import keep_open
from keno.queries.exposure import exposed, exposures, largest_tickets
from keno.rules.selection import Play
from keno.sell import sell_ticket
from keno.shifts import open_shift
from kernel.money import Money
from tests.keno.test_counter_races import together, tried
from tests.world import keno_counter as at
from tests.world.keno_counter import plain
from tests.world.money import dollars
from tests.world.people import actor
from tests.world.threads import at_once

RACES = pytest.mark.django_db(transaction=True)
THREE = {"stake": "10.00"}  # three of three pays $360.00: one major, and $20.00 for two of them


def limit(game: Game, **amounts: str) -> None:
    """The game on sale opened with these limits."""
    for code, amount in amounts.items():
        at.approve_value(approved.AMOUNT, code.replace("_", "-"), amount)
    exposure.begin(game)


def payable(game: int = 1) -> Money:
    return exposures([game])[game].exposure.payable


def ways(stake: str = "0.10") -> TicketRequest:
    """Nineteen numbers, every eight of them: 75,582 ways."""
    return TicketRequest(groups=[[n] for n in range(1, 20)], plays=[Play(8, dollars(stake))])


@pytest.mark.django_db
def test_each_sale_adds_what_it_could_be_paid(counter: at.Counter) -> None:
    limit(counter.game)
    assert payable() == Money(0)
    first = counter.sell(plain(**THREE)).ticket
    counter.sell(plain(4, 5, 6, 7, 8, 9, 10, 11, 12, 13))  # ten numbers: $25,000.00
    assert payable() == dollars("25360.00")
    assert [each.could_pay for each in largest_tickets(1)] == [dollars("25000.00"), dollars("360.00")]
    stored = Ticket.objects.get(pk=first.pk)
    assert (stored.could_pay, stored.could_pay_minors, stored.could_pay_held) == tuple(
        map(dollars, ("360.00", "20.00", "200.00"))
    )
    (shown,) = exposed(Game.objects.filter(pk=1))
    assert (shown.payable, shown.turnover, shown.alarm) == (dollars("25360.00"), dollars("11.00"), False)


@pytest.mark.django_db
def test_the_ticket_of_75_582_ways_where_the_house_does_not_take_it(counter: at.Counter) -> None:
    limit(counter.game, most_a_ticket="1000000.00")
    assert at.refused(lambda: counter.sell(ways())) == (422, "ticket-over-house-limit", None)
    assert not GameExposure.objects.exists()


@pytest.mark.django_db
def test_a_house_that_has_set_no_limit_takes_what_the_rules_allow(counter: at.Counter) -> None:
    limit(counter.game)
    counter.sell(ways())
    assert payable() == dollars("15116400.00")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("limits", "refusal"),
    [
        ({"most_a_way": "359.99"}, (422, "way-over-house-limit", None)),
        ({"most_a_ticket": "359.99"}, (422, "ticket-over-house-limit", None)),
        ({"most_a_game": "719.99"}, (409, "game-over-house-limit", None)),
        ({"most_a_way": "360.00", "most_a_ticket": "360.00", "most_a_game": "720.00"}, None),
    ],
)
def test_each_limit_to_the_cent(counter: at.Counter, limits: dict[str, str], refusal: Any) -> None:
    limit(counter.game, **limits)
    if "most_a_game" in limits:
        counter.sell(plain(**THREE))
    if refusal is None:
        counter.sell(plain(7, 8, 9, **THREE))
        assert payable() == dollars("720.00")
        refusal = (409, "game-over-house-limit", None)
    assert at.refused(lambda: counter.sell(plain(7, 8, 9, **THREE))) == refusal


@pytest.mark.django_db
def test_a_refused_sale_is_an_alarm_once_a_game(counter: at.Counter) -> None:
    limit(counter.game, most_a_game="300.00")
    for _ in range(2):
        with pytest.raises(Exception, match="could pay out") as refused:
            counter.sell(plain(**THREE))
        refused.value.take_note()  # type: ignore[attr-defined]  # as the one who answers the caller does
    assert list(Incident.objects.values_list("kind", "subject")) == [("keno-exposure", "keno-exposure:1")]


@pytest.mark.django_db
def test_the_control_page_is_told_from_the_approved_amount_on(counter: at.Counter) -> None:
    limit(counter.game, exposure_alarm="360.00")
    counter.sell(plain(stake="9.00"))
    assert not exposed([counter.game])[0].alarm
    counter.sell(plain(stake="1.00"))
    assert exposed([counter.game])[0].alarm


@pytest.mark.django_db
def test_what_is_cancelled_makes_room(counter: at.Counter) -> None:
    limit(counter.game, most_a_game="500.00")
    sold = counter.sell(plain(**THREE))
    at.refused(lambda: counter.sell(plain(7, 8, 9, **THREE)))
    at.cancel(sold, by=counter.writer)
    assert payable() == Money(0)
    counter.sell(plain(7, 8, 9, **THREE))


@pytest.mark.django_db
def test_a_ticket_for_several_games_counts_in_each_and_limits_hold_from_the_next_game_on(counter: at.Counter) -> None:
    counter.sell(plain(games=2, **THREE))
    counter.sell(plain(**THREE))
    at.approve_value(approved.AMOUNT, approved.MOST_A_GAME, "700.00")
    close(number=1, now=timezone.now())
    keep_open()
    assert Game.objects.get(status="open").number == 2
    assert payable(2) == dollars("360.00")
    assert at.refused(lambda: counter.sell(plain(**THREE))) == (409, "game-over-house-limit", None)
    counter.sell(plain(stake="9.00"))
    assert payable(2) == dollars("684.00")


# Who sells at once


@RACES
def test_eight_terminals_cannot_pass_the_limit_together(counter: at.Counter) -> None:
    limit(counter.game, most_a_game="1100.00")  # three tickets of $360.00
    answers = together(8, lambda by: sell_ticket(request=plain(**THREE), by=by).ticket.price)
    assert sorted(map(str, answers)) == ["10.00"] * 3 + ["game-over-house-limit"] * 5
    assert payable() == dollars("1080.00")
    assert Ticket.objects.count() == 3


@RACES
def test_without_the_lock_they_do(counter: at.Counter, monkeypatch: pytest.MonkeyPatch) -> None:
    """The race is real: each has read what the other has not committed yet."""
    limit(counter.game, most_a_game="500.00")
    both_have_read = threading.Barrier(2)

    def without(number: int, **_: Any) -> locks.OnSale:
        found = exposures([number])[number]
        both_have_read.wait(30)
        return found

    monkeypatch.setattr(locks, "hold_open_for_sale", without)
    answers = together(2, lambda by: sell_ticket(request=plain(**THREE), by=by).ticket.price)
    assert list(map(str, answers)) == ["10.00", "10.00"]
    assert payable() == dollars("720.00")


@RACES
@pytest.mark.parametrize(("game_limit", "waits"), [("500000.00", False), ("100000.00", True)])
def test_a_sale_waits_for_others_only_near_the_limit(counter: at.Counter, game_limit: str, waits: bool) -> None:
    """A ticket that adds $200.00 at most to majors and small prizes, in a game whose majors come to $50,000 at most."""
    limit(counter.game, most_a_game=game_limit)

    def sell_beside() -> str:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '200ms'")
            try:
                assert locks.hold_open_for_sale(1, adds=dollars("200.00"))
            except OperationalError:
                return "waited"
            return "sold"

    with transaction.atomic():
        assert locks.hold_open_for_sale(1, adds=dollars("200.00"))
        assert at_once([sell_beside]) == ["waited" if waits else "sold"]


@RACES
def test_a_large_ticket_waits_for_those_under_way(counter: at.Counter) -> None:
    limit(counter.game, most_a_game="500000.00")

    def large() -> object:
        return tried(lambda: sell_ticket(request=plain(**THREE, games=2), by=writer).ticket.games)

    writer = actor("device:W-9", "writer")
    open_shift(by=writer)
    with transaction.atomic():
        assert locks.hold_open_for_sale(1, adds=dollars("5000.00"))  # more than a 512th of the limit: alone
        beside = threading.Thread(target=large)
        beside.start()
        beside.join(0.2)
        assert beside.is_alive()
        assert not Ticket.objects.exists()
    beside.join()
    assert Ticket.objects.count() == 1


@pytest.mark.django_db
def test_no_more_sales_at_once_than_the_lock_allows_for() -> None:
    """Half the limit, and 255 times a 512th of it, stay below the limit: migration exposure."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW max_connections")
        assert int(cursor.fetchone()[0]) < 256
