"""Lies about how a hit was paid: tax, the fourth person, instalments."""

from __future__ import annotations

from tests.jackpot.forgeries import Row, put_after, same_transaction
from tests.world.falsified import Draft


def _taxed(draft: Draft) -> Row:
    return next(row for row in draft.acts("jackpot.hit-paid") if row["data"].get("withheld"))


def tax_raised(draft: Draft) -> None:
    """A cent more is withheld of the winner, and booked so."""
    _taxed(draft)["data"]["withheld"] = "9999.99"


def tax_forgotten(draft: Draft) -> None:
    row = _taxed(draft)
    draft.remove(*(each for each in same_transaction(draft, row) if each.get("kind") == "jackpot.tax"))


def tax_of_one_who_won_before(draft: Draft) -> None:
    """Somebody is taxed whose prize was won before there was a tax."""
    row = next(each for each in draft.acts("jackpot.hit-paid") if not each["data"].get("withheld"))
    row["data"]["withheld"] = "10.00"


def nobody_authorised_it(draft: Draft) -> None:
    draft.remove(draft.act("jackpot.hit-authorised"))


def authorised_by_who_verified(draft: Draft) -> None:
    row = draft.act("jackpot.hit-authorised")
    verified = next(each for each in draft.acts("jackpot.hit-verified") if each["data"]["hit"] == row["data"]["hit"])
    row["actor"] = verified["actor"]


def another_plan(draft: Draft) -> None:
    dues = _taxed(draft)["data"]["instalments"]
    dues[0]["amount"], dues[2]["amount"] = dues[2]["amount"], dues[0]["amount"]
    dues[2]["due"] = "2199-01-01"


def instalment_twice(draft: Draft) -> None:
    last = draft.rows[-1]
    put_after(draft, last, draft.act("jackpot.instalment-paid"), tx=last["tx"] + 1)


def instalment_larger(draft: Draft) -> None:
    draft.act("jackpot.instalment-paid")["data"]["amount"] = "99999.00"


def instalment_not_booked(draft: Draft) -> None:
    draft.remove(draft.transfers("jackpot.instalment")[0])


def instalment_by_who_verified(draft: Draft) -> None:
    act = draft.act("jackpot.instalment-paid")
    verified = next(each for each in draft.acts("jackpot.hit-verified") if each["data"]["hit"] == act["data"]["hit"])
    for row in same_transaction(draft, act):
        row["actor"] = verified["actor"]
