"""Running meters of controllers: nothing doubled or lost, whatever is missing, repeated, restarted or rolled over."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from house.models import Incident
from jackpot import pools
from jackpot.meters import MetersRead, Reading, read_meters
from jackpot.models import Contribution, Link, MeterDisagreement, MeterReading
from jackpot.reconcile import reconcile
from jackpot.rules.running_meter import WAGERS_LIMIT, Read, Step, next_reading
from kernel.refusal import Forbidden, Refusal
from tests.world.extent import seeds
from tests.world.jackpot_table import conserved
from tests.world.meters import closed_by_two
from tests.world.money import dollars
from tests.world.people import MANAGER, TABLE

START = datetime.now(UTC) - timedelta(hours=1)


def reading(seconds: int, meter: int, *, table: str = "CSP-01", later: int = 0, number: int | None = None) -> Reading:
    """The reading of that number, taken so many seconds after the start."""
    sequence = seconds if number is None else number
    return Reading(table, sequence, meter, START + timedelta(seconds=seconds + later))


def send(*readings: Reading) -> MetersRead:
    return read_meters(readings=readings, by=TABLE)


def told(answer: MetersRead) -> list[tuple[str, int | None, int | None]]:
    return [(each.what, each.first, each.last) for each in answer.noted]


@pytest.mark.parametrize(
    ("last", "sequence", "meter", "later", "expected"),
    [
        (None, 7, 1000, True, Read(Step.BASELINE)),
        ((7, 1000), 8, 1003, True, Read(Step.NEXT, 3)),
        ((7, 1000), 8, 1000, True, Read(Step.NEXT, 0)),
        ((7, 1000), 10, 1009, True, Read(Step.GAP, 9, (8, 9))),
        ((7, 9998), 8, 4, True, Read(Step.ROLL_OVER, 6)),
        ((7, 8998), 8, 4, True, Read(Step.UNBELIEVABLE)),
        ((7, 1000), 1, 12, True, Read(Step.RESTART, 12, unseen=WAGERS_LIMIT - 12)),
        ((7, 1000), 7, 12, True, Read(Step.RESTART, 12, unseen=WAGERS_LIMIT - 12)),
        ((7, 1000), 7, 1004, True, Read(Step.EARLIER)),
        ((7, 1000), 7, 1000, False, Read(Step.EARLIER)),
        ((7, 1000), 5, 990, False, Read(Step.EARLIER)),
    ],
)
def test_what_a_reading_means(
    last: tuple[int, int] | None, sequence: int, meter: int, later: bool, expected: Read
) -> None:
    assert next_reading(last=last, sequence=sequence, meter=meter, is_later=later) == expected


@pytest.mark.parametrize(
    ("last", "sequence", "meter", "expected"),
    [
        ((7, 1000), 1, 12, Read(Step.RESTART, 12, unseen=23)),
        ((7, 1000), 1, 35, Read(Step.RESTART, 35)),  # nothing else can have been played
        ((7, 1000), 1, 36, Read(Step.UNBELIEVABLE)),
        ((7, 1000), 1, 1009, Read(Step.RESTART, 9)),  # it kept its meter
        ((7, 10), 1, 19, Read(Step.RESTART, 9, unseen=26)),  # kept, or begun anew
        ((7, 9990), 8, 25, Read(Step.ROLL_OVER, 35)),
        ((7, 9990), 8, 26, Read(Step.UNBELIEVABLE)),
    ],
)
def test_no_more_than_its_boxes_can_have_played(
    last: tuple[int, int], sequence: int, meter: int, expected: Read
) -> None:
    """In a minute: seven boxes, four rounds and the one that had begun."""
    assert next_reading(last=last, sequence=sequence, meter=meter, is_later=True, playable=35) == expected


@pytest.mark.usefixtures("floor")
def test_the_first_is_a_baseline_and_each_next_one_adds() -> None:
    first = send(reading(1, 5_000))
    assert (first.accepted, first.wagers, told(first)) == (1, 0, [("baseline", None, None)])
    answer = send(reading(2, 5_004), reading(3, 5_010))
    assert (answer.accepted, answer.wagers, str(answer.amount)) == (2, 10, "25.00")
    assert pools.read_pools("CSP").prize == dollars("50017.50")
    again = send(reading(2, 5_004), reading(3, 5_010))
    assert (again.accepted, again.duplicates, again.wagers) == (0, 2, 0)
    other = send(reading(3, 5_011))
    assert [(each.code, each.place) for each in other.conflicts] == [("reading-differs", 0)]
    assert pools.read_pools("CSP").prize == dollars("50017.50")


@pytest.mark.usefixtures("floor")
def test_a_gap_loses_nothing_and_is_asked_for_again() -> None:
    answer = send(reading(1, 100), reading(5, 120))
    assert (answer.wagers, told(answer)) == (20, [("baseline", None, None), ("gap", 2, 4)])
    late = send(reading(2, 103), reading(4, 118), reading(3, 999))
    assert (late.accepted, late.wagers) == (2, 0)  # the meter had counted them
    assert [each.code for each in late.conflicts] == ["meter-differs"]
    assert MeterReading.objects.count() == 4


@pytest.mark.usefixtures("floor")
def test_restarts_and_roll_overs_are_recognised_and_what_cannot_be_believed_is_told() -> None:
    send(reading(1, 9_990), reading(2, 9_998))
    over = send(reading(3, 3))
    assert (over.wagers, told(over)) == (5, [("roll-over", None, None)])
    restarted = send(reading(1, 2, later=60))
    assert (restarted.wagers, told(restarted)) == (2, [("restart", None, None)])
    send(reading(2, 500, later=60))
    before = Contribution.objects.count()
    fell = send(reading(3, 40, later=60), reading(1, 7, table="CSP-02"))
    assert [(each.code, each.table) for each in fell.refused] == [("meter-fell", "CSP-01")]
    assert fell.accepted == 1  # the others are taken
    assert Contribution.objects.count() == before
    assert {each.kind for each in Incident.objects.all()} == {
        "jackpot-meter-disagrees",  # the restart: nobody knows what was wagered just before
        "jackpot-meter-not-believed",
    }


@pytest.mark.usefixtures("floor")
def test_whose_table_it_is_and_who_may() -> None:
    with pytest.raises(Forbidden):
        read_meters(readings=[reading(1, 1)], by=MANAGER)
    with pytest.raises(Refusal):
        send()
    assert [each.code for each in send(reading(1, 1, table="NONE")).refused] == ["no-such-table"]


@pytest.mark.usefixtures("floor")
@pytest.mark.parametrize("seed", seeds(4, always=1))
def test_eight_controllers_with_lost_answers_and_readings_bring_in_what_was_played(seed: int) -> None:
    """Readings lost, repeated and out of order, clocks off by minutes; every other controller restarts, with readings
    under way that come after the restart or never. What no reading shows two people find out, and at the end every
    wager is counted once."""
    dice = random.Random(seed)
    tables = [f"CSP-0{n}" for n in range(1, 5)] + ["BOOM-01", "BOOM-02", "GJ-01", "GJ-02"]
    played, never_shown = dict.fromkeys(tables, 0), dict.fromkeys(tables, 0)
    for table in tables:
        meter, sequence, pending, late = dice.randint(10**4, 10**6), 0, list[Reading](), list[Reading]()
        seconds = dice.randint(-240, 240)
        send(reading(0, meter, table=table, later=seconds))
        known = meter  # by a reading that comes, now or later
        for turn in range(12):
            if turn == 6 and table.endswith(("1", "3")):
                never_shown[table] += meter - known
                late, pending = pending, []
                meter, sequence, known, seconds = 0, 0, 0, seconds + 15 * 60
            sequence += 1
            wagers = dice.randint(0, 9)
            meter += wagers
            played[table] += wagers
            pending.append(reading(60 * sequence, meter, table=table, later=seconds, number=sequence))
            if dice.random() < 0.2:
                pending.pop()  # lost for good
            else:
                known = meter
            if pending and dice.random() < 0.5:
                dice.shuffle(pending)
                send(*pending, *pending[:2])
                pending = pending if dice.random() < 0.3 else []  # the answer was lost: all of it again
        sequence += 1
        send(*pending, reading(60 * sequence, meter, table=table, later=seconds, number=sequence))
        if late:
            send(*late, *late)
    for found in MeterDisagreement.objects.filter(status="open"):
        lost = never_shown[found.table.code]
        assert lost <= found.unseen
        closed_by_two(found, lost)
    counted = sum(Contribution.objects.values_list("wagers", flat=True))
    assert counted == sum(played.values())
    for code in ("CSP", "BOOM", "GJ"):
        conserved(code)
        assert reconcile(link=Link.objects.get(code=code)).fault == ""
