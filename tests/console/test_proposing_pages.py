"""The house's own changes from its pages: proposed by one person, in effect when another has approved."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from house.models import Grant, Proposal, Venue
from signage import look

pytestmark = pytest.mark.django_db
PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'


def approved(client: Client) -> str:
    (proposal,) = Proposal.objects.all()
    page = client.get(f"/approvals/{proposal.pk}/").content.decode()
    client.post(f"/approvals/{proposal.pk}/approve/", {"comment": "Yes."})
    return page


def test_what_a_role_may_do(signed_in: Callable[[str], Client]) -> None:
    administrator = signed_in("administrator")
    assert "/roles/writer/propose/" in administrator.get("/roles/").content.decode()
    assert "/roles/writer/propose/" not in signed_in("manager").get("/roles/").content.decode()
    had = sorted(Grant.objects.filter(role_id="writer").values_list("permission_id", flat=True))
    page = administrator.get("/roles/writer/propose/")
    assert sorted(page.context["form"]["rights"].value()) == had
    wanted = [*had, "devices.view"]
    administrator.post("/roles/writer/propose/", {"rights": wanted, "why": "They look after their own terminal."})
    assert sorted(Grant.objects.filter(role_id="writer").values_list("permission_id", flat=True)) == had
    assert "See devices" in approved(signed_in("manager"))
    assert sorted(Grant.objects.filter(role_id="writer").values_list("permission_id", flat=True)) == sorted(wanted)
    assert administrator.get("/roles/nobody/propose/").status_code == 404


def test_administrators_keep_what_puts_things_right(signed_in: Callable[[str], Client]) -> None:
    answer = signed_in("administrator").post("/roles/administrator/propose/", {"rights": [], "why": "Because."})
    assert answer.status_code == 422
    assert "Administrators keep" in answer.content.decode()
    assert not Proposal.objects.exists()


def test_player_protection(signed_in: Callable[[str], Client]) -> None:
    manager = signed_in("manager")
    short: dict[str, Any] = {"cards_required": "yes", "cooling_off_hours": 12, "why": "nsw-csp"}
    answer = manager.post("/approvals/propose/player-protection/", short)
    assert (answer.status_code, Proposal.objects.count()) == (422, 0)
    assert "cools off for a day at least" in answer.content.decode()
    manager.post("/approvals/propose/player-protection/", short | {"cooling_off_hours": 72})
    assert Venue.objects.get().limit_cooling_off_hours == 168
    approved(signed_in("administrator"))
    here = Venue.objects.get()
    assert (here.player_cards_required, here.limit_cooling_off_hours) == (True, 72)
    assert "after 72 hours" in manager.get("/venue/").content.decode()


def test_the_look_of_the_boards(signed_in: Callable[[str], Client]) -> None:
    manager = signed_in("manager")
    given: dict[str, Any] = {"name": "The Harbour", "accent": "#e9b949", "ground": "#101820", "why": "New brand."}
    pale = manager.post("/approvals/propose/look/", given | {"ground": "#ffffff"})
    assert pale.status_code == 422
    assert "to be read (WCAG AA)" in pale.content.decode()
    strange = manager.post("/approvals/propose/look/", given | {"logo": SimpleUploadedFile("a.svg", b"GIF89a")})
    assert "A logo is an SVG or PNG picture" in strange.content.decode()
    assert not Proposal.objects.exists()
    manager.post("/approvals/propose/look/", given | {"logo": SimpleUploadedFile("logo.svg", PICTURE)})
    assert look.in_force() == look.NONE
    page = approved(signed_in("administrator"))
    assert "a picture of 1 kB" in page
    logo = f"data:image/svg+xml;base64,{base64.b64encode(PICTURE).decode()}"
    assert look.in_force() == {"name": "The Harbour", "accent": "#e9b949", "ground": "#101820", "logo": logo}
    shown = manager.get("/venue/").content.decode()
    assert "The Harbour" in shown
    assert "/signage/logo?v=" in shown
