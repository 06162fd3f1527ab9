"""What Keno changes only through an approval, over HTTP from the proposal to what it does at the counter.

Each change is proposed by one person, not approved by the same, approved by another, and then in force; before that
nothing has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from house import gaming_days
from house.devices import service_token
from house.models import GamingDay
from keno.models import KenoSettings, Prize, Ticket
from keno.open_games import keep_open
from keno.unclaimed import move_unclaimed
from tests.world import keno_counter as at
from tests.world.calls import Caller, ok, problem
from tests.world.keno_balls import approve_set
from tests.world.tournaments import card_of

pytestmark = pytest.mark.django_db

TWENTY = list(range(1, 21))
PLAIN = {"numbers": [1, 2, 3], "stake": "2.00"}


class House:
    def __init__(self) -> None:
        self.day = at.open_day()
        settings = KenoSettings.current()
        settings.device = "mechanical"
        settings.save()
        keep_open(now=timezone.now())
        self.arrive()

    def arrive(self) -> None:
        """With tokens of today."""
        roles = ("writer", "supervisor", "manager", "manager", "inspector", "signage")
        self.writer, self.supervisor, self.manager, self.other_manager, self.inspector, self.signage = (
            Caller(service_token(role=role).secret) for role in roles
        )

    def propose(self, kind: str, subject: str, new: Any, by: Caller | None = None) -> Any:
        body = {"kind": kind, "subject": subject, "new": new, "why": "For the players."}
        return (by or self.supervisor).post("approvals/", body)

    def put(self, kind: str, subject: str, new: Any, *, before: Callable[[], object] = lambda: None) -> Any:
        """Propose, see that nothing has changed and that nobody approves his own, approve."""
        then = before()
        proposal = ok(self.propose(kind, subject, new, by=self.manager), 201)
        assert proposal["status"] == "proposed"
        problem(self.manager.post(f"approvals/{proposal['id']}/approve"), 403, "own-proposal")
        problem(self.writer.post(f"approvals/{proposal['id']}/approve"), 403, "no-permission")
        by_inspector = proposal["authority"] == "inspector"
        if by_inspector:
            problem(self.other_manager.post(f"approvals/{proposal['id']}/approve"), 403, "needs-inspector")
        assert before() == then
        decides = self.inspector if by_inspector else self.other_manager
        done = ok(decides.post(f"approvals/{proposal['id']}/approve"))
        assert (done["status"], done["outcome"]) == ("effective", "")
        return done

    def sell(self, body: Mapping[str, Any] = PLAIN, status: int = 201) -> Any:
        return ok(self.writer.post("keno/tickets", body), status)

    def play(self, game: int) -> None:
        ok(self.supervisor.post(f"keno/games/{game}/close"))
        approve_set()
        ok(self.supervisor.post(f"keno/games/{game}/count", {"balls": 80, "set": "A"}))
        assert ok(self.supervisor.post(f"keno/games/{game}/balls", {"numbers": TWENTY}))["status"] == "settled"


@pytest.fixture
def house(db: None) -> House:
    return House()


@pytest.mark.clause("act-keno:4.7h")
def test_a_set_bet(house: House) -> None:
    value = {"name": "Lucky", "groups": [[1, 2], [3], [4]], "plays": [2, 3]}
    bet = {"set_bet": "LUCKY", "stake": "1.00"}

    def before() -> object:
        return problem(house.writer.post("keno/tickets", bet), 422, "set-bet-unknown")["clause"]

    assert before() == "act-keno:4.7h"
    done = house.put("keno.set-bet", "set-bet:LUCKY", value, before=before)
    assert done["says"] == "Set bet LUCKY, “Lucky”, enters the catalogue."
    assert ok(house.signage.get("keno/set-bets"))["results"][0]["code"] == "LUCKY"
    sold = house.sell(bet)
    # {1,2} and {3,4}: two ways of two numbers; {1,2,3} and {1,2,4}: two ways of three.
    assert (sold["price"], sold["kind"], sold["groups"]) == ("4.00", "set-bet", [[1, 2], [3], [4]])
    house.put("keno.set-bet", "set-bet:LUCKY", None)
    problem(house.writer.post("keno/tickets", bet), 422, "set-bet-unknown")


@pytest.mark.clause("act-keno:8.4", "act-keno:4.7d")
def test_special_3(house: House) -> None:
    ticket = {"numbers": [1, 2], "stake": "2.00", "schedule": "special-3"}
    refusal = problem(house.writer.post("keno/tickets", ticket), 422, "schedule-not-approved")
    assert refusal["clause"] == "act-keno:8.4"
    # A pair comes up in 19/316 of the games: 12.50 x 19/316 = 0.7516…
    value = {"tables": {"2": {"2": "12.50"}}, "band": ["0.70", "0.80"]}
    wrong = house.propose("keno.special-3", "special-3:special-3", {**value, "band": ["0.76", "0.80"]})
    assert problem(wrong, 422, "return-outside-band")["clause"] == "act-keno:8.4"
    done = house.put("keno.special-3", "special-3:special-3", value)
    assert done["says"] == "Special 3 pays for 2 numbers, returning 70% to 80%."
    exact = ok(house.signage.post("keno/mathematics", {"schedule": "special-3"}))["tables"][0]
    assert exact["return"]["fraction"] == "475/632"
    sold = house.sell(ticket)
    house.play(1)
    assert ok(house.supervisor.get(f"keno/tickets/{sold['serial']}"))["won"] == "25.00"


@pytest.mark.clause("act-keno:5.3")
def test_the_jackpot_ratio(house: House) -> None:
    new = {"prize": 2_000, "secondary": 300, "reimbursement": 200}
    off = house.propose("keno.jackpot-ratio", "jackpot-ratio:KENO-6", {**new, "prize": 2_001})
    assert problem(off, 422, "ratio-not-whole")["clause"] == "act-keno:5.3"
    house.put("keno.jackpot-ratio", "jackpot-ratio:KENO-6", new)
    six = {"numbers": [71, 72, 73, 74, 75, 76], "stake": "100.00", "jackpot": True}
    house.sell(six)
    house.play(1)
    # The guarantee, and 20% of $100.00.
    shown = ok(house.signage.post("keno/mathematics", {"schedule": "standard"}))["tables"][5]["jackpot"]["amount"]
    assert shown == "1020.00"
    books = at.books()
    assert str(books["jackpot:KENO-6:reserve"]) == "3.00"


@pytest.mark.clause("act-keno:4.7e")
def test_a_bonus(house: House) -> None:
    terms = {
        "name": "Threes", "first_game": 1, "last_game": 1, "spots": 3, "matches": 3, "prize": "10.00", "per": "dollar",
        "budget": "20.00", "fund": "house",
    }  # fmt: skip
    wrong = house.propose("keno.bonus", "bonus:THREES", {**terms, "budget": "5.00"})
    problem(wrong, 422, "budget-impossible")
    house.put("keno.bonus", "bonus:THREES", terms)
    first, second = house.sell({**PLAIN, "games": 2}), house.sell({**PLAIN, "games": 2})
    house.play(1)
    house.play(2)
    won = sorted(ok(house.supervisor.get(f"keno/tickets/{one['serial']}"))["won"] for one in (first, second))
    # $72.00 a game each; the budget covers one bonus of $20.00, and the window one game.
    assert won == ["144.00", "164.00"]
    assert [str(prize.amount) for prize in Prize.objects.filter(kind="bonus")] == ["20.00"]


@pytest.mark.clause("act-keno:15.2", "act-keno:15.4")
def test_a_tournament(house: House) -> None:
    terms = {
        "name": "Cup", "entry_fee": "50.00", "retained": 1_000, "prizes": [6_000, 4_000], "spots": 3, "stake": "0.25",
        "schedule": "standard", "first_game": 1, "last_game": 1,
    }  # fmt: skip
    entry = {"card": card_of("Anna"), "numbers": [1, 2, 3]}
    before = problem(house.writer.post("keno/tournaments/CUP/entries", entry), 422, "tournament-not-approved")
    assert before["clause"] == "act-keno:15.2"
    wrong = house.propose("keno.tournament", "tournament:CUP", {**terms, "retained": 1_001})
    assert problem(wrong, 422, "retained-too-much")["clause"] == "act-keno:15.4"
    house.put("keno.tournament", "tournament:CUP", terms)
    ok(house.writer.post("keno/tournaments/CUP/entries", entry), 201)
    ok(house.writer.post("keno/tournaments/CUP/entries", {"card": card_of("Ben"), "numbers": [70, 71, 72]}), 201)
    house.play(1)
    ranked = ok(house.supervisor.post("keno/tournaments/CUP/finish"))["results"]
    # 90% of $100.00, six to four.
    assert [(one["player"], one["prize"]) for one in ranked] == [("Anna", "54.00"), ("Ben", "36.00")]


@pytest.mark.clause("act-keno:12.5", "act-keno:11.5")
def test_a_claim(house: House) -> None:
    sold = house.sell()
    house.play(1)
    form = at.lost_ticket_form(sold["serial"])
    claim = ok(house.manager.post("keno/claims", form), 201)
    waiting = ok(house.inspector.get("approvals/?kind=keno.claim&waiting=true"))["results"][0]
    pay = f"keno/claims/{claim['id']}/pay"
    problem(house.supervisor.post(pay, {"cheque_number": "7"}), 409, "not-approved")
    problem(house.manager.post(f"approvals/{waiting['id']}/approve"), 403, "own-proposal")
    ok(house.inspector.post(f"approvals/{waiting['id']}/approve"))
    assert ok(house.supervisor.post(pay, {"cheque_number": "7"}))["cheque_number"] == "7"
    assert at.transfers("keno.payment") == [("keno:prizes-owing", "keno:bank", "72.00")]


@pytest.mark.clause("act-keno:11.2")
def test_unclaimed_prizes_into_a_jackpot(house: House) -> None:
    house.sell()
    house.play(1)
    with time_machine.travel(timezone.now() + timedelta(days=400)):
        GamingDay.objects.create(
            date=timezone.now().date(), opens_at=timezone.now() - timedelta(hours=1),
            closes_at=timezone.now() + timedelta(hours=9),
        )  # fmt: skip
        gaming_days.forget()
        assert str(move_unclaimed(now=timezone.now())) == "72.00"
        house.arrive()
        house.put("keno.unclaimed-to-jackpot", "jackpot:KENO-8", {"amount": "72.00"})
    gaming_days.forget()
    assert at.transfers("keno.unclaimed-to-jackpot") == [("keno:unclaimed", "jackpot:KENO-8:prize", "72.00")]


@pytest.mark.clause("act-keno:4.6", "act-keno:4.7a")
def test_voucher_types_and_amounts(house: House) -> None:
    line = {"type": "voucher", "reference": "DINE-7", "amount": "2.00"}
    body = {**PLAIN, "tender": [line]}
    problem(house.writer.post("keno/tickets", body), 422, "voucher-type-not-approved")
    house.put("keno.voucher-type", "voucher-type:DINE", {"name": "Dinner voucher"})
    problem(house.writer.post("keno/tickets", body), 422, "voucher-not-issued")
    house.put("keno.voucher-register", "voucher-register:DINE", {"value": "2.00", "numbers": ["7", "8"]})
    assert house.sell(body)["change"] == "0.00"
    six = {"numbers": [1, 2, 3, 4, 5, 6], "stake": "1.00", "jackpot": True}
    assert ok(house.writer.post("keno/quote", six))["price"] == "1.00"
    house.put("keno.amount", "amount:premium", "0.50")
    assert ok(house.writer.post("keno/quote", six))["price"] == "1.50"
    house.put("keno.amount", "amount:supervised-above", "50.00")
    sold = house.sell()
    house.play(1)
    pay = {"security_code": sold["security_code"]}
    problem(house.writer.post(f"keno/tickets/{sold['serial']}/pay", pay), 403, "supervisor-needed")
    ok(house.supervisor.post(f"keno/tickets/{sold['serial']}/authorise-payment"), 201)
    assert ok(house.writer.post(f"keno/tickets/{sold['serial']}/pay", pay))["paid"] == "72.00"


@pytest.mark.clause("act-keno:13.1")
def test_selling_hours(house: House) -> None:
    """Sales end with the gaming day and begin with the next; an early close, with notice, ends them at once."""
    house.sell()
    with time_machine.travel(house.day.closes_at + timedelta(seconds=1)):
        gaming_days.forget()
        refusal = problem(house.writer.post("keno/tickets", PLAIN), 422, "outside-gaming-hours")
        assert refusal["clause"] == "act-keno:13.1"
        assert ok(house.writer.post("keno/quote", PLAIN))["price"] == "2.00"  # asking is free
    gaming_days.forget()
    assert Ticket.objects.count() == 1
    # New hours are a change by two people like any other.
    hours = {day: ["12:00", "02:00"] for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}
    house.put("house.opening-hours", "venue", hours)
