"""What may be done next with a tournament and its prizes, and by whom: the same checks that the verbs make."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from house.cash.limits import asks_identity
from house.cash.steps import refuse_paying_alone
from house.persons import is_another
from house.steps import allowed
from kernel.actors import Actor
from kernel.money import Money
from kernel.rooms import above
from tournaments.kinds import TournamentKind
from tournaments.models import Tournament, TournamentEntry
from tournaments.refund import may_second, refuse_refunding_alone
from tournaments.rules.final import FINAL, final_of
from tournaments.stages import stage_of


class TournamentStatus(StrEnum):
    OPEN = "open"  # entries are taken
    PLAYING = "playing"
    PLAYED = "played"  # its games are over; to be ranked, the scores follow from them
    CLOSED = "closed"  # no more entries; to be scored
    SCORED = "scored"  # by one person
    CONFIRMED = "confirmed"  # by another: the scores stand, to be ranked, or to go into the final
    FINAL = "final"  # being played
    FINISHED = "finished"
    CANCELLED = "cancelled"


BEFORE_SCORES = frozenset({TournamentStatus.OPEN, TournamentStatus.CLOSED})
AFTER_HEATS = frozenset({TournamentStatus.CONFIRMED, TournamentStatus.FINAL})
RUNNING = frozenset({TournamentStatus.OPEN, TournamentStatus.CLOSED, TournamentStatus.SCORED})


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSteps:
    enter: bool
    rebuy: bool
    seat: bool
    score: bool
    confirm: bool  # to score as the second person
    qualify: bool  # to close the heats
    finish: bool
    cancel: bool
    pay: bool


def tournament_steps(
    kind: TournamentKind, status: TournamentStatus, tournament: Tournament | None, actor: Actor
) -> TournamentSteps:
    runs = tournament is not None and actor.may(kind.rights.run)
    stage = stage_of(tournament) if runs and tournament is not None else None
    later = stage is not None and stage.name is not None and status in AFTER_HEATS and stage.confirmed_at is None
    scored = status == TournamentStatus.SCORED or (later and stage is not None and stage.scored_by is not None)
    to_score = stage is not None and (later or scored or status == TournamentStatus.CLOSED)
    in_final = tournament is None or final_of(tournament.terms) is None or (stage is not None and stage.name == FINAL)
    return TournamentSteps(
        enter=status == TournamentStatus.OPEN and actor.may(kind.rights.enter),
        rebuy=tournament is not None and status in BEFORE_SCORES and _buys_in(kind, tournament, actor),
        seat=to_score and not scored and stage is not None and stage.is_to_be_seated,
        score=to_score,
        confirm=scored and stage is not None and is_another(actor, kind.rights.run, stage.scored_by),
        qualify=runs and status == TournamentStatus.CONFIRMED and not in_final and not later,
        finish=runs and status in (TournamentStatus.CONFIRMED, TournamentStatus.PLAYED) and in_final,
        cancel=runs and status in (RUNNING if kind.cash.rebuy is not None else {TournamentStatus.OPEN}),
        pay=status == TournamentStatus.FINISHED and actor.may(kind.rights.pay),
    )


def _buys_in(kind: TournamentKind, tournament: Tournament, actor: Actor) -> bool:
    allowed = rebuys_of(tournament)
    return allowed is not None and kind.cash.rebuy is not None and actor.may(kind.rights.enter)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuys:
    """How often an entry buys in again, at which price, until when."""

    most: int
    price: Money
    until: datetime


def rebuys_of(tournament: Tournament) -> Rebuys | None:
    given = tournament.terms.get("rebuys")
    if given is None:
        return None
    until = datetime.fromisoformat(given["until"])
    return Rebuys(most=given["most"], price=Money.parse(given["price"]), until=until)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RefundSteps:
    authorise: bool
    pay: bool
    waits: bool  # somebody said that it goes back, and nobody handed it over yet


def refund_steps(kind: TournamentKind, entry: TournamentEntry, status: TournamentStatus, actor: Actor) -> RefundSteps:
    """What may be done about a fee that goes back, while entries are open or once it is called off."""
    open_still = entry.refunded_at is None and status == TournamentStatus.OPEN
    owed = entry.refunded_at is None and status == TournamentStatus.CANCELLED
    said = owed or (open_still and entry.refund_authorised_by is not None)
    alone = {"pay": lambda: refuse_refunding_alone(kind, entry, actor)}
    return RefundSteps(
        authorise=open_still and actor.may(kind.rights.run) and (not said or may_second(kind, entry, actor)),
        pay=said and actor.may(kind.rights.refund) and "pay" in allowed(alone),
        waits=said,
    )
