"""Cards, exclusions, breaks, limits and declared chips, through the verbs every room calls."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.db import DatabaseError, transaction

from house.approvals import approve, propose
from house.models import ChipDeclaration, LimitChange, Player, PlayerCard, PlayLine, Restriction
from house.plan_days import ensure_gaming_days
from house.players import cards, declare, limits, play, restrict
from house.rules.limits import Kind
from kernel.actors import Actor, system
from kernel.money import Money
from kernel.refusal import Conflict, Forbidden, NotFound, Refusal
from tests.house.conftest import Clock, Log, MakeActor
from tests.world import refusals
from tests.world.money import dollars
from tests.world.people import someone

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 16, 10, 4, tzinfo=UTC)  # Monday, 21:04 in Sydney
TILL = system("till")


@pytest.fixture
def clock() -> Iterator[Clock]:
    with time_machine.travel(NOW, tick=False) as clock:
        ensure_gaming_days()
        yield clock


@pytest.fixture
def player(clock: Clock, supervisor: Actor) -> Player:
    return cards.register_player(name="Pat Morgan", card="C-1", by=supervisor)


def kept() -> dict[str, list[Any]]:
    models = (Player, PlayerCard, Restriction, LimitChange, PlayLine, ChipDeclaration)
    return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in models}


refused = partial(refusals.refused, unchanged=kept, undone=True)


def buy(amount: int, *, card: str | None = "C-1", place: str = "keno") -> Player | None:
    return play.take_wager(card=card, amount=dollars(amount), place=place, reference="ticket/1", by=TILL)


def win(player: Player, amount: int, *, place: str = "keno") -> None:
    play.give_back(
        player_id=player.pk, kind="winnings", amount=dollars(amount), place=place, reference="ticket/1", by=TILL
    )


def test_registering(player: Player, supervisor: Actor, log: Log) -> None:
    assert log.acts[-2:] == [
        ("player.registered", player.identity, supervisor.identity),
        ("player.card-issued", player.identity, supervisor.identity),
    ]
    assert "Pat" not in str(log.data)

    def again(**more: Any) -> Player:
        asked: dict[str, Any] = {"name": "Lee", "card": "C-2", "by": supervisor}
        return cards.register_player(**asked | more)

    refused(lambda: again(card="C-1"), "card-taken", Conflict)
    refused(lambda: again(card=" c‑1 "), "card-taken", Conflict)  # one card, however it is written
    refused(lambda: again(card="no.dots"), "card-not-readable")
    refused(lambda: again(card="С-2"), "card-not-readable")  # a Cyrillic letter that looks Latin
    refused(lambda: again(name="  "), "name-missing")
    refused(lambda: again(by=Actor(identity="device:W-1", name="W-1")), "no-permission", Forbidden)


@pytest.mark.clause("nsw-csp:5.1")
def test_only_a_valid_card_counts(player: Player, supervisor: Actor) -> None:
    assert buy(5) == player
    cards.issue_card(player_number=player.number, card="C-2", by=supervisor)
    assert refused(lambda: buy(5), "card-not-valid").clause == "nsw-csp:5.1"
    assert buy(5, card="C-2") == player
    cards.cancel_card(card="C-2", reason="found in the bar", by=supervisor)
    refused(lambda: buy(5, card="C-2"), "card-not-valid")
    refused(lambda: cards.cancel_card(card="C-2", reason="again", by=supervisor), "card-cancelled", Conflict)
    refused(lambda: cards.cancel_card(card="C-9", reason="x", by=supervisor), "no-such-card", NotFound)


@pytest.mark.clause("nsw-csp:5.1")
def test_a_venue_may_require_cards(player: Player, actor: MakeActor) -> None:
    assert buy(5, card=None, place="CSP-01") is None
    refused(lambda: buy(5, card="unknown", place="CSP-01"), "card-unknown")
    new = {"cards_required": True, "cooling_off_hours": 48}
    proposal = propose(
        kind="house.player-protection", subject="venue", new=new, why="the order of 2024", by=actor("supervisor")
    )
    approve(proposal_id=proposal.pk, by=actor("manager"))
    refused(lambda: buy(5, card=None, place="CSP-01"), "card-needed")
    refused(lambda: buy(5, card="unknown", place="CSP-01"), "card-unknown")
    assert buy(5, place="CSP-01") == player


@pytest.mark.parametrize(
    "new", [{}, {"cards_required": 1, "cooling_off_hours": 48}, {"cards_required": True, "cooling_off_hours": 1}]
)
def test_protection_that_protects_nobody_is_refused(player: Player, actor: MakeActor, new: Any) -> None:
    with pytest.raises(Refusal):
        propose(kind="house.player-protection", subject="venue", new=new, why="x", by=actor("supervisor"))


@pytest.mark.clause("nsw-csp:16.8.3", "nsw-lp:14.3.3")
@pytest.mark.clause("act-keno:14.3")
def test_an_excluded_player_plays_nothing_until_somebody_else_lifts_it(
    player: Player, supervisor: Actor, actor: MakeActor
) -> None:
    ban = restrict.restrict(
        player_number=player.number, kind="exclusion", reason="a device at the table", by=supervisor
    )
    assert "excluded" in refused(lambda: buy(5), "player-exclusion").detail
    refused(lambda: restrict.lift(restriction_id=ban.pk, by=supervisor), "same-person", Forbidden)
    restrict.lift(restriction_id=ban.pk, by=actor("manager"))
    refused(lambda: restrict.lift(restriction_id=ban.pk, by=actor("manager")), "same-person", Forbidden)
    assert Restriction.objects.get().lifted_at is None
    restrict.lift(restriction_id=ban.pk, by=someone("manager", "ben"))
    assert buy(5) == player
    refused(lambda: restrict.lift(restriction_id=ban.pk, by=someone("manager", "ben")), "restriction-over", Conflict)


@pytest.mark.clause("nsw-csp:16.8.2", "nsw-lp:14.3.2")
@pytest.mark.clause("act-keno:14.3")
def test_an_exclusion_from_one_game_leaves_the_others(player: Player, supervisor: Actor) -> None:
    restrict.restrict(player_number=player.number, kind="exclusion", scope="tables", reason="x", by=supervisor)
    assert buy(5, place="keno") == player
    refused(lambda: buy(5, place="CSP-01"), "player-exclusion")


@pytest.mark.clause("nsw-csp:16.4")
def test_a_break_ends_by_itself(player: Player, supervisor: Actor, clock: Clock) -> None:
    refused(
        lambda: restrict.restrict(player_number=player.number, kind="break", reason="reset", by=supervisor),
        "break-without-end",
    )
    end = NOW + timedelta(minutes=15)
    restrict.restrict(player_number=player.number, kind="break", reason="reset", until=end, by=supervisor)
    assert "until Mon 16 Nov, 21:19" in refused(lambda: buy(5), "player-on-break").detail
    clock.shift(timedelta(minutes=15))
    assert buy(5) == player
    refused(
        lambda: restrict.restrict(player_number=player.number, kind="break", reason="x", until=end, by=supervisor),
        "already-over",
    )


@pytest.mark.clause("nsw-csp:16.19")
def test_the_employee_policy_counts_at_the_time_of_the_wager(
    player: Player, supervisor: Actor, actor: MakeActor, clock: Clock
) -> None:
    restrict.refuse_payment(player, wagered_at=NOW)
    clock.shift(timedelta(minutes=1))
    flag = restrict.restrict(player_number=player.number, kind="employee", reason="hired as dealer", by=supervisor)
    during = NOW + timedelta(minutes=2)
    clock.shift(timedelta(minutes=2))
    for other in (actor("manager"), someone("manager", "ben")):
        restrict.lift(restriction_id=flag.pk, by=other)
    restrict.refuse_payment(player, wagered_at=NOW)
    assert (
        refused(lambda: restrict.refuse_payment(player, wagered_at=during), "employee-policy").clause == "nsw-csp:16.19"
    )
    restrict.refuse_payment(player, wagered_at=NOW + timedelta(minutes=3))


@pytest.mark.clause("nsw-csp:16.19")
def test_a_breach_found_out_afterwards_holds_the_payment_and_for_good_once_two_have_seen_it(
    player: Player, supervisor: Actor, actor: MakeActor, clock: Clock
) -> None:
    clock.shift(timedelta(days=3))
    hired = NOW + timedelta(days=1)

    def pay(wagered_at: datetime = hired) -> None:
        restrict.refuse_payment(player, wagered_at=wagered_at)

    def say(kind: str = "employee", since: datetime | None = hired) -> Restriction:
        said: dict[str, Any] = {"player_number": player.number, "kind": kind, "reason": "Hired on Tuesday."}
        return restrict.restrict(**said, breach_since=since, by=supervisor)

    assert refused(lambda: say("exclusion"), "breach-impossible").clause == "nsw-csp:16.19"
    refused(lambda: say(since=NOW + timedelta(days=3, seconds=1)), "breach-impossible")
    others = (actor("manager"), someone("manager", "ben"))
    for confirmed in (False, True):
        flag = say()
        assert refused(pay, "employee-policy").clause == "nsw-csp:16.19"
        pay(hired - timedelta(seconds=1))
        if confirmed:
            restrict.confirm(restriction_id=flag.pk, by=others[0])
        for other in others:
            restrict.lift(restriction_id=flag.pk, by=other)
        if not confirmed:
            pay()  # one person's word, taken back by two others
    refused(pay, "employee-policy")


@pytest.mark.clause("nsw-csp:16.3")
def test_no_wager_beyond_the_loss_limit(player: Player, supervisor: Actor) -> None:
    limits.set_limit(player_number=player.number, kind="loss", period="day", amount=dollars(100), by=supervisor)
    buy(60)
    assert "may lose 40.00 more" in refused(lambda: buy(41), "loss-limit").detail
    buy(40, place="CSP-01")
    refused(lambda: buy(1), "loss-limit")
    win(player, 25)
    refused(lambda: buy(26), "loss-limit")
    buy(25)


@pytest.mark.clause("nsw-csp:16.3")
def test_a_limit_starts_anew_with_its_period(player: Player, supervisor: Actor, clock: Clock) -> None:
    for period, amount in (("day", 100), ("week", 150)):
        limits.set_limit(player_number=player.number, kind="loss", period=period, amount=dollars(amount), by=supervisor)
    buy(100)
    clock.shift(timedelta(hours=6))  # Tuesday, 03:04: still Monday's gaming day
    refused(lambda: buy(1), "loss-limit")
    clock.shift(timedelta(hours=8))  # Tuesday, 11:04
    refused(lambda: buy(51), "loss-limit")
    buy(50)
    clock.shift(timedelta(days=6))  # the next Monday
    ensure_gaming_days()
    buy(100)


def test_lowering_counts_at_once_raising_after_it_cooled_off(
    player: Player, supervisor: Actor, clock: Clock, log: Log
) -> None:
    def set_to(amount: Money | None) -> LimitChange:
        return limits.set_limit(player_number=player.number, kind="loss", period="day", amount=amount, by=supervisor)

    refused(lambda: set_to(None), "no-such-limit")
    assert set_to(dollars(100)).from_at == NOW
    assert set_to(dollars(40)).from_at == NOW
    refused(lambda: buy(41), "loss-limit")
    assert set_to(dollars(500)).from_at == NOW + timedelta(days=7)
    refused(lambda: buy(41), "loss-limit")
    (standing,) = limits.limit_statuses(player)
    assert (standing.amount, standing.next_amount, standing.next_from) == (
        dollars(40),
        dollars(500),
        NOW + timedelta(days=7),
    )
    assert log.data[-1]["old"] == "40.00"
    clock.shift(timedelta(days=7))
    ensure_gaming_days()
    buy(41)
    assert set_to(None).from_at == NOW + timedelta(days=14)


@pytest.mark.clause("nsw-csp:14.21", "nsw-csp:14.21.2")
def test_what_is_above_the_limit_goes_back_at_a_table(player: Player, supervisor: Actor, log: Log) -> None:
    limits.set_limit(player_number=player.number, kind="loss", period="week", amount=dollars(100), by=supervisor)
    earlier = play.place_wagers(card="C-1", table="CSP-01", wagers=[("ante", dollars(40))], by=supervisor)
    assert [(each.stands, each.returned) for each in earlier] == [(dollars(40), dollars(0))]
    before = list(PlayLine.objects.values())
    wagers = [("ante", dollars(40)), ("bet", dollars(80)), ("jackpot", Money.parse("2.50"))]
    placed = play.place_wagers(card="C-1", table="CSP-01", wagers=wagers, by=supervisor)
    assert [(each.name, each.stands, each.returned) for each in placed] == [
        ("ante", dollars(40), dollars(0)),
        ("bet", dollars(20), dollars(60)),
        ("jackpot", dollars(0), Money.parse("2.50")),
    ]
    assert log.kinds[-1] == "player.wager-above-limit"
    assert limits.room(player, Kind.LOSS, at=NOW) == dollars(0)
    assert list(PlayLine.objects.filter(pk__in=[row["id"] for row in before]).values()) == before  # it stands
    play.record_return(card="C-1", table="CSP-01", amount=dollars(120), by=supervisor)
    assert limits.room(player, Kind.LOSS, at=NOW) == dollars(120)


@pytest.mark.clause("nsw-csp:16.3")
def test_what_comes_back_is_of_what_was_wagered(player: Player, supervisor: Actor) -> None:
    """It makes room under a limit: nobody gets room by typing a number, nor twice for one round."""
    limits.set_limit(player_number=player.number, kind="loss", period="day", amount=dollars(200), by=supervisor)

    def back(amount: Money, table: str = "CSP-01") -> object:
        return play.record_return(card="C-1", table=table, amount=amount, by=supervisor)

    refused(lambda: back(dollars(1)), "nothing-wagered")
    play.place_wagers(card="C-1", table="CSP-01", wagers=[("ante", dollars(100))], by=supervisor)
    refused(lambda: back(dollars(1), "CSP-02"), "nothing-wagered")
    refused(lambda: back(dollars(999_999)), "returned-too-much")
    refused(lambda: back(Money.parse("500100.01")), "returned-too-much")
    assert limits.room(player, Kind.LOSS, at=NOW) == dollars(100)
    back(dollars(200))
    refused(lambda: back(dollars(200)), "nothing-wagered")


@pytest.mark.clause("nsw-csp:16.2", "nsw-csp:16.2.1-2", "nsw-csp:16.2.3")
def test_a_visit_costs_what_was_declared(player: Player, supervisor: Actor) -> None:
    limits.set_limit(player_number=player.number, kind="loss", period="day", amount=dollars(1000), by=supervisor)

    def say(kind: str, amount: int) -> object:
        return declare.declare_chips(card="C-1", table="CSP-01", kind=kind, amount=dollars(amount), by=supervisor)

    refused(lambda: say("remaining", 10), "nothing-declared")
    say("bought", 200)
    say("introduced", 50)
    play.place_wagers(card="C-1", table="CSP-01", wagers=[("ante", dollars(30))], by=supervisor)
    buy(7)  # Keno is not part of the visit
    say("remaining", 180)
    assert limits.limit_statuses(player)[0].used == dollars(70 + 7)
    refused(lambda: say("remaining", 180), "nothing-declared")
    say("introduced", 100)
    say("remaining", 130)
    assert limits.limit_statuses(player)[0].used == dollars(70 + 7 - 30)


def test_deposits_are_counted_by_the_calendar_day(player: Player, supervisor: Actor, clock: Clock) -> None:
    refused(
        lambda: limits.set_limit(
            player_number=player.number, kind="deposit", period="week", amount=dollars(1), by=supervisor
        ),
        "deposits-by-day",
    )

    def pay_in(amount: int) -> Money | None:
        return play.deposit(card="C-1", amount=dollars(amount), method="eftpos", by=supervisor)

    assert pay_in(10) is None
    limits.set_limit(player_number=player.number, kind="deposit", period="day", amount=dollars(100), by=supervisor)
    assert pay_in(60) == dollars(30)
    assert "may deposit 30.00 more" in refused(lambda: pay_in(31), "deposit-limit").detail
    buy(500)  # what he loses is another matter
    clock.shift(timedelta(hours=3))  # Tuesday, 00:04: another day, though still the same gaming day
    assert pay_in(100) == dollars(0)


def test_what_is_on_record_stays(player: Player, supervisor: Actor) -> None:
    limits.set_limit(player_number=player.number, kind="loss", period="day", amount=dollars(100), by=supervisor)
    buy(5)
    ban = restrict.restrict(player_number=player.number, kind="exclusion", reason="x", by=supervisor)
    for change in (
        lambda: PlayLine.objects.update(loss=0),
        lambda: PlayLine.objects.all().delete(),
        lambda: LimitChange.objects.update(amount=None),
        lambda: Restriction.objects.filter(pk=ban.pk).delete(),
        lambda: PlayerCard.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
