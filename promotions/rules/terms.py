"""Terms and conditions: their form, the checklist of what is missing, and the reading of complete ones.

Terms are a JSON object: the particulars of `particulars.REQUIRED` by their keys, ``prizes``, and what the promotion may
add: ``card_required`` (default true), ``limit_per_person``, ``one_prize_a_person`` (default false), ``earning``,
``retention_days``, ``text`` (whatever else players are told), and who is eligible so far as the software asks it:
``minimum_age`` (from 18 on; stated, a claimant shows his age) and ``households_excluded`` (whether employees'
households may not take part; stated, a claimant says whether he is of one).

A prize: {"name", "kind", "value", "quantity"?, "alternates"?, "conditions", "payment": [methods],
"alternative"?, "contains"?, "liquor_litres"?, "details": {by kind}}.
``earning``: {"on": ["keno", or codes of tables], "per": amount, "entries": n}: one entry, say, for every $20 of Keno in
the window.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from house.rules.age import ADULT_YEARS
from kernel.money import ZERO, Money
from kernel.refusal import Refusal
from promotions.rules.editions import CHOICE_ABOVE, METHODS, MONEY_METHODS, NOTIFY_BY, Edition
from promotions.rules.particulars import OF_A_KIND, OF_A_PRIZE, REQUIRED, UNCLAIMED, WHEN_PRESENT, Form, Particular
from promotions.rules.prohibited import litres_of, refuse_prohibited

TEXT_CHARACTERS_LIMIT: Final = 4_000
PRIZES_LIMIT: Final = 100
QUANTITY_LIMIT: Final = 10_000
OLDEST_MINIMUM_AGE: Final = 99
NONE: Final = "none"

_OPTIONAL: Final = frozenset(
    {
        "card_required",
        "limit_per_person",
        "minimum_age",
        "households_excluded",
        "one_prize_a_person",
        "earning",
        "retention_days",
        "text",
        "prizes",
        WHEN_PRESENT.key,
    }
)
_PRIZE_KEYS: Final = frozenset(
    {
        "name",
        "kind",
        "value",
        "quantity",
        "alternates",
        "conditions",
        "payment",
        "alternative",
        "contains",
        "liquor_litres",
        "details",
    }
)


@dataclass(frozen=True, slots=True)
class Missing:
    """One line of the checklist: what is not there, or not as it should be, and the clause that wants it."""

    field: str
    clause: str | None
    words: str


@dataclass(frozen=True, slots=True)
class Earning:
    """So many entries for every so much wagered in these places, less what was taken back."""

    on: tuple[str, ...]
    per: Money
    entries: int


@dataclass(frozen=True, slots=True)
class PrizeTerms:
    name: str
    kind: str
    value: Money
    quantity: int
    alternates: int
    conditions: str
    payment: tuple[str, ...]
    alternative: Money | None
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Terms:
    """Complete terms, read. The texts stay in the data; here is what verbs decide by."""

    starts_at: datetime
    entries_close_at: datetime
    draw_at: datetime
    awarded_at: datetime
    minimum_wager: Money | None
    must_be_present: bool
    call_seconds: int | None
    claim_within_days: int
    unclaimed: str
    notification: tuple[str, ...]
    card_required: bool
    limit_per_person: int | None
    minimum_age: int | None  # None: the terms do not say; nobody known to be under 18 takes part all the same
    households_excluded: bool | None  # None: the terms do not say; cards on the house's own list are out
    one_prize_a_person: bool
    earning: Earning | None
    retention_days: int
    prizes: tuple[PrizeTerms, ...]


def shape(data: object) -> dict[str, Any]:
    """The object with known keys only; what it says may be incomplete. A refusal names a strange key."""
    if not isinstance(data, dict):
        raise Refusal("terms-unreadable", "Terms are an object of particulars.", field="terms")
    known = {each.key for each in REQUIRED} | _OPTIONAL
    if strange := sorted(str(key) for key in data if key not in known):
        raise Refusal("terms-unreadable", f"Terms have no “{strange[0]}”.", field=f"terms.{strange[0]}")
    prizes = [] if data.get("prizes") is None else data["prizes"]  # null: no more of them, as of any particular
    if not isinstance(prizes, list) or not all(isinstance(prize, dict) for prize in prizes):
        raise Refusal("terms-unreadable", "Prizes are a list of objects.", field="terms.prizes")
    if len(prizes) > PRIZES_LIMIT:
        raise Refusal("too-many-prizes", f"A promotion has at most {PRIZES_LIMIT} prizes.", field="terms.prizes")
    for at, prize in enumerate(prizes):
        if strange := sorted(str(key) for key in prize if key not in _PRIZE_KEYS):
            raise Refusal("terms-unreadable", f"A prize has no “{strange[0]}”.", field=f"terms.prizes[{at}]")
    return data


def check(data: Mapping[str, Any], edition: Edition) -> list[Missing]:
    """Everything that keeps these terms from being submitted, in the order of the rule. Empty: they are complete.

    Prohibited prizes are no matter of a checklist: `refuse_prohibited` refuses them at once.
    """
    found = [line for each in REQUIRED if (line := _missing(data, each, edition))]
    if data.get("must_be_present") is True and (line := _missing(data, WHEN_PRESENT, edition)):
        found.append(line)
    found += _order_of_times(data, edition)
    prizes = data.get("prizes") or []
    if not prizes:
        found.append(Missing("prizes", edition.particular("7.11"), "No prize is described."))
    for at, prize in enumerate(prizes):
        found += _prize(prize, f"prizes[{at}]", edition)
    found += _options(data, edition)
    return found


def read(data: Mapping[str, Any], edition: Edition) -> Terms:
    """Complete and allowed terms. What is missing is a refusal with its clause and the whole checklist."""
    refuse_prohibited(data.get("prizes") or [], edition)
    if lines := check(data, edition):
        first = lines[0]
        more = f" {len(lines) - 1} more particulars are missing." if len(lines) > 1 else ""
        raise Refusal(
            "terms-incomplete",
            first.words + more,
            clause=first.clause or edition.clause("particulars"),
            field=f"terms.{first.field}",
            missing=[{"field": line.field, "clause": line.clause, "words": line.words} for line in lines],
        )
    earning = data.get("earning")
    return Terms(
        starts_at=instant(data["starts_at"]),
        entries_close_at=instant(data["entries_close_at"]),
        draw_at=instant(data["draw_at"]),
        awarded_at=instant(data["awarded_at"]),
        minimum_wager=None if data["minimum_wager"] == NONE else Money.parse(data["minimum_wager"]),
        must_be_present=data["must_be_present"],
        call_seconds=data.get(WHEN_PRESENT.key) if data["must_be_present"] else None,
        claim_within_days=data["claim_within_days"],
        unclaimed=data["unclaimed"],
        notification=tuple(data["notification"]),
        card_required=data.get("card_required", True),
        limit_per_person=data.get("limit_per_person"),
        minimum_age=data.get("minimum_age"),
        households_excluded=data.get("households_excluded"),
        one_prize_a_person=data.get("one_prize_a_person", False),
        earning=None
        if earning is None
        else Earning(
            on=tuple(earning["on"]),
            per=Money.parse(earning["per"]),
            entries=earning.get("entries", 1),
        ),
        retention_days=data.get("retention_days", 90),
        prizes=tuple(_read_prize(prize) for prize in data["prizes"]),
    )


def instant(text: str) -> datetime:
    """An RFC 3339 time with its offset; a ValueError otherwise."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a time without its offset")
    return moment


