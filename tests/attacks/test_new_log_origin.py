"""A fresh log: the operator begins another log with another key and origin, and asks as if for the first time.

What stops it: a log is watched once the witness's keeper has written it down, and memory is by venue, not by log. Not
stopped: a keeper who writes it down opens a second history; that is an alarm on the witness's page, and the answers
stay the ones that were given.
"""

from __future__ import annotations

from tests.attacks.insider import House
from tests.attacks.operator import Operator, drawn, link_in
from tests.world.witness import ToyHouse


def test_a_log_nobody_has_named_is_not_watched(operator: Operator, house: House) -> None:
    drawn()
    before = operator.witnessed
    fresh = ToyHouse("meterhouse.log/fresh", seed=8)
    act = fresh.seal("48214")
    with house.unchanged():
        assert operator.post("/add-checkpoint", fresh.submission(0))[0] == 404
        status, said = operator.ask(fresh.request(fresh.question(act), old=0))
        assert (status, said["code"]) == (404, "unknown-log")
    assert operator.witnessed == before


def test_one_that_is_named_finds_the_same_memory(operator: Operator, house: House) -> None:
    first = drawn()
    fresh = ToyHouse("meterhouse.log/fresh", seed=8)
    act = fresh.seal("48213", root=bytes([9]) * 32)
    with operator.witness.logs.open("a") as file:
        file.write(fresh.admission)
    assert operator.post("/add-checkpoint", fresh.submission(0))[0] == 200
    with house.unchanged():
        status, said = operator.ask(fresh.request(fresh.question(act), old=1))
        assert status == 200
        assert link_in(said).answer == first.signature
        assert link_in(said).question.origin == first.question.origin
    assert operator.witnessed[0] == 1
    assert any("second log was admitted" in alarm for alarm in operator.alarms)
    assert any("asked about again with another set" in alarm for alarm in operator.alarms)


def test_another_venue_does_not_help(operator: Operator, house: House) -> None:
    """The venue's code is changed in the database: to the witness the log is that of the venue it asked for first."""
    drawn()
    history = operator.history()
    history.venue = "OTHER"
    act = history.seal("48213", root=bytes([9]) * 32)
    before = operator.witnessed
    with house.unchanged():
        status, said = operator.ask(history.request(history.question(act), old=before[1]))
        assert (status, said["code"]) == (403, "another-venue")
    assert operator.witnessed == before
