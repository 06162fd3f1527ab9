"""Where entrants must be present (17.7.8, 15.7.8): a winner is called and has the time of the terms to come forward; if
he does not, two people and the scrutineer say so (`promotions.losses`), and the next in the drawn order wins.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from house.log import record_act
from kernel.actors import Actor
from promotions import prize_steps as steps
from promotions.acts.prizes import WinnerCalled, WinnerPresent
from promotions.locks import database_time
from promotions.losses import note
from promotions.models import LossCase, LossReason, Promotion, Win
from promotions.permissions import DRAW
from promotions.versions import terms_in_force
from promotions.wins import lock_win


@transaction.atomic
def call_winner(*, win_id: int, by: Actor, now: datetime | None = None) -> Win:
    """Call a winner: the clock of the terms begins. Prizes are called in their order."""
    by.require(DRAW)
    promotion, win = lock_win(win_id)
    seconds = _call_seconds(promotion)
    steps.must_be_waiting(win)
    if win.called_at is not None:
        return win
    steps.must_be_next(win, Win.objects.filter(pick__draw=win.pick.draw_id).select_related("pick"))
    win.called_at = now or database_time()
    win.call_ends_at = win.called_at + timedelta(seconds=seconds)
    win.save(update_fields=["called_at", "call_ends_at"])
    called = WinnerCalled(
        promotion=promotion.code,
        place=win.pick.place,
        entry=win.pick.number,
        prize=win.pick.prize,
        until=win.call_ends_at,
    )
    record_act(called, by=by)
    return win


@transaction.atomic
def winner_present(*, win_id: int, by: Actor, now: datetime | None = None) -> Win:
    """The winner came forward in time."""
    by.require(DRAW)
    promotion, win = lock_win(win_id)
    _call_seconds(promotion)
    steps.must_be_waiting(win)
    if win.present_at is not None:
        return win
    steps.must_have_no_case(win)
    now = now or database_time()
    steps.must_be_in_time(win, now)
    win.present_at = now
    win.save(update_fields=["present_at"])
    pick = win.pick
    present = WinnerPresent(promotion=promotion.code, place=pick.place, entry=pick.number, prize=pick.prize)
    record_act(present, by=by)
    return win


@transaction.atomic
def winner_absent(*, win_id: int, by: Actor, now: datetime | None = None) -> LossCase:
    """Nobody came forward in time, says one person: another seconds it, and the scrutineer signs."""
    by.require(DRAW)
    promotion, win = lock_win(win_id)
    _call_seconds(promotion)
    steps.must_be_waiting(win)
    now = now or database_time()
    steps.must_be_absent(win, now)
    return note(win=win, reason=LossReason.ABSENT, by=by, now=now)


def _call_seconds(promotion: Promotion) -> int:
    _, terms = terms_in_force(promotion)
    return steps.must_be_called_by_the_terms(promotion, terms)
