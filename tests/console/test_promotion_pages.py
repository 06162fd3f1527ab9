"""A promotion from its first word to the prize in the hand, page by page, with the people who may take each step."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from house.models import Proposal
from kernel.money import Money
from promotions import imports
from promotions.models import (
    Claim,
    Draw,
    Entry,
    EntryList,
    Import,
    Loss,
    Payment,
    Promotion,
    Win,
)
from promotions.pages import stage
from tests.world.demo import credential
from tests.world.players import on_record
from tests.world.promotion_draws import CAR, drawn, sealed
from tests.world.promotions import prize

SignedIn = Callable[[str], Client]
HOURS = timedelta(hours=1)


def local(moment: datetime) -> str:
    """As a datetime-local input sends it, on the venue's clock."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S")


def filled(**more: str | list[str]) -> dict[str, Any]:
    """The whole form of the wizard: a car and two money prizes, 2025."""
    from zoneinfo import ZoneInfo

    from house.models import Venue

    now = timezone.now().astimezone(ZoneInfo(Venue.objects.get().time_zone)).replace(microsecond=0)
    starts = now + 25 * HOURS
    return {
        "title": "Spring draw",
        "starts_at": local(starts),
        "entries_close_at": local(starts + timedelta(days=7)),
        "draw_at": local(starts + timedelta(days=7)),
        "awarded_at": local(starts + timedelta(days=8)),
        "place": "The casino",
        "awarded_where": "Main stage",
        "eligibility": "Members aged 18 and over.",
        "minimum_wager": "none",
        "card_required": "yes",
        "manner": "One draw from all entries.",
        "must_be_present": "no",
        "nature": "A car and money.",
        "reservations": "none",
        "claim": "At the cage.",
        "claim_within_days": "28",
        "unclaimed": "alternate",
        "notification": ["telephone", "email"],
        "publication": "On the page.",
        "prizes": "2",
        "prize-0-name": "A small car",
        "prize-0-kind": "vehicle",
        "prize-0-value": "$24,990",
        "prize-0-conditions": "none",
        "prize-0-payment": ["handed-over"],
        "prize-0-details-make": "Kestrel",
        "prize-0-details-model": "Wren",
        "prize-0-details-accessories": "none",
        "prize-0-details-on_road_costs": "yes",
        "prize-1-name": "Five hundred dollars",
        "prize-1-kind": "money",
        "prize-1-value": "500",
        "prize-1-quantity": "2",
        "prize-1-conditions": "none",
        "prize-1-payment": ["transfer"],
    } | more


def passes(code: str, span: timedelta) -> None:
    """Time goes by: the rows are moved into the past, since the database's clock cannot be moved."""
    one = Promotion.objects.get(code=code)
    moved = {
        name: at - span
        for name in ("starts_at", "closes_at", "draw_at", "submitted_at", "started_at")
        if (at := getattr(one, name)) is not None
    }
    Promotion.objects.filter(code=code).update(**moved)


def text(page: Any) -> str:
    return " ".join(page.content.decode().split())  # lines break where white space does not show


