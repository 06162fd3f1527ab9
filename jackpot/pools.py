"""The pools of a link: purses of money, each an account of the ledger; and what the link shows of them. What Keno and
the tables share.

    now = pools.read_pools("KENO-6")                # .prize .reserve .reimbursement .advanced
    pools.book(link="KENO-6", movements=…, kind="keno.jackpot-won", reference="game/1042", by=…, day=…)

A movement is anything with a source, a target and an amount, purses by name: ``jackpot.rules.pool.Movement`` and
``keno.rules.jackpots.Move`` alike. Whoever takes money out of a purse holds its link (``links.hold``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final, Protocol

from django.db import IntegrityError, transaction

from jackpot import terms
from jackpot.models import Link
from jackpot.rules import pool as rules
from jackpot.rules.handpay import INSTALMENTS, TAX
from jackpot.rules.policies import PRIZE
from jackpot.rules.pool import (
    REIMBURSEMENT,
    RESERVE,
    WAGERS,
    WINNERS,
    Movement,
    booked_between,
    make_good,
    overflow_of,
    take_back,
)
from jackpot.rules.pool import displayed as displayed_amount
from jackpot.terms import LinkTerms
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Conflict, NotFound
from ledger.balance import balances, balances_known
from ledger.models import Account, Transfer
from ledger.post import Booking, post_many
from ledger.reverse import reverse

ADVANCE: Final = rules.ADVANCE
DROP: Final = rules.DROP
MADE_GOOD: Final = "jackpot.made-good"
_ALIASES: Final = {"secondary": RESERVE, "stakes": WAGERS}
_MOVEMENTS_LIMIT: Final = 100  # of one booking


class Moves(Protocol):
    @property
    def source(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def amount(self) -> Money: ...


@dataclass(frozen=True, slots=True)
class PoolBalances:
    """A pool at one moment."""

    link: str
    balances: Mapping[str, Money]
    """By purse: every level, its overflow, the reserve, the reimbursement purse."""
    advanced: Money
    """What the house put in and has not been paid back."""
    owed_to_winners: Money
    seen: str = field(compare=False)
    """Of which transactions this is the sum (``ledger.balance.balances_seen``)."""

    @property
    def prize(self) -> Money:
        return self.balances[PRIZE]

    @property
    def reserve(self) -> Money:
        return self.balances[RESERVE]

    @property
    def reimbursement(self) -> Money:
        return self.balances[REIMBURSEMENT]


def account(link: str, purse: str) -> str:
    """The ledger account of a purse: ``jackpot:CSP:prize``."""
    return f"jackpot:{link}:{purse}"


def players_purses(levels: Sequence[str]) -> list[str]:
    """The purses that hold players' money and may never be below zero."""
    return [*levels, *(overflow_of(level) for level in levels), RESERVE, REIMBURSEMENT]


def read_pools(code: str, *, levels: Sequence[str] = (PRIZE,)) -> PoolBalances:
    """Where a pool stands, all purses as of one moment. Locks nothing."""
    return read_many({code: levels})[code]


def read_many(levels_of: Mapping[str, Sequence[str]]) -> dict[str, PoolBalances]:
    """The same of several pools, all as of one moment, by one statement."""
    found = read_known(levels_of)
    for code, levels in levels_of.items():
        if code not in found:
            raise NotFound("no-such-pool", f"There is no jackpot {code} with levels {', '.join(levels)}.")
    return found


def read_known(levels_of: Mapping[str, Sequence[str]]) -> dict[str, PoolBalances]:
    """The same of those that there are."""
    wanted = {code: [*players_purses(levels), ADVANCE, WINNERS] for code, levels in levels_of.items()}
    found, seen = balances_known([account(code, purse) for code, purses in wanted.items() for purse in purses])
    known = {}
    for code, purses in wanted.items():
        held = {purse: found.get(account(code, purse)) for purse in purses}
        amounts = {purse: balance.amount for purse, balance in held.items() if balance is not None}
        if len(amounts) == len(purses):
            advanced, owed = amounts.pop(ADVANCE), amounts.pop(WINNERS)
            known[code] = PoolBalances(code, amounts, advanced=advanced, owed_to_winners=owed, seen=seen)
    return known


def owed_after_payment() -> dict[str, Money]:
    """What is owed of hits that are paid, by account: to winners in instalments, to the tax authority."""
    links = Link.objects.values_list("code", flat=True)
    wanted = [account(code, purse) for code in links for purse in (INSTALMENTS, TAX)]
    known = Account.objects.filter(code__in=wanted).values_list("code", flat=True)  # a link of old may have none yet
    return {code: held.amount for code, held in balances(list(known)).items()}


@transaction.atomic
def book(
    *,
    link: str,
    movements: Iterable[Moves],
    kind: str,
    reference: str,
    by: Actor,
    day: date,
    at: datetime | None = None,
    outside: Mapping[str, str] | None = None,
    memo: Mapping[str, object] | None = None,
) -> list[int]:
    """Post movements between a pool's purses, all or none; once for each kind and reference.

    *outside* names the accounts of purses that are not the pool's own: ``{"winners": "keno:prizes"}``.
    """
    bookings = bookings_for(link=link, movements=movements, kind=kind, reference=reference, outside=outside, memo=memo)
    return post_once(bookings=bookings, what=f"{kind} {reference}", by=by, day=day, at=at)


