"""What the verifier asks the rooms: every kind is somebody's, and what the house may write it can read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kernel.export_check import RoomCheck
from kernel.rooms import declared_acts
from tests.world.falsified import Change, Draft, Exported, Forger, Row, doubted, falsified, wrong
from verify.books import Books
from verify.known_acts import KNOWN_ACTS
from verify.rooms import room_checks


def test_every_act_that_a_room_declares_is_known_to_the_verifier() -> None:
    assert declared_acts() == KNOWN_ACTS


def test_a_kind_of_transfer_is_one_rooms() -> None:
    class Greedy(RoomCheck):
        name = "Greedy"
        transfers = frozenset({"keno.sale"})

    class Careless(RoomCheck):
        acts = frozenset({"keno.nothing"})

    Books(room_checks())
    for other in (Greedy(), Careless()):
        with pytest.raises(ValueError, match=r"keno\."):
            Books([*room_checks(), other])


def test_what_is_taken_apart_and_put_together_again_is_the_same(small_house: Exported) -> None:
    for forger in Forger:
        assert falsified(small_house, lambda draft: None, by=forger) == small_house.raw
    assert doubted(small_house, lambda draft: None) == ""
    assert wrong(small_house, lambda draft: None) == ""


def _of(row: Callable[[Draft], Row], **fields: object) -> Callable[[Draft], None]:
    return lambda draft: row(draft).update(fields)


UNKNOWN: dict[str, tuple[Change, str]] = {
    "transfer": (_of(lambda draft: draft.transfer("keno.sale"), kind="keno.gift"), "a transfer of kind keno.gift is"),
    "reversal": (
        _of(lambda draft: draft.transfer("keno.sale"), kind="keno.gift.reversal"),
        "a transfer of kind keno.gift.reversal is",
    ),
    "act": (_of(lambda draft: draft.act("staff.hired"), kind="staff.bribed"), "an act of kind staff.bribed is"),
    "field": (lambda draft: draft.act("staff.hired")["data"].update(rank=1), "has no field rank"),
    "subject": (_of(lambda draft: draft.act("keno.closed"), subject="keno-game:01"), "not written in its one way"),
    "account": (_of(lambda draft: draft.transfer("keno.sale"), credit="keno:pocket"), "keno:pocket was never opened"),
    "two accounts of one": (
        lambda draft: draft.transfer("keno.sale").update(debit=draft.transfer("keno.sale")["credit"]),
        "from one account to another",
    ),
    "opened twice": (
        lambda draft: draft.add_after(draft.act("ledger.account-opened")),
        "is opened a second time",
    ),
    "nothing": (_of(lambda draft: draft.transfer("keno.sale"), micros=0), "an amount above zero"),
    "part of a cent": (_of(lambda draft: draft.transfer("keno.sale"), micros=1_000_001), "a part of a cent"),
}


@pytest.mark.parametrize("what", UNKNOWN)
def test_what_nobody_knows_is_wrong(small_house: Exported, what: str) -> None:
    change, sentence = UNKNOWN[what]
    assert sentence in doubted(small_house, change)
