"""Keno tournaments in the console: entered for a fee, followed, ranked, paid to the cent (act-keno:15)."""

from __future__ import annotations

import csv
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from house.models import CashLine, Proposal
from keno.close import close_game
from keno.demo import build_demo
from keno.draw import draw_game
from keno.models import Game
from keno.permissions import SUPERVISED_ABOVE
from keno.shifts import open_shift
from kernel.money import Money
from ledger.balance import balance
from tests.console.test_keno_pages import text
from tests.world.approvals import put_in_force
from tests.world.demo import demo_actor
from tests.world.tournaments import card_of
from tournaments.models import TournamentEntry

pytestmark = [pytest.mark.django_db, pytest.mark.clause("act-keno:15.2", "act-keno:15.4")]


def terms(first: int, **more: Any) -> dict[str, Any]:
    return {
        "name": "Spring cup",
        "entry_fee": "50.05",
        "retained": 1000,
        "prizes": [6000, 4000],
        "spots": 3,
        "stake": "1.00",
        "schedule": "standard",
        "first_game": first,
        "last_game": first,
    } | more


@pytest.fixture
def game(venue: None) -> int:
    """The game on sale, with a writer at the counter."""
    build_demo()
    open_shift(by=demo_actor("writer"), opening_float=Money.dollars(500))
    return Game.objects.get(status="open").number


def held() -> Money:
    return balance("keno:tournaments").amount


def play(number: int) -> None:
    close_game(number=number, by=demo_actor("supervisor"))
    draw_game(number=number, by=demo_actor("supervisor"))


def figures(page: Any) -> tuple[str, ...]:
    shown = page.context["tournament"]
    return (str(shown.status), *(str(getattr(shown.money, name)) for name in ("fees", "retained", "prizes", "paid")))


def players_in(file: Any) -> list[str]:
    return [line["Player"] for line in csv.DictReader(b"".join(file.streaming_content).decode().splitlines())]


def test_from_the_first_entry_to_the_last_cent(game: int, signed_in: Callable[[str], Client]) -> None:
    put_in_force("keno.tournament", "CUP", terms(game))
    writer, supervisor = signed_in("writer"), signed_in("supervisor")
    assert 'data-open="enter"' not in supervisor.get("/keno/tournaments/CUP/").content.decode()
    anna = card_of("Anna")
    for wrong, says in (
        ({"card": anna, "numbers": "1 2"}, "Entries mark 3 numbers."),
        ({"card": anna, "numbers": "1 2 2"}, "twice"),
        ({"card": anna, "numbers": "one"}, "Write whole numbers"),
        ({"numbers": "1 2 3"}, "Player card is missing."),
    ):
        answer = writer.post("/keno/tournaments/CUP/enter/", wrong)
        assert answer.status_code == 422, wrong
        assert says in text(answer), wrong
        assert "data-show" in answer.content.decode()  # what was typed is still there
    assert not TournamentEntry.objects.exists()
    for player, numbers in (("Anna", "1 2 3"), ("Ben", "4, 5, 6"), ("Cara", "7 8 9")):
        writer.post("/keno/tournaments/CUP/enter/", {"card": card_of(player), "numbers": numbers})
    assert held() == Money.parse("150.15")
    page = writer.get("/keno/tournaments/CUP/")
    assert figures(page) == ("open", "150.15", "15.01", "135.14", "0.00")  # a fraction of a cent is never retained
    assert "10%, at most 10%" in text(page)
    # Nothing is ranked before it is played; nobody enters once it has begun.
    early = supervisor.post("/keno/tournaments/CUP/finish/", follow=True)
    assert early.context["refusal"]["clause"] == "act-keno:15.2"
    play(game)
    late = writer.post("/keno/tournaments/CUP/enter/", {"card": card_of("Dan"), "numbers": "1 2 3"})
    assert late.status_code == 409
    assert TournamentEntry.objects.count() == 3
    page = supervisor.get("/keno/tournaments/CUP/")
    assert figures(page)[0] == "played"
    assert "Finish Spring cup and rank its 3 entries" in text(supervisor.get("/"))
    assert "Finish Spring cup" not in text(writer.get("/"))
    so_far = {row.player: row.so_far for row in page.context["listing"].rows}
    supervisor.post("/keno/tournaments/CUP/finish/")
    page = supervisor.get("/keno/tournaments/CUP/")
    assert figures(page) == ("finished", "150.15", "15.01", "135.14", "0.00")
    assert "Finish Spring cup" not in text(supervisor.get("/"))
    rows = page.context["listing"].rows
    assert {row.player: row.points for row in rows} == so_far
    assert [row.place for row in rows] == sorted(row.place for row in rows)
    assert Money.total(row.prize for row in rows) == Money.parse("135.14")
    winners = [row for row in rows if row.prize]
    for row in winners:
        writer.post(f"/keno/tournaments/entries/{row.pk}/pay/")
    assert held() == Money(0)
    page = writer.get("/keno/tournaments/CUP/")
    assert figures(page)[-1] == "135.14"
    assert "to the cent" in text(page)
    again = writer.post(f"/keno/tournaments/entries/{winners[0].pk}/pay/")
    assert (again.status_code, held()) == (409, Money(0))
    file = "/keno/tournaments/CUP/?format=csv&state=paid&order=player"
    assert players_in(supervisor.get(file)) == sorted(row.player for row in winners)
    # Whoever may not see names does not sort by them either: the places stay in order.
    assert players_in(writer.get(file)) == [row.player for row in winners]
    (row,) = writer.get("/keno/tournaments/?state=finished&q=spring").context["listing"].rows
    assert (row.code, row.entries, str(row.tournament.money.prizes)) == ("CUP", 3, "135.14")
    assert not writer.get("/keno/tournaments/?state=running").context["listing"].rows


