"""A paid ticket with games to come: the house keeps the paper, the player goes on with the same entry on another."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from house.devices import service_token
from house.models import Incident
from keno import agreement, particulars
from keno.cancel import cancel_ticket
from keno.models import Payment, TenderType, Ticket, WrongCode
from keno.pay import Continuation, pay_ticket
from keno.printing import print_receipt
from keno.proof import entry_proof
from keno.receipts.data import lines
from keno.refunds import void_wagers
from keno.sell import Sold
from keno.tender import Handed
from kernel.merkle import leaf_hash
from ledger.models import Act
from tests.world import keno_counter as at
from tests.world.calls import Caller, ok
from tests.world.keno_counter import plain, refused
from tests.world.keno_played import Played
from tests.world.money import dollars
from tests.world.people import actor

pytestmark = [pytest.mark.django_db, pytest.mark.clause("act-keno:10.4")]
BALLS = list(range(1, 21))


@pytest.fixture
def played() -> Played:
    return Played()


def continued(played: Played, sold: Sold) -> Continuation:
    paid = pay_ticket(serial=sold.ticket.serial, security_code=sold.security_code, by=played.writer)
    assert paid.still_playing
    assert paid.continuation is not None
    return paid.continuation


def test_the_old_code_is_dead_and_the_new_paper_is_the_same_entry(played: Played) -> None:
    sold, other = played.sell(plain(1, 2, 3, games=3)), played.sell(plain(1, 2, 3))
    played.play(1, BALLS)
    serial, old = sold.ticket.serial, sold.security_code
    new = continued(played, sold)
    assert (new.serial, new.paper) == (serial, 2)
    assert new.security_code != old
    kept = Ticket.objects.get(pk=sold.ticket.pk)
    same = ("day", "games", "first_game", "last_game", "charged_to", "price", "sold_at", "leaf", "terminal")
    assert [bytes(kept.leaf) if name == "leaf" else getattr(kept, name) for name in same] == [
        bytes(sold.ticket.leaf) if name == "leaf" else getattr(sold.ticket, name) for name in same
    ]
    assert Act.objects.get(kind="keno.continued").data == {"paper": 2}
    played.play(2, BALLS)
    with_old = {"serial": serial, "security_code": old, "by": played.writer}
    assert refused(pay_ticket, **with_old) == (409, "already-paid", "act-keno:10.4")
    assert refused(at.cancel, sold, played.writer)[1] == "already-paid"
    line = Handed(type=TenderType.TICKET, reference=serial, security_code=old)
    assert refused(played.sell, tender=[line])[1] == "already-paid"
    assert not Incident.objects.filter(kind="keno-wrong-codes").exists()  # it is no forgery
    paid = pay_ticket(serial=serial, security_code=new.security_code, by=played.writer)
    assert (paid.payment.amount, paid.payment.continued) == (dollars("36.00"), 3)
    assert paid.continuation is not None
    # The last one ends it, and a ticket without games to come gets none.
    played.play(3, BALLS)
    last = pay_ticket(serial=serial, security_code=paid.continuation.security_code, by=played.writer)
    assert last.continuation is None
    alone = pay_ticket(serial=other.ticket.serial, security_code=other.security_code, by=played.writer)
    assert (alone.continuation, alone.still_playing) == (None, False)
    assert agreement.differences() == []


def test_its_place_in_the_sealed_sets_stays(played: Played) -> None:
    sold = played.sell(plain(1, 2, 3, games=2))
    played.play(1, BALLS)
    before = entry_proof(game=1, serial=sold.ticket.serial, security_code=sold.security_code)
    new = continued(played, sold)
    played.play(2, BALLS)
    first, second = (
        entry_proof(game=game, serial=new.serial, security_code=new.security_code)["entry"]["entry"] for game in (1, 2)
    )
    assert first == second == before["entry"]["entry"]
    assert leaf_hash(first.encode()) == bytes(sold.ticket.leaf)


@pytest.mark.clause("act-keno:6.2", "act-keno:6.3")
def test_it_is_cancelled_and_void_as_the_first_paper_would_be(played: Played) -> None:
    short, other = played.sell(plain(1, 2, 3, games=3)), played.sell(plain(1, 2, 3, games=3))
    long = played.sell(plain(1, 2, 3, games=50))
    played.play(1, BALLS)
    new, to_go = continued(played, short), continued(played, long)
    back = cancel_ticket(serial=new.serial, security_code=new.security_code, by=played.writer)
    assert (back.games, back.refund) == (2, dollars("2.00"))
    cancel = {"serial": to_go.serial, "security_code": to_go.security_code, "by": played.writer}
    assert refused(cancel_ticket, **cancel) == (409, "keno-to-go-begun", "act-keno:6.3")
    void_wagers(serial=continued(played, other).serial, why="A breach.", by=played.manager)
    assert agreement.differences() == []


def test_a_tendered_ticket_with_games_to_come_gets_one_as_well(played: Played) -> None:
    sold = played.sell(plain(1, 2, 3, games=2))
    played.play(1, BALLS)
    line = Handed(type=TenderType.TICKET, reference=sold.ticket.serial, security_code=sold.security_code)
    bought = played.sell(plain(7, 8), tender=[line])
    (new,) = bought.continuations
    played.play(2, BALLS)
    paid = pay_ticket(serial=new.serial, security_code=new.security_code, by=played.writer)
    assert paid.payment.amount == dollars("36.00")


@pytest.mark.clause("act-keno:4.2")
def test_it_is_printed_once_where_it_was_paid(played: Played) -> None:
    sold = played.sell(plain(1, 2, 3, games=2))
    print_receipt(serial=sold.ticket.serial, by=played.writer)
    assert refused(print_receipt, serial=sold.ticket.serial, by=played.writer)[1] == "printed-already"
    played.play(1, BALLS)
    new = continued(played, sold)
    assert refused(print_receipt, serial=new.serial, by=actor("device:W-2", "writer"))[1] == "sold-elsewhere"
    printed = print_receipt(serial=new.serial, by=played.writer).receipt
    said = dict(lines(printed))
    assert said["Continued"].startswith("paper 2")
    assert said["Security"].replace("-", "") == new.security_code
    assert refused(print_receipt, serial=new.serial, by=played.writer)[1] == "printed-already"


def test_papers_follow_one_another(played: Played) -> None:
    sold = played.sell(plain(1, 2, 3, games=2))
    with pytest.raises(IntegrityError, match="next paper"), transaction.atomic():
        Ticket.objects.filter(pk=sold.ticket.pk).update(paper=3)


@pytest.mark.clause("act-keno:10.3")
def test_a_lost_answer_is_told_again_with_the_code_of_its_own_paper(played: Played, settings: object) -> None:
    settings.DEMO = True  # type: ignore[attr-defined]
    writer = Caller(service_token(role="writer").secret)
    sold = ok(writer.post("keno/tickets", {"numbers": [1, 2, 3], "stake": "1.00", "games": 3}, key="sale"), 201)
    played.play(1, BALLS)
    pay = {"security_code": sold["security_code"]}
    first = ok(writer.post(f"keno/tickets/{sold['serial']}/pay", pay, key="pay-1"))
    ticket = Ticket.objects.get(serial=sold["serial"])
    assert first["continuation"] == {
        "serial": ticket.serial, "paper": 2, "security_code": particulars.code_of(ticket),
    }  # fmt: skip
    assert ok(writer.post(f"keno/tickets/{sold['serial']}/pay", pay, key="pay-1")) == first
    again = ok(writer.post("keno/tickets", {"numbers": [1, 2, 3], "stake": "1.00", "games": 3}, key="sale"), 201)
    assert again["security_code"] == sold["security_code"]  # the dead one: the new paper is another answer's
    assert Payment.objects.count() == 1


def test_the_old_code_is_answered_with_its_continuation_at_the_public_check(played: Played, client: Client) -> None:
    """No wrong code: it counts for nothing. And of what came after it says nothing."""
    sold = played.sell(plain(1, 2, 3, games=3))
    played.play(1, BALLS)
    new = continued(played, sold)

    def ask(code: str) -> Any:
        body = {"serial": sold.ticket.serial, "security_code": code}
        return client.post("/verify/won.json", body, content_type="application/json")

    for _ in range(6):
        answer = ask(sold.security_code)
        assert (answer.status_code, answer.json()["code"]) == (409, "already-paid")
        assert "goes on with paper 2" in answer.json()["detail"]
    assert not WrongCode.objects.exists()
    told = ask(new.security_code).json()
    assert (told["paid"], told["still_playing"]) == (told["won"], True)
