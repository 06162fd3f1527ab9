"""Questions: one answer an attempt, about a set sealed in the log that was cosigned, and never otherwise."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from kernel.questions import Link
from tests.world.witness import ToyHouse, remembering, turned_down
from witness.admit import admit
from witness.answer import answer
from witness.cosign import add_checkpoint
from witness.memory import Memory


def ask(memory: Memory, request: dict[str, Any]) -> Link:
    link = Link.from_json(answer(memory, request)["link"])
    assert link.is_right(public=memory.keys.cosigner.public, rsa=memory.keys.rsa_public)
    return link


refused = partial(turned_down, answer)


@pytest.fixture
def sealed(house: ToyHouse) -> int:
    house.pad(5)
    act = house.seal("1042", root=bytes(range(32)))
    house.pad(2)
    return act


def test_a_sealed_set_is_answered_and_its_head_cosigned(memory: Memory, house: ToyHouse, sealed: int) -> None:
    request = house.request(house.question(sealed), old=0)
    given = answer(memory, request)
    link = Link.from_json(given["link"])
    assert link.is_right(public=memory.keys.cosigner.public, rsa=memory.keys.rsa_public)
    assert (link.number, link.previous) == (1, bytes(32))
    assert given["cosignature"].startswith(f"— {memory.keys.name} ")
    assert memory.state.logs[house.origin].size == len(house.rows)


def test_the_answers_are_a_chain(memory: Memory, house: ToyHouse) -> None:
    links, old = [], 0
    for game in range(5):
        act = house.seal(str(game))
        links.append(ask(memory, house.request(house.question(act), old=old)))
        old = len(house.rows)
    assert [link.number for link in links] == [1, 2, 3, 4, 5]
    for before, after in pairwise(links):
        assert after.previous == before.digest()
    assert memory.links(since=2, limit=3) == links[1:4]


def test_the_same_question_gets_the_same_answer(memory: Memory, house: ToyHouse, sealed: int) -> None:
    request = house.request(house.question(sealed), old=0)
    first = ask(memory, request)
    assert ask(memory, request) == first
    assert memory.state.number == 1
    assert memory.alarms(limit=9) == []


def test_asked_under_a_later_head_it_is_the_stored_question(memory: Memory, house: ToyHouse, sealed: int) -> None:
    first = ask(memory, house.request(house.question(sealed), old=0))
    size = len(house.rows)
    house.pad(9)
    again = ask(memory, house.request(house.question(sealed), old=size))
    assert again == first
    assert memory.alarms(limit=9) == []


def test_a_head_before_the_latest_one_is_fine_too(memory: Memory, house: ToyHouse, sealed: int) -> None:
    """Somebody else, or the tick, has shown a later head meanwhile: the question stays as it was logged."""
    question = house.question(sealed)
    house.pad(6)
    add_checkpoint(memory, house.submission(0))
    given = answer(memory, house.request(question, old=len(house.rows)))
    assert given["cosignature"] is None
    assert Link.from_json(given["link"]).question == question


def test_another_root_for_the_same_attempt_gets_the_stored_one(memory: Memory, house: ToyHouse, sealed: int) -> None:
    first = ask(memory, house.request(house.question(sealed), old=0))
    size = len(house.rows)
    other = house.seal("1042", root=bytes([7]) * 32)
    assert ask(memory, house.request(house.question(other), old=size)) == first
    (alarm,) = memory.alarms(limit=9)
    assert "DEMO/keno/1042/1 was asked about again with another set" in alarm[2]


def test_a_stranger_who_invents_questions_raises_no_alarm(memory: Memory, house: ToyHouse, sealed: int) -> None:
    request = house.request(house.question(sealed), old=0)
    first = ask(memory, request)
    invented = replace(house.question(sealed), root=bytes([9]) * 32)
    assert ask(memory, request | {"question": invented.as_json()}) == first
    assert memory.alarms(limit=9) == []


def test_a_new_log_of_the_same_venue_finds_the_same_memory(
    memory: Memory, house: ToyHouse, sealed: int, logs: Path
) -> None:
    first = ask(memory, house.request(house.question(sealed), old=0))
    second = ToyHouse("meterhouse.log/second", seed=5)
    act = second.seal("1042", root=bytes([8]) * 32)
    unknown = second.request(second.question(act), old=0)
    assert ask(memory, unknown) == first  # not even admitted, and told what was answered
    logs.write_text(logs.read_text() + second.admission)
    admit(memory, logs)
    assert ask(memory, unknown) == first
    assert any("with another set" in what for _, _, what in memory.alarms(limit=9))


def test_another_venues_log_does_not_ask_for_this_one(memory: Memory, house: ToyHouse, logs: Path) -> None:
    other = ToyHouse("meterhouse.log/other", seed=5, venue="OTHER")
    logs.write_text(logs.read_text() + other.admission)
    admit(memory, logs)
    other.venue = "DEMO"
    act = other.seal("1")
    assert refused(memory, other.request(other.question(act), old=0)).code == "another-venue"


def test_what_is_not_sealed_in_the_log_is_not_answered(memory: Memory, house: ToyHouse, sealed: int) -> None:
    question = house.question(sealed)
    good = house.request(question, old=0)
    for spoilt, code in (
        ({"question": replace(question, root=bytes([1]) * 32).as_json()}, "another-seal"),
        ({"question": replace(question, count=13).as_json()}, "another-seal"),
        ({"question": replace(question, occasion="1043").as_json()}, "another-seal"),
        ({"question": replace(question, purpose="promotion").as_json()}, "another-seal"),
        ({"question": replace(question, act_index=sealed + 1).as_json()}, "another-seal"),
        ({"question": replace(question, size=question.size + 1).as_json()}, "another-head"),
        ({"question": replace(question, checkpoint_root=bytes(32)).as_json()}, "another-head"),
        ({"seal": house.shown(0, question.size)}, "another-act"),
        ({"seal": good["seal"] | {"row": good["seal"]["row"].replace("1042", "1043")}}, "not-in-the-log"),
        ({"seal": good["seal"] | {"index": 0}}, "not-in-the-log"),
        ({"seal": None}, "unreadable"),
    ):
        assert refused(memory, good | spoilt).code == code
    assert memory.state.logs[house.origin].size == 0  # and nothing was cosigned on the way
    ask(memory, good)


def test_a_head_that_does_not_extend_is_not_answered(memory: Memory, house: ToyHouse, sealed: int) -> None:
    add_checkpoint(memory, house.submission(0))
    size = len(house.rows)
    no = refused(memory, house.request(house.question(sealed), old=0))
    assert (no.status, no.more["size"]) == (409, size)
    house.rows[1] = b"{}"
    house.pad(3)
    assert refused(memory, house.request(house.question(sealed), old=size)).code == "inconsistent"
    short = house.question(sealed, size=size - 1)  # a truncated and rewritten log
    assert refused(memory, house.request(short, old=size)).code == "inconsistent"


def test_a_head_nobody_signed_is_not_answered(memory: Memory, house: ToyHouse, sealed: int) -> None:
    thief = ToyHouse(house.origin, seed=9)
    thief.rows = house.rows
    assert refused(memory, thief.request(thief.question(sealed), old=0)).status == 403


class TestAttempts:
    def test_the_second_after_the_first_is_void(self, memory: Memory, house: ToyHouse, sealed: int) -> None:
        first = ask(memory, house.request(house.question(sealed), old=0))
        size = len(house.rows)
        void = house.void("1042", 1)
        second = ask(memory, house.request(house.question(sealed, attempt=2), old=size, void=void))
        assert second.number == 2
        assert second.answer != first.answer

    def test_not_before(self, memory: Memory, house: ToyHouse, sealed: int) -> None:
        request = house.request(house.question(sealed, attempt=2), old=0)
        assert refused(memory, request).code == "attempts-in-order"
        ask(memory, house.request(house.question(sealed), old=0))
        size = len(house.rows)
        house.pad(1)
        request = house.request(house.question(sealed, attempt=2), old=size)
        assert refused(memory, request).code == "unreadable"  # nothing is shown
        assert refused(memory, request | {"void": request["seal"]}).code == "another-act"

    @pytest.mark.parametrize(("occasion", "attempt", "purpose"), [("1043", 1, "keno"), ("1042", 2, "keno"),
                                                                  ("1042", 1, "promotion")])  # fmt: skip
    def test_not_by_another_void(
        self, memory: Memory, house: ToyHouse, sealed: int, occasion: str, attempt: int, purpose: str
    ) -> None:
        ask(memory, house.request(house.question(sealed), old=0))
        size = len(house.rows)
        void = house.void(occasion, attempt, purpose=purpose)
        request = house.request(house.question(sealed, attempt=2), old=size, void=void)
        assert refused(memory, request).code == "another-void"

    def test_not_by_a_void_that_was_kept_ready(self, memory: Memory, house: ToyHouse, sealed: int) -> None:
        """Written before the answer was known, and used only if it does not please."""
        void = house.void("1042", 1)
        ask(memory, house.request(house.question(sealed), old=0))
        size = len(house.rows)
        house.pad(1)
        request = house.request(house.question(sealed, attempt=2), old=size, void=void)
        assert refused(memory, request).code == "void-too-early"

    def test_not_in_a_log_that_was_not_cosigned(self, memory: Memory, house: ToyHouse, sealed: int) -> None:
        ask(memory, house.request(house.question(sealed), old=0))
        size = len(house.rows)
        fork = ToyHouse(house.origin)
        fork.rows = [b"{}", *house.rows[1:]]
        void = fork.void("1042", 1)
        request = fork.request(fork.question(sealed, attempt=2), old=size, void=void)
        assert refused(memory, request).code == "inconsistent"

    def test_not_about_another_set(self, memory: Memory, house: ToyHouse, sealed: int) -> None:
        ask(memory, house.request(house.question(sealed), old=0))
        size = len(house.rows)
        void = house.void("1042", 1)
        other = house.seal("1042", root=bytes([7]) * 32)
        request = house.request(house.question(other, attempt=2), old=size, void=void)
        assert refused(memory, request).code == "another-set"
        assert any("another set" in what for _, _, what in memory.alarms(limit=9))

    def test_none_is_skipped(self, memory: Memory, house: ToyHouse, sealed: int) -> None:
        ask(memory, house.request(house.question(sealed), old=0))
        size = len(house.rows)
        house.void("1042", 1)
        void = house.void("1042", 2)
        request = house.request(house.question(sealed, attempt=3), old=size, void=void)
        assert refused(memory, request).code == "attempts-in-order"


def test_restored_from_an_old_copy_it_stops_at_the_first_answer_it_does_not_know(
    folder: Path, logs: Path, house: ToyHouse, sealed: int, tmp_path: Path
) -> None:
    with remembering(folder) as memory:
        admit(memory, logs)
    shutil.copytree(folder, tmp_path / "old copy")
    with remembering(folder) as memory:
        link = ask(memory, house.request(house.question(sealed), old=0))
    with remembering(tmp_path / "old copy") as memory:
        other = house.seal("1042", root=bytes([7]) * 32)
        assert refused(memory, house.request(house.question(other), old=0, seen=link)).status == 503
        assert "answer 1" in memory.state.stopped
    with remembering(tmp_path / "old copy") as memory:
        assert refused(memory, house.request(house.question(sealed), old=0)).status == 503


def test_a_link_that_is_not_its_own_stops_nothing(memory: Memory, house: ToyHouse, sealed: int) -> None:
    link = ask(memory, house.request(house.question(sealed), old=0))
    forged = replace(link, number=99)
    assert ask(memory, house.request(house.question(sealed), old=0, seen=forged)) == link


@pytest.mark.parametrize("said", [{}, {"question": {}}, {"question": None}, {"question": {"venue": 1}}])
def test_what_cannot_be_read_is_said(memory: Memory, said: Any) -> None:
    assert refused(memory, said).status == 400


def test_every_field_is_looked_at(memory: Memory, house: ToyHouse, sealed: int) -> None:
    good = house.request(house.question(sealed), old=0)
    wrong: Any
    for name in good:
        for wrong in (1, "x", [], {}, ["x"], {"row": 1, "index": "1", "proof": None}, True):
            if name == "void" or (name, wrong) == ("proof", []):
                continue  # of a first attempt nobody looks at the void, and this proof is right
            assert refused(memory, good | {name: wrong}).status in (400, 409), (name, wrong)
    for name in good["question"]:
        for wrong in (None, -1, 0.5, True, "", "é", "x" * 300, [], 2**70):
            spoilt = good | {"question": good["question"] | {name: wrong}}
            assert refused(memory, spoilt).status in (400, 422), (name, wrong)
