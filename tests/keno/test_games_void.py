"""Void draws and invalidated games (12, 14)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from chance.commitment import verify_commitment
from house.models import Incident, Notice
from keno.accounts import REFUNDS_OWING, STAKES, STAKES_HELD
from keno.attempts import seed_of
from keno.balls import enter_balls
from keno.close import close_game
from keno.draw import draw_game, record_numbers
from keno.invalidate import invalidate_game
from keno.jackpots import CONTRIBUTIONS, POOLS, hold_pools, purses_of
from keno.locks import hold_before_first_number
from keno.models import Draw, Game, KenoSettings, Prize
from keno.void import void_draw
from kernel import keys
from kernel.money import Money
from kernel.refusal import Conflict, Refusal
from ledger.accounts import open_account
from ledger.balance import balance, balances
from ledger.models import Account, Act
from ledger.post import Booking, post
from tests.world.keno_games import (
    DAY,
    NOBODY,
    OPENS,
    SUE,
    open_first_game,
    put_ticket,
    raw,
    run,
    some_numbers,
    totals_of,
)

pytestmark = pytest.mark.django_db
NOW = OPENS + timedelta(minutes=3)
BALLS = some_numbers(20)


def sold(amount: str) -> None:
    """The money of the tickets, as sales would have booked it."""
    open_account(code="test:cash", name="Cash", kind=Account.Kind.ASSET)
    post(
        booking=Booking(
            debit="test:cash", credit=STAKES_HELD, amount=Money.parse(amount), kind="keno.sale", reference="all"
        ),
        by=SUE,
        day=DAY,
    )


@pytest.mark.clause("act-keno:12.3")
@pytest.mark.parametrize("recorded", [0, 7, 20])
def test_a_void_draw_is_redrawn_under_its_number_with_a_new_seed(recorded: int) -> None:
    open_first_game()
    put_ticket(first_game=1, groups=[[5, 6, 7]], plays=[(3, 100)])
    close_game(number=1, by=SUE, now=NOW)
    if recorded:
        record_numbers(number=1, upto=recorded, now=NOW)
    first = Draw.objects.get(game=1)
    game = void_draw(number=1, by=SUE, reason="The screen went dark.", now=NOW)
    assert (game.status, game.drawn_at) == ("closed", None)
    first.refresh_from_db()
    assert (first.voided_by, first.void_reason) == ("staff:sue", "The screen went dark.")
    assert verify_commitment(raw(first.commitment), raw(first.seed), first.occasion)
    second = Draw.objects.get(game=1, voided_at=None)
    assert (second.attempt, second.numbers) == (2, [])
    assert second.commitment != first.commitment
    assert seed_of(second) != raw(first.seed)
    # Who is in the game stays in it: the first number of the game has been recorded (6.1).
    assert hold_before_first_number(1) is (recorded == 0)
    incident = Incident.objects.get()
    assert (incident.kind, incident.clause) == ("keno-malfunction", "act-keno:12.3")
    assert set(Notice.objects.values_list("to", flat=True)) == {"inspector", "players"}
    draw_game(number=1, by=SUE, now=NOW)
    second.refresh_from_db()
    assert Game.objects.get(pk=1).status == "settled"
    assert len(second.numbers) == 20
    assert second.numbers[:recorded] != first.numbers or not recorded
    voided = Act.objects.get(kind="keno.voided").data
    assert voided["numbers"] == first.numbers
    assert voided["commitment"] == raw(second.commitment).hex()


def test_the_worker_redraws_a_void_attempt_by_itself() -> None:
    open_first_game()
    close_game(number=1, by=SUE, now=NOW)
    run(NOW, NOW + timedelta(seconds=8))
    void_draw(number=1, by=SUE, now=NOW + timedelta(seconds=8))
    run(NOW + timedelta(seconds=9), NOW + timedelta(seconds=30))
    assert Game.objects.get(pk=1).status == "settled"
    assert [len(draw.numbers) for draw in Draw.objects.filter(game=1)] == [7, 20]


@pytest.mark.clause("act-keno:12.3", "act-keno:12.4a")
@pytest.mark.parametrize("other_way", [False, True])
def test_a_void_draw_may_be_redrawn_with_the_other_device(other_way: bool) -> None:
    """The generator stands still, or the blower does: the supervisor says with what the game is drawn again."""
    before, then = ("mechanical", "rng") if other_way else ("rng", "mechanical")
    KenoSettings.objects.create(device=before)
    open_first_game()
    ticket = put_ticket(first_game=1, groups=[BALLS[:3]], plays=[(3, 100)])
    close_game(number=1, by=SUE, now=NOW)
    if other_way:
        enter_balls(number=1, balls=BALLS[:7], by=SUE, now=NOW)
    else:
        record_numbers(number=1, upto=7, now=NOW)
    game = void_draw(number=1, by=SUE, device=then, now=NOW)
    assert (game.status, game.device) == ("closed", then)
    first, second = Draw.objects.filter(game=1).order_by("attempt")
    assert (first.device, len(first.numbers), second.device, second.numbers) == (before, 7, then, [])
    assert (second.commitment is None) is not other_way
    voided = Act.objects.get(kind="keno.voided").data
    assert (voided["device"], (voided["commitment"] is None), (voided["seed"] is None)) == (
        then,
        not other_way,
        other_way,
    )
    if other_way:
        draw_game(number=1, by=SUE, now=NOW)
    else:
        with pytest.raises(Conflict) as refused:
            draw_game(number=1, by=SUE, now=NOW)
        assert refused.value.code == "device-mechanical"
        enter_balls(number=1, balls=BALLS, by=SUE, now=NOW)
    second.refresh_from_db()
    assert Game.objects.get(pk=1).status == "settled"
    assert (bytes(second.ticket_root or b""), second.ticket_count) == (bytes(first.ticket_root or b""), 1)
    assert Prize.objects.filter(ticket=ticket).exists() is (len({*BALLS[:3]} & {*second.numbers}) >= 2)
    # The games after it are drawn as the venue has chosen.
    assert (Game.objects.get(pk=2).device, KenoSettings.current().device) == (before, before)


def test_a_device_that_is_none_changes_nothing() -> None:
    open_first_game()
    close_game(number=1, by=SUE, now=NOW)
    with pytest.raises(Refusal) as refused:
        void_draw(number=1, by=SUE, device="dice", now=NOW)
    assert (refused.value.status, refused.value.code, refused.value.field) == (400, "no-such-device", "device")
    assert Draw.objects.filter(game=1).count() == 1
    assert not Incident.objects.exists()


def test_a_seed_that_is_lost_is_void_and_the_next_attempt_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    open_first_game()
    close_game(number=1, by=SUE, now=NOW)
    monkeypatch.setattr(keys, "secret", lambda name: "restored on another machine")
    void_draw(number=1, by=SUE, reason="The key of the seeds is lost.", now=NOW)
    assert Draw.objects.get(game=1, attempt=1).seed is None
    draw_game(number=1, by=SUE, now=NOW)
    assert Game.objects.get(pk=1).status == "settled"


def test_what_cannot_be_void_stays_as_it_is() -> None:
    open_first_game()
    before = list(Game.objects.values())
    with pytest.raises(Conflict) as refused:
        void_draw(number=1, by=SUE, now=NOW)
    assert refused.value.code == "game-open"
    with pytest.raises(Refusal):
        void_draw(number=1, by=NOBODY, now=NOW)
    close_game(number=1, by=SUE, now=NOW)
    with pytest.raises(Refusal) as balls:
        void_draw(number=1, by=SUE, cause="balls-spilled", now=NOW)
    assert balls.value.code == "no-balls"
    with pytest.raises(Refusal) as cause:
        void_draw(number=1, by=SUE, cause="bad-luck", now=NOW)
    assert cause.value.status == 400
    draw_game(number=1, by=SUE, now=NOW)
    with pytest.raises(Conflict) as settled:
        void_draw(number=1, by=SUE, now=NOW)
    assert settled.value.code == "game-settled"
    assert before[0]["status"] == "open"
    assert not Incident.objects.exists()
    assert Draw.objects.filter(game=1).count() == 1


@pytest.mark.clause("act-keno:14.1", "act-keno:14.4", "act-keno:14.5")
@pytest.mark.parametrize("stage", ["open", "closed", "drawing", "drawn"])
def test_an_invalidated_game_is_refunded_and_its_contributions_go_back(stage: str) -> None:
    open_first_game()
    put_ticket(first_game=1, groups=[[1, 2, 3, 4, 5, 6]], plays=[(6, 400)], jackpot=True)
    put_ticket(first_game=1, groups=[[1, 2, 3]], plays=[(3, 100)], games=50)
    sold("53.00")
    hold_pools(day=DAY)
    before = purses_of(6)
    if stage != "open":
        close_game(number=1, by=SUE, now=NOW)
        # 25% of $4.00, split 15/6/4; the reimbursement pool pays the house back what it put in.
        assert purses_of(6).prize - before.prize == Money.parse("0.60")
        assert purses_of(6).secondary - before.secondary == Money.parse("0.24")
        assert before.owed - purses_of(6).owed == Money.parse("0.16")
    if stage in ("drawing", "drawn"):
        record_numbers(number=1, upto=20 if stage == "drawn" else 3, now=NOW)
    game = invalidate_game(number=1, by=SUE, cause="fire", reason="The kitchen burned.", now=NOW)
    assert (game.status, game.invalidation_cause, game.invalidated_by) == ("invalidated", "fire", "staff:sue")
    assert purses_of(6) == before
    refunds = Prize.objects.filter(game=1).order_by("ticket_id")
    assert [(row.kind, row.amount) for row in refunds] == [
        ("refund", Money.parse("4.00")),
        ("refund", Money.parse("1.00")),
    ]
    books = balances([REFUNDS_OWING, STAKES_HELD, STAKES])
    assert books[REFUNDS_OWING].amount == Money.parse("5.00")
    assert books[STAKES_HELD].amount == Money.parse("48.00")
    assert books[STAKES].amount == Money(0)
    if stage != "open":
        assert balance(CONTRIBUTIONS).amount == Money(0)
    assert Incident.objects.get().kind == "keno-game-invalidated"
    assert Game.objects.get(pk=2).status == "open"
    for verb in (close_game, draw_game, void_draw, invalidate_game):
        with pytest.raises(Conflict) as refused:
            verb(number=1, by=SUE, now=NOW)
        assert refused.value.code == "game-invalidated"
    # The games after it go on.
    close_game(number=2, by=SUE, now=NOW)
    draw_game(number=2, by=SUE, now=NOW)
    assert totals_of(2)["tickets"] == 1


@pytest.mark.clause("act-keno:14.5", "act-keno:3.1a")
def test_a_free_game_that_is_invalidated_refunds_nothing() -> None:
    open_first_game()
    put_ticket(first_game=1, groups=[[1, 2, 3]], plays=[(3, 100)], games=2, charged_games=1)
    close_game(number=1, by=SUE, now=NOW)
    close_game(number=2, by=SUE, now=NOW)
    invalidate_game(number=2, by=SUE, now=NOW)
    assert not Prize.objects.filter(game=2).exists()


def test_a_settled_game_stands() -> None:
    open_first_game()
    close_game(number=1, by=SUE, now=NOW)
    draw_game(number=1, by=SUE, now=NOW)
    before = Game.objects.filter(pk=1).values().get()
    with pytest.raises(Conflict) as refused:
        invalidate_game(number=1, by=SUE, now=NOW)
    assert (refused.value.code, refused.value.clause) == ("game-settled", "act-keno:14.1")
    with pytest.raises(Refusal) as forbidden:
        invalidate_game(number=2, by=NOBODY, now=NOW)
    assert forbidden.value.status == 403
    with pytest.raises(Refusal) as cause:
        invalidate_game(number=2, by=SUE, cause="boredom", now=NOW)
    assert cause.value.status == 400
    assert Game.objects.filter(pk=1).values().get() == before
    assert Game.objects.get(pk=2).status == "open"
    assert set(POOLS) == {6, 8}
