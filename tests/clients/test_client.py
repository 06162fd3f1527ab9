"""The client for terminal programmers against the running copy: lost requests, lost answers, a kill, a dead line."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from meterhouse_client import NotAnswered, NotYet, Refused, Terminal, Trouble

from kernel.environment import ROOT
from tests.clients.counter import Counter

TICKET = {"numbers": [3, 14, 15], "stake": "2.00"}
pytestmark = pytest.mark.django_db(transaction=True)


def sell(terminal: Terminal) -> str:
    return terminal.keno.sell({"numbers": [3, 14, 15], "stake": "2.00"})["serial"]


def test_a_sale_from_quote_to_cancel(counter: Counter) -> None:
    with counter.terminal() as terminal:
        assert terminal.keno.quote({"numbers": [3, 14, 15], "stake": "2.00"})["price"] == "2.00"
        sold = terminal.keno.sell({"numbers": [3, 14, 15], "stake": "2.00"})
        assert counter.sold() == [sold["serial"]]
        assert terminal.keno.current_game()["number"] == sold["first_game"]
        assert terminal.keno.look_up(sold["serial"], sold["security_code"])["status"] == sold["status"]
        back = terminal.keno.cancel(sold["serial"], {"security_code": sold["security_code"]})
        assert back["refund"] == "2.00"
        assert [pool["code"] for pool in terminal.jackpot.pools()] == ["CSP", "BOOM", "GJ"]
        assert terminal.unanswered() == []


def test_what_is_lost_is_asked_again_under_its_key(counter: Counter) -> None:
    with counter.terminal() as terminal:
        assert terminal.identity.startswith("device:")
        counter.line.answers_to_lose, counter.line.requests_to_lose = 2, 1
        serial = sell(terminal)
        assert counter.line.answers_to_lose == counter.line.requests_to_lose == 0
        assert counter.sold() == [serial]
        assert terminal.unanswered() == []


def test_a_refusal_is_an_answer(counter: Counter) -> None:
    with counter.terminal() as terminal:
        with pytest.raises(Refused) as refused:
            terminal.keno.sell({"numbers": [81], "stake": "2.00"})
        assert refused.value.status in (400, 422)
        assert refused.value.detail
        assert terminal.unanswered() == []
    assert counter.sold() == []


def test_patience_ends_and_the_journal_knows(counter: Counter) -> None:
    with counter.terminal(patience_seconds=0.3) as terminal:
        assert terminal.identity
        counter.line.answers_to_lose = 99
        with pytest.raises(NotAnswered) as lost:
            sell(terminal)
        counter.line.answers_to_lose = 0
    (serial,) = counter.sold()
    with counter.terminal() as later:
        (asked,) = later.unanswered()
        assert (asked.key, asked.path, asked.body) == (lost.value.key, "keno/tickets", TICKET)
        with pytest.raises(NotYet, match="under way"):
            later.abandon(asked)
        with pytest.raises(NotYet, match="has done it"):
            later.abandon(replace(asked, at=time.time() - 3600))
        settled = later.settle(asked)
        assert settled.done
        assert isinstance(settled.answer, dict)
        assert settled.answer["serial"] == serial
        assert settled.answer["security_code"]
        assert later.unanswered() == []
    assert counter.sold() == [serial]


def test_what_never_arrived_is_sent_or_given_up(counter: Counter) -> None:
    with counter.terminal(patience_seconds=0.3) as terminal:
        assert terminal.identity
        counter.line.is_dead = True
        terminal._line.hang_up()
        for _ in range(2):
            with pytest.raises(NotAnswered):
                sell(terminal)
        counter.line.is_dead = False
        assert counter.sold() == []
        first, second = terminal.unanswered()
        assert terminal.what_became_of(first) is None
        terminal.abandon(replace(first, at=time.time() - 3600))
        assert terminal.unanswered() == [second]
        assert terminal.settle(second).status == 201
        assert len(counter.sold()) == 1
        assert terminal.unanswered() == []


def test_an_answer_that_says_nothing_of_before_settles_nothing(counter: Counter) -> None:
    """Sold, the answer lost, and then the token is stopped: 401 is no word about the sale."""
    from house.devices import revoke_device
    from tests.world.demo import demo_actor

    with counter.terminal(patience_seconds=0.3) as terminal:
        assert terminal.identity
        counter.line.answers_to_lose = 99
        with pytest.raises(NotAnswered):
            sell(terminal)
        counter.line.answers_to_lose = 0
        (asked,) = terminal.unanswered()
        code = asked.whose.removeprefix("device:")
        revoke_device(code=code, why="Left in a taxi.", by=demo_actor("administrator"))
        with pytest.raises(Refused):
            terminal.settle(asked)
        assert terminal.unanswered() == [asked]


def test_a_key_stays_its_own_terminals(counter: Counter) -> None:
    """Sent from another terminal it would be another request, and a second sale."""
    with counter.terminal() as terminal:
        asked = terminal.journal.write(key="k", whose="device:W-9999", method="POST", path="keno/tickets", body=None)
        with pytest.raises(Trouble, match="W-9999"):
            terminal.settle(asked)
        assert terminal.unanswered() == [asked]
    assert counter.sold() == []


class NoPaper(Exception):
    pass


def sell_and_print(terminal: Terminal) -> None:
    with terminal.until_done():
        sell(terminal)
        raise NoPaper


def test_done_only_once_it_is_printed(counter: Counter) -> None:
    with counter.terminal() as terminal:
        with pytest.raises(NoPaper):
            sell_and_print(terminal)
        (asked,) = terminal.unanswered()
        with terminal.until_done():
            assert terminal.settle(asked).done
            assert terminal.unanswered() == [asked]
        with terminal.until_done():
            sell(terminal)
            assert len(terminal.unanswered()) == 1
        assert terminal.unanswered() == []
    assert len(counter.sold()) == 2


PROGRAM = """
import sys
from meterhouse_client import Terminal
address, token, journal = sys.argv[1:]
with Terminal(address, token=token, journal=journal) as terminal:
    terminal.identity
    print("ready", flush=True)
    sys.stdin.readline()
    terminal.keno.sell({"numbers": [3, 14, 15], "stake": "2.00"})
"""


def test_it_survives_kill_9(counter: Counter) -> None:
    """Killed while it waits for the answer to a sale that the house has made."""
    command = [sys.executable, "-c", PROGRAM, counter.line.address, counter.token, str(counter.journal)]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "clients/python")}
    with subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
        counter.line.holds_answers = True
        program.stdin.write("go\n")
        program.stdin.flush()
        assert counter.line.answer_held.wait(60)
        program.kill()
    counter.line.holds_answers = False
    (serial,) = counter.sold()
    assert counter.journal.stat().st_mode & 0o077 == 0
    with counter.terminal() as again:
        (asked,) = again.unanswered()
        settled = again.settle(asked)
        assert isinstance(settled.answer, dict)
        assert settled.answer["serial"] == serial
        assert again.unanswered() == []
    assert counter.sold() == [serial]
