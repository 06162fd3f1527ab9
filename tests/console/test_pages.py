"""Every page for every role: seen by those who hold the right, refused in words to everybody else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import URLPattern

from console.navigation import ENTRIES
from console.urls import urlpatterns
from house.models import Device, Incident, Staff
from jackpot.models import Hit
from keno.models import Game
from ledger.models import Act
from tests.console.addresses import ACTS, DOING, DOOR, KENO, PAGES, POLLED, STAGE, address
from tests.console.people import ROLES


@pytest.mark.parametrize("role", ROLES)
def test_pages_by_role(role: str, stocked: dict[str, str], signed_in: Callable[[str], Client]) -> None:
    client = signed_in(role)
    seen = {path: client.get(address(path, stocked)).status_code for path in PAGES}
    assert seen == {path: 200 if role in roles else 403 for path, roles in PAGES.items()}


@pytest.mark.parametrize("role", ROLES)
def test_acts_by_role(role: str, stocked: dict[str, str], signed_in: Callable[[str], Client]) -> None:
    """Without the right nothing can be called; and nothing that acts can be fetched by following a link."""
    client = signed_in(role)
    for path, roles in ACTS.items():
        if role not in roles:
            assert client.post(address(path, stocked), {"comment": "because"}).status_code == 403, path
        else:
            assert client.get(address(path, stocked)).status_code == 404, path


@pytest.mark.parametrize("role", ROLES)
def test_navigation_offers_only_what_opens(role: str, signed_in: Callable[[str], Client]) -> None:
    client = signed_in(role)
    page = client.get("/")
    offered = {entry.url for group in page.context["navigation"] for entry in group.entries}
    named = {
        "/",
        "/terminal/keno",
        "/terminal/table",
        "/keno/orders/",
        "/keno/tournaments/",
        "/jackpots/",
        "/jackpots/hits/",
        "/jackpots/reports/",
        *(f"/keno/{name}" for name in ("", "games/", "tickets/", "shifts/", "claims/", "schedules/", "reports/")),
        *(f"/promo/{name}" for name in ("", "enter/", "winners/", "claims/", "tournaments/", "reports/")),
        "/promo/excluded/",
        "/promo/personal/",
        "/approvals/",
        "/incidents/",
        "/venue/",
        "/players/",
        "/tables/settle/",
        "/tables/errors/",
        "/devices/",
        "/staff/",
        "/roles/",
        "/audit/",
        "/rules/",
    }
    # The catalogue opens at its first list.
    assert offered - {"/keno/catalogue/"} == {path for path in named if role in PAGES[path]}
    assert ("/keno/catalogue/" in offered) == (role in KENO)


def test_every_entry_has_a_key_of_its_own() -> None:
    keys = [entry.key for _, entries in ENTRIES for entry in entries]
    assert len(set(keys)) == len(keys)
    assert not {"j", "k", "g"} & set(keys)  # they walk the rows of a list, and begin a jump


def test_a_refused_page_says_so_in_words(signed_in: Callable[[str], Client]) -> None:
    page = signed_in("writer").get("/staff/")
    assert page.status_code == 403
    assert "You have no right to do this" in page.content.decode()
    assert "staff.view" in page.content.decode()


def test_nobody_without_a_session(venue: None) -> None:
    client = Client()
    for path in (*PAGES, *ACTS):
        answer = client.get(path)
        if path in POLLED:
            assert answer.status_code == 401, path
        else:
            assert answer.status_code == 302, path
            assert answer.headers["Location"].startswith("/sign-in/"), path


def test_every_address_is_in_the_tables() -> None:
    """A page that is added must say here who may see it."""
    covered = [path.split("?")[0] for path in (*PAGES, *ACTS, *DOOR, *STAGE)]
    missing = [
        str(pattern.pattern)
        for pattern in urlpatterns
        if isinstance(pattern, URLPattern) and not any(pattern.resolve(path[1:]) for path in covered)
    ]
    # Its number exists only after a proposal, and its rights are shown in test_approvals; the other only leads on. What
    # is sealed, and a file, are there only after a commit: test_audit_pages.
    assert missing == [
        "approvals/<int:number>/",
        "keno/catalogue/",
        "audit/rows/<int:row>/",
        "audit/exports/<int:number>/file/",
    ]


def test_an_inspector_sees_everything_and_changes_nothing(
    stocked: dict[str, str], signed_in: Callable[[str], Client]
) -> None:
    assert {path for path, roles in PAGES.items() if "inspector" not in roles} == {
        path for path in PAGES if any(part in path for part in DOING)
    }
    client = signed_in("inspector")
    before = _everything()
    for path in (*PAGES, *ACTS):
        if path != "/audit/exports/begin/":  # makes a file of what there is
            answer = client.post(address(path, stocked), {"comment": "because", "typed": "x", "why": "because"})
            assert answer.status_code in (200, 302, 403, 404, 405, 422), path
    assert _everything() == before


def _everything() -> dict[str, Any]:
    """How many rows each table has, and what the rows say that may change."""
    counted: dict[str, Any] = {
        model._meta.label: model._default_manager.count()
        for model in apps.get_models()
        if model._meta.app_label in {"house", "ledger", "jackpot", "keno", "promotions", "tablegames"}
    }
    # A look at names and addresses is on record too; that is no change.
    counted["ledger.Act"] = Act.objects.exclude(kind="promotion.denied-claims-report").count()
    stand = [list(model._default_manager.order_by("pk").values()) for model in (Game, Hit, Incident, Device, Staff)]
    return counted | {"stand": stand}


@pytest.mark.parametrize(
    "path",
    [
        "/promo/NONE/",
        "/promo/winners/999/",
        "/promo/claims/999/",
        "/devices/W-9999/",
        "/players/P-9999/",
        "/staff/nobody/",
        "/incidents/999/",
        "/approvals/999/",
    ],
)
def test_what_does_not_exist(path: str, signed_in: Callable[[str], Client]) -> None:
    page = signed_in("manager").get(path)
    assert page.status_code == 404
    assert "There is no such page" in page.content.decode()


@pytest.mark.parametrize("path", ["/", "/sign-in/", "/staff/", "/rules/"])
def test_headers(path: str, signed_in: Callable[[str], Client]) -> None:
    answer = (Client() if path == "/sign-in/" else signed_in("manager")).get(path)
    policy = answer.headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["Cache-Control"] == "no-store, private"
    body = answer.content.decode()
    assert " onclick=" not in body
    assert " style=" not in body
    assert all("src=" in tag.split(">")[0] for tag in body.split("<script")[1:])


LISTS = (
    "/tables/reports/",
    "/keno/orders/",
    "/keno/tournaments/",
    "/jackpots/hits/",
    "/jackpots/rounds/",
    "/players/",
    *(
        f"/keno/{name}/"
        for name in ("games", "tickets", "shifts", "claims", "unclaimed", "threshold-reports", "reports")
    ),
    *(f"/promo/{name}" for name in ("", "winners/", "claims/", "tournaments/", "reports/")),
    *("/staff/", "/devices/", "/incidents/", "/approvals/", "/approvals/history/", "/audit/", "/audit/seals/"),
    "/audit/transfers/",
)
QUESTIONS = (
    "cursor=abc",
    "cursor=cD0x",
    "cursor=bz1h",
    "order=password",
    "order=-x",
    "day=yesterday",
    "q=%00",
    "kind=%00",
    "serial=%00",
    "number=x",
    "state=x",
    "first=x",
    "first=2020-01-01",
)


def test_a_list_takes_any_question(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("manager")
    for path in (*LISTS, "/rules/", "/search/"):
        answers = {query: client.get(f"{path}?{query}").status_code for query in QUESTIONS}
        assert answers == dict.fromkeys(QUESTIONS, 200), path
