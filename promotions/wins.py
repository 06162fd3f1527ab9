"""Winners as rows, and the books of their prizes: owed when won, owed no more when lost."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from house.gaming_days import gaming_day_at
from house.log import record_act
from kernel.actors import Actor, system
from kernel.refusal import NotFound
from ledger.log import refuse_overtaken
from ledger.post import Booking, post_many
from promotions import accounts
from promotions.acts.prizes import PrizesWon, Won
from promotions.models import Draw, Pick, Prize, Promotion, Win, WinStatus
from promotions.rules.claims import ISSUED_KINDS, MONEY, notify_by

BOOKED_KINDS = frozenset({MONEY, *ISSUED_KINDS})
BOOKKEEPER = system("promotions-draw")


def make(*, draw: Draw, prizes: Sequence[Prize], now: datetime, call_seconds: int | None, claim_days: int) -> None:
    """A row for every winner that has none yet. Who must be present is called; everybody else must be told."""
    new = []
    for pick in Pick.objects.filter(draw=draw, outcome="winner", win=None).order_by("place"):
        assert pick.prize is not None
        prize = prizes[pick.prize - 1]
        new.append(
            Win(
                pick=pick,
                promotion_id=draw.promotion_id,
                prize=prize,
                value=prize.value,
                won_at=now,
                notify_by=None if call_seconds else notify_by(now),
                claim_by=now + timedelta(days=claim_days),
            )
        )
    made = Win.objects.bulk_create(new)
    bookings = [_booking(win, kind="promotions.prize", back=False) for win in made if win.prize.kind in BOOKED_KINDS]
    post_many(bookings=bookings, by=BOOKKEEPER, day=gaming_day_at(now).date, at=now)


def write_down(draw: Draw, picks: Collection[Pick]) -> None:
    """In the log: which prize each of these holds from now on, under which number it is booked."""
    made = Win.objects.filter(pick__in=picks).select_related("pick").order_by("id")
    won = tuple(
        Won(win=win.pk, place=win.pick.place, entry=win.pick.number, prize=win.pick.prize or 0, value=win.value)
        for win in made
    )
    if won:
        record_act(PrizesWon(promotion=draw.promotion.code, draw=draw.pk, won=won), by=BOOKKEEPER)


def lose(*, win: Win, by: Actor, now: datetime) -> None:
    """Not this person's any more; what was owed is not owed."""
    win.status, win.lost_at = WinStatus.LOST, now
    win.save(update_fields=["status", "lost_at"])
    if win.prize.kind in BOOKED_KINDS:
        booking = _booking(win, kind="promotions.prize-lost", back=True)
        post_many(bookings=[booking], by=by, day=gaming_day_at(now).date, at=now)


def _booking(win: Win, *, kind: str, back: bool) -> Booking:
    debit, credit = (accounts.OWING, accounts.PRIZES) if back else (accounts.PRIZES, accounts.OWING)
    return Booking(debit=debit, credit=credit, amount=win.value, kind=kind, reference=str(win.pk))


def find_win(win_id: int) -> Win:
    win = Win.objects.select_related("promotion", "prize", "pick__draw").filter(pk=win_id).first()
    if win is None:
        raise NotFound("no-such-win", f"There is no winner {win_id}.")
    return win


def lock_win(win_id: int) -> tuple[Promotion, Win]:
    """A winner with the rows of promotion and winner locked, in that order."""
    seen = find_win(win_id)
    promotion = Promotion.objects.select_for_update().get(pk=seen.promotion_id)
    Win.objects.select_for_update().get(pk=win_id)
    win = find_win(win_id)
    win.promotion = promotion
    refuse_overtaken(f"promotion:{promotion.code}")
    return promotion, win
