"""Telling winners who need not be present, within two days of the draw (17.8, 15.8): every attempt is on record.

What the rule asks for is reasonable endeavours: a winner nobody tried to tell in time is a breach, and opens an
incident; one who could not be reached stays on the list until he is.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Count, QuerySet

from house.incidents import open_incident
from house.log import record_act
from kernel.actors import Actor, system
from kernel.refusal import Refusal
from promotions.acts.prizes import WinnerNotReached, WinnerTold
from promotions.incident_kinds import NOT_NOTIFIED
from promotions.locks import database_time
from promotions.models import Notification, Win, WinStatus
from promotions.permissions import NOTIFY
from promotions.prize_steps import must_be_tellable
from promotions.rules.claims import check_notification
from promotions.versions import edition_of, terms_in_force
from promotions.wins import lock_win

WATCHER: Final = system("promotions-notify")
_CLOCKS_DIFFER_BY: Final = timedelta(minutes=1)  # clocks differ by seconds


@transaction.atomic
def record_notification(
    *,
    win_id: int,
    how: str,
    reached: bool,
    by: Actor,
    at: datetime | None = None,
    notes: str = "",
    now: datetime | None = None,
) -> Notification:
    """One attempt to tell the winner, by a method of the terms, whether it reached him or not."""
    by.require(NOTIFY)
    promotion, win = lock_win(win_id)
    edition = edition_of(promotion)
    check_notification(edition, how)
    _, terms = terms_in_force(promotion)
    if how not in terms.notification:
        raise Refusal(
            "method-not-in-terms",
            f"By the terms winners are told {' or '.join(terms.notification)}.",
            clause=edition.particular("7.9"),
            field="how",
        )
    must_be_tellable(win)
    now = now or database_time()
    at = at or now
    if at.tzinfo is None or not win.won_at <= at <= now + _CLOCKS_DIFFER_BY:
        raise Refusal("time-impossible", "It was after the draw, and not later than now.", field="at")
    if len(notes) > 300:
        raise Refusal("notes-too-long", "Notes have at most 300 characters.", field="notes")
    attempt = Notification.objects.create(
        win=win, at=at, how=how, reached=reached, notes=notes.strip(), recorded_at=now, by=by.identity
    )
    if reached and (win.told_at is None or at < win.told_at):
        win.told_at = at
        win.save(update_fields=["told_at"])
    tried = WinnerTold if reached else WinnerNotReached
    record_act(tried(promotion=promotion.code, win=win.pk, how=how, at=at), by=by)
    return attempt


def overdue(*, now: datetime | None = None) -> QuerySet[Win]:
    """Winners who should have been told by now and were not, with the number of attempts; the longest overdue first."""
    return (
        Win.objects.filter(told_at=None, notify_by__lt=now or database_time(), status=WinStatus.DRAWN)
        .annotate(attempts=Count("notifications"))
        .select_related("promotion", "prize", "pick")
        .order_by("notify_by", "id")
    )


def is_overdue(win: Win, now: datetime) -> bool:
    """The same of one winner."""
    waits = win.status == WinStatus.DRAWN and win.told_at is None
    return waits and win.notify_by is not None and win.notify_by < now


def raise_overdue(*, now: datetime) -> int:
    """An incident for every winner whom nobody tried to tell in time; once each. How many there were."""
    raised = 0
    for seen in overdue(now=now).filter(overdue_incident=None, notifications=None):
        with transaction.atomic():
            promotion, win = lock_win(seen.pk)
            if win.overdue_incident is not None or win.notifications.exists() or win.status != WinStatus.DRAWN:
                continue
            incident = open_incident(
                kind=NOT_NOTIFIED[promotion.edition],
                what=f"Nobody has tried to tell the winner of “{win.prize.name}” in {promotion.code} (entry "
                f"{win.pick.number}) within two days of the draw.",
                by=WATCHER,
                subject=promotion.subject,
            )
            win.overdue_incident = incident.pk
            win.save(update_fields=["overdue_incident"])
            raised += 1
    return raised
