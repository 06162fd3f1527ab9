"""A fee that goes back: of one entry, or of all where a tournament is called off. Others say so, one hands it over.

An entry has no paper that could show who may have its fee: so nobody gives one back on his own word. From then on it is
in no ranking, and its fee in no prize.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.identity import Identity
from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import PlayLineKind
from house.persons import is_another
from house.players.play import TOURNAMENT, give_back
from kernel.actors import Actor
from kernel.codes import At
from kernel.locks import Lock, hold
from kernel.refusal import Conflict, Refusal
from ledger.post import Booking, post
from tournaments.acts import TournamentRefundAuthorised, TournamentRefunded, TournamentRefundSeconded
from tournaments.find import find_entry, hold_running, player_of
from tournaments.kinds import TournamentKind
from tournaments.models import Tournament, TournamentEntry

Check = Callable[[Tournament], None]


@transaction.atomic
def authorise_refund(
    *, kind: TournamentKind, entry_id: int, why: str, check: Check, by: Actor, now: datetime | None = None
) -> TournamentEntry:
    """Say that the fee of one entry goes back, and why; another person hands it over. Said by a second person, too, a
    device on the floor may: whoever said it first may stand before that."""
    by.require(kind.rights.run)
    entry = _hold(kind, entry_id)
    check(hold_running(kind, entry.tournament.code))
    if entry.refund_authorised_by is not None:
        return _second(kind, entry, by=by, now=now or timezone.now())
    entry.refund_authorised_at, entry.refund_authorised_by = now or timezone.now(), by.identity
    entry.refund_reason = _reason(why)
    entry.save(update_fields=["refund_authorised_at", "refund_authorised_by", "refund_reason"])
    act = TournamentRefundAuthorised(
        tournament=entry.tournament.code, of=kind.act_of, entry=entry.pk, amount=entry.paid_in, why=entry.refund_reason
    )
    record_act(act, by=by)
    return entry


def _second(kind: TournamentKind, entry: TournamentEntry, *, by: Actor, now: datetime) -> TournamentEntry:
    if not may_second(kind, entry, by):
        raise Conflict("authorised-already", f"{entry.refund_authorised_by} has authorised this refund.")
    entry.refund_seconded_at, entry.refund_seconded_by = now, by.identity
    entry.save(update_fields=["refund_seconded_at", "refund_seconded_by"])
    record_act(TournamentRefundSeconded(tournament=entry.tournament.code, of=kind.act_of, entry=entry.pk), by=by)
    return entry


def may_second(kind: TournamentKind, entry: TournamentEntry, by: Actor) -> bool:
    return entry.refund_seconded_by is None and is_another(by, kind.rights.run, entry.refund_authorised_by)


@transaction.atomic
def refund_entry(
    *,
    kind: TournamentKind,
    entry_id: int,
    check: Check,
    by: Actor,
    identity: Identity | None = None,
    now: datetime | None = None,
) -> TournamentEntry:
    """Hand the fee back, in cash: once it is authorised, as long as *check* lets it be, or after the calling off."""
    by.require(kind.rights.refund)
    now = now or timezone.now()
    entry = _hold(kind, entry_id)
    tournament = entry.tournament
    if tournament.cancelled_at is None:
        check(hold_running(kind, tournament.code))
    refuse_refunding_alone(kind, entry, by)
    entry.refunded_at, entry.refunded_by = now, by.identity
    entry.save(update_fields=["refunded_at", "refunded_by"])
    day = gaming_day_at(now).date
    booking = Booking(
        debit=kind.accounts.fees,
        credit=kind.accounts.drawer(by),
        amount=entry.paid_in,
        kind=f"{kind.accounts.transfers}-refund",
        reference=str(entry.pk),
    )
    post(booking=booking, by=by, day=day, at=now)
    reference = f"{tournament.code}/{entry.pk}"
    handed = HandedOver(
        kind=kind.cash.refund, payment=entry.pk, reference=reference, cash=entry.paid_in, day=day, at=now
    )
    whose = player_of(entry)
    give_back(  # what went back is not lost any more: it makes room under the player's limits
        player_id=whose,
        kind=PlayLineKind.REFUND,
        amount=entry.paid_in,
        place=TOURNAMENT,
        reference=f"{kind.name} {tournament.code}",
        by=by,
        at=now,
    )
    hand_over(handed, receiver=Receiver(identity=identity, played_by=whose), by=by)
    act = TournamentRefunded(tournament=tournament.code, of=kind.act_of, entry=entry.pk, amount=entry.paid_in)
    record_act(act, by=by)
    return entry


def refuse_refunding_alone(kind: TournamentKind, entry: TournamentEntry, by: Actor) -> None:
    """Another person has authorised it, or two others called the tournament off. Nobody knows who stands before a
    device on the floor: there two have said so."""
    called_off = (entry.tournament.cancelled_by, entry.tournament.cancel_proposed_by)
    said = called_off if any(called_off) else (entry.refund_authorised_by,)
    if not any(said):
        raise Conflict("supervisor-needed", "Somebody who runs the tournament has to authorise this refund first.")
    if not is_another(by, kind.rights.refund, *said):
        raise Conflict("two-people-needed", "Who said that a fee goes back does not hand it over.")
    if by.at is At.FLOOR and not any(called_off) and entry.refund_seconded_by is None:
        words = "At a device on the floor it goes back once a second person has said so, too."
        raise Conflict("two-people-needed", words)


def _hold(kind: TournamentKind, entry_id: int) -> TournamentEntry:
    """The entry, its row locked after its tournament; its fee has not gone back, and it has no place."""
    seen = find_entry(kind, entry_id)
    hold(Lock.TOURNAMENT, seen.tournament_id)
    entry = TournamentEntry.objects.select_for_update(of=("self",)).select_related("tournament").get(pk=seen.pk)
    if entry.refunded_at is not None:
        raise Conflict("already-refunded", "The fee of this entry has gone back.")
    if entry.place is not None:
        raise Conflict("tournament-over", f"The tournament “{entry.tournament.code}” is finished.")
    return entry


def _reason(why: str) -> str:
    if not why.strip():
        raise Refusal("reason-missing", "Say why: it stays on record.", field="why")
    return why.strip()
