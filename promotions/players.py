"""What this room asks the house about players: whose card it is, who may not take part, who wagered how much.

The rooms that take wagers stand beside this one and are not asked: a wager with a card leaves a line with the house.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final

from django.db.models import Q, Sum
from django.db.models.expressions import RawSQL
from django.utils import timezone

from house.models import Player, PlayerCard, PlayLine, PlayLineKind, Restriction, RestrictionKind
from house.players.age import today
from house.rules.age import ADULT_YEARS, last_birthday_of_age
from kernel.money import Money
from promotions.models import ExcludedCard, Exclusion
from promotions.rules.terms import Terms

_PREFIX: Final = "player:"
EMPLOYEE_RULE: Final = "nsw-csp:16.19"
IN_BREACH: Final = "kept from play by the employee gambling policy"
# A break keeps somebody from wagering, not from a draw he has entered.
_WHY: Final[Mapping[str, str]] = {
    RestrictionKind.EXCLUSION: "excluded from play",
    RestrictionKind.EMPLOYEE: IN_BREACH,
}


def identities(cards: Collection[str]) -> dict[str, str]:
    """The identity of each card that the house knows: its player's. Somebody with a second card is still one person.

    *cards* are in their one form (house.rules.cards); a card that is missing in the answer is nobody's.
    """
    # One array instead of a parameter a card: a file asks for ten thousand at a time.
    asked = RawSQL("SELECT unnest(%s::text[])", [[*cards]])
    known = PlayerCard.objects.filter(number__in=asked).values_list("number", "player__number")
    return {number: f"{_PREFIX}{player}" for number, player in known}


# The same of every card at once, for a file of them: (card, identity).
CARDS: Final = f"""
    SELECT c.number AS card, '{_PREFIX}' || p.number AS identity
    FROM house_playercard c JOIN house_player p ON p.id = c.player_id
"""  # noqa: S608


def player_behind(identity: str | None) -> int | None:
    """The player of an entrant's identity, where he is one."""
    if identity is None or not identity.startswith(_PREFIX):
        return None
    return Player.objects.filter(number=identity.removeprefix(_PREFIX)).values_list("pk", flat=True).first()


def barred(identities: Collection[str], terms: Terms) -> dict[str, str]:
    """Who of these may not take part by these terms, and why: the one gate, at entry, seal, draw, claim and payment.

    Excluded from play, kept from it as an employee, on the promotions' own list (households as the terms say), or
    younger than the terms ask, by what is on record now.
    """
    numbers = [who.removeprefix(_PREFIX) for who in identities if who.startswith(_PREFIX)]
    found = _under_age(terms, number__in=numbers) | _excluded(terms) | _restricted(player__number__in=numbers)
    return {who: why for who, why in found.items() if who in identities}


def everybody_barred(terms: Terms) -> dict[str, str]:
    """For whoever asks about a whole file: far fewer are barred than enter."""
    return _under_age(terms) | _excluded(terms) | _restricted()


def left_out(terms: Terms) -> dict[str, str]:
    """Whose entries are left out of the list at the seal and passed over at the draw: not on one person's word alone.

    Whom one person has put on the promotions' own list, kept from play or called too young is stopped at the claim,
    where two people and the scrutineer decide.
    """
    confirmed = {"confirmed_at__isnull": False}
    young = _under_age(terms, born_confirmed_by__isnull=False)
    return young | _excluded(terms, **confirmed) | _restricted(**confirmed)


def too_young(terms: Terms) -> str:
    return f"younger than {terms.minimum_age or ADULT_YEARS}"


def _under_age(terms: Terms, **of: object) -> dict[str, str]:
    young = Player.objects.filter(born__gt=last_birthday_of_age(today(), terms.minimum_age or ADULT_YEARS), **of)
    return {f"{_PREFIX}{number}": too_young(terms) for number in young.values_list("number", flat=True)}


def _restricted(**of: object) -> dict[str, str]:
    """What the house has decided."""
    now = timezone.now()
    lasting = Restriction.objects.filter(
        Q(until=None) | Q(until__gt=now), lifted_at=None, kind__in=_WHY, from_at__lte=now, **of
    )
    return {f"{_PREFIX}{number}": _WHY[kind] for number, kind in lasting.values_list("player__number", "kind")}


def _excluded(terms: Terms, **of: object) -> dict[str, str]:
    """The promotions' own list of cards; households of employees are out unless the terms let them in."""
    listed = ExcludedCard.objects.filter(removed_at=None, **of)
    if terms.households_excluded is False:
        listed = listed.exclude(why=Exclusion.HOUSEHOLD)
    cards = {row.card: row.get_why_display() for row in listed}
    whose = identities(cards) if cards else {}
    # Cards excluded before every card had to be known may still be nobody's: they enter nothing anyhow.
    return {identity: cards[card] for card, identity in whose.items()}


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
