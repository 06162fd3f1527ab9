"""Tournaments of any game but Keno, which scores its own: what they add to ``tournaments`` (act-cp:16 and its like).

Entries are taken until the conditions say that they close; then players are seated, where the conditions have tables.
A score is points or chips, the more the better, written down by one person and then by another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Final

from house.cash.identity import Identity
from house.models import Proposal
from house.times import for_people
from kernel.actors import Actor
from kernel.refusal import Conflict
from promotions import accounts, cash_kinds
from promotions.locks import database_time
from promotions.permissions import ENTER_TOURNAMENT, PAY_TOURNAMENT, REFUND_TOURNAMENT, RUN_TOURNAMENT
from promotions.tournament_conditions import KIND_NAME, SHAPE, SHARE_RULE, conditions_in_force
from tournaments import call_off, enter, finish, lot, pay, qualify, refund, score, seat
from tournaments import rebuy as rebuys
from tournaments.acts import SeatTaken
from tournaments.call_off import calling_off
from tournaments.kinds import CASH, CHEQUE, TRANSFER, Accounts, CashKinds, Clauses, Rights, TournamentKind
from tournaments.models import Tournament, TournamentEntry, TournamentRebuy

APPROVED_BY_RULE: Final = "act-cp:16.2"

ANY_GAME: Final = TournamentKind(
    name=KIND_NAME,
    clauses=Clauses(approved=APPROVED_BY_RULE, shared=SHARE_RULE),
    rights=Rights(
        enter=ENTER_TOURNAMENT,
        run=RUN_TOURNAMENT,
        refund=REFUND_TOURNAMENT,
        authorise=PAY_TOURNAMENT,
        pay=PAY_TOURNAMENT,
    ),
    accounts=Accounts(
        fees=accounts.TOURNAMENTS,
        retained=accounts.TOURNAMENT_FEES,
        paid_from={CHEQUE: accounts.BANK, TRANSFER: accounts.BANK},
        drawer=lambda by: accounts.CAGE,
        transfers="promotions.tournament",
    ),
    cash=CashKinds(
        fee=cash_kinds.TOURNAMENT_FEE,
        prize=cash_kinds.TOURNAMENT_PRIZE,
        refund=cash_kinds.TOURNAMENT_REFUND,
        rebuy=cash_kinds.TOURNAMENT_REBUY,
    ),
    conditions=conditions_in_force,
)


def enter_tournament(
    *,
    code: str,
    card: str,
    by: Actor,
    identity: Identity | None = None,
    now: datetime | None = None,
) -> TournamentEntry:
    """Take an entry and its fee, in cash, of whose card it is, until the conditions say that entries close."""
    return enter.enter_tournament(
        kind=ANY_GAME,
        code=code,
        card=card,
        check=_refuse_late,
        identity=identity,
        by=by,
        now=now or database_time(),
    )


def rebuy(
    *, entry_id: int, by: Actor, identity: Identity | None = None, now: datetime | None = None
) -> TournamentRebuy:
    """Take the price of one more stack, as often and as long as the conditions say."""
    return rebuys.rebuy(kind=ANY_GAME, entry_id=entry_id, identity=identity, by=by, now=now or database_time())


def authorise_refund(*, entry_id: int, why: str, by: Actor, now: datetime | None = None) -> TournamentEntry:
    """Say that the fee of one entry goes back, while entries are open; another person hands it over."""
    now = now or database_time()
    check = partial(_refuse_late, now=now)
    return refund.authorise_refund(kind=ANY_GAME, entry_id=entry_id, why=why, check=check, by=by, now=now)


def refund_entry(
    *, entry_id: int, by: Actor, identity: Identity | None = None, now: datetime | None = None
) -> TournamentEntry:
    """Hand back what was paid for an entry, in cash, once somebody else said so."""
    now = now or database_time()
    check = partial(_refuse_late, now=now)
    return refund.refund_entry(kind=ANY_GAME, entry_id=entry_id, check=check, identity=identity, by=by, now=now)


def draw_seats(*, code: str, by: Actor, now: datetime | None = None) -> list[TournamentEntry]:
    """Draw who sits where by lot, between two parties, once entries have closed."""
    return lot.draw_seats(kind=ANY_GAME, code=code, check=_refuse_early, by=by, now=now or database_time())


def assign_seats(
    *, code: str, seats: Sequence[SeatTaken], by: Actor, now: datetime | None = None
) -> list[TournamentEntry]:
    """Keep who sits where, where the conditions let the house assign it, once entries have closed."""
    return seat.assign_seats(
        kind=ANY_GAME, code=code, seats=seats, check=_refuse_early, by=by, now=now or database_time()
    )


def score_tournament(
    *, code: str, scores: Mapping[int, int], by: Actor, now: datetime | None = None
) -> list[TournamentEntry]:
    """Write down the score of every entry; they stand once another person has written down the same."""
    return score.score_tournament(
        kind=ANY_GAME, code=code, scores=scores, check=_refuse_early, by=by, now=now or database_time()
    )


def close_heats(*, code: str, by: Actor, now: datetime | None = None) -> list[TournamentEntry]:
    """Fix who is in the final, by the scores of the heats and what the conditions say of ties."""
    return qualify.close_heats(kind=ANY_GAME, code=code, by=by, now=now or database_time())


def finish_tournament(*, code: str, by: Actor, now: datetime | None = None) -> list[TournamentEntry]:
    """Rank the entries by the scores that stand: the balance of the fees becomes prizes, all of it."""
    return finish.finish_tournament(kind=ANY_GAME, code=code, by=by, now=now or database_time())


def _refuse_won(tournament: Tournament) -> None:
    """Nobody calls off a tournament because of who won it."""
    if tournament.confirmed_at is not None:
        raise Conflict("scores-stand", "Two people have written its scores down: it is finished, not called off.")


CALL_OFF: Final = calling_off("promotions.call-off-tournament", kind=ANY_GAME, check=_refuse_won)


def propose_calling_off(*, code: str, why: str, by: Actor) -> Proposal:
    """Propose to call it off, before its scores stand. Once another person has decided so, every fee is owed back."""
    return call_off.propose_calling_off(CALL_OFF, kind=ANY_GAME, code=code, why=why, by=by)


def waits_to_be_called_off(code: str) -> Proposal | None:
    return call_off.calling_off_proposed(CALL_OFF, kind=ANY_GAME, code=code)


def authorise_prize(*, entry_id: int, by: Actor, now: datetime | None = None) -> TournamentEntry:
    """Authorise the payment of a large prize; another person then pays it."""
    return pay.authorise_prize(kind=ANY_GAME, entry_id=entry_id, by=by, now=now or database_time())


def pay_tournament_prize(
    *,
    entry_id: int,
    by: Actor,
    method: str = CASH,
    cheque_number: str = "",
    identity: Identity | None = None,
    now: datetime | None = None,
) -> TournamentEntry:
    """Pay an entry's prize, once; from the reporting threshold by cheque or transfer, to somebody known."""
    return pay.pay_prize(
        kind=ANY_GAME,
        entry_id=entry_id,
        method=method,
        cheque_number=cheque_number,
        identity=identity,
        by=by,
        now=now or database_time(),
    )


def _refuse_late(tournament: Tournament, now: datetime) -> None:
    closes = SHAPE.read(tournament.terms).closes_at
    if tournament.scored_at is not None or now > closes:
        raise Conflict("tournament-begun", f"Entries closed {for_people(closes)}.", clause=APPROVED_BY_RULE)


def _refuse_early(tournament: Tournament, now: datetime) -> None:
    closes = SHAPE.read(tournament.terms).closes_at
    if now <= closes:
        raise Conflict("tournament-open", f"Entries are taken until {for_people(closes)}.", clause=APPROVED_BY_RULE)
