from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.db import OperationalError, transaction

from config.checks import faults
from house.approvals import (
    Approvable,
    Shape,
    apply_due,
    approve,
    condition_met,
    describe,
    history,
    next_effective,
    propose,
    registry,
    reject,
    waiting_for,
    withdraw,
)
from house.models import Proposal
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.codes import Permission
from kernel.refusal import Conflict, Forbidden, Malformed, NotFound, Refusal
from tests.house.conftest import NOW, Clock, Log
from tests.world.offers import offer
from tests.world.refusals import refused
from tests.world.threads import at_once
from web.fields import WholeNumber

DECIDE = Permission("test.decide", "Decide about the lamp", people=2, authority=Authority.HOUSE)
ANNA = Actor("staff:anna", "Anna", frozenset({"approvals.propose", "test.decide"}))
BEN = Actor("staff:ben", "Ben", frozenset({"test.decide"}))
CARA = Actor("staff:cara", "Cara", frozenset({"test.decide"}))
NOBODY = Actor("staff:nobody", "Nobody")


NUMBER = Shape[int](WholeNumber())


class Lamp:
    """A thing that may be approved: a lamp with a brightness from 0 to 10."""

    def __init__(self) -> None:
        self.brightness: Any = 3
        self.changed_by: list[str] = []
        self.fault: Exception | None = None

    def check(self, subject: str, new: int) -> None:
        if not 0 <= new <= 10:
            raise Refusal("too-bright", "A lamp goes from 0 to 10.", field="new")

    def apply(self, proposal: Proposal, new: int, by: Actor) -> None:
        if self.fault:
            raise self.fault
        self.brightness = new
        self.changed_by.append(by.identity)


@pytest.fixture
def lamp(monkeypatch: pytest.MonkeyPatch) -> Lamp:
    lamp = Lamp()
    kind = Approvable(
        kind="test.lamp",
        shape=NUMBER,
        authority=Authority.HOUSE,
        permission=DECIDE,
        describe=lambda subject, old, new: f"{subject}: {old} → {new}",
        current=lambda subject: lamp.brightness,
        check=lamp.check,
        apply=lamp.apply,
        conditions=["when-dark"],
    )
    offer(monkeypatch, kind)
    return lamp


def brighter(new: object = 5, *, by: Actor = ANNA, **more: Any) -> Proposal:
    wanted: dict[str, Any] = {"kind": "test.lamp", "subject": "hall", "new": new, "why": "Too dark", "by": by}
    return propose(**(wanted | more))


@pytest.mark.django_db
def test_a_change_takes_effect_at_once_when_another_person_approves(lamp: Lamp, clock: Clock, log: Log) -> None:
    proposal = brighter()
    assert (proposal.old, proposal.new, proposal.status, lamp.brightness) == (3, 5, "proposed", 3)
    clock.shift(60)
    approve(proposal_id=proposal.pk, by=BEN, comment=" Fine ")
    proposal.refresh_from_db()
    assert proposal.status == "effective"
    assert (proposal.proposed_by, proposal.proposed_at) == ("staff:anna", NOW)
    assert (proposal.decided_by, proposal.decided_at) == ("staff:ben", NOW + timedelta(minutes=1))
    assert (proposal.effective_at, proposal.comment) == (NOW + timedelta(minutes=1), "Fine")
    assert (lamp.brightness, lamp.changed_by) == (5, ["staff:ben"])
    subject = f"proposal:{proposal.pk}"
    assert log.acts == [
        ("approval.proposed", subject, "staff:anna"),
        ("approval.approved", subject, "staff:ben"),
        ("approval.effective", subject, "staff:ben"),
    ]


@pytest.mark.django_db
def test_nobody_decides_their_own_proposal(lamp: Lamp, log: Log) -> None:
    proposal = brighter()
    log.acts.clear()
    for verb in (approve, reject):
        refused(partial(verb, proposal_id=proposal.pk, by=ANNA), "own-proposal", Forbidden)
        refused(partial(verb, proposal_id=proposal.pk, by=NOBODY), "no-permission", Forbidden)
    proposal.refresh_from_db()
    assert (proposal.status, proposal.decided_by, lamp.brightness) == ("proposed", None, 3)
    assert not log.acts


