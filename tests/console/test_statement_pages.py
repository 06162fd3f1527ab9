"""A player's statement in words, balanced by period; the page at the desk and the letter say the same."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from house.models import Player
from house.players import declare, limits, play, restrict, statement
from house.rules.limits import Kind, span
from kernel.money import Money
from tests.world import paper
from tests.world.calls import Caller, make_device
from tests.world.money import dollars
from tests.world.people import SUPERVISOR
from tests.world.players import registered


@pytest.fixture
def player(signed_in: Callable[[str], Client]) -> Player:
    (found,) = registered("C-1")
    return found


def an_evening() -> None:
    """Deposited 300; at CSP-01 wagered 100, of which 40 came back, and brought 200 in chips, took 120 away."""
    play.deposit(card="C-1", amount=dollars(300), method="eftpos", by=SUPERVISOR)
    declare.declare_chips(card="C-1", table="CSP-01", kind="introduced", amount=dollars(200), by=SUPERVISOR)
    play.place_wagers(card="C-1", table="CSP-01", wagers=[("ante", dollars(100))], by=SUPERVISOR)
    play.record_return(card="C-1", table="CSP-01", amount=dollars(40), by=SUPERVISOR)
    declare.declare_chips(card="C-1", table="CSP-01", kind="remaining", amount=dollars(120), by=SUPERVISOR)


@pytest.mark.clause("nsw-csp:16.2")
def test_chips_deposits_and_returns_balance_in_every_period(player: Player) -> None:
    an_evening()
    at = timezone.now()
    for account in statement.accounts(player, at=at):
        assert (account.deposited, account.wagered, account.came_back) == (dollars(300), dollars(100), dollars(40))
        assert account.by_chips == dollars(20)  # 200 brought less 120 taken away is 80, of which 60 was seen
        assert account.lost == dollars(80)
        assert account.lost == limits.used(player, Kind.LOSS, account.first, account.last)
        calendar = span(account.period, limits.day_of(Kind.DEPOSIT, at))  # past midnight it is not the gaming day's
        assert account.deposited == limits.used(player, Kind.DEPOSIT, *calendar)
    later = statement.accounts(player, at=at + timedelta(days=40))
    assert {account.lost for account in later} == {Money(0)}


def test_what_is_declared_and_not_ended_is_said(player: Player) -> None:
    declare.declare_chips(card="C-1", table="CSP-02", kind="bought", amount=dollars(50), by=SUPERVISOR)
    assert statement.open_visits(player) == [statement.OpenVisit(table="CSP-02", declared=dollars(50))]
    assert any("At CSP-02 you declared $50.00" in said for said in statement.in_words(player))


def test_limits_breaks_and_exclusions_are_said_and_reasons_are_not(player: Player) -> None:
    an_evening()
    limits.set_limit(player_number=player.number, kind="loss", period="week", amount=dollars(500), by=SUPERVISOR)
    limits.set_limit(player_number=player.number, kind="loss", period="week", amount=dollars(900), by=SUPERVISOR)
    said = " ".join(statement.in_words(player))
    assert "You may play with card C-1." in said
    assert "You may lose $500.00 a week: $80.00 is used" in said
    assert "$420.00 is left" in said
    assert "a limit of $900.00 on what you lose a week from" in said
    until = timezone.now() + timedelta(days=2)
    restrict.restrict(
        player_number=player.number, kind="break", scope="tables", until=until, reason="Asked for it.", by=SUPERVISOR
    )
    said = " ".join(statement.in_words(player))
    assert "You are taking a break: you may not play at the tables until" in said
    assert "You may play with card" in said  # at Keno
    restrict.restrict(
        player_number=player.number, kind="exclusion", scope="casino", until=None, reason="Secret.", by=SUPERVISOR
    )
    said = " ".join(statement.in_words(player))
    assert "You may not play in the casino until it is lifted" in said
    assert "You may play" not in said
    assert "Secret" not in said


def test_the_page_the_call_and_the_letter(player: Player, signed_in: Callable[[str], Client]) -> None:
    an_evening()
    page = f"/players/{player.number}/statement"
    supervisor = signed_in("supervisor")
    shown = supervisor.get(f"{page}/").content.decode()
    assert "you lost $80.00" in shown
    told = Caller(make_device("supervisor")[1]).get(f"players/{player.number}/statement").json()
    assert all(sentence in shown for sentence in told["sentences"])
    assert [account["lost"] for account in told["accounts"]] == ["80.00"] * 3
    letter = supervisor.get(f"{page}.pdf")
    written = " ".join(" ".join(paper.said(letter.content)).split())
    assert all(sentence in written for sentence in told["sentences"])
    assert f"Player {player.number} Your statement" in written
    assert "You may ask for a lower limit, a break or to be excluded at any time" in written
    assert signed_in("auditor").get(f"{page}.pdf").status_code == 403  # it bears a name
    assert f"{page}/" in supervisor.get(f"/players/{player.number}/").content.decode()