def _read_prize(prize: Mapping[str, Any]) -> PrizeTerms:
    alternative = prize.get("alternative")
    return PrizeTerms(
        name=prize["name"],
        kind=prize["kind"],
        value=Money.parse(prize["value"]),
        quantity=prize.get("quantity", 1),
        alternates=prize.get("alternates", 0),
        conditions=prize["conditions"],
        payment=tuple(prize["payment"]),
        alternative=None if alternative is None else Money.parse(alternative),
        details=prize.get("details", {}),
    )


def _missing(data: Mapping[str, object], asked: Particular, edition: Edition, where: str = "") -> Missing | None:
    """The line of one particular, unless it is there in its form."""
    field = f"{where}{asked.key}"
    clause = edition.particular(asked.number)
    value = data.get(asked.key)
    if value is None or (isinstance(value, str | list) and not value) or (isinstance(value, str) and not value.strip()):
        return Missing(field, clause, f"The terms do not say {asked.asks}.")
    if words := _wrong(value, asked.form):
        return Missing(field, clause, f"The terms must say {asked.asks}: {words}.")
    return None


def _wrong(value: object, form: Form) -> str | None:  # noqa: PLR0911  a line a form
    match form:
        case Form.TEXT:
            return (
                None
                if isinstance(value, str) and len(value) <= TEXT_CHARACTERS_LIMIT
                else f"a text of up to {TEXT_CHARACTERS_LIMIT} characters"
            )
        case Form.INSTANT:
            return None if is_instant(value) else "a time with its offset, like 2026-12-24T20:00:00+11:00"
        case Form.AMOUNT_OR_NONE:
            return None if value == NONE or is_amount(value) else "an amount like 20.00, or “none”"
        case Form.YES_NO:
            return None if isinstance(value, bool) else "yes or no"
        case Form.WHOLE:
            return None if type(value) is int and 1 <= value <= 100_000 else "a whole number from 1"
        case Form.NOTIFY:
            return _wrong_choices(value, NOTIFY_BY)
        case Form.UNCLAIMED:
            return None if value in UNCLAIMED else f"one of {', '.join(UNCLAIMED)}"


