"""Every page for every role: seen by those who hold the right, refused in words to everybody else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import URLPattern
from django.utils import timezone

from console.navigation import ENTRIES
from console.urls import urlpatterns
from house.actors import Actor
from house.approvals import approve, propose
from house.devices import register_device
from house.incidents import report_incident
from house.models import Device, Incident, Staff
from house.players.cards import register_player
from jackpot.demo import build_demo as build_links
from jackpot.finish_round import finish_round
from jackpot.hits import verify_hit
from jackpot.models import Hit
from jackpot.reports import REPORTS as JACKPOT_REPORTS
from jackpot.rules.payouts import Dealt
from jackpot.start_round import Offer, start_round
from keno.demo import build_demo as build_keno
from keno.entries import TicketRequest
from keno.models import Game
from keno.sell import sell_ticket
from keno.shifts import open_shift
from keno.tender import EXACT_CASH
from ledger.models import Act
from ledger.money import Money
from promotions.claims import deny_claim, make_claim
from promotions.draft import draft_promotion
from promotions.imports import begin_import
from promotions.models import Submission, Win
from tests.console.people import ROLES, actor
from tests.promotions.draws_world import drawn
from tests.promotions.promos import running

# Page → the roles that may open it; everybody else gets 403. Written from the brief, not from the code.
ALL = set(ROLES)
OFFICE = {"supervisor", "manager", "inspector", "administrator", "auditor"}
KENO = {"writer", "supervisor", "manager", "inspector", "auditor"}
FLOOR = {"supervisor", "manager"}
PROMO = FLOOR | {"inspector", "auditor"}
STEPS = ("close", "draw", "count", "balls", "fall-back", "stoppage", "void")
PAGES = {
    "/": ALL,
    "/rules/": ALL,
    "/roles/": ALL,
    "/venue/": ALL,
    "/search/?q=keno": ALL,
    "/password/": ALL,
    "/waiting/": ALL,
    "/status/": ALL,
    "/live/": ALL,
    "/stay/": ALL,
    "/terminal/keno": {"writer"},
    "/terminal/keno/now/": {"writer"},
    "/terminal/table": {"dealer", "supervisor"},
    "/terminal/table?table=CSP-01": {"dealer", "supervisor"},
    "/terminal/table/CSP-01/now/": {"dealer", "supervisor"},
    "/keno/": KENO,
    "/keno/live/": KENO,
    "/keno/games/": KENO,
    "/keno/games/?format=csv": KENO,
    "/keno/games/1/": KENO,
    "/keno/tickets/": KENO,
    "/keno/tickets/?format=csv": KENO,
    "/keno/tickets/SERIAL/": KENO,
    "/keno/scanned/?code=keno:SERIAL:X:1-1": KENO,
    "/keno/shifts/": KENO,
    "/keno/shifts/?format=csv": KENO,
    "/keno/shifts/77/": KENO,
    "/keno/claims/": KENO,
    "/keno/claims/?format=csv": KENO,
    "/keno/claims/new/": {"writer", "supervisor", "manager"},
    "/keno/threshold-reports/": KENO - {"writer"},
    "/keno/unclaimed/": KENO,
    "/keno/unclaimed/?format=csv": KENO,
    "/keno/schedules/": KENO,
    "/keno/schedules/special-3/": KENO,
    "/keno/what-if/": KENO,
    "/keno/catalogue/set-bet/": KENO,
    "/keno/catalogue/bonus/": KENO,
    "/keno/catalogue/tournament/": KENO,
    "/keno/catalogue/amount/": KENO,
    "/keno/catalogue/set-bet/propose/": {"supervisor", "manager", "administrator"},
    "/keno/catalogue/set-bet/KINGS/propose/": {"supervisor", "manager", "administrator"},
    "/keno/reports/": KENO - {"writer"},
    "/keno/reports/liability/": KENO - {"writer"},
    "/keno/reports/days/?format=csv": KENO - {"writer"},
    "/keno/reports/days/?format=pdf": KENO - {"writer"},
    "/approvals/": OFFICE,
    "/approvals/history/": OFFICE,
    "/approvals/?format=csv": OFFICE,
    "/approvals/propose/opening-hours/": {"supervisor", "manager", "administrator"},
    "/approvals/propose/player-protection/": {"supervisor", "manager", "administrator"},
    "/approvals/propose/look/": {"supervisor", "manager", "administrator"},
    "/roles/writer/propose/": {"administrator"},
    "/incidents/": OFFICE,
    "/incidents/?format=csv": OFFICE,
    "/incidents/1/": OFFICE,
    "/incidents/report/": ALL - {"auditor"},
    "/tables/settle/": {"supervisor", "manager"},
    "/tables/errors/": OFFICE,
    "/devices/": OFFICE,
    "/devices/?format=csv": OFFICE,
    "/devices/W-0001/": OFFICE,
    "/devices/register/": {"manager", "administrator"},
    "/jackpots/": ALL,
    "/jackpots/meters/": ALL,
    "/jackpots/CSP/": ALL,
    "/jackpots/CSP/meter/": ALL,
    "/jackpots/rounds/": ALL,
    "/jackpots/rounds/?format=csv": ALL,
    "/jackpots/hits/": ALL,
    "/jackpots/reports/": OFFICE,
    **{f"/jackpots/reports/{name}/": OFFICE for name in JACKPOT_REPORTS},
    "/jackpots/reports/expected/?format=pdf": OFFICE,
    "/jackpots/reports/hours/?format=csv": OFFICE,
    "/jackpots/hits/?format=csv": ALL,
    "/jackpots/hits/1/": ALL,
    "/jackpots/hits/1/slip/": ALL,
    "/jackpots/CSP/propose/terms/": FLOOR | {"administrator"},
    "/jackpots/CSP/propose/adjustment/": FLOOR | {"administrator"},
    "/jackpots/CSP/propose/retirement/": FLOOR | {"administrator"},
    "/promo/": PROMO,
    "/promo/?format=csv": PROMO,
    "/promo/new/": FLOOR,
    "/promo/enter/": {"writer", "dealer", "supervisor", "manager"},
    "/promo/submissions/1/paper/": PROMO,
    "/promo/imports/1/": PROMO,
    "/promo/imports/1/live/": PROMO,
    "/promo/winners/": PROMO,
    "/promo/winners/?format=csv": PROMO,
    "/promo/winners/1/": PROMO,
    "/promo/claims/": PROMO,
    "/promo/claims/?format=csv": PROMO,
    "/promo/claims/1/": PROMO,
    "/promo/claims/1/letter/": {"manager", "inspector"},
    "/promo/reports/": PROMO,
    **{f"/promo/reports/{name}/": PROMO for name in ("register", "submissions", "winners", "overdue-notifications")},
    "/promo/reports/denied-claims/": {"manager", "inspector"},
    "/promo/reports/register/?format=csv": PROMO,
    "/promo/reports/register/?format=pdf": PROMO,
    "/promo/tournaments/": PROMO | {"writer"},
    "/promo/tournaments/propose/": {"supervisor", "manager", "administrator"},
    "/promo/tournaments/POKER/": PROMO | {"writer"},
    "/promo/SPRING/": PROMO,
    "/promo/SPRING/versions/": PROMO,
    "/promo/DRAFT/terms/": FLOOR,
    "/promo/RUNNING/amend/": {"manager"},
    "/promo/SPRING/entries/": PROMO,
    "/promo/SPRING/entries/?format=csv": PROMO,
    "/promo/RUNNING/import/": FLOOR,
    "/promo/SPRING/claim/": FLOOR,
    "/promo/SPRING/room/": PROMO,
    "/promo/SPRING/room/live/": PROMO,
    "/players/": FLOOR | {"inspector", "auditor"},
    "/players/?format=csv": FLOOR | {"inspector", "auditor"},
    "/players/P-1/": FLOOR | {"inspector", "auditor"},
    "/players/register/": FLOOR,
    "/staff/": OFFICE - {"supervisor"},
    "/staff/?format=csv": OFFICE - {"supervisor"},
    "/staff/writer/": OFFICE - {"supervisor"},
    "/staff/hire/": {"administrator"},
    "/staff/writer/roles/": {"administrator"},
    "/audit/": OFFICE - {"supervisor"},
    "/audit/?format=csv": OFFICE - {"supervisor"},
    "/audit/seals/": OFFICE - {"supervisor"},
    "/audit/transfers/": OFFICE - {"supervisor"},
    "/audit/transfers/?format=csv": OFFICE - {"supervisor"},
    "/audit/exports/": OFFICE - {"supervisor"},
    "/audit/exports/live/": OFFICE - {"supervisor"},
}
# What is done, never looked at → the roles that may do it.
ACTS = {
    **{
        f"/keno/games/1/{step}/": FLOOR for step in ("close", "draw", "count", "balls", "fall-back", "stoppage", "void")
    },
    "/keno/games/1/invalidate/": FLOOR,
    "/keno/device/": FLOOR,
    "/keno/tickets/SERIAL/cancel/": {"writer", "supervisor"},
    "/keno/tickets/SERIAL/pay/": {"writer"},
    "/keno/tickets/SERIAL/authorise/": FLOOR,
    "/keno/tickets/SERIAL/reprint/": FLOOR,
    "/keno/tickets/SERIAL/void/": {"manager"},
    "/keno/shifts/77/close/": {"writer", "manager"},
    "/keno/shifts/77/cash/drop/": FLOOR,
    "/keno/claims/1/pay/": FLOOR,
    "/keno/threshold-reports/1/reported/": {"manager"},
    "/keno/catalogue/set-bet/KINGS/withdraw/": {"supervisor", "manager", "administrator"},
    "/keno/tournaments/X/finish/": FLOOR,
    "/approvals/1/approve/": OFFICE,  # who may decide depends on the kind: see test_approvals
    "/incidents/1/close/": {"supervisor", "manager"},
    "/incidents/notices/1/": {"supervisor", "manager"},
    "/venue/close-early/": {"manager"},
    "/devices/W-0001/provision/": {"manager", "administrator"},
    "/devices/W-0001/roll/": {"manager", "administrator"},
    "/devices/W-0001/revoke/": {"manager", "administrator"},
    "/jackpots/hits/1/verify/": FLOOR,
    "/jackpots/hits/1/pay/": {"manager"},
    "/jackpots/hits/1/deny/": FLOOR,
    "/jackpots/CSP/tables/CSP-01/suspend/": FLOOR,
    "/promo/checklist/": FLOOR,
    "/promo/prizes/": FLOOR,
    "/promo/imports/1/cancel/": FLOOR,
    "/promo/winners/1/notify/": FLOOR,
    "/promo/winners/1/claim/": FLOOR,
    "/promo/winners/1/decline/": FLOOR,
    "/promo/winners/1/call/": FLOOR,
    "/promo/claims/1/accept/": {"manager"},
    "/promo/claims/1/deny/": {"manager"},
    "/promo/claims/1/told/": FLOOR,
    "/promo/claims/1/pay/": FLOOR,
    "/promo/tournaments/entries/1/pay/": FLOOR,
    "/promo/tournaments/POKER/enter/": FLOOR | {"writer"},
    "/promo/tournaments/POKER/finish/": FLOOR,
    **{f"/promo/SPRING/{step}/": {"manager"} for step in ("submit", "start", "close", "seal", "give-up", "export")},
    "/promo/SPRING/redraft/": FLOOR,
    "/promo/SPRING/entries/1/withdraw/": {"manager"},
    "/promo/SPRING/room/draw/": FLOOR,
    "/promo/SPRING/room/nominate/": FLOOR,
    "/promo/SPRING/room/practise/": FLOOR,
    "/promo/SPRING/room/scrutineer/attend/": PROMO,
    "/promo/SPRING/room/on-the-spot/sign/": FLOOR,
    "/promo/SPRING/room/integrity/postpone/": {"manager"},
    "/players/P-1/cards/": FLOOR,
    "/players/P-1/cards/C-1/cancel/": FLOOR,
    "/players/P-1/limits/": FLOOR | {"writer"},
    "/players/P-1/restrictions/": FLOOR,
    "/players/P-1/restrictions/1/lift/": FLOOR,
    "/staff/writer/unlock/": {"administrator"},
    "/staff/writer/reset-second-step/": {"administrator"},
    "/staff/writer/reset-password/": {"administrator"},
    "/staff/writer/deactivate/": {"administrator"},
    "/audit/exports/begin/": OFFICE - {"supervisor"},
    "/audit/exports/1/verify/": OFFICE - {"supervisor"},
    "/audit/exports/1/cancel/": OFFICE - {"supervisor"},
}
POLLED = {"/waiting/", "/status/", "/live/", "/stay/", "/terminal/keno/now/", "/keno/live/"}
POLLED |= {"/audit/exports/live/", "/terminal/table/CSP-01/now/", "/jackpots/meters/", "/jackpots/CSP/meter/"}
POLLED |= {"/promo/imports/1/live/", "/promo/SPRING/room/live/"}
# The audience's screen: whoever has the address the desk has signed.
STAGE = {"/promotions/stage/SPRING/TOKEN/", "/promotions/stage/SPRING/TOKEN/live/"}
DOOR = {"/sign-in/", "/sign-in/second-step/", "/sign-in/enrol/", "/sign-out/"}


def verified_hit() -> Hit:
    """A royal flush at CSP-01, seen by a supervisor."""
    table = Actor(identity="device:T-1", name="T-1", permissions=frozenset({"jackpot.play"}))
    started = start_round(table="CSP-01", wagers=[Offer(box=2)], by=table)
    royal = Dealt(box=2, cards=["AS", "KS", "QS", "JS", "TS"])
    (hit,) = finish_round(round_id=started.pk, hands=[royal], by=table)
    return verify_hit(hit_id=hit.pk, cards=royal.cards, surveillance="CAM-12 21:04", by=actor("supervisor"))


def promoted() -> dict[str, str]:
    """A drawn promotion with a denied claim, one that runs with a file, a draft, and a tournament."""
    draft_promotion(code="DRAFT", edition_code="2025", title="Not yet", by=actor("manager"))
    running("RUNNING")
    made = begin_import(code="RUNNING", name="x.csv", lines=["reference,card\n", "R-1,C-R\n"], by=actor("manager"))
    drawn()
    win = Win.objects.get()
    claim = make_claim(win_id=win.pk, name="Ben Ng", address="2 Hill Road", by=actor("supervisor"))
    deny_claim(claim_id=claim.pk, reasons="An employee.", forfeit=False, by=actor("manager"))
    closes = (timezone.now() + timedelta(days=2)).isoformat()
    new = {"name": "Poker night", "game": "Lunar Poker", "entry_fee": "50.00", "retained": 1000, "prizes": [10000],
           "play": "Chips.", "closes_at": closes}  # fmt: skip
    proposal = propose(
        kind="promotions.tournament", subject="tournament:POKER", new=new, why="Winter.", by=actor("supervisor")
    )
    approve(proposal_id=proposal.pk, by=actor("manager"))
    paper = Submission.objects.filter(promotion__code="SPRING").latest("id")
    return {
        "/imports/1/": f"/imports/{made.pk}/",
        "/winners/1/": f"/winners/{win.pk}/",
        "/claims/1/": f"/claims/{claim.pk}/",
        "/submissions/1/": f"/submissions/{paper.pk}/",
    }


@pytest.fixture
def stocked(venue: None) -> dict[str, str]:
    """Something behind every number in the addresses above; the answer says what it is called here."""
    device = register_device(name="Keno counter", kind="writer-terminal", by=actor("manager"))
    incident = report_incident(kind="equipment-malfunction", what="Reader stuck.", by=actor("supervisor"))
    notice = incident.notices.get()
    build_links()
    player = register_player(name="Pat Morgan", card="C-1", by=actor("supervisor"))
    build_keno()
    shift = open_shift(by=actor("writer"), opening_float=Money.dollars(500))
    request = TicketRequest(numbers=[1, 2, 3], stake=Money.dollars(1))
    ticket = sell_ticket(request=request, tender=EXACT_CASH, by=actor("writer")).ticket
    return promoted() | {
        "SERIAL": ticket.serial,
        "P-1": player.number,
        "/hits/1/": f"/hits/{verified_hit().pk}/",
        "/shifts/77/": f"/shifts/{shift.pk}/",
        "W-0001": device.code,
        "/incidents/1/": f"/incidents/{incident.pk}/",
        "notices/1/": f"notices/{notice.pk}/",
    }


def _address(path: str, stocked: dict[str, str]) -> str:
    for name, real in stocked.items():
        path = path.replace(name, real)
    return path


@pytest.mark.parametrize("role", ROLES)
def test_pages_by_role(role: str, stocked: dict[str, str], signed_in: Callable[[str], Client]) -> None:
    client = signed_in(role)
    seen = {path: client.get(_address(path, stocked)).status_code for path in PAGES}
    assert seen == {path: 200 if role in roles else 403 for path, roles in PAGES.items()}


@pytest.mark.parametrize("role", ROLES)
def test_acts_by_role(role: str, stocked: dict[str, str], signed_in: Callable[[str], Client]) -> None:
    """Without the right nothing can be called; and nothing that acts can be fetched by following a link."""
    client = signed_in(role)
    for path, roles in ACTS.items():
        if role not in roles:
            assert client.post(_address(path, stocked), {"comment": "because"}).status_code == 403, path
        else:
            assert client.get(_address(path, stocked)).status_code == 404, path


@pytest.mark.parametrize("role", ROLES)
def test_navigation_offers_only_what_opens(role: str, signed_in: Callable[[str], Client]) -> None:
    client = signed_in(role)
    page = client.get("/")
    offered = {entry.url for group in page.context["navigation"] for entry in group.entries}
    named = {
        "/",
        "/terminal/keno",
        "/terminal/table",
        "/jackpots/",
        "/jackpots/hits/",
        "/jackpots/reports/",
        *(f"/keno/{name}" for name in ("", "games/", "tickets/", "shifts/", "claims/", "schedules/", "reports/")),
        *(f"/promo/{name}" for name in ("", "enter/", "winners/", "claims/", "tournaments/", "reports/")),
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


# Where something is begun: the inspector has no business there. Everything else is open to him.
_DOING = (
    *("/terminal/", "/propose/", "/devices/register/", "/players/register/", "/hire/", "/claims/new/"),
    *("/staff/writer/roles/", "/tables/settle/", "/promo/new/", "/promo/enter/", "/promo/DRAFT/terms/"),
    *("/amend/", "/import/", "/SPRING/claim/"),
)


def test_an_inspector_sees_everything_and_changes_nothing(
    stocked: dict[str, str], signed_in: Callable[[str], Client]
) -> None:
    assert {path for path, roles in PAGES.items() if "inspector" not in roles} == {
        path for path in PAGES if any(part in path for part in _DOING)
    }
    client = signed_in("inspector")
    before = _everything()
    for path in (*PAGES, *ACTS):
        if path != "/audit/exports/begin/":  # makes a file of what there is
            answer = client.post(_address(path, stocked), {"comment": "because", "typed": "x", "why": "because"})
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
