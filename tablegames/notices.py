"""Notices at a table: limits that will hold, a minimum raised at once, the time of its closing; closing it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house import incidents
from house.gaming_days import latest_gaming_day
from house.log import record_act
from kernel.actors import Actor
from kernel.refusal import Conflict, NotFound, Refusal
from tablegames import in_force, incident_kinds, permissions, tables
from tablegames.acts import (
    ClosingAnnounced,
    LimitsAnnounced,
    NoticeTakenDown,
    TableClosed,
    TableReopened,
)
from tablegames.models import GamingTable, Seat, SignMarker, SignNotice, TableClosing
from tablegames.rules import catalogue
from tablegames.rules.signs import Limits, MarkerKind
from tablegames.rules.terms import limits_as_data
from tablegames.seats import leave_all, lock_table, place_marker


@transaction.atomic
def announce_limits(*, table: str, limits: Limits, by: Actor, takes_effect_at: datetime | None = None) -> SignNotice:
    """Put up a notice of the limits that will hold: a higher minimum after 20 minutes, a lower one at once (6.5)."""
    by.require(permissions.SIGNS)
    found = lock_table(table)
    now = timezone.now()
    from_at = takes_effect_at or now
    check_limits(found, limits)
    in_force.signs_at(found).must_announce(limits, takes_effect_at=from_at, at=now)
    _must_be_approved(found, limits, at=now)
    return put_up(found, limits, shown_at=now, takes_effect_at=from_at, at_once=False, by=by)


@transaction.atomic
def raise_minimum_at_once(*, table: str, limits: Limits, by: Actor) -> SignNotice:
    """Those who play already stay on the old minimum, each with a marker at his box (6.5.1, 6.5.1.1)."""
    by.require(permissions.SIGNS)
    found = lock_table(table)
    now = timezone.now()
    check_limits(found, limits)
    signs = in_force.signs_at(found)
    signs.must_raise_at_once(limits, at=now)
    _must_be_approved(found, limits, at=now)
    before = signs.limits_at(now)
    marked = {each.seat for each in signs.markers_at(now) if each.kind is MarkerKind.OLD_MINIMUM}
    ended = SignMarker.objects.filter(seat__table=found, kind=MarkerKind.OLD_MINIMUM, removed_at=None)
    ended.exclude(seat__in=marked).update(removed_at=now, removed_by=by.identity)  # a notice had ended them
    notice = put_up(found, limits, shown_at=now, takes_effect_at=now, at_once=True, by=by)
    for seat in Seat.objects.filter(table=found, left_at=None).exclude(pk__in=marked):
        place_marker(seat, MarkerKind.OLD_MINIMUM, before, at=now, by=by)
    return notice


@transaction.atomic
def announce_closing(*, table: str, closes_at: datetime, by: Actor) -> SignNotice:
    """Put up the time of closing: 20 minutes ahead where the rules say so (16.13)."""
    by.require(permissions.SIGNS)
    found = lock_table(table)
    now = timezone.now()
    _must_be_open_now(found)
    in_force.signs_at(found).must_announce_closing(closes_at=closes_at, at=now)
    notice = SignNotice.objects.create(table=found, shown_at=now, takes_effect_at=closes_at, by=by.identity)
    record_act(ClosingAnnounced(table=found.code, notice=notice.pk, shown_at=now, closes_at=closes_at), by=by)
    return notice


@transaction.atomic
def take_notice_down(*, table: str, number: int, by: Actor) -> SignNotice:
    """Before it holds: what was announced will not come."""
    by.require(permissions.SIGNS)
    found = lock_table(table)
    notice = SignNotice.objects.filter(table=found, pk=number).first()
    if notice is None:
        raise NotFound("no-such-notice", f"There is no notice {number} at {found}.")
    now = timezone.now()
    if notice.taken_down_at is not None:
        raise Conflict("notice-down", f"Notice {number} is down already.")
    if notice.limits is not None and notice.takes_effect_at <= now:
        raise Conflict("notice-holds", f"Notice {number} holds already: announce other limits.")
    _down(notice, at=now, by=by)
    return notice


@transaction.atomic
def close_table(*, table: str, by: Actor) -> TableClosing:
    """With players at it after its notice only; in the ACT they and an inspector are told (act-bj:15.2)."""
    by.require(permissions.SIGNS)
    found = lock_table(table)
    now = timezone.now()
    _must_be_open_now(found)
    signs = in_force.signs_at(found)
    signs.must_close(at=now)
    closing = TableClosing.objects.create(table=found, closed_at=now, by=by.identity)
    record_act(TableClosed(table=found.code, players=len(signs.players_at(now)), at=now), by=by)
    leave_all(found, at=now, by=by)
    for notice in SignNotice.objects.filter(table=found, limits__isnull=True, taken_down_at=None):
        _down(notice, at=now, by=by)
    day = latest_gaming_day(now)
    if signs.rules.tell_inspector_of_closing and day is not None and day.is_open_at(now):
        incidents.open_incident(
            kind=incident_kinds.TABLE_CLOSED_EARLY,
            what=f"Gaming table {found} was closed before the close of gaming.",
            by=by,
            happened_at=now,
            subject=f"table:{found.code}",
            rules=signs.document,
            caused_by=(),
        )
    return closing


@transaction.atomic
def reopen_table(*, table: str, by: Actor) -> TableClosing:
    by.require(permissions.SIGNS)
    found = lock_table(table)
    closing = TableClosing.objects.filter(table=found, reopened_at=None).first()
    if closing is None:
        raise Conflict("table-open", f"Gaming table {found} is open.")
    closing.reopened_at, closing.reopened_by = timezone.now(), by.identity
    closing.save(update_fields=["reopened_at", "reopened_by"])
    record_act(TableReopened(table=found.code, at=closing.reopened_at), by=by)
    return closing


def _must_be_open_now(table: GamingTable) -> None:
    if in_force.is_closed(table):
        raise Conflict("table-closed", f"Gaming table {table} is closed.")


def _must_be_approved(table: GamingTable, limits: Limits, *, at: datetime) -> None:
    """What the house may lose on a wager is not one person's to raise."""
    if above := in_force.signs_at(table).above_approved(limits, at=at):
        raise Conflict(
            "needs-second-person",
            f"The maximum of “{above[0]}” would be above the approved sign’s: propose it, and another person decides.",
            field=f"limits.{above[0]}",
        )


