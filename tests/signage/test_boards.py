"""The boards, on a real screen, against real streams."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from ledger.checkpoints import fingerprints
from ledger.seal import seal_now
from signage import tail
from signage.events import CHECKPOINT, START
from signage.state import apply, empty
from tests.signage import acts
from tests.signage.feeds import load
from tests.world.browser import Screen
from tests.world.keno_played import Played

pytestmark = pytest.mark.django_db(transaction=True)

FULL_HD = {"width": 1920, "height": 1080, "dark": True}
REDUCE = """async (events) => {
    const { apply } = await import(window.location.origin + "/static/signage/board.js");
    const board = { keno: { games: [] }, jackpots: [], promotions: [], checkpoint: null };
    for (const [kind, data] of events) apply(board, kind, data);
    return board;
}"""

PANEL = """async (at) => {
    const { Between } = await import(window.location.origin + "/static/signage/between.js");
    const panels = new Between(document.querySelector("#between"));
    panels.show(at);
    return document.querySelector("#between [data-panel]:not([hidden]) h2").textContent;
}"""


@pytest.fixture
def on_air(serve: Callable[..., Any], settings: Any) -> Any:
    server = serve()
    settings.STREAMS_PORT = server.port
    return server


def live(screen: Screen) -> None:
    screen.page.locator("html[data-live=live]").wait_for(state="attached")


def soon_closing(number: int) -> None:
    now = datetime.now(UTC)
    opens, closes = now - timedelta(seconds=78), now + timedelta(seconds=102)
    times = {"opens_at": opens.isoformat(), "closes_at": closes.isoformat()}
    acts.record(
        "keno.opened", f"keno-game:{number}", game=number, device="rng", commitment=acts.promise(number), **times
    )


def a_busy_evening() -> None:
    acts.open_link("KENO-6", "Keno 6 of 6")
    acts.open_link("KENO-8", "Keno 8 of 8")
    acts.open_link("CSP", "Caribbean Stud", "CSP-01", "CSP-02", "CSP-03", "CSP-04")
    acts.open_link("BOOM", "Boomerang", "BOOM-01", "BOOM-02")
    acts.open_link("GJ", "Gee Jun", "GJ-01")
    for code, number, amount, table in [("BOOM", 11, "18240.60", "BOOM-02"), ("GJ", 12, "12077.05", "GJ-01")]:
        acts.hit(code, number, amount, table=table)
        acts.hit(code, number, amount, table=table, what="jackpot.hit-paid", status="paid")
    for number in range(48206, 48213):
        acts.play_game(number)


def test_the_browser_folds_the_log_as_the_house_does(screen: Callable[..., Screen]) -> None:
    a_busy_evening()
    acts.open_game(48213)
    acts.record("keno.moved", "keno-game:48213", game=48213, new="2026-11-17T10:00:00+00:00")
    acts.close_game(48213)
    acts.ball(48213, 1, 5)
    acts.ball(48213, 2, 6)
    acts.record("keno.ball-fell-back", "keno-game:48213", game=48213, attempt=1, number=6)
    acts.record("keno.voided", "keno-game:48213", game=48213, attempt=1, cause="malfunction", numbers=[5], device="rng")
    acts.ball(48213, 1, 77, attempt=2)
    acts.hit("CSP", 1, "50000.00", table="CSP-01")
    acts.hit("CSP", 2, "20000.00", table="CSP-02")
    acts.hit("CSP", 1, "50000.00", table="CSP-01", what="jackpot.hit-paid", status="paid")
    acts.hit("CSP", 2, "20000.00", table="CSP-02", what="jackpot.hit-denied", status="denied")
    acts.hit("BOOM", 13, "10000.00", table="BOOM-02")
    acts.record("jackpot.table-suspended", "table:CSP-02")
    acts.record("jackpot.table-closed", "table:GJ-01")
    acts.record("jackpot.retired", "jackpot:GJ")
    acts.play_game(48214)
    acts.open_game(48215)
    acts.finish_game(48215, jackpots={"6": {"amount": "1500.00", "ways": 2}})
    acts.open_game(48216)
    acts.record("keno.invalidated", "keno-game:48216", game=48216, cause="fire")
    acts.record("promotion.result", "promotion:1", promotion="car", draw="d1", numbers=[4])
    for number in range(48217, 48240):
        acts.open_game(number)
    events = [(e.kind, dict(e.data)) for e in tail.events_after(START, upto=tail.boundary(), most=10_000)]
    events.append((CHECKPOINT, {"note": "log.example\n12\nq83v=\n"}))
    expected = empty()
    for kind, data in events:
        apply(expected, kind, data)
        apply(expected, kind, data)  # twice is once
    got = screen("/verify/").page.evaluate(REDUCE, events)
    assert got == json.loads(json.dumps(expected))


def assert_code_and_key_are_on(page: Any) -> None:
    """With a head of the log beside it the code is still on the screen, and whose key signs stands below."""
    box = page.locator("#qr").bounding_box()
    assert box["x"] + box["width"] <= FULL_HD["width"]
    assert box["y"] + box["height"] <= FULL_HD["height"]
    ((whose, key),) = fingerprints()
    assert page.locator("#keys").inner_text() == f"Key of the {whose} {key}"


def test_a_draw_as_it_comes_and_the_same_after_a_reload(
    screen: Callable[..., Screen], on_air: Any, meters: dict[str, str]
) -> None:
    meters.update({"KENO-6": "2480.15", "KENO-8": "131207.90"})
    a_busy_evening()
    acts.open_game(48213)
    acts.close_game(48213)
    soon_closing(48214)
    seal_now()
    board = screen("/signage/keno", **FULL_HD)
    live(board)
    page = board.page
    assert page.locator("#status").inner_text() == "Closed. The draw begins shortly"
    numbers = acts.numbers_of(48213)
    page.evaluate(
        """() => {
            const root = document.documentElement, lit = () => root.dataset.drawn.split(" ").filter(Boolean).length;
            window.seen = [];
            new MutationObserver(() => seen.push(lit())).observe(root, { attributeFilter: ["data-drawn"] });
        }"""
    )
    for place, number in enumerate(numbers[:13], start=1):
        acts.ball(48213, place, number)
    page.locator(f"html[data-drawn='{' '.join(map(str, numbers[:13]))}']").wait_for(state="attached")
    assert sorted({*page.evaluate("seen")} - {0}) == list(range(1, 14))  # one by one, however they came
    seen = page.evaluate("seen")  # once: the next ball may come meanwhile
    assert seen == sorted(seen)
    for name in ("hot", "cold"):
        shown = [one["number"] for one in load()["statistics"][name]]
        assert page.locator(f"#{name}").inner_text().split() == [str(number) for number in shown]
    assert page.locator("#counted").inner_text() == "last 7 games"
    assert page.locator("#next").inner_text() == "Game 48\N{NARROW NO-BREAK SPACE}214 closes in"
    assert re.fullmatch(r"[01]:\d\d", page.locator("#left").inner_text())
    left, whole = page.locator("#ring").evaluate("ring => [ring.style.strokeDashoffset, ring.style.strokeDasharray]")
    assert 0 < float(left) < float(whole)  # part of the ring is gone
    assert page.locator("#latest").inner_text() == str(numbers[12])
    assert page.locator("#count").inner_text() == "13"
    assert page.locator(".block .lit").count() == 13
    assert page.locator(".block .latest").inner_text() == str(numbers[12])
    assert page.locator("#results > li").count() == 5
    assert page.locator("#promise").inner_text() == acts.promise(48213)[:8]
    page.locator("[data-amount='131207.90']").wait_for()
    board.until("document.querySelector('#qr').complete && document.querySelector('#qr').naturalWidth > 0")
    assert_code_and_key_are_on(page)
    board.picture("signage-keno")
    for place, number in enumerate(numbers[13:], start=14):
        acts.ball(48213, place, number)
    acts.finish_game(48213)
    page.locator(f"html[data-drawn='{' '.join(map(str, numbers))}']").wait_for(state="attached")
    page.get_by_text("Final result").wait_for()
    heads = sum(number <= 40 for number in numbers)
    assert page.locator("#split").inner_text() == f"{heads} heads · {20 - heads} tails"
    before = page.locator(".keno main").inner_html()
    page.reload()
    live(board)
    page.get_by_text("Final result").wait_for()
    assert page.locator(".keno main").inner_html() == before
    assert_the_board_lives_between_draws(board)
    assert_a_telephone_follows_its_numbers(board, numbers)


def assert_the_board_lives_between_draws(board: Screen) -> None:
    page = board.page
    assert page.locator("#winners").inner_text() == "3 winning tickets, $80.00 in prizes"
    # In turn: what the last game paid, then what each ticket of so many numbers pays.
    assert page.evaluate(PANEL, 1) == "Game 48\u202f213"
    assert page.locator("#biggest").inner_text() == "$60.00"
    assert page.locator("#last-winners").inner_text() == "3 winning tickets, $80.00 in prizes"
    board.picture("signage-keno-biggest")
    assert page.evaluate(PANEL, 2) == "1 number, for each $1"
    assert page.locator("#between [data-panel]:visible").count() == 1
    board.picture("signage-keno-between")


def assert_a_telephone_follows_its_numbers(board: Screen, drawn: list[int]) -> None:
    """The same address in one hand: numbers are tapped, kept on the telephone, compared with the balls shown."""
    page = board.page
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.locator("#mine").inner_text() == "Tap your numbers to follow them"
    missed = next(number for number in range(1, 81) if number not in drawn)
    for number in (drawn[0], drawn[1], missed):
        page.locator(f".block [data-number='{number}']").click()
    assert page.locator("#mine").inner_text() == "2 of your 3 numbers matched"
    page.reload()
    page.get_by_text("2 of your 3 numbers matched").wait_for()
    page.locator(f".block [data-number='{missed}']").click()
    assert page.locator("#mine").inner_text() == "2 of your 2 numbers matched"
    board.picture("signage-keno-telephone", full=True)


@pytest.mark.clause("act-keno:7.3")
def test_the_result_of_a_game_that_was_really_drawn_is_on_the_board(screen: Callable[..., Screen], on_air: Any) -> None:
    """Counted, entered and settled by the verbs: the twenty balls are lit, no other is, and they are called final."""
    drawn = [7, 80, 1, 33, 12, 64, 5, 41, 28, 77, 3, 59, 16, 22, 70, 48, 9, 36, 55, 61]
    Played().play(1, drawn)
    seal_now()
    page = screen("/signage/keno", **FULL_HD).page
    page.get_by_text("Final result").wait_for()
    assert page.locator("html").get_attribute("data-drawn") == " ".join(map(str, drawn))
    lit = page.locator(".block .lit")
    assert sorted(int(text) for text in lit.all_inner_texts()) == sorted(drawn)
    assert all(each.is_visible() for each in lit.all())


def test_before_the_first_game_and_before_the_first_jackpot(screen: Callable[..., Screen], on_air: Any) -> None:
    keno, jackpots = screen("/signage/keno", **FULL_HD), screen("/signage/jackpots", **FULL_HD)
    live(keno)
    live(jackpots)
    assert keno.page.get_by_text("No game yet").is_visible()
    assert keno.page.get_by_text("No Keno jackpot is running").is_visible()
    assert jackpots.page.get_by_text("No jackpot is running").is_visible()
    soon_closing(1)
    keno.page.get_by_text("Game 1 closes in").wait_for()
    assert not keno.page.get_by_text("No game yet").is_visible()


def test_a_lost_connection_is_said_and_mended_by_itself(
    screen: Callable[..., Screen], serve: Callable[..., Any], settings: Any, meters: dict[str, str]
) -> None:
    first = serve()
    settings.STREAMS_PORT = first.port
    meters["CSP"] = "50123.45"
    acts.open_link("CSP", "Caribbean Stud", "CSP-01")
    acts.open_game(1)
    board, jackpots = screen("/signage/keno", **FULL_HD), screen("/signage/jackpots", **FULL_HD)
    live(board)
    live(jackpots)
    jackpots.page.locator("[data-amount='50123.45']").wait_for()
    first.stop()
    board.page.get_by_text("Connection lost").wait_for()
    jackpots.page.get_by_text("Connection lost").wait_for()
    acts.close_game(1)
    acts.ball(1, 1, 44)
    acts.hit("CSP", 1, "50123.45", table="CSP-01")
    meters["CSP"] = "50000.00"
    serve(port=first.port)
    live(board)
    live(jackpots)
    assert not board.page.get_by_text("Connection lost").is_visible()
    board.page.locator("html[data-drawn='44']").wait_for(state="attached")
    # It missed the win: no announcement of old news, and the meter is the true one at once, although it fell.
    jackpots.page.locator("[data-amount='50000.00']").wait_for()
    assert jackpots.page.get_by_text("★ $50,123.45 won at CSP-01. Pending until paid").is_visible()
    assert not jackpots.page.locator("#announcement").is_visible()


def test_meters_count_up_and_fall_only_when_won(
    screen: Callable[..., Screen], on_air: Any, meters: dict[str, str]
) -> None:
    meters.update({"CSP": "50123.45", "BOOM": "10871.20", "GJ": "14005.65", "KENO-6": "2480.15", "KENO-8": "31207.90"})
    a_busy_evening()
    acts.record("jackpot.table-suspended", "table:GJ-01")
    board = screen("/signage/jackpots", **FULL_HD)
    live(board)
    page = board.page
    csp = page.locator("[data-code=CSP]")
    csp.locator("[data-amount='50123.45']").wait_for()
    assert csp.locator(".odometer").get_attribute("aria-label") == "$50,123.45"
    assert page.locator("[data-code=GJ] .state").inner_text() == "✗ Jackpot suspended: the link is down"
    assert csp.locator(".state").inner_text() == "● Live"
    assert csp.locator(".win").inner_text() == "Not won yet"
    meters["CSP"] = "50126.95"
    acts.record("test.wager", "test")  # a meter moves only with something committed
    csp.locator("[data-amount='50126.95']").wait_for()
    board.picture("signage-jackpots")
    page.evaluate("window.fell = []; window.odometer = document.querySelector('[data-code=CSP] .odometer')")
    watch = "new MutationObserver(() => fell.push(odometer.dataset.amount)).observe(odometer, {attributes: true})"
    page.evaluate(watch)
    meters["CSP"] = "50000.00"
    acts.hit("CSP", 21, "50126.95", table="CSP-03")
    page.locator("#announcement").wait_for()
    assert page.locator("#announced-what").inner_text() == "★ Jackpot won"
    assert page.locator("#announced-state").inner_text() == "Pending until it is verified and paid"
    assert page.locator("#announced-amount").inner_text() == "$50,126.95"
    assert page.locator("#announced-where").inner_text() == "CSP-03 · royal flush"
    csp.locator("[data-amount='50000.00']").wait_for(state="attached")
    assert set(page.evaluate("fell")) == {"50000.00"}
    board.picture("signage-jackpots-win")
    page.locator("#announcement").wait_for(state="hidden")
    assert csp.locator(".state").inner_text() == "★ $50,126.95 won at CSP-03.\nPending until paid"
    acts.record("jackpot.table-suspended", "table:CSP-02", what="Link down: nothing was heard of CSP-02.")
    csp.get_by_text("! Link down at CSP-02").wait_for()  # both, however long it is pending
    acts.record("jackpot.table-opened", "table:CSP-02")
    acts.hit("CSP", 21, "50126.95", table="CSP-03", what="jackpot.hit-paid", status="paid")
    csp.get_by_text("● Live").wait_for()
    assert csp.locator(".win").inner_text().startswith("Last win $50,126.95\nCSP-03, ")


def test_a_fall_without_a_win_waits_for_the_win(screen: Callable[..., Screen]) -> None:
    """The odometer alone, by its own clock."""
    page = screen("/verify/").page
    page.clock.install()
    page.evaluate(
        """async () => {
            const { Odometer } = await import(window.location.origin + "/static/signage/live.js");
            window.meter = new Odometer(document.createElement("div"));
            meter.set("100.00");
            meter.set("90.00");
        }"""
    )
    assert page.evaluate("meter.shown") == "100.00"
    page.evaluate("meter.won()")
    assert page.evaluate("meter.shown") == "90.00"
    page.clock.run_for(20_000)
    page.evaluate("meter.set('80.00')")
    assert page.evaluate("meter.shown") == "90.00"
    page.clock.run_for(3_100)
    assert page.evaluate("meter.shown") == "80.00"  # a correction: the truth comes first


def test_qr_and_frames(client: Client) -> None:
    assert client.get("/signage/qr.svg?game=48213").content.startswith(b"<?xml")
    assert client.get("/signage/qr.svg?game=x").status_code == 404
    page = client.get("/signage/keno")
    assert page.status_code == 200
    assert "X-Frame-Options" not in page.headers  # a display controller may frame it
