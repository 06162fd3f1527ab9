"""Runner orders in the console: taken, issued with a receipt, withdrawn; in no game until then (act-keno:4.8)."""

from __future__ import annotations

import csv
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from keno.demo import build_demo
from keno.models import Order, Printing, Ticket
from keno.shifts import open_shift
from kernel.money import Money
from ledger.models import Transfer
from tests.console.conftest import build_venue
from tests.console.test_keno_pages import text
from tests.plugins.worlds import kept
from tests.world.demo import demo_actor

pytestmark = [pytest.mark.django_db, pytest.mark.clause("act-keno:4.8")]
WANTED = {"stake": "2.00", "games": "3", "schedule": "standard", "note": "Table 12"}


def _on_shift() -> None:
    build_demo()
    open_shift(by=demo_actor("writer"), opening_float=Money.dollars(500))


on_shift = kept(build_venue, _on_shift)


def lines(answer: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(b"".join(answer.streaming_content).decode().splitlines()))


@pytest.mark.parametrize(
    ("asked", "said", "price"),
    [
        ({"numbers": "4 8 15 16 23 42", "jackpot": "on"}, "4 8 15 16 23 42 at $2.00, 3 games, jackpot", "6.00"),
        ({"numbers": "1 2 | 3 4", "plays": "2 4"}, "1 2 | 3 4, played 2s at $2.00, 4s at $2.00, 3 games", "18.00"),
        ({"pick": "6"}, "Quick pick of 6 at $2.00, 3 games", "6.00"),
        ({"pick": "mystery"}, "Mystery quick pick at $2.00, 3 games", "6.00"),
    ],
)
def test_an_order_is_taken_issued_and_printed(
    asked: dict[str, str], said: str, price: str, on_shift: None, signed_in: Callable[[str], Client]
) -> None:
    supervisor, writer = signed_in("supervisor"), signed_in("writer")
    before = Transfer.objects.count()
    supervisor.post("/keno/orders/take/", WANTED | asked)
    order = Order.objects.get()
    assert (order.status, order.runner, order.note) == ("waiting", "staff:supervisor", "Table 12")
    assert (Ticket.objects.count(), Transfer.objects.count()) == (0, before)  # in no game, and no money moved
    assert "Issue 1 runner order" in text(writer.get("/"))
    page = writer.get("/keno/orders/?state=waiting")
    (row,) = page.context["listing"].rows
    assert (row.said, str(row.price)) == (said, price)
    assert f"Issue order {order.pk} for ${price}" in text(page).replace(" .", ".")
    answer = writer.post(f"/keno/orders/{order.pk}/issue/", {"given": "20"})
    ticket = Ticket.objects.get()
    assert (str(ticket.price), ticket.games, ticket.writer) == (price, 3, "staff:writer")
    assert answer.context["issued"]["change"] == Money.dollars(20) - ticket.price
    assert "data:application/pdf;base64," in answer.content.decode()
    assert Printing.objects.get().duplicate is False
    assert "data:application/pdf" not in writer.get(f"/keno/tickets/{ticket.serial}/").content.decode()
    order.refresh_from_db()
    assert (order.status, order.ticket_id, order.ended_by) == ("issued", ticket.pk, "staff:writer")
    again = writer.post(f"/keno/orders/{order.pk}/issue/", follow=True)
    assert f"Order {order.pk} is issued." in text(again)
    assert Ticket.objects.count() == 1
    (line,) = lines(writer.get("/keno/orders/?format=csv"))
    assert (line["Wants"], line["Ticket"], line["State"]) == (said, ticket.serial, "issued")


def test_an_order_that_could_not_be_sold_is_not_taken(on_shift: None, signed_in: Callable[[str], Client]) -> None:
    client = signed_in("writer")
    refused: list[tuple[dict[str, str], str]] = [
        ({"numbers": "7 7"}, "twice"),
        ({"numbers": "81"}, "80"),
        ({"numbers": "1 2 three"}, "Write whole numbers"),
        ({"numbers": "1 2 | 3"}, "how many numbers its ways have"),
        ({}, "one of them"),
        ({"numbers": "1", "pick": "4"}, "one of them"),
        ({"pick": "99"}, "Select a valid choice"),
        ({"numbers": "1 2 3", "stake": "0.35"}, "0.35"),
        ({"numbers": "1 2 3", "games": "0"}, "greater than or equal to 1"),
        ({"numbers": "1 2 3", "stake": "9999.00"}, "9"),
    ]
    for asked, says in refused:
        answer = client.post("/keno/orders/take/", WANTED | asked)
        assert answer.status_code == 422, asked
        assert says in text(answer), asked
    assert not Order.objects.exists()


def test_an_order_is_withdrawn_and_narrowed_to(on_shift: None, signed_in: Callable[[str], Client]) -> None:
    supervisor, writer = signed_in("supervisor"), signed_in("writer")
    for note in ("Bar", "Table 3"):
        supervisor.post("/keno/orders/take/", WANTED | {"numbers": "1 2 3", "note": note})
    first, second = Order.objects.order_by("pk")
    supervisor.post(f"/keno/orders/{first.pk}/withdraw/")
    refused = writer.post(f"/keno/orders/{first.pk}/issue/", follow=True)
    assert f"Order {first.pk} is withdrawn." in text(refused)
    assert "/rules/#act-keno:4.8" in refused.content.decode()
    unreadable = writer.post(f"/keno/orders/{second.pk}/issue/", {"given": "a lot"}, follow=True)
    assert "Write the cash given like 20.00" in text(unreadable)
    too_little = writer.post(f"/keno/orders/{second.pk}/issue/", {"given": "5.00"}, follow=True)
    assert too_little.context["refusal"]["clause"] == "act-keno:4.6"
    assert not Ticket.objects.exists()
    for query, expected in (("state=waiting", [second.pk]), ("q=bar", [first.pk]), ("order=id", [first.pk, second.pk])):
        found = supervisor.get(f"/keno/orders/?{query}").context["listing"].rows
        assert [row.pk for row in found] == expected, query
    seen = supervisor.get("/keno/orders/").content.decode()
    assert 'data-open="withdraw-' in seen
    assert 'data-open="issue-' not in seen  # a supervisor sells nothing
    inspector = signed_in("inspector").get("/keno/orders/").content.decode()
    assert 'data-open="withdraw-' not in inspector
    assert "Take an order" not in inspector