@pytest.mark.clause("nsw-promo-2025:17.12", "nsw-promo-2025:17.2", "nsw-promo-2025:17.4", "nsw-promo-2025:17.8")
def test_the_whole_way(signed_in: SignedIn) -> None:  # long: one promotion from draft to payment
    supervisor, manager, writer = (signed_in(role) for role in ("supervisor", "manager", "writer"))
    # Drafted with next to nothing: the page says what is missing, each with its clause.
    supervisor.post("/promo/new/", {"title": "Spring draw", "code": "spring", "edition": "2025"})
    page = text(supervisor.get("/promo/SPRING/"))
    assert "The terms do not say how the prizes are awarded." in page
    assert 'href="/rules/#nsw-promo-2025:17.7.1-11">nsw-promo-2025:17.7.1</a>' in page
    assert supervisor.post("/promo/SPRING/submit/").status_code == 403
    refused = manager.post(
        "/promo/SPRING/submit/", {"how": "email"}, headers={"referer": "http://testserver/promo/SPRING/"}, follow=True
    )
    assert "17.7" in text(refused)
    assert Promotion.objects.get().status == "draft"
    # Filled in, submitted; the 24 hours run, and it does not start before they are over.
    assert supervisor.post("/promo/SPRING/terms/", filled()).status_code == 302
    assert "missing before it can be submitted" not in text(manager.get("/promo/SPRING/"))
    manager.post("/promo/SPRING/submit/", {"how": "portal", "reference": "N-77", "goods_confirmed": "on"})
    page = text(manager.get("/promo/SPRING/"))
    assert "The 24 hours run" in page
    assert (
        manager.get(f"/promo/submissions/{Promotion.objects.get().submissions.get().pk}/paper/").content[:5] == b"%PDF-"
    )
    back = {"referer": "http://testserver/promo/SPRING/"}
    early = text(manager.post("/promo/SPRING/start/", headers=back, follow=True))
    assert "submitted less than 24 hours ago" in early
    assert "/rules/#nsw-promo-2025:17.12" in early
    assert Promotion.objects.get().status == "submitted"
    passes("SPRING", 26 * HOURS)
    manager.post("/promo/SPRING/start/")
    assert Promotion.objects.get().status == "running"
    on_record()
    # Entered at the counter and by file; a bad row is told with its line, and nothing of it is kept.
    writer.post("/promo/enter/", {"code": "SPRING", "card": "C-1", "name": "Anna Marsh", "reference": "A-1"})
    again = writer.post("/promo/enter/", {"code": "SPRING", "card": "C-1", "reference": "A-1"})
    assert again.status_code == 409
    assert "has been entered already" in text(again)
    rows = "reference,card,name\n" + "".join(f"B-{n},C-{n},Person {n}\n" for n in range(2, 9)) + "B-9,,Nobody\n"
    file = SimpleUploadedFile("entries.csv", rows.encode())
    answer = supervisor.post("/promo/SPRING/import/", {"file": file, "all_or_nothing": "good"})
    made = Import.objects.get()
    assert answer.headers["Location"] == f"/promo/imports/{made.pk}/"
    imports.go_on(made.pk)
    page = text(supervisor.get(f"/promo/imports/{made.pk}/live/"))
    assert "7 entered, 1 refused." in page
    assert "A player card is needed to enter." in page
    assert "Before you confirm it" not in page  # not who brought it in
    assert "Before you confirm it" in text(manager.get(f"/promo/imports/{made.pk}/"))
    manager.post(f"/promo/imports/{made.pk}/confirm/")
    assert Entry.objects.count() == 8
    assert "Anna Marsh" in text(manager.get("/promo/SPRING/entries/"))
    assert "Anna Marsh" not in text(supervisor.get("/promo/SPRING/entries/"))  # no right to names
    # Closed and sealed: the root is on the desk and on the list.
    assert "takes entries until" in text(manager.post("/promo/SPRING/close/", headers=back, follow=True))
    passes("SPRING", timedelta(days=8))
    manager.post("/promo/SPRING/close/")
    manager.post("/promo/SPRING/seal/")
    root = bytes(EntryList.objects.get().root).hex()
    assert root[:4] in text(supervisor.get("/promo/SPRING/room/"))
    # A car is worth more than $10,000: no draw before the scrutineer is there; no result before he has signed.
    room = {"referer": "http://testserver/promo/SPRING/room/"}
    alone = text(supervisor.post("/promo/SPRING/room/draw/", headers=room, follow=True))
    assert "/rules/#nsw-promo-2025:17.2" in alone
    supervisor.post("/promo/SPRING/room/nominate/", {"scrutineer": "staff:auditor"})
    auditor = signed_in("auditor")
    assert "Attend the draw of Spring draw" in text(auditor.get("/"))
    assert manager.post("/promo/SPRING/room/scrutineer/attend/").status_code == 403
    auditor.post("/promo/SPRING/room/scrutineer/attend/")
    supervisor.post("/promo/SPRING/room/draw/")
    draw = Draw.objects.get()
    assert (draw.scrutineer, draw.published_at, len(draw.numbers)) == ("staff:auditor", None, 3)
    assert "Not published until" in text(supervisor.get("/promo/SPRING/room/live/"))
    person = credential("auditor")
    wrong = supervisor.post(
        "/promo/SPRING/room/on-the-spot/sign/", {"username": "auditor", "password": "guess", "code": "000000"}
    )
    assert "User name or password is wrong" in text(wrong)
    spot = {"username": "auditor", "password": person.password, "code": person.code}
    assert supervisor.post("/promo/SPRING/room/on-the-spot/sign/", spot).status_code == 302
    draw.refresh_from_db()
    assert draw.signed_at is not None
    assert supervisor.get("/").context["actor"].identity == "staff:supervisor"
    # Told, claimed, accepted by one and paid by another, never in cash.
    money = Win.objects.filter(prize__kind="money").order_by("id")[0]
    page = f"/promo/winners/{money.pk}/"
    assert manager.get(page).context["person"]["name"] == "Marcus Lindqvist"  # in the rail: not who has won
    assert "Tell the winner of Five hundred dollars" in text(supervisor.get("/"))
    by_mail = supervisor.post(f"{page}notify/", {"how": "mail", "reached": "yes", "at": "", "notes": ""})
    assert by_mail.status_code == 422
    assert "By the terms winners are told telephone or email." in text(by_mail)
    supervisor.post(f"{page}notify/", {"how": "telephone", "reached": "yes", "at": "", "notes": ""})
    claimant = {"name": "Anna Marsh", "address": "1 Lake Street", "contact": "", "grounds": "Passport"}
    supervisor.post(f"{page}claim/", claimant)
    claim = Claim.objects.get()
    here = f"/promo/claims/{claim.pk}/"
    assert "Decide claim" in text(manager.get("/"))
    manager.post(f"{here}accept/")
    paid = {"alternative": "no", "method_0": "transfer", "amount_0": "500.00", "reference_0": "T-1"}
    own = manager.post(f"{here}pay/", paid)
    assert "Who accepted the claim does not pay it." in text(own)
    cash = supervisor.post(f"{here}pay/", paid | {"method_0": "cash"})
    assert cash.status_code == 422
    assert not Payment.objects.exists()
    short = supervisor.post(f"{here}pay/", paid | {"amount_0": "499.99"})
    assert "The parts add up to the whole prize: $500.00." in text(short)
    supervisor.post(f"{here}pay/", paid)
    assert Payment.objects.get().amount == Money.dollars(500)
    assert "Paid" in text(supervisor.get(here))


