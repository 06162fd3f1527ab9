"""A table at play: how these tests start a round, finish it, and count what the purses hold."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from house.cash.identity import Identity
from jackpot import pools
from jackpot.finish_round import finish_round
from jackpot.hits import pay_hit, verify_hit
from jackpot.models import Hit, Round
from jackpot.rules.handpay import INSTALMENTS, TAX
from jackpot.rules.pool import HOUSE, WAGERS
from jackpot.start_round import Offer, start_round
from kernel.actors import Actor
from kernel.money import Money
from ledger.balance import balance
from tests.world.people import MANAGER, SUPERVISOR, TABLE

CAMERA: Final = "CAM-7 21:04"
IDENTITY: Final = Identity(
    name="Wu Li",
    born=date(1980, 2, 29),
    address="1 George St, Sydney",
    document="Passport",
    document_number="PA1",
)


def start(table: str = "CSP-01", boxes: tuple[int, ...] = (1, 2, 3)) -> Round:
    return start_round(table=table, wagers=[Offer(box=box) for box in boxes], by=TABLE)


def finish(round_: Round, *hands: Any, folded: tuple[int, ...] = ()) -> list[Hit]:
    return finish_round(round_id=round_.pk, hands=list(hands), folded=folded, by=TABLE)


def verify(hit: Hit, by: Actor = SUPERVISOR, **seen: Any) -> Hit:
    """By somebody who looks at the table, and sees there what was dealt."""
    shown: dict[str, Any] = {"cards": hit.dealt, "surveillance": CAMERA}
    return verify_hit(hit_id=hit.pk, by=by, **(shown | seen))


def pay(hit: Hit, by: Actor = MANAGER, **how: Any) -> Hit:
    """To somebody who shows who he is, by a cheque with a number where it is one."""
    shown: dict[str, Any] = {"identity": IDENTITY, "payment_reference": "CHQ 000123"}
    return pay_hit(hit_id=hit.pk, by=by, **(shown | how))


def conserved(code: str) -> None:
    """Everything that was taken at the tables or put in by the house is somewhere."""
    now = pools.read_pools(code)
    inside = Money.total([*now.balances.values(), now.owed_to_winners])
    held = balance(pools.account(code, WAGERS)).amount
    kept = balance(pools.account(code, HOUSE)).amount
    paid = Money.total(-balance(pools.account(code, how)).amount for how in ("cash", "cheque", "chips", "transfer"))
    later = Money.total(balance(pools.account(code, how)).amount for how in (INSTALMENTS, TAX))
    assert inside + held + kept + paid + later == balance(pools.account(code, pools.DROP)).amount + now.advanced


def won(hits: list[Hit]) -> list[tuple[int | None, str, str, str, str]]:
    return [(hit.box, hit.kind, str(hit.amount), str(hit.from_pool), str(hit.from_house)) for hit in hits]


def purses(code: str) -> tuple[str, str]:
    now = pools.read_pools(code)
    return str(now.prize), str(now.reserve)
