"""The house and its witness: an incident when it is away, a line for people, and another one by the inspector's act."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from house.approvals import approve, describe, propose
from house.models import Incident, Notice
from house.pages.home import _witness
from house.witness import WITNESS, watch_witness
from kernel.export_check import Doubt
from kernel.refusal import Forbidden
from ledger import witnesses
from ledger.acts import OccasionSealed
from ledger.ask import ask, waiting
from ledger.cosign import cosign_now
from ledger.export import export
from ledger.log import write_act
from ledger.models import Act, Question
from ledger.seal import SEALER, seal_now
from tests.house.conftest import MakeActor
from tests.world.falsified import Draft, read_draft
from tests.world.people import on_the_payroll
from tests.world.refusals import refused
from tests.world.witness import RunningWitness, folder_with_keys
from verify.rooms import room_checks
from verify.verifier import verify
from web import metrics

pytestmark = pytest.mark.django_db(transaction=True)
GAME: dict[str, Any] = {"venue": "DEMO", "purpose": "drill", "occasion": "1"}


def seal_set(occasion: str = "1") -> int:
    return write_act(OccasionSealed(**GAME | {"occasion": occasion}, root=bytes(32), count=3), by=SEALER)


def later(seconds: float) -> datetime:
    return datetime.now(UTC) + timedelta(seconds=seconds)


def test_a_witness_who_is_away_is_one_incident(witness: RunningWitness) -> None:
    seal_set()
    witness.away()
    assert ask(**GAME, attempt=1) is None
    watch_witness(later(0))
    assert Incident.objects.count() == 0  # a moment is no incident
    for seconds in (20, 21, 300):
        watch_witness(later(seconds))
    incident = Incident.objects.get()
    assert incident.kind == "witness-away"
    assert "1 draws wait for it" in incident.what
    assert Notice.objects.get().to == "inspector"
    (line,) = _witness()
    assert "The witness does not answer" in line.words
    assert "1 draw waiting" in line.words
    assert metrics.WITNESS_QUESTIONS._value.get() == 1
    witness.back()
    assert ask(**GAME, attempt=1) is not None
    watch_witness(later(400))
    assert _witness() == []
    assert metrics.WITNESS_QUESTIONS._value.get() == 0
    witness.away()
    cosign_now()
    seal_set("2")
    ask(**GAME | {"occasion": "2"}, attempt=1)
    watch_witness(later(500))
    assert Incident.objects.count() == 2  # another time, another incident


def test_a_witness_that_stopped_is_an_incident_at_once(witness: RunningWitness) -> None:
    seal_now()
    with pytest.raises(Exception, match="stopped"):
        raise witness.memory.stop("of a test")
    cosign_now()
    watch_witness(later(0))
    assert Incident.objects.get().kind == "witness-stopped"


def by_himself(lines: list[bytes]) -> str:
    """What the rows say to a witness that a forger with every key has appointed, over draws that he likes better."""
    draft = Draft.of(lines)
    draft.remove(*draft.acts("approval.approved"), *draft.acts("approval.effective"))
    draft.put_right()
    with pytest.raises(Doubt, match="and nobody has approved that") as found:
        read_draft(draft, room_checks())
    return str(found.value)


class TestAnotherWitness:
    @pytest.fixture
    def another(self, witness: RunningWitness, tmp_path: Path) -> str:
        """At the witness's address there is another one now. Its key."""
        seal_set()
        ask(**GAME, attempt=1)
        witness.memory.close()
        witness.begin(folder_with_keys(tmp_path / "another"))
        witness.watch()
        return str(witness.memory.keys.cosigner)

    def test_by_the_inspector_alone(self, another: str, actor: MakeActor, tmp_path: Path) -> None:
        on_the_payroll(manager="manager", inspector="inspector")
        before = witnesses.current()
        new = {"key": another, "last_number": 1}
        proposal = propose(kind=WITNESS, subject="venue", new=new, why="A new machine", by=actor("manager"))
        assert "after answer 1 of the one before" in describe(proposal)
        for role in ("manager", "supervisor", "administrator"):
            with pytest.raises(Forbidden):
                approve(proposal_id=proposal.pk, by=actor(role, "another"))
        assert witnesses.current() == before
        approve(proposal_id=proposal.pk, by=actor("inspector"))
        current = witnesses.current()
        assert current is not None
        assert str(witnesses.cosigner(current)) == another
        act = Act.objects.get(kind="witness.appointed")
        assert (act.data["before"], act.data["last_number"]) == (before.name if before else "", 1)
        seal_set("2")
        given = ask(**GAME | {"occasion": "2"}, attempt=1)
        assert given is not None
        assert (given.number, given.same_machine) == (1, False)
        seal_now()
        cosign_now()
        path = tmp_path / "export"
        with path.open("wb") as file:
            export(to=file, by=SEALER, venue="Test")
        with path.open("rb") as file:
            said = verify(file, witness=another).attention
        # The tests' own process is all of the house, and of a drill nothing is drawn: that, and nothing else.
        began = str(witnesses.cosigner(before)) if before else ""
        assert said == [
            f"This log has had 2 witnesses: it began with {began}, and {another} is the last. What one has answered is "
            "as good as that one: compare each.",
            "Separation was off: a program of the house could change records or read the key.",
            "Nothing here was drawn from 2 of the witness's answers; the first is to drill 1, attempt 1.",
        ]
        lines = path.read_bytes().splitlines(keepends=True)
        assert "appointed the witness" in by_himself(lines)

    def test_it_serves_only_what_opens_later(self, another: str, actor: MakeActor, witness: RunningWitness) -> None:
        opened = seal_set("2")
        witness.away()
        seal_set("3")
        assert ask(**GAME | {"occasion": "3"}, attempt=1) is None  # asked of the old one, who is gone
        witness.back()
        proposal = propose(
            kind=WITNESS, subject="venue", new={"key": another, "last_number": 1}, why="Lost", by=actor("manager")
        )
        approve(proposal_id=proposal.pk, by=actor("inspector"))
        assert ask(**GAME | {"occasion": "2"}, attempt=1, opened_act=opened) is None  # put to the old one, too
        assert ask(**GAME | {"occasion": "3"}, attempt=1) is None
        assert waiting() == []
        asked = Question.objects.exclude(occasion="1").values_list("occasion", "witness", "answer")
        old = next(iter(witnesses.all_named())).name
        assert set(asked) == {("2", old, None), ("3", old, None)}  # what is left is an inspector's dice, a round, balls
        assert witness.memory.state.number == 0

    def test_what_is_not_right_is_refused(self, another: str, actor: MakeActor, witness: RunningWitness) -> None:
        current = witnesses.current()
        assert current is not None
        manager = actor("manager")

        cases: list[tuple[str, object, str]] = [
            ("another-last-number", {"key": another, "last_number": 0}, "venue"),
            ("witness-known", {"key": str(witnesses.cosigner(current)), "last_number": 1}, "venue"),
            ("key-not-readable", {"key": "nonsense", "last_number": 1}, "venue"),
            ("witness-not-readable", {"key": another}, "venue"),
            ("no-such-subject", {"key": another, "last_number": 1}, "keno"),
        ]
        for code, new, subject in cases:
            refused(partial(propose, kind=WITNESS, subject=subject, new=new, why="Try", by=manager), code)
        witness.away()
        new = {"key": another, "last_number": 1}
        refused(partial(propose, kind=WITNESS, subject="venue", new=new, why="Try", by=manager), "witness-away")
        assert Act.objects.filter(kind="witness.appointed").count() == 0