def test_the_checklist_follows_the_form_and_keeps_nothing(signed_in: SignedIn) -> None:
    supervisor = signed_in("supervisor")
    form = filled(edition="2025")
    page = text(supervisor.post("/promo/checklist/", form))
    assert "Complete" in page
    page = text(supervisor.post("/promo/checklist/", form | {"manner": "", "prize-0-details-make": ""}))
    assert "2 things are missing" in page
    assert 'href="#id_prize-0-details-make"' in page
    assert "/rules/#nsw-promo-2025:17.7.11.2" in page
    prohibited = text(supervisor.post("/promo/checklist/", form | {"prize-1-liquor_litres": "20.5"}))
    assert "Not allowed." in prohibited
    assert "/rules/#nsw-promo-2025:17.5" in prohibited
    in_cash = text(supervisor.post("/promo/checklist/", form | {"prize-1-payment": ["cash"]}))
    assert "/rules/#nsw-promo-2025:17.4" in in_cash
    older = text(supervisor.post("/promo/checklist/", form | {"edition": "2019", "manner": ""}))
    assert "/rules/#nsw-promo-2019:15.7" in older
    more = text(supervisor.post("/promo/prizes/", form | {"add": "1"}))
    assert 'name="prizes" value="3"' in more
    assert "Kestrel" in more
    fewer = text(supervisor.post("/promo/prizes/", form | {"remove": "0"}))
    assert 'name="prizes" value="1"' in fewer
    assert "Kestrel" not in fewer
    other = text(supervisor.post("/promo/prizes/", form | {"prize-0-kind": "travel"}))
    assert "Airfares" in other
    assert not Promotion.objects.exists()


def test_a_prohibited_prize_is_no_draft(signed_in: SignedIn) -> None:
    supervisor = signed_in("supervisor")
    form = filled(code="BAD", edition="2025") | {"prize-0-liquor_litres": "20.5"}
    answer = supervisor.post("/promo/new/", form)
    assert answer.status_code == 422
    assert "/rules/#nsw-promo-2025:17.5" in text(answer)
    assert "Kestrel" in text(answer)  # what was typed is still there
    assert not Promotion.objects.exists()


