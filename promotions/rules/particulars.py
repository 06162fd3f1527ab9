"""What terms must state, as data: 17.7.1-11 of 2025, 15.7.1-11 of 2019, which ask for the same.

A number such as ``7.3`` is 17.7.3 in the one edition and 15.7.3 in the other. Where a particular may not apply ("if
there is a minimum wager", "if applicable") the terms say so with "none": a question left open is not an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Form(StrEnum):
    TEXT = "text"
    INSTANT = "instant"  # RFC 3339 with its offset
    AMOUNT_OR_NONE = "amount-or-none"
    YES_NO = "yes-no"
    WHOLE = "whole"
    NOTIFY = "notify"  # some of the four methods
    UNCLAIMED = "unclaimed"


@dataclass(frozen=True, slots=True)
class Particular:
    key: str
    number: str
    asks: str
    form: Form = Form.TEXT


# What becomes of a prize that nobody claims in time: the next alternate's, drawn again, or kept by the house.
UNCLAIMED: Final = ("alternate", "redraw", "retained")

REQUIRED: Final[tuple[Particular, ...]] = (
    Particular("manner", "7.1", "how the prizes are awarded"),
    Particular("awarded_at", "7.2", "when the prizes are awarded", Form.INSTANT),
    Particular("awarded_where", "7.2", "where the prizes are awarded"),
    Particular("eligibility", "7.3", "who is eligible"),
    Particular("minimum_wager", "7.4", "the minimum wager, or “none”", Form.AMOUNT_OR_NONE),
    Particular("nature", "7.5", "the nature of the prizes"),
    Particular("reservations", "7.5", "qualifications, reservations and guarantees, or “none”"),
    Particular("entries_close_at", "7.6", "when entries close", Form.INSTANT),
    Particular("place", "7.7", "where the promotion takes place"),
    Particular("starts_at", "7.7", "when the promotion starts", Form.INSTANT),
    Particular("draw_at", "7.7", "when the draw takes place", Form.INSTANT),
    Particular("claim", "7.8", "how a prize is claimed"),
    Particular("must_be_present", "7.8", "whether entrants must be present at the draw", Form.YES_NO),
    Particular("claim_within_days", "7.8", "within how many days a prize is claimed", Form.WHOLE),
    Particular("unclaimed", "7.8", "what becomes of an unclaimed prize", Form.UNCLAIMED),
    Particular("notification", "7.9", "how winners are notified", Form.NOTIFY),
    Particular("publication", "7.10", "how the results are published"),
)

# Where entrants must be present, how long a winner who is called has to come forward.
WHEN_PRESENT: Final = Particular("call_seconds", "7.8", "how many seconds a winner who is called has", Form.WHOLE)

OF_A_PRIZE: Final[tuple[Particular, ...]] = (
    Particular("conditions", "7.11", "conditions of receiving, using or accepting it, or “none”"),
)

OF_A_KIND: Final[Mapping[str, tuple[Particular, ...]]] = MappingProxyType(
    {
        "appliance": (
            Particular("make", "7.11.1", "the make"),
            Particular("model", "7.11.1", "the model"),
            Particular("accessories", "7.11.1", "the accessories, or “none”"),
        ),
        "vehicle": (
            Particular("make", "7.11.2", "the make"),
            Particular("model", "7.11.2", "the model"),
            Particular("accessories", "7.11.2", "the accessories, or “none”"),
            Particular("on_road_costs", "7.11.2", "whether registration and on-road costs are included", Form.YES_NO),
        ),
        "travel": (
            Particular("persons", "7.11.3", "for how many persons", Form.WHOLE),
            Particular("airfares", "7.11.3", "which airfares are included, or “none”"),
            Particular("transfers", "7.11.3", "which transfers are included, or “none”"),
            Particular("other_transport", "7.11.3", "which other transport is included, or “none”"),
            Particular("duration", "7.11.3", "how long it lasts"),
            Particular("accommodation", "7.11.3", "the standard of accommodation, or “none”"),
            Particular("meals", "7.11.3", "which meals are included, or “none”"),
            Particular("restrictions", "7.11.3", "when it must be taken, or “none”"),
            Particular("spending_money", "7.11.3", "the spending money included, or “none”", Form.AMOUNT_OR_NONE),
        ),
        "real-estate": (
            Particular("dwelling", "7.11.4", "the type of dwelling"),
            Particular("plans", "7.11.4", "the plans"),
            Particular("contract", "7.11.4", "the details of the contract"),
            Particular("easements", "7.11.4", "the easements, or “none”"),
            Particular("address", "7.11.4", "the address or other location"),
            Particular("conveyancing", "7.11.4", "whether conveyancing is included", Form.YES_NO),
            Particular("legal_costs", "7.11.4", "whether legal costs are included", Form.YES_NO),
            Particular("fixtures", "7.11.4", "which fixtures are included, or “none”"),
            Particular("furniture", "7.11.4", "which furniture is included, or “none”"),
        ),
        # Not named by the rule, but what using them depends on (7.11: "conditions relating to … using").
        "voucher": (
            Particular("redeemable_at", "7.11", "where the voucher is redeemed"),
            Particular("expires", "7.11", "when it expires, or “none”"),
        ),
        "casino-dollars": (
            Particular("usable_on", "7.11", "what they can be wagered on"),
            Particular("expires", "7.11", "when they expire, or “none”"),
        ),
        "slots-dollars": (
            Particular("usable_on", "7.11", "what they can be wagered on"),
            Particular("expires", "7.11", "when they expire, or “none”"),
        ),
        "money": (),
        "goods": (Particular("description", "7.11", "what it is, in detail"),),
    }
)
