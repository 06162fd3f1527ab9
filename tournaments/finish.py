"""The end of a tournament: places and prizes, the whole balance of the fees to the cent; or every fee back."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house.cash.customers import hold_players
from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.gaming_days import gaming_day_at
from house.log import record_act
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Conflict, Refusal
from ledger.post import Booking, post, post_many
from tournaments.acts import Place, TournamentCancelled, TournamentFinished
from tournaments.find import hold_running, player_of, playing
from tournaments.kinds import TournamentKind
from tournaments.models import Tournament, TournamentEntry
from tournaments.refund import count_refund
from tournaments.rules.money import retained_of, share


@transaction.atomic
def finish_tournament(
    *, kind: TournamentKind, code: str, by: Actor, now: datetime | None = None
) -> list[TournamentEntry]:
    """Rank the entries by the scores that stand: the balance of what was paid in becomes prizes, all of it."""
    by.require(kind.rights.run)
    tournament = hold_running(kind, code)
    if tournament.scored_at is None:
        raise Conflict("not-scored", "The scores have not been written down yet.", clause=kind.clauses.approved)
    if tournament.confirmed_at is None:
        raise Conflict("scores-not-confirmed", "Another person writes the scores down, too: then they stand.")
    now = now or timezone.now()
    ranked = sorted(playing(tournament).select_for_update(), key=lambda entry: (-points_of(entry), entry.pk))
    if not ranked:
        raise Conflict("nobody-entered", "Every fee has gone back: there is nobody to rank. Call it off.")
    fees = Money.total(entry.paid_in for entry in ranked)
    retained = retained_of(fees, tournament.terms["retained"])
    placed = share([points_of(entry) for entry in ranked], fees - retained, tournament.terms["prizes"])
    for entry, each in zip(ranked, placed, strict=True):
        entry.place, entry.prize = each.place, each.prize
        entry.save(update_fields=["place", "prize"])
    tournament.finished_at, tournament.finished_by = now, by.identity
    tournament.fees, tournament.retained = fees, retained
    tournament.save(update_fields=["finished_at", "finished_by", "fees", "retained"])
    if retained:
        booking = Booking(
            debit=kind.accounts.fees,
            credit=kind.accounts.retained,
            amount=retained,
            kind=f"{kind.accounts.transfers}-retained",
            reference=code,
        )
        post(booking=booking, by=by, day=gaming_day_at(now).date, at=now)
    places = [
        Place(entry.pk, kind.shown_score(points_of(entry)), each.place, each.prize)
        for entry, each in zip(ranked, placed, strict=True)
    ]
    record_act(TournamentFinished(tournament=code, of=kind.act_of, fees=fees, retained=retained, places=places), by=by)
    return ranked


@transaction.atomic
def cancel_tournament(
    *, kind: TournamentKind, code: str, why: str, by: Actor, now: datetime | None = None
) -> Tournament:
    """Give it up before it is finished: every fee goes back, all of it."""
    by.require(kind.rights.run)
    tournament = hold_running(kind, code)
    if tournament.confirmed_at is not None:  # nobody calls off a tournament because of who won it
        raise Conflict("scores-stand", "Two people have written its scores down: it is finished, not called off.")
    if not why.strip():
        raise Refusal("reason-missing", "Say why: it stays on record.", field="why")
    now = now or timezone.now()
    entries = list(playing(tournament).select_for_update().order_by("id"))
    tournament.cancelled_at, tournament.cancelled_by, tournament.cancel_reason = now, by.identity, why.strip()
    tournament.save(update_fields=["cancelled_at", "cancelled_by", "cancel_reason"])
    drawer = kind.accounts.drawer(by)
    for entry in entries:
        entry.refunded_at, entry.refunded_by = now, by.identity
        entry.save(update_fields=["refunded_at", "refunded_by"])
    bookings = [
        Booking(
            debit=kind.accounts.fees,
            credit=drawer,
            amount=entry.paid_in,
            kind=f"{kind.accounts.transfers}-refund",
            reference=str(entry.pk),
        )
        for entry in entries
    ]
    day = gaming_day_at(now).date
    post_many(bookings=bookings, by=by, day=day, at=now)
    whose = {entry.pk: player_of(entry) for entry in entries}
    for entry in sorted(entries, key=lambda entry: whose[entry.pk] or 0):
        count_refund(entry, kind=kind, by=by, at=now)
    hold_players(whose.values())
    for entry in entries:
        reference = f"{code}/{entry.pk}"
        handed = HandedOver(
            kind=kind.cash.refund, payment=entry.pk, reference=reference, cash=entry.paid_in, day=day, at=now
        )
        hand_over(handed, receiver=Receiver(played_by=whose[entry.pk], can_be_asked=False), by=by)
    refunds = Money.total(entry.paid_in for entry in entries)
    act = TournamentCancelled(tournament=code, of=kind.act_of, why=tournament.cancel_reason, refunds=refunds)
    record_act(act, by=by)
    return tournament


def points_of(entry: TournamentEntry) -> int:
    assert entry.score is not None
    return entry.score
