"""The terms in words, as players and the regulator read them: on the pages and in the document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from house.venue import zone
from promotions.rules.editions import Edition
from promotions.rules.particulars import OF_A_KIND, REQUIRED, WHEN_PRESENT, Form
from promotions.rules.terms import instant
from web import words

COMPLAINT: Final = (
    "In a dispute about these terms the decision of the casino operator is final. If you are not satisfied with it, "
    "you have the right to lodge a complaint with an inspector under section 33 of the Gaming and Liquor "
    "Administration Act 2007."
)
_UNCLAIMED: Final = {
    "alternate": "goes to the next alternate winner",
    "redraw": "is drawn again",
    "retained": "is kept by the casino",
}


def heading(key: str) -> str:
    """``claim_within_days`` as people read it."""
    return _HEADINGS[key]


_HEADINGS: Final[Mapping[str, str]] = {
    "manner": "How prizes are awarded",
    "awarded_at": "When prizes are awarded",
    "awarded_where": "Where prizes are awarded",
    "eligibility": "Who can take part",
    "minimum_wager": "Minimum wager",
    "nature": "The prizes",
    "reservations": "Qualifications, reservations, guarantees",
    "entries_close_at": "Entries close",
    "place": "Place of the promotion",
    "starts_at": "The promotion starts",
    "draw_at": "The draw",
    "claim": "How to claim",
    "must_be_present": "Must you be present at the draw?",
    "call_seconds": "Time to come forward when called",
    "claim_within_days": "Claim within",
    "unclaimed": "A prize not claimed in time",
    "notification": "How winners are told",
    "publication": "How results are published",
}


def particulars(data: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(heading, what the terms say, number of the particular), in the order of the rule."""
    for each in (*REQUIRED, WHEN_PRESENT):
        if each.key in data:
            yield heading(each.key), said(data[each.key], each.form, each.key), each.number
    if data.get("limit_per_person"):
        yield "Entries a person", f"at most {data['limit_per_person']}", "7.3"
    if data.get("minimum_age"):
        yield "Age", f"{data['minimum_age']} years or older, shown when a prize is claimed", "7.3"
    if data.get("households_excluded") is not None:
        words = "cannot take part" if data["households_excluded"] else "may take part"
        yield "Households of employees", words, "7.3"
    if data.get("card_required", True):
        yield "Player card", "needed to enter", "7.3"
    if earning := data.get("earning"):
        entries = earning.get("entries", 1)
        words = "entry" if entries == 1 else "entries"
        yield (
            "Earning entries",
            f"{entries} {words} for every {dollars(earning['per'])} wagered on {', '.join(earning['on'])}",
            "7.4",
        )
    if data.get("text"):
        yield "Further terms", data["text"], ""


def said(value: Any, form: Form, key: str = "") -> str:
    if form is Form.INSTANT:
        there = instant(value).astimezone(zone())
        return f"{words.day(there, year=True)}, {there:%H:%M:%S}"  # entries close to the second
    if form is Form.AMOUNT_OR_NONE:
        return value if value == "none" else dollars(value)
    if form is Form.YES_NO:
        return "yes" if value else "no"
    if form is Form.NOTIFY:
        return ", ".join(value)
    if form is Form.UNCLAIMED:
        return _UNCLAIMED[value]
    unit = {"claim_within_days": "day", "call_seconds": "second"}.get(key)
    return f"{value} {unit}{'' if value == 1 else 's'}" if unit else str(value)


def dollars(amount: str) -> str:
    """``12000.00`` as people read it: ``$12,000.00``."""
    whole, _, cents = amount.partition(".")
    return f"${int(whole):,}.{cents}"


@dataclass(frozen=True, slots=True)
class PrizeText:
    name: str
    lines: Sequence[tuple[str, str]]


def prizes(data: Mapping[str, Any], rules: Edition) -> list[PrizeText]:
    """What is said of each prize of the terms."""
    return [PrizeText(prize["name"], list(prize_lines(prize, rules))) for prize in data.get("prizes", [])]


def prize_lines(prize: Mapping[str, Any], rules: Edition) -> Iterator[tuple[str, str]]:
    """What is said of one prize, label and value."""
    quantity = prize.get("quantity", 1)
    yield "Value", dollars(prize["value"]) + (f" each, {quantity} of them" if quantity > 1 else "")
    yield "Kind", prize["kind"].replace("-", " ")
    for asked in OF_A_KIND[prize["kind"]]:
        if asked.key in prize.get("details", {}):
            label = asked.key.replace("_", " ").capitalize()
            yield label, said(prize["details"][asked.key], asked.form)
    yield "Conditions", prize["conditions"]
    yield "Paid or handed over by", ", ".join(prize["payment"]).replace("handed-over", "hand")
    if prize.get("alternative"):
        kind = "cash" if rules.cash else "money, not in cash"
        yield "Alternative", f"{dollars(prize['alternative'])} in {kind}"
    if prize.get("alternates"):
        yield "Alternate winners", str(prize["alternates"])
