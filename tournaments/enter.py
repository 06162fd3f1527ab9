"""Taking an entry and its fee, in cash, from somebody who shows his card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.identity import Identity
from house.gaming_days import open_gaming_day
from house.log import record_act
from house.models import Player, PlayerCard
from house.players.cards import known_card
from house.players.play import take_fee
from kernel.actors import Actor
from kernel.refusal import Conflict
from ledger.post import Booking, post
from tournaments.acts import TournamentEntered
from tournaments.find import hold_open, playing
from tournaments.kinds import TournamentKind
from tournaments.lot import promise_lots
from tournaments.models import Tournament, TournamentEntry


@transaction.atomic
def enter_tournament(
    *,
    kind: TournamentKind,
    code: str,
    card: str,
    by: Actor,
    numbers: Sequence[int] | None = None,
    check: Callable[[Tournament, datetime], None] | None = None,
    identity: Identity | None = None,
    now: datetime | None = None,
) -> TournamentEntry:
    """Enter the player whose card it is. *check* refuses what the conditions do not allow.

    He may play, has room under his limits for the fee and is not in already, with this card or another of his. Who
    pays a fee of the approved limit or more shows who he is.
    """
    by.require(kind.rights.enter)
    now = now or timezone.now()
    day = open_gaming_day(now).date
    tournament, opened = hold_open(kind, code, now=now)
    if opened:
        promise_lots(kind, tournament, by=by)
    if check is not None:
        check(tournament, now)
    places = tournament.terms.get("most_entries")
    if places is not None and playing(tournament).count() >= places:
        raise Conflict("tournament-full", f"All {places} places are taken.", clause=kind.clauses.approved)
    drawer, fee = kind.accounts.drawer(by), tournament.entry_fee
    player = take_fee(
        card=card, amount=fee, room_name=kind.cash.fee.room, by=by, reference=f"{kind.name} {code}", at=now
    )
    _refuse_again(kind, tournament, player)
    entry = TournamentEntry.objects.create(
        tournament=tournament,
        player=player.name,
        card=known_card(card).number,
        numbers=None if numbers is None else list(numbers),
        fee=fee,
        drawer=drawer,
        entered_at=now,
        day=day,
        entered_by=by.identity,
    )
    booking = Booking(
        debit=drawer,
        credit=kind.accounts.fees,
        amount=fee,
        kind=f"{kind.accounts.transfers}-entry",
        reference=str(entry.pk),
    )
    post(booking=booking, by=by, day=day, at=now)
    handed = HandedOver(kind=kind.cash.fee, payment=entry.pk, reference=f"{code}/{entry.pk}", cash=fee, day=day, at=now)
    hand_over(handed, receiver=Receiver(identity=identity, played_by=player.pk), by=by)
    marked = None if entry.numbers is None else tuple(entry.numbers)
    act = TournamentEntered(
        tournament=code, of=kind.act_of, entry=entry.pk, fee=fee, whose=player.number, numbers=marked
    )
    record_act(act, by=by)
    return entry


def _refuse_again(kind: TournamentKind, tournament: Tournament, player: Player) -> None:
    """The same person once, by whatever card of his, unless the conditions let him enter again."""
    most = tournament.terms.get("entries_a_player") or 1
    cards = PlayerCard.objects.filter(player=player).values("number")
    if playing(tournament).filter(card__in=cards).count() < most:
        return
    often = "once" if most == 1 else f"{most} times"
    raise Conflict(
        "already-entered",
        f"Player {player} is in already: by the conditions a player enters {often}.",
        clause=kind.clauses.approved,
        field="card",
    )
