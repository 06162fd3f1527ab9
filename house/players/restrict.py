"""Keeping a player from wagering: exclusions, the employee gambling policy, breaks."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from house import steps
from house.log import record_act
from house.models import Player, Restriction, RestrictionKind, Scope
from house.permissions import RESTRICT_PLAYERS
from house.players.acts import LiftingSaid, PlayerRestricted, RestrictionConfirmed, RestrictionLifted
from house.players.cards import find_card, lock_player
from house.times import for_people
from kernel.actors import Actor
from kernel.refusal import NotFound, Refusal

_CLAUSES: Final = {
    RestrictionKind.EXCLUSION: "act-keno:14.3",
    RestrictionKind.EMPLOYEE: "nsw-csp:16.19",
    RestrictionKind.BREAK: "nsw-csp:16.4",
}
_WORDS: Final = {
    RestrictionKind.EXCLUSION: "is excluded from play",
    RestrictionKind.EMPLOYEE: "may not gamble here under the employee gambling policy",
    RestrictionKind.BREAK: "is taking a break while the loss limit is reset",
}


@transaction.atomic
def restrict(
    *,
    player_number: str,
    kind: str,
    reason: str,
    by: Actor,
    until: datetime | None = None,
    scope: str = Scope.CASINO,
    clause: str = "",
    breach_since: datetime | None = None,
) -> Restriction:
    """From now on. A break always ends by itself; the others may.

    *breach_since*: the employee policy bound him from then on, as is found out now: nothing is paid on what he has
    wagered since (nsw-csp:16.19).
    """
    by.require(RESTRICT_PLAYERS)
    owner = lock_player(player_number)
    now = timezone.now()
    if not reason.strip():
        raise Refusal("reason-missing", "Say why.", field="reason")
    if until is not None and until <= now:
        raise Refusal("already-over", "It would be over already: give a time to come.", field="until")
    if kind == RestrictionKind.BREAK and until is None:
        raise Refusal("break-without-end", "A break has an end: say until when.", clause="nsw-csp:16.4", field="until")
    _refuse_breach(kind, breach_since, now)
    return keep_out(
        owner,
        kind=kind,
        reason=reason.strip(),
        until=until,
        scope=scope,
        clause=clause,
        breach_since=breach_since,
        by=by,
    )


def _refuse_breach(kind: str, since: datetime | None, now: datetime) -> None:
    if since is not None and (kind != RestrictionKind.EMPLOYEE or since > now):
        raise Refusal(
            "breach-impossible",
            "Since when somebody was in breach is said of the employee policy, and is past.",
            clause="nsw-csp:16.19",
            field="breach_since",
        )


def keep_out(
    player: Player,
    *,
    kind: str,
    reason: str,
    by: Actor,
    until: datetime | None,
    scope: str = Scope.CASINO,
    clause: str = "",
    breach_since: datetime | None = None,
) -> Restriction:
    """In the caller's transaction, which holds the player's row and has asked whether it may be."""
    new = Restriction.objects.create(
        player=player,
        kind=kind,
        scope=scope,
        from_at=timezone.now(),
        until=until,
        breach_since=breach_since,
        reason=reason,
        clause=clause or _CLAUSES[RestrictionKind(kind)],
        made_by=by.identity,
    )
    restricted = PlayerRestricted(
        player=player.number, restriction=new.pk, kind_=kind, scope=scope, until=until, breach_since=breach_since
    )
    record_act(restricted, by=by)
    return new


@transaction.atomic
def confirm(*, restriction_id: int, by: Actor) -> Restriction:
    """Say so as the second person: what the player had entered before is left out as well."""
    by.require(RESTRICT_PLAYERS)
    found, now = _lock(restriction_id), timezone.now()
    steps.refuse_confirmation(found, by, now=now)
    found.confirmed_at, found.confirmed_by = now, by.identity
    found.save(update_fields=["confirmed_at", "confirmed_by"])
    record_act(RestrictionConfirmed(player=found.player.number, restriction=found.pk), by=by)
    return found


@transaction.atomic
def lift(*, restriction_id: int, by: Actor) -> Restriction:
    """Say that it is to end; it does once another person has said so, too. Neither is who made it.

    Who could let somebody back alone would let back a friend who had asked to be kept out.
    """
    by.require(RESTRICT_PLAYERS)
    found, now = _lock(restriction_id), timezone.now()
    steps.refuse_lift(found, by, now=now)
    if found.lifting_said_by is None:
        found.lifting_said_at, found.lifting_said_by = now, by.identity
        found.save(update_fields=["lifting_said_at", "lifting_said_by"])
        record_act(LiftingSaid(player=found.player.number, restriction=found.pk), by=by)
        return found
    found.lifted_at, found.lifted_by = now, by.identity
    found.save(update_fields=["lifted_at", "lifted_by"])
    record_act(RestrictionLifted(player=found.player.number, restriction=found.pk), by=by)
    return found


def _lock(restriction_id: int) -> Restriction:
    found = Restriction.objects.select_for_update().select_related("player").filter(pk=restriction_id).first()
    if found is None:
        raise NotFound("no-such-restriction", f"There is no restriction {restriction_id}.")
    return found


def lasting(player: Player, at: datetime) -> QuerySet[Restriction]:
    """What keeps the player from play at this moment."""
    return Restriction.objects.filter(
        Q(until=None) | Q(until__gt=at), Q(lifted_at=None) | Q(lifted_at__gt=at), player=player, from_at__lte=at
    )


def refuse_restricted(player: Player, *, scope: str, at: datetime) -> None:
    """Refuse a wager, or an entry, of somebody who may not play. The reason is between him and the house."""
    found = lasting(player, at).filter(scope__in=(Scope.CASINO, scope)).order_by("id").first()
    if found is not None:
        end = f" until {for_people(found.until)}" if found.until else ""
        raise Refusal(
            f"player-{'on-break' if found.kind == RestrictionKind.BREAK else found.kind}",
            f"Player {player} {_WORDS[RestrictionKind(found.kind)]}{end}.",
            clause=found.clause,
            field="player",
        )


def refuse_payment_on(card: str, *, wagered_at: datetime) -> None:
    """The same by the card the wager was made with, valid or not by now."""
    found = find_card(card)
    if found is not None:
        refuse_payment(found.player, wagered_at=wagered_at)


def refuse_payment(player: Player, *, wagered_at: datetime) -> None:
    """nsw-csp:16.19: nothing is owed to somebody who broke the employee policy when the wager was made.

    Where that was found out afterwards one person's word holds the payment until it is lifted, and for good once a
    second has confirmed it.
    """
    then = Q(lifted_at=None) | Q(lifted_at__gt=wagered_at) & (
        Q(from_at__lte=wagered_at) | Q(confirmed_at__isnull=False)
    )
    bound = Restriction.objects.annotate(bound_from=Coalesce("breach_since", "from_at")).filter(
        then,
        Q(until=None) | Q(until__gt=wagered_at),
        player=player,
        kind=RestrictionKind.EMPLOYEE,
        bound_from__lte=wagered_at,
    )
    if bound.exists():
        raise Refusal(
            "employee-policy",
            f"Player {player} broke the employee gambling policy with this wager: it is not paid.",
            clause="nsw-csp:16.19",
        )