def is_instant(value: object) -> bool:
    try:
        return isinstance(value, str) and instant(value) is not None
    except ValueError:
        return False


def is_amount(value: object) -> bool:
    try:
        return isinstance(value, str) and Money.parse(value) > ZERO
    except ValueError:
        return False


def _wrong_choices(value: object, choices: Sequence[str]) -> str | None:
    fine = (
        isinstance(value, list)
        and all(isinstance(each, str) and each in choices for each in value)
        and len(set(value)) == len(value)
    )
    return None if fine else f"some of {', '.join(choices)}, each once"


def _order_of_times(data: Mapping[str, Any], edition: Edition) -> Iterator[Missing]:
    """It starts before entries close, and closes no later than the draw; prizes are awarded then or later."""
    order = ("starts_at", "entries_close_at", "draw_at", "awarded_at")
    times = {key: instant(data[key]) for key in order if is_instant(data.get(key))}
    if "starts_at" in times and "entries_close_at" in times and times["starts_at"] >= times["entries_close_at"]:
        yield Missing("entries_close_at", edition.particular("7.6"), "Entries close after the promotion starts.")
    if "entries_close_at" in times and "draw_at" in times and times["entries_close_at"] > times["draw_at"]:
        yield Missing("draw_at", edition.particular("7.7"), "The draw takes place once entries have closed.")
    if "draw_at" in times and "awarded_at" in times and times["draw_at"] > times["awarded_at"]:
        yield Missing("awarded_at", edition.particular("7.2"), "Prizes are awarded at the draw or after it.")


def _prize(prize: Mapping[str, Any], where: str, edition: Edition) -> Iterator[Missing]:
    details_clause = edition.particular("7.11")
    name, kind, value = prize.get("name"), prize.get("kind"), prize.get("value")
    if not isinstance(name, str) or not 0 < len(name.strip()) <= 200:
        yield Missing(f"{where}.name", details_clause, "The prize is not named.")
    if not is_amount(value):
        yield Missing(f"{where}.value", details_clause, "The value of the prize is not stated, like 500.00.")
    for key, least, most in (("quantity", 1, QUANTITY_LIMIT), ("alternates", 0, 100)):
        if key in prize and not (type(prize[key]) is int and least <= prize[key] <= most):
            yield Missing(f"{where}.{key}", details_clause, f"{key} is a whole number from {least} to {most}.")
    for asked in OF_A_PRIZE:
        if line := _missing(prize, asked, edition, f"{where}."):
            yield line
    yield from _payment(prize, where, edition)
    if prize.get("alternative") is not None and not is_amount(prize["alternative"]):
        yield Missing(
            f"{where}.alternative", edition.clause("alternative"), "The alternative is an amount like 500.00."
        )
    if not isinstance(kind, str) or kind not in OF_A_KIND:
        yield Missing(f"{where}.kind", details_clause, f"The prize is of a kind: {', '.join(OF_A_KIND)}.")
        return
    details = prize.get("details", {})
    if not isinstance(details, dict):
        yield Missing(f"{where}.details", details_clause, "The details of a prize are an object.")
        return
    for asked in OF_A_KIND[kind]:
        if line := _missing(details, asked, edition, f"{where}.details."):
            yield line
    if strange := sorted(str(key) for key in details if key not in {asked.key for asked in OF_A_KIND[kind]}):
        yield Missing(f"{where}.details.{strange[0]}", None, f"A prize of {kind} has no “{strange[0]}”.")
    litres_of(prize, where)


