"""The pages as axe sees them: nothing serious, nothing critical. make test looks at one of each
role, and at its colours; make test-long at every page, in dark too, and on tablets, where nothing may be cut off.

And the warning to somebody idle.

One browser, one copy, one page after the other: a page is loaded once and looked at in both colours. Every page
is looked at in two parts, which may run beside each other (tests/plugins/schedule.py).
"""

from __future__ import annotations

import importlib.resources
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import pytest
from django.test import Client

from house import approvals
from house.approvables import OPENING_HOURS
from ledger.models import Act
from tests.console import scene
from tests.console.browser import Person
from tests.world.addresses import addresses
from tests.world.demo import demo_actor
from tests.world.sealed import log
from tests.world.stock import stock
from web.view import PUBLIC

pytestmark = pytest.mark.django_db(transaction=True)
AXE = importlib.resources.files("axe_playwright_python").joinpath("axe.min.js")
LOOK = """async ([only, whole, contrast]) => {
    // The hundredth row looks like the tenth.
    for (const list of document.querySelectorAll("tbody, #book, #book .sheet, .rights")) {
        for (const each of [...list.children].slice(10)) each.remove();
    }
    for (const each of document.getAnimations()) each.finish();  // colours on their way are not what people read
    const part = {include: [["html"]], exclude: [["#rail"], [".top"]]};  // the frame is the same on every page
    const rules = {"color-contrast": {enabled: contrast}};
    const how = {resultTypes: ["violations"], iframes: false, runOnly: only, rules};
    const found = await axe.run(whole ? document : part, how);
    return found.violations.filter(each => ["serious", "critical"].includes(each.impact))
        .map(each => [each.id, each.nodes.slice(0, 5).map(node => node.target.join(" ") + " " + node.failureSummary)]);
}"""
# What somebody with a tablet in the hand could not reach: a page wider than the screen, a table that is cut off.
CUT_OFF = """() => [
    ...(document.documentElement.scrollWidth > innerWidth ? [["page", document.documentElement.scrollWidth]] : []),
    ...[...document.querySelectorAll(".sheet")].filter(each => each.scrollWidth > each.clientWidth + 1
        && ["clip", "hidden"].includes(getComputedStyle(each).overflowX)).map(each => ["table", each.scrollWidth]),
]"""
TABLETS = ((820, 1180), (1024, 768), (390, 844))  # and a telephone
ALL = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# In dark, colour is all that differs.
COLOURS: dict[Literal["light", "dark"], list[str]] = {"light": ALL, "dark": ["color-contrast"]}
PARTS = 2
EVERY_PAGE = [pytest.param(slice(part, None, PARTS), True, marks=pytest.mark.long) for part in range(PARTS)]
# Whoever comes first and may open a page looks at it.
WHO = ("manager", "administrator", "writer", "dealer", "inspector")


# Parts of pages, files and papers; and reports, which look alike.
NO_PAGES = (
    ".pdf",
    "/live/",
    "/alerts/",
    "/now/",
    "/meter/",
    "/meters/",
    "/slip/",
    "/paper/",
    "/letter/",
    "/document/",
    "/figures/",
    "/file/",
    "/scanned/",
)
FRAME = ("/waiting/", "/status/", "/live/", "/alerts/", "/stay/")


def pages_in_use() -> dict[str, str]:
    """Each kind of page once, and who looks at it."""
    gaps, people = stock() | log(), {role: demo_actor(role) for role in WHO}
    pages = {}
    for each in addresses(gaps):
        power, path = each.power, each.path.partition("?")[0]
        if not each.is_page or each.method == "POST" or power is None or power == PUBLIC:
            continue
        again = "/reports/" in path and path not in ("/keno/reports/days/", "/jackpots/reports/hits/")
        if again or path in FRAME or path.endswith(NO_PAGES):
            continue
        pages[each.path] = next(role for role in WHO if people[role].may(power))
    return pages


@pytest.mark.parametrize(("part", "exhaustive"), [(slice(None), False), *EVERY_PAGE], ids=["some", "part0", "part1"])
def test_axe_finds_nothing_serious(
    browser: Any,
    live_server: Any,
    signed_in: Callable[[str], Client],
    part: slice,
    exhaustive: bool,
) -> None:
    scene.evening()
    proposal = approvals.propose(
        kind=OPENING_HOURS, subject="venue", new=scene.WEEK, why="Quiet.", by=demo_actor("supervisor")
    )
    pages = pages_in_use() | {f"/approvals/{proposal.pk}/": "manager", "/no/such/page": "manager"}
    screen = Person(browser, live_server.url)
    source = AXE.read_text()
    found: dict[tuple[str, str], Any] = {}

    def look(path: str, *, whole: bool = False) -> None:
        answer = screen.page.goto(f"{screen.url}{path}", wait_until="domcontentloaded")
        assert answer is not None
        assert answer.status in (200, 404), (path, answer.status)
        screen.page.evaluate(source)
        for colours, only in list(COLOURS.items())[: None if exhaustive else 1]:
            # With motion: without it every change of colour is a transition of a millisecond, from parent to child.
            screen.page.emulate_media(color_scheme=colours, reduced_motion="no-preference")
            if serious := screen.page.evaluate(LOOK, [only, whole, whole or exhaustive]):
                found[path, colours] = serious
        screen.page.emulate_media(color_scheme="light")
        for width, height in TABLETS if exhaustive else ():
            screen.page.set_viewport_size({"width": width, "height": height})
            if lost := screen.page.evaluate(CUT_OFF):
                found[path, str(width)] = lost
        screen.page.set_viewport_size({"width": 1280, "height": 800})

    for path in ("/sign-in/", "/no/such/page"):
        look(path, whole=True)
    # It does see what is wrong: a field without a name.
    screen.page.evaluate("document.querySelector('main').append(document.createElement('input'))")
    assert [rule for rule, _ in screen.page.evaluate(LOOK, [ALL, False, False])] == ["label"]
    for role in WHO:
        screen.context.clear_cookies()
        screen.take_session(signed_in(role))
        theirs = [path for path, who in pages.items() if who == role]
        theirs = theirs if exhaustive else theirs[:1]
        for place, path in enumerate(theirs[part]):
            look(path, whole=place == 0)
    screen.leave()
    assert found == {}, "\n".join(f"{where}: {what}" for where, what in found.items())


def test_the_page_with_the_most_tabs_fits_every_tablet(
    browser: Any, live_server: Any, signed_in: Callable[[str], Client]
) -> None:
    scene.evening()
    screen = Person(browser, live_server.url)
    screen.take_session(signed_in("manager"))
    screen.go("/keno/catalogue/")
    for width, height in TABLETS:
        screen.page.set_viewport_size({"width": width, "height": height})
        assert screen.page.evaluate(CUT_OFF) == [], width
    screen.leave()


def test_somebody_idle_is_warned_and_may_stay(
    browser: Any, live_server: Any, signed_in: Callable[[str], Client]
) -> None:
    screen = Person(browser, live_server.url)
    page = screen.page
    begun = datetime.now(UTC)
    page.clock.install(time=begun)
    page.clock.pause_at(begun + timedelta(seconds=1))  # only this test moves it, however long a step takes
    screen.take_session(signed_in("manager"))
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
    page.clock.fast_forward((idle + 2) * 1000)  # the server's own clock, which would refuse, is tested elsewhere
    page.clock.run_for(2_000)
    page.get_by_role("dialog", name="Sign in").wait_for()
    # Not only covered: the house was told. Its own clock may be a minute behind, and would have let him in again.
    assert Act.objects.filter(kind="staff.signed-out").exists()
    screen.leave()
