"""What a claimant shows of himself, where the terms ask for it: how old he is, and whether he is of an employee's
household (17.7.3, 15.7.3). Asked at the claim, and again when it is accepted and when it is paid.

His age is on the player's record, or his document shows it: then it is on record from there on.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from house.models import Player
from house.players.age import keep_birth, refuse_impossible, today
from house.players.cards import lock_player
from house.rules.age import ADULT_YEARS, is_of_age
from kernel.actors import Actor
from kernel.refusal import Refusal
from promotions.models import Claim, Promotion, Win
from promotions.people import not_eligible
from promotions.players import player_behind, too_young
from promotions.rules.terms import Terms
from promotions.versions import edition_of, terms_in_force

OF_A_HOUSEHOLD: Final = "of an employee's household"
BY_RECORD: Final = "record"
BY_DOCUMENT: Final = "document"


@dataclass(frozen=True, slots=True)
class Shown:
    """*born*: as his document shows it; *household*: whether he is of an employee's. None: not said."""

    born: date | None = None
    household: bool | None = None


NOTHING_SHOWN: Final = Shown()


def take(win: Win, terms: Terms, shown: Shown, *, by: Actor) -> tuple[str | None, str | None]:
    """By what his age is known, and by which player's record if by that; or a refusal: too young, of a household that
    is out, or what the terms ask is missing.

    The rows of promotion and winner are locked; a date of birth that was not on record is, from now on.
    """
    if shown.born is not None:
        refuse_impossible(shown.born)
    player = _player(win)
    on_record = player.born if player is not None else None
    refuse_unless_shown(win.promotion, terms, shown, on_record=on_record)
    if player is not None and on_record is not None:
        return BY_RECORD, player.number
    if shown.born is None:
        return None, None
    if player is not None:
        keep_birth(lock_player(player.number), shown.born, by=by)
    return BY_DOCUMENT, None


def must_be_shown(claim: Claim, win: Win, *, receiver_born: date | None = None) -> None:
    """The same of a claim that was made, by what is on record now; *receiver_born*: by who is paid, where he shows who
    he is."""
    _, terms = terms_in_force(win.promotion)
    player = _player(win)
    on_record = (player.born if player is not None else None) or claim.born
    shown = Shown(receiver_born, claim.household)
    refuse_unless_shown(win.promotion, terms, shown, on_record=on_record)


def refuse_unless_shown(promotion: Promotion, terms: Terms, shown: Shown, *, on_record: date | None) -> None:
    clause = edition_of(promotion).particular("7.3")
    if shown.born is not None and on_record is not None and shown.born != on_record:
        words = "Another date of birth is on the player’s record: it is corrected there, by another person."
        raise Refusal("born-differs", words, clause=clause, field="born")
    born = on_record or shown.born
    if born is None and terms.minimum_age is not None:
        words = f"By the terms a winner is {terms.minimum_age} years or older: write the date of birth of the document."
        raise Refusal("born-missing", words, clause=clause, field="born")
    if born is not None and not is_of_age(born, today(), terms.minimum_age or ADULT_YEARS):
        raise not_eligible(too_young(terms), promotion)
    if shown.household is None and terms.households_excluded:
        words = "By the terms households of employees cannot win: ask whether the claimant is of one."
        raise Refusal("household-missing", words, clause=clause, field="household")
    if shown.household and terms.households_excluded is not False:
        raise not_eligible(OF_A_HOUSEHOLD, promotion)


def _player(win: Win) -> Player | None:
    number = player_behind(win.pick.entry.entrant.identity)
    return Player.objects.get(pk=number) if number is not None else None
