"""Waits, voids and lost masters are seen: incident, line, figure, report; and what is done about them."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from draws import ask, commit, watch
from draws.incident_kinds import DRAW_WAITS, DRAWS_VOID, MASTER_LOST
from draws.models import Commitment, Replacement
from draws.pages import home
from draws.replace import throw_dice
from draws.reports import waits_and_voids
from draws.waits import waiting
from house.gaming_days import latest_gaming_day
from house.models import Incident, IncidentStatus
from kernel import escrow
from kernel.environment import data_folder
from ledger.models import Act, Question
from tests.draws.conftest import BY
from tests.world.calls import Caller, make_device
from tests.world.demo import demo_actor, sign_in
from tests.world.second_party import AtHand
from web import metrics
from witness.escrow import opened

pytestmark = pytest.mark.django_db


def asked(promised: Commitment, second_party: AtHand, *, away: bool = True) -> Question:
    second_party.away = away
    ask.seal_set(promised, occasion=promised.name, root=bytes([7] * 32), count=14, by=BY)
    ask.ask(promised, occasion=promised.name, attempt=1, by=BY)
    return Question.objects.get(occasion=promised.name)


def open_incidents(kind: str) -> list[Incident]:
    return list(Incident.objects.filter(kind=kind, status=IncidentStatus.OPEN))


def test_a_draw_that_waits_is_one_incident_until_it_is_answered(promised: Commitment, second_party: AtHand) -> None:
    now = timezone.now()
    asked(promised, second_party)
    watch.watch_waits(now + timedelta(seconds=5))
    assert open_incidents(DRAW_WAITS) == []
    assert metrics.DRAWS_WAITING._value.get() == 1
    for seconds in (20, 40):
        watch.watch_waits(now + timedelta(seconds=seconds))
    [incident] = open_incidents(DRAW_WAITS)
    assert incident.what.startswith("Keno 1042 waits for the witness since")
    assert 39 <= metrics.DRAWS_LONGEST_WAIT_SECONDS._value.get() <= 41
    second_party.away = False
    assert ask.ask(promised, occasion="1042", attempt=1, by=BY) is not None
    watch.watch_waits(now + timedelta(seconds=60))
    assert open_incidents(DRAW_WAITS) == []
    incident.refresh_from_db()
    assert (incident.outcome, incident.closed_by) == ("Nothing waits any more.", "system:draw-watch")
    assert metrics.DRAWS_LONGEST_WAIT_SECONDS._value.get() == 0


def test_what_has_dice_in_the_place_of_its_answer_waits_no_more(promised: Commitment, second_party: AtHand) -> None:
    asked(promised, second_party)
    assert [wait.occasion for wait in waiting()] == ["1042"]
    throw_dice(promised, occasion="1042", attempt=1, dice="1" * 60, why="Away.", by=demo_actor("inspector"))
    assert waiting() == []


def test_the_home_page_and_readyz_say_it(promised: Commitment, second_party: AtHand) -> None:
    asked(promised, second_party)
    assert home._lines() == []
    with time_machine.travel(timezone.now() + timedelta(seconds=30)):
        [line] = home._lines()
        assert line.words.startswith("Keno 1042 waits for the witness")
        assert [item.action for item in home._for_the_inspector(demo_actor("inspector"))] == ["Open"]
        assert home._for_the_inspector(demo_actor("manager")) == []
    assert watch.ready() == "1 waiting"


def test_two_voids_of_a_day_are_an_alarm(promised: Commitment, second_party: AtHand) -> None:
    asked(promised, second_party, away=False)
    for attempt in (1, 2):
        said = ask.ask(promised, occasion="1042", attempt=attempt, by=BY)
        assert said is not None
        drawn = ask.numbers(promised, said, pool=80, count=20)
        assert open_incidents(DRAWS_VOID) == []
        ask.void_attempt(promised, occasion="1042", attempt=attempt, cause="malfunction", numbers=drawn, by=BY)
        watch.watch_voids(timezone.now())
    watch.watch_voids(timezone.now())
    [incident] = open_incidents(DRAWS_VOID)
    assert "keno 1042, attempt 1: malfunction; keno 1042, attempt 2: malfunction" in incident.what
    assert metrics.DRAWS_VOID._value.get() == 2


def test_the_report_counts_waits_voids_and_unwitnessed(promised: Commitment, second_party: AtHand) -> None:
    asked(promised, second_party)
    with time_machine.travel(timezone.now() + timedelta(seconds=100)):
        throw_dice(promised, occasion="1042", attempt=1, dice="1" * 60, why="Away.", by=demo_actor("inspector"))
    said = ask.said_to(promised, occasion="1042", attempt=1)
    assert said is not None
    drawn = ask.numbers(promised, said, pool=80, count=20)
    ask.void_attempt(promised, occasion="1042", attempt=1, cause="malfunction", numbers=drawn, by=BY)
    second_party.away = False
    ask.ask(promised, occasion="1042", attempt=2, by=BY)
    other = commit.commit(purpose="promotion", name="CAR", device="rng", by=BY)
    second_party.away = True
    asked(other, second_party)
    day = latest_gaming_day(timezone.now())
    assert day is not None
    made = waits_and_voids(day.date, day.date)
    rows = {row[1]: row[2:] for row in made.rows}
    asked_, waited, longest, still, void, unwitnessed = rows["keno"]
    assert (asked_, waited, still, void, unwitnessed) == (2, 1, 0, 1, 1)
    assert 99 <= longest <= 102
    assert rows["promotion"][0:2] == (1, 0)
    assert rows["promotion"][3:] == (1, 0, 0)
    assert made.totals[2] == 3


def test_a_lost_master_is_an_incident_and_an_inspector_gives_it_back_on_the_page(
    promised: Commitment, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.watch_masters()
    assert open_incidents(MASTER_LOST) == []
    monkeypatch.setenv("METERHOUSE_KEY_DRAW_MASTERS", "another key altogether")
    for _ in range(2):
        watch.watch_masters()
    assert len(open_incidents(MASTER_LOST)) == 1
    where = f"/draws/promises/{promised.pk}/"
    assert sign_in("manager").get(where).status_code == 403
    inspector = sign_in("inspector")
    assert b"Masters that do not open" in inspector.get("/draws/").content
    page = inspector.get(where).content.decode()
    act = Act.objects.get(pk=promised.act)
    assert act.data["escrow"] in page
    import json

    private = bytes.fromhex((data_folder() / "witness" / "inspector-escrow").read_text().strip())
    master = opened(private, json.dumps(act.data))
    wrong = inspector.post(where, {"master": bytes(32).hex(), "why": "Lost."})
    assert b"not the master that was promised" in wrong.content
    assert inspector.post(where, {"master": master.hex(), "why": "The folder was lost."}).status_code == 302
    assert commit.master_of(Commitment.objects.get()) == master
    assert escrow.public_of(private).hex() == act.data["inspector_key"]


def test_an_inspector_throws_dice_on_the_page(promised: Commitment, second_party: AtHand) -> None:
    question = asked(promised, second_party)
    where = f"/draws/questions/{question.pk}/"
    assert sign_in("manager").get(where).status_code == 403
    inspector = sign_in("inspector")
    assert b"Go on without it" in inspector.get("/draws/").content
    few = inspector.post(where, {"dice": "123", "why": "Away."})
    assert b"At least 50 throws" in few.content
    assert not Replacement.objects.exists()
    assert inspector.post(where, {"dice": "16 54 23 " * 10, "why": "Away."}).status_code == 302
    assert Replacement.objects.get().how == "dice"
    assert b"nothing to put in its place" in inspector.get(where).content


@pytest.mark.parametrize("role", ["inspector", "manager"])
def test_the_calls(role: str, promised: Commitment, second_party: AtHand, monkeypatch: pytest.MonkeyPatch) -> None:
    question = asked(promised, second_party)
    caller = Caller(make_device(role)[1])
    [wait] = caller.get("draws/waiting").json()
    assert (wait["question"], wait["occasion"], wait["waits_for"]) == (question.pk, "1042", "witness")
    [row] = caller.get("draws/promises?purpose=keno&name=1042").json()["results"]
    assert (row["id"], row["master"]) == (promised.pk, None)
    promise = caller.get(f"draws/promises/{promised.pk}").json()
    assert promise["commitment"] == bytes(promised.commitment).hex()
    assert caller.get("draws/reports/waits").status_code == 200
    thrown = caller.post(f"draws/questions/{question.pk}/dice", {"dice": "1" * 50, "why": "Away."})
    monkeypatch.setenv("METERHOUSE_KEY_DRAW_MASTERS", "another key altogether")
    back = caller.post(f"draws/promises/{promised.pk}/master", {"master": "00" * 32, "why": "Lost."})
    if role == "inspector":
        assert (thrown.status_code, thrown.json()["how"]) == (200, "dice")
        assert back.json()["code"] == "not-the-master"
    else:
        assert (thrown.status_code, back.status_code) == (403, 403)
        assert not Replacement.objects.exists()
