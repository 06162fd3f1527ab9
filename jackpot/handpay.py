"""What paying a hit asks for, by its amount: an approved value; and the fourth person, who authorises a large payment.

The figures in force when it was won hold for it: nobody taxes, or burdens, a win that he knows of already.
"""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from house import approved
from house.approvals import Record, Shape
from house.approvals.kept import approved_value
from house.cash.limits import cash_limits
from house.log import record_act
from jackpot import permissions, steps
from jackpot.claim import shown
from jackpot.hit_acts import HitAuthorised
from jackpot.models import Hit
from jackpot.rules.handpay import HandpayRules, check
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.money import BASIS_POINTS
from kernel.refusal import Conflict, NotFound, Refusal
from web import words
from web.fields import BasisPoints, MoneyField

KIND: Final = "jackpot.handpay"
CODE: Final = "venue"


class HandpayValue(Record):
    """What the payment of a hit asks for, from which amounts on; what is withheld of it."""

    tax_rate = BasisPoints(
        min_value=0, max_value=BASIS_POINTS, help_text="In hundredths of a percent of the whole prize."
    )
    tax_from = MoneyField(help_text="Prizes of this much are taxed.")
    authorised_from = MoneyField(allow_null=True, help_text="A fourth person authorises payments of this much.")
    surveillance_from = MoneyField(allow_null=True, help_text="Surveillance gives a reference for paying this much.")
    instalments_from = MoneyField(allow_null=True, help_text="Instalments can be approved from this much on.")
    makes = HandpayRules


SHAPE: Final = Shape[HandpayRules](HandpayValue(), unreadable="handpay-not-readable")


def rules_of(hit: Hit) -> HandpayRules:
    """Those in force when it was won."""
    return approved.read(approved.in_force(KIND, CODE, at=hit.claimed_at), SHAPE) or HandpayRules()


def asked_for(hit: Hit) -> list[str]:
    """What its payment takes, a sentence each, for the page that walks through it."""
    rules, limits = rules_of(hit), cash_limits()
    asked = ["Three people: who dealt it, who verified it and who pays it."]
    if rules.asks_authorisation(hit.amount):
        asked.append("A fourth, who authorises the payment before it.")
    if hit.amount >= limits.identity_from:
        asked.append("The winner shows a document: name, date of birth, address, number.")
    if hit.amount >= limits.cheque_number_from:
        asked.append("A cheque has its number on record.")
    if hit.amount >= limits.report_from:
        asked.append("Cash makes a threshold report.")
    if rules.asks_surveillance(hit.amount):
        asked.append("Surveillance watches the payment, and gives its reference.")
    if rules.allows_instalments(hit.amount):
        asked.append("Instalments, where the winner agrees and an inspector approves them.")
    return asked


def is_authorised(hit: Hit) -> bool:
    """Or no fourth person is asked for."""
    return hit.authorised_at is not None or not rules_of(hit).asks_authorisation(hit.amount)


def must_be_authorised(hit: Hit) -> None:
    if not is_authorised(hit):
        raise Conflict("not-authorised", f"${hit.amount} is paid after a fourth person has authorised it.")


def surveillance_of(hit: Hit, given: str) -> str:
    """Surveillance's reference of the payment, where the amount asks for one."""
    if not given.strip() and rules_of(hit).asks_surveillance(hit.amount):
        raise Refusal(
            "surveillance-missing",
            f"Surveillance watches a payment of ${hit.amount}: enter its reference.",
            field="surveillance",
        )
    return given.strip()


@transaction.atomic
def authorise_hit(*, hit_id: int, by: Actor) -> Hit:
    """Authorise a large payment: somebody who neither dealt nor verified it, and who will not pay it."""
    by.require(permissions.AUTHORISE)
    found = Hit.objects.select_for_update(of=("self",)).select_related("link", "table", "round__terms")
    hit = found.filter(pk=hit_id).first()
    if hit is None:
        raise NotFound("no-such-hit", f"There is no hit {hit_id}.")
    must_authorise(hit, by)
    hit.authorised_at, hit.authorised_by, hit.authorised_device = timezone.now(), by.identity, by.device
    hit.save(update_fields=["authorised_at", "authorised_by", "authorised_device"])
    record_act(HitAuthorised(**shown(hit)), by=by)
    return hit


def must_authorise(hit: Hit, by: Actor) -> None:
    steps.must_authorise(hit, by)
    if not rules_of(hit).asks_authorisation(hit.amount):
        raise Conflict("no-authorisation-asked", f"${hit.amount} is paid without a fourth person.")


# The approved value


def _check_code(code: str) -> None:
    if code != CODE:
        raise NotFound("no-such-subject", f"The venue has one set of them: handpay:{CODE}.", field="subject")


def _check(code: str, new: HandpayRules | None) -> None:
    if new is not None:
        check(new)


def _describe(code: str, new: HandpayRules) -> str:
    said = [f"{words.rate(new.tax_rate)} of prizes from ${new.tax_from} is withheld for the tax authority"]
    for amount, what in (
        (new.authorised_from, "a fourth person authorises from"),
        (new.surveillance_from, "surveillance watches from"),
        (new.instalments_from, "instalments can be approved from"),
    ):
        said += [f"{what} {words.money(amount)}"] if amount is not None else []
    return "; ".join(said) + "."


HANDPAY = approved_value(
    KIND,
    prefix="handpay",
    label="What the payment of a jackpot asks for",
    shape=SHAPE,
    # It takes from winners: no two people of the house decide that.
    authority=Authority.INSPECTOR,
    check_code=_check_code,
    check=_check,
    describe=_describe,
)
