"""What this room asks the house about players: whose card it is, who may not take part, who wagered how much.

The rooms that take wagers stand beside this one and are not asked: a wager with a card leaves a line with the house.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final

from django.db.models import Q, Sum
from django.utils import timezone

from house.models import Player, PlayerCard, PlayLine, PlayLineKind, Restriction, RestrictionKind
from ledger.money import Money
from promotions.models import ExcludedCard

_PREFIX: Final = "player:"
# A break keeps somebody from wagering, not from a draw he has entered.
_WHY: Final[Mapping[str, str]] = {
    RestrictionKind.EXCLUSION: "excluded from play",
    RestrictionKind.EMPLOYEE: "kept from play by the employee gambling policy",
}


def identities(cards: Collection[str]) -> dict[str, str]:
    """The identity of each card: its player's where the house knows it, else the card's own. Somebody with a second
    card is still one person, whatever the case in which terminals and files write it."""
    found = {card: f"card:{card}" for card in cards}
    wanted = {card.upper(): card for card in cards}
    known = PlayerCard.objects.filter(number__in={*cards, *wanted}).values_list("number", "player__number")
    return found | {wanted[number.upper()]: f"{_PREFIX}{player}" for number, player in known}


def barred(identities: Collection[str]) -> dict[str, str]:
    """Who of these may not take part, and why: the promotions' own list of cards, and what the house has decided."""
    now = timezone.now()
    lasting = Restriction.objects.filter(
        Q(until=None) | Q(until__gt=now), lifted_at=None, kind__in=_WHY, from_at__lte=now
    )
    numbers = [who.removeprefix(_PREFIX) for who in identities if who.startswith(_PREFIX)]
    found = {
        f"{_PREFIX}{number}": _WHY[kind]
        for number, kind in lasting.filter(player__number__in=numbers).values_list("player__number", "kind")
    }
    excluded = {row.card: row.get_why_display() for row in ExcludedCard.objects.filter(removed_at=None)}
    for card, identity in _identities_of(excluded).items():
        if identity in identities:
            found[identity] = excluded[card]
    return found


def wagered(places: Sequence[str], begin: datetime, end: datetime) -> dict[str, Money]:
    """By identity: what was wagered in these places from *begin* and before *end*, less what was taken back."""
    sums = (
        PlayLine.objects.filter(
            place__in=places, at__gte=begin, at__lt=end, kind__in=[PlayLineKind.WAGER, PlayLineKind.REFUND]
        )
        .values("player")
        .annotate(sum=Sum("loss"))
        .values_list("player", "sum")
    )
    amounts = dict(sums)
    numbers = dict(Player.objects.filter(pk__in=amounts).values_list("pk", "number"))
    return {f"{_PREFIX}{numbers[player]}": Money(int(amount)) for player, amount in amounts.items()}


def _identities_of(cards: Collection[str]) -> dict[str, str]:
    return identities(list(cards)) if cards else {}
