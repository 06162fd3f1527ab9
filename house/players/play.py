"""Where every room asks before it takes a wager with a card, and tells what the wager gave back.

The player's row is locked until the caller's transaction ends, so that two terminals cannot both use the same room
under a limit. What is kept is a record for the limits, not money: money is the ledger's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house import acts
from house.actors import Actor
from house.models import Player, PlayLine, PlayLineKind, Scope
from house.players.cards import lock_player, player_of
from house.players.limits import day_of, room
from house.players.restrict import refuse_restricted
from house.refusal import Malformed, Refusal
from house.rules.limits import Kind, accept
from ledger.money import ZERO, Money

KENO = "keno"


@dataclass(frozen=True, slots=True)
class Placed:
    """One wager at a table, and what of it stands."""

    name: str
    amount: Money
    stands: Money

    @property
    def returned(self) -> Money:
        return self.amount - self.stands


def take_wager(
    *, card: str | None, amount: Money, place: str, by: Actor, reference: str = "", at: datetime | None = None
) -> Player | None:
    """Ask before a wager that stands whole or not at all: a ticket, a jackpot wager (nsw-csp:16.3).

    None: played without a card, or with one the house does not know, where the venue lets that be.
    """
    player = may_play(card=card, place=place, at=at)
    if player is None:
        return None
    at = at or timezone.now()
    left = room(player, Kind.LOSS, at=at)
    if left is not None and amount > left:
        raise Refusal(
            "loss-limit",
            f"Player {player} may lose {left} more in this period; this wager is {amount}.",
            clause="nsw-csp:16.3",
            field="player",
        )
    keep_line(player, PlayLineKind.WAGER, amount, place=place, reference=reference, at=at, by=by)
    return player


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
    by.require("players.wager")
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
    if any(each.returned for each in placed):
        acts.record(
            kind="player.wager-above-limit",
            subject=player.identity,
            by=by,
            data={"table": table, "returned": [[each.name, str(each.returned)] for each in placed if each.returned]},
        )
    return placed


@transaction.atomic
def record_return(*, card: str, table: str, amount: Money, by: Actor) -> Player:
    """What a round at a table gave back to the player: stakes and winnings together."""
    by.require("players.wager")
    player = player_of(card)
    if player is None:
        raise Refusal("card-needed", f"There is no player card {card}.", clause="nsw-csp:5.1", field="player")
    give_back(player_id=player.pk, kind=PlayLineKind.WINNINGS, amount=amount, place=table, reference="round", by=by)
    return player


@transaction.atomic
def deposit(*, card: str, amount: Money, method: str, by: Actor) -> Money | None:
    """Money from outside into the player's account with the house (nsw-csp:1.1). Answers the room that is left."""
    by.require("players.deposit")
    player = player_of(card)
    if player is None:
        raise Refusal("card-needed", f"There is no player card {card}.", clause="nsw-csp:5.1", field="player")
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
    keep_line(player, PlayLineKind.DEPOSIT, amount, place="cashier", reference=method, at=now, by=by)
    return None if left is None else left - amount


def keep_line(player: Player, kind: str, loss: Money, *, place: str, reference: str, at: datetime, by: Actor) -> None:
    if loss == ZERO:
        return
    PlayLine.objects.create(
        player=player,
        at=at,
        day=day_of(Kind.DEPOSIT if kind == PlayLineKind.DEPOSIT else Kind.LOSS, at),
        kind=kind,
        loss=loss.micros,
        place=place,
        reference=reference,
        by=by.identity,
    )
