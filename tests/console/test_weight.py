"""What a page weighs, and whether it holds still: how much script and style it loads, that nothing of it comes from
elsewhere, and that nothing moves under the finger while it arrives. With METERHOUSE_FIGURES=1 it prints what
docs/figures.md has: the first paint and the largest, too, which are measured and not asserted."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from jackpot.demo import build_demo as build_links
from keno.demo import build_demo as build_keno
from tests.console.browser import Person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]
SCRIPT_KB_LIMIT, STYLE_KB_LIMIT = 180, 90  # as they are written; compressed it is a quarter
SHIFT_LIMIT = 0.1  # what Lighthouse calls good
ON_A_COUNTER = "/terminal/"  # on a telephone they move while they fill: docs/figures.md says by how much
WATCH = """
window.watched = {shift: 0, largest: 0};
new PerformanceObserver(list => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) watched.shift += each.value;
}).observe({type: "layout-shift", buffered: true});
new PerformanceObserver(list => { for (const each of list.getEntries()) watched.largest = each.startTime; })
    .observe({type: "largest-contentful-paint", buffered: true});
"""
WEIGH = """() => {
    const loaded = performance.getEntriesByType("resource");
    const bytes = (ending) => loaded.filter((each) => new URL(each.name).pathname.endsWith(ending))
        .reduce((sum, each) => sum + each.decodedBodySize, 0);
    return {
        script: bytes(".js") / 1024, style: bytes(".css") / 1024, shift: watched.shift, largest: watched.largest,
        first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
        elsewhere: loaded.map((each) => new URL(each.name).origin).filter((origin) => origin !== location.origin),
    };
}"""
PAGES = (
    ("", "/sign-in/"),
    ("", "/signage/keno"),
    ("", "/signage/jackpots"),
    ("", "/verify/"),
    ("", "/play/"),
    ("manager", "/"),
    ("manager", "/keno/games/"),
    ("manager", "/keno/reports/days/"),
    ("manager", "/jackpots/CSP/"),
    ("manager", "/audit/"),
    ("writer", "/terminal/keno"),
    ("dealer", "/terminal/table?table=CSP-01"),
)
SIZES = ((1280, 800), (390, 844))


@dataclass(frozen=True)
class Weight:
    script: float
    style: float
    shift: float
    largest: float
    first: float
    elsewhere: list[str]


def test_pages_are_light_and_hold_still(person: Callable[..., Person]) -> None:
    build_keno()
    build_links()
    found: dict[str, Weight] = {}
    for role, path in PAGES:
        for width, height in SIZES:
            somebody = person(role or None, width=width, height=height)
            somebody.page.add_init_script(WATCH)
            somebody.go(path)
            somebody.page.reload()  # the face is in the cache: what moves now, the page itself moves
            somebody.page.wait_for_timeout(1500)  # what comes late would move what is there
            weighed: dict[str, Any] = somebody.page.evaluate(WEIGH)
            found[f"{path} {width}"] = Weight(**weighed)
    if os.environ.get("METERHOUSE_FIGURES"):
        for where, each in found.items():
            sys.stdout.write(
                f"{where:42} first {each.first:5.0f} ms, largest {each.largest:5.0f} ms, "
                f"script {each.script:4.0f} kB, style {each.style:3.0f} kB, shift {each.shift:.3f}\n"
            )
    assert all(each.script for each in found.values())
    assert {where: each.elsewhere for where, each in found.items() if each.elsewhere} == {}
    moved = {where: each.shift for where, each in found.items() if each.shift > SHIFT_LIMIT}
    assert {where: by for where, by in moved.items() if not (where.startswith(ON_A_COUNTER) and "390" in where)} == {}
    heavy = {
        where: each for where, each in found.items() if each.script > SCRIPT_KB_LIMIT or each.style > STYLE_KB_LIMIT
    }
    assert heavy == {}
