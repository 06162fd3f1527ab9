"""Controllers on a must-hit-by link: what names round and boxes counts and may win; the rest starts the next pool."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from django.utils import timezone

from house.models import Incident
from jackpot import movements, pools
from jackpot.contribute import Counted, Message, contribute_bulk, decide_held
from jackpot.decide import decide_movements
from jackpot.models import Batch, CountedWager, Hit, Link, MeterSeal
from jackpot.reconcile import reconcile
from kernel.money import ZERO, Money
from kernel.tasks import tick_after_commit
from ledger.models import Act
from tests.world.jackpot_table import conserved, pay, verify
from tests.world.money import dollars
from tests.world.people import SUPERVISOR, TABLE
from tests.world.players import registered
from tests.world.second_party import AtHand


def send(*messages: Message) -> Counted:
    return contribute_bulk(messages=messages, by=TABLE)


def message(number: int, *boxes: int, late: float = 0, table: str = "MYS-01", name: str = "") -> Message:
    at = datetime.now(UTC) - timedelta(seconds=late)
    return Message(name or f"{table}-{number}", table, len(boxes), at, round=number, boxes=boxes)


def where() -> tuple[str, str]:
    now = pools.read_pools("MYS")
    return str(now.prize), str(now.balances["prize-overflow"])


def test_with_round_and_boxes_it_counts_and_may_win(link: Link) -> None:
    first = message(1, 1, 2, 3)
    counted = send(first, message(2, 5, 6), message(1, 4, table="MYS-02"))
    assert (counted.counted, counted.wagers, counted.refused) == (3, 6, [])
    assert where() == ("53.00", "0.00")
    assert sorted(CountedWager.objects.values_list("wager", flat=True)) == [
        "message/MYS-01-1/1", "message/MYS-01-1/2", "message/MYS-01-1/3",
        "message/MYS-01-2/5", "message/MYS-01-2/6", "message/MYS-02-1/4",
    ]  # fmt: skip
    again = send(first)
    assert (again.duplicates, CountedWager.objects.count(), where()) == (1, 6, ("53.00", "0.00"))
    for number in range(3, 6):
        send(message(number, *range(1, 8)))
    assert decide_movements(timezone.now()) == 1  # more than the ceiling: it falls surely
    hit = Hit.objects.get(sequence=1)
    assert hit.message in {f"MYS-01-{n}" for n in range(1, 6)} | {"MYS-02-1"}
    registered("P-1")
    assert hit.box is not None
    assert verify(hit, box=hit.box, player_card="P-1").status == "verified"
    assert pay(hit).status == "paid"
    conserved("MYS")
    assert reconcile(link=link).fault == ""


def test_without_them_it_goes_to_the_next_pool_and_cannot_win(link: Link) -> None:
    counted = send(Message("plain", "MYS-01", 300, datetime.now(UTC)))
    assert (counted.counted, where()) == (1, ("50.00", "150.00"))
    assert decide_movements(timezone.now()) == 0
    assert (Hit.objects.count(), CountedWager.objects.count(), Incident.objects.count()) == (0, 0, 0)
    assert Batch.objects.get().next_pool
    conserved("MYS")
    assert reconcile(link=link).fault == ""


def test_late_or_after_a_gap_it_goes_to_the_next_pool_and_is_told(link: Link) -> None:
    send(message(7, 1))
    assert where() == ("50.50", "0.00")  # the first round of a controller is where it begins
    send(message(8, 1, late=11), message(9, 2))
    assert where() == ("51.00", "0.50")  # the late one; the round after it follows
    send(message(11, 3))  # 10 is missing
    assert where() == ("51.00", "1.00")
    send(message(10, 4))  # kept back, and sent after a later one
    assert where() == ("51.00", "1.50")
    send(message(12, 5), message(13, 6, late=-11))  # a clock that runs ahead is none to go by either
    assert where() == ("51.50", "2.00")
    assert Incident.objects.get().kind == "jackpot-wagers-too-late"
    why = [act.data["why"] for act in Act.objects.filter(kind="jackpot.wagers-too-late").order_by("id")]
    assert [each.split()[0] for each in why] == ["they", "a", "a", "they"]
    assert CountedWager.objects.count() == 3
    conserved("MYS")


@pytest.mark.parametrize(
    ("wagers", "boxes", "code"),
    [(2, (1,), "boxes-differ"), (2, (1, 1), "boxes-differ"), (1, (9,), "no-such-box")],
)
def test_boxes_that_cannot_be(link: Link, wagers: int, boxes: tuple[int, ...], code: str) -> None:
    counted = send(Message("x", "MYS-01", wagers, datetime.now(UTC), round=1, boxes=boxes), message(1, 2))
    assert [(each.id, each.code) for each in counted.refused] == [("x", code)]
    assert (counted.counted, CountedWager.objects.count()) == (1, 1)


def test_what_was_held_comes_too_late(link: Link) -> None:
    from dataclasses import replace

    from jackpot.models import Terms
    from jackpot.terms import write
    from tests.world.mystery_link import TERMS

    tight = replace(TERMS, parameters=replace(TERMS.parameters, contribution_limit=Money.dollars(2)))
    Terms.objects.create(link=link, version=2, data=write(tight), set_by="system:tests")
    counted = send(message(1, 1, 2, 3))
    (held,) = counted.held
    assert where() == ("50.00", "0.00")
    decide_held(batch_id=held.batch, release=True, by=SUPERVISOR)
    assert (where(), CountedWager.objects.count()) == (("50.00", "1.50"), 0)
    conserved("MYS")


def test_before_the_day_is_promised_nothing_counts(link: Link, second_party: AtHand) -> None:
    second_party.unseen = True
    send(message(1, 1))
    assert (where(), Incident.objects.count()) == (("50.00", "0.50"), 1)
    second_party.unseen = False
    send(message(2, 1))
    assert where() == ("50.50", "0.50")


def test_other_links_take_boxes_and_count_as_before(link: Link) -> None:
    send(message(1, 1, 2, table="CSP-01"), message(5, 3, table="CSP-01"))
    assert (pools.read_pools("CSP").prize, CountedWager.objects.count()) == (dollars("50005.25"), 0)
    assert pools.read_pools("CSP").balances["prize-overflow"] == ZERO
    assert MeterSeal.objects.count() == 0


def test_the_first_wager_in_a_while_has_the_link_ticked_at_once(
    link: Link, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    """What follows is gathered by the second: neither a message for each wager nor a seal for each."""
    sent: list[tuple[str, list[str]]] = []
    numbers = count(1)
    monkeypatch.setattr(movements, "tick_after_commit", tick_after_commit)
    monkeypatch.setattr("kernel.tasks.current_app.send_task", lambda name, args, **_: sent.append((name, args)))

    def counted(*, decided: bool = False) -> int:
        sent.clear()
        with django_capture_on_commit_callbacks(execute=True):
            send(message(next(numbers), 1))
        if decided:
            decide_movements(timezone.now())
        assert all(each == ("tick", ["jackpot"]) for each in sent)
        return len(sent)

    assert [counted(), counted(), counted(decided=True)] == [1, 0, 0]  # two lie there already
    assert counted(decided=True) == 0  # within the second of the last seal
    monkeypatch.setattr(movements, "SEALED_EVERY", timedelta(0))
    assert [counted(), counted()] == [1, 0]
