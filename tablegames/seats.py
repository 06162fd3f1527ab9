"""Who sits at a table, and the marker at his box: the old minimum, or a sign of his own (6.5.1.1, 6.5.1.2, 6.6)."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house.log import record_act
from house.players.cards import known_card
from kernel.actors import Actor
from kernel.refusal import Conflict, NotFound, Refusal
from ledger.log import refuse_overtaken
from tablegames import in_force, permissions, tables
from tablegames.acts import MarkerPlaced, MarkerRemoved, PlayerLeft, PlayerSeated, table_subject
from tablegames.models import GamingTable, Seat, SignMarker
from tablegames.rules import catalogue
from tablegames.rules.signs import BOXES_LIMIT, RULES, Limits, MarkerKind
from tablegames.rules.terms import limits_as_data


def lock_table(code: str) -> GamingTable:
    """What stands at a table changes one after the other."""
    tables.find_table(code)
    table = GamingTable.objects.select_for_update().get(code=code)
    refuse_overtaken(table_subject(code))
    return table


@transaction.atomic
def seat_player(*, table: str, box: int, by: Actor, player_card: str = "") -> Seat:
    """A player begins to play at a box. He plays by the limits that hold now (6.5.4)."""
    by.require(permissions.SIGNS)
    found = lock_table(table)
    now = timezone.now()
    in_force.must_be_open(found, at=now)
    if not 1 <= box <= BOXES_LIMIT:
        raise Refusal("no-such-box", f"Boxes are numbered 1 to {BOXES_LIMIT}.", field="box")
    card = known_card(player_card).number if player_card.strip() else ""
    _must_be_free(found, box, card)
    seat = Seat.objects.create(table=found, box=box, player_card=card, since=now, by=by.identity)
    record_act(PlayerSeated(table=found.code, seat=seat.pk, box=box, at=now), by=by)
    return seat


def _must_be_free(table: GamingTable, box: int, card: str) -> None:
    """Where the rules say so one player has a box, and no player two (act-cp:4.3)."""
    taken = Seat.objects.filter(table=table, left_at=None)
    if taken.filter(box=box, player_card=card).exists():
        raise Conflict("box-taken", f"That player is at box {box} already.", field="box")
    clause = RULES[catalogue.find(table.game).document].one_box_clause
    if clause is None:
        return
    if taken.filter(box=box).exists():
        raise Conflict("box-taken", f"Box {box} has its player: one player a box.", clause=clause, field="box")
    if card and taken.filter(player_card=card).exists():
        raise Conflict("player-has-a-box", "That player has a box at this table.", clause=clause, field="player")


@transaction.atomic
def leave_table(*, table: str, seat: int, by: Actor) -> Seat:
    """He leaves; his marker goes with him (6.5.1.2)."""
    by.require(permissions.SIGNS)
    found = lock_table(table)
    row = seated(found, seat)
    _left(row, at=timezone.now(), by=by)
    return row


@transaction.atomic
def remove_marker(*, table: str, number: int, by: Actor) -> SignMarker:
    """A player's own sign is taken away. The old minimum is his until he leaves or a notice has run out (6.5.2)."""
    by.require(permissions.SIGNS)
    found = lock_table(table)
    marker = SignMarker.objects.select_related("seat").filter(seat__table=found, pk=number, removed_at=None).first()
    if marker is None:
        raise NotFound("no-such-marker", f"No marker {number} stands at {found}.")
    now = timezone.now()
    old = marker.kind == MarkerKind.OLD_MINIMUM
    if old and marker.pk in {each.number for each in in_force.signs_at(found).markers_at(now)}:
        raise Conflict(
            "old-minimum-stands",
            "He stays on the old minimum until he leaves, or until a notice of 20 minutes has run out.",
            clause=RULES[catalogue.find(found.game).document].old_minimum_clause,
        )
    _removed(marker, at=now, by=by)
    return marker


def place_marker(
    seat: Seat, kind: MarkerKind, limits: Limits, *, at: datetime, by: Actor, proposal: int | None = None
) -> SignMarker:
    data = limits_as_data(limits)
    marker = SignMarker.objects.create(seat=seat, kind=kind, limits=data, placed_at=at, by=by.identity)
    record_act(
        MarkerPlaced(
            table=seat.table.code,
            marker=marker.pk,
            seat=seat.pk,
            box=seat.box,
            kind_=str(kind),
            limits=data,
            at=at,
            proposal=proposal,
        ),
        by=by,
    )
    return marker


def leave_all(table: GamingTable, *, at: datetime, by: Actor) -> None:
    """The table is closed: nobody plays there."""
    for seat in Seat.objects.filter(table=table, left_at=None):
        _left(seat, at=at, by=by)


def seated(table: GamingTable, number: int) -> Seat:
    row = Seat.objects.filter(table=table, pk=number).first()
    if row is None:
        raise NotFound("no-such-seat", f"Nobody was seated as {number} at {table}.")
    if row.left_at is not None:
        raise Conflict("not-at-table", "That player has left the table.")
    return row


def _left(seat: Seat, *, at: datetime, by: Actor) -> None:
    seat.left_at, seat.left_by = at, by.identity
    seat.save(update_fields=["left_at", "left_by"])
    record_act(PlayerLeft(table=seat.table.code, seat=seat.pk, box=seat.box, at=at), by=by)
    seat.markers.filter(removed_at=None).update(removed_at=at, removed_by=by.identity)


def _removed(marker: SignMarker, *, at: datetime, by: Actor) -> None:
    marker.removed_at, marker.removed_by = at, by.identity
    marker.save(update_fields=["removed_at", "removed_by"])
    record_act(MarkerRemoved(table=marker.seat.table.code, marker=marker.pk, box=marker.seat.box, at=at), by=by)