@pytest.mark.parametrize(("edition", "authority"), [("2025", "house"), ("2019", "commission")])
@pytest.mark.clause("nsw-promo-2025:17.12.1", "nsw-promo-2019:15.9.1")
def test_amended_with_versions_side_by_side(edition: str, authority: str, signed_in: SignedIn) -> None:
    from tests.world.promotions import running

    manager = signed_in("manager")
    running("SPRING", edition)
    page = text(manager.get("/promo/SPRING/amend/"))
    fields = dict(re.findall(r'<input type="datetime-local" name="(\w+)" value="([^"]+)"', page))
    assert set(fields) == {"starts_at", "entries_close_at", "draw_at", "awarded_at"}
    form = filled(**fields) | {
        "prizes": "1",
        "prize-0-name": "Two thousand dollars",
        "prize-0-kind": "money",
        "prize-0-value": "1500.00",
        "prize-0-payment": ["transfer", "cheque"],
        "awarded_where": "Level 2",
        "why": "The stage is rebuilt.",
        "how": "email",
        "reference": "",
    }
    answer = manager.post("/promo/SPRING/amend/", form)
    assert answer.status_code == 302, text(answer)
    second = Promotion.objects.get().versions.get(number=2)
    assert second.in_force_from is None  # until another person, or the authority, has approved it
    page = text(manager.get("/promo/SPRING/versions/"))
    assert "Level 2" in page
    assert "Main stage" in page
    assert "The stage is rebuilt." in page
    # What players lose by it first, then every difference in words, beside the text as they read it.
    assert "“Two thousand dollars” is worth $1,500.00 instead of $2,000.00." in page
    assert "Awarded where was “Main stage”; it is “Level 2”." in page
    assert "goes to the next alternate winner" in page
    assert Proposal.objects.get(kind="promotions.amendment").authority == authority


@pytest.mark.clause("nsw-promo-2019:15.7", "nsw-promo-2019:15.12")
def test_called_absent_and_the_next_wins(signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage, "STEP_SECONDS", 0)
    supervisor, manager = signed_in("supervisor"), signed_in("manager")
    one = prize(name="A thousand dollars", value="1000.00", payment=["cash"])
    sealed("ABCDEFGH", edition="2019", must_be_present=True, call_seconds=60, prizes=[one], unclaimed="redraw")
    passes("SPRING", timedelta(days=9))
    supervisor.post("/promo/SPRING/room/draw/")
    first = Win.objects.get()
    assert f"Call entry {first.pick.number}" in text(supervisor.get("/promo/SPRING/room/"))
    screen = stage.address("SPRING")
    assert f"Entry {first.pick.number}, please come forward" in text(Client().get(screen))
    supervisor.post(f"/promo/winners/{first.pk}/call/")
    assert "Come forward:" in text(Client().get(screen))
    assert "Came forward" in text(supervisor.get("/promo/SPRING/room/live/"))
    room = {"referer": "http://testserver/promo/SPRING/room/"}
    hasty = text(supervisor.post(f"/promo/winners/{first.pk}/absent/", headers=room, follow=True))
    assert "nsw-promo-2019:15.7.8</a>" in hasty
    Win.objects.update(called_at=timezone.now() - 2 * HOURS, call_ends_at=timezone.now() - HOURS)
    supervisor.post(f"/promo/winners/{first.pk}/absent/")
    # One person's word. Another seconds it, and the scrutineer, nominated for it, signs.
    assert "Take it back" in text(supervisor.get("/promo/SPRING/room/live/"))
    assert "Second it" in text(manager.get("/promo/SPRING/room/live/"))
    refused = text(supervisor.post(f"/promo/winners/{first.pk}/loss/second/", headers=room, follow=True))
    assert "Another person seconds it" in refused
    auditor = signed_in("auditor")
    supervisor.post("/promo/SPRING/room/nominate/", {"scrutineer": "staff:auditor"})
    auditor.post("/promo/SPRING/room/scrutineer/attend/")
    assert "Second or sign that entry" in text(manager.get("/"))
    manager.post(f"/promo/winners/{first.pk}/loss/second/")
    assert "The scrutineer signs next" in text(manager.get(f"/promo/winners/{first.pk}/"))
    assert "Sign: the prize is lost" in text(auditor.get(f"/promo/winners/{first.pk}/"))
    assert supervisor.post(f"/promo/winners/{first.pk}/loss/sign/").status_code in {302, 403}
    assert not Loss.objects.exists()
    auditor.post(f"/promo/winners/{first.pk}/loss/sign/")
    second = Win.objects.exclude(pk=first.pk).get()
    supervisor.post(f"/promo/winners/{second.pk}/call/")
    supervisor.post(f"/promo/winners/{second.pk}/present/")
    assert Win.objects.get(pk=second.pk).present_at is not None
    assert "Here, congratulations" in text(Client().get(screen))
    assert "did not come forward when called" in text(Client().get("/promotions/SPRING/"))


