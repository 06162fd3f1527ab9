"""A pool: the purses of one jackpot as accounts of the ledger. What Keno and the tables share.

    pools.open_pool(code="KENO-6", title="Keno, 6 of 6", by=…)
    with transaction.atomic():
        pools.lock("KENO-6", "KENO-8")              # for wins and adjustments, never for a contribution
        now = pools.standing("KENO-6")              # .prize .reserve .reimbursement .advanced
        pools.book(pool="KENO-6", movements=…, kind="keno.jackpot-won", reference="game/1042", by=…, day=…)

A movement is anything with a source, a target and an amount, purses by name: ``jackpot.rules.pool.Movement`` and
``keno.rules.jackpots.Move`` alike. Contributions are only appended (decision 4): whoever takes money *out* of a purse
holds the pool's lock, so that two wins have an order and no purse is taken below zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, Protocol

from django.db import IntegrityError, connection, transaction

from house import acts
from house.actors import Actor
from house.refusal import Conflict, NotFound, Refusal
from jackpot.models import Pool
from jackpot.rules.policies import PRIZE
from jackpot.rules.pool import HOUSE, REIMBURSEMENT, RESERVE, WAGERS, WINNERS, Movement, overflow_of
from ledger.accounts import open_account
from ledger.balance import AccountBalance, balances
from ledger.models import Account, Transfer
from ledger.money import ZERO, Money
from ledger.post import Booking, post_many
from ledger.reverse import reverse

CODE: Final = re.compile(r"[A-Z][A-Z0-9-]{0,15}", re.ASCII)
ADVANCE: Final = "advance"
"""What the house put into the pool and is paid back as the reimbursement purse fills."""
DROP: Final = "drop"
"""Jackpot wagers taken at the tables."""
_ALIASES: Final = {"secondary": RESERVE, "stakes": WAGERS}
_MOST_MOVEMENTS: Final = 100  # of one booking
_LOCK_CLASS: Final = 0x4A50  # "JP": the first half of the advisory lock's key
_DOOR_CLASS: Final = 0x4A44  # "JD"


class Moves(Protocol):
    @property
    def source(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def amount(self) -> Money: ...


@dataclass(frozen=True, slots=True)
class Standing:
    """A pool at one moment."""

    pool: str
    balances: Mapping[str, Money]
    """By purse: every level, its overflow, the reserve, the reimbursement purse."""
    advanced: Money
    """What the house put in and has not been paid back."""
    owed_to_winners: Money

    @property
    def prize(self) -> Money:
        return self.balances[PRIZE]

    @property
    def reserve(self) -> Money:
        return self.balances[RESERVE]

    @property
    def reimbursement(self) -> Money:
        return self.balances[REIMBURSEMENT]


def account(pool: str, purse: str) -> str:
    """The ledger account of a purse: ``jackpot:CSP:prize``."""
    return f"jackpot:{pool}:{purse}"


def players_purses(levels: Sequence[str]) -> list[str]:
    """The purses that hold players' money and may never be below zero."""
    return [*levels, *(overflow_of(level) for level in levels), RESERVE, REIMBURSEMENT]


@transaction.atomic
def open_pool(*, code: str, title: str, by: Actor, levels: Sequence[str] = (PRIZE,)) -> Pool:
    """Open a pool and its purses, empty. The same pool again is answered as it is."""
    if not CODE.fullmatch(code):
        raise Refusal("code-not-allowed", "A jackpot’s code is up to 16 capitals, digits and dashes.", field="code")
    pool, new = Pool.objects.get_or_create(code=code, defaults={"title": title, "levels": list(levels)})
    if not new:
        if pool.levels != list(levels):
            raise Conflict("pool-exists", f"There is a pool {code} already, with other levels.", field="code")
        return pool
    liability, income, asset = Account.Kind.LIABILITY, Account.Kind.INCOME, Account.Kind.ASSET
    for purse in players_purses(levels):
        open_account(code=account(code, purse), name=f"{title}: {purse}", kind=liability, whole_cents=False, by=by)
    for purse, name, kind, whole_cents in (
        (WAGERS, "wagers not yet decided", liability, False),
        (WINNERS, "owed to winners", liability, True),
        (ADVANCE, "advanced by the house", asset, False),
        (HOUSE, "kept and paid by the house", income, False),
        (DROP, "wagers taken", asset, False),
        ("cash", "paid in cash", asset, True),
        ("cheque", "paid by cheque", asset, True),
        ("transfer", "paid by transfer", asset, True),
    ):
        open_account(code=account(code, purse), name=f"{title}: {name}", kind=kind, whole_cents=whole_cents, by=by)
    acts.record(kind="jackpot.pool-opened", subject=pool.subject, by=by, data={"title": title, "levels": list(levels)})
    return pool


def find(code: str) -> Pool:
    pool = Pool.objects.filter(code=code).first()
    if pool is None:
        raise NotFound("no-such-pool", f"There is no jackpot {code}.")
    return pool


def lock(*codes: str) -> None:
    """Hold these pools until the transaction ends, in one order for everybody. Contributions do not wait for it."""
    assert connection.in_atomic_block, "a pool is locked for the length of a transaction"
    keys = sorted(Pool.objects.filter(code__in=codes).values_list("pk", flat=True))
    with connection.cursor() as cursor:
        for key in keys:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_LOCK_CLASS, key])


def enter(pools: Iterable[int]) -> None:
    """Contribute to these pools until the transaction ends. Contributors share the door; who shuts it waits."""
    _door("SELECT pg_advisory_xact_lock_shared(%s, %s)", pools)


