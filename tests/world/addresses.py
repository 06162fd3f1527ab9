"""Every address of the house, from Django's own table of them: what it asks for, and where it leads in a stocked house.

A page or call that is added is here by being added. What its gaps take is in ``tests/world/stock.py``; where that says
nothing the walk fails.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any, Final

from django.urls import URLPattern, get_resolver

from house.api.checks import patterns
from kernel.codes import Power
from tests.world.stock import Gaps
from web.page import needs_of
from web.view import HouseView

API: Final = "api/v1/"
_GAP: Final = re.compile(r"<(?:\w+:)?(\w+)>")
# The same thing under the name its pages have.
_ROOMS: Final = {"promo/": "promotions/", "jackpots/": "jackpot/", "tables/": "tablegames/"}
# Where another of a kind is wanted than elsewhere: one in the state that the page is about. ``@``: what stands there.
OTHERS: Final = {
    "promo/<code>/terms/": "DRAFT",
    "promo/<code>/amend/": "RUNNING",
    "promo/<code>/import/": "RUNNING",
    "api/v1/jackpot/pools/<code>/terms": "CSP",
    "devices/<code>/propose/token/": "@own/devices/",
    "devices/<code>/propose/holder/": "@own/devices/",
    "devices/<code>/propose/tables/": "@devices/tables/",
    "api/v1/devices/<code>/collect": "@own/devices/",
    "approvals/<number>/letter/": "@approvals/recorded/",
    "api/v1/approvals/<id>/letter": "@approvals/recorded/",
    "approvals/<number>/answer/": "@approvals/confirmed/",
    "api/v1/approvals/<id>/countersign": "@approvals/confirmed/",
    "api/v1/approvals/<id>/dispute": "@approvals/confirmed/",
}
_TODAY: Final = datetime.now(UTC).date()
# Pages that show nothing unless they are asked for something.
ASKED: Final = {
    "search/": "?q=Quill",
    "keno/scanned/": "?code=keno:@keno/tickets/:X:1-1",
    "terminal/table": "?table=@terminal/table/",
    "signage/qr.svg": "?game=@keno/games/",
    # Also after midnight, when the gaming day is still yesterday's.
    "api/v1/promotions/reports/denied-claims": f"?first={_TODAY - timedelta(2)}&last={_TODAY + timedelta(2)}",
    **dict.fromkeys(
        (f"api/v1/tablegames/reports/{name}" for name in ("payment-errors", "month-end", "checks")),
        "?first=2026-11-01&last=2026-11-30",
    ),
}
# What is sent instead of the example, which is of a ticket that is not here.
SENT: Final = {
    "api/v1/keno/claims": {
        "serial": "@keno/lost/",
        "security_code": "@keno/code/",
        "reason": "unreadable",
        "claimant": {"name": "Clara Claassen", "address": "17 Binarra Street", "contact": "clara.c@example.org"},
        "grounds": "The ticket was washed.",
    },
    "api/v1/keno/overpayments": {"payment": "@keno/payments/", "amount": "1.00", "why": "Camera 2 shows it."},
}
# Addresses outside the console that are sent to, not looked at.
POSTED: Final = ("play/price.json", "verify/ticket.json", "verify/won.json", "sign-out/")


@dataclass(frozen=True, slots=True)
class Address:
    route: str
    """As it is written, ``promo/<code>/terms/``, with what a word-like gap takes."""
    method: str
    power: Power | None
    """None where nothing is asked for: an address outside the console."""
    path: str
    """In the stocked house."""
    body: Any = None
    is_call: bool = False

    @property
    def is_page(self) -> bool:
        return self.power is not None and not self.is_call


def addresses(gaps: Gaps) -> list[Address]:
    found = []
    for route, pattern in patterns(get_resolver()):
        for written, path in _filled(route, gaps):
            sent = json.loads(_standing(json.dumps(SENT.get(written)), gaps))
            found += [
                Address(written, method, power, path, sent or body, call)
                for method, power, body, call in _asks(pattern)
            ]
    return found


def _asks(pattern: URLPattern) -> Iterator[tuple[str, Power | None, Any, bool]]:
    view = getattr(pattern.callback, "cls", None)
    if isinstance(view, type) and issubclass(view, HouseView):
        for method, call in view.calls().items():
            example = getattr(call.takes, "example", None)
            yield method, call.permission, [example] if call.takes_many else example, True
        return
    needs = needs_of(pattern.callback)
    posted = str(pattern.pattern) in POSTED or (needs is not None and needs.post)
    yield "POST" if posted else "GET", None if needs is None else needs.power, None, False


def _filled(route: str, gaps: Gaps) -> Iterator[tuple[str, str]]:
    """The address once for each choice of what its gaps take. A number or code stays a gap in how it is written."""
    names = _GAP.findall(route)
    plain = _GAP.sub(r"<\1>", route)
    before = [_GAP.sub("{}", route[: gap.start()]) for gap in _GAP.finditer(route)]
    wanted = [_values(each, gaps) for each in before]
    for chosen in product(*wanted):
        written, path = plain, plain
        for name, value, values in zip(names, chosen, wanted, strict=True):
            written = written.replace(f"<{name}>", value if len(values) > 1 else f"<{name}>", 1)
            path = path.replace(f"<{name}>", value, 1)
        other = next((other for begins, other in OTHERS.items() if written.startswith(begins)), None)
        if other is not None:
            path = written.replace(f"<{names[0]}>", _standing(other, gaps))
        yield written, "/" + path + _standing(ASKED.get(written, ""), gaps)


def _values(before: str, gaps: Gaps) -> tuple[str, ...]:
    key = same_room(before.removeprefix(API))
    assert key in gaps, f"what stands behind {before}…? Say it in tests/world/stock.py"
    return gaps[key]


def same_room(route: str) -> str:
    """Under the name that the room's calls have."""
    for page, room in _ROOMS.items():
        if route.startswith(page):
            return room + route.removeprefix(page)
    return route


def _standing(text: str, gaps: Gaps) -> str:
    for name in sorted(gaps, key=len, reverse=True):
        text = text.replace(f"@{name}", gaps[name][0])
    return text
