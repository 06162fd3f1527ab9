"""Tournaments: from the conditions to the prizes, and their list, sorted, paged and taken away like every other."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from house.approvals import approve
from house.models import Proposal
from kernel.actors import Actor
from kernel.money import Money
from promotions.tournament_conditions import CONDITIONS
from promotions.tournaments import enter_tournament, score_tournament
from tests.console.pages import text
from tests.world.approvals import put_in_force
from tests.world.demo import demo_actor
from tests.world.tournaments import FINAL_SEATS, HEATS, card_of
from tournaments.models import Tournament, TournamentEntry

MANAGER = Actor("staff:manager", "Manager")
SignedIn = Callable[[str], Client]
PAGE = 50


def approved(code: str, name: str, *, fee: str = "50.00", game: str = "Poker", days: int = 2, **more: Any) -> Any:
    closes = timezone.now() + timedelta(days=days)
    value = {"name": name, "game": game, "entry_fee": fee, "retained": 1000, "prizes": [7000, 3000], "play": "Chips.",
             "closes_at": closes.isoformat()} | more  # fmt: skip
    return put_in_force(CONDITIONS, code, value)


def played(conditions: Any, *players: str, **more: Any) -> Tournament:
    one = Tournament.objects.create(
        kind="promotions",
        code=conditions.code,
        terms=conditions.value,
        conditions=conditions,
        approved_by=conditions.approved_by,
        approved_at=timezone.now(),
        opened_at=timezone.now(),
        **more,
    )
    fee, now = Money.parse(conditions.value["entry_fee"]), timezone.now()
    for player in players:
        TournamentEntry.objects.create(
            tournament=one,
            player=player,
            card=f"T-{player.upper()}",
            fee=fee,
            drawer="promotions:cage",
            entered_at=now,
            day=now.date(),
            entered_by="staff:writer",
        )
    return one


def codes(client: Client, query: str = "") -> list[str]:
    return [row.code for row in client.get(f"/promo/tournaments/?{query}").context["listing"].rows]


def test_one_row_a_code_in_its_state(signed_in: SignedIn) -> None:
    writer, now = signed_in("writer"), timezone.now()
    assert "No tournament yet" in text(writer.get("/promo/tournaments/"))
    approved("OPEN", "Before")
    approved("OPEN", "Open one", days=9)  # the latest conditions hold
    first = approved("PLAYED", "As entered", days=8)
    played(first, "Ann", "Bo")
    approved("PLAYED", "Changed since", days=7)  # not for those who have entered
    approved("GONE", "Withdrawn")
    put_in_force(CONDITIONS, "GONE", None)
    approved("CLOSED", "Closed one", days=-1)
    played(approved("SCORED", "Scored one", days=-2), "Ann", scored_at=now, scored_by="staff:supervisor")
    by_two = {"cancelled_by": "staff:supervisor", "cancel_proposed_by": "staff:manager"}
    played(approved("OFF", "Off", days=6), cancelled_at=now, cancel_reason="Rain.", **by_two)
    rows = writer.get("/promo/tournaments/").context["listing"].rows
    assert [(row.code, row.title, row.players, row.state) for row in rows] == [
        ("OPEN", "Open one", 0, "open"),
        ("PLAYED", "As entered", 2, "open"),
        ("OFF", "Off", 0, "cancelled"),
        ("CLOSED", "Closed one", 0, "closed"),
        ("SCORED", "Scored one", 1, "scored"),
    ]
    assert codes(writer, "state=open") == ["OPEN", "PLAYED"]
    assert codes(writer, "state=finished") == []
    assert codes(writer, "q=as+ent") == ["PLAYED"]
    for row in rows:
        page = text(writer.get(f"/promo/tournaments/{row.code}/"))
        assert row.title in page
        assert "$50" in page
    assert writer.get("/promo/tournaments/GONE/").status_code == 404


def test_sorted_and_taken_away(signed_in: SignedIn) -> None:
    client = signed_in("auditor")
    played(approved("A", "Cup", fee="100.00", game="Stud", days=1), "Ann")
    approved("B", "Aces", fee="20.00", game="Poker", days=3, retained=500)
    approved("C", "=Bets", fee="5.50", game="War", days=2)
    for order, expected in {
        "title": "CBA",
        "code": "ABC",
        "game": "BAC",
        "fee": "CBA",
        "-fee": "ABC",
        "retained": "BAC",
        "closes_at": "ACB",
        "-players": "ACB",
    }.items():
        assert "".join(codes(client, f"order={order}")) == expected, order
    lines = b"".join(client.get("/promo/tournaments/?format=csv&order=code")).decode().splitlines()
    assert lines[0] == "Tournament,Code,Game,Fee,Retained,Entries close,Entries,State"
    assert lines[1].startswith("Cup,A,Stud,100.00,10%,")
    assert lines[1].endswith(",1,open")
    assert lines[3].startswith("'=Bets,C,War,5.50,10%,")  # no formula


def test_a_list_sorted_by_an_amount_has_a_second_page(signed_in: SignedIn) -> None:
    client = signed_in("supervisor")
    for n in range(PAGE + 5):
        approved(f"T-{n:02}", f"No. {n}", fee=f"{n // 3 + 1}.50")  # amounts that several share
    for order in ("fee", "-fee"):
        first = client.get(f"/promo/tournaments/?order={order}").context["listing"]
        second = client.get(first.next).context["listing"]
        seen = [row.code for row in (*first.rows, *second.rows)]
        assert (len(first.rows), len(second.rows), len(set(seen))) == (PAGE, 5, PAGE + 5)
        amounts = [row.fee for row in (*first.rows, *second.rows)]
        assert amounts == sorted(amounts, reverse=order == "-fee")
        again = client.get(second.previous).context["listing"]
        assert [row.code for row in again.rows] == [row.code for row in first.rows]


@pytest.mark.clause("act-cp:16.4")
def test_a_tournament_from_its_conditions_to_its_prizes(signed_in: SignedIn) -> None:
    supervisor, manager = signed_in("supervisor"), signed_in("manager")
    closes = (timezone.localtime() + timedelta(days=2)).strftime("%Y-%m-%dT%H:%M:%S")
    form = {
        "code": "POKER", "name": "Poker night", "game": "Lunar Poker", "entry_fee": "50", "retained": "10.5",
        "prizes": "70 30", "closes_at": closes, "most_entries": "", "play": "Chips.",
        "why": "Winter.",
    }  # fmt: skip
    too_much = supervisor.post("/promo/tournaments/propose/", form)
    assert "/rules/#act-cp:16.4" in text(too_much)
    supervisor.post("/promo/tournaments/propose/", form | {"retained": "10"})
    approve(proposal_id=Proposal.objects.get().pk, by=demo_actor("inspector"))
    assert "Poker night" in text(supervisor.get("/promo/tournaments/"))
    for player in ("Ann", "Bo", "Cy"):
        supervisor.post("/promo/tournaments/POKER/enter/", {"card": card_of(player)})
    assert TournamentEntry.objects.count() == 3
    assert "Enter a player" in text(supervisor.get("/promo/tournaments/POKER/"))
    # Scored by two people once entries have closed, every cent of the balance paid.
    ids = list(TournamentEntry.objects.order_by("id").values_list("pk", flat=True))
    back = {"referer": "http://testserver/promo/tournaments/POKER/"}
    early = supervisor.post(
        "/promo/tournaments/POKER/score/", {f"score-{pk}": "1" for pk in ids}, headers=back, follow=True
    )
    assert "Entries are taken until" in text(early)
    scores = dict(zip(ids, (10, 30, 20), strict=True))
    later = timezone.now() + timedelta(days=3)
    score_tournament(code="POKER", scores=scores, by=demo_actor("supervisor"), now=later)
    same = supervisor.post("/promo/tournaments/POKER/finish/", headers=back, follow=True)
    assert "Another person writes the scores down, too" in text(same)
    before = Client().get("/signage/tournaments/POKER").context["shown"]
    assert [line.score for line in before.lines] == [None] * 3  # the room sees scores once they stand
    score_tournament(code="POKER", scores=scores, by=demo_actor("manager"), now=later)
    manager.post("/promo/tournaments/POKER/finish/")
    board = Client().get("/signage/tournaments/POKER")
    shown, first = board.content.decode(), board.context["shown"].lines[0]
    assert (first.entry, first.score, first.place, first.prize) == (ids[1], 30, 1, Money.parse("94.50"))
    assert not any(name in shown for name in (">Ann", ">Bo", ">Cy", "T-BO"))  # numbers: no name is for everybody
    assert "Poker night" in Client().get("/signage/tournaments").content.decode()
    assert Client().get("/signage/tournaments/keno/POKER").status_code == 404
    prizes = dict(TournamentEntry.objects.values_list("player", "prize"))
    # $150 in fees, $15 kept; 70% and 30% of $135.
    assert prizes == {"Bo": Money.parse("94.50"), "Cy": Money.parse("40.50"), "Ann": Money(0)}
    supervisor.post(f"/promo/tournaments/entries/{ids[1]}/pay/", {"method": "cheque"})
    assert TournamentEntry.objects.get(pk=ids[1]).paid_how == "cheque"
    assert manager.post("/promo/tournaments/POKER/burn/").status_code == 404
    assert manager.get("/promo/tournaments/NONE/").status_code == 404


def test_heats_a_play_off_and_a_final_on_their_page(signed_in: SignedIn) -> None:
    supervisor, manager = signed_in("supervisor"), signed_in("manager")
    closed, url = timezone.now() - timedelta(minutes=1), "/promo/tournaments/CUP/"
    into = {"of_each_heat": 1, "best_of_rest": 1, "ties": "play-off", **FINAL_SEATS}
    approved("CUP", "Cup", closes_at=closed.isoformat(), seats_assigned=True, final=into, **HEATS)
    asked: dict[str, Any] = {"code": "CUP", "by": demo_actor("supervisor"), "now": closed - timedelta(seconds=1)}
    ann, bo, cy, di = (enter_tournament(card=card_of(name), **asked).pk for name in ("Ann", "Bo", "Cy", "Di"))

    def scored(scores: dict[int, int]) -> None:
        for each in (supervisor, manager):
            assert 'id="score"' in each.get(url).content.decode()
            each.post(f"{url}score/", {f"score-{entry}": str(score) for entry, score in scores.items()})

    assert "1 of each heat and the best 1 of all others; a play-off decides a tie; at FT-1" in text(supervisor.get(url))
    places = ("1 LP-01 1", "1 LP-01 2", "2 LP-01 1", "2 LP-01 2")
    supervisor.post(f"{url}seats/", {f"seat-{each}": at for each, at in zip((ann, bo, cy, di), places, strict=True)})
    scored({ann: 90, bo: 40, cy: 50, di: 40})
    page = supervisor.get(url).content.decode()
    assert [f"score-{each}" in page for each in (ann, bo, cy, di)] == [False, True, False, True]
    scored({bo: 1, di: 2})
    assert "Close the heats" in text(supervisor.get(url))
    assert "3 players in the final" in text(supervisor.post(f"{url}close-heats/", follow=True))
    assert codes(supervisor, "state=final") == ["CUP"]
    supervisor.post(f"{url}seats/", {f"seat-{each}": f"1 FT-1 {at}" for at, each in enumerate((ann, cy, di), 1)})
    scored({ann: 1, cy: 2, di: 3})
    assert "FT-1, seat 3 · 3" in text(Client().get("/signage/tournaments/CUP"))
    manager.post(f"{url}finish/")
    assert [line.entry for line in Client().get("/signage/tournaments/CUP").context["shown"].lines] == [di, cy, ann, bo]
    assert "final: FT-1, seat 3" in text(supervisor.get(url))
