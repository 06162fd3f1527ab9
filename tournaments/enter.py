"""Taking an entry and its fee, in cash."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.identity import Identity
from house.gaming_days import open_gaming_day
from house.log import record_act
from kernel.actors import Actor
from kernel.refusal import Conflict, Refusal
from ledger.post import Booking, post
from tournaments.acts import TournamentEntered
from tournaments.find import hold_open, player_of
from tournaments.kinds import TournamentKind
from tournaments.models import Tournament, TournamentEntry

PLAYER_CHARACTERS_LIMIT = 120


@transaction.atomic
def enter_tournament(
    *,
    kind: TournamentKind,
    code: str,
    player: str,
    by: Actor,
    numbers: Sequence[int] | None = None,
    check: Callable[[Tournament, datetime], None] | None = None,
    identity: Identity | None = None,
    now: datetime | None = None,
) -> TournamentEntry:
    """Enter a player. *check* refuses what the game's conditions do not allow, the tournament held."""
    by.require(kind.rights.enter)
    now = now or timezone.now()
    day = open_gaming_day(now).date
    tournament = hold_open(kind, code, now=now)
    named = player.strip()
    if not 0 < len(named) <= PLAYER_CHARACTERS_LIMIT:
        raise Refusal(
            "player-missing", f"Say who enters, in up to {PLAYER_CHARACTERS_LIMIT} characters.", field="player"
        )
    if check is not None:
        check(tournament, now)
    places = tournament.terms.get("most_entries")
    if places is not None and tournament.entries.count() >= places:
        raise Conflict("tournament-full", f"All {places} places are taken.", clause=kind.clauses.approved)
    entry = TournamentEntry.objects.create(
        tournament=tournament,
        player=named,
        numbers=None if numbers is None else list(numbers),
        fee=tournament.entry_fee,
        drawer=kind.accounts.drawer(by),
        entered_at=now,
        day=day,
        entered_by=by.identity,
    )
    booking = Booking(
        debit=entry.drawer,
        credit=kind.accounts.fees,
        amount=entry.fee,
        kind=f"{kind.accounts.transfers}-entry",
        reference=str(entry.pk),
    )
    post(booking=booking, by=by, day=day, at=now)
    handed = HandedOver(
        kind=kind.cash.fee, payment=entry.pk, reference=f"{code}/{entry.pk}", cash=entry.fee, day=day, at=now
    )
    # An entry stands: who pays a large fee and has not shown who he is becomes an incident, not a refusal.
    hand_over(handed, receiver=Receiver(identity=identity, played_by=player_of(entry), can_be_asked=False), by=by)
    record_act(TournamentEntered(tournament=code, of=kind.act_of, entry=entry.pk, fee=entry.fee), by=by)
    return entry