@pytest.mark.clause("nsw-promo-2025:17.9", "nsw-promo-2025:17.10")
def test_denied_with_reasons_and_the_letter(signed_in: SignedIn) -> None:
    supervisor, manager = signed_in("supervisor"), signed_in("manager")
    drawn()
    win = Win.objects.get()
    supervisor.post(f"/promo/winners/{win.pk}/claim/", {"name": "Ben Ng", "address": "2 Hill Road"})
    here = f"/promo/claims/{Claim.objects.get().pk}/"
    assert manager.get(f"{here}letter/").status_code == 409
    without = manager.post(f"{here}deny/", {"reasons": "", "forfeit": "yes"})
    assert without.status_code == 422
    assert Claim.objects.get().status == "made"
    manager.post(f"{here}deny/", {"reasons": "An employee.", "forfeit": "yes"})
    assert Claim.objects.get().status == "denied"
    assert manager.get(f"{here}letter/").content[:5] == b"%PDF-"
    assert supervisor.get(f"{here}letter/").status_code == 403
    assert "right to lodge a complaint" in text(manager.get(here))
    supervisor.post(f"{here}told/", {"how": "mail"})
    assert Claim.objects.get().told_how == "mail"
    report = text(manager.get("/promo/reports/denied-claims/"))
    assert "2 Hill Road" in report
    assert supervisor.get("/promo/reports/denied-claims/").status_code == 403
    assert manager.get("/promo/reports/denied-claims/?format=pdf").content[:5] == b"%PDF-"
    assert b"An employee." in manager.get("/promo/reports/denied-claims/?format=csv").content
    # Somebody who has not won asks as well: it can only be denied.
    supervisor.post("/promo/SPRING/claim/", {"what": "The car", "value": "35,000", "name": "Cy", "address": ""})
    other = Claim.objects.latest("id")
    denied = manager.post(f"/promo/claims/{other.pk}/deny/", {"reasons": "Not drawn.", "forfeit": "no"})
    assert "claimant&#x27;s address" in text(denied)
    assert "/rules/#nsw-promo-2025:17.9" in text(denied)


def test_the_stage_needs_its_address_and_tells_no_names(signed_in: SignedIn) -> None:
    supervisor = signed_in("supervisor")
    sealed(prizes=[CAR, prize()])
    page = text(supervisor.get("/promo/SPRING/room/"))
    found = re.search(r'href="(/promotions/stage/SPRING/[^"]+)"', page)
    assert found is not None
    audience = Client()  # nobody is signed in at the screen
    shown = audience.get(found[1])
    assert shown.status_code == 200
    assert "Person" not in text(shown)
    assert "PRACTICE" not in text(shown)
    assert audience.get(f"{found[1]}live/").status_code == 200
    assert audience.get("/promotions/stage/SPRING/forged/").status_code == 404
    assert audience.get(found[1].replace("SPRING", "AUTUMN")).status_code == 404
    assert "stage/SPRING" not in text(signed_in("inspector").get("/promo/SPRING/room/"))


def test_a_practice_leaves_nothing_behind(signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch) -> None:
    supervisor = signed_in("supervisor")
    sealed(prizes=[prize(quantity=3)])
    where = supervisor.post("/promo/SPRING/room/practise/").headers["Location"]
    monkeypatch.setattr(stage, "STEP_SECONDS", 0.000001)
    page = text(Client().get(where))
    assert page.count("PRACTICE") >= 3
    assert "3 of 3 prizes" in page
    assert text(Client().get(where)) == page  # the seed in the address gives the same numbers
    assert Draw.objects.get().drawn_at is None
    assert not Win.objects.exists()
    assert Promotion.objects.get().status == "sealed"


def test_an_inspector_reads_and_does_nothing(signed_in: SignedIn) -> None:
    inspector = signed_in("inspector")
    drawn()
    win = Win.objects.get()
    for path in ("/promo/", "/promo/SPRING/", "/promo/SPRING/room/", f"/promo/winners/{win.pk}/", "/promo/claims/"):
        page = text(inspector.get(path)).split('<main id="main"')[1]
        assert "<button" not in page.split('class="toasts"')[0].replace('<button type="submit"', ""), path
