"""What no prize may be or include (17.5, 15.5), and what no prize may be paid in (17.4, 17.3, 15.3).

A prize declares what it contains of these; words that leave no doubt are caught besides, so that an undeclared carton
of cigarettes does not slip through. Liquor is added up over all prizes of the promotion, quantities included.
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

_WORDS: Final = re.compile(
    r"\b(tobacco|cigarettes?|cigars?|cigarillos?|snuff|firearms?|rifles?|shotguns?|pistols?|revolvers?|ammunition)\b",
    re.IGNORECASE,
)
_PARAGRAPH: Final = {"tobacco": "5.1", "cigar": "5.1", "snuff": "5.1"}


def refuse_prohibited(prizes: Sequence[Mapping[str, Any]], edition: Edition) -> None:
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
    contains = prize.get("contains", [])
    declared = contains if isinstance(contains, list) else []
    for thing in declared:
        if thing in NEVER:
            raise _refusal(f"{thing} can be no part of a prize", edition, NEVER[thing], f"{where}.contains")
    texts = [prize.get("name"), prize.get("nature"), prize.get("conditions"), *_values(prize.get("details"))]
    for text in texts:
        if isinstance(text, str) and (found := _WORDS.search(text)):
            word = found[0]
            paragraph = next((p for stem, p in _PARAGRAPH.items() if word.lower().startswith(stem)), "5.2")
            raise _refusal(f"“{word}” can be no part of a prize", edition, paragraph, where)


def _refuse_payment(prize: Mapping[str, object], edition: Edition, where: str) -> None:
    payment = prize.get("payment", [])
    if not edition.cash and isinstance(payment, list) and CASH in payment:
        raise Refusal(
            "cash-prize",
            "No prize is awarded in cash under this edition: state another method.",
            clause=edition.clause("payment"),
            field=f"{where}.payment",
        )
    if prize.get("alternative") is not None and prize.get("kind") in edition.no_alternative:
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