def shut(pool: Pool) -> None:
    """Nobody contributes to the pool from now on; whoever was at it is through."""
    _door("SELECT pg_advisory_xact_lock(%s, %s)", [pool.pk])


def _door(statement: str, pools: Iterable[int]) -> None:
    with connection.cursor() as cursor:
        for key in sorted(set(pools)):
            cursor.execute(statement, [_DOOR_CLASS, key])


def standing(code: str, *, levels: Sequence[str] = (PRIZE,)) -> Standing:
    """Where a pool stands, all purses as of one moment. Locks nothing."""
    purses = players_purses(levels)
    try:
        found = balances([account(code, purse) for purse in [*purses, ADVANCE, WINNERS]])
    except LookupError:
        raise NotFound("no-such-pool", f"There is no jackpot {code} with levels {', '.join(levels)}.") from None

    def amount(purse: str) -> Money:
        held: AccountBalance = found[account(code, purse)]
        return held.amount

    return Standing(
        pool=code,
        balances={purse: amount(purse) for purse in purses},
        advanced=amount(ADVANCE),
        owed_to_winners=amount(WINNERS),
    )


@transaction.atomic
def book(
    *,
    pool: str,
    movements: Iterable[Moves],
    kind: str,
    reference: str,
    by: Actor,
    day: date,
    at: datetime | None = None,
    outside: Mapping[str, str] | None = None,
    memo: Mapping[str, Any] | None = None,
) -> list[int]:
    """Post movements between a pool's purses, all or none; once for each kind and reference.

    *outside* names the accounts of purses that are not the pool's own: ``{"winners": "keno:prizes"}``.
    """
    bookings = bookings_for(pool=pool, movements=movements, kind=kind, reference=reference, outside=outside, memo=memo)
    return post_once(bookings=bookings, what=f"{kind} {reference}", by=by, day=day, at=at)


def bookings_for(
    *,
    pool: str,
    movements: Iterable[Moves],
    kind: str,
    reference: str,
    outside: Mapping[str, str] | None = None,
    memo: Mapping[str, Any] | None = None,
) -> list[Booking]:
    """The transfers that these movements are. Purses are on the credit side: what leaves one is its debit."""
    bookings = []
    for place, move in enumerate(movements, start=1):
        debit, credit = _accounts_of(pool, move, outside or {})
        bookings.append(
            Booking(
                debit=debit,
                credit=credit,
                amount=move.amount,
                kind=kind,
                reference=f"{pool}/{reference}/{place}",
                memo=memo,
            )
        )
    return bookings


def post_once(*, bookings: Sequence[Booking], what: str, by: Actor, day: date, at: datetime | None = None) -> list[int]:
    assert len(bookings) <= _MOST_MOVEMENTS
    try:
        return post_many(bookings=bookings, by=by, day=day, at=at)
    except IntegrityError as error:
        if "transfer_once" not in str(error):
            raise
        raise Conflict("already-booked", f"It has been booked already: {what}.") from error


@transaction.atomic
def unbook(
    *, pool: str, kind: str, reference: str, why: str, by: Actor, day: date, levels: Sequence[str] = (PRIZE,)
) -> Money:
    """Reverse what was booked under a kind and reference; the answer is how much. The pool must be locked.

    A purse that no longer holds what came into it (somebody else won it meanwhile) is made good by the house first.
    """
    booked = transfers_of(pool=pool, kind=kind, reference=reference)
    short = dict(standing(pool, levels=levels).balances)
    by_account = {account(pool, purse): purse for purse in short}
    for transfer in booked:
        if purse := by_account.get(transfer.credit.code):
            short[purse] -= transfer.amount
        if purse := by_account.get(transfer.debit.code):
            short[purse] += transfer.amount
    book(
        pool=pool,
        movements=[Movement(HOUSE, purse, -left) for purse, left in short.items() if left < ZERO],
        kind="jackpot.made-good",
        reference=f"{kind}/{reference}",
        by=by,
        day=day,
        memo={"why": why},
    )
    for transfer in booked:
        reverse(transfer=transfer.pk, why=why, by=by, day=day)
    return Money.total(transfer.amount for transfer in booked)


def transfers_of(*, pool: str, kind: str, reference: str) -> list[Transfer]:
    """What was booked under a kind and reference, in order."""
    references = [f"{pool}/{reference}/{place}" for place in range(1, _MOST_MOVEMENTS + 1)]
    return list(
        Transfer.objects.filter(kind=kind, reference__in=references).select_related("debit", "credit").order_by("id")
    )


def _accounts_of(pool: str, move: Moves, outside: Mapping[str, str]) -> tuple[str, str]:
    """What the house puts into a purse is an advance, to be paid back; what it keeps of wagers or pays to winners is
    its own."""
    source, target = _ALIASES.get(move.source, move.source), _ALIASES.get(move.target, move.target)
    if source == HOUSE and target != WINNERS:
        source = ADVANCE
    if target == HOUSE and source != WAGERS:
        target = ADVANCE
    return outside.get(move.source) or account(pool, source), outside.get(move.target) or account(pool, target)


def amounts(code: str, *, levels: Sequence[str] = (PRIZE,)) -> dict[str, Money]:
    """What stands in the prize purses alone: the cheap read, for a display."""
    found = balances([account(code, level) for level in levels])
    return {level: found[account(code, level)].amount for level in levels}
