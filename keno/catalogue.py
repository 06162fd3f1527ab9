"""The approved values of Keno, and what each must look like before it can be proposed (decision 11).

Subjects are ``kind:CODE``, as in ``set-bet:LUCKY``; the value is plain JSON, and null withdraws it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

from house.actors import Actor
from house.approvals import approvable
from house.models import Proposal
from house.refusal import Malformed, NotFound, Refusal
from keno import approved, jackpots
from keno.entries import set_bet_selection
from keno.permissions import DECIDE
from keno.rules.entry import Entry
from keno.rules.jackpots import Ratio
from keno.rules.mathematics import Band, check_band, parse_figure
from keno.rules.price import quote
from keno.rules.schedules import SPECIAL_3, special_3
from ledger.money import Money

_CODE: Final = re.compile(r"[A-Z][A-Z0-9]{0,15}", re.ASCII)
Check = Callable[[str, Any], None]


def unreadable(detail: str) -> Malformed:
    return Malformed("value-not-readable", detail, field="new")


def fields(value: Any, required: dict[str, type | tuple[type, ...]], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """The value as an object with these fields and no others."""
    if not isinstance(value, dict):
        raise unreadable("Write an object.")
    for name, kind in required.items():
        if not isinstance(value.get(name), kind) or isinstance(value.get(name), bool):
            raise unreadable(f"“{name}” is missing or has another form.")
    if strange := sorted(set(value) - set(required) - set(optional)):
        raise unreadable(f"There is no “{strange[0]}” here.")
    return value


def money(value: Any, name: str) -> Money:
    try:
        amount = Money.parse(value)
    except ValueError:
        raise unreadable(f"“{name}” is an amount like 12.50.") from None
    if amount.micros < 0:
        raise unreadable(f"“{name}” is not negative.")
    return amount


def wholes(value: Any, name: str) -> list[int]:
    if not isinstance(value, list) or not all(type(each) is int for each in value) or not value:
        raise unreadable(f"“{name}” is a list of whole numbers.")
    return value


def register(kind: str, *, label: str, check: Check, describe: Callable[[str, Any], str]) -> str:
    """A kind of approved value. *describe* says what a code becomes; withdrawing is said here."""

    def code_of(subject: str) -> str:
        prefix, _, code = subject.partition(":")
        if prefix != kind or not code:
            raise NotFound("no-such-subject", f"Write the subject like {kind}:CODE.", field="subject")
        return code

    def checked(subject: str, new: Any) -> None:
        code = code_of(subject)
        if new is None:
            if approved.value(kind, code) is None:
                raise Refusal("nothing-changes", "There is nothing in force to withdraw.", field="new")
            return
        check(code, new)

    def apply(proposal: Proposal, by: Actor) -> None:
        approved.put_in_force(kind, code_of(proposal.subject), proposal.new, by=by, proposal=proposal)

    def said(subject: str, old: Any, new: Any) -> str:
        code = subject.partition(":")[2]
        return f"{label} {code} is withdrawn." if new is None else describe(code, new)

    return approvable(
        kind=f"keno.{kind}",
        label=label,
        permission=DECIDE,
        describe=said,
        current=lambda subject: approved.value(kind, code_of(subject)),
        check=checked,
        apply=apply,
    )


def check_code(code: str) -> None:
    if _CODE.fullmatch(code) is None:
        raise Refusal("code-not-allowed", "A code is up to 16 capitals and digits, a capital first.", field="subject")


# 4.7h: {"name", "groups": [[…]…] or "sizes": [n…], "plays": [spots…]}


def _check_set_bet(code: str, new: Any) -> None:
    check_code(code)
    value = fields(new, {"name": str, "plays": list}, ("groups", "sizes"))
    if ("groups" in value) == ("sizes" in value):
        raise unreadable("A set bet has groups of numbers, or the sizes of groups picked afresh.")
    wholes(value["plays"], "plays")
    if "sizes" in value:
        wholes(value["sizes"], "sizes")
    elif not isinstance(value["groups"], list) or not value["groups"]:
        raise unreadable("“groups” is a list of lists of numbers.")
    else:
        for group in value["groups"]:
            wholes(group, "groups")
    quote(Entry(set_bet_selection(value, Money.dollars(1))))


# 8.4: {"tables": {"6": {"3": "1.00"}}, "band": ["0.75", "0.80"]}


def _check_special_3(code: str, new: Any) -> None:
    if code != SPECIAL_3:
        raise NotFound("no-such-subject", "There is one special 3: special-3:special-3.", field="subject")
    value = fields(new, {"tables": dict, "band": list})
    if len(value["band"]) != 2:
        raise unreadable("“band” is the lowest and the highest return, like 0.75 and 0.80.")
    band = Band(*(parse_figure(end, field="band") for end in value["band"]))
    columns: dict[int, dict[int, Money]] = {}
    for spots, column in value["tables"].items():
        if not isinstance(column, dict):
            raise unreadable("A table says the prize for $1.00 by matches.")
        columns[_whole(spots)] = {_whole(matches): money(prize, matches) for matches, prize in column.items()}
    check_band(special_3(columns), band)


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise unreadable("Write numbers and matches in digits.")
    return int(text)


def _describe_special_3(code: str, new: Any) -> str:
    low, high = (round(Fraction(end) * 10_000) for end in new["band"])  # in hundredths of a per cent
    spots = ", ".join(sorted(new["tables"], key=int))
    return f"Special 3 pays for {spots} numbers, returning {low / 100:.2f}% to {high / 100:.2f}%."


# 1.1: {"reference", "software", "remarks"}: what was approved, under which reference


def _check_configuration(code: str, new: Any) -> None:
    if code != "KENO":
        raise NotFound("no-such-subject", "There is one Keno system: configuration:KENO.", field="subject")
    value = fields(new, {"reference": str, "software": str}, ("remarks",))
    if not value["reference"].strip() or not value["software"].strip():
        raise unreadable("Name the approval's reference and the software it is for.")


# 4.6, and the venue's own amounts


def _check_voucher_type(code: str, new: Any) -> None:
    check_code(code)
    fields(new, {"name": str})


def _check_amount(code: str, new: Any) -> None:
    if code not in approved.AMOUNTS:
        raise NotFound("no-such-subject", f"The amounts are: {', '.join(approved.AMOUNTS)}.", field="subject")
    money(new, code)


# 5.3: {"prize", "secondary", "reimbursement"} in basis points of the stake, together the whole 25%


def _check_ratio(code: str, new: Any) -> None:
    if code not in jackpots.POOLS.values():
        raise NotFound("no-such-subject", f"The jackpots are: {', '.join(jackpots.POOLS.values())}.", field="subject")
    Ratio(**fields(new, {"prize": int, "secondary": int, "reimbursement": int}))


CONFIGURATION = register(
    approved.CONFIGURATION,
    label="Configuration",
    check=_check_configuration,
    describe=lambda code, new: f"Keno runs {new['software']}, approved under {new['reference']}.",
)
RATIO = register(
    jackpots.RATIO,
    label="Jackpot ratio",
    check=_check_ratio,
    describe=lambda code, new: (
        f"Of every stake in {code}, {new['prize'] / 100:g}% goes to the prize, {new['secondary'] / 100:g}% to the "
        f"next one and {new['reimbursement'] / 100:g}% to reimbursement."
    ),
)
SET_BET = register(
    approved.SET_BET,
    label="Set bet",
    check=_check_set_bet,
    describe=lambda code, new: f"Set bet {code}, “{new['name']}”, enters the catalogue.",
)
SPECIAL_3_KIND = register(approved.SPECIAL_3, label="Schedule", check=_check_special_3, describe=_describe_special_3)
VOUCHER_TYPE = register(
    approved.VOUCHER_TYPE,
    label="Voucher type",
    check=_check_voucher_type,
    describe=lambda code, new: f"Vouchers of the type {code}, “{new['name']}”, are taken for Keno.",
)
AMOUNT = register(
    approved.AMOUNT,
    label="Amount",
    check=_check_amount,
    describe=lambda code, new: f"The amount “{code}” becomes ${new}.",
)
