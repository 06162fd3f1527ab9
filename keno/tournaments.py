"""Keno's tournaments (15): what it adds to ``tournaments``, which has the fees, the places and the prizes.

An entry marks *spots* numbers and plays one way at *stake* in every game of the window, by its schedule, whatever 3.1
says of stakes and 9 of caps: the conditions prevail, for these entries only (15.3). The score is what they would have
won, in micro-dollars. An invalidated game scores nothing. No stake of theirs is in a game's money.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from house.approvals import Standing
from house.approved import standing
from house.cash.identity import Identity
from house.models import Proposal
from house.steps import allowed
from keno import accounts, approved, cash_kinds, shapes
from keno.models import Draw, Game
from keno.permissions import PAY, PAY_LARGE, SELL, TOURNAMENT
from keno.rules.schedules import schedule_named
from keno.rules.selection import plain
from keno.rules.tournament_score import score
from keno.shapes import TournamentTerms
from keno.shifts import hold_open_shift
from keno.steps import OVER
from keno.tournament_conditions import KIND_NAME, conditions_in_force
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Conflict, NotFound, Refusal
from tournaments import call_off, enter, finish, pay, queries, refund, steps
from tournaments.call_off import calling_off, calling_off_proposed
from tournaments.find import hold_running, playing
from tournaments.kinds import CHEQUE, Accounts, ApprovedConditions, CashKinds, Clauses, Rights, TournamentKind
from tournaments.models import Tournament, TournamentEntry
from tournaments.queries import TournamentMoney
from tournaments.score import write_scores
from tournaments.steps import RefundSteps, TournamentStatus

SCORED_BY: Final = "keno:draws"  # nobody writes these scores down: they follow from the drawn numbers


KENO: Final = TournamentKind(
    name=KIND_NAME,
    act_of="keno",
    clauses=Clauses(approved="act-keno:15.2", shared="act-keno:15.4"),
    rights=Rights(enter=SELL, run=TOURNAMENT, refund=PAY, authorise=PAY_LARGE, pay=PAY),
    accounts=Accounts(
        fees=accounts.TOURNAMENTS,
        retained=accounts.TOURNAMENT_FEES,
        paid_from={CHEQUE: accounts.BANK},
        drawer=lambda by: hold_open_shift(by).cash,
        transfers="keno.tournament",
    ),
    cash=CashKinds(
        fee=cash_kinds.TOURNAMENT_FEE, prize=cash_kinds.TOURNAMENT_PRIZE, refund=cash_kinds.TOURNAMENT_REFUND
    ),
    conditions=conditions_in_force,
    shown_score=Money,
)


def enter_tournament(
    *, code: str, card: str, numbers: Sequence[int], by: Actor, identity: Identity | None = None
) -> TournamentEntry:
    """Take an entry and its fee from the player whose card it is, until the first game of the tournament closes."""

    def check(tournament: Tournament, now: datetime) -> None:
        terms = shapes.TOURNAMENT.read(tournament.terms)
        _check_numbers(terms, numbers)
        if has_begun(terms):
            raise Conflict("tournament-begun", "The tournament has begun: no more entries.", clause="act-keno:15.2")

    return enter.enter_tournament(
        kind=KENO, code=code, card=card, numbers=numbers, check=check, identity=identity, by=by
    )


def _check_numbers(terms: TournamentTerms, numbers: Sequence[int]) -> None:
    if len(numbers) != terms.spots:
        raise Refusal(
            "tournament-spots", f"Entries mark {terms.spots} numbers.", clause="act-keno:15.3", field="numbers"
        )
    plain(numbers, terms.stake)


@transaction.atomic
def finish_tournament(*, code: str, by: Actor) -> list[TournamentEntry]:
    """Score and rank every entry once all its games are over; the balance of the fees becomes prizes, all of it."""
    by.require(TOURNAMENT)
    now = timezone.now()
    tournament = hold_running(KENO, code)
    terms = shapes.TOURNAMENT.read(tournament.terms)
    if not all_over(terms):
        raise Conflict(
            "tournament-playing",
            f"Games {terms.first_game} to {terms.last_game} are not all over yet.",
            clause="act-keno:15.2",
        )
    scores = scores_so_far(list(playing(tournament)), terms)
    points = {number: score.micros for number, score in scores.items()}
    write_scores(tournament, points, kind=KENO, scored_by=SCORED_BY, confirmed_by=by.identity, by=by, now=now)
    return finish.finish_tournament(kind=KENO, code=code, by=by, now=now)


def propose_calling_off(*, code: str, why: str, by: Actor) -> Proposal:
    """Propose to give it up before its first game closes, or where none of its games was valid. Once another person has
    decided so, every fee is owed back."""
    return call_off.propose_calling_off(CALL_OFF, kind=KENO, code=code, why=why, by=by)


def authorise_refund(*, entry_id: int, why: str, by: Actor) -> TournamentEntry:
    """A supervisor says that the fee of one entry goes back, until its first game closes; another hands it over."""
    return refund.authorise_refund(kind=KENO, entry_id=entry_id, why=why, check=_not_begun, by=by)


def refund_entry(*, entry_id: int, by: Actor, identity: Identity | None = None) -> TournamentEntry:
    """Hand the fee of an entry back, in cash, once somebody else said so."""
    return refund.refund_entry(kind=KENO, entry_id=entry_id, check=_not_begun, identity=identity, by=by)


def _not_begun(tournament: Tournament) -> None:
    """Who has seen a number of its games takes no fee back: as with a ticket (6.1)."""
    if has_begun(shapes.TOURNAMENT.read(tournament.terms)):
        raise Conflict("tournament-begun", "The tournament has begun: no fee goes back.", clause="act-keno:15.2")


def _may_be_called_off(tournament: Tournament) -> None:
    if not never_valid(shapes.TOURNAMENT.read(tournament.terms)):
        _not_begun(tournament)


CALL_OFF: Final = calling_off("keno.call-off-tournament", kind=KENO, check=_may_be_called_off)


def refund_steps(entry: TournamentEntry, of: KenoTournament, actor: Actor) -> RefundSteps:
    return steps.refund_steps(KENO, entry, of.status, actor)


def waits_to_be_called_off(code: str) -> Proposal | None:
    return calling_off_proposed(CALL_OFF, kind=KENO, code=code)


def may_call_off(of: KenoTournament, actor: Actor) -> bool:
    opened = of.opened
    if opened is None or not actor.may(TOURNAMENT):
        return False
    running = of.status not in (TournamentStatus.FINISHED, TournamentStatus.CANCELLED)
    if waits_to_be_called_off(opened.code) is not None:
        return False
    return running and "call-off" in allowed({"call-off": lambda: _may_be_called_off(opened)})


def authorise_prize(*, entry_id: int, by: Actor) -> TournamentEntry:
    """A supervisor authorises the payment of a large prize; another person then pays it."""
    return pay.authorise_prize(kind=KENO, entry_id=entry_id, by=by)


def pay_tournament_prize(
    *, entry_id: int, by: Actor, cheque_number: str = "", identity: Identity | None = None
) -> TournamentEntry:
    """Pay an entry's prize, once: in cash, from the reporting threshold by cheque."""
    return pay.pay_prize(kind=KENO, entry_id=entry_id, cheque_number=cheque_number, identity=identity, by=by)


