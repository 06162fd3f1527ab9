"""A player's usual ticket by his card: kept, offered with its price now, sold on his card, and forgotten."""

from __future__ import annotations

from typing import Any

import pytest

from house.devices import service_token
from house.players.cards import cancel_card, issue_card, register_player
from house.players.restrict import restrict
from keno.entries import TicketRequest
from keno.favourites import FAVOURITES_LIMIT, favourites_of, forget_favourite, keep_favourite
from keno.models import Favourite, Ticket
from keno.orders import from_json
from keno.rules.selection import Play
from kernel.refusal import Conflict, Forbidden, NotFound, Refusal
from ledger.models import Act
from tests.world import keno_counter as at
from tests.world.calls import Caller, problem
from tests.world.keno_counter import plain
from tests.world.money import dollars
from tests.world.people import someone
from tests.world.refusals import refused_with

pytestmark = pytest.mark.django_db

WRITER, BOSS = someone("writer"), someone("supervisor", "sue")
WAY = TicketRequest(groups=[[1, 2, 3], [11, 12]], plays=[Play(2, dollars("1.00")), Play(5, dollars("2.00"))], games=3)


@pytest.fixture
def player(db: None) -> Any:
    return register_player(name="Quill Ashgrove", card="C-1", by=BOSS)


def keep(name: str = "Fridays", *, card: str = "C-1", request: TicketRequest = WAY, by: Any = WRITER) -> Favourite:
    return keep_favourite(card=card, name=name, request=request, by=by)


def rows() -> list[Any]:
    return list(Favourite.objects.order_by("pk").values())


def test_it_comes_back_as_it_was_kept_with_its_price_now(player: Any) -> None:
    keep()
    keep("Sundays", request=plain(4, 8, 15, stake="2.00"))
    friday, sunday = favourites_of(card="C-1", by=WRITER)
    assert (friday.favourite.name, friday.price) == ("Fridays", dollars("9.00"))
    assert from_json(friday.favourite.request) == WAY
    assert (sunday.favourite.name, sunday.price) == ("Sundays", dollars("2.00"))
    keep("Fridays", request=plain(4, 8, 15, stake="3.00"))  # the same name: replaced
    assert [str(each.price) for each in favourites_of(card="C-1", by=WRITER)] == ["3.00", "2.00"]


@pytest.mark.parametrize("typed", ["c-1", " C - 1 ", "Ｃ－１"])
def test_a_card_is_one_however_it_is_typed(player: Any, typed: str) -> None:
    keep()
    assert [each.favourite.name for each in favourites_of(card=typed, by=WRITER)] == ["Fridays"]


def test_a_new_card_has_them_and_the_old_one_nothing_more(player: Any) -> None:
    keep()
    issue_card(player_number=player.number, card="C-2", by=BOSS)
    assert len(favourites_of(card="C-2", by=WRITER)) == 1
    refused_with(lambda: favourites_of(card="C-1", by=WRITER), Refusal, code="card-not-valid")


@pytest.mark.clause("act-keno:14.3")
def test_who_may_not_play_is_refused_as_at_a_sale(player: Any, counter: at.Counter) -> None:
    kept = keep()
    restrict(player_number=player.number, kind="exclusion", reason="He asked.", by=BOSS)
    sale = refused_with(lambda: counter.sell(card="C-1"), Refusal)
    for tried in (lambda: favourites_of(card="C-1", by=WRITER), lambda: keep("More")):
        refused_with(tried, Refusal, code=sale.code, clause=sale.clause, unchanged=rows)
    forget_favourite(card="C-1", number=kept.pk, by=WRITER)  # what is his he may have forgotten
    assert rows() == []


def test_what_cannot_be_sold_is_not_kept(player: Any) -> None:
    refused_with(lambda: keep(request=plain(1, 1)), Refusal, code="number-repeated", unchanged=rows)
    refused_with(lambda: keep("  "), Refusal, code="name-missing", unchanged=rows)
    refused_with(lambda: keep("x" * 41), Refusal, code="name-missing", unchanged=rows)
    refused_with(lambda: keep(card="C-9"), Refusal, code="card-unknown", unchanged=rows)
    for turn in range(FAVOURITES_LIMIT):
        keep(f"No. {turn}")
    refused_with(keep, Conflict, code="too-many-favourites", unchanged=rows)
    keep("No. 0", request=plain(7))


def test_what_can_no_longer_be_sold_says_why(player: Any) -> None:
    at.approve_value("set-bet", "KINGS", {"name": "Kings", "sizes": [1, 1, 1], "plays": [2]})
    keep(request=TicketRequest(set_bet="KINGS", stake=dollars("1.00")))
    at.approve_value("set-bet", "KINGS", None)
    (offered,) = favourites_of(card="C-1", by=WRITER)
    assert offered.price is None
    assert "KINGS" in offered.refused


def test_another_players_is_nobodys(player: Any) -> None:
    kept = keep()
    register_player(name="Ben Ngata", card="C-7", by=BOSS)
    assert favourites_of(card="C-7", by=WRITER) == []
    refused_with(lambda: forget_favourite(card="C-7", number=kept.pk, by=WRITER), NotFound, unchanged=rows)
    refused_with(lambda: favourites_of(card="C-1", by=someone("auditor")), Forbidden)
    cancel_card(card="C-1", reason="Lost.", by=BOSS)
    refused_with(lambda: favourites_of(card="C-1", by=WRITER), Refusal, code="card-not-valid")


def test_who_kept_changed_and_forgot_it_is_on_record_and_what_it_plays_is_not(player: Any) -> None:
    other = someone("writer", "wendy")
    kept = keep()
    keep(request=plain(4, 8, 15, stake="2.00"), by=other)
    forget_favourite(card="C-1", number=kept.pk, by=other)
    told = list(Act.objects.filter(kind__startswith="keno.favourite-").order_by("id"))
    assert [(act.kind, act.actor, act.subject) for act in told] == [
        ("keno.favourite-kept", WRITER.identity, f"player:{player.number}"),
        ("keno.favourite-kept", other.identity, f"player:{player.number}"),
        ("keno.favourite-forgotten", other.identity, f"player:{player.number}"),
    ]
    assert [act.data.get("replaced") for act in told] == [False, True, None]
    said = " ".join(str(act.data) for act in told)
    assert not any(word in said for word in ("C-1", "Fridays", "numbers", "groups", "Quill"))


def test_it_takes_a_person(player: Any, counter: at.Counter) -> None:
    """A machine on the floor shows nobody's favourites: personal data has its own power, in person."""
    machine = Caller(service_token(role="writer").secret)
    problem(machine.post("keno/favourites/look-up", {"card": "C-1"}), 403, "in-person")


def test_it_is_sold_on_his_card(player: Any, counter: at.Counter) -> None:
    keep(request=plain(4, 8, 15, stake="2.00"))
    (offered,) = favourites_of(card="C-1", by=WRITER)
    counter.sell(from_json(offered.favourite.request), card="C-1")
    assert Ticket.objects.get().player_id == player.pk
