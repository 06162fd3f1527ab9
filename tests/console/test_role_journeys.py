"""One post after the other, from the home page to done: what each came for, in a real browser.

The writer's counter, the dealer's table and the supervisor's games have files of their own; here are the others, and
what takes several of them.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connections

from house.models import Grant
from jackpot.demo import build_demo as build_links
from jackpot.models import Hit
from keno.close import close_game
from keno.demo import build_demo as build_keno
from keno.draw import draw_game
from keno.models import Game
from keno.shifts import open_shift
from kernel.money import Money
from ledger.models import Act
from ledger.seal import seal_now
from promotions.models import Draw
from tests.console import keno_scene
from tests.console.browser import Person
from tests.console.test_keno_tournament_pages import terms
from tests.console.test_promotion_journey import made_sealed
from tests.world.approvals import put_in_force
from tests.world.demo import demo_actor
from tests.world.tournaments import card_of
from tournaments.models import TournamentEntry
from verify.verifier import verify
from web import work
from web.models import Work

pytestmark = pytest.mark.django_db(transaction=True)
Arrive = Callable[..., Person]


def work_off(number: int) -> threading.Thread:
    """As the worker does, beside the person who watches."""

    def run() -> None:
        try:
            work.run(number)
        finally:
            connections.close_all()

    worker = threading.Thread(target=run)
    worker.start()
    return worker


@pytest.mark.long  # without a browser: test_audit_pages.py
@pytest.mark.usefixtures("witness")
def test_an_inspector_proves_a_row_and_takes_the_log_home(
    person: Arrive,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Any,
) -> None:
    monkeypatch.setattr(work, "folder", lambda: tmp_path)
    keno_scene.evening(games=1, tickets=3, rounds=1)
    seal_now()
    inspector = person("inspector")
    page = inspector.go("/")
    page.keyboard.press("g")
    page.keyboard.press("u")
    page.wait_for_url("**/audit/")
    page.get_by_role("link", name="Transfers", exact=True).click()
    page.locator("tbody th a").first.click()
    page.get_by_text(re.compile("[Ss]igned by|[Ss]ignature")).first.wait_for()
    # Exported, watched until it is there, taken away and verified: here, and as a stranger would.
    page.locator(".crumbs").get_by_role("link", name="Audit", exact=True).click()
    page.get_by_role("link", name="Exports", exact=True).click()
    page.get_by_role("button", name="Make an export").click()
    page.get_by_text("Waits for a worker.").wait_for()
    export = Work.objects.latest("id")
    work_off(export.pk).join()
    page.get_by_text(re.compile(r"rows under .* seals")).wait_for()
    with page.expect_download() as download:
        page.get_by_role("link", name=f"of export {export.pk}").click()
    with download.value.path().open("rb") as file:
        assert verify(file).rows > 0
    page.get_by_role("button", name=f"Verify export {export.pk}").click()
    work_off(Work.objects.latest("id").pk).join()
    page.get_by_text(re.compile("^Right: ")).wait_for()
    taken = Act.objects.get(kind="audit.export-taken")
    assert (taken.actor, taken.subject) == ("staff:inspector", f"work:{export.pk}")
    # Everything else he sees, and touches nothing: no form that acts, no button that opens one.
    for path in (
        *("/keno/", "/keno/games/", "/keno/tickets/", "/keno/orders/", "/keno/tournaments/", "/keno/shifts/"),
        *("/keno/claims/", "/keno/catalogue/amount/", "/jackpots/", "/jackpots/CSP/", "/jackpots/hits/"),
        *("/promo/", "/players/", "/staff/", "/devices/", "/venue/", "/tables/errors/", "/incidents/"),
    ):
        inspector.go(path)
        assert page.locator("main form[method=post], main [data-open]").count() == 0, path


@pytest.mark.long  # without a browser: test_statement_pages.py, test_promotion_pages.py
def test_an_auditor_reads_the_books_and_scrutineers_a_draw(person: Arrive) -> None:
    made_sealed()
    keno_scene.evening(games=1, tickets=3)
    auditor = person("auditor")
    page = auditor.go("/")
    page.keyboard.press("g")
    page.keyboard.press("r")
    page.wait_for_url("**/keno/reports/")
    page.get_by_role("link", name="Drawers", exact=True).click()
    for kind, begins in (("CSV", b"Shift"), ("PDF", b"%PDF")):
        with page.expect_download() as download:
            page.get_by_role("link", name=kind, exact=True).click()
        assert download.value.path().read_bytes().startswith(begins)
    # Nominated at the desk; here, and signed, from his own screen.
    desk = person("supervisor", height=900).go("/promo/SPRING-CAR/room/")
    desk.get_by_role("button", name="Nominate").first.click()
    desk.locator("#id_scrutineer").select_option("staff:auditor")
    desk.locator("#nominate button.primary").click()
    desk.get_by_text("nominated, not here yet").wait_for()
    auditor.go("/promo/SPRING-CAR/room/")
    page.get_by_role("button", name="I am here").click()
    page.get_by_text("here since").wait_for()
    assert page.get_by_role("button", name=re.compile("^Draw ")).count() == 0  # never his to do
    desk.get_by_role("button", name="Draw 15 prizes").click()
    desk.locator("#draw-typed").fill("SPRING-CAR")
    desk.locator("#draw button.primary").click()
    desk.get_by_text("Not published until").wait_for()
    page.get_by_role("button", name="Sign the result").click()
    page.get_by_text(re.compile(r"^\s*Signed \d\d:\d\d")).wait_for()
    drawn = Draw.objects.get()
    assert (drawn.scrutineer, drawn.published_at is not None) == ("staff:auditor", True)


@pytest.mark.clause("nsw-csp:11.2")
def test_a_jackpot_from_the_dealers_table_to_the_managers_hand(person: Arrive) -> None:
    build_links()
    dealer = person("dealer").go("/terminal/table?table=CSP-01")
    dealer.get_by_text("Live").wait_for()
    for key in ("2", "Enter"):
        dealer.keyboard.press(key)
    dealer.get_by_text("lay the hands that may win").wait_for()
    for key in ("2", *"ASKSQSJSTS"):
        dealer.keyboard.press(key)
    dealer.get_by_text("Would be paid, in this order").wait_for()
    for key in ("Enter", "Enter"):
        dealer.keyboard.press(key)
    dealer.get_by_text("Won in this round").wait_for()
    hit = Hit.objects.get(kind="royal")
    verifier = person("supervisor")
    supervisor = verifier.go("/")
    supervisor.get_by_text(re.compile(r"Verify \$50,00\d\.\d\d: royal flush at CSP-01")).first.click()
    supervisor.get_by_role("button", name="Verify").first.click()
    dialog = supervisor.get_by_role("dialog")
    for card in ("AS", "KS", "QS", "JS", "TS"):
        dialog.get_by_label(card).check()
    dialog.get_by_label("Surveillance").fill("CAM-12")
    verifier.picture("hit-verify")
    dialog.get_by_role("button", name="Verify").click()
    supervisor.get_by_text("Needs another person").wait_for()
    manager = person("manager").go("/")
    manager.get_by_text(re.compile(r"Pay \$50,00\d\.\d\d")).first.click()
    manager.get_by_role("link", name=re.compile(r"^Pay \$50,00")).first.click()
    dialog = manager.locator("form.stack")
    dialog.get_by_label("Paid by").select_option("cheque")
    dialog.locator("[name=payment_reference]").fill("000781")
    for name, text in (
        ("name", "Pat Morgan"),
        ("born", "1970-02-01"),
        ("address", "1 Main St"),
        ("document", "Passport"),
        ("document_number", "X1"),
    ):
        dialog.locator(f"[name={name}]").fill(text)
    dialog.get_by_role("button", name=re.compile("^Pay ")).click()
    manager.get_by_text(re.compile("Paid")).first.wait_for()
    hit.refresh_from_db()
    assert (hit.status, hit.verified_by, hit.paid_by) == ("paid", "staff:supervisor", "staff:manager")


@pytest.mark.long  # without a browser: test_house_pages.py
def test_an_administrator_proposes_a_right_and_a_manager_gives_it(person: Arrive) -> None:
    assert not Grant.objects.filter(role="dealer", permission="keno.view").exists()
    page = person("administrator").go("/roles/")
    page.goto(page.url + "dealer/propose/")
    page.get_by_label("See Keno: one’s own shift, and what is printed on a ticket").check()
    page.get_by_label("Why").fill("Dealers answer players’ questions at the tables.")
    page.get_by_role("button", name="Propose").click()
    page.get_by_text("Needs a second person.").first.wait_for()
    assert page.get_by_role("button", name="Approve").count() == 0
    manager = person("manager").go("/")
    manager.get_by_role("link", name="Decide", exact=True).click()
    manager.get_by_role("button", name="Approve").click()
    manager.get_by_role("dialog").get_by_role("button", name="Approve").click()
    manager.get_by_text("In effect").first.wait_for()
    assert Grant.objects.filter(role="dealer", permission="keno.view").exists()
    dealer = person("dealer").go("/")
    dealer.get_by_role("link", name="Keno").click()
    dealer.get_by_role("link", name="Tickets").click()
    dealer.get_by_role("heading", name="Tickets").wait_for()


@pytest.mark.long  # without a browser, with its clauses: test_keno_tournament_pages.py
def test_a_writer_enters_players_in_a_tournament_and_pays_them(person: Arrive) -> None:
    build_keno()
    open_shift(by=demo_actor("writer"), opening_float=Money.dollars(500))
    game = Game.objects.get(status="open").number
    put_in_force("keno.tournament", "CUP", terms(game, prizes=[10000]))
    page = person("writer").go("/keno/tournaments/")
    page.get_by_role("link", name="Spring cup").click()
    page.wait_for_url("**/keno/tournaments/CUP/")
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Player card").fill(card_of("Anna Marsh").lower())
    dialog.get_by_label("Numbers").fill("1 2")
    dialog.get_by_role("button", name="Enter, $50.05").click()
    dialog.get_by_role("alert").get_by_text("Entries mark 3 numbers.").wait_for()
    dialog.get_by_label("Numbers").fill("1 2 3")
    dialog.get_by_role("button", name="Enter, $50.05").click()
    page.get_by_text("$50.05 taken.").wait_for()
    close_game(number=game, by=demo_actor("supervisor"))
    draw_game(number=game, by=demo_actor("supervisor"))
    supervisor = person("supervisor").go("/keno/tournaments/CUP/")
    supervisor.get_by_role("button", name="Finish and rank").click()
    supervisor.get_by_label("Type CUP to go ahead").fill("CUP")
    supervisor.get_by_role("button", name="Finish it").click()
    supervisor.get_by_text("every cent of the balance shared").wait_for()
    page.reload()
    page.get_by_role("button", name="Pay $45.05").click()
    page.get_by_role("dialog").get_by_role("button", name="Pay $45.05").click()
    page.get_by_text("$45.05 is paid to Anna Marsh, in cash.").wait_for()
    assert TournamentEntry.objects.get().paid_by == "staff:writer"
