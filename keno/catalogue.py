"""What of Keno changes only by an approval: its approved values, and what a rule does not allow in each (decision 11).

Subjects are ``kind:CODE``, as in ``set-bet:LUCKY``; the shapes are in ``shapes.py``, and null withdraws a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Final, TypeVar

from house import approvals
from house.approvals import Approvable, Shape
from keno import approved, jackpots, shapes
from keno.entries import set_bet_selection
from keno.entry_forms import LAYOUT, FormCode
from keno.models import DrawDevice
from keno.permissions import DECIDE
from keno.rules.entry import TicketEntry
from keno.rules.jackpots import Ratio
from keno.rules.mathematics import Band, check_band, parse_figure
from keno.rules.price import quote
from keno.rules.schedules import SPECIAL_3
from keno.shapes import Configuration, EntryForm, SetBet, Special3, VoucherType
from kernel.authority import Authority
from kernel.money import Money
from kernel.refusal import NotFound, Refusal
from web import words

T = TypeVar("T")

_CODE: Final = re.compile(r"[A-Z][A-Z0-9]{0,15}", re.ASCII)


def approved_value(
    kind: str,
    *,
    label: str,
    shape: Shape[T],
    check: Callable[[str, T], None],
    describe: Callable[[str, T], str],
    check_code: Callable[[str], None],
    authority: Authority = Authority.INSPECTOR,
) -> Approvable[T | None]:
    """A kind of approved value of Keno. What is withdrawn has nothing to be checked."""

    def checked(code: str, new: T | None) -> None:
        if new is not None:
            check(code, new)

    return approvals.approved_value(
        approved.full_name(kind),
        prefix=kind,
        label=label,
        shape=shape,
        authority=authority,
        permission=DECIDE if authority is Authority.HOUSE else None,
        check_code=check_code,
        check=checked,
        describe=describe,
    )


def any_code(code: str) -> None:
    if _CODE.fullmatch(code) is None:
        raise Refusal("code-not-allowed", "A code is up to 16 capitals and digits, a capital first.", field="subject")


def _one_of(*codes: str, says: str) -> Callable[[str], None]:
    def check(code: str) -> None:
        if code not in codes:
            raise NotFound("no-such-subject", says, field="subject")

    return check


def _nothing_more(code: str, new: object) -> None:
    """The shape says it all."""


def _check_set_bet(code: str, new: SetBet) -> None:
    quote(TicketEntry(set_bet_selection(new, Money.dollars(1))))


def _check_special_3(code: str, new: Special3) -> None:
    check_band(new.schedule, Band(*(parse_figure(end, field="band") for end in new.band)))


def _describe_special_3(code: str, new: Special3) -> str:
    low, high = (round(Fraction(end) * 10_000) for end in new.band)  # in hundredths of a per cent
    spots = ", ".join(map(str, sorted(new.tables)))
    return f"Special 3 pays for {spots} numbers, returning {words.rate(low)} to {words.rate(high)}."


def _describe_configuration(code: str, new: Configuration) -> str:
    return f"Keno runs {new.software}, approved under {new.reference}."


def _check_entry_form(code: str, new: EntryForm) -> None:
    if new.layout != LAYOUT:
        raise Refusal(
            "no-such-layout",
            f"This system draws layout {LAYOUT} of the entry forms, and no other.",
            clause="act-keno:4.4-form",
            field="new",
        )


def _describe_ratio(code: str, new: Ratio) -> str:
    return (
        f"Of every stake in {code}, {words.rate(new.prize)} goes to the prize, {words.rate(new.secondary)} to the "
        f"next one and {words.rate(new.reimbursement)} to reimbursement."
    )


def _describe_voucher_type(code: str, new: VoucherType) -> str:
    return f"Vouchers of the type {code}, “{new.name}”, are taken for Keno."


CONFIGURATION = approved_value(  # 1.1
    approved.CONFIGURATION,
    label="Configuration",
    shape=shapes.CONFIGURATION,
    check_code=_one_of("KENO", says="There is one Keno system: configuration:KENO."),
    check=_nothing_more,
    describe=_describe_configuration,
)
RATIO = approved_value(  # 5.3
    jackpots.RATIO,
    label="Jackpot ratio",
    shape=shapes.RATIO,
    check_code=_one_of(*jackpots.POOLS.values(), says=f"The jackpots are: {', '.join(jackpots.POOLS.values())}."),
    check=_nothing_more,
    describe=_describe_ratio,
)
SET_BET = approved_value(  # 4.7h: the operator's catalogue
    approved.SET_BET,
    label="Set bet",
    shape=shapes.SET_BET,
    authority=Authority.HOUSE,
    check_code=any_code,
    check=_check_set_bet,
    describe=lambda code, new: f"Set bet {code}, “{new.name}”, enters the catalogue.",
)
SPECIAL_3_KIND = approved_value(  # 8.4
    approved.SPECIAL_3,
    label="Schedule",
    shape=shapes.SPECIAL_3,
    check_code=_one_of(SPECIAL_3, says="There is one special 3: special-3:special-3."),
    check=_check_special_3,
    describe=_describe_special_3,
)
VOUCHER_TYPE = approved_value(  # 4.6
    approved.VOUCHER_TYPE,
    label="Voucher type",
    shape=shapes.VOUCHER_TYPE,
    check_code=any_code,
    check=_nothing_more,
    describe=_describe_voucher_type,
)
BALL_SET = approved_value(  # 2.1, 12.4a
    approved.BALL_SET,
    label="Ball set",
    shape=shapes.EQUIPMENT,
    check_code=any_code,
    check=_nothing_more,
    describe=lambda code, new: f"The set of 80 balls {code}, “{new.name}”, may be drawn from ({new.reference}).",
)
DRAW_DEVICE = approved_value(  # the definition of "Device"; which of the approved ones draws is a supervisor's choice
    approved.DRAW_DEVICE,
    label="Draw device",
    shape=shapes.EQUIPMENT,
    check_code=_one_of(*DrawDevice.values, says=f"The draw devices are: {', '.join(DrawDevice.values)}."),
    check=_nothing_more,
    describe=lambda code, new: f"Games may be drawn by {new.name} ({code}, {new.reference}).",
)
ENTRY_FORM = approved_value(  # 4.4
    approved.ENTRY_FORM,
    label="Entry form",
    shape=shapes.ENTRY_FORM,
    check_code=_one_of(*FormCode, says=f"The entry forms are: {', '.join(FormCode)}."),
    check=_check_entry_form,
    describe=lambda code, new: f"The entry form {code} may be given out in layout {new.layout} ({new.reference}).",
)
AMOUNT = approved_value(  # the venue's own thresholds
    approved.AMOUNT,
    label="Amount",
    shape=shapes.AMOUNT,
    authority=Authority.HOUSE,
    check_code=_one_of(*approved.AMOUNTS, says=f"The amounts are: {', '.join(approved.AMOUNTS)}."),
    check=_nothing_more,
    describe=lambda code, new: f"The amount “{code}” becomes ${new}.",
)
