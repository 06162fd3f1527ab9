"""What is in force at a table: its approved terms with the limits that hold now, notices, markers, who sits where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from django.db.models import Max
from django.utils import timezone

from house import approved
from kernel.refusal import Conflict, Refusal
from tablegames import sign, tables
from tablegames.models import GamingTable, Seat, SignMarker, SignNotice, TableClosing, TimeCharge
from tablegames.rules import catalogue, signs
from tablegames.rules.signs import LimitsNotice, MarkerKind, TableSigns
from tablegames.rules.terms import Terms, limits_as_data


def signs_at(table: GamingTable) -> TableSigns:
    """Everything that was put up at a table, for the rules to ask."""
    notices = list(SignNotice.objects.filter(table=table))
    closing = next((each for each in notices if each.limits is None and each.taken_down_at is None), None)
    return TableSigns(
        document=catalogue.find(table.game).document,
        approved=[
            signs.Approved(since=each.since, limits=tables.terms_of(each).limits)
            for each in approved.versions(kind=tables.SIGN, code=table.code).order_by("version")
        ],
        notices={
            each.pk: LimitsNotice(
                number=each.pk,
                limits=sign.read_limits(each.limits),
                shown_at=each.shown_at,
                takes_effect_at=each.takes_effect_at,
                taken_down_at=each.taken_down_at,
            )
            for each in notices
            if each.limits is not None
        },
        markers={each.pk: _marker(each) for each in SignMarker.objects.filter(seat__table=table)},
        seats={
            each.pk: signs.Seat(number=each.pk, box=each.box, since=each.since, left_at=each.left_at)
            for each in Seat.objects.filter(table=table)
        },
        closing=None
        if closing is None
        else signs.ClosingNotice(number=closing.pk, shown_at=closing.shown_at, closes_at=closing.takes_effect_at),
    )


def _marker(row: SignMarker) -> signs.Marker:
    return signs.Marker(
        number=row.pk,
        seat=row.seat_id,
        kind=MarkerKind(row.kind),
        limits=sign.read_limits(row.limits),
        placed_at=row.placed_at,
        removed_at=row.removed_at,
    )


def terms_at(table: GamingTable, *, at: datetime | None = None, seat: Seat | None = None) -> Terms:
    """What the sign says now, or said at an earlier moment: to everybody, or to the player in a seat."""
    moment = at or timezone.now()
    terms = tables.terms_of(tables.in_force(table, at=at))
    return replace(terms, limits=signs_at(table).limits_of(seat.pk if seat else None, moment))


def check_new_terms(table: GamingTable, terms: Terms) -> None:
    """Whether the sign may say this from one moment to the next: limits that need a notice first go by a notice."""
    catalogue.find(table.game).check_terms(terms)
    signs_at(table).must_approve(terms.limits, at=timezone.now())


def seat_at(table: GamingTable, box: int, *, at: datetime, player_card: str = "") -> Seat | None:
    """Who sat at the box: by his card where several did; None where nobody was seated there, or another by a card of
    his own: what is allowed to one player (6.6) is not another's who wagers on his box."""
    found = [
        each
        for each in Seat.objects.filter(table=table, box=box, since__lte=at)
        if each.left_at is None or at < each.left_at
    ]
    named = [each for each in found if player_card and each.player_card == player_card]
    if named:
        return named[0]
    found = [each for each in found if not (player_card and each.player_card)]
    if len(found) > 1:
        raise Refusal("player-missing", f"Several players are at box {box}: say whose hand it is.", field="player")
    return found[0] if found else None


def must_be_open(table: GamingTable, *, at: datetime) -> None:
    """No hand is dealt at a table that is closed."""
    for closing in TableClosing.objects.filter(table=table, closed_at__lte=at):
        if closing.reopened_at is None or at < closing.reopened_at:
            raise Conflict("table-closed", f"Gaming table {table} was closed then.", field="table")


def is_closed(table: GamingTable) -> bool:
    return TableClosing.objects.filter(table=table, reopened_at=None).exists()


def sign_now(table: GamingTable) -> dict[str, object]:
    """What the sign says, with the limits that hold now."""
    return tables.table_sign(table) | {"terms": terms_at(table).as_data()}


def sign_with_notices(table: GamingTable) -> dict[str, object]:
    """The sign with everything that stands beside it, for displays and the pit (nsw-csp:6.1, 6.5.3)."""
    now = timezone.now()
    found = signs_at(table)
    waiting, markers = found.waiting(now), found.markers_at(now)
    boxes = {each.number: each.box for each in found.seats.values()}
    limits = found.limits_at(now)
    charges = TimeCharge.objects.filter(seat__table=table, seat__left_at=None)
    paid = dict(charges.values_list("seat").annotate(until=Max("until")))
    old = [each for each in markers if each.kind is MarkerKind.OLD_MINIMUM]
    return sign_now(table) | {
        "closed": is_closed(table),
        "limits": limits_as_data(limits),
        "previous_limits": [limits_as_data(each) for each in _different(each.limits for each in old)],
        "notice": None
        if waiting is None
        else {
            "number": waiting.number,
            "limits": limits_as_data(waiting.limits),
            "shown_at": waiting.shown_at,
            "takes_effect_at": waiting.takes_effect_at,
        },
        "closing": None
        if found.closing is None
        else {
            "number": found.closing.number,
            "shown_at": found.closing.shown_at,
            "closes_at": found.closing.closes_at,
        },
        "markers": [
            {
                "number": each.number,
                "seat": each.seat,
                "box": boxes[each.seat],
                "kind": str(each.kind),
                "limits": limits_as_data(each.limits),
                "placed_at": each.placed_at,
            }
            for each in markers
        ],
        "seats": [
            {"number": each.number, "box": each.box, "since": each.since, "paid_until": paid.get(each.number)}
            for each in found.players_at(now)
        ],
    }


def _different(limits: Iterable[signs.Limits]) -> list[signs.Limits]:
    found: list[signs.Limits] = []
    for each in limits:
        if each not in found:
            found.append(each)
    return found