def _payment(prize: Mapping[str, Any], where: str, edition: Edition) -> Iterator[Missing]:
    """17.4: how it is disbursed. 15.4: above $10,000 the winner chooses, so every way of the choice is stated."""
    field, clause = f"{where}.payment", edition.clause("payment")
    payment = prize.get("payment")
    allowed = MONEY_METHODS if prize.get("kind") == "money" else METHODS
    if not payment:
        yield Missing(field, clause, "The terms do not say how the prize is paid or handed over.")
        return
    if words := _wrong_choices(payment, allowed):
        yield Missing(field, clause, f"How the prize is paid or handed over: {words}.")
        return
    above = is_amount(prize.get("value")) and Money.parse(prize["value"]) > CHOICE_ABOVE
    if prize.get("kind") == "money" and above and (lacking := [each for each in edition.choice if each not in payment]):
        yield Missing(
            field,
            clause,
            f"The winner of more than $10,000 chooses cash, cheque or transfer: {', '.join(lacking)} is not offered.",
        )


def _options(data: Mapping[str, Any], edition: Edition) -> Iterator[Missing]:
    if not isinstance(data.get("card_required", True), bool):
        yield Missing("card_required", edition.particular("7.3"), "Whether a player card is needed is yes or no.")
    if not isinstance(data.get("one_prize_a_person", False), bool):
        yield Missing("one_prize_a_person", edition.particular("7.1"), "Whether a person wins once is yes or no.")
    limit = data.get("limit_per_person")
    if limit is not None and not (type(limit) is int and 1 <= limit <= 1_000_000):
        yield Missing("limit_per_person", edition.particular("7.3"), "The limit a person is a whole number from 1.")
    age = data.get("minimum_age")
    if age is not None and not (type(age) is int and ADULT_YEARS <= age <= OLDEST_MINIMUM_AGE):
        asked = f"The least age is a whole number from {ADULT_YEARS} to {OLDEST_MINIMUM_AGE}."
        yield Missing("minimum_age", edition.particular("7.3"), asked)
    if not isinstance(data.get("households_excluded", True), bool | None):
        yield Missing("households_excluded", edition.particular("7.3"), "Whether households are out is yes or no.")
    days = data.get("retention_days", 90)
    if not (type(days) is int and 1 <= days <= 3_650):
        yield Missing("retention_days", None, "Personal data is kept for 1 to 3650 days after the end.")
    if not isinstance(data.get("text", ""), str) or len(data.get("text", "")) > 5 * TEXT_CHARACTERS_LIMIT:
        yield Missing("text", None, f"Further terms are a text of up to {5 * TEXT_CHARACTERS_LIMIT} characters.")
    if (earning := data.get("earning")) is not None and (words := _wrong_earning(earning)):
        yield Missing("earning", edition.particular("7.4"), words)
    elif earning is not None and data.get("card_required", True) is not True:
        yield Missing("card_required", edition.particular("7.3"), "Entries earned by wagers need a player card.")


def _wrong_earning(earning: object) -> str | None:
    if not isinstance(earning, dict) or set(earning) - {"on", "per", "entries"}:
        return "Entries are earned “on” wagers somewhere: “entries” for every “per” of them."
    places = earning.get("on")
    if not isinstance(places, list) or not places or not all(isinstance(place, str) and place for place in places):
        return "Say which wagers earn entries: keno, or the codes of tables."
    if not is_amount(earning.get("per")):
        return "Say for how much of them an entry is given, like 20.00."
    entries = earning.get("entries", 1)
    return None if type(entries) is int and 1 <= entries <= 1_000 else "“entries” is a whole number from 1 to 1000."
