"""A controller only counted wagers, and whoever verified the hit named the box that had won: his friend's.

Stopped by: a wager that can win names its box before it is sealed; the box stands in the log before anybody can know
what it wins, and the verifier cannot name another. A message without boxes cannot win at all.
Not stopped: who sits at the box is for people and surveillance to say.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from jackpot.contribute import Message, contribute_bulk
from jackpot.decide import decide_movements
from jackpot.models import CountedWager, Hit, Link
from kernel.refusal import Refusal
from ledger.models import Act
from tests.world.jackpot_table import verify
from tests.world.people import TABLE
from tests.world.players import registered


def test_the_box_is_sealed_before_it_can_win(must_hit_by: Link) -> None:
    for number in range(1, 4):
        boxes = tuple(range(1, 8))
        message = Message(f"m{number}", "MYS-01", 7, datetime.now(UTC), round=number, boxes=boxes)
        contribute_bulk(messages=[message], by=TABLE)
    decide_movements(timezone.now())  # 21 wagers: it falls surely
    hit = Hit.objects.get(sequence=1)
    sealed = Act.objects.get(kind="jackpot.movement-sealed")
    asked = Act.objects.get(kind="witness.asked")
    assert sealed.id < asked.id
    assert {"wager": f"message/{hit.message}/{hit.box}", "box": hit.box}.items() <= next(
        each for each in sealed.data["wagers"] if each["wager"] == f"message/{hit.message}/{hit.box}"
    ).items()
    registered("FRIEND")
    assert hit.box is not None
    for box in {1, 2, 3, 4, 5, 6, 7} - {hit.box}:
        with pytest.raises(Refusal) as refused:
            verify(hit, box=box, player_card="FRIEND")
        assert refused.value.code == "box-differs"
    with pytest.raises(DatabaseError), transaction.atomic():
        CountedWager.objects.filter(message=hit.message).update(box=9)
    assert Hit.objects.get(pk=hit.pk).status == "claimed"


def test_without_boxes_nobody_wins(must_hit_by: Link) -> None:
    contribute_bulk(messages=[Message("many", "MYS-01", 500, datetime.now(UTC))], by=TABLE)
    decide_movements(timezone.now())
    assert (Hit.objects.count(), CountedWager.objects.count()) == (0, 0)
