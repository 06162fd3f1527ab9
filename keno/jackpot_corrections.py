"""The jackpots of a game that was settled on wrong numbers and is settled again (12.1): put right by
``keno.rules.jackpots``. The pools are held.

A jackpot that both settlements win is shared anew, and its pool stays as it is. One that only the wrong numbers won
goes back whole: what had been paid of it is the house's loss, never the pool's. One that only the right numbers win
pays what was displayed when the game was first settled; what the pool does not hold any more is the house's cost.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from django.db import connection

from jackpot import pools
from keno.accounts import PRIZES_OWING
from keno.acts import GameSettled
from keno.jackpots import POOLS, WON, purses_of
from keno.models import Game
from keno.resettle_kinds import JACKPOT_CORRECTED
from keno.rules.jackpots import Booked, Move, Purse, Purses, unwin, win_then
from keno.rules.schedules import GUARANTEES
from kernel.actors import Actor
from kernel.money import ZERO, Money
from ledger.models import Act

_PURSES: Final = {
    "prize": Purse.PRIZE,
    "reserve": Purse.SECONDARY,
    "reimbursement": Purse.REIMBURSEMENT,
    "advance": Purse.HOUSE,
}
# What stands before the act in the log: the same for everybody who reads it.
_THEN: Final = """
    SELECT coalesce(sum(CASE WHEN t.credit_id = a.id THEN t.amount ELSE -t.amount END), 0)::bigint
    FROM ledger_account a JOIN ledger_transfer t ON a.id IN (t.debit_id, t.credit_id)
    WHERE a.code = %(account)s AND (t.tx, t.id) < (%(tx)s, %(id)s)
"""


def settled_act(game: Game) -> Act:
    """The act by which it was first settled."""
    return Act.objects.get(kind=GameSettled.kind, subject=game.subject)


@dataclass(frozen=True, slots=True)
class Corrected:
    """What the right numbers win of a jackpot; of it, what its pool gives."""

    won: Money = ZERO
    from_pool: Money = ZERO


def correct(*, game: Game, spots: int, wins: bool, day: date, by: Actor) -> Corrected:
    """*wins*: whether a way of the right numbers wins this jackpot."""
    before = pools.transfers_of(link=POOLS[spots], kind=WON, reference=f"game/{game.number}")
    paid = Money.total(each.amount for each in before if each.credit.code == PRIZES_OWING)
    if not wins:
        if before:
            moves = [Move(_purse(each.debit.code), _purse(each.credit.code), each.amount) for each in before]
            _book(game, spots, unwin(purses_of(spots), moves, guarantee=GUARANTEES[spots]), day=day, by=by)
        return Corrected()
    if before:
        return Corrected(paid, paid)
    amount = displayed_then(game, spots)
    booked = win_then(purses_of(spots), amount, guarantee=GUARANTEES[spots])
    _book(game, spots, booked, day=day, by=by)
    given = Money.total(move.amount for move in booked.moves if move.target is Purse.WINNERS)
    return Corrected(amount, given)


def displayed_then(game: Game, spots: int) -> Money:
    """What the jackpot displayed when the game was first settled."""
    settled = settled_act(game)
    with connection.cursor() as cursor:
        account = pools.account(POOLS[spots], "prize")
        cursor.execute(_THEN, {"account": account, "tx": settled.tx, "id": settled.id})
        return Purses(prize=Money(int(cursor.fetchone()[0]))).displayed(GUARANTEES[spots])


def _purse(account: str) -> Purse:
    return Purse.WINNERS if account == PRIZES_OWING else _PURSES[account.rpartition(":")[2]]


def _book(game: Game, spots: int, booked: Booked, *, day: date, by: Actor) -> None:
    pools.book(
        link=POOLS[spots],
        movements=booked.moves,
        kind=JACKPOT_CORRECTED,
        reference=f"game/{game.number}",
        by=by,
        day=day,
        outside={"winners": PRIZES_OWING},
    )
