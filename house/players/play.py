"""Where every room asks before it takes a wager with a card, and tells what the wager gave back.

The player's row is locked until the caller's transaction ends, so that two terminals cannot both use the same room
under a limit. What is kept is a record for the limits, not money: money is the ledger's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.identity import Identity
from house.cash.kinds import CashKind
from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import Player, PlayerCard, PlayLine, PlayLineKind, Scope, Way
from house.permissions import DEPOSIT_OF_PLAYERS, WAGER_OF_PLAYERS
from house.players.acts import WagerAboveLimit
from house.players.cards import known_card, lock_player
from house.players.limits import day_of, room
from house.players.restrict import refuse_restricted
from house.rules.cards import read_card
from house.rules.limits import Kind, accept
from house.venue import venue
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import Malformed, Refusal

KENO = "keno"
TOURNAMENT = "tournament"
CASH = "cash"
LONGEST_ODDS = 5_000  # to one: three sevens suited (act-bj:17.11); nothing on a layout pays more
DEPOSITED = CashKind("house", "deposit", "Player’s deposit", "player", Way.IN)


@dataclass(frozen=True, slots=True)
class Placed:
    """One wager at a table, and what of it stands."""

    name: str
    amount: Money
    stands: Money

    @property
    def returned(self) -> Money:
        return self.amount - self.stands


def player_of(card: str | None, *, clause: str = "nsw-csp:5.1", field: str = "player") -> Player | None:
    """Whose card it is. An unknown or cancelled one is refused always, a missing one where the venue requires cards."""
    if card:
        found = known_card(card, field=field, clause=clause)
        if found.cancelled_at is not None:
            raise Refusal("card-not-valid", f"Card {found.number} is no longer valid.", clause=clause, field=field)
        return found.player
    if venue().player_cards_required:
        raise Refusal(
            "card-needed",
            "No wager without a player card. Present a valid card of your own.",
            clause=clause,
            field=field,
        )
    return None


def holder_of(card: str, *, clause: str = "nsw-csp:5.1", field: str = "player") -> Player:
    """The same where there is nothing to do without a card."""
    player = player_of(card, clause=clause, field=field)
    if player is None:
        raise Refusal("card-needed", "Say whose card it is.", clause=clause, field=field)
    return player


def hold_players(cards: Sequence[str]) -> None:
    """Lock the players of several cards at once, in one order, so that two tables never wait for each other."""
    if numbers := [number for number in map(read_card, cards) if number]:
        owners = PlayerCard.objects.filter(number__in=numbers).values("player_id")
        list(Player.objects.select_for_update().filter(pk__in=owners).order_by("pk").values_list("pk"))


def take_wager(
    *, card: str | None, amount: Money, place: str, by: Actor, reference: str = "", at: datetime | None = None
) -> Player | None:
    """Ask before a wager that stands whole or not at all: a ticket, a jackpot wager (nsw-csp:16.3).

    None: played without a card, where the venue lets that be.
    """
    at = at or timezone.now()
    player = may_wager(card=card, amount=amount, place=place, at=at)
    if player is not None:
        keep_line(player, PlayLineKind.WAGER, amount, place=place, reference=reference, at=at, by=by)
    return player


def may_wager(*, card: str | None, amount: Money, place: str, at: datetime) -> Player | None:
    """The same, of a wager that is not made yet: nothing is counted towards a limit."""
    player = may_play(card=card, place=place, at=at)
    if player is not None:
        _refuse_beyond(player, amount, at=at)
    return player


def take_fee(*, card: str, amount: Money, room_name: str, by: Actor, reference: str, at: datetime) -> Player:
    """The same of an entry fee, which nobody pays without a card: it is lost until a prize comes of it.

    It is kept as play at ``tournament``: no wager at Keno or at a table, which a promotion might count.
    """
    holder_of(card, field="card")
    player = may_wager(card=card, amount=amount, place=room_name, at=at)
    assert player is not None
    keep_line(player, PlayLineKind.WAGER, amount, place=TOURNAMENT, reference=reference, at=at, by=by)
    return player


def _refuse_beyond(player: Player, amount: Money, *, at: datetime) -> None:
    left = room(player, Kind.LOSS, at=at)
    if left is not None and amount > left:
        raise Refusal(
            "loss-limit",
            f"Player {player} may lose {left} more in this period; this wager is {amount}.",
            clause="nsw-csp:16.3",
            field="player",
        )


def may_play(*, card: str | None, place: str, at: datetime | None = None) -> Player | None:
    """The player, locked, if card and person are in order (nsw-csp:5.1, 16.1, 16.4, 16.19; act-keno:14.3)."""
    player = player_of(card)
    if player is None:
        return None
    player = lock_player(player.number)
    refuse_restricted(player, scope=Scope.KENO if place == KENO else Scope.TABLES, at=at or timezone.now())
    return player


def give_back(
    *,
    player_id: int | None,
    kind: str,
    amount: Money,
    place: str,
    reference: str,
    by: Actor,
    at: datetime | None = None,
) -> None:
    """Winnings or a refund of a wager made with a card: they make room under the limit again."""
    if player_id is None or not amount:
        return
    player = Player.objects.select_for_update().get(pk=player_id)
    keep_line(player, kind, -amount, place=place, reference=reference, at=at or timezone.now(), by=by)


@transaction.atomic
def place_wagers(*, card: str, table: str, wagers: Sequence[tuple[str, Money]], by: Actor) -> list[Placed]:
    """A round's wagers at a table, in the order they were placed.

    What lies above the loss limit is not valid and goes back in reverse order of placing (nsw-csp:14.21).
    """
    by.require(WAGER_OF_PLAYERS)
    if not wagers:
        raise Malformed("no-wagers", "Send at least one wager.", field="wagers")
    player = may_play(card=card, place=table)
    if player is None:
        return [Placed(name, amount, amount) for name, amount in wagers]
    now = timezone.now()
    stands = accept([amount for _, amount in wagers], room(player, Kind.LOSS, at=now))
    placed = [Placed(name, amount, part) for (name, amount), part in zip(wagers, stands, strict=True)]
    total = Money.total(stands)
    if total:
        keep_line(player, PlayLineKind.WAGER, total, place=table, reference="round", at=now, by=by)
    if returned := [(each.name, each.returned) for each in placed if each.returned]:
        record_act(WagerAboveLimit(player=player.number, table=table, returned=returned), by=by)
    return placed


@transaction.atomic
def record_return(*, card: str, table: str, amount: Money, by: Actor) -> Player:
    """What a round at a table gave back to the player: stakes and winnings together.

    Of what he wagered there since the last time, and no more than the longest odds of any layout would have paid: what
    comes back makes room under his limits, so nobody gets room by typing a number.
    """
    by.require(WAGER_OF_PLAYERS)
    player = lock_player(holder_of(card).number)
    staked = _in_play(player, table)
    if not staked:
        raise Refusal("nothing-wagered", f"Player {player} has no wager at {table} that could come back.", field="card")
    if amount.micros > staked.micros * (LONGEST_ODDS + 1):
        raise Refusal(
            "returned-too-much",
            f"Player {player} wagered {staked} at {table}: so much cannot have come back.",
            field="amount",
        )
    give_back(player_id=player.pk, kind=PlayLineKind.WINNINGS, amount=amount, place=table, reference="round", by=by)
    return player


def _in_play(player: Player, table: str) -> Money:
    """What he wagered at a table since something came back there."""
    lines = PlayLine.objects.filter(player=player, place=table)
    last = lines.filter(kind=PlayLineKind.WINNINGS).order_by("-id").values_list("id", flat=True).first() or 0
    wagered = lines.filter(kind__in=[PlayLineKind.WAGER, PlayLineKind.REFUND], id__gt=last).aggregate(sum=Sum("loss"))
    return Money(max(int(wagered["sum"] or 0), 0))


@transaction.atomic
def deposit(*, card: str, amount: Money, method: str, by: Actor, identity: Identity | None = None) -> Money | None:
    """Money from outside into the player's account with the house (nsw-csp:1.1). Answers the room that is left."""
    by.require(DEPOSIT_OF_PLAYERS)
    player = holder_of(card)
    player = lock_player(player.number)
    now = timezone.now()
    refuse_restricted(player, scope=Scope.CASINO, at=now)
    left = room(player, Kind.DEPOSIT, at=now)
    if left is not None and amount > left:
        raise Refusal(
            "deposit-limit",
            f"Player {player} may deposit {left} more today; this is {amount}.",
            clause="nsw-csp:16.3",
            field="amount",
        )
    line = keep_line(player, PlayLineKind.DEPOSIT, amount, place="cashier", reference=method, at=now, by=by)
    if line is not None and method == CASH:
        handed = HandedOver(
            kind=DEPOSITED,
            payment=line.pk,
            reference=player.number,
            cash=amount,
            day=gaming_day_at(now).date,
            at=now,
        )
        hand_over(handed, receiver=Receiver(identity=identity, played_by=player.pk), by=by)
    return None if left is None else left - amount


def keep_line(
    player: Player, kind: str, loss: Money, *, place: str, reference: str, at: datetime, by: Actor
) -> PlayLine | None:
    if loss == ZERO:
        return None
    return PlayLine.objects.create(
        player=player,
        at=at,
        day=day_of(Kind.DEPOSIT if kind == PlayLineKind.DEPOSIT else Kind.LOSS, at),
        kind=kind,
        loss=loss.micros,
        place=place,
        reference=reference,
        by=by.identity,
    )
