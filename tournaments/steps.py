"""What may be done next with a tournament and its prizes, and by whom: the same checks that the verbs make."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from house.cash.limits import asks_identity
from house.cash.steps import refuse_paying_alone
from house.persons import is_another
from house.steps import allowed
from kernel.actors import Actor
from kernel.rooms import above
from tournaments.kinds import TournamentKind
from tournaments.models import Tournament, TournamentEntry


class TournamentStatus(StrEnum):
    OPEN = "open"  # entries are taken
    PLAYING = "playing"
    PLAYED = "played"  # its games are over; to be ranked, the scores follow from them
    CLOSED = "closed"  # no more entries; to be scored
    SCORED = "scored"
    FINISHED = "finished"
    CANCELLED = "cancelled"


RUNNING = frozenset({TournamentStatus.OPEN, TournamentStatus.CLOSED, TournamentStatus.SCORED})


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSteps:
    enter: bool
    score: bool
    finish: bool
    cancel: bool
    pay: bool


def tournament_steps(
    kind: TournamentKind, status: TournamentStatus, tournament: Tournament | None, actor: Actor
) -> TournamentSteps:
    runs = tournament is not None and actor.may(kind.rights.run)
    return TournamentSteps(
        enter=status == TournamentStatus.OPEN and actor.may(kind.rights.enter),
        score=runs and status in (TournamentStatus.CLOSED, TournamentStatus.SCORED),
        finish=runs and _may_be_ranked(kind, status, tournament, actor),
        cancel=runs and status in RUNNING,
        pay=status == TournamentStatus.FINISHED and actor.may(kind.rights.pay),
    )


def _may_be_ranked(kind: TournamentKind, status: TournamentStatus, tournament: Tournament | None, actor: Actor) -> bool:
    """Once it is scored, by another person than the one who wrote the scores down."""
    if status == TournamentStatus.SCORED:
        return tournament is not None and is_another(actor, kind.rights.run, tournament.scored_by)
    return status == TournamentStatus.PLAYED


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeSteps:
    large: bool  # another person has to authorise it first
    by_cheque: bool
    authorise: bool
    pay: bool


def prize_steps(kind: TournamentKind, entry: TournamentEntry, actor: Actor) -> PrizeSteps:
    unpaid = bool(entry.prize) and entry.paid_at is None
    large = unpaid and needs_second_person(kind, entry)
    return PrizeSteps(
        large=large,
        by_cheque=unpaid and entry.prize is not None and asks_identity(entry.prize),
        authorise=large and entry.authorised_by is None and actor.may(kind.rights.authorise),
        pay=unpaid
        and actor.may(kind.rights.pay)
        and "pay" in allowed({"pay": lambda: refuse_alone(kind, entry, actor)}),
    )


def needs_second_person(kind: TournamentKind, entry: TournamentEntry) -> bool:
    return entry.prize is not None and entry.prize > above(kind.rights.pay)


def refuse_alone(kind: TournamentKind, entry: TournamentEntry, actor: Actor) -> None:
    """Above the limit one person authorises, and another pays."""
    assert entry.prize is not None
    refuse_paying_alone(entry.prize, power=kind.rights.pay, authorised_by=entry.authorised_by, by=actor)