@pytest.mark.django_db
def test_reject_and_withdraw(lamp: Lamp, log: Log) -> None:
    first, second = brighter(5), brighter(6)
    refused(lambda: withdraw(proposal_id=first.pk, by=BEN), "not-your-proposal", Forbidden)
    assert reject(proposal_id=first.pk, by=BEN, comment="No").status == "rejected"
    assert withdraw(proposal_id=second.pk, by=ANNA).status == "withdrawn"
    assert lamp.brightness == 3
    assert log.kinds == ["approval.proposed"] * 2 + ["approval.rejected", "approval.withdrawn"]
    for proposal in (first, second):
        for verb, who in ((approve, BEN), (reject, BEN), (withdraw, ANNA)):
            refused(partial(verb, proposal_id=proposal.pk, by=who), "already-decided", Conflict)
    refused(lambda: approve(proposal_id=0, by=BEN), "no-such-proposal", NotFound)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("given", "code", "error"),
    [
        ({"new": 11}, "too-bright", Refusal),
        ({"new": 3}, "nothing-changes", Refusal),
        ({"new": {1, 2}}, "value-not-readable", Malformed),
        ({"new": float("nan")}, "value-not-readable", Malformed),
        ({"why": "  "}, "reason-missing", Refusal),
        ({"by": NOBODY}, "no-permission", Forbidden),
        ({"kind": "test.chair"}, "no-such-kind", NotFound),
        ({"effective_from": NOW}, "time-has-passed", Refusal),
        ({"effective_from": NOW.replace(tzinfo=None) + timedelta(days=1)}, "time-has-passed", Refusal),
        ({"condition": "when-won"}, "no-such-condition", Refusal),
        ({"condition": "when-dark", "effective_from": NOW + timedelta(days=1)}, "two-moments", Refusal),
    ],
)
def test_what_cannot_be_is_refused_when_proposed(
    lamp: Lamp, clock: Clock, log: Log, given: dict[str, Any], code: str, error: type[Refusal]
) -> None:
    refused(lambda: brighter(**({"new": 5} | given)), code, error)
    assert not Proposal.objects.exists()
    assert not log.acts


@pytest.mark.django_db
def test_an_approved_change_waits_for_its_time(lamp: Lamp, clock: Clock) -> None:
    at = NOW + timedelta(hours=1)
    proposal = brighter(effective_from=at)
    assert next_effective() is None
    assert approve(proposal_id=proposal.pk, by=BEN).status == "approved"
    assert next_effective() == at
    assert apply_due(now=at - timedelta(microseconds=1)) == []
    assert lamp.brightness == 3
    assert apply_due(now=at) == [proposal]
    assert apply_due(now=at) == []
    proposal.refresh_from_db()
    assert (proposal.status, proposal.effective_at, lamp.brightness) == ("effective", at, 5)
    assert lamp.changed_by == ["staff:ben"]


@pytest.mark.django_db
def test_approved_after_its_time_it_takes_effect_at_once(lamp: Lamp, clock: Clock) -> None:
    proposal = brighter(effective_from=NOW + timedelta(hours=1))
    clock.shift(timedelta(hours=2))
    assert approve(proposal_id=proposal.pk, by=BEN).effective_at == NOW + timedelta(hours=2)


@pytest.mark.django_db
def test_an_approved_change_waits_for_its_condition(lamp: Lamp, clock: Clock) -> None:
    proposal = brighter(condition="when-dark")
    assert approve(proposal_id=proposal.pk, by=BEN).status == "approved"
    assert apply_due(now=NOW + timedelta(days=365)) == []
    dark: dict[str, Any] = {"condition": "when-dark", "subject": "hall", "kinds": ["test.lamp"]}
    for given in ({"subject": "cellar"}, {"kinds": ["test.chair"]}, {"condition": "when-won"}):
        assert condition_met(**(dark | given)) == []
    assert lamp.brightness == 3
    assert condition_met(**dark) == [proposal]
    assert lamp.brightness == 5


@pytest.mark.django_db
def test_of_two_changes_of_one_value_the_second_is_stale(lamp: Lamp, clock: Clock, log: Log) -> None:
    first, second = brighter(5), brighter(6, effective_from=NOW + timedelta(hours=1))
    approve(proposal_id=second.pk, by=BEN)
    approve(proposal_id=first.pk, by=BEN)
    apply_due(now=NOW + timedelta(hours=1))
    second.refresh_from_db()
    assert (second.status, second.effective_at, lamp.brightness) == ("stale", None, 5)
    assert second.outcome == "What it was to replace has changed since it was proposed."
    assert log.kinds[-1] == "approval.stale"


@pytest.mark.django_db
def test_what_has_become_impossible_fails_and_stops_no_other(lamp: Lamp, clock: Clock, log: Log) -> None:
    at = NOW + timedelta(hours=1)
    first, second = brighter(5, effective_from=at), brighter(6, effective_from=at)
    for proposal in (first, second):
        approve(proposal_id=proposal.pk, by=BEN)
    lamp.fault = Refusal("bulb-gone", "There is no bulb.")
    assert apply_due(now=at) == [first, second]
    lamp.fault = ZeroDivisionError("secret detail")
    third = approve(proposal_id=brighter(7).pk, by=BEN)
    first.refresh_from_db()
    assert (first.status, first.outcome) == ("failed", "There is no bulb.")
    assert (third.status, third.outcome) == (
        "failed",
        "It could not be put in force (ZeroDivisionError); see the server’s log.",
    )
    assert (lamp.brightness, log.kinds[-1]) == (3, "approval.failed")


