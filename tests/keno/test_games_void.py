"""Void draws and invalidated games (12, 14)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from draws import ask as draws
from house.approvals import approve
from house.models import Incident, Notice, Proposal
from keno.accounts import REFUNDS_OWING, STAKES, STAKES_HELD
from keno.attempts import promise_of, said_of
from keno.chart import CONTRIBUTIONS
from keno.close import close_game
from keno.dice import dice_for_game
from keno.draw import ask_witness, draw_game, draw_numbers
from keno.invalidate import invalidate_game
from keno.jackpots import POOLS, hold_pools, purses_of
from keno.locks import hold_before_asking
from keno.models import Draw, Game, KenoSettings, Prize
from keno.queries.attempts import attempts_of
from keno.stop_draw import invalidate_or_propose, void_or_propose
from keno.void import DrawBegun, OthersDecide, void_draw
from kernel.money import Money
from kernel.refusal import Conflict, Forbidden, Refusal
from ledger.accounts import open_account
from ledger.balance import balance, balances
from ledger.models import Account, Act
from ledger.post import Booking, post
from tests.world.keno_balls import enter_balls
from tests.world.keno_games import (
    DAY,
    INSPECTOR,
    NOBODY,
    OPENS,
    SAM,
    SUE,
    decide,
    open_first_game,
    put_ticket,
    raw,
    run,
    some_numbers,
    totals_of,
)

if TYPE_CHECKING:
    from tests.world.second_party import AtHand

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
def test_before_the_witness_is_asked_two_people_declare_a_draw_void_and_say_why() -> None:
    open_first_game()
    put_ticket(first_game=1, groups=[[5, 6, 7]], plays=[(3, 100)])
    close_game(number=1, by=SUE, now=NOW)
    sealed = Game.objects.get(pk=1)
    dark: dict[str, Any] = {"number": 1, "cause": "malfunction", "reason": "The screen went dark.", "now": NOW}
    with pytest.raises(OthersDecide):
        void_draw(by=SUE, **dark)
    with pytest.raises(Refusal) as empty:
        void_or_propose(by=SUE, **dark | {"reason": " "})
    assert (empty.value.code, empty.value.clause) == ("reason-missing", "act-keno:12.3")
    assert not Proposal.objects.filter(kind="keno.void-unasked").exists()
    proposed = void_or_propose(by=SUE, **dark)
    assert isinstance(proposed, Proposal)
    with pytest.raises(Forbidden):
        approve(proposal_id=proposed.pk, by=SUE)
    with pytest.raises(Conflict):
        void_or_propose(by=SAM, **dark)
    assert Draw.objects.get(game=1).voided_at is None
    assert not Incident.objects.exists()
    assert approve(proposal_id=proposed.pk, by=SAM).status == "effective"
    game = Game.objects.get(pk=1)
    assert (game.status, game.asked_at, raw(game.ticket_root)) == ("sealed", None, raw(sealed.ticket_root))
    first, second = Draw.objects.filter(game=1).order_by("attempt")
    assert (first.voided_by, first.void_reason, first.would_be) == ("staff:sam", "The screen went dark.", [])
    assert (second.attempt, second.numbers) == (2, [])
    assert hold_before_asking(1, upto=1)
    incident = Incident.objects.get()
    assert (incident.kind, incident.clause) == ("keno-malfunction", "act-keno:12.3")
    assert set(Notice.objects.values_list("to", flat=True)) == {"inspector", "players"}
    draw_game(number=1, by=SUE, now=NOW)
    second.refresh_from_db()
    # Nobody had been asked about the first: the witness's first attempt is the second of the game.
    assert (Game.objects.get(pk=1).status, len(second.numbers), second.asked) == ("settled", 20, 1)


@pytest.mark.clause("act-keno:12.3")
def test_what_two_had_to_decide_is_the_inspectors_once_the_witness_is_asked() -> None:
    open_first_game()
    close_game(number=1, by=SUE, now=NOW)
    dark: dict[str, Any] = {"number": 1, "cause": "malfunction", "reason": "The screen went dark.", "now": NOW}
    early = void_or_propose(by=SUE, **dark)
    assert isinstance(early, Proposal)
    ask_witness(number=1, now=NOW)
    assert approve(proposal_id=early.pk, by=SAM).status == "failed"
    assert Draw.objects.get(game=1).voided_at is None
    assert void_or_propose(by=SUE, **dark).kind == "keno.void-draw"  # type: ignore[union-attr]


@pytest.mark.clause("act-keno:12.3")
@pytest.mark.parametrize("recorded", [0, 7, 20])
def test_a_draw_that_has_begun_is_void_by_two_people_and_the_inspector(recorded: int) -> None:
    open_first_game()
    put_ticket(first_game=1, groups=[[5, 6, 7]], plays=[(3, 100)])
    close_game(number=1, by=SUE, now=NOW)
    ask_witness(number=1, now=NOW)
    if recorded:
        draw_numbers(number=1, upto=recorded, now=NOW)
    before = Game.objects.filter(pk=1).values().get()
    with pytest.raises(DrawBegun):
        void_draw(number=1, by=SUE, reason="The screen went dark.", now=NOW)
    proposed = void_or_propose(number=1, by=SUE, cause="malfunction", reason="The screen went dark.", now=NOW)
    assert isinstance(proposed, Proposal)
    assert (proposed.kind, proposed.new) == ("keno.void-draw", {"attempt": 1, "cause": "malfunction"})
    with pytest.raises(Conflict):  # once is enough
        void_or_propose(number=1, by=SAM, cause="malfunction", reason="", now=NOW)
    with pytest.raises(Forbidden):
        approve(proposal_id=proposed.pk, by=SUE)
    with pytest.raises(Conflict):
        approve(proposal_id=proposed.pk, by=INSPECTOR)
    approve(proposal_id=proposed.pk, by=SAM)
    for one in (SUE, SAM):
        with pytest.raises(Forbidden):
            approve(proposal_id=proposed.pk, by=one)
    assert Game.objects.filter(pk=1).values().get() == before
    assert Draw.objects.filter(game=1).count() == 1
    assert approve(proposal_id=proposed.pk, by=INSPECTOR).status == "effective"

    first, second = Draw.objects.filter(game=1).order_by("attempt")
    said = said_of(first)
    assert said is not None
    assert first.would_be == draws.numbers(promise_of(1), said, pool=80, count=20)
    published = Act.objects.get(kind="draw.void").data
    assert (published["numbers"], published["attempt"]) == (first.would_be, 1)
    voided = Act.objects.get(kind="keno.voided").data
    assert (voided["numbers"], voided["would_be"]) == (first.numbers, first.would_be)
    assert not hold_before_asking(1, upto=1)  # who was in it stays in it
    draw_game(number=1, by=SUE, now=NOW)
    second.refresh_from_db()
    assert (Game.objects.get(pk=1).status, second.asked, len(second.numbers)) == ("settled", 2, 20)
    assert second.numbers != first.would_be
    roots = set(Act.objects.filter(kind="witness.asked").values_list("data__root", flat=True))
    assert roots == {raw(Game.objects.get(pk=1).ticket_root).hex()}
    assert Act.objects.filter(kind="draw.promised", subject="promise:keno/1").count() == 1


def test_what_has_no_answer_cannot_be_void(second_party: AtHand) -> None:
    open_first_game()
    close_game(number=1, by=SUE, now=NOW)
    second_party.away = True
    assert ask_witness(number=1, now=NOW) is None
    with pytest.raises(Conflict) as refused:
        void_or_propose(number=1, by=SUE, cause="malfunction", reason="We would rather not wait.", now=NOW)
    assert refused.value.code == "not-answered-yet"
    assert not Proposal.objects.exists()


def test_the_worker_redraws_a_void_attempt_by_itself() -> None:
    open_first_game()
    close_game(number=1, by=SUE, now=NOW)
    run(NOW, NOW + timedelta(seconds=8))
    decide(void_or_propose(number=1, by=SUE, cause="malfunction", reason="Dark.", now=NOW + timedelta(seconds=8)))
    Draw.objects.filter(game=1, attempt=2).update(made_at=NOW + timedelta(seconds=8))
    run(NOW + timedelta(seconds=9), NOW + timedelta(seconds=30))
    assert Game.objects.get(pk=1).status == "settled"
    assert [len(draw.numbers) for draw in Draw.objects.filter(game=1)] == [7, 20]


@pytest.mark.clause("act-keno:12.3", "act-keno:12.4a")
@pytest.mark.parametrize("other_way", [False, True])
def test_a_draw_goes_on_with_the_other_device_by_two_people_and_the_inspector(other_way: bool) -> None:
    """The generator stands still, or the blower does."""
    before, then = ("mechanical", "rng") if other_way else ("rng", "mechanical")
    KenoSettings.objects.create(device=before)
    open_first_game()
    ticket = put_ticket(first_game=1, groups=[BALLS[:3]], plays=[(3, 100)])
    close_game(number=1, by=SUE, now=NOW)
    if other_way:
        enter_balls(number=1, balls=BALLS[:7], by=SUE, now=NOW)
    else:
        draw_numbers(number=1, upto=7, now=NOW)
    sealed = Game.objects.get(pk=1)
    decide(void_or_propose(number=1, by=SUE, cause="malfunction", reason="It stands still.", device=then, now=NOW))
    game = Game.objects.get(pk=1)
    assert (game.status, game.device) == ("sealed", then)
    first, second = Draw.objects.filter(game=1).order_by("attempt")
    assert (first.device, len(first.numbers), second.device, second.numbers) == (before, 7, then, [])
    voided = Act.objects.get(kind="keno.voided").data
    assert (voided["device"], "would_be" in voided) == (then, not other_way)
    if other_way:
        draw_game(number=1, by=SUE, now=NOW)
    else:
        with pytest.raises(Conflict) as refused:
            draw_game(number=1, by=SUE, now=NOW)
        assert refused.value.code == "device-mechanical"
        enter_balls(number=1, balls=BALLS, by=SUE, now=NOW)
    second.refresh_from_db()
    game.refresh_from_db()
    assert game.status == "settled"
    assert (raw(game.ticket_root), game.ticket_count) == (raw(sealed.ticket_root), 1)
    assert Prize.objects.filter(ticket=ticket).exists() is (len({*BALLS[:3]} & {*second.numbers}) >= 2)
    # The games after it are drawn as the venue has chosen.
    assert (Game.objects.get(pk=2).device, KenoSettings.current().device) == (before, before)


def test_before_anything_has_begun_two_people_change_the_device_and_one_changes_it_back() -> None:
    open_first_game()
    close_game(number=1, by=SUE, now=NOW)
    still = {"cause": "malfunction", "reason": "It stands still.", "now": NOW}
    for device, attempt in (("mechanical", 2), ("rng", 3), ("mechanical", 4)):
        done = void_or_propose(number=1, by=SUE, device=device, **still)  # type: ignore[arg-type]
        assert isinstance(done, Proposal) is (device == "mechanical")
        if isinstance(done, Proposal):
            approve(proposal_id=done.pk, by=SAM)
        standing = Draw.objects.get(game=1, voided_at=None)
        assert (standing.device, standing.attempt) == (device, attempt)
    enter_balls(number=1, balls=BALLS, by=SUE, now=NOW)
    assert Game.objects.get(pk=1).status == "settled"


@pytest.mark.clause("act-keno:12.3")
def test_while_the_witness_is_away_balls_are_drawn_by_the_inspectors_act(second_party: AtHand) -> None:
    """And back to the generator once it has answered: what would have come is published first."""
    open_first_game()
    close_game(number=1, by=SUE, now=NOW)
    second_party.away = True
    ask_witness(number=1, now=NOW)
    decide(void_or_propose(number=1, by=SUE, cause="malfunction", reason="Away.", device="mechanical", now=NOW))
    first, second = Draw.objects.filter(game=1).order_by("attempt")
    assert (first.would_be, second.device, second.asked) == ([], "mechanical", None)
    enter_balls(number=1, balls=BALLS[:4], by=SUE, now=NOW)
    decide(void_or_propose(number=1, by=SUE, cause="malfunction", reason="Blower.", device="rng", now=NOW))
    with pytest.raises(Conflict) as refused:
        draw_game(number=1, by=SUE, now=NOW)
    assert refused.value.code == "witness-away"
    second_party.away = False
    from draws import second_party as turned_to

    turned_to.ask(promise_of(1), occasion="1", attempt=1, by=SUE)
    draw_game(number=1, by=SUE, now=NOW)
    first.refresh_from_db()
    third = Draw.objects.get(game=1, attempt=3)
    assert (len(first.would_be), third.asked, Game.objects.get(pk=1).status) == (20, 2, "settled")


@pytest.mark.clause("act-keno:12.3")
def test_while_the_witness_is_away_an_inspector_throws_dice(second_party: AtHand) -> None:
    open_first_game()
    close_game(number=1, by=SUE, now=NOW)
    throws = "351624" * 9
    with pytest.raises(Conflict):
        dice_for_game(number=1, dice=throws, why="Away.", by=INSPECTOR)
    second_party.away = True
    ask_witness(number=1, now=NOW)
    with pytest.raises(Forbidden):
        dice_for_game(number=1, dice=throws, why="Away.", by=SUE)
    dice_for_game(number=1, dice=throws, why="The line is down.", by=INSPECTOR)
    draw_game(number=1, by=SUE, now=NOW)
    shown = attempts_of(Game.objects.get(pk=1))[0]
    assert (shown["witness"], shown["unwitnessed"], len(shown["drawn"])) == (None, "dice", 20)


def test_a_device_that_is_none_changes_nothing() -> None:
    open_first_game()
    close_game(number=1, by=SUE, now=NOW)
    with pytest.raises(Refusal) as refused:
        void_draw(number=1, by=SUE, device="dice", now=NOW)
    assert (refused.value.status, refused.value.code, refused.value.field) == (400, "no-such-device", "device")
    assert Draw.objects.filter(game=1).count() == 1
    assert not Incident.objects.exists()


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
        draw_numbers(number=1, upto=20 if stage == "drawn" else 3, now=NOW)
    what = invalidate_or_propose(number=1, by=SUE, cause="fire", reason="The kitchen burned.", now=NOW)
    by = "staff:sue"
    if stage in ("drawing", "drawn"):
        assert Game.objects.get(pk=1).status == stage
        decide(what)
        by = INSPECTOR.identity
        assert len(Draw.objects.get(game=1).would_be) == 20
    game = Game.objects.get(pk=1)
    assert (game.status, game.invalidation_cause, game.invalidated_by) == ("invalidated", "fire", by)
    assert Act.objects.filter(kind="draw.revealed").count() == 1
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
