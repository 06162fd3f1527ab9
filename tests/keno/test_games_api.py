"""Games over the API: API.md's answers, rights, states, keys."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from chance.draw_proof import check, check_entry, holds
from house import gaming_days
from house.approvals import approve
from house.models import GamingDay, Proposal
from keno.draw import ask_witness
from keno.invalidate import invalidate_game
from keno.models import Game
from keno.open_games import keep_open
from ledger.models import Act
from ledger.post import Booking, post
from tests.world.approvals import put_in_force
from tests.world.calls import Caller, make_device, ok, problem
from tests.world.keno_balls import approve_set
from tests.world.keno_counter import BOSS
from tests.world.keno_games import put_ticket, some_numbers
from tests.world.people import MANAGER
from tests.world.refusals import refused
from tests.world.second_party import AtHand
from web.request_keys import REPLAYED

pytestmark = pytest.mark.django_db


@pytest.fixture
def supervisor() -> Caller:
    return Caller(make_device("supervisor")[1])


@pytest.fixture
def writer() -> Caller:
    return Caller(make_device("writer")[1])


@pytest.fixture
def game() -> Game:
    now = timezone.now()
    GamingDay.objects.create(date=now.date(), opens_at=now - timedelta(hours=1), closes_at=now + timedelta(hours=12))
    gaming_days.forget()
    opened = keep_open(now=now)
    assert opened is not None
    return opened


def test_a_game_from_open_to_settled(game: Game, supervisor: Caller, writer: Caller) -> None:
    now = ok(writer.get("keno/games/current"))
    assert {key: now[key] for key in ("number", "status", "drawn", "device")} == {
        "number": 1,
        "status": "open",
        "drawn": [],
        "device": "rng",
    }
    assert len(now["commitment"]) == 64
    assert now.keys().isdisjoint({"seed", "ticket_root", "totals"})
    ticket = put_ticket(first_game=1, groups=[[1, 2, 3]], plays=[(3, 100)])
    assert ok(supervisor.post("keno/games/1/close"))["status"] == "sealed"
    assert ok(writer.get("keno/games/current"))["number"] == 2
    drawn = ok(supervisor.post("keno/games/1/draw"))
    assert (drawn["status"], len(set(drawn["drawn"])), drawn["commitment"]) == ("settled", 20, now["commitment"])
    assert drawn["totals"]["stakes"] == "1.00"
    assert ok(writer.get("keno/games/1")) == drawn

    published = ok(writer.get("keno/games/1/proof"))["proof"]
    assert holds(check(published, published_commitment=now["commitment"], published_root=drawn["ticket_root"]))
    assert published["numbers"] == drawn["drawn"]
    from keno.particulars import code_of

    entry = ok(writer.post("keno/games/1/entry-proof", {"serial": ticket.serial, "security_code": code_of(ticket)}))[
        "entry"
    ]
    assert holds(check_entry(entry, published))
    forged = {**entry, "entry": entry["entry"].replace('"groups":[[1,2,3]]', '"groups":[[1,2,4]]')}
    assert forged != entry
    assert not holds(check_entry(forged, published))


def test_balls_over_the_api(game: Game, supervisor: Caller) -> None:
    problem(supervisor.post("keno/device", {"device": "mechanical"}), 422, "device-not-approved")
    put_in_force("keno.draw-device", "mechanical", {"name": "Balls", "reference": "1"})
    assert ok(supervisor.post("keno/device", {"device": "mechanical"})) == {"device": "mechanical"}
    ok(supervisor.post("keno/games/1/close"))
    ok(supervisor.post("keno/games/1/draw"))
    second = ok(supervisor.get("keno/games/2"))
    assert (second["device"], len(second["commitment"])) == ("mechanical", 64)
    problem(supervisor.post("keno/games/2/balls", {"number": 5}), 409, "game-open")
    ok(supervisor.post("keno/games/2/close"))
    problem(supervisor.post("keno/games/2/draw"), 409, "device-mechanical")
    balls = some_numbers(20)
    problem(supervisor.post("keno/games/2/balls", {"number": balls[0]}), 409, "balls-not-counted")
    problem(supervisor.post("keno/games/2/count", {"balls": 80}), 422, "ball-set-missing")
    problem(supervisor.post("keno/games/2/count", {"balls": 80, "set": "A"}), 422, "ball-set-not-approved")
    approve_set()
    ok(supervisor.post("keno/games/2/count", {"balls": 80, "set": "A"}))
    assert ok(supervisor.post("keno/games/2/balls", {"number": balls[0]}))["drawn"] == balls[:1]
    problem(supervisor.post("keno/games/2/balls", {"number": balls[0]}), 422, "ball-drawn-already")
    problem(supervisor.post("keno/games/2/balls", {"number": 81}), 422, "no-such-ball")
    for body in ({}, {"number": 1, "numbers": [2]}):
        problem(supervisor.post("keno/games/2/balls", body), 400, "balls-form")
    assert ok(supervisor.post("keno/games/2/fall-back", {"number": balls[0]}))["drawn"] == []
    assert ok(supervisor.post("keno/games/2/stoppage"))["status"] == "drawing"
    mistyped = next(ball for ball in range(1, 81) if ball not in balls)
    ok(supervisor.post("keno/games/2/balls", {"number": mistyped}))
    corrected = ok(supervisor.post("keno/games/2/correct", {"place": 1, "number": balls[0]}))
    assert corrected["drawn"] == balls[:1]
    ok(supervisor.post("keno/games/2/fall-back", {"number": balls[0]}))
    ok(supervisor.post("keno/games/2/balls", {"numbers": balls[:19]}))
    done = ok(supervisor.post("keno/games/2/balls", {"number": balls[19]}))
    assert (done["status"], done["drawn"]) == ("settled", balls)
    assert "seed" not in done
    assert ok(supervisor.get("keno/games/2/proof"))["proof"] is None


def _decided(supervisor: Caller, body: dict[str, str]) -> None:
    """Nothing happens until another person decides (12.3)."""
    before = ok(supervisor.get("keno/games/1"))
    proposed = ok(supervisor.post("keno/games/1/void", body), 202)
    assert (proposed["kind"], proposed["authority"]) == ("keno.void-unasked", "house")
    assert ok(supervisor.get("keno/games/1")) == before
    approve(proposal_id=proposed["id"], by=MANAGER)


def test_void_and_invalidate(game: Game, supervisor: Caller) -> None:
    ok(supervisor.post("keno/games/1/close"))
    first = ok(supervisor.get("keno/games/1"))
    problem(supervisor.post("keno/games/1/void"), 422, "reason-missing")
    _decided(supervisor, {"reason": "The screen went dark."})
    void = ok(supervisor.get("keno/games/1"))
    assert (void["status"], void["attempt"], void["drawn"]) == ("sealed", 2, [])
    assert (void["commitment"], void["ticket_root"]) == (first["commitment"], first["ticket_root"])
    attempts = ok(supervisor.get("keno/games/1/proof"))["attempts"]
    assert [attempt["void"] is None for attempt in attempts] == [False, True]
    problem(supervisor.post("keno/games/1/void", {"device": "dice"}), 400, "malformed")
    _decided(supervisor, {"device": "mechanical", "reason": "The generator stands still."})
    by_balls = ok(supervisor.get("keno/games/1"))
    assert (by_balls["device"], by_balls["attempt"]) == ("mechanical", 3)
    assert ok(supervisor.post("keno/games/1/void", {"device": "rng"}))["device"] == "rng"
    done = ok(supervisor.post("keno/games/1/invalidate", {"cause": "fire", "reason": "Fire."}))
    assert (done["status"], done["drawn"]) == ("invalidated", [])
    problem(supervisor.post("keno/games/1/draw"), 409, "game-invalidated")
    problem(supervisor.post("keno/games/1/void"), 409, "game-invalidated")
    assert ok(supervisor.post("keno/games/2/invalidate"))["status"] == "invalidated"
    assert ok(supervisor.get("keno/games/current"))["number"] == 3


def test_once_the_witness_is_asked_a_stop_is_only_proposed(game: Game, supervisor: Caller) -> None:
    """202 with the proposal, and nothing else: every row of the game is as before."""
    ok(supervisor.post("keno/games/1/close"))
    ask_witness(number=1, now=timezone.now())
    asked = ok(supervisor.get("keno/games/1"))
    [attempt] = asked["attempts"]
    assert (asked["status"], asked["drawn"], attempt["drawn"], attempt["void"]) == ("sealed", [], [], None)
    assert (attempt["ticket_root"], len(attempt["witness"]["signature"])) == (asked["ticket_root"], 2 * 384)
    assert attempt["checkpoint"].keys() == {"origin", "size", "root"}
    bodies = {
        "void": {"reason": "Dark."},
        "void ": {"device": "mechanical", "reason": "Stands still."},
        "invalidate": {"cause": "fire", "reason": "Fire."},
    }
    kinds = ["keno.void-draw", "keno.redraw-device", "keno.invalidate-game"]
    for (step, body), kind in zip(bodies.items(), kinds, strict=True):
        proposed = ok(supervisor.post(f"keno/games/1/{step.strip()}", body), 202)
        assert (proposed["kind"], proposed["subject"], proposed["authority"]) == (kind, "keno-game:1", "inspector")
        assert (proposed["status"], proposed["seconded_by"]) == ("proposed", None)
        problem(supervisor.post("keno/games/1/void"), 409, "proposed-already")
        assert ok(supervisor.get("keno/games/1")) == asked
        Proposal.objects.filter(pk=proposed["id"]).update(status="withdrawn")
    done = ok(supervisor.post("keno/games/1/draw"))
    assert (done["status"], done["attempts"][0]["drawn"], done["attempts"][0]["witness"]) == (
        "settled",
        done["drawn"],
        attempt["witness"],
    )


def test_an_inspectors_dice_stand_in_for_a_witness_that_is_away(
    game: Game, supervisor: Caller, second_party: AtHand
) -> None:
    ok(supervisor.post("keno/games/1/close"))
    second_party.away = True
    problem(supervisor.post("keno/games/1/draw"), 409, "witness-away")
    body = {"dice": "351624" * 9, "why": "The line is down."}
    problem(supervisor.post("keno/games/1/dice", body), 403, "needs-inspector")


def test_rights_states_and_nonsense(game: Game, supervisor: Caller, writer: Caller) -> None:
    before = list(Game.objects.values())
    for step in ("close", "draw", "balls", "void", "invalidate"):
        body = {"number": 1} if step == "balls" else {}
        problem(writer.post(f"keno/games/1/{step}", body), 403, "no-permission")
        problem(supervisor.post(f"keno/games/777/{step}", body), 404, "no-such-game")
        problem(supervisor.post(f"keno/games/{2**40}/{step}", body), 404, "no-such-game")
        problem(supervisor.post(f"keno/games/{2**70}/{step}", body), 404, "no-such-game")
    problem(writer.post("keno/device", {"device": "mechanical"}), 403, "no-permission")
    problem(supervisor.post("keno/device", {"device": "dice"}), 400, "malformed")
    problem(supervisor.post("keno/games/1/draw"), 409, "game-open")
    problem(supervisor.post("keno/games/2/draw"), 409, "game-scheduled")
    problem(supervisor.post("keno/games/2/close"), 409, "game-scheduled")
    problem(supervisor.post("keno/games/2/void"), 409, "game-scheduled")
    problem(supervisor.post("keno/games/2/invalidate"), 409, "game-scheduled")
    problem(supervisor.post("keno/games/1/balls", {"number": "x"}), 400, "malformed")
    problem(supervisor.get("keno/games/777"), 404, "no-such-game")
    problem(supervisor.get(f"keno/games/{2**70}/proof"), 404, "no-such-game")
    ticket = {"serial": "7K2MX0Q4RT9B", "security_code": "3F8D0Q2ZK5M1XT7V"}
    problem(writer.post("keno/games/1/entry-proof", ticket), 409, "not-sealed")
    assert list(Game.objects.values()) == before


def test_the_same_key_answers_the_same(game: Game, supervisor: Caller) -> None:
    first = supervisor.post("keno/games/1/close", key="one")
    again = supervisor.post("keno/games/1/close", key="one")
    assert ok(first) == ok(again)
    assert again[REPLAYED] == "true"
    problem(supervisor.post("keno/games/1/close", key="two"), 409, "game-sealed")


def test_games_are_listed_by_gaming_day(game: Game, supervisor: Caller) -> None:
    ok(supervisor.post("keno/games/1/close"))
    rows = ok(supervisor.get(f"keno/games?gaming_day={game.gaming_day}"))["results"]
    assert [(row["number"], row["status"]) for row in rows] == [(3, "scheduled"), (2, "open"), (1, "sealed")]
    assert ok(supervisor.get("keno/games?gaming_day=2001-01-01"))["results"] == []


def test_outside_the_hours_the_next_game_is_shown(game: Game, supervisor: Caller) -> None:
    Game.objects.filter(pk=1).update(
        status="invalidated",
        invalidated_at=timezone.now(),
        invalidated_by="staff:x",
        invalidation_cause="fire",
        invalidation_reason="Fire.",
    )
    current = ok(supervisor.get("keno/games/current"))
    assert (current["number"], current["status"], current["commitment"]) == (2, "scheduled", None)


CAUSES = {
    "act-keno:14.1": ["civil-commotion", "fire", "riot", "brawl", "robbery", "act-of-god"],
    "act-keno:14.4": ["impractical", "fraud"],
}


@pytest.mark.clause("act-keno:14.1", "act-keno:14.4", "act-keno:14.5")
def test_a_game_is_invalidated_for_each_of_the_listed_causes_and_no_other(game: Game, supervisor: Caller) -> None:
    problem(supervisor.post("keno/games/1/invalidate", {"cause": "boredom"}), 400, "malformed")
    refused(partial(invalidate_game, number=1, cause="boredom", by=MANAGER), "no-such-cause")
    assert Game.objects.get(pk=1).status == "open"
    for number, cause in enumerate((cause for causes in CAUSES.values() for cause in causes), start=1):
        ticket = put_ticket(first_game=number, groups=[[1, 2, 3]], plays=[(3, 100)])
        put_money = {"debit": "keno:cage", "credit": "keno:stakes-held", "amount": ticket.price}
        post(booking=Booking(**put_money, kind="keno.sale", reference=ticket.serial), by=BOSS, day=game.gaming_day)
        done = ok(supervisor.post(f"keno/games/{number}/invalidate", {"cause": cause, "reason": "As reported."}))
        assert (done["status"], done["drawn"]) == ("invalidated", [])
        kept = Game.objects.get(pk=number)
        assert (kept.invalidation_cause, kept.invalidation_reason) == (cause, "As reported.")
        act = Act.objects.get(kind="keno.invalidated", subject=f"keno-game:{number}")
        assert act.data["cause"] == cause
        refund = ticket.prizes.get()
        assert (refund.kind, refund.amount) == ("refund", ticket.price)
        problem(supervisor.post(f"keno/games/{number}/draw"), 409, "game-invalidated")
        keep_open(now=timezone.now())


@pytest.mark.clause("act-keno:5.2", "act-keno:5.3")
def test_the_jackpots_are_shown_as_every_pool_is(game: Game, supervisor: Caller) -> None:
    problem(supervisor.get("jackpot/pools/KENO-7"), 404, "no-such-pool")
    ok(supervisor.post("keno/games/1/close"))  # opens the pools
    for spots, guarantee in ((6, "1000.00"), (8, "12500.00")):
        shown = ok(supervisor.get(f"jackpot/pools/KENO-{spots}"))
        assert (shown["code"], shown["rules"], shown["displayed"], shown["seed"]) == (
            f"KENO-{spots}", "keno", guarantee, guarantee,
        )  # fmt: skip
        assert (shown["tables"], shown["levels"][0]["displayed"], shown["mystery"]) == ([], guarantee, None)
