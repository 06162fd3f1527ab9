"""How old a player is: his date of birth, as a document shows it. It stays in his row and never enters the log."""

from __future__ import annotations

from datetime import date, datetime, time

from django.db import transaction
from django.utils import timezone

from house.log import record_act
from house.models import Player, RestrictionKind
from house.permissions import MANAGE_PLAYERS, RESTRICT_PLAYERS
from house.persons import is_another
from house.players.acts import BirthConfirmed, BirthRecorded
from house.players.cards import lock_player
from house.players.restrict import keep_out
from house.rules.age import ADULT_YEARS, is_of_age, of_age_from
from house.venue import local, zone
from kernel.actors import Actor
from kernel.refusal import Forbidden, Refusal

OLDEST_YEARS = 130


@transaction.atomic
def record_birth(*, player_number: str, born: date, by: Actor) -> Player:
    """As his document shows it. Another date than on record takes another person than who wrote that down; the same
    date from another person confirms it.

    Who is not of age is kept from playing until he is.
    """
    by.require(MANAGE_PLAYERS)
    return keep_birth(lock_player(player_number), born, by=by)


def keep_birth(player: Player, born: date, *, by: Actor) -> Player:
    """In the caller's transaction, which holds the player's row; whoever saw the document may say it."""
    is_known = player.born is not None
    is_second = is_known and is_another(by, RESTRICT_PLAYERS, player.born_by)
    if born == player.born:
        if is_second and player.born_confirmed_by is None:
            player.born_confirmed_by = by.identity
            player.save(update_fields=["born_confirmed_by"])
            record_act(BirthConfirmed(player=player.number), by=by)
        return player
    refuse_impossible(born)
    if is_known and not is_second:
        raise Forbidden("same-person", "Another date of birth is on record: somebody else corrects it.", field="born")
    player.born, player.born_by, player.born_confirmed_by = born, by.identity, None
    player.save(update_fields=["born", "born_by", "born_confirmed_by"])
    record_act(BirthRecorded(player=player.number, corrected=is_known), by=by)
    if not is_of_age(born, today()):
        until = datetime.combine(of_age_from(born), time(), tzinfo=zone())
        keep_out(player, kind=RestrictionKind.EXCLUSION, reason=f"Under {ADULT_YEARS}.", until=until, by=by)
    return player


def refuse_impossible(born: date) -> None:
    if not 0 <= today().year - born.year <= OLDEST_YEARS or born > today():
        raise Refusal("born-impossible", "Write the date of birth as the document shows it.", field="born")


def today() -> date:
    """By the venue's calendar: birthdays are no matter of the gaming day."""
    return local(timezone.now()).date()
