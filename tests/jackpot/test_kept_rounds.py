"""Rounds of an export in little memory: what is over lies in a file, and comes back as it was."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from jackpot.demo import LINKS
from jackpot.hit_acts import HitClaimed
from jackpot.kept_rounds import KeptRounds
from jackpot.links_on_record import LinkOnRecord, LinksOnRecord, Version
from jackpot.rounds_on_record import FINISHED, HitOnRecord, RoundOnRecord
from kernel.money import Money

pytestmark = pytest.mark.quick
MANY = 3_000


@pytest.fixture
def kept() -> KeptRounds:
    """Rounds one after the other; round N ends with transaction N. One has won, one has a sealed hand, one is open."""
    record = LinksOnRecord()
    link = record.links["CSP"] = LinkOnRecord("CSP", ("prize",), 1, record.seals)
    link.versions.append(Version(1, LINKS[0][2], datetime(2026, 11, 18, tzinfo=UTC), 1))
    rounds = KeptRounds(record)
    for number in range(1, MANY + 1):
        found = RoundOnRecord(
            number, link, "CSP-01", link.newest, (1, 2), {"prize": Money(number)}, (number, number), {"device:T-0001"}
        )
        found.state, found.ended, found.fed = FINISHED, (number, number), 2
        found.pieces.update(["AS", "KD"])
        rounds.add(found)
    rounds[10].hits.append(HitOnRecord(HitClaimed.__new__(HitClaimed), "device:T-0001"))
    rounds[11].sealed[1] = b"sealed"
    rounds[12].state, rounds[12].ended = "open", None
    return rounds


def test_what_is_over_lies_in_a_file(kept: KeptRounds) -> None:
    kept.ended_before(2_000)
    assert len(kept) == MANY
    assert set(kept) == {10, 11, 12, *range(2_000, MANY + 1)}


def test_it_comes_back_as_it_was_and_can_change(kept: KeptRounds) -> None:
    before = kept[77]
    kept.ended_before(2_000)
    after = kept[77]
    assert after is not before
    assert after == before
    assert after.link is before.link
    assert after.version is before.version
    after.named_boxes.add(2)
    kept.look_from = 0
    kept.ended_before(2_000)
    assert 77 not in kept.at_hand
    assert kept[77].named_boxes == {2}


def test_who_never_began_is_not_there(kept: KeptRounds) -> None:
    kept.ended_before(2_000)
    assert (0 in kept, 1 in kept, MANY in kept, MANY + 1 in kept) == (False, True, True, False)
