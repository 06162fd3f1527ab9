"""What no prize may be or include (17.5, 15.5), and what no prize may be paid in (17.4, 17.3, 15.3).

A prize declares what it contains of these, by category: what is declared and prohibited is refused at once. Whether
everything is declared is what a second person confirms when the terms are submitted; words are a hint for him and no
more, so that a tribute to the Sex Pistols can be won and a replica handgun is looked at. Liquor is added up over all
prizes of the promotion, quantities included.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import Any, Final

from kernel.refusal import Refusal
from promotions.rules.editions import CASH, LIQUOR_LIMIT_LITRES, Edition

# What a prize declares with "contains", and the paragraph that forbids it.
NEVER: Final[Mapping[str, str]] = MappingProxyType(
    {
        "tobacco": "5.1",
        "firearm": "5.2",
        "ammunition": "5.2",
        "imitation-firearm": "5.2",
        "prohibited-weapon": "5.3",
        "prescribed": "5.5",
    }
)

# Words that somebody should look at, and what they may mean.
_HINTS: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        what: re.compile(rf"\b({words})\b", re.IGNORECASE)
        for what, words in {
            "tobacco": r"tobacco|cigar\w*|snuff|vap(?:e|es|ing|our\w*)|e-?cig\w*|nicotine|hookah|shisha",
            "a firearm, an imitation or ammunition": r"firearms?|\w*guns?|rifles?|shotguns?|pistols?|revolvers?|"
            r"replica\w*|muskets?|ammunition|ammo|bullets?|cartridges?",
            "a weapon": r"weapons?|knife|knives|daggers?|swords?|crossbows?|tasers?|batons?|machetes?",
            "liquor": r"liquor|wines?|champagne|prosecco|whisk[e]?y|bourbon|beers?|cider|spirits?|vodka|gin|rum|"
            r"cognac|brandy|tequila|port|sherry|cellar|magnums?",
        }.items()
    }
)


def refuse_prohibited(prizes: Sequence[Mapping[str, object]], edition: Edition) -> None:
    """Refuse prizes of a forbidden kind, however far the rest of the terms has got."""
    litres = Decimal(0)
    for at, prize in enumerate(prizes):
        where = f"prizes[{at}]"
        _refuse_things(prize, edition, where)
        _refuse_payment(prize, edition, where)
        litres += litres_of(prize, where) * quantity_of(prize)
    if litres > LIQUOR_LIMIT_LITRES:
        raise Refusal(
            "prohibited-prize",
            f"The prizes hold {litres.normalize():f} litres of liquor, added up: at most {LIQUOR_LIMIT_LITRES} are "
            "allowed.",
            clause=edition.clause("prohibited"),
            field="prizes",
        )


def litres_of(prize: Mapping[str, object], where: str = "prizes") -> Decimal:
    """The liquor in one of this prize, as the terms declare it: ``"0.750"``."""
    declared = prize.get("liquor_litres", "0")
    try:
        litres = Decimal(declared) if isinstance(declared, str) else Decimal(-1)
    except InvalidOperation:
        litres = Decimal(-1)
    if not litres.is_finite() or not Decimal(0) <= litres < Decimal(10) ** 6:
        raise Refusal("litres-unreadable", "Write litres of liquor like 4.5.", field=f"{where}.liquor_litres")
    return litres


def quantity_of(prize: Mapping[str, object]) -> int:
    quantity = prize.get("quantity", 1)
    return quantity if type(quantity) is int and quantity > 0 else 1


def _refuse_things(prize: Mapping[str, object], edition: Edition, where: str) -> None:
    """What is declared under a name that is none of these is not let through as if nothing were."""
    declared = prize.get("contains") or []
    for thing in declared if isinstance(declared, list) else [declared]:
        if not isinstance(thing, str) or thing not in NEVER:
            words = f"What a prize contains is declared as {', '.join(NEVER)}; liquor in litres."
            raise Refusal("contains-unknown", words, clause=edition.clause("prohibited"), field=f"{where}.contains")
        raise _refusal(f"{thing} can be no part of a prize", edition, NEVER[thing], f"{where}.contains")


def hints(terms: Mapping[str, Any]) -> list[str]:
    """What a second person should look at, in sentences: a word in the terms that may be of prohibited goods."""
    found = []
    for at, prize in enumerate(terms.get("prizes") or [], start=1):
        texts = [prize.get("name"), prize.get("conditions"), *_values(prize.get("details"))]
        liquor = prize.get("liquor_litres", "0") != "0"
        found += [f"Prize {at}: {said}" for text in texts for said in _hinted(text, liquor_declared=liquor)]
    any_liquor = any(prize.get("liquor_litres", "0") != "0" for prize in terms.get("prizes") or [])
    found += [f"The nature of the prizes: {said}" for said in _hinted(terms.get("nature"), liquor_declared=any_liquor)]
    return found


def _hinted(text: object, *, liquor_declared: bool) -> list[str]:
    if not isinstance(text, str):
        return []
    return [
        f"“{word[0]}” may mean {what}, and it is not declared."
        for what, words in _HINTS.items()
        if (word := words.search(text)) and not (what == "liquor" and liquor_declared)
    ]


def must_be_confirmed(terms: Mapping[str, Any]) -> bool:
    """Money holds no prohibited goods; whatever else is won, somebody has looked at."""
    return bool(hints(terms)) or any(prize.get("kind") != "money" for prize in terms.get("prizes") or [])


def _refuse_payment(prize: Mapping[str, object], edition: Edition, where: str) -> None:
    payment = prize.get("payment", [])
    if not edition.cash and isinstance(payment, list) and CASH in payment:
        raise Refusal(
            "cash-prize",
            "No prize is awarded in cash under this edition: state another method.",
            clause=edition.clause("payment"),
            field=f"{where}.payment",
        )
    if prize.get("alternative") is not None and str(prize.get("kind")) in edition.no_alternative:
        raise Refusal(
            "no-alternative",
            f"No money is offered instead of a prize of {prize['kind']}.",
            clause=edition.clause("alternative"),
            field=f"{where}.alternative",
        )


def _values(details: object) -> list[object]:
    return list(details.values()) if isinstance(details, Mapping) else []


def _refusal(words: str, edition: Edition, paragraph: str, field: str) -> Refusal:
    return Refusal(
        "prohibited-prize",
        f"{words[0].upper()}{words[1:]} ({edition.clauses['rule']}.{paragraph}).",
        clause=edition.clause("prohibited"),
        field=field,
    )
