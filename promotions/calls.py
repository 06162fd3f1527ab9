"""Where entrants must be present (17.7.8, 15.7.8): a winner is called and has the time of the terms to come forward; if
he does not, the next in the drawn order wins.

Acts: ``promotion.winner-called`` {"place", "entry", "until"}, ``promotion.winner-present`` {"place", "entry"}.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from house import acts
from house.actors import Actor
from house.refusal import Conflict
from house.times import for_people
from promotions.clock import database_time
from promotions.draw_permissions import DRAW
from promotions.losses import lose_prize
from promotions.models import LossReason, Promotion, Win, WinStatus
from promotions.versions import edition_of, terms_in_force
from promotions.wins import lock_win


@transaction.atomic
def call_winner(*, win_id: int, by: Actor, now: datetime | None = None) -> Win:
    """Call a winner: the clock of the terms begins. Prizes are called in their order."""
    by.require(DRAW)
    promotion, win = lock_win(win_id)
    seconds = _call_seconds(promotion)
    _refuse_settled(win)
    if win.called_at is not None:
        return win
    earlier = (
        Win.objects.filter(pick__draw=win.pick.draw_id, status=WinStatus.DRAWN, present_at=None)
        .filter(pick__prize__lt=win.pick.prize)
        .select_related("pick")
        .order_by("pick__prize")
        .first()
    )
    if earlier is not None:
        raise Conflict(
            "earlier-prize-first", f"Prize {earlier.pick.prize} comes first: its winner has not come forward."
        )
    win.called_at = now or database_time()
    win.call_ends_at = win.called_at + timedelta(seconds=seconds)
    win.save(update_fields=["called_at", "call_ends_at"])
    _note("called", win, by, {"until": win.call_ends_at.isoformat()})
    return win


@transaction.atomic
def winner_present(*, win_id: int, by: Actor, now: datetime | None = None) -> Win:
    """The winner came forward in time."""
    by.require(DRAW)
    promotion, win = lock_win(win_id)
    _call_seconds(promotion)
    _refuse_settled(win)
    if win.present_at is not None:
        return win
    ends = _call_ends(win)
    now = now or database_time()
    if now > ends:
        raise Conflict(
            "call-over",
            f"The time to come forward ended {for_people(ends)}: the winner is absent.",
            clause=edition_of(promotion).particular("7.8"),
        )
    win.present_at = now
    win.save(update_fields=["present_at"])
    _note("present", win, by, {})
    return win


@transaction.atomic
def winner_absent(*, win_id: int, by: Actor, now: datetime | None = None) -> list[Win]:
    """Nobody came forward in time: the next in the drawn order wins. Answers the new winner, if there is one."""
    by.require(DRAW)
    promotion, win = lock_win(win_id)
    _call_seconds(promotion)
    _refuse_settled(win)
    if win.present_at is not None:
        raise Conflict("winner-present", "This winner has come forward.")
    ends = _call_ends(win)
    now = now or database_time()
    if now <= ends:
        raise Conflict(
            "call-not-over",
            f"By the terms the winner has until {for_people(ends)} to come forward.",
            clause=edition_of(promotion).particular("7.8"),
        )
    return lose_prize(win=win, reason=LossReason.ABSENT, by=by, now=now)


def _call_seconds(promotion: Promotion) -> int:
    _, terms = terms_in_force(promotion)
    if terms.call_seconds is None:
        raise Conflict(
            "presence-not-needed",
            f"By its terms nobody need be present at the draw of {promotion.code}: winners are notified.",
            clause=edition_of(promotion).clause("notification"),
        )
    return terms.call_seconds


def _refuse_settled(win: Win) -> None:
    if win.status != WinStatus.DRAWN:
        raise Conflict(f"win-{win.status}", f"This prize is {win.get_status_display()}.")


def _call_ends(win: Win) -> datetime:
    if win.call_ends_at is None:
        raise Conflict("not-called", "Call the winner first.")
    return win.call_ends_at


def _note(what: str, win: Win, by: Actor, more: dict[str, str]) -> None:
    acts.record(
        kind=f"promotion.winner-{what}",
        subject=win.promotion.subject,
        by=by,
        data={"place": win.pick.place, "entry": win.pick.number, "prize": win.pick.prize, **more},
    )
