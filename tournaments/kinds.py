"""What a game's room says about its tournaments: whose money they are, who may do what, by which clauses.

A room builds one :class:`TournamentKind` and calls the verbs here with it. Nothing here knows a game: how entries are
played and scored is the room's, and reaches this one as data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from house.cash.kinds import CashKind
from house.models import ApprovedValue
from kernel.actors import Actor
from kernel.codes import Permission
from kernel.money import Money

CASH: Final = "cash"
CHEQUE: Final = "cheque"
TRANSFER: Final = "transfer"


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovedConditions:
    """Conditions of entry and play in force: ``entry_fee``, ``retained``, ``prizes``, and what the game adds.

    Where they say nothing else one person enters once, nothing is bought again and nobody is seated:
    ``entries_a_player``, ``rebuys``, ``heats``, ``tables`` and ``seats_a_table``.
    """

    number: int  # of the approved version
    terms: Mapping[str, object]
    approved_by: str
    approved_at: datetime


def as_conditions(version: ApprovedValue | None) -> ApprovedConditions | None:
    if version is None or version.value is None:
        return None
    return ApprovedConditions(
        number=version.pk, terms=version.value, approved_by=version.approved_by, approved_at=version.since
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Clauses:
    approved: str  # entries under approved conditions only
    shared: str  # at most a tenth retained, the balance paid as prizes


@dataclass(frozen=True, slots=True, kw_only=True)
class Rights:
    enter: Permission
    run: Permission  # seat, score, finish, propose to call it off, say that a fee goes back
    refund: Permission  # hand a fee back that others said goes back
    authorise: Permission
    pay: Permission  # with the amount above which another person authorises it first


@dataclass(frozen=True, slots=True, kw_only=True)
class Accounts:
    fees: str  # held for the players until they are prizes
    retained: str
    paid_from: Mapping[str, str]  # by the way in which a prize is paid, but for cash
    drawer: Callable[[Actor], str]  # where this person takes fees in cash and pays cash from
    transfers: str  # how the kinds of its transfers begin: ``keno.tournament``


@dataclass(frozen=True, slots=True, kw_only=True)
class CashKinds:
    """What changes hands, as the cash rules of the house call it."""

    fee: CashKind
    prize: CashKind
    refund: CashKind
    rebuy: CashKind | None = None  # None: a game in which nothing can be bought again


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentKind:
    name: str  # as the rows keep it
    clauses: Clauses
    rights: Rights
    accounts: Accounts
    cash: CashKinds
    conditions: Callable[[str], ApprovedConditions | None]  # in force under a code
    act_of: str | None = None  # how the log's subjects begin: ``keno`` for keno-tournament:CUP
    shown_score: Callable[[int], int | Money] = int  # a score as people read it

    @property
    def methods(self) -> tuple[str, ...]:
        """The ways in which a prize may be paid."""
        return (CASH, *self.accounts.paid_from)
