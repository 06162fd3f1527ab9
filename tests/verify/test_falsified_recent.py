"""What came last into the house, as a vendor with every key would change it: handpays in instalments, disagreements,
finals and seats, ages and households, payment errors given up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.world.falsified import Draft, Exported, doubted, wrong

Change = Callable[[Draft], object]


def said(kind: str, at: int = 0, **changed: Any) -> Change:
    return lambda draft: draft.act(kind, at)["data"].update(changed)


def gone(kind: str, at: int = 0) -> Change:
    return lambda draft: draft.remove(draft.act(kind, at))


def by(kind: str, other: str) -> Change:
    """Done by who did the other."""

    def change(draft: Draft) -> None:
        draft.act(kind)["actor"] = draft.acts(other)[-1]["actor"]

    return change


def a_year_early(draft: Draft) -> None:
    paid = draft.act("jackpot.instalment-paid")["data"]
    paid["due"] = str(int(paid["due"][:4]) - 1) + paid["due"][4:]


RECENT: dict[str, tuple[Change, str]] = {
    "an instalment a year early": (a_year_early, "is not what was approved"),
    "an instalment out of another drawer": (said("jackpot.instalment-paid", method="cash"), "to cash"),
    "an instalment of less owed": (said("jackpot.instalment-paid", owed="1.00"), "is not what was approved"),
    "a handpay authorised by who verified it": (
        by("jackpot.hit-authorised", "jackpot.hit-verified"),
        "who had a part in it",
    ),
    "a handpay nobody authorised": (gone("jackpot.hit-authorised"), "nobody had authorised it"),
    "a disagreement that was never open": (gone("jackpot.meter-disagrees", 1), "was not open"),
    "a disagreement explained otherwise": (
        said("jackpot.meter-explained", cause="reset"),
        "something else was approved",
    ),
    "bounds above the terms": (said("jackpot.meter-bounded", ceiling="70.00"), "its bounds are not those"),
    "another share of a link that ended": (said("jackpot.payout-paid", payout=2), "was not owed so"),
    "a tie for the final that nobody drew": (said("tournament.qualified", tied=[]), "nothing decided between them"),
    "seats not by lot": (said("tournament.seated", how="as-entered"), "otherwise than by the conditions"),
    "a rebuy at half the price": (said("tournament.rebought", price="10.00"), "not as the conditions say"),
    "a rebuy left out": (gone("tournament.rebought"), "is retained"),
    "a claimant of an employee's household": (said("promotion.claim-made", household=True), "household"),
    "an overpayment closed as returned": (
        said("tablegames.payment-error-closed", outcome="rectified"),
        "is given up, and may not be",
    ),
    "an overpayment only reported": (
        said("tablegames.payment-error-closed", outcome="reported"),
        "is given up, and may not be",
    ),
    "an overpayment given up unattempted": (
        gone("tablegames.payment-error-step-taken"),
        "is given up, and may not be",
    ),
    "an overpayment nobody looked into": (
        gone("tablegames.payment-error-intent-decided"),
        "is given up, and may not be",
    ),
}


@pytest.mark.parametrize("named", RECENT)
def test_whatever_is_changed_is_seen(small_house: Exported, named: str) -> None:
    change, words = RECENT[named]
    assert words in doubted(small_house, change)


def test_by_the_whole_program_too(small_house: Exported) -> None:
    assert wrong(small_house, RECENT["an overpayment given up unattempted"][0])
