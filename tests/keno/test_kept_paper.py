"""Paid tickets are kept until the close of Keno, and ticked off by somebody else than who paid (10.4)."""

from __future__ import annotations

import pytest

from keno.kept_paper import paper_to_keep, tick_off
from keno.models import PaperFound
from keno.pay import pay_ticket
from ledger.models import Act
from tests.world.calls import Caller, make_device, ok, problem
from tests.world.keno_counter import plain, refused
from tests.world.keno_played import Played
from tests.world.resettled import play

pytestmark = [pytest.mark.django_db, pytest.mark.clause("act-keno:10.4")]


def test_the_list_is_ticked_off_once_and_by_another() -> None:
    played = Played()
    first, second = (played.sell(plain(1, 2, 3)) for _ in range(2))
    play(played)
    paid = [
        pay_ticket(serial=sold.ticket.serial, security_code=sold.security_code, by=played.writer).payment
        for sold in (first, second)
    ]
    assert {each.pk for each in paper_to_keep(played.supervisor)} == {each.pk for each in paid}
    assert all(each.retain_until >= played.day.closes_at for each in paid)
    assert refused(tick_off, payment_id=paid[0].pk, by=played.writer)[1] == "no-permission"
    assert refused(tick_off, payment_id=4711, by=played.supervisor)[1] == "no-such-payment"
    assert not PaperFound.objects.exists()
    assert tick_off(payment_id=paid[0].pk, by=played.supervisor).by == "staff:sue"
    assert refused(tick_off, payment_id=paid[0].pk, by=played.manager)[1] == "found-already"
    told = Act.objects.get(kind="keno.paper-found")
    assert (told.subject, told.data) == (f"keno-ticket:{first.ticket.serial}", {"payment": paid[0].pk})
    supervisor = Caller(make_device("supervisor")[1])
    rows = ok(supervisor.get("keno/payments?retained=true"))["results"]
    assert {row["id"]: row["found_by"] for row in rows} == {paid[0].pk: "staff:sue", paid[1].pk: None}
    assert ok(supervisor.post(f"keno/payments/{paid[1].pk}/tick-off"), 201)["payment"] == paid[1].pk
    problem(supervisor.post(f"keno/payments/{paid[1].pk}/tick-off"), 409, "found-already")
