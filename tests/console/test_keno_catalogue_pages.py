"""The catalogue's forms: each kind is proposed and changed by its own fields; nothing changes before it is decided."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.test import Client

from house.approvals import propose
from house.models import Proposal
from keno import approved
from keno.accounts import open_accounts
from keno.balls import count_balls, enter_balls
from keno.close import close_game
from keno.demo import build_demo
from keno.models import ApprovedVoucher
from keno.void import void_draw
from tests.world.approvals import decide, put_in_force
from tests.world.demo import demo_actor
from tests.world.keno_played import on_balls

pytestmark = pytest.mark.django_db
WHY = "The inspector has the papers."
SPECIAL_3 = {"tables": {"2": {"2": "12.50"}}, "band": ["0.70", "0.80"]}
PROPOSED: dict[str, tuple[str, dict[str, Any], object]] = {
    "bonus": (
        "LUCKY",
        {"name": "Luck", "first_game": 1, "last_game": 9, "spots": 4, "matched": 4, "prize": "10.00", "per": "dollar",
         "budget": "25.00", "fund": "house"},
        "25.00",
    ),
    "special-3": ("special-3", {"tables": "2: 2 = 12.50", "low": "0.70", "high": "0.80"}, SPECIAL_3),
    "jackpot-ratio": ("KENO-6", {"prize": 1400, "secondary": 600, "reimbursement": 500}, 1400),
    "voucher-type": ("DINE", {"name": "Dinner voucher"}, {"name": "Dinner voucher"}),
    "configuration": ("KENO", {"reference": "GR-7", "software": "Meterhouse 1", "remarks": ""}, "GR-7"),
    "ball-set": ("B", {"name": "Smartplay 14", "reference": "C-9"}, {"name": "Smartplay 14", "reference": "C-9"}),
}  # fmt: skip


@pytest.fixture
def supervisor(signed_in: Callable[[str], Client]) -> Client:
    open_accounts()
    return signed_in("supervisor")


@pytest.mark.parametrize("kind", PROPOSED)
def test_each_kind_is_proposed_and_changed_by_its_own_fields(kind: str, supervisor: Client) -> None:
    code, fields, said = PROPOSED[kind]
    before = approved.value(kind, code)
    answer = supervisor.post(f"/keno/catalogue/{kind}/propose/", {"code": code, **fields, "why": WHY})
    proposal = Proposal.objects.get()
    assert answer.headers["Location"] == f"/approvals/{proposal.pk}/"
    assert approved.value(kind, code) == before
    decide(proposal)
    now = approved.value(kind, code)
    assert said in (now, *(now.values() if isinstance(now, dict) else ()))
    # A change begins with what is in force, and cannot be another's.
    page = supervisor.get(f"/keno/catalogue/{kind}/{code}/propose/").context["form"]
    again = {name: page[name].value() for name in fields} | {"code": "OTHER", "why": WHY}
    answer = supervisor.post(f"/keno/catalogue/{kind}/{code}/propose/", again)
    assert answer.status_code == 422  # nothing changes
    assert Proposal.objects.count() == 1


@pytest.mark.clause("act-keno:2.1", "act-keno:12.4a")
def test_a_set_of_balls_has_its_history(supervisor: Client, signed_in: Callable[[str], Client]) -> None:
    """Every version and who approved it, every draw that it was counted for and what became of that."""
    by = demo_actor("supervisor")
    build_demo()
    number = on_balls(by=by)
    close_game(number=number, by=by)
    count = partial(count_balls, number=number, by=by)
    count(counted=79, ball_set="A")
    count(counted=80, ball_set="A")
    enter_balls(number=number, balls=[7, 8], by=by)
    void_draw(number=number, by=by, cause="ball-damaged", reason="Ball 7 is cracked.")
    page = supervisor.get("/keno/")
    assert page.context["ball_sets"] == ["B"]  # the affected set is replaced
    count(counted=80, ball_set="B")
    about: dict[str, Any] = {"kind": "keno.ball-set", "subject": "ball-set:A", "by": by}
    decide(propose(new={"name": "Set A, ball 7 new", "reference": "GCI/26/10"}, why="Mended.", **about))
    assert supervisor.get("/keno/").context["ball_sets"] == ["A", "B"]  # until the first ball they are counted again
    decide(propose(new=None, why="Worn.", **about))

    inspector = signed_in("inspector")
    assert "/keno/catalogue/ball-set/A/" in inspector.get("/keno/catalogue/ball-set/").content.decode()  # withdrawn
    shown = inspector.get("/keno/catalogue/ball-set/A/")
    assert [(row.version, dict(row.said).get("Reference")) for row in shown.context["versions"]] == [
        (3, None), (2, "GCI/26/10"), (1, "Demo"),
    ]  # fmt: skip
    assert shown.context["versions"][1].person == demo_actor("inspector").name
    assert [(draw.attempt, draw.balls_counted, draw.void_reason) for draw, _ in shown.context["draws"]] == [
        (2, 80, "Ball 7 is cracked."),
        (1, 79, f"79 balls were in the device before the draw of game {number}, not 80."),
    ]
    assert by.name in shown.content.decode()
    assert signed_in("writer").get("/keno/catalogue/ball-set/A/").context["draws"] == []  # whose hands is not his
    assert inspector.get("/keno/catalogue/ball-set/Z/").status_code == 404
    hands = inspector.get(f"/keno/games/{number}/").context["attempts"]
    assert [(each["balls"]["set"], each["balls"]["counted"], each["balls"]["by"]) for each in hands] == [
        ("A", 79, by.name), ("A", 80, by.name), ("B", 80, by.name),
    ]  # fmt: skip
    assert hands[1]["balls"]["entered"] == by.name


def test_a_line_of_prizes_that_nobody_can_read_says_how_it_is_written(supervisor: Client) -> None:
    form = {"code": "special-3", "tables": "2: 2 = 12.50\n3 – 40", "low": "0.70", "high": "0.80", "why": WHY}
    answer = supervisor.post("/keno/catalogue/special-3/propose/", form)
    assert answer.status_code == 422
    assert "Write “3 – 40” like “6: 3 = 1.00, 4 = 7.00”." in answer.content.decode()
    assert not Proposal.objects.exists()


@pytest.mark.clause("act-keno:4.6")
def test_vouchers_of_an_approved_type_are_registered_by_two(
    supervisor: Client, signed_in: Callable[[str], Client]
) -> None:
    put_in_force("keno.voucher-type", "DINE", {"name": "Dinner voucher"})
    listed = "/keno/catalogue/voucher-type/"
    assert "Registered 0" in " ".join(supervisor.get(listed).content.decode().split())
    page = "/keno/catalogue/voucher-register/DINE/propose/"
    answer = supervisor.post(page, {"worth": "20.00", "first": 7, "why": WHY})
    assert "the first and the last number of a range, or a list" in answer.content.decode()
    assert not Proposal.objects.exists()
    supervisor.post(page, {"worth": "20.00", "first": 7, "last": 9, "why": WHY})
    assert not ApprovedVoucher.objects.exists()
    signed_in("manager").post(f"/approvals/{Proposal.objects.get().pk}/approve/", {"comment": "Yes."})
    found = ApprovedVoucher.objects.order_by("reference").values_list("reference", flat=True)
    assert list(found) == ["DINE-7", "DINE-8", "DINE-9"]
    assert "Registered 3" in " ".join(supervisor.get(listed).content.decode().split())


@pytest.mark.clause("act-keno:11.2")
def test_no_more_than_is_unclaimed_is_added_to_a_jackpot(supervisor: Client) -> None:
    assert 'href="/keno/catalogue/unclaimed-to-jackpot/propose/"' in supervisor.get("/keno/unclaimed/").content.decode()
    form = {"code": "KENO-6", "amount": "5.00", "why": WHY}
    answer = supervisor.post("/keno/catalogue/unclaimed-to-jackpot/propose/", form)
    assert answer.status_code == 422
    assert not Proposal.objects.exists()


def test_an_amount_is_changed_on_the_settings_page(supervisor: Client) -> None:
    answer = supervisor.get("/keno/catalogue/amount/premium/propose/")
    assert answer.headers["Location"] == "/keno/settings/amounts/premium/propose/"


def test_who_proposes_nothing_has_no_form(signed_in: Callable[[str], Client]) -> None:
    build_demo()
    auditor = signed_in("auditor")
    assert auditor.get("/keno/catalogue/voucher-register/DINE/propose/").status_code == 403
    assert "Add to a jackpot" not in auditor.get("/keno/unclaimed/").content.decode()
