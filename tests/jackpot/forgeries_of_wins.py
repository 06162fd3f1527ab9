"""Lies about wins that are shared or denied: majors at the same time, and terms that had waited for a win."""

from __future__ import annotations

from kernel.money import Money
from tests.jackpot.forgeries import Row, finished, put_after, same_transaction, transfers
from tests.world.falsified import Draft

# Beside a void hand


def won_with_a_void_wager(draft: Draft) -> None:
    """What goes back with a void hand is still in the pool when it is won, and goes back afterwards."""
    ended = [row for row in draft.acts("jackpot.round-finished") if row["subject"] == "jackpot:CSP"]
    act = next(row for row in ended if row["data"]["void"] and row["data"].get("pools"))
    gone = transfers(draft, "jackpot.void-hand", f"round/{act['data']['round']}/")
    for row in reversed(gone):
        draft.move_after(row, act)
    for purse in ("prize", "reserve"):
        back = sum(int(row["micros"]) for row in gone if row["debit"].endswith(f":{purse}"))
        held = Money.parse_exact(act["data"]["pools"][purse])
        act["data"]["pools"][purse] = str(held + Money(back))


# Majors at the same time


def _first_shared(draft: Draft) -> Row:
    return draft.acts("jackpot.hit-shared")[0]


def shared_unequally(draft: Draft) -> None:
    """The first keeps a dollar more than his half."""
    _first_shared(draft)["data"].update(amount="5001.00", from_pool="5001.00")


def share_forgotten(draft: Draft) -> None:
    """Both keep what each would have won alone."""
    row = _first_shared(draft)
    number = row["data"]["hit"]
    moved = [
        *transfers(draft, "jackpot.win.reversal", f"hit/{number}/"),
        *transfers(draft, "jackpot.win", f"hit/{number}/1/"),
    ]
    draft.remove(row, *(each for each in moved if each["tx"] == row["tx"]))


def second_major_hidden_from_the_first(draft: Draft) -> None:
    number = hit_round(draft, _first_shared(draft)["data"]["hit"])
    finished(draft, number)["data"]["waits_for"] = []


def waits_for_a_round_that_had_ended(draft: Draft) -> None:
    number = hit_round(draft, _first_shared(draft)["data"]["hit"])
    finished(draft, number)["data"]["waits_for"].insert(0, 1)


def paid_before_it_is_known_who_shares(draft: Draft) -> None:
    """The second of two is verified only after the first was paid."""
    first = _first_shared(draft)["data"]["hit"]
    paid = next(row for row in draft.acts("jackpot.hit-paid") if row["data"]["hit"] == first)
    second = next(row for row in draft.acts("jackpot.hit-verified") if row["data"]["hit"] == first + 1)
    for row in reversed(same_transaction(draft, second)):
        draft.move_after(row, same_transaction(draft, paid)[-1])


def hit_round(draft: Draft, number: int) -> int:
    return next(int(row["data"]["round"]) for row in draft.acts("jackpot.hit") if row["data"]["hit"] == number)


# Terms that waited for a win


def terms_kept_after_a_denied_win(draft: Draft) -> None:
    draft.remove(draft.act("jackpot.terms-restored"), draft.act("approval.waits-again"))


def other_terms_restored(draft: Draft) -> None:
    draft.act("jackpot.terms-restored")["data"]["terms"]["bonus"] = "1.00"


def terms_restored_without_a_denial(draft: Draft) -> None:
    row, last = draft.act("jackpot.terms-restored"), draft.rows[-1]
    put_after(draft, last, row, tx=last["tx"] + 1)


def waits_again_without_a_denial(draft: Draft) -> None:
    row, last = draft.act("approval.waits-again"), draft.rows[-1]
    put_after(draft, last, row, tx=last["tx"] + 1)