def bookings_for(
    *,
    link: str,
    movements: Iterable[Moves],
    kind: str,
    reference: str,
    outside: Mapping[str, str] | None = None,
    memo: Mapping[str, object] | None = None,
) -> list[Booking]:
    """The transfers that these movements are. Purses are on the credit side: what leaves one is its debit."""
    bookings = []
    for place, move in enumerate(movements, start=1):
        debit, credit = _accounts_of(link, move, outside or {})
        bookings.append(
            Booking(
                debit=debit,
                credit=credit,
                amount=move.amount,
                kind=kind,
                reference=f"{link}/{reference}/{place}",
                memo=memo,
            )
        )
    return bookings


def post_once(*, bookings: Sequence[Booking], what: str, by: Actor, day: date, at: datetime | None = None) -> list[int]:
    assert len(bookings) <= _MOVEMENTS_LIMIT
    try:
        return post_many(bookings=bookings, by=by, day=day, at=at)
    except IntegrityError as error:
        if "transfer_once" not in str(error):
            raise
        raise Conflict("already-booked", f"It has been booked already: {what}.") from error


@transaction.atomic
def unbook(
    *,
    link: Link,
    kind: str,
    reference: str,
    why: str,
    by: Actor,
    day: date,
    seeds: Mapping[str, Money] | None = None,
) -> tuple[Movement, ...]:
    """Reverse what was booked under a kind and reference; the answer is what went back. The link must be held.

    A purse that no longer holds what came into it (somebody else won it meanwhile) is made good by the house first; a
    pool that restarted since keeps the seed it began with (*seeds*).
    """
    booked = transfers_of(link=link.code, kind=kind, reference=reference)
    back = take_back(Movement(_purse(each.debit.code), _purse(each.credit.code), each.amount) for each in booked)
    keep_floors(link, back, reference=f"{kind}/{reference}", why=why, by=by, day=day, seeds=seeds or {})
    for transfer in booked:
        reverse(transfer=transfer.pk, why=why, by=by, day=day)
    return back


def _purse(account_code: str) -> str:
    return account_code.rpartition(":")[2]


def keep_floors(
    link: Link,
    taken: Iterable[Movement],
    *,
    reference: str,
    why: str,
    by: Actor,
    day: date,
    seeds: Mapping[str, Money],
) -> None:
    """Before money goes back out of purses: what the house must put in so that none of them falls too low."""
    held = read_pools(link.code, levels=link.levels)
    book(
        link=link.code,
        movements=make_good(held.balances, taken, seeds=seeds),
        kind=MADE_GOOD,
        reference=reference,
        by=by,
        day=day,
        memo={"why": why, "seen": held.seen, "seeds": {purse: str(seed) for purse, seed in seeds.items()}},
    )


def transfers_of(*, link: str, kind: str, reference: str) -> list[Transfer]:
    """What was booked under a kind and reference, in order."""
    return transfers_under([(link, reference)], kinds=[kind])[kind, link, reference]


def transfers_under(
    references: Iterable[tuple[str, str]], *, kinds: Sequence[str]
) -> dict[tuple[str, str, str], list[Transfer]]:
    """What was booked under each of these kinds for links and references, in order, read at once."""
    wanted = {(link, reference) for link, reference in references}
    names = [f"{link}/{name}/{place}" for link, name in wanted for place in range(1, _MOVEMENTS_LIMIT + 1)]
    found: dict[tuple[str, str, str], list[Transfer]] = {(kind, *each): [] for kind in kinds for each in wanted}
    booked = Transfer.objects.filter(kind__in=kinds, reference__in=names).select_related("debit", "credit")
    for transfer in booked.order_by("id"):
        link, _, name = transfer.reference.rpartition("/")[0].partition("/")
        found[transfer.kind, link, name].append(transfer)
    return found


def _accounts_of(link: str, move: Moves, outside: Mapping[str, str]) -> tuple[str, str]:
    source, target = booked_between(_ALIASES.get(move.source, move.source), _ALIASES.get(move.target, move.target))
    return outside.get(move.source) or account(link, source), outside.get(move.target) or account(link, target)


def prize_amounts(code: str, *, levels: Sequence[str] = (PRIZE,)) -> dict[str, Money]:
    """What stands in the prize purses alone: the cheap read, for a display."""
    found = balances([account(code, level) for level in levels])
    return {level: found[account(code, level)].amount for level in levels}


@dataclass(frozen=True, slots=True)
class Meter:
    """What a link shows now."""

    link: Link
    terms: LinkTerms
    pools: PoolBalances

    @property
    def displayed(self) -> dict[str, Money]:
        """By level, in whole cents, never above a ceiling (nsw-csp:2.4.3)."""
        return {
            level: displayed_amount(self.terms.parameters, self.pools.balances, level=level)
            for level in self.terms.levels
        }

    @property
    def total(self) -> Money:
        return Money.total(self.displayed.values())


def read_meter(link: Link) -> Meter:
    """Read a link: its newest terms, and its purses as of one moment. Locks nothing."""
    return meters_of([link])[link.code]


def meters_of(links: Sequence[Link]) -> dict[str, Meter]:
    """The same of several, all as of one moment."""
    in_force = terms.newest(links)
    held = read_many({link.code: in_force[link.pk].levels for link in links})
    return {link.code: Meter(link=link, terms=in_force[link.pk], pools=held[link.code]) for link in links}
