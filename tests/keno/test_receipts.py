"""The receipt shows every particular, in every layout; printing is a record of its own; orders and replays."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import pytest
import segno
from django.db import IntegrityError, transaction
from django.utils import timezone
from pytest_django import Settings

from draws.commit import commit
from house.devices import service_token
from keno import orders, particulars
from keno.close import close, close_game
from keno.draw import ask_witness
from keno.entries import TicketRequest
from keno.models import Draw, Order, Play, Printing, Ticket
from keno.open_games import keep_open
from keno.printing import print_receipt, reprint_receipt
from keno.receipts.data import Receipt, fine_print, letter, lines, numbers, receipt_of
from keno.receipts.escpos import COLUMNS, escpos
from keno.receipts.page import html
from keno.receipts.slip import pdf
from keno.replay import replay
from keno.rules.selection import Play as Asked
from keno.sell import Sold
from keno.stop_draw import void_or_propose
from kernel import environment
from tests.world import keno_counter as at
from tests.world.calls import Caller, problem
from tests.world.keno_counter import plain
from tests.world.keno_games import OPENS, SUE, decide, open_first_game, put_ticket
from tests.world.keno_played import LOW, Played
from tests.world.money import dollars
from tests.world.paper import marks, whole
from tests.world.people import actor
from tests.world.refusals import refused_as

pytestmark = pytest.mark.django_db


refused = partial(refused_as, "status code", unchanged=at.everything)


def way(counter: at.Counter, **more: Any) -> Sold:
    return counter.sell(
        TicketRequest(
            groups=[[1, 2, 3], [4, 5, 6], [7, 8], [9]],
            plays=[Asked(6, dollars("1.00")), Asked(3, dollars("2.00"))],
            games=50,
            jackpot=True,
            **more,
        )
    )


@pytest.mark.clause("act-keno:4.2", "act-keno:4.4a", "act-keno:4.4b")
def test_the_receipt_has_every_particular(counter: at.Counter) -> None:
    at.approve_value("amount", "premium", "0.10")
    promise = commit(purpose="keno", name="1", device="rng", by=counter.writer)
    sold = way(counter)
    said = dict(lines(receipt_of(Ticket.objects.get(), duplicate=False)))
    today = counter.day.date
    assert said["Ticket"] == "Way ticket, Jackpot, Keno To Go"
    assert [said[f"Group {name}"] for name in "ABCD"] == ["01 02 03", "04 05 06", "07 08", "09"]
    assert (said["Play 6"], said["Play 3"], said["Ways"]) == ("3 ways at $1.00", "3 ways at $2.00", "6")
    assert said["Games"] == "Games 1 to 50 (50 games, 1 free)"
    assert (said["A game"], said["Price"]) == ("$9.30 (premium $0.30)", "$455.70")
    assert said["Gaming day"].endswith(str(today.year))
    on_sydneys_clock = r"[MTWFS][a-z]{2} \d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d:\d\d \(UTC\+1[01]:00\)"
    assert re.fullmatch(on_sydneys_clock, said["Sold"])
    assert said["Terminal"] == "W-1"
    assert "Writer" not in said  # not for the player
    assert said["Serial"].replace("-", "") == sold.ticket.serial
    assert said["Security"].replace("-", "") == sold.security_code
    assert str(today.year + 1) in said["Claim"]
    fine = dict(fine_print(receipt_of(Ticket.objects.get(), duplicate=False)))
    assert fine["Draw 1 promised"].replace(" ", "") == bytes(promise.commitment).hex()


def test_every_layout_says_the_same_and_duplicates_say_so(counter: at.Counter) -> None:
    ticket = way(counter).ticket
    for duplicate in (False, True):
        receipt = receipt_of(ticket, duplicate=duplicate)
        page, slip, paper = html(receipt), whole(pdf(receipt)), escpos(receipt)
        assert "<svg" in page
        assert "http" not in page.replace("http://www.w3.org/2000/svg", "")  # nothing is fetched
        assert paper.startswith(b"\x1b@")
        assert paper.endswith(b"\x1dV\x42\x00")
        for _, text in lines(receipt):
            words = text.split(" ")
            assert text in page.replace("&#x27;", "'")
            assert all(word in slip for word in words)
            assert all(word.encode("ascii", "replace")[:30] in paper for word in words)
        for made in (page, slip, paper.decode("latin-1")):
            assert ("DUPLICATE" in made) == duplicate
        assert receipt.code.encode() in paper
        # One little square a dark module. What is scanned from the page is in test_scanned.py.
        squares = [what for what, _ in marks(pdf(receipt)) if what == "re"]
        assert len(squares) == sum(map(sum, segno.make(receipt.code, error="m", boost_error=False).matrix))


@pytest.mark.clause("act-keno:4.2")
def test_the_qr_code_opens_the_players_own_check(counter: at.Counter, settings: Settings) -> None:
    settings.PUBLIC_URL = "https://keno.example.com"
    sold = way(counter)
    code = receipt_of(sold.ticket, duplicate=False).code
    assert code == f"https://keno.example.com/verify/#serial={sold.ticket.serial}&code={sold.security_code}"
    single = counter.sell(plain(1, 2, 3))
    named = receipt_of(single.ticket, duplicate=False).code
    assert named == f"https://keno.example.com/verify/?game=1#serial={single.ticket.serial}&code={single.security_code}"
    # What only the player and the house know stands where a browser sends it to nobody.
    assert sold.security_code not in urlsplit(code).path + urlsplit(code).query
    assert particulars.read_paper(code) == (sold.ticket.serial, sold.security_code)


def test_the_public_address_is_a_web_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "8123")
    monkeypatch.delenv("METERHOUSE_PUBLIC_URL", raising=False)
    assert environment.public_url() == "http://127.0.0.1:8123"
    monkeypatch.setenv("METERHOUSE_PUBLIC_URL", "https://keno.example.com/")
    assert environment.public_url() == "https://keno.example.com"
    for wrong in ("keno.example.com", "ftp://x", "https://x/#a", "https://caf\u00e9.example"):
        monkeypatch.setenv("METERHOUSE_PUBLIC_URL", wrong)
        with pytest.raises(environment.Trouble):
            environment.public_url()


def test_serials_are_read_as_typed_and_as_scanned() -> None:
    assert particulars.read_paper("7k2m-x0q4-rt9b") == ("7K2MX0Q4RT9B", None)
    assert particulars.read_paper("7K2MX0Q4RT9B:3F8D-0Q2Z") == ("7K2MX0Q4RT9B", "3F8D-0Q2Z")
    assert particulars.read_paper("https://x/verify/?game=1#serial=7K2MX0Q4RT9B&code=3F8D") == ("7K2MX0Q4RT9B", "3F8D")
    assert particulars.read_paper("https://x/verify/?game=1#") == ("", None)


def test_the_printers_lines_fit_and_a_name_cannot_command_it(counter: at.Counter) -> None:
    receipt = receipt_of(way(counter).ticket, duplicate=False)
    from dataclasses import replace

    paper = escpos(replace(receipt, venue="Caf\u00e9 \x1bi\x1d\x56\x00", commitment="c" * 64))
    assert b"\x1bi" not in paper
    assert paper.count(b"\x1dV") == 1
    text = re.sub(rb"\x1d\(k(..)", b"", paper, flags=re.DOTALL)
    for line in text.split(b"\n"):
        if b"\x1d" not in line and b"\x1b" not in line and b"/verify/" not in line:
            assert len(line) <= COLUMNS


def test_a_page_escapes_what_people_typed(counter: at.Counter) -> None:
    from dataclasses import replace

    receipt: Receipt = replace(receipt_of(counter.sell().ticket, duplicate=False), venue="<script>alert(1)</script>")
    assert "<script>" not in html(receipt)


def test_the_letters_of_groups() -> None:
    assert [letter(place) for place in (0, 25, 26, 27, 52, 79)] == ["A", "Z", "AA", "AB", "BA", "CB"]


def test_a_receipt_is_printed_once_and_reprints_are_a_supervisors(counter: at.Counter) -> None:
    serial = counter.sell().ticket.serial
    other = actor("device:W-2", "writer")
    assert refused(print_receipt, serial=serial, by=other) == (422, "sold-elsewhere")
    assert refused(print_receipt, serial=serial, by=counter.writer, layout="gif") == (400, "no-such-layout")
    assert not print_receipt(serial=serial, by=counter.writer).receipt.duplicate
    assert refused(print_receipt, serial=serial, by=counter.writer) == (409, "printed-already")
    again = {"serial": serial, "reason": "Torn."}
    assert refused(reprint_receipt, **again, by=counter.writer) == (403, "no-permission")
    assert refused(reprint_receipt, serial=serial, reason=" ", by=counter.supervisor) == (422, "reason-missing")
    assert reprint_receipt(**again, by=counter.supervisor, layout="pdf").receipt.duplicate
    kept = Printing.objects.order_by("id").values_list("by", "duplicate", "reason")
    assert list(kept) == [("device:W-1", False, ""), ("staff:sue", True, "Torn.")]
    with pytest.raises(IntegrityError), transaction.atomic():
        Printing.objects.create(ticket=Ticket.objects.get(), at=timezone.now(), by="x", duplicate=False)


@pytest.mark.clause("act-keno:4.8")
def test_an_order_is_no_entry_until_its_ticket_is_issued(counter: at.Counter) -> None:
    runner = actor("staff:rita", "supervisor")
    before = at.books()
    order = orders.take_order(request=plain(4, 8, 15, stake="2.00", games=2), note="Table 12", by=runner)
    assert Ticket.objects.count() == Play.objects.count() == 0
    assert at.books() == before
    close(number=1, now=timezone.now())
    keep_open()
    kept, sold = orders.issue_order(order_id=order.pk, by=counter.writer)
    assert (sold.ticket.first_game, sold.ticket.price) == (2, dollars("4.00"))  # not the game it was handed over in
    assert (kept.status, kept.ticket) == ("issued", sold.ticket)
    assert refused(orders.issue_order, order_id=order.pk, by=counter.writer) == (409, "order-ended")
    assert refused(orders.withdraw_order, order_id=order.pk, by=runner) == (409, "order-ended")


@pytest.mark.clause("act-keno:4.8")
def test_an_order_that_could_not_be_sold_is_not_taken_and_one_can_be_withdrawn(counter: at.Counter) -> None:
    runner = actor("staff:rita", "supervisor")
    assert refused(orders.take_order, request=plain(1, 1), by=runner) == (422, "number-repeated")
    assert refused(orders.take_order, request=plain(), by=actor("device:T-1", "table")) == (403, "no-permission")
    order = orders.take_order(request=plain(), by=runner)
    orders.withdraw_order(order_id=order.pk, by=runner)
    assert refused(orders.issue_order, order_id=order.pk, by=counter.writer) == (409, "order-ended")
    assert refused(orders.issue_order, order_id=99, by=counter.writer) == (404, "no-such-order")
    assert Ticket.objects.count() == 0


def test_every_kind_of_order_is_kept_as_it_was_asked() -> None:
    for request in (
        plain(1, 2, stake="3.00", games=4, jackpot=False),
        TicketRequest(groups=[[1], [2]], plays=[Asked(1, dollars("1.00"))], schedule="special-1"),
        TicketRequest(quick_pick=True, spots=4, stake=dollars("1.00")),
        TicketRequest(quick_pick=True, stake=dollars("1.00")),
        TicketRequest(set_bet="LUCKY", stake=dollars("1.00")),
    ):
        kept = orders.from_json(orders.as_json(request))
        assert orders.as_json(kept) == orders.as_json(request)
        assert (kept.stake, kept.plays) == (request.stake, request.plays)


def test_a_replay_reads_back_what_is_not_as_it_was(counter: at.Counter) -> None:
    first = counter.sell(plain(4, 8, 15, 16, 23, 42, jackpot=True, games=2))
    assert replay(serial=first.ticket.serial).differences == ()
    at.approve_value("amount", "premium", "0.50")
    close(number=1, now=timezone.now())
    keep_open()
    again = replay(serial=first.ticket.serial)
    assert [(one.what, one.then, one.now) for one in again.differences] == [
        ("games", "1–2", "2–3"), ("price", "2.00", "3.00"),
    ]  # fmt: skip
    assert counter.sell(again.request).ticket.groups == first.ticket.groups
    picked = counter.sell(TicketRequest(quick_pick=True, spots=5, stake=dollars("1.00")))
    again = replay(serial=picked.ticket.serial)
    assert [one.what for one in again.differences] == ["kind"]
    assert counter.sell(again.request).ticket.groups == picked.ticket.groups
    ways = way(counter)
    assert counter.sell(replay(serial=ways.ticket.serial).request).ticket.groups == ways.ticket.groups


LAYOUTS = {
    "data": "application/json",
    "html": "text/html",
    "pdf": "application/pdf",
    "escpos": "application/octet-stream",
}


@pytest.fixture
def callers() -> list[Caller]:
    at.open_day()
    at.open_game()
    return [Caller(service_token(role=role).secret) for role in ("writer", "supervisor", "writer")]


@pytest.mark.clause("act-keno:4.2")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_receipts_over_http_in_every_layout(callers: list[Caller], layout: str) -> None:
    """The first is the terminal's, once; any other is a supervisor's, and says DUPLICATE."""
    writer, supervisor, elsewhere = callers
    sold = writer.post("keno/tickets", {"numbers": [1, 2, 3], "stake": "2.00", "games": 3}).json()
    address = f"keno/tickets/{sold['serial']}"
    problem(elsewhere.post(f"{address}/print", {"layout": layout}), 422, "sold-elsewhere")
    problem(writer.post(f"{address}/print", {"layout": "gif"}), 400, "malformed")
    problem(supervisor.post(f"{address}/print", {"layout": layout}), 403, "no-permission")
    problem(writer.post("keno/tickets/7K2MX0Q4RT9B/print", {"layout": layout}), 404, "no-such-ticket")
    assert not Printing.objects.exists()
    first = writer.post(f"{address}/print", {"layout": layout}, key="first")
    assert first.status_code == 200, first.content
    assert writer.post(f"{address}/print", {"layout": layout}, key="first").json() == first.json()  # a lost answer
    problem(writer.post(f"{address}/print", {"layout": layout}), 409, "printed-already")
    problem(writer.post(f"{address}/reprint", {"layout": layout, "reason": "Torn."}), 403, "no-permission")
    problem(supervisor.post(f"{address}/reprint", {"layout": layout}), 400, "malformed")
    again = supervisor.post(f"{address}/reprint", {"layout": layout, "reason": "Torn."})
    assert again.status_code == 200, again.content
    assert list(Printing.objects.order_by("id").values_list("duplicate", "reason")) == [(False, ""), (True, "Torn.")]
    for answer, duplicate in ((first.json(), False), (again.json(), True)):
        assert (answer["serial"], answer["media_type"], answer["duplicate"]) == (
            sold["serial"], LAYOUTS[layout], duplicate,
        )  # fmt: skip
        said = {line["name"]: line["text"] for line in answer["lines"]}
        assert (said["Price"], said["Games"]) == ("$6.00", "Games 1 to 3 (3 games)")
        assert (said["Security"].replace("-", "") == sold["security_code"]) != duplicate  # a duplicate holds no code
        content = b64decode(answer["content"])
        told = whole(content).encode() if layout == "pdf" else content
        assert ((b"DUPLICATE" in told) or (b'"duplicate": true' in told)) == duplicate
        assert content.startswith({"data": b"{", "html": b"<!doctype", "pdf": b"%PDF", "escpos": b"\x1b@"}[layout])
        if layout != "data":
            continue
        told = json.loads(content)
        assert {name: told[name] for name in ("serial", "security_code", "groups", "plays", "ways", "price")} == {
            "serial": sold["serial"],
            "security_code": "" if duplicate else sold["security_code"],
            "groups": [[1, 2, 3]],
            "plays": [{"spots": 3, "ways": 1, "stake": "2.00"}],
            "ways": 1,
            "price": "6.00",
        }
        code = "" if duplicate else f"&code={sold['security_code']}"
        assert told["code"].endswith(f"/verify/#serial={sold['serial']}{code}")


def test_paper_over_http() -> None:
    counter = Played()
    writer, supervisor = (Caller(service_token(role=role).secret) for role in ("writer", "supervisor"))
    sold = writer.post("keno/tickets", {"numbers": [1, 2, 3], "stake": "1.00"}).json()
    address = f"keno/tickets/{sold['serial']}"
    printed = writer.post(f"{address}/print", {"layout": "html"}).json()
    assert b"<!doctype html>" in b64decode(printed["content"])
    assert not printed["duplicate"]
    problem(writer.post(f"{address}/print", {}), 409, "printed-already")
    assert supervisor.post(f"{address}/reprint", {"layout": "pdf", "reason": "Torn."}).json()["duplicate"]
    assert writer.get(f"{address}/replay").json()["ticket"]["numbers"] == [1, 2, 3]
    order = writer.post("keno/orders", {"quick_pick": {"spots": 3}, "stake": "1.00", "note": "Bar"})
    assert order.status_code == 201
    assert supervisor.get("keno/orders?status=waiting").json()["results"] == [order.json()]
    assert supervisor.get(f"keno/orders/{order.json()['id']}").json() == order.json()
    issued = writer.post(f"keno/orders/{order.json()['id']}/issue")
    assert supervisor.get("keno/orders?status=waiting").json()["results"] == []
    problem(writer.get("keno/orders/99999999999999999999"), 404, "no-such-order")
    assert (issued.status_code, len(issued.json()["numbers"])) == (201, 3)
    assert Order.objects.get().status == "issued"
    counter.play(1, LOW)
    form = at.lost_ticket_form(sold["serial"])
    problem(writer.post("keno/claims", form), 403, "no-permission")  # what is owing is not told for a serial
    claim = supervisor.post("keno/claims", form)
    assert claim.status_code == 201, claim.content
    waiting = supervisor.get("approvals/?kind=keno.claim").json()["results"]
    assert waiting[0]["says"].startswith(f"Claim {claim.json()['id']} is paid: $36.00 by cheque")
    inspector = Caller(service_token(role="inspector").secret)
    assert inspector.post(f"approvals/{waiting[0]['id']}/approve").json()["status"] == "effective"
    paid = supervisor.post(f"keno/claims/{claim.json()['id']}/pay", {"cheque_number": "1"})
    assert paid.json()["paid_at"] is not None
    standing = supervisor.get(address).json()
    assert standing["status"] == "paid" or standing["still_playing"]


@pytest.mark.clause("act-keno:12.3")
def test_a_receipt_that_is_printed_again_tells_of_draws_that_were_void() -> None:
    open_first_game()
    ticket = put_ticket(first_game=1, groups=[[5, 6, 7]], plays=[(3, 100)], games=2)
    close_game(number=1, by=SUE, now=OPENS)
    assert receipt_of(ticket, duplicate=True).void == ()
    ask_witness(number=1, by=SUE, now=OPENS)
    decide(void_or_propose(number=1, by=SUE, cause="malfunction", reason="The screen went dark.", now=OPENS))
    would_be = Draw.objects.get(game=1, attempt=1).would_be
    again = receipt_of(ticket, duplicate=True)
    (told,) = again.void
    assert told.startswith("Game 1, attempt 1: The screen went dark. It would have given ")
    assert told.endswith(f"{numbers(tuple(would_be))}.")
    assert len(would_be) == 20
    assert ("Void", told) in lines(again)
    assert receipt_of(ticket, duplicate=False).void == ()  # the one of the sale
