"""What a hit asks for when it is paid: people, papers, tax, and instalments. Pure."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any, Final

from kernel.money import BASIS_POINTS, ZERO, Money
from kernel.refusal import Refusal

INSTALMENTS: Final = "instalments"
"""The purse of what is owed in instalments, and the means of payment that puts it there."""
TAX: Final = "tax"
"""The purse of what was withheld for the tax authority."""
PAID_BY: Final = ("cash", "cheque", "chips", "transfer")
"""The purses of what was paid, one a means of payment."""
INSTALMENTS_LIMIT: Final = 360


@dataclass(frozen=True, slots=True, kw_only=True)
class HandpayRules:
    """What a new house begins with: no tax, no instalments, three people whatever the amount. (Identity, the number of
    a cheque and threshold reports are the house's cash limits.)"""

    tax_rate: int = 0
    """In basis points of the whole prize."""
    tax_from: Money = ZERO
    authorised_from: Money | None = None
    """From this much on a fourth person authorises the payment."""
    surveillance_from: Money | None = None
    """From this much on surveillance watches the payment, too, and gives its reference."""
    instalments_from: Money | None = None
    """From this much on instalments can be approved; none: never."""

    def withheld(self, amount: Money) -> Money:
        if amount < self.tax_from:
            return ZERO
        return Money(amount.micros * self.tax_rate // BASIS_POINTS).down_to_cents()

    def asks_authorisation(self, amount: Money) -> bool:
        return self.authorised_from is not None and amount >= self.authorised_from

    def asks_surveillance(self, amount: Money) -> bool:
        return self.surveillance_from is not None and amount >= self.surveillance_from

    def allows_instalments(self, amount: Money) -> bool:
        return self.instalments_from is not None and amount >= self.instalments_from


def check(rules: HandpayRules) -> None:
    if not 0 <= rules.tax_rate < BASIS_POINTS:
        raise _wrong("A tax leaves something of the prize: its rate is below 100%.")
    limits = (rules.tax_from, rules.authorised_from, rules.surveillance_from, rules.instalments_from)
    if any(limit is not None and (limit < ZERO or not limit.whole_cents) for limit in limits):
        raise _wrong("Amounts are whole cents, from $0.00 on.")


def _wrong(words: str) -> Refusal:
    return Refusal("handpay-invalid", words, field="new")


def read_written(data: Mapping[str, Any] | None) -> HandpayRules:
    """As an approved value has them; withdrawn, what a new house begins with."""
    if data is None:
        return HandpayRules()

    def amount(name: str) -> Money | None:
        return None if data.get(name) is None else Money.parse(data[name])

    return HandpayRules(
        tax_rate=int(data["tax_rate"]),
        tax_from=Money.parse(data["tax_from"]),
        authorised_from=amount("authorised_from"),
        surveillance_from=amount("surveillance_from"),
        instalments_from=amount("instalments_from"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """An instalment: when, and how much."""

    due: date
    amount: Money


def check_plan(plan: Sequence[Due], *, owed: Money) -> None:
    """Instalments pay what is owed, all of it, one after the other."""
    if not 2 <= len(plan) <= INSTALMENTS_LIMIT:
        raise Refusal("plan-invalid", f"There are 2 to {INSTALMENTS_LIMIT} instalments.", field="instalments")
    if any(each.amount <= ZERO or not each.amount.whole_cents for each in plan):
        raise Refusal("plan-invalid", "Each instalment is an amount of whole cents.", field="instalments")
    if any(later.due <= earlier.due for earlier, later in pairwise(plan)):
        raise Refusal("plan-invalid", "Each instalment is due after the one before it.", field="instalments")
    if (whole := Money.total(each.amount for each in plan)) != owed:
        raise Refusal("plan-invalid", f"They come to ${whole}, and ${owed} is owed.", field="instalments")


def equal_plan(owed: Money, *, parts: int, first: date, months: int) -> list[Due]:
    """The same amount each time, loose cents with the last; on the same day of the month, or the last there is."""
    one = Money(owed.micros // parts).down_to_cents()
    amounts = [one] * (parts - 1) + [owed - one * (parts - 1)]
    return [Due(due=_months_after(first, months * n), amount=amount) for n, amount in enumerate(amounts)]


def _months_after(day: date, months: int) -> date:
    years, month = divmod(day.month - 1 + months, 12)
    last = monthrange(day.year + years, month + 1)[1]
    return date(day.year + years, month + 1, min(day.day, last))