@dataclass(frozen=True, slots=True)
class KenoTournament:
    """A tournament as a page shows it, opened or not."""

    code: str
    terms: TournamentTerms
    approved_by: str
    approved_at: datetime
    status: TournamentStatus
    money: TournamentMoney
    opened: Tournament | None
    standing: Standing


def find_tournament(code: str) -> KenoTournament:
    """By the conditions that somebody entered under, or else by those in force."""
    opened = queries.find_tournament(KENO, code)
    conditions = conditions_in_force(code) if opened is None else None
    if opened is None and conditions is None:
        raise NotFound("no-such-tournament", f"There is no approved tournament “{code}”.")
    given = opened or conditions
    assert given is not None
    terms = shapes.TOURNAMENT.read(given.terms)
    return KenoTournament(
        code=code,
        terms=terms,
        approved_by=given.approved_by,
        approved_at=given.approved_at,
        status=_status(terms, opened),
        money=queries.money_of(KENO, code, retained_basis_points=terms.retained),
        opened=opened,
        standing=_standing(opened, conditions),
    )


def _standing(opened: Tournament | None, conditions: ApprovedConditions | None) -> Standing:
    if opened is not None:
        return standing(opened.conditions)
    assert conditions is not None
    return standing(approved.version(conditions.number))


def _status(terms: TournamentTerms, opened: Tournament | None) -> TournamentStatus:
    if opened is not None and opened.finished_at is not None:
        return TournamentStatus.FINISHED
    if opened is not None and opened.cancelled_at is not None:
        return TournamentStatus.CANCELLED
    if not has_begun(terms):
        return TournamentStatus.OPEN
    return TournamentStatus.PLAYED if all_over(terms) else TournamentStatus.PLAYING


def has_begun(terms: TournamentTerms) -> bool:
    begun = Game.objects.filter(number__gte=terms.first_game).exclude(status__in=["scheduled", "open"])
    return begun.exists()


def all_over(terms: TournamentTerms) -> bool:
    first, last = terms.first_game, terms.last_game
    over = Game.objects.filter(number__gte=first, number__lte=last, status__in=OVER).count()
    return bool(over == last - first + 1)


def never_valid(terms: TournamentTerms) -> bool:
    """None of its games counts: all are over, and each was invalidated (14.5)."""
    games = Game.objects.filter(number__gte=terms.first_game, number__lte=terms.last_game)
    return all_over(terms) and not games.exclude(status="invalidated").exists()


def scores_so_far(entries: Sequence[TournamentEntry], terms: TournamentTerms) -> dict[int, Money]:
    """By entry: what each scores with the games settled by now."""
    draws, schedule, stake = _drawn(terms), schedule_named(terms.schedule), terms.stake
    return {entry.pk: score(entry.numbers or (), draws, schedule=schedule, stake=stake) for entry in entries}


def _drawn(terms: TournamentTerms) -> list[frozenset[int]]:
    first, last = terms.first_game, terms.last_game
    drawn = Draw.objects.filter(game__number__gte=first, game__number__lte=last, game__status="settled", voided_at=None)
    return [frozenset(draw.numbers) for draw in drawn]