def check_limits(table: GamingTable, limits: Limits) -> None:
    """Of wagers of this game; an amount that was approved by itself is not the house's to announce (act-bj:17.4)."""
    game = catalogue.find(table.game)
    game.check_terms(replace(tables.terms_of(tables.in_force(table)), limits=limits))
    now = in_force.terms_at(table).limits
    for wager in game.approved_amounts:
        if limits.get(wager) != now.get(wager):
            raise Refusal(
                "limits-approved",
                f"The amount of “{wager}” is approved, not announced.",
                field=f"limits.{wager}",
            )


def put_up(
    table: GamingTable,
    limits: Limits,
    *,
    shown_at: datetime,
    takes_effect_at: datetime,
    at_once: bool,
    by: Actor,
    proposal: int | None = None,
) -> SignNotice:
    data = limits_as_data(limits)
    notice = SignNotice.objects.create(
        table=table, limits=data, shown_at=shown_at, takes_effect_at=takes_effect_at, by=by.identity
    )
    record_act(
        LimitsAnnounced(
            table=table.code,
            notice=notice.pk,
            limits=data,
            shown_at=shown_at,
            takes_effect_at=takes_effect_at,
            at_once=at_once,
            proposal=proposal,
        ),
        by=by,
    )
    return notice


def _down(notice: SignNotice, *, at: datetime, by: Actor) -> None:
    notice.taken_down_at, notice.taken_down_by = at, by.identity
    notice.save(update_fields=["taken_down_at", "taken_down_by"])
    record_act(NoticeTakenDown(table=notice.table.code, notice=notice.pk, at=at), by=by)
