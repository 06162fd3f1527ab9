"""Two operators at once, a worker killed in the middle, two payers: drawn once, lost once, paid once."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from draws.ask import numbers
from kernel.refusal import Refusal
from ledger.models import Act, Question, Transfer
from promotions.attempts import must_be_said
from promotions.calls import call_winner, winner_absent
from promotions.claims import accept_claim, make_claim
from promotions.draw import draw_promotion
from promotions.losses import second_loss, sign_loss
from promotions.models import Draw, EntryList, Loss, Payment, Pick, Promotion, Win
from promotions.pay import Paid, pay_prize
from promotions.tick import tick_draws as tick
from tests.world import promotion_draws as world
from tests.world.dying import dying
from tests.world.promotions import manager, prize
from tests.world.threads import in_threads

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def house() -> None:
    from house.seed import seed
    from promotions.accounts import open_accounts

    seed()  # a flush before this test took what migrations had put there
    open_accounts()


def outcome(do: Callable[[], Any]) -> object:
    """What came of it, or the code of the refusal."""
    try:
        return do()
    except Refusal as refusal:
        return refusal.code


def expected(attempt: Draw) -> list[int]:
    """What the promise and the one answer give, once it was given."""
    return numbers(attempt.promise, must_be_said(attempt), pool=EntryList.objects.get().count, count=3)


def test_two_operators_and_the_tick_draw_once() -> None:
    promotion = world.sealed(prizes=[prize(quantity=2, alternates=0), prize(name="Other", value="1.00")])
    sue, manny = world.supervisor(), manager("manny")
    attempt = Draw.objects.get()
    todo: list[Callable[[], object]] = [
        lambda: draw_promotion(code="SPRING", by=sue, now=promotion.draw_at).numbers,
        lambda: draw_promotion(code="SPRING", by=manny, now=promotion.draw_at).numbers,
        lambda: tick(promotion.draw_at),  # type: ignore[arg-type]
    ]
    answers = in_threads(3, lambda: todo.pop()())  # noqa: PLW0108  each takes another
    assert [answer for answer in answers if answer is not None] == [expected(attempt)] * 2
    assert Draw.objects.get().numbers == expected(attempt)
    assert (Pick.objects.count(), Win.objects.count()) == (3, 3)
    assert Act.objects.filter(kind__in=["promotion.drawn", "promotion.result"]).count() == 2
    assert Transfer.objects.filter(kind="promotions.prize").count() == 3


@pytest.fixture(scope="module")
def killed(django_db_setup: None) -> Iterator[Callable[[str], int]]:
    with dying("tests.promotions.dying_draw") as send:
        yield send


@pytest.mark.parametrize("when", ["begun", "asked", "answered", "middle", "inside", "after"])
def test_a_draw_killed_anywhere_is_made_once_with_the_same_numbers(when: str, killed: Callable[[str], int]) -> None:
    promotion = world.sealed(prizes=[prize(quantity=3)])
    attempt = Draw.objects.get()
    assert promotion.draw_at is not None
    assert killed(f"SPRING {promotion.draw_at.isoformat()} {when}") == signal.SIGKILL
    status = Promotion.objects.get().status
    assert status == ("drawn" if when == "after" else "drawing")
    assert Question.objects.count() == (0 if when == "begun" else 1)
    answers = set(Question.objects.exclude(answer=None).values_list("answer", flat=True))
    assert Pick.objects.exists() is (when == "after")
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    assert Draw.objects.get().numbers == expected(attempt)
    assert answers <= set(Question.objects.values_list("answer", flat=True))  # one question, one answer
    assert Question.objects.count() == 1
    assert Act.objects.filter(kind="promotion.drawn").count() == 1
    assert Act.objects.filter(kind="promotion.result").count() == 1
    assert Transfer.objects.filter(kind="promotions.prize").count() == 3
    assert world.failed(world.published(), world.promised()) == []


def test_two_who_sign_a_loss_draw_one_other() -> None:
    promotion = world.sealed("ABCDEFGH", must_be_present=True, call_seconds=10)
    attempt = draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    (win,) = world.wins()
    call_winner(win_id=win.pk, by=world.supervisor(), now=attempt.drawn_at)
    assert attempt.drawn_at is not None
    late = attempt.drawn_at + world.MINUTE
    case = winner_absent(win_id=win.pk, by=world.supervisor(), now=late)
    second_loss(win_id=win.pk, by=manager("second"), now=late)
    by = world.overseen()

    def sign() -> object:
        return outcome(lambda: len(sign_loss(win_id=win.pk, by=by, now=late)))

    assert sorted(map(str, in_threads(3, sign))) == ["1", "loss-not-noted", "loss-not-noted"]
    case.refresh_from_db()
    assert case.signed_by == by.identity
    assert Loss.objects.count() == 1
    assert len(world.wins()) == 1
    assert world.failed(world.published(), world.promised()) == []


def test_two_payers_pay_once() -> None:
    promotion = world.sealed()
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    (win,) = world.wins()
    claim = make_claim(win_id=win.pk, name="A", address="a", by=world.supervisor(), now=win.won_at)
    accept_claim(claim_id=claim.pk, by=manager())
    by = world.supervisor()

    def pay() -> object:
        parts = [Paid("cheque", win.value, "4711")]
        return outcome(lambda: pay_prize(claim_id=claim.pk, parts=parts, by=by).amount)

    assert sorted(map(str, in_threads(3, pay))) == ["2000.00", "already-paid", "already-paid"]
    assert Payment.objects.count() == 1
    assert Transfer.objects.filter(kind="promotions.payment").count() == 1
