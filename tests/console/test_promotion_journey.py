"""A promotion in a real browser: drafted with the checklist beside it, drawn at the desk, shown on the stage."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from ledger.models import Act
from promotions.demo import spring
from promotions.draft import draft_promotion
from promotions.locks import database_time
from promotions.models import Draw, Promotion, Win
from promotions.run import close, start
from promotions.seal import seal
from promotions.submit import submit_promotion
from tests.console.browser import Person
from tests.console.test_promotion_pages import passes
from tests.world.demo import credential, demo_actor
from tests.world.promotion_draws import open_day, put_in

pytestmark = pytest.mark.django_db(transaction=True)


def made_sealed() -> None:
    """The demo's car, with a cup of names in the list, sealed and due."""
    open_day()
    begin = database_time() - timedelta(days=20)
    terms = spring(begin)
    terms.pop("earning")
    manager = demo_actor("manager")
    draft_promotion(
        code="SPRING-CAR", edition_code="2025", title="Win a car in spring", terms=terms, by=demo_actor("supervisor")
    )
    submit_promotion(code="SPRING-CAR", by=manager, how="portal", goods_confirmed=True, now=begin - timedelta(days=2))
    start(code="SPRING-CAR", now=begin)
    Promotion.objects.update(
        closes_at=database_time() + timedelta(hours=1), draw_at=database_time() + timedelta(hours=1)
    )
    put_in("ABCDEFGHIJKLMNOPQRSTUVWXYZ" * 3, "SPRING-CAR")
    passes("SPRING-CAR", timedelta(hours=1))
    close(code="SPRING-CAR")
    seal(code="SPRING-CAR")


@pytest.mark.clause("nsw-promo-2025:17.7.1-11", "nsw-promo-2025:17.7.11.2")
def test_drafted_with_the_checklist_beside_it(person: Callable[..., Person]) -> None:
    supervisor = person("supervisor", height=900)
    page = supervisor.go("/promo/new/")
    page.get_by_label("Title").fill("Win a car in spring")
    page.get_by_label("Code", exact=True).fill("SPRING-CAR")
    page.get_by_label("How prizes are awarded").fill("One draw from all entries, which anybody can check.")
    page.locator("#checklist li:not(.left)", has_text="How prizes are awarded").wait_for()
    page.get_by_label("What it is").fill("A small car")
    page.get_by_label("Value of one").fill("24,990")
    page.get_by_label("Kind").select_option("vehicle")
    page.get_by_label("Make").fill("Kestrel")
    page.get_by_label("Model").fill("Wren 1.2")
    page.locator("#checklist", has_text="The terms do not say the accessories").wait_for()
    page.get_by_label("Who can take part").fill("Members aged 18 and over.")
    page.locator("#checklist li:not(.left)", has_text="Who can take part").wait_for()
    page.get_by_role("button", name="Another prize").click()
    page.get_by_text("Prize 2").first.wait_for()
    assert page.locator("#id_prize-0-details-make").input_value() == "Kestrel"  # what was typed is still there
    # The camera touches the fields' styles, so nothing is fetched into this page after a picture of it.
    page.evaluate("scrollTo(0, 0)")
    supervisor.picture("promotion-wizard-1280-light")
    page.locator("#step-prizes").scroll_into_view_if_needed()
    supervisor.picture("promotion-wizard-prizes-1280-light")
    page.get_by_role("button", name="Save the draft").click()
    page.get_by_text("missing before it can be submitted").wait_for()
    supervisor.picture("promotion-draft-1280-light")
    assert Promotion.objects.get().versions.get().data["prizes"][0]["details"] == {
        "make": "Kestrel",
        "model": "Wren 1.2",
    }


