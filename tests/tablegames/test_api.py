"""The calls about table games, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import QuerySet

from house.approvals import approve, propose
from house.models import ApprovedValue
from kernel.refusal import Refusal
from ledger.models import Act
from tablegames.models import Check, GamingTable, PaymentError
from tests.world.calls import Caller, make_device, problem
from tests.world.people import MANAGER, SUPERVISOR
from tests.world.players import registered

pytestmark = pytest.mark.usefixtures("tables")

STUD = {
    "table": "CSP-01",
    "wagers": {"ante": "10.00", "bet": "20.00"},
    "cards": {"player": "8S 8H 5D 5C 3C", "dealer": ["AD", "KC", "9H", "4S", "2D"]},
}


def someone(profile: str) -> Caller:
    return Caller(make_device(profile)[1])


def test_evaluate_is_open_to_everybody_and_needs_no_key() -> None:
    answer = someone("signage").post("tablegames/evaluate", STUD, key="")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert [
        (line["wager"], line["result"], line["pays"], line["returns"], line["clause"]) for line in body["owed"]
    ] == [
        ("ante", "wins", "10.00", "10.00", "nsw-csp:9.5.1.1"),
        ("bet", "wins", "40.00", "20.00", "nsw-csp:9.5.1.1"),
    ]
    assert body["owed"][1]["payments"] == [
        {"what": "two-pairs", "odds": "2 to 1", "amount": "40.00", "clause": "nsw-csp:10.1", "capped_by": None}
    ]
    assert (body["pays"], body["difference"]) == ("50.00", None)
    with_paid = someone("writer").post(
        "tablegames/evaluate", STUD | {"paid": {"ante": "10.00", "bet": "60.00"}}, key=""
    )
    assert with_paid.json()["difference"] == "20.00"
    assert not Check.objects.exists()


SHOWDOWN = {
    "game": "hold-em",
    "board": ["2C", "7D", "9H", "JS", "KC"],
    "players": [
        {"seat": 1, "cards": ["KD", "KH"], "bet": "20.00"},
        {"seat": 4, "cards": ["AS", "AH"], "bet": "35.00", "folded": False},
        {"seat": 5, "cards": [], "bet": "4.00", "folded": True},
    ],
    "buck": 3,
    "commission_maximum": "10.00",
}


@pytest.mark.clause("act-pk:12.2", "act-pk:14.2")
def test_a_showdown_is_decided_for_everybody_who_is_signed_in() -> None:
    answer = someone("signage").post("tablegames/poker/showdown", SHOWDOWN, key="")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert body["hands"] == [
        {"seat": 1, "hand": "three-of-a-kind", "cards": ["KD", "KH", "9H", "JS", "KC"], "low": None},
        {"seat": 4, "hand": "pair", "cards": ["AS", "AH", "9H", "JS", "KC"], "low": None},
    ]
    assert body["pots"] == [{"amount": "44.00", "seats": [1, 4], "winners": [{"seat": 1, "amount": "42.00"}]}]
    assert (body["uncalled"], body["commission"]) == ([{"seat": 4, "amount": "15.00"}], "2.00")
    assert body["paid"] == {"1": "42.00"}
    assert any("act-pk:14.2b" in said for said in body["words"])
    split = SHOWDOWN | {"win": "high-low", "deck": 52, "joker": True, "ace_low": False}
    assert someone("dealer").post("tablegames/poker/showdown", split, key="").json()["hands"][0]["low"]
    wrong = someone("dealer").post("tablegames/poker/showdown", SHOWDOWN | {"deck": 32}, key="")
    problem(wrong, 422, "card-not-in-deck")


@pytest.mark.parametrize(
    ("body", "pays"),
    [
        ({"game": "roulette", "outcome": "17", "wagers": {"straight-up:17": "1.00", "red": "5.00"}}, "35.00"),
        ({"game": "sic-bo", "outcome": "2 5 5", "wagers": {"double:5": "2.00", "big": "1.00"}}, "23.00"),
        ({"table": "MW-01", "outcome": "$11", "wagers": {"11": "2.00", "flag": "1.00"}}, "22.00"),
        (
            {
                "game": "baccarat",
                "wagers": {"banker": "10.00"},
                "cards": {"player": "2C 4D", "banker": "3C 4S"},
            },
            "9.50",
        ),
        (
            {
                "table": "BJ-01",
                "wagers": {"hand": "10.00", "super-sevens": "1.00"},
                "cards": {"hand": "7S 7S 7S", "dealer": "KC 8D"},
            },
            "5010.00",
        ),
        (
            {
                "game": "pai-gow",
                "wagers": {"hand": "100.00"},
                "cards": {
                    "player_high": "teen teen",
                    "player_low": "day chop-gow",
                    "bank_high": "day yun",
                    "bank_low": "gor bon",
                },
            },
            "95.00",
        ),
        (
            {
                "game": "lunar-poker-new-zealand",
                "terms": {"super": "2", "instant": "200/600"},
                "wagers": {"ante": "10.00", "super": "5.00"},
                "cards": {"player": "8S 8H 8D 8C 3C"},
            },
            "1250.00",
        ),
    ],
)
def test_every_game_in_one_request(body: dict[str, Any], pays: str) -> None:
    answer = someone("supervisor").post("tablegames/evaluate", body, key="")
    assert answer.status_code == 200, answer.content
    assert answer.json()["pays"] == pays


@pytest.mark.parametrize(
    ("change", "status", "code", "field"),
    [
        ({"wagers": {"ante": 10}}, 400, "malformed", "wagers.ante"),
        ({"wagers": {"ante": "0.00"}}, 400, "malformed", "wagers.ante"),
        ({"wagers": []}, 400, "malformed", "wagers"),
        ({"cards": {"player": 5}}, 400, "malformed", "cards.player"),
        ({"choices": {"plays": "bet"}}, 400, None, "choices.plays"),
        ({"choices": {"force": "yes"}}, 400, "malformed", "choices.force"),
        ({"game": "poker"}, 400, "malformed", "game"),
        ({"table": "CSP-99"}, 404, "no-such-table", "table"),
        ({"outcome": "17"}, 422, "not-entered-so", "outcome"),
        ({"terms": {"super": "1"}}, 422, "terms-and-table", "terms"),
        ({"wagers": {"ante": "10.00", "bet": "20.00", "super": "1.00"}}, 422, "wager-not-of-this-game", "wagers.super"),
        ({"cards": {"player": "8S 8S 5D 5C 3C", "dealer": "AD KC 9H 4S 2D"}}, 422, "card-twice", "cards.player[1]"),
        ({"cards": {}}, 422, "wrong-number-of-cards", "cards.player"),
        ({"paid": {"ante": "10.00"}}, 422, "paid-missing", "paid.bet"),
    ],
)
def test_what_cannot_be_is_refused_in_words(change: dict[str, Any], status: int, code: str | None, field: str) -> None:
    answer = someone("supervisor").post("tablegames/evaluate", STUD | change, key="")
    assert answer.status_code == status, answer.content
    document = answer.json()
    assert document["code"] == (code or document["code"])
    assert document["field"] == field
    assert document["detail"]


@pytest.mark.clause("nsw-csp:14.16", "nsw-csp:14.18", "nsw-csp:16.18")
def test_from_a_check_to_the_end_of_an_overpayment() -> None:
    supervisor, manager = someone("supervisor"), someone("manager")
    registered("P-7")
    wrong = STUD | {"paid": {"ante": "10.00", "bet": "60.00"}, "player": "P-7", "note": "Paid as three of a kind."}
    made = supervisor.post("tablegames/settle", wrong, key="one")
    assert made.status_code == 201, made.content
    check = made.json()
    assert (check["difference"], check["owed"][1]["difference"], check["table"]) == ("20.00", "20.00", "CSP-01")
    assert "complain to an inspector" in check["notice"]
    again = supervisor.post("tablegames/settle", wrong, key="one")
    assert again.json() == check
    assert (Check.objects.count(), PaymentError.objects.count()) == (1, 1)
    number = check["payment_error"]
    path = f"tablegames/payment-errors/{number}"
    problem(manager.post(f"{path}/close", {"outcome": "attempted", "what": "Gone."}), 409, "intent-not-decided")
    assert supervisor.post(f"{path}/intent", {"intent": "unintentional", "enquiries": "Footage."}).status_code == 200
    step = {"kind": "identify", "how": "By the player card.", "succeeded": True}
    assert supervisor.post(f"{path}/steps", step).status_code == 201
    problem(supervisor.post(f"{path}/close", {"outcome": "attempted", "what": "Gone."}), 403, "no-permission")
    paid = supervisor.post(f"{path}/rectify", {"amount": "20.00", "how": "In chips."})
    assert paid.status_code == 200, paid.content
    error = supervisor.get(path).json()
    assert (error["status"], error["rectified"], [each["kind"] for each in error["steps"]]) == (
        "rectified",
        "20.00",
        ["identify", "request-return"],
    )
    assert supervisor.get("tablegames/payment-errors?status=open").json()["results"] == []
    assert [row["id"] for row in supervisor.get("tablegames/checks").json()["results"]] == [check["id"]]
    assert supervisor.get(f"tablegames/checks/{check['id']}").json() == check
    day = check["gaming_day"]
    report = manager.get(f"tablegames/reports/payment-errors?first={day}&last={day}").json()
    assert report["rows"][0][5:8] == ["20.00", "20.00", "0.00"]
    problem(manager.get(f"tablegames/reports/weather?first={day}&last={day}"), 404, "no-such-report")
    problem(manager.get(f"tablegames/reports/checks?first={day}&last=2020-01-01"), 400, "days-impossible")


def test_who_may_check() -> None:
    body = STUD | {"paid": {"ante": "10.00", "bet": "40.00"}}
    for profile in ("writer", "table", "signage", "inspector"):
        answer = someone(profile).post("tablegames/settle", body)
        assert answer.status_code == 403, profile
    assert Caller().post("tablegames/evaluate", STUD).status_code == 401
    problem(someone("supervisor").post("tablegames/settle", body, key=""), 400, "idempotency-key-missing")
    assert not Check.objects.exists()


def test_the_month_end_over_http() -> None:
    supervisor = someone("supervisor")
    body = {"cause": "cash-change", "owed": "2000.00", "paid": "900.00", "what": "Eleven hundred short."}
    made = supervisor.post("tablegames/payment-errors", body).json()
    month = {"month": made["gaming_day"], "how": "portal"}
    told = supervisor.post("tablegames/reports/month-end/tell", month)
    assert told.json() == {"payment_errors": [made["id"]]}
    problem(supervisor.post("tablegames/reports/month-end/tell", month), 409, "nothing-to-report")
    problem(someone("writer").post("tablegames/reports/month-end/tell", month), 403, "no-permission")
    for day in ("9999-12-31", "0001-01-01"):
        far = supervisor.post("tablegames/reports/month-end/tell", month | {"month": day})
        problem(far, 400, "days-impossible")
        problem(supervisor.get(f"tablegames/reports/month-end?first={day}&last={day}"), 400, "days-impossible")
        assert supervisor.get(f"tablegames/reports/checks?first={day}&last={day}").status_code == 200


def test_cash_change_over_http() -> None:
    supervisor = someone("supervisor")
    body = {"cause": "cash-change", "owed": "100.00", "paid": "90.00", "what": "Ten short.", "table": "BJ-01"}
    made = supervisor.post("tablegames/payment-errors", body)
    assert made.status_code == 201, made.content
    assert (made.json()["direction"], made.json()["amount"], made.json()["table"]) == ("under", "10.00", "BJ-01")
    problem(supervisor.get("tablegames/payment-errors/999999"), 404, "no-such-payment-error")


def test_games_signs_and_figures() -> None:
    supervisor = someone("supervisor")
    games = {game["code"]: game for game in supervisor.get("tablegames/games").json()["games"]}
    assert len(games) == 12
    assert games["lunar-poker-new-zealand"]["selectable"]["super"] == ["1", "2", "3", "4", "5", "6", "7"]
    assert {"what": "royal-flush", "odds": "250 to 1", "clause": "act-cp:8.1"} in games["canberra-poker"]["pay_tables"][
        1
    ]["cells"]
    sign = supervisor.get("tablegames/tables/LP-03").json()
    assert (sign["terms"]["super"], sign["terms"]["instant"], sign["version"]) == ("2", "300/1200", 1)
    assert len(supervisor.get("tablegames/tables").json()["results"]) == 14  # a table a game, and two of the poker room
    figures = someone("signage").post("tablegames/mathematics", {"game": "roulette"}, key="").json()["figures"]
    assert {each["house_edge"]["fraction"] for each in figures} == {"1/37"}
    assert figures[0]["return"] == {"fraction": "36/37", "decimal": "0.972972972973"}


@pytest.mark.clause("vu-lp:5.6", "nz-lp:5.9", "nz-lp:5.6", "vu-lp:5.12", "nz-lp:5.12")
def test_a_sign_changes_by_two_people_and_the_old_one_stays() -> None:
    new: dict[str, Any] = {
        "super": "4",
        "instant": "500/1500",
        "maximum_payout": "10000.00",
        "decks": None,
        "limits": {},
    }
    proposal = propose(
        kind="tablegames.terms", subject="gaming-table:LP-03", new=new, why="A quieter table.", by=SUPERVISOR
    )

    def signs() -> QuerySet[ApprovedValue]:
        return ApprovedValue.objects.filter(kind="tablegames.terms", code="LP-03")

    assert signs().count() == 1
    approve(proposal_id=proposal.pk, by=MANAGER)
    assert list(signs().order_by("version").values_list("version", "value__super")) == [
        (1, "2"),
        (2, "4"),
    ]
    hand = {"table": "LP-03", "wagers": {"ante": "10.00", "super": "10.00"}, "cards": {"player": "8S 8H 8D 5C 3C"}}
    answer = someone("supervisor").post("tablegames/evaluate", hand, key="").json()
    assert answer["owed"][1]["pays"] == "70.00"  # three of a kind at seven to one now
    # A hand that was played before is owed what the sign said then.
    old = signs().get(version=1)
    earlier = hand | {"paid": {"ante": "0.00", "super": "80.00"}, "happened_at": old.since.isoformat()}
    kept = someone("supervisor").post("tablegames/settle", earlier).json()
    assert (kept["owed"][1]["pays"], kept["difference"], kept["terms"]["super"]) == ("80.00", "0.00", "2")
    assert Act.objects.filter(kind="tablegames.terms-set", subject="gaming-table:LP-03").count() == 2


def test_a_new_table_by_two_people() -> None:
    proposal = propose(
        kind="tablegames.table",
        subject="gaming-table:LP-09",
        new={"game": "lunar-poker-vanuatu", "terms": {"super": "three-7", "instant": "400/1200"}},
        why="Chinese New Year.",
        by=SUPERVISOR,
    )
    assert not GamingTable.objects.filter(code="LP-09").exists()
    approve(proposal_id=proposal.pk, by=MANAGER)
    assert GamingTable.objects.get(code="LP-09").game == "lunar-poker-vanuatu"


@pytest.mark.parametrize(
    ("kind", "subject", "new", "code"),
    [
        ("tablegames.terms", "gaming-table:LP-03", {"super": "8", "instant": "200/600"}, "pay-table-not-chosen"),
        ("tablegames.terms", "gaming-table:LP-03", {"super": "1", "instant": "600/1500"}, "pay-table-not-chosen"),
        ("tablegames.terms", "gaming-table:LP-01", {"maximum_payout": "5.00"}, "terms-invalid"),
        ("tablegames.terms", "gaming-table:BJ-01", {"decks": 9}, "terms-invalid"),
        ("tablegames.terms", "gaming-table:XX-01", {}, "no-such-table"),
        ("tablegames.terms", "table LP-03", {}, "no-such-table"),
        ("tablegames.table", "gaming-table:LP-03", {"game": "sic-bo", "terms": {}}, "table-exists"),
        ("tablegames.table", "gaming-table:LP-10", {"game": "whist", "terms": {}}, "no-such-game"),
        ("tablegames.table", "gaming-table:LP-10", {"game": "sic-bo"}, "value-not-readable"),
    ],
)
def test_signs_that_cannot_be_are_not_even_proposed(kind: str, subject: str, new: Any, code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        propose(kind=kind, subject=subject, new=new, why="Why not.", by=SUPERVISOR)
    assert refusal.value.code == code
