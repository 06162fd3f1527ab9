"""A stranger decides every movement of a must-hit-by link again; whatever was changed in what he is given, he sees."""

from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from draws.replace import throw_dice
from house.approvals import propose
from jackpot import promises, terms
from jackpot.decide import BY, decide_movements
from jackpot.meters_on_record import MetersOnRecord
from jackpot.models import Hit, Link, MeterSeal
from kernel.export_check import Doubt
from ledger.models import Act
from tests.world.approvals import INSPECTOR
from tests.world.approvals import decide as approved
from tests.world.mystery_link import TERMS, played, until_it_falls
from tests.world.people import SUPERVISOR
from tests.world.second_party import AtHand
from tests.world.told import tell

Rows = list[tuple[str, dict[str, Any]]]


def recorded() -> Rows:
    rows = Act.objects.filter(kind__in=MetersOnRecord.kinds).order_by("tx", "id")
    return [(row.kind, copy.deepcopy(row.data)) for row in rows]


def checked(rows: Rows) -> tuple[list[str], list[str]]:
    check = MetersOnRecord()
    for index, (kind, data) in enumerate(rows):
        tell(check, kind, data, index=index, subject="jackpot:MYS")
    return check.end(), check.attention


@pytest.fixture
def evening(link: Link, second_party: AtHand) -> Rows:
    """Falls, movements that stood, terms that changed with a win, dice; then the day is over."""
    promises.promise_days(timezone.now(), by=BY)
    until_it_falls()
    data = terms.write(TERMS)
    data["levels"][0]["ceiling"] = "62.00"
    approved(
        propose(
            kind="jackpot.terms", subject="jackpot:MYS", new=data, condition="when-won", why="Agreed.", by=SUPERVISOR
        )
    )
    until_it_falls()
    second_party.away = True
    played(boxes=3)
    decide_movements(timezone.now())
    seal = MeterSeal.objects.order_by("-number")[0]
    throw_dice(seal.commitment, occasion=seal.occasion, attempt=1, dice="123456" * 10, why="Away.", by=INSPECTOR)
    second_party.away = False
    decide_movements(timezone.now())
    for table in ("MYS-01", "MYS-02"):
        played(table, boxes=4)
    decide_movements(timezone.now())
    promises.reveal_days(timezone.now() + timedelta(days=2), by=BY)
    return recorded()


def test_every_movement_is_decided_again(evening: Rows) -> None:
    said, look = checked(evening)
    movements, falls = MeterSeal.objects.count(), Hit.objects.count()
    assert said == [
        f"{movements} movements of 1 must-hit-by link decided again from promise, wagers and answer: {falls} falls."
    ]
    assert look == [
        "1 must-hit-by movement decided without the witness: an inspector’s dice or a public round stand in its place."
    ]
    assert checked([]) == ([], [])


def test_before_the_day_is_over_order_and_sums_are_checked(link: Link) -> None:
    until_it_falls()
    count = MeterSeal.objects.count()
    assert checked(recorded())[0][1] == (
        f"{count} movement{'s' if count > 1 else ''} of days whose master is not revealed yet: order and sums."
    )


def _of(kind: str, change: Callable[[dict[str, Any]], object], *, last: bool = False) -> Callable[[Rows], object]:
    def forge(rows: Rows) -> object:
        found = [data for each, data in rows if each == kind]
        return change(found[-1 if last else 0])

    return forge


def _fell(rows: Rows) -> dict[str, Any]:
    return next(data for kind, data in rows if kind == "jackpot.movement-decided" and data["falls"])


def _without(kind: str) -> Callable[[Rows], object]:
    return lambda rows: rows.remove(next(row for row in rows if row[0] == kind))


def _earlier(rows: Rows) -> None:
    """The master is shown before the first movement is decided."""
    revealed = next(row for row in rows if row[0] == "draw.revealed")
    rows.remove(revealed)
    rows.insert(next(i for i, row in enumerate(rows) if row[0] == "jackpot.movement-decided"), revealed)


def _another_answer(rows: Rows) -> None:
    """To the movement in which it fell. (That it is not the witness's signature is for ``ledger.verify`` to see.)"""
    occasion = _fell(rows)["occasion"]
    answered = next(data for kind, data in rows if kind == "witness.answered" and data["occasion"] == occasion)
    answered["answer"] = "11" * 384


def _cent_less(rows: Rows) -> None:
    """A fall a cent lower, and everything that follows from it by arithmetic put right."""
    act = _fell(rows)
    fell = act["falls"][0]
    place = next(i for i, row in enumerate(rows) if row[1] is act)
    claimed = next(row[1] for row in reversed(rows[:place]) if row[0] == "jackpot.hit")

    def less(amount: str, by: int = -10_000) -> str:
        from kernel.money import Money

        return str(Money.parse_exact(amount) + Money(by))

    fell["point"], fell["amount"] = less(fell["point"]), less(fell["amount"])
    claimed["amount"] = claimed["from_pool"] = fell["amount"]
    act["after"] = less(act["after"], 10_000)
    for kind, data in rows[place + 1 :]:
        if kind == "jackpot.movement-decided":
            if data["before"] != less(act["after"], -10_000):
                break
            data["before"] = act["after"]
            break


FORGED: list[tuple[Callable[[Rows], object], str]] = [
    (
        _of("jackpot.movement-sealed", lambda data: data["wagers"][0].update(box=7)),
        "not the wagers",
    ),
    (_of("jackpot.movement-sealed", lambda data: data["wagers"][0].update(received=1)), "not the wagers"),
    (_of("jackpot.movement-sealed", lambda data: data.update(moved="9.99")), "do not add up"),
    (_of("jackpot.movement-sealed", lambda data: data.update(number=2)), "is sealed after 0"),
    (_of("jackpot.movement-decided", lambda data: data.update(before="50.01")), r"the meter stood at \$50.00"),
    (_of("jackpot.movement-decided", lambda data: data.update(after="50.00")), "the meter would stand at"),
    (_of("jackpot.movement-decided", lambda data: data.update(ceiling="60.01")), "the meter stood at"),
    (_of("jackpot.movement-decided", lambda data: data.update(attempt=2)), "nobody was asked about attempt 2"),
    (_of("jackpot.meter-bounded", lambda data: data.update(ceiling="60.01")), "not those of the terms"),
    (lambda rows: _fell(rows)["falls"][0].update(wager="round/1/9"), "a wager that was not sealed"),
    (lambda rows: _fell(rows)["falls"][0].update(amount="10.00"), "pays wrongly"),
    (_of("jackpot.hit", lambda data: data.update(box=7)), "what was claimed is not what fell"),
    (_of("jackpot.hit", lambda data: data.update(amount="1.00")), "what was claimed is not what fell"),
    (_without("jackpot.movement-decided"), ""),
    (_without("jackpot.movement-sealed"), ""),
    (_without("draw.promised"), "nothing was promised"),
    (_without("draw.sealed"), ""),
    (_without("witness.answered"), "the witness never answered"),
    (_of("draw.revealed", lambda data: data.update(master="00" * 32)), "not the one that was promised"),
    (_another_answer, "decide it otherwise"),
    (_earlier, "after its master was revealed"),
    (_cent_less, ""),
]


def test_whatever_is_changed_is_seen(evening: Rows) -> None:
    for forge, words in FORGED:
        forged = copy.deepcopy(evening)
        forge(forged)
        assert forged != evening
        with pytest.raises(Doubt, match=words or None):
            checked(forged)
