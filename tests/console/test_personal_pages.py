"""Excluded cards and forgetting people, page by page: who sees them, who may, and what is left."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client

from house.approvals import approve
from ledger.models import Act
from promotions.claims import deny_claim, make_claim
from promotions.enter import enter
from promotions.exclude import confirm_exclusion, exclude_card, readmit_card
from promotions.models import Claim, Entrant, Entry, ExcludedCard, Person, Promotion, Win
from promotions.void import FOR_GOOD, propose_void
from tests.console.pages import text
from tests.world.approvals import INSPECTOR
from tests.world.demo import demo_actor
from tests.world.people import someone
from tests.world.players import on_record
from tests.world.promotion_draws import drawn, failed, fingerprint, promised, published
from tests.world.promotions import root_again, running

SignedIn = Callable[[str], Client]
pytestmark = pytest.mark.usefixtures("venue")


def test_a_card_is_excluded_and_readmitted(signed_in: SignedIn) -> None:
    manager, inspector, supervisor = (signed_in(role) for role in ("manager", "inspector", "supervisor"))
    running()
    assert "No card is excluded" in text(manager.get("/promo/excluded/"))
    given = {"card": "c-7", "why": "household", "note": "Level 2"}
    before = fingerprint()
    for client in (supervisor, inspector):
        assert client.get("/promo/excluded/new/").status_code == 403
        assert client.post("/promo/excluded/new/", given).status_code == 403
    assert fingerprint() == before
    manager.post("/promo/excluded/new/", given)
    made = ExcludedCard.objects.get()
    assert (made.card, made.why, made.note, made.added_by) == ("C-7", "household", "Level 2", "staff:manager")
    page = text(manager.get("/promo/excluded/"))
    assert "C-7" in page
    assert "Of an employee&#x27;s household" in page
    assert "Readmit C-7" in page
    assert "Readmit C-7" not in text(inspector.get("/promo/excluded/"))
    # It enters nothing at the counter, and the refusal says why.
    refused = signed_in("writer").post("/promo/enter/", {"code": "SPRING", "card": "C-7"})
    assert refused.status_code == 422
    assert not Entry.objects.exists()
    # Twice is once; bad input is told beside its field.
    before = fingerprint()
    again = manager.post("/promo/excluded/new/", given)
    assert again.status_code == 409
    assert "Card C-7 is excluded already." in text(again)
    odd = manager.post("/promo/excluded/new/", given | {"card": "no.card"})
    assert odd.status_code == 422
    assert "up to 32 letters, digits and dashes" in text(odd)
    assert manager.post("/promo/excluded/new/", given | {"card": "C-8", "why": "mood"}).status_code == 422
    assert inspector.post(f"/promo/excluded/{made.pk}/readmit/").status_code == 403
    assert manager.post("/promo/excluded/0/readmit/").status_code == 404
    assert fingerprint() == before
    assert inspector.post(f"/promo/excluded/{made.pk}/confirm/").status_code == 403
    for step in ("confirm", "readmit"):
        manager.post(f"/promo/excluded/{made.pk}/{step}/")
    made.refresh_from_db()
    assert made.confirmed_by is None  # nor does one person leave out what was entered before
    assert "Not confirmed by a second person" in " ".join(text(manager.get("/promo/excluded/")).split())
    confirm_exclusion(card="C-7", by=someone("manager", "ben"))
    assert "Confirm C-7" not in text(manager.get("/promo/excluded/"))
    assert made.removed_by is None  # who excluded it does not let it enter again
    readmit_card(card="C-7", by=someone("manager", "ben"))
    assert "Another person has said so" in " ".join(text(manager.get("/promo/excluded/")).split())
    readmit_card(card="C-7", by=someone("manager", "cy"))
    readmitted = ExcludedCard.objects.get()
    assert (readmitted.readmission_said_by, readmitted.removed_by) == ("staff:ben", "staff:cy")
    assert "Readmitted" in text(manager.get("/promo/excluded/"))
    assert manager.post(f"/promo/excluded/{made.pk}/readmit/").status_code == 404  # not twice
    enter(code="SPRING", card="C-7", by=demo_actor("manager"))


def test_the_excluded_are_narrowed_sorted_and_taken_away(signed_in: SignedIn) -> None:
    manager = signed_in("manager")
    on_record()
    for card, why in (("C-2", "employee"), ("C-1", "other"), ("C-3", "employee")):
        exclude_card(card=card, why=why, note="=1+1" if card == "C-3" else "", by=someone("manager", "ben"))
    gone = ExcludedCard.objects.get(card="C-2")
    readmit_card(card="C-2", by=someone("manager", "cy"))
    manager.post(f"/promo/excluded/{gone.pk}/readmit/")

    def cards(query: str) -> list[str]:
        return [row.card for row in manager.get(f"/promo/excluded/?{query}").context["listing"].rows]

    assert cards("") == ["C-3", "C-1", "C-2"]
    assert cards("order=card") == ["C-1", "C-2", "C-3"]
    assert cards("order=-card") == ["C-3", "C-2", "C-1"]
    assert cards("why=employee") == ["C-3", "C-2"]
    assert cards("state=readmitted") == ["C-2"]
    assert cards("state=excluded&why=employee") == ["C-3"]
    assert cards("q=c-1") == ["C-1"]
    lines = b"".join(manager.get("/promo/excluded/?format=csv&order=card")).decode().splitlines()
    assert (
        lines[0]
        == "Card,Why,Note,Excluded,By,Confirmed,Confirmed by,Readmission said by,Readmitted,Readmitted by,State"
    )
    assert [line.split(",")[0] for line in lines[1:]] == ["C-1", "C-2", "C-3"]
    assert lines[2].endswith(",staff:manager,readmitted")
    assert ",'=1+1," in lines[3]  # no formula


def over() -> None:
    """Drawn, a claim above $100 denied, then cancelled: its people are kept for a day from now."""
    drawn(retention_days=1)
    win = Win.objects.get()
    claim = make_claim(win_id=win.pk, name="Ben Ng", address="2 Hill Road", by=demo_actor("supervisor"))
    deny_claim(claim_id=claim.pk, reasons="An employee.", forfeit=False, by=demo_actor("manager"))
    given_up = propose_void(code="SPRING", then=FOR_GOOD, why="Given up.", by=demo_actor("manager"))
    approve(proposal_id=given_up.pk, by=someone("manager", "ben"))
    approve(proposal_id=given_up.pk, by=INSPECTOR)


def passes(span: timedelta) -> None:
    """Time goes by: the row is moved into the past, since the database's clock cannot be moved."""
    one = Promotion.objects.get(code="SPRING")
    assert one.cancelled_at is not None
    Promotion.objects.filter(code="SPRING").update(cancelled_at=one.cancelled_at - span)