def test_a_large_prize_goes_by_cheque_to_somebody_known_with_two_people(
    game: int, signed_in: Callable[[str], Client]
) -> None:
    put_in_force("keno.tournament", "GRAND", terms(game, entry_fee="12000.00", prizes=[10000]))
    put_in_force("keno.amount", SUPERVISED_ABOVE, "5000.00")
    writer, supervisor = signed_in("writer"), signed_in("supervisor")
    who = {
        "name": "Anna Marsh",
        "born": "1970-01-02",
        "address": "1 Binara Street",
        "document": "passport",
        "document_number": "PA1234567",
    }
    asked = writer.post("/keno/tournaments/GRAND/enter/", {"card": card_of("Anna"), "numbers": "1 2 3"})
    assert asked.status_code == 422
    writer.post("/keno/tournaments/GRAND/enter/", {"card": card_of("Anna"), "numbers": "1 2 3", **who})
    play(game)
    supervisor.post("/keno/tournaments/GRAND/finish/")
    entry = TournamentEntry.objects.get()
    assert entry.prize == Money.parse("10800.00")
    address = f"/keno/tournaments/entries/{entry.pk}/"
    shown = writer.get("/keno/tournaments/GRAND/")
    assert "Needs a supervisor" in text(shown)
    assert writer.post(f"{address}pay/").status_code == 403
    assert writer.post(f"{address}authorise/").status_code == 403
    supervisor.post(f"{address}authorise/")
    unnamed = writer.post(f"{address}pay/", {"cheque_number": "000779"})
    assert unnamed.status_code == 422
    assert "data-show" in unnamed.content.decode()
    assert writer.post(f"{address}pay/", who).status_code == 422  # no number of a cheque
    assert held() == Money.parse("10800.00")
    writer.post(f"{address}pay/", who | {"cheque_number": "000779"})
    entry.refresh_from_db()
    assert (entry.paid_by, entry.authorised_by) == ("staff:writer", "staff:supervisor")
    assert (entry.cheque_number, CashLine.objects.get(what="tournament-prize").identity) == ("000779", who)
    assert held() == Money(0)


def test_a_tournament_nobody_approved(venue: None, signed_in: Callable[[str], Client]) -> None:
    client = signed_in("writer")
    assert client.get("/keno/tournaments/NONE/").status_code == 404
    assert client.post("/keno/tournaments/NONE/enter/", {"card": "A", "numbers": "1"}).status_code == 404
    assert client.post("/keno/tournaments/entries/99999999999999999999/pay/").status_code == 404


@pytest.mark.clause("act-keno:15.4")
def test_fees_go_back_past_two_people_and_a_tournament_is_called_off(
    game: int, signed_in: Callable[[str], Client]
) -> None:
    put_in_force("keno.tournament", "CUP", terms(game))
    writer, supervisor = signed_in("writer"), signed_in("supervisor")
    for player, numbers in (("Anna", "1 2 3"), ("Ben", "4 5 6")):
        writer.post("/keno/tournaments/CUP/enter/", {"card": card_of(player), "numbers": numbers})
    anna, ben = TournamentEntry.objects.order_by("pk")
    assert f'data-open="refund-{anna.pk}"' not in writer.get("/keno/tournaments/CUP/").content.decode()
    assert "authorise-refund" not in writer.get("/keno/tournaments/CUP/").content.decode()
    page = supervisor.get("/keno/tournaments/CUP/").content.decode()
    assert f'data-open="authorise-refund-{anna.pk}"' in page
    assert 'data-open="call-off"' in page
    supervisor.post(f"/keno/tournaments/entries/{anna.pk}/authorise-refund/", {"comment": "Ill."})
    assert f'data-open="refund-{anna.pk}"' in writer.get("/keno/tournaments/CUP/").content.decode()
    assert f'data-open="refund-{anna.pk}"' not in supervisor.get("/keno/tournaments/CUP/").content.decode()
    writer.post(f"/keno/tournaments/entries/{anna.pk}/refund/")
    assert "Fee given back" in text(writer.get("/keno/tournaments/CUP/"))
    assert held() == Money.parse("50.05")
    supervisor.post("/keno/tournaments/CUP/call-off/", {"comment": "Too few."})
    page = supervisor.get("/keno/tournaments/CUP/").content.decode()
    assert "To be called off" in page
    assert 'data-open="call-off"' not in page
    signed_in("manager").post(f"/approvals/{Proposal.objects.latest('pk').pk}/approve/")
    assert "Called off" in text(supervisor.get("/keno/tournaments/CUP/"))
    writer.post(f"/keno/tournaments/entries/{ben.pk}/refund/")
    assert held() == Money.parse("0.00")
    assert not writer.get("/keno/tournaments/CUP/?state=owing").context["listing"].rows
