"""Keno with a player card: limits, exclusions, and what the ticket gives back."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from house.devices import service_token
from house.models import Player, PlayLine
from house.players import cards, limits, restrict
from keno import orders
from keno.models import Order
from keno.pay import pay_ticket
from kernel.actors import Actor
from kernel.money import Money
from tests.plugins.worlds import kept
from tests.world import keno_counter as at
from tests.world import refusals
from tests.world.calls import Caller, problem
from tests.world.keno_counter import plain
from tests.world.keno_played import HIGH, Played
from tests.world.money import dollars
from tests.world.people import actor

pytestmark = pytest.mark.django_db

DESK = Actor(
    identity="staff:desk",
    name="Desk",
    permissions=frozenset({"players.manage", "players.limits", "players.restrict"}),
)


counter = kept(Played)


@pytest.fixture
def player(counter: Played) -> Player:
    player = cards.register_player(name="Pat Morgan", card="C-1", by=DESK)
    limits.set_limit(player_number=player.number, kind="loss", period="day", amount=dollars("10.00"), by=DESK)
    return player


def lines() -> list[tuple[str, Money]]:
    return [(line.kind, Money(line.loss)) for line in PlayLine.objects.order_by("id")]


refused = partial(refusals.refused, unchanged=lambda: (at.everything(), lines()))


@pytest.mark.clause("nsw-csp:16.3")
def test_a_ticket_beyond_the_loss_limit_is_not_sold(counter: Played, player: Player) -> None:
    sold = counter.sell(plain(stake="6.00"), card="C-1")
    assert sold.ticket.player == player
    refusal = refused(lambda: counter.sell(plain(stake="5.00"), card="C-1"), "loss-limit")
    assert (refusal.clause, refusal.field) == ("nsw-csp:16.3", "player")
    counter.sell(plain(stake="5.00"))  # without the card it counts towards nobody's limit
    counter.sell(plain(stake="4.00"), card="C-1")
    assert lines() == [("wager", dollars("6.00")), ("wager", dollars("4.00"))]


def test_what_a_ticket_gives_back_makes_room_again(counter: Played, player: Player) -> None:
    first = counter.sell(plain(stake="5.00"), card="C-1")
    second = counter.sell(plain(stake="5.00"), card="C-1")
    at.cancel(second, counter.writer)
    counter.play(1, [1, 2, *HIGH[:18]])  # two of its three numbers: $2.00 for each dollar
    pay_ticket(serial=first.ticket.serial, security_code=first.security_code, by=counter.writer)
    assert lines() == [
        ("wager", dollars("5.00")),
        ("wager", dollars("5.00")),
        ("refund", dollars("-5.00")),
        ("winnings", dollars("-10.00")),
    ]
    (standing,) = limits.limit_statuses(player)
    assert standing.used == dollars("-5.00")
    counter.sell(plain(stake="15.00"), card="C-1")
    refused(lambda: counter.sell(plain(), card="C-1"), "loss-limit")


@pytest.mark.clause("act-keno:14.3")
def test_an_excluded_player_buys_nothing(counter: Played, player: Player) -> None:
    restrict.restrict(player_number=player.number, kind="exclusion", scope="keno", reason="Marked cards.", by=DESK)
    assert refused(lambda: counter.sell(plain(), card="C-1"), "player-exclusion").clause == "act-keno:14.3"


def test_a_card_that_is_over_buys_nothing_nor_does_an_unknown_one(counter: Played, player: Player) -> None:
    refused(lambda: counter.sell(plain(), card="C-77"), "card-unknown")
    assert counter.sell(plain(), card=" c-1 ").ticket.player == player  # one card, however it is written
    cards.cancel_card(card="C-1", reason="lost", by=DESK)
    refused(lambda: counter.sell(plain(), card="C-1"), "card-not-valid")


def test_a_break_keeps_from_keno_too(counter: Played, player: Player) -> None:
    end = timezone.now() + timedelta(minutes=10)
    restrict.restrict(player_number=player.number, kind="break", reason="Reset.", until=end, by=DESK)
    assert refused(lambda: counter.sell(plain(), card="C-1"), "player-on-break").clause == "nsw-csp:16.4"


def order(card: str, stake: str = "1.00") -> Order:
    return orders.take_order(request=plain(stake=stake), card=card, by=actor("staff:rita", "supervisor"))


def everything() -> object:
    return at.everything(), lines(), list(Order.objects.order_by("pk").values())


@pytest.mark.clause("act-keno:4.8", "act-keno:14.3")
def test_an_order_with_a_card_is_refused_as_its_sale_would_be(counter: Played, player: Player) -> None:
    def no(card: str, code: str, stake: str = "1.00") -> None:
        refusals.refused(lambda: order(card, stake), code, unchanged=everything)

    no("C-77", "card-unknown")
    no("C-1", "loss-limit", stake="11.00")
    cards.issue_card(player_number=player.number, card="C-2", by=DESK)
    no("C-1", "card-not-valid")
    restrict.restrict(player_number=player.number, kind="exclusion", scope="keno", reason="Marked cards.", by=DESK)
    no("C-2", "player-exclusion")
    no(" c - 2 ", "player-exclusion")


@pytest.mark.clause("act-keno:4.8")
def test_the_ticket_of_an_order_is_the_players_and_counts_once_it_is_issued(counter: Played, player: Player) -> None:
    first, second = order(" c-1 ", "6.00"), order("C-1", "6.00")
    assert (first.card, lines()) == ("C-1", [])  # nothing is wagered before its ticket is issued
    _, sold = orders.issue_order(order_id=first.pk, by=counter.writer)
    assert (sold.ticket.player, lines()) == (player, [("wager", dollars("6.00"))])
    issue = partial(orders.issue_order, order_id=second.pk, by=counter.writer)
    refusals.refused(issue, "loss-limit", unchanged=everything)


@pytest.mark.clause("act-keno:14.3")
def test_who_is_excluded_after_he_ordered_gets_no_ticket(counter: Played, player: Player) -> None:
    taken = order("C-1")
    restrict.restrict(player_number=player.number, kind="exclusion", reason="He asked.", by=DESK)
    issue = partial(orders.issue_order, order_id=taken.pk, by=counter.writer)
    refusals.refused(issue, "player-exclusion", unchanged=everything)


def test_the_call_takes_the_card_and_shows_it_to_who_may_see_it(counter: Played, player: Player) -> None:
    """It once took the card and dropped it."""
    runner, auditor = (Caller(service_token(role=role).secret) for role in ("supervisor", "inspector"))
    wanted = {"numbers": [4, 8], "stake": "1.00"}
    problem(runner.post("keno/orders", {**wanted, "player": "C-77"}), 422, "card-unknown")
    taken = runner.post("keno/orders", {**wanted, "player": "c-1"}).json()
    assert taken["player"] == "C-1"
    assert Order.objects.get().card == "C-1"
    assert auditor.get(f"keno/orders/{taken['id']}").status_code == 200
