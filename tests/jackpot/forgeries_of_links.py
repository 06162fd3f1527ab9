"""Lies about what two people decided of a link or a table: meters that were explained, links that were paid out."""

from __future__ import annotations

from tests.jackpot.forgeries import put_after, same_transaction
from tests.world.falsified import Draft


def meter_explained_otherwise(draft: Draft) -> None:
    draft.act("jackpot.meter-explained")["data"]["cause"] = "test-play"


def meter_explained_by_nobody(draft: Draft) -> None:
    draft.act("jackpot.meter-explained")["data"]["proposal"] = 999_999


def meter_explained_and_not_counted(draft: Draft) -> None:
    act = draft.act("jackpot.meter-explained")
    draft.remove(*[row for row in same_transaction(draft, act) if row.get("kind") == "jackpot.contribution"])


def counted_and_nothing_explained(draft: Draft) -> None:
    draft.remove(draft.act("jackpot.meter-explained"))


def meter_never_disagreed(draft: Draft) -> None:
    draft.remove(draft.act("jackpot.meter-disagrees"))


def meter_said_to_show_more(draft: Draft) -> None:
    """Only where it was found: the approval still says what was seen."""
    draft.act("jackpot.meter-disagrees")["data"]["shown"] = 60


def restart_said_to_hide_more(draft: Draft) -> None:
    draft.act("jackpot.meter-disagrees", at=-1)["data"]["unseen"] = 40


def restart_left_out(draft: Draft) -> None:
    """More was counted than any meter showed, and nothing said that there was a restart."""
    del draft.act("jackpot.meter-disagrees", at=-1)["data"]["unseen"]


def paid_out_unequally(draft: Draft) -> None:
    owed = draft.act("jackpot.paid-out")["data"]["owed"]
    owed[0]["amount"], owed[1]["amount"] = owed[1]["amount"], owed[0]["amount"]


def paid_out_by_nobody(draft: Draft) -> None:
    draft.act("jackpot.paid-out")["data"]["proposal"] = 999_999


def paid_out_and_kept(draft: Draft) -> None:
    draft.remove(draft.transfers("jackpot.pay-out")[-1])


def payout_twice(draft: Draft) -> None:
    act = draft.act("jackpot.payout-paid")
    last = draft.rows[-1]
    put_after(draft, last, act, tx=last["tx"] + 1)


def payout_by_who_proposed_it(draft: Draft) -> None:
    proposed = next(row for row in draft.acts("approval.proposed") if row["data"]["kind"] == "jackpot.pay-out")
    for row in same_transaction(draft, draft.act("jackpot.payout-paid")):
        row["actor"] = proposed["actor"]
