"""The witness over HTTP: C2SP's statuses, everything it publishes, its page, and whoever would wear it out."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kernel import unique_signatures
from kernel.merkle import inclusion_proof, leaf_hash, nodes_of, root_of
from kernel.notes import ED25519, Note, Signature, VerifierKey
from kernel.paper import Paper
from kernel.questions import Link
from tests.world.witness import ToyHouse, with_signature
from witness import server as served
from witness.admit import admit
from witness.calls import Witness
from witness.memory import Memory
from witness.server import Server


class Caller:
    def __init__(self, port: int) -> None:
        self.port = port

    def send(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, str, bytes]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            line.request(method, path, body, headers)
            answer = line.getresponse()
            return answer.status, answer.headers["Content-Type"], answer.read()
        finally:
            line.close()

    def get(self, path: str) -> bytes:
        status, _, body = self.send("GET", path)
        assert status == 200, body
        return body

    def post(self, path: str, said: Any) -> tuple[int, Any]:
        status, _, body = self.send("POST", path, json.dumps(said).encode())
        return status, json.loads(body)


@contextmanager
def serving(memory: Memory, logs: Path | None) -> Iterator[Caller]:
    server = Server(("127.0.0.1", 0), Witness(memory, logs))
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01))
    thread.start()
    try:
        yield Caller(server.server_address[1])
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def witness(memory: Memory, logs: Path) -> Iterator[Caller]:
    with serving(memory, logs) as caller:
        yield caller


def test_checkpoints_by_the_protocol_of_c2sp(witness: Caller, house: ToyHouse, memory: Memory) -> None:
    house.pad(5)
    status, kind, body = witness.send("POST", "/add-checkpoint", house.submission(0))
    assert (status, kind) == (200, "text/plain; charset=utf-8")
    note = with_signature(house.note(), Signature.parse(body.decode()))
    key = VerifierKey.parse(witness.get("/keys").decode().strip())
    assert note.opened([key]) == [key]
    house.pad(1)
    assert witness.send("POST", "/add-checkpoint", house.submission(3)) == (409, "text/x.tlog.size", b"5\n")
    assert witness.send("POST", "/add-checkpoint", b"old 5\n\nx")[0] == 400
    named = sha256(house.origin.encode()).hexdigest()
    assert witness.get(f"/{named}/checkpoint").decode() == str(note)
    assert witness.send("GET", f"/{'0' * 64}/checkpoint")[0] == 404


def test_everything_about_an_answer_is_published(witness: Caller, house: ToyHouse, tmp_path: Path) -> None:
    links, old = [], 0
    for game in range(3):
        act = house.seal(str(game))
        status, said = witness.post("/ask", house.request(house.question(act), old=old))
        assert status == 200
        links.append(Link.from_json(said["link"]))
        old = len(house.rows)
    published = json.loads(witness.get("/answers?from=2"))
    assert [Link.from_json(each) for each in published["answers"]] == links[1:]
    assert published["last"] == 3
    about = json.loads(witness.get("/about"))
    assert (about["number"], about["digest"], about["stopped"]) == (3, links[-1].digest().hex(), "")
    rsa, roots = bytes.fromhex(about["rsa"]), [bytes.fromhex(root) for root in about["roots"]]
    assert unique_signatures.is_permutation(rsa, about["dice"], roots)
    for path, name in (
        ("/witness.pem", "witness.pem"),
        ("/answers/2/signature", "signature"),
        ("/answers/2/message", "message"),
    ):
        (tmp_path / name).write_bytes(witness.get(path))
    line = "openssl dgst -sha256 -verify witness.pem -signature signature message"
    assert subprocess.run(line.split(), cwd=tmp_path, capture_output=True, check=True).stdout == b"Verified OK\n"
    for path in ("/answers/4/message", "/answers/0/message", "/answers/1/nothing", "/nothing"):
        assert witness.send("GET", path)[0] == 404
    assert witness.send("GET", "/answers?from=x")[0] == 400


def test_a_log_is_known_once_its_keeper_has_written_it_down(memory: Memory, logs: Path) -> None:
    other = ToyHouse("meterhouse.log/other", seed=4, venue="OTHER")
    other.pad(2)
    with serving(memory, logs) as witness:
        assert witness.send("POST", "/add-checkpoint", other.submission(0))[0] == 404
        logs.write_text(logs.read_text() + other.admission)
        assert witness.send("POST", "/add-checkpoint", other.submission(0))[0] == 200
        logs.write_text("nonsense\n")
        assert witness.send("POST", "/add-checkpoint", other.submission(2))[0] == 200
        stranger = ToyHouse("meterhouse.log/stranger", seed=5)
        stranger.pad(1)
        assert witness.send("POST", "/add-checkpoint", stranger.submission(0))[0] == 404


def test_a_hand_over_is_told(witness: Caller, house: ToyHouse) -> None:
    index = house.hand_over(7)
    assert witness.send("POST", "/add-checkpoint", house.submission(0))[0] == 200
    act = {"origin": house.origin, "size": 1, "act": house.shown(index, 1)}
    assert witness.post("/hand-over", {**act, "size": 2}) == (409, {"code": "size", "detail": "1", "size": 1})
    assert witness.post("/hand-over", act) == (200, None)


def test_anybody_may_show_it_its_own_signatures(witness: Caller, house: ToyHouse, memory: Memory) -> None:
    act = house.seal("1")
    _, said = witness.post("/ask", house.request(house.question(act), old=0))
    assert witness.post("/seen", {"link": said["link"]}) == (200, {"number": 1})
    assert witness.post("/seen", {"checkpoint": memory.state.logs[house.origin].note}) == (200, {"number": 1})
    for wrong in ({"link": 1}, {"checkpoint": 2}, {"checkpoint": "x"}):
        assert witness.post("/seen", wrong)[0] == 400


def test_the_page_says_what_it_has_done(witness: Caller, house: ToyHouse, memory: Memory) -> None:
    assert "None yet." in witness.get("/").decode()
    act = house.seal("<b>1</b>".replace("<", "").replace(">", "").replace("/", "-"))
    witness.post("/ask", house.request(house.question(act), old=0))
    memory.alarm("something <odd>")
    page = witness.get("/").decode()
    for said in ("attempt 1", house.origin, "something &lt;odd&gt;", str(memory.keys.cosigner), "prefers-color-scheme"):
        assert said in page
    assert "<odd>" not in page
    with pytest.raises(Exception, match="stopped"):
        raise memory.stop("of a test")
    assert "It has stopped for ever: of a test" in witness.get("/").decode()
    assert witness.post("/ask", house.request(house.question(act), old=0))[0] == 503
    assert witness.send("POST", "/add-checkpoint", house.submission(1))[0] == 503


class TestATicket:
    @pytest.fixture
    def receipts(self, memory: Memory, logs: Path) -> Ed25519PrivateKey:
        private = Ed25519PrivateKey.from_private_bytes(bytes([3]) * 32)
        key = VerifierKey("meterhouse.receipts/toy", ED25519, private.public_key().public_bytes_raw())
        logs.write_text(logs.read_text() + f"DEMO receipts {key}\n")
        admit(memory, logs)
        self.key = key
        return private

    def paper(self, memory: Memory, house: ToyHouse, **other: Any) -> Paper:
        fields: dict[str, Any] = {
            "origin": house.origin, "leaf": leaf_hash(b"a ticket"), "commitment": bytes(32), "size": len(house.rows),
            "root": house.root(), "at": 1_700_000_000, "receipt_key": self.key.id,
            "witness_key": memory.keys.cosigner.id, "witness": "http://127.0.0.1:8600/",
        }  # fmt: skip
        return Paper(**fields | other)

    def look(self, witness: Caller, text: str, proof: str = "") -> str:
        body = urlencode({"text": text, "proof": proof}).encode()
        status, _, page = witness.send("POST", "/check", body)
        assert status == 200
        return page.decode()

    def test_one_that_is_right(
        self, witness: Caller, house: ToyHouse, memory: Memory, receipts: Ed25519PrivateKey
    ) -> None:
        house.pad(4)
        witness.send("POST", "/add-checkpoint", house.submission(0))
        paper = self.paper(memory, house)
        leaves = [leaf_hash(b"another"), leaf_hash(b"a ticket"), leaf_hash(b"a third")]
        act = house.seal("48213", root=root_of(leaves), count=3)
        asked = house.request(house.question(act), old=4)
        assert witness.send("POST", "/ask", json.dumps(asked).encode())[0] == 200

        def proof(index: int = 1, **other: Any) -> str:
            path = inclusion_proof(index, 3, nodes_of(leaves))
            entry = {"version": 1, "index": index, "ticket_count": 3, "path": [each.hex() for each in path]}
            return json.dumps({"game": 48213, "entry": entry} | other)

        code = f"https://keno.example.com/verify/#serial=7K&code=3F&paper={paper.signed(receipts.sign)}"
        page = self.look(witness, code, proof())
        assert "The house has signed it" in page
        assert "It carries the head of 4 rows" in page
        assert "The ticket is in the set that game 48213 was drawn from, at 2 of 3." in page
        assert "it was left out" in self.look(witness, paper.signed(receipts.sign), proof(0))
        assert "has not been asked about Keno game 7" in self.look(witness, code, proof(game=7))
        for wrong in ("{}", "[", "7", proof(game="48213"), proof(entry=None)):
            assert "cannot be read" in self.look(witness, code, wrong)

    def test_one_that_convicts_the_house(
        self, witness: Caller, house: ToyHouse, memory: Memory, receipts: Ed25519PrivateKey
    ) -> None:
        house.pad(4)
        witness.send("POST", "/add-checkpoint", house.submission(0))
        for other, said in (
            ({"root": bytes(32)}, "history was rewritten"),
            ({"size": 3}, "has never cosigned"),
            ({"origin": "meterhouse.log/other"}, "has not been told to watch"),
            ({"witness_key": bytes(4)}, "names another witness"),
        ):
            assert said in self.look(witness, self.paper(memory, house, **other).signed(receipts.sign))
        forged = self.paper(memory, house).signed(lambda _: bytes(64))
        assert "not signed by a receipt key" in self.look(witness, forged)

    def test_one_that_is_none(
        self, witness: Caller, memory: Memory, receipts: Ed25519PrivateKey, house: ToyHouse
    ) -> None:
        right = self.paper(memory, house, size=1).signed(receipts.sign)
        for text in ("", "hello", "mh1.", "mh1.AAAA", right[:-10], right + "A", right + "=", "mh1." + "A" * 3000):
            page = self.look(witness, text)
            assert 'class="bad"' in page


class TestWhoWouldWearItOut:
    def test_with_much(self, witness: Caller) -> None:
        assert witness.send("POST", "/ask", b"{}" + b" " * 300_000)[0] == 413
        assert witness.send("POST", "/ask", b"[" * 100_000)[0] == 400
        assert witness.send("POST", "/ask", b"[]")[0] == 400
        assert witness.send("POST", "/nothing", b"{}")[0] == 404
        assert witness.send("PUT", "/ask", b"{}")[0] == 501

    def test_with_no_length(self, witness: Caller) -> None:
        for head in (b"Transfer-Encoding: chunked\r\n", b"", b"Content-Length: x\r\n", b"Content-Length: -1\r\n"):
            with socket.create_connection(("127.0.0.1", witness.port), timeout=30) as line:
                line.sendall(b"POST /ask HTTP/1.1\r\nHost: w\r\n" + head + b"\r\n")
                assert b" 411 " in line.recv(1000)

    def test_with_slowness(self, memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
        """Bytes dripped in, each well in time, are no request."""
        monkeypatch.setattr(served, "REQUEST_SECONDS", 0.2)
        with serving(memory, None) as witness:
            with socket.create_connection(("127.0.0.1", witness.port), timeout=30) as line:
                line.settimeout(0.05)
                for _ in range(600):
                    try:
                        line.sendall(b"X")
                        if line.recv(1) == b"":
                            break
                    except TimeoutError:
                        pass
                    except ConnectionError:
                        break
                else:
                    raise AssertionError("it listened for ever")
            assert witness.get("/healthz") == b"alive\n"

    def test_with_many_at_once(self, memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(served, "CONNECTIONS_LIMIT", 3)
        with serving(memory, None) as witness:
            lines = [socket.create_connection(("127.0.0.1", witness.port), timeout=30) for _ in range(3)]
            for line in lines:
                line.sendall(b"GET /healthz HTTP/1.1\r\nHost: w\r\n\r\n")
                assert b" 200 " in line.recv(1000)  # and stays open
            with socket.create_connection(("127.0.0.1", witness.port), timeout=30) as line:
                assert line.recv(1) == b""
            for line in lines:
                line.close()

    def test_with_haste(self, memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(served, "BURST", 5.0)
        monkeypatch.setattr(served, "RATE", 0.001)
        with serving(memory, None) as witness:
            assert [witness.send("GET", "/healthz")[0] for _ in range(7)] == [200] * 5 + [429] * 2

    def test_with_rubbish(self, witness: Caller, memory: Memory) -> None:
        chance, before = Random(15), memory._journal.last.n
        for _ in range(40):
            with socket.create_connection(("127.0.0.1", witness.port), timeout=30) as line:
                line.sendall(chance.randbytes(chance.randrange(1, 200)) + b"\r\n\r\n")
                line.shutdown(socket.SHUT_WR)
                line.recv(100)
        assert witness.get("/healthz") == b"alive\n"
        assert memory._journal.last.n == before


def test_a_note_of_the_witness_opens_with_its_key_alone(witness: Caller, house: ToyHouse) -> None:
    house.pad(2)
    witness.send("POST", "/add-checkpoint", house.submission(0))
    named = sha256(house.origin.encode()).hexdigest()
    note = Note.parse(witness.get(f"/{named}/checkpoint"))
    assert note.opened([VerifierKey.parse(witness.get("/keys").decode().strip())])
