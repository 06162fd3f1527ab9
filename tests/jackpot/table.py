"""A table at play: how these tests start a round, finish it, and count what the purses hold."""

from __future__ import annotations

from jackpot import pools
from jackpot.finish_round import finish_round
from jackpot.models import Hit, Round
from jackpot.rules.pool import HOUSE, WAGERS
from jackpot.start_round import Offer, start_round
from ledger.balance import balance
from ledger.money import Money
from tests.jackpot.people import (
    TABLE,
)


def start(table: str = "CSP-01", boxes: tuple[int, ...] = (1, 2, 3)) -> Round:
    return start_round(table=table, wagers=[Offer(box=box) for box in boxes], by=TABLE)


def finish(round_: Round, *hands, folded: tuple[int, ...] = ()) -> list[Hit]:
    return finish_round(round_id=round_.pk, hands=list(hands), folded=folded, by=TABLE)


def conserved(code: str) -> None:
    """Everything that was taken at the tables or put in by the house is somewhere."""
    now = pools.standing(code)
    inside = Money.total([*now.balances.values(), now.owed_to_winners])
    held = balance(pools.account(code, WAGERS)).amount
    kept = balance(pools.account(code, HOUSE)).amount
    paid = Money.total(-balance(pools.account(code, how)).amount for how in ("cash", "cheque", "transfer"))
    assert inside + held + kept + paid == balance(pools.account(code, pools.DROP)).amount + now.advanced


def won(hits: list[Hit]) -> list[tuple[int | None, str, str, str, str]]:
    return [(hit.box, hit.kind, str(hit.amount), str(hit.from_pool), str(hit.from_house)) for hit in hits]


def purses(code: str) -> tuple[str, str]:
    now = pools.standing(code)
    return str(now.prize), str(now.reserve)
