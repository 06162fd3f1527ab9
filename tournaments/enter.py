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
from house.players.cards import find_card, known_card
from house.players.play import may_play
from kernel.actors import Actor
from kernel.refusal import Conflict, Refusal
from ledger.post import Booking, post
from tournaments.acts import TournamentEntered
from tournaments.find import hold_open, player_of, playing
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
    card: str = "",
    numbers: Sequence[int] | None = None,
    check: Callable[[Tournament, datetime], None] | None = None,
    identity: Identity | None = None,
    now: datetime | None = None,
) -> TournamentEntry:
    """Enter a player, by the card that he shows or by his name. *check* refuses what the conditions do not allow.

    A card is known and its player may play. Who pays a fee of the approved limit or more shows who he is.
    """
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
    if places is not None and playing(tournament).count() >= places:
        raise Conflict("tournament-full", f"All {places} places are taken.", clause=kind.clauses.approved)
    drawer = kind.accounts.drawer(by)
    shown = card.strip() or (named if find_card(named) is not None else "")  # a name is nobody's card
    whose = may_play(card=shown, place=kind.cash.fee.room, at=now)
    entry = TournamentEntry.objects.create(
        tournament=tournament,
        player=named,
        card="" if whose is None else known_card(shown).number,
        numbers=None if numbers is None else list(numbers),
        fee=tournament.entry_fee,
        drawer=drawer,
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
    hand_over(handed, receiver=Receiver(identity=identity, played_by=player_of(entry)), by=by)
    marked = None if entry.numbers is None else tuple(entry.numbers)
    entered = TournamentEntered(tournament=code, of=kind.act_of, entry=entry.pk, fee=entry.fee, numbers=marked)
    record_act(entered, by=by)
    return entry
