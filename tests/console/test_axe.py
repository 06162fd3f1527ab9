"""Every page, light and dark, as axe sees it: nothing serious, nothing critical; on a tablet nothing is cut off.

And the warning to somebody idle.

One browser, one copy, one page after the other: a page is loaded once and looked at in both colours.
"""

from __future__ import annotations

import importlib.resources
from collections.abc import Callable
from typing import Any, Literal

import pytest
from django.conf import settings
from django.test import Client

from house import approvals
from house.approvables import OPENING_HOURS
from ledger.models import Act
from ledger.seal import seal_now
from tests.browser import Screen
from tests.console import scene
from tests.console.addresses import PAGES, POLLED, address
from tests.console.people import actor

pytestmark = pytest.mark.django_db(transaction=True)
AXE = importlib.resources.files("axe_playwright_python").joinpath("axe.min.js")
LOOK = """async ([only, whole]) => {
    // The hundredth row looks like the tenth.
    for (const list of document.querySelectorAll("tbody, #book, #book .sheet, .rights")) {
        for (const each of [...list.children].slice(10)) each.remove();
    }
    for (const each of document.getAnimations()) each.finish();  // colours on their way are not what people read
    const part = {include: [["html"]], exclude: [["#rail"], [".top"]]};  // the frame is the same on every page
    const found = await axe.run(whole ? document : part, {resultTypes: ["violations"], iframes: false, runOnly: only});
    return found.violations.filter(each => ["serious", "critical"].includes(each.impact))
        .map(each => [each.id, each.nodes.slice(0, 5).map(node => node.target.join(" ") + " " + node.failureSummary)]);
}"""
# What somebody with a tablet in the hand could not reach: a page wider than the screen, a table that is cut off.
CUT_OFF = """() => [
    ...(document.documentElement.scrollWidth > innerWidth ? [["page", document.documentElement.scrollWidth]] : []),
    ...[...document.querySelectorAll(".sheet")].filter(each => each.scrollWidth > each.clientWidth + 1
        && ["clip", "hidden"].includes(getComputedStyle(each).overflowX)).map(each => ["table", each.scrollWidth]),
]"""
TABLETS = ((820, 1180), (1024, 768))
ALL = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# In dark, colour is all that differs.
COLOURS: dict[Literal["light", "dark"], list[str]] = {"light": ALL, "dark": ["color-contrast"]}
WHO = ("manager", "administrator", "writer", "dealer")  # whoever comes first and may open a page looks at it


def _enter(screen: Screen, client: Client) -> None:
    """With the session of somebody who has signed in already: the door is tested elsewhere."""
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    screen.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": screen.url}])


def _pages() -> dict[str, str]:
    """Each kind of page once, and who looks at it."""
    pages = {}
    for path, roles in PAGES.items():
        file = (
            "format=" in path
            or path in POLLED
            or path.endswith(("/slip/", "/meter/", "/meters/", "/paper/", "/letter/"))
        )
        again = "/reports/" in path and path not in ("/keno/reports/days/", "/jackpots/reports/hits/")
        if not file and not again and "/scanned/" not in path:
            pages[path] = next(role for role in WHO if role in roles)
    return pages


def test_axe_finds_nothing_serious(
    browser: Any,
    live_server: Any,
    stocked: dict[str, str],
    signed_in: Callable[[str], Client],
) -> None:
    scene.evening()
    proposal = approvals.propose(
        kind=OPENING_HOURS, subject="venue", new=scene.WEEK, why="Quiet.", by=actor("supervisor")
    )
    seal_now()
    pages = {address(path, stocked): role for path, role in _pages().items()}
    pages |= {f"/audit/rows/{Act.objects.order_by('id')[0].pk}/": "manager", f"/approvals/{proposal.pk}/": "manager"}
    pages |= {"/no/such/page": "manager"}
    screen = Screen(browser, live_server.url)
    source = AXE.read_text()
    found: dict[tuple[str, str], Any] = {}

    def look(path: str, *, whole: bool = False) -> None:
        answer = screen.page.goto(f"{screen.url}{path}", wait_until="domcontentloaded")
        assert answer is not None
        assert answer.status in (200, 404), (path, answer.status)
        screen.page.evaluate(source)
        for colours, only in COLOURS.items():
            # With motion: without it every change of colour is a transition of a millisecond, from parent to child.
            screen.page.emulate_media(color_scheme=colours, reduced_motion="no-preference")
            if serious := screen.page.evaluate(LOOK, [only, whole]):
                found[path, colours] = serious
        screen.page.emulate_media(color_scheme="light")
        for width, height in TABLETS:
            screen.page.set_viewport_size({"width": width, "height": height})
            if lost := screen.page.evaluate(CUT_OFF):
                found[path, str(width)] = lost
        screen.page.set_viewport_size({"width": 1280, "height": 800})

    for path in ("/sign-in/", "/no/such/page"):
        look(path, whole=True)
    # It does see what is wrong: a field without a name.
    screen.page.evaluate("document.querySelector('main').append(document.createElement('input'))")
    assert [rule for rule, _ in screen.page.evaluate(LOOK, [ALL, False])] == ["label"]
    for role in WHO:
        screen.context.clear_cookies()
        _enter(screen, signed_in(role))
        for place, path in enumerate(path for path, who in pages.items() if who == role):
            look(path, whole=place == 0)
    screen.leave()
    assert found == {}, "\n".join(f"{where}: {what}" for where, what in found.items())


def test_somebody_idle_is_warned_and_may_stay(
    browser: Any, live_server: Any, signed_in: Callable[[str], Client]
) -> None:
    screen = Screen(browser, live_server.url)
    page = screen.page
    page.clock.install()
    _enter(screen, signed_in("manager"))
    screen.go("/rules/")
    idle = int(page.locator("body").get_attribute("data-idle") or 0)
    dialog = page.locator("#idle")
    page.clock.run_for((idle - 70) * 1000)
    assert not dialog.is_visible()
    page.clock.run_for(15_000)
    assert dialog.is_visible()
    assert "55 seconds" in dialog.inner_text()
    with page.expect_response("**/stay/") as answer:
        dialog.get_by_role("button", name="Stay signed in").click()
    assert answer.value.status == 200
    dialog.wait_for(state="hidden")
    with page.expect_request("**/sign-in/?idle=1"):  # the server's own clock, which would refuse, is tested elsewhere
        page.clock.fast_forward((idle + 2) * 1000)
        page.clock.run_for(2_000)
    screen.leave()
