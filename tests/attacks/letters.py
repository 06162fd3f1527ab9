"""A house with something to approve, and letters as insiders write them."""

from __future__ import annotations

import base64
from typing import Any

from tests.attacks.insider import Caller

RATIO = {"prize": 2_400, "secondary": 50, "reimbursement": 50}


def proposed(
    by: Caller, *, kind: str = "keno.jackpot-ratio", subject: str = "jackpot-ratio:KENO-6", new: Any = RATIO
) -> int:
    """A change that needs an inspector: nearly the whole of the 25% into the prize (act-keno:5.3)."""
    body = {"kind": kind, "subject": subject, "new": new, "why": "The players will like it."}
    number: int = by.post("approvals/", body).ok(201)["id"]
    return number


def commission_proposed(by: Caller) -> int:
    """A change that needs the commission: what the house retains of Caribbean Stud (nsw-csp:11.6)."""
    (first, *_) = by.get("jackpot/pools/CSP/terms").ok()["results"]
    terms = first["terms"] | {"bonus": "1.00"}
    return proposed(by, kind="jackpot.terms", subject="jackpot:CSP", new=terms)


def letter(text: bytes = b"The ratio is approved.", **other: Any) -> dict[str, Any]:
    return {
        "signed_by": "J. Okonkwo",
        "office": "Gambling and Racing Commission",
        "reference": "GRC 26/118",
        "dated": "2026-01-05",
        "document": base64.b64encode(text).decode(),
    } | other