@pytest.mark.django_db
def test_a_lock_that_does_not_come_is_waited_for(lamp: Lamp, clock: Clock) -> None:
    at = NOW + timedelta(hours=1)
    proposal = brighter(5, effective_from=at)
    approve(proposal_id=proposal.pk, by=BEN)
    lamp.fault = OperationalError("lock timeout")
    assert apply_due(now=at) == []
    proposal.refresh_from_db()
    assert proposal.status == "approved"
    lamp.fault = None
    assert apply_due(now=at) == [proposal]


@pytest.mark.django_db
def test_nobody_decides_about_themselves(lamp: Lamp, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = Approvable(
        kind="test.wage",
        shape=NUMBER,
        authority=Authority.HOUSE,
        permission=DECIDE,
        describe=lambda subject, old, new: "",
        current=lambda subject: 1,
        check=lambda subject, new: None,
        apply=lambda proposal, new, by: None,
        concerns=lambda subject, new: (subject,),
    )
    offer(monkeypatch, kind)
    proposal = propose(kind="test.wage", subject="staff:ben", new=2, why="Good work", by=ANNA)
    refused(lambda: approve(proposal_id=proposal.pk, by=BEN), "own-affair", Forbidden)
    assert approve(proposal_id=proposal.pk, by=CARA).status == "effective"


@pytest.mark.django_db
def test_history_and_what_waits_for_whom(lamp: Lamp) -> None:
    first, second, other = brighter(5), brighter(6), brighter(7, subject="cellar")
    reject(proposal_id=first.pk, by=BEN)
    assert list(history(kind="test.lamp", subject="hall")) == [second, first]
    assert list(history()) == [other, second, first]
    assert list(waiting_for(BEN)) == [second, other]
    assert list(waiting_for(ANNA)) == []
    assert list(waiting_for(NOBODY)) == []
    assert describe(second) == "hall: 3 → 6"
    second.kind = "gone.kind"
    assert describe(second) == "gone.kind: hall"


def test_a_kind_is_declared_once(lamp: Lamp, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = registry.kinds()["test.lamp"]
    assert faults() == []
    offer(monkeypatch, kind)
    assert faults() == ["Approvable test.lamp is declared twice"]


def each_at_once(*calls: Callable[[], Any]) -> Any:
    """The answers or refusals, in order."""

    def one(call: Callable[[], Any]) -> Any:
        try:
            return call()
        except Refusal as refusal:
            return refusal

    return at_once([partial(one, call) for call in calls])


@pytest.mark.django_db(transaction=True)
def test_of_two_who_approve_at_once_one_does(lamp: Lamp) -> None:
    for _ in range(5):
        lamp.brightness, lamp.changed_by = 3, []
        proposal = brighter()
        answers = each_at_once(
            partial(approve, proposal_id=proposal.pk, by=BEN),
            partial(approve, proposal_id=proposal.pk, by=CARA),
        )
        lost = [answer for answer in answers if isinstance(answer, Refusal)]
        assert [refusal.code for refusal in lost] == ["already-decided"]
        winner = "staff:ben" if answers[1] is lost[0] else "staff:cara"
        proposal.refresh_from_db()
        assert (proposal.status, proposal.decided_by, lamp.changed_by) == ("effective", winner, [winner])


@pytest.mark.django_db(transaction=True)
def test_two_ticks_at_once_put_each_change_in_force_once(lamp: Lamp, monkeypatch: pytest.MonkeyPatch) -> None:
    applied: list[int] = []
    kind = registry.kinds()["test.lamp"]
    counting = Approvable(
        kind="test.lamp",
        shape=NUMBER,
        authority=Authority.HOUSE,
        permission=DECIDE,
        describe=kind.describe,
        current=lambda subject: 3,
        check=kind.check,
        apply=lambda proposal, new, by: applied.append(proposal.pk),
    )
    offer(monkeypatch, counting)
    at = datetime.now(UTC) + timedelta(hours=1)
    made = [brighter(5, subject=f"lamp {n}", effective_from=at).pk for n in range(10)]
    for pk in made:
        approve(proposal_id=pk, by=BEN)
    done = each_at_once(*[lambda: apply_due(now=at)] * 3)
    assert sorted(applied) == made == sorted(proposal.pk for each in done for proposal in each)


@pytest.mark.django_db(transaction=True)
def test_what_another_worker_holds_is_skipped(lamp: Lamp, caplog: pytest.LogCaptureFixture) -> None:
    at = datetime.now(UTC) + timedelta(hours=1)
    held, free = brighter(5, effective_from=at), brighter(6, subject="cellar", effective_from=at)
    for proposal in (held, free):
        approve(proposal_id=proposal.pk, by=BEN)
    with transaction.atomic():
        Proposal.objects.select_for_update().get(pk=held.pk)
        [done] = each_at_once(lambda: apply_due(now=at))
    assert done == [free]
    assert not caplog.records  # not waited for and given up: skipped