@pytest.mark.long
def test_drawn_at_the_desk_and_shown_on_the_stage(
    person: Callable[..., Person],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from promotions.pages import stage

    made_sealed()
    supervisor = person("supervisor", height=900)
    page = supervisor.go("/promo/SPRING-CAR/room/")
    # A practice first: unmistakable, and nothing of it stays.
    address = page.get_by_role("link", name="Open the stage").get_attribute("href")
    assert address is not None
    with supervisor.context.expect_page() as opened:
        page.get_by_role("button", name="Practise").click()
    rehearsal = Person(supervisor.context.browser, supervisor.url, width=1920, height=1080, dark=True)  # type: ignore[arg-type]
    opened.value.wait_for_load_state()
    monkeypatch.setattr(stage, "STEP_SECONDS", 0.5)
    rehearsal.page.goto(opened.value.url)
    opened.value.close()
    rehearsal.page.locator(".number").wait_for()
    rehearsal.page.get_by_text("15 of 15 prizes").wait_for()
    assert rehearsal.page.get_by_text("PRACTICE").count() >= 2
    rehearsal.picture("promotion-stage-practice-1920-dark")
    rehearsal.leave()
    assert not Win.objects.exists()
    # The scrutineer is nominated, signs in on the spot, and the draw is typed for.
    audience = person(None, width=1920, height=1080, dark=True)
    audience.go(address)
    audience.page.get_by_text("The draw is next").wait_for()
    page.get_by_role("button", name="Nominate").first.click()
    page.locator("#id_scrutineer").select_option("staff:auditor")
    page.locator("#nominate button.primary").click()
    page.get_by_text("nominated, not here yet").wait_for()
    supervisor.picture("promotion-desk-1280-light")
    for step, button in (("attend", "Sign in here"), ("sign", "Sign here")):
        if step == "sign":
            page.get_by_role("button", name="Draw 15 prizes").click()
            page.locator("#draw-typed").fill("SPRING-CAR")
            page.locator("#draw button.primary").click()
            page.get_by_text("Not published until").wait_for()
            audience.page.get_by_text("The scrutineer is checking the result.").wait_for()
        page.get_by_role("button", name=button).click()
        who = credential("auditor")
        for field in ("username", "password", "code"):
            page.locator(f"#{step}-{field}").fill(getattr(who, field))
        page.locator(f"#{step} button.primary").click()
        page.get_by_text("here since" if step == "attend" else "Signed: the result is out.").wait_for()
    assert Draw.objects.get().signed_at is not None
    audience.page.get_by_text("15 of 15 prizes").wait_for()
    car = Win.objects.get(prize__kind="vehicle")
    assert audience.page.locator(".number").inner_text() == str(car.pick.number)  # the first prize last
    audience.picture("promotion-stage-1920-dark")
    supervisor.picture("promotion-desk-drawn-1280-light")
    manager = person("manager", width=1920, height=1080, dark=True)
    manager.go("/promo/SPRING-CAR/room/").get_by_text("Record a dispute").wait_for()
    manager.picture("promotion-desk-1920-dark")
    manager.go(f"/promo/winners/{car.pk}/").get_by_text("Nobody has tried yet.").wait_for()
    manager.picture("promotion-winner-1920-dark")


@pytest.mark.long
def test_a_list_is_downloaded_and_its_button_is_free_again(person: Callable[..., Person]) -> None:
    made_sealed()
    page = person("manager").go("/promo/SPRING-CAR/entries/")
    for why in ("For the scrutineer.", "For the printer of the coupons."):
        page.get_by_role("button", name="People").click()
        dialog = page.locator("#export")
        assert dialog.get_by_label("What it is for").input_value() == ""
        dialog.get_by_label("What it is for").fill(why)
        with page.expect_download() as download:
            dialog.get_by_role("button", name="Download").click()
        assert download.value.suggested_filename == "entrants-SPRING-CAR.csv"
        dialog.wait_for(state="hidden")
        assert page.locator(".busy").count() == 0
    taken = Act.objects.filter(kind="promotion.personal-data-exported").order_by("id")
    assert [act.data["why"] for act in taken] == ["For the scrutineer.", "For the printer of the coupons."]
    # A refusal goes back to the page as ever.
    page.get_by_role("button", name="People").click()
    page.locator("#export").get_by_label("What it is for").fill("   ")
    page.locator("#export").get_by_role("button", name="Download").click()
    page.get_by_role("alert").get_by_text("Say what the list is for").wait_for()
