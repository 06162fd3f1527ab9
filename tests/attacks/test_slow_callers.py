"""A stranger opens lines and sends next to nothing, or takes nothing: as many as there are threads stop a house.

The running copy waits two seconds for a head or a body (``METERHOUSE_SLOW_SECONDS``; ten where nobody says otherwise).
"""

from __future__ import annotations

import pytest

from tests.attacks.counter import sell
from tests.attacks.insider import House
from tests.attacks.letters import letter, proposed
from tests.attacks.raw import head, heard, line, lines

MANY = 200
JSON = "Content-Type: application/json"
SLOW = {
    "nothing at all": b"",
    "half a head": b"POST /api/v1/keno/tickets HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A",
    "no body": head("POST", "/api/v1/keno/tickets", JSON, "Content-Length: 100"),
    "half a body": head("POST", "/api/v1/keno/tickets", JSON, "Content-Length: 100") + b'{"numbers": [1',
    "half a form": head("POST", "/sign-in/", "Content-Length: 100") + b"username=manager&pass",
    "a head for HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
}


@pytest.mark.parametrize("sent", SLOW.values(), ids=SLOW)
def test_two_hundred_who_send_slowly_hold_up_nobody_and_are_cut_off(house: House, sent: bytes) -> None:
    writer = house.insider("writer")
    sell(writer)
    with lines(house.server.port, MANY, sent) as slow:
        for number in range(1, 9):  # more than are at work at a time
            sell(writer, numbers=[number])
        answers = {heard(each)[:12] for each in slow}
    assert answers <= {b"", b"HTTP/1.1 408"}, answers
    sell(writer)


def test_who_sends_a_letter_a_second_is_cut_off_too(house: House) -> None:
    body, beginning = line(house.server.port), line(house.server.port)
    body.sendall(head("POST", "/sign-in/", "Content-Length: 1000"))
    beginning.sendall(b"GET / HTTP/1.1\r\nX-A: ")
    for _ in range(40):
        try:
            body.sendall(b"a")
            beginning.sendall(b"a")
        except OSError:
            break
        body.settimeout(0.2)
        try:
            if not body.recv(65_536):
                break
        except TimeoutError:
            continue
        except OSError:
            break
    else:
        raise AssertionError("forty letters were waited for")
    heard(beginning)


def test_who_takes_nothing_holds_no_thread(house: House) -> None:
    """The answer is a long one, and nobody reads it."""
    writer = house.insider("writer")
    asked = head("GET", "/api/schema/", "Accept-Encoding: identity")
    with lines(house.server.port, MANY, asked, room=4_096):
        for number in range(1, 9):
            sell(writer, numbers=[number])


def test_a_body_that_ends_early_is_no_request(house: House) -> None:
    manager = house.insider("manager")
    key = "Idempotency-Key: a-half-request"
    whole = b'{"kind": "other", "what": "Something"}'
    with house.unchanged(), line(house.server.port) as cut:
        bearer = f"Authorization: Bearer {manager.token}"
        cut.sendall(head("POST", "/api/v1/incidents/", JSON, key, bearer, f"Content-Length: {len(whole) + 1}") + whole)
        cut.shutdown(1)
        assert heard(cut)[9:12] in (b"", b"400")


def test_more_than_may_be_sent_is_refused_before_it_is_read(house: House) -> None:
    sizes = {"/api/v1/keno/tickets": 3_000_000, "/sign-in/": 3_000_000, "/promo/X/import/": 200_000_000}
    for path, size in sizes.items():
        with line(house.server.port, first=head("POST", path, JSON, f"Content-Length: {size}")) as large:
            assert large.recv(12) == b"HTTP/1.1 413", path
    with line(house.server.port, first=head("POST", "/sign-in/", "Transfer-Encoding: chunked")) as unsaid:
        assert unsaid.recv(12) == b"HTTP/1.1 411"


def test_a_strangers_file_is_not_read(house: House) -> None:
    """He says that it is large, sends its beginning, and is answered: nobody waits for the rest or keeps it."""
    begun = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n' + b"a" * 100_000
    form = "Content-Type: multipart/form-data; boundary=x"
    sent = head("POST", "/promo/SPRING/import/", form, "Content-Length: 100000000") + begun
    with lines(house.server.port, 20, sent) as strangers:
        for each in strangers:
            assert each.recv(12) in (b"HTTP/1.1 403", b"HTTP/1.1 503")
    sell(house.insider("writer"))


def test_what_is_large_comes_and_goes_whole(house: House) -> None:
    one = house.insider("manager")
    number = proposed(house.insider("supervisor"))
    document = b"The ratio is approved. " * 200_000
    one.post(f"approvals/{number}/letter", letter(document)).ok(201)
    given = one.get(f"approvals/{number}/letter/document")
    assert given.status == 200
    assert given.body.encode() == document