@pytest.mark.clause("nsw-promo-2025:17.9")
def test_people_are_forgotten_when_the_terms_say_and_the_draw_is_still_proven(signed_in: SignedIn) -> None:
    manager, inspector, supervisor = (signed_in(role) for role in ("manager", "inspector", "supervisor"))
    over()
    root = root_again(Promotion.objects.get())
    page = text(manager.get("/promo/SPRING/personal/"))
    assert "Its terms keep it until" in page
    assert "8 people: card, email or telephone number" in page
    assert 'data-open="erase"' not in page
    # Not before its time, and by nobody else: nothing changes.
    before = fingerprint()
    here = {"referer": "http://testserver/promo/SPRING/personal/"}
    early = text(manager.post("/promo/SPRING/erase/", headers=here, follow=True))
    assert "is kept for now. Its terms keep it until" in early
    for client in (inspector, supervisor):
        assert client.post("/promo/SPRING/erase/").status_code == 403
    assert supervisor.get("/promo/SPRING/personal/").status_code == 403
    assert supervisor.get("/promo/personal/").status_code == 403
    assert "Personal data" not in text(supervisor.get("/promo/SPRING/"))
    assert fingerprint() == before
    # The sentence before it is done says what goes and what stays; the code is typed.
    passes(timedelta(days=2))
    page = text(manager.get("/promo/SPRING/personal/"))
    assert "Forget everybody who entered Spring draw." in page
    assert "deleted for good" in page
    assert 'data-typed="SPRING"' in page
    assert "1 above $100" in page
    assert 'data-open="erase"' not in text(inspector.get("/promo/SPRING/personal/"))
    done = text(manager.post("/promo/SPRING/erase/", follow=True))
    assert "8 people of SPRING forgotten." in done
    assert not Person.objects.exists()
    assert not Entrant.objects.exclude(identity=None).exists()
    assert not Entry.objects.exclude(salt=None).exists()
    assert Claim.objects.get().name == "Ben Ng"  # denied above $100: kept (17.9.1)
    assert root_again(Promotion.objects.get()) == root
    assert Act.objects.get(kind="promotion.personal-data-erased").actor == "staff:manager"
    # Once, and for good.
    before = fingerprint()
    assert "has been deleted already" in text(manager.post("/promo/SPRING/erase/", headers=here, follow=True))
    assert fingerprint() == before


def test_the_list_of_what_is_kept(signed_in: SignedIn) -> None:
    manager = signed_in("manager")
    assert "No promotion is over" in text(manager.get("/promo/personal/"))
    over()
    running("AUTUMN")  # not over: not on it
    rows = manager.get("/promo/personal/").context["listing"].rows
    assert [(row.code, row.known) for row in rows] == [("SPRING", 8)]
    assert manager.get("/promo/personal/?state=forgotten").context["listing"].rows == []
    passes(timedelta(days=2))
    assert "Due" in text(manager.get("/promo/personal/"))
    manager.post("/promo/SPRING/erase/")
    (row,) = manager.get("/promo/personal/?state=forgotten&order=code").context["listing"].rows
    assert (row.code, row.known) == ("SPRING", 0)
    lines = b"".join(manager.get("/promo/personal/?format=csv")).decode().splitlines()
    assert lines[0] == "Promotion,Code,Over,People,Kept until,Forgotten"
    assert lines[1].startswith("Spring draw,SPRING,")


def test_a_promotion_that_goes_on_keeps_its_people(signed_in: SignedIn) -> None:
    manager = signed_in("manager")
    drawn()
    assert "The promotion is not over." in text(manager.get("/promo/SPRING/personal/"))
    before = fingerprint()
    manager.post("/promo/SPRING/erase/")
    assert fingerprint() == before
    assert failed(published(), promised()) == []
    assert manager.get("/promo/NONE/personal/").status_code == 404
