"""Lies about what two people decided of a link or a table: meters that were explained, links that were paid out."""

from __future__ import annotations

from tests.jackpot.forgeries import same_transaction
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
