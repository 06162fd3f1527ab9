"""What a winner gets and how, what he is told, and what is kept of a claim that is denied. Pure; differences are data.

17.3, 15.3: money instead of a non-monetary prize. 17.4: never cash. 15.4: a cash prize above $10,000 is paid as its
winner chooses. 17.8, 15.8: notification. 17.9, 15.10: refusals. 17.10, 15.11: the right to complain.

Left open by the rules, and decided here:
- "within 2 days of the draw" is 48 hours from the moment of the draw, the shorter reading;
- a money prize of $10,000.00 or less is paid in one of the ways of the terms, in one piece; the mix is 15.4's;
- money instead of a prize (17.3) is the amount in the terms or, where the terms name none and the edition allows it all
  the same, the prize's value in the terms; above $10,000 in the 2019 edition it is paid as a cash prize is (15.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from kernel.money import Money
from kernel.refusal import Refusal
from promotions.rules.editions import (
    CASH,
    CHOICE_ABOVE,
    DENIED_KEPT_ABOVE,
    HANDED_OVER,
    ISSUED,
    MONEY_METHODS,
    NOTIFIED_WITHIN,
    NOTIFY_BY,
    Edition,
)

MONEY = "money"
ISSUED_KINDS = frozenset({"voucher", "casino-dollars", "slots-dollars"})


@dataclass(frozen=True, slots=True)
class Offer:
    """A prize as its terms offer it; *methods* are the ways of disbursement in the terms."""

    kind: str
    value: Money
    methods: tuple[str, ...]
    alternative: Money | None = None


@dataclass(frozen=True, slots=True)
class Part:
    method: str
    amount: Money


def plan(edition: Edition, offer: Offer, parts: Sequence[Part], *, alternative: bool = False) -> Money:
    """The amount this payment is of; a refusal where it is not how this prize may be paid."""
    if not parts:
        raise Refusal("nothing-paid", "Say how the prize is paid or handed over.", field="parts")
    amount = _alternative(edition, offer) if alternative else offer.value
    for part in parts:
        if part.method == CASH and not edition.cash:
            raise Refusal(
                "never-cash",
                "A promotional prize is never paid in cash.",
                clause=edition.clause("payment"),
                field="parts",
            )
    methods = allowed(edition, offer, alternative=alternative)
    for part in parts:
        if part.method not in methods:
            raise Refusal(
                "method-not-in-terms",
                f"By its terms this prize is given by {_listed(methods)}, not by {part.method}.",
                clause=edition.clause("payment"),
                field="parts",
            )
    if len({part.method for part in parts}) != len(parts):
        raise Refusal("method-twice", "Say each way of payment once.", field="parts")
    if len(parts) > 1 and not _winner_chooses(edition, offer, amount, alternative=alternative):
        raise Refusal(
            "no-mix",
            f"This prize is given in one way; a mix is for cash prizes above ${CHOICE_ABOVE}.",
            clause=edition.clause("payment"),
            field="parts",
        )
    if any(part.amount.micros <= 0 or not part.amount.whole_cents for part in parts):
        raise Refusal("part-of-nothing", "Each part is an amount above zero, in whole cents.", field="parts")
    if Money.total(part.amount for part in parts) != amount:
        raise Refusal("not-the-amount", f"The parts add up to the whole prize: ${amount}.", field="parts")
    return amount


def allowed(edition: Edition, offer: Offer, *, alternative: bool = False) -> tuple[str, ...]:
    """The ways in which this prize may reach its winner."""
    paid = [method for method in MONEY_METHODS if edition.cash or method != CASH]
    if alternative:
        stated = tuple(method for method in offer.methods if method in paid)
        amount = offer.alternative or offer.value
        if _winner_chooses(edition, offer, amount, alternative=True):
            return tuple(dict.fromkeys((*edition.choice, *stated)))
        return stated or tuple(paid)
    if offer.kind == MONEY:
        stated = tuple(method for method in offer.methods if method in paid)
        if _winner_chooses(edition, offer, offer.value, alternative=False):
            return tuple(dict.fromkeys((*edition.choice, *stated)))
        return stated
    return (ISSUED,) if offer.kind in ISSUED_KINDS else (HANDED_OVER,)


def _winner_chooses(edition: Edition, offer: Offer, amount: Money, *, alternative: bool) -> bool:
    """15.4: a cash prize strictly above $10,000."""
    return bool(edition.choice) and (alternative or offer.kind == MONEY) and amount > CHOICE_ABOVE


def _alternative(edition: Edition, offer: Offer) -> Money:
    clause = edition.clause("alternative")
    if offer.kind in edition.no_alternative:
        raise Refusal(
            "no-alternative",
            f"For a prize of {offer.kind} there is nothing else to take.",
            clause=clause,
            field="alternative",
        )
    if offer.alternative is not None:
        return offer.alternative
    if edition.alternative_in_terms:
        raise Refusal(
            "alternative-not-in-terms",
            "The terms offer no money instead of this prize.",
            clause=clause,
            field="alternative",
        )
    return offer.value


def _listed(methods: Sequence[str]) -> str:
    return " or ".join(methods) if methods else "no way that the rules allow"


def notify_by(drawn_at: datetime) -> datetime:
    """When the house must have tried to tell a winner who need not be present (17.8, 15.8)."""
    return drawn_at + NOTIFIED_WITHIN


def check_notification(edition: Edition, how: str) -> None:
    if how not in NOTIFY_BY:
        raise Refusal(
            "method-unknown",
            f"A winner is told {_listed(NOTIFY_BY)}.",
            clause=edition.clause("notification"),
            field="how",
        )


def check_denial(edition: Edition, *, value: Money, name: str, address: str, reasons: str) -> None:
    """17.9, 15.10: reasons always; above $100 name and address, which are kept."""
    clause = edition.clause("refusal")
    if not reasons.strip():
        raise Refusal("reasons-missing", "Say why: the person is told.", clause=clause, field="reasons")
    if kept(value):
        for field, given in (("name", name), ("address", address)):
            if not given.strip():
                raise Refusal(
                    "claimant-incomplete",
                    f"A denied claim above ${DENIED_KEPT_ABOVE} is kept with the claimant's {field}.",
                    clause=clause,
                    field=field,
                )


def kept(value: Money) -> bool:
    """17.9.1, 15.10.1: a denied claim for strictly more than $100 is kept with name, address and reasons."""
    return value > DENIED_KEPT_ABOVE


def right_to_complain(edition: Edition) -> str:
    """What a person who is not satisfied is told (17.10, 15.11)."""
    return (
        "If you are not satisfied with this decision you have the right to lodge a complaint with an inspector under "
        "section 33 of the Gaming and Liquor Administration Act 2007. In a dispute about the terms and conditions of "
        f"the promotion the operator's decision is final (rule {edition.clauses['complaint']})."
    )
