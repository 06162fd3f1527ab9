"""Who somebody is, for a promotion: the number of the player card or, where the terms need none, email or telephone.

An identity is plain text with nothing in it that JSON would escape, so that Python and SQL write the same leaf.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from house.rules.cards import read_card
from kernel.money import Money
from kernel.refusal import Conflict, Refusal
from promotions import players
from promotions.models import Promotion
from promotions.rules.terms import Terms
from promotions.versions import edition_of

EMAIL: Final = re.compile(r"[a-z0-9._+-]{1,64}@[a-z0-9.-]{1,48}\.[a-z]{2,}", re.ASCII)
PHONE: Final = re.compile(r"\+?[0-9]{6,15}", re.ASCII)
_CHARACTERS_LIMIT: Final = {"name": 120, "address": 300, "telephone": 40, "email": 254}


@dataclass(frozen=True, slots=True)
class Contact:
    """What is kept of a person, and only here: name, and how a winner is told (17.8)."""

    name: str = ""
    address: str = ""
    telephone: str = ""
    email: str = ""

    def __bool__(self) -> bool:
        return bool(self.name or self.address or self.telephone or self.email)


NOBODY: Final = Contact()
UNKNOWN_CARD: Final = "There is no such player card: register the player first."


def identity_of(*, card: str, contact: Contact, card_required: bool) -> str:
    """``card:C-1001``; a ValueError says in a sentence what is missing or unreadable. `whose` makes it a player’s."""
    if contact:
        for field, most in _CHARACTERS_LIMIT.items():
            if len(getattr(contact, field)) > most:
                raise ValueError(f"The {field} has at most {most} characters.")
        if not contact.name:
            raise ValueError("The name is missing.")
    if card:
        number = read_card(card)
        if number is None:
            raise ValueError("A player card’s number is up to 32 letters, digits and dashes.")
        return f"card:{number}"
    if card_required:
        raise ValueError("A player card is needed to enter.")
    if contact.email:
        if not EMAIL.fullmatch(email := contact.email.strip().lower()):
            raise ValueError("The email address cannot be read.")
        return f"email:{email}"
    phone = re.sub(r"[\s().-]", "", contact.telephone)
    if not PHONE.fullmatch(phone):
        raise ValueError("A player card, an email address or a telephone number is needed.")
    return f"phone:{phone}"


def whose(identity: str, promotion: Promotion) -> str:
    """The player behind a card; a card that the house does not know enters nobody (17.7.3: who is eligible)."""
    kind, _, card = identity.partition(":")
    if kind != "card":
        return identity
    known = players.identities([card])
    if card not in known:
        raise Refusal("card-unknown", UNKNOWN_CARD, clause=edition_of(promotion).particular("7.3"), field="card")
    return known[card]


def refuse_barred(identity: str, terms: Terms, promotion: Promotion) -> None:
    """Who is excluded, an employee, of a household that is out, or too young does not enter (17.7.3)."""
    if why := players.barred([identity], terms).get(identity):
        raise Refusal(
            "not-eligible",
            f"The holder of this card cannot take part: {why}.",
            clause=edition_of(promotion).particular("7.3"),
            field="card",
        )


def refuse_barred_winner(identity: str | None, terms: Terms, promotion: Promotion) -> None:
    """The same of a winner, at the claim and at the payment: by what is on record at that moment. Nothing is paid to
    somebody in breach of the employee policy (nsw-csp:16.19)."""
    why = players.barred([identity], terms).get(identity) if identity is not None else None
    if why is not None:
        raise not_eligible(why, promotion)


def not_eligible(why: str, promotion: Promotion) -> Conflict:
    return Conflict(
        "not-eligible",
        f"This winner cannot win: {why}. Say that he is not eligible: another person seconds it, the scrutineer "
        "signs, and the next in the drawn order wins.",
        clause=players.EMPLOYEE_RULE if why == players.IN_BREACH else edition_of(promotion).particular("7.3"),
    )


def refuse_small_wager(terms: Terms, wagered: Money | None, promotion: Promotion) -> None:
    """17.7.4: a minimum or compulsory wager, where the terms have one."""
    if words := small_wager(terms, wagered):
        raise Refusal("wager-too-small", words, clause=edition_of(promotion).particular("7.4"), field="wagered")


def small_wager(terms: Terms, wagered: Money | None) -> str | None:
    least = terms.minimum_wager
    if least is None or (wagered is not None and wagered >= least):
        return None
    return f"A wager of at least ${least} is needed to enter."
