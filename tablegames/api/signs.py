"""Calls about tables and what stands at them: the sign, notices, seats, markers, closing."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone

from house.api.approvals import ApprovalOut
from house.models import Proposal
from kernel.actors import Actor
from tablegames import in_force, notices, permissions, queries, seats, sign, tables
from tablegames.api import sign_fields as fields
from tablegames.charge_time import charge_time
from tablegames.higher_maximum import propose_higher_maximum
from tablegames.models import GamingTable
from tablegames.rules.signs import Limits, outside
from tablegames.rules.terms import limits_as_data
from web.fields import Nothing, sent
from web.view import HouseView, Paging, listing, read, verb


def _sign(code: str) -> dict[str, object]:
    return in_force.sign_with_notices(tables.find_table(code))


def _limits(data: fields.LimitsIn | fields.OwnLimitsIn) -> Limits:
    return sign.read_limits(sent(data)["limits"])


class _TableRow(fields.TableOut):
    def to_representation(self, table: GamingTable) -> dict[str, object]:
        return super().to_representation(in_force.sign_now(table))


class Tables(HouseView):
    @listing(permission=permissions.VIEW, gives=_TableRow, asks=Paging, order="id")
    def get(self, by: Actor, asked: Paging) -> QuerySet[GamingTable]:
        """Gaming tables and what their signs say."""
        return queries.tables()


class OneTable(HouseView):
    @read(permission=permissions.VIEW, gives=fields.TableOut)
    def get(self, by: Actor, asked: Nothing, *, code: str) -> dict[str, object]:
        """One gaming table and what its sign says."""
        return in_force.sign_now(tables.find_table(code))


class SignWithNotices(HouseView):
    @read(permission=permissions.VIEW, gives=fields.SignOut)
    def get(self, by: Actor, asked: Nothing, *, code: str) -> dict[str, object]:
        """What stands at a table: limits that hold, those that will, markers, the time of closing."""
        return _sign(code)


class TableLimits(HouseView):
    @verb(permission=permissions.SIGNS, takes=fields.LimitsIn, gives=fields.SignOut, status=201)
    def post(self, by: Actor, data: fields.LimitsIn, *, code: str) -> dict[str, object]:
        """Put up a notice of limits, or raise a minimum at once for whoever comes.

        A higher minimum holds after the notice has stood for 20 minutes, or at once (`at_once`) and then not for those
        who play already. A maximum above the approved sign's is proposed at `approvals/` (`tablegames.higher-maximum`),
        and another person decides.
        """
        if data.at_once:
            notices.raise_minimum_at_once(table=code, limits=_limits(data), by=by)
        else:
            notices.announce_limits(table=code, limits=_limits(data), takes_effect_at=data.takes_effect_at, by=by)
        return _sign(code)


class TakeNoticeDown(HouseView):
    @verb(permission=permissions.SIGNS, takes=Nothing, gives=fields.SignOut)
    def post(self, by: Actor, data: Nothing, *, code: str, id: int) -> dict[str, object]:
        """Take a notice down before it holds."""
        notices.take_notice_down(table=code, number=id, by=by)
        return _sign(code)


class AnnounceClosing(HouseView):
    @verb(permission=permissions.SIGNS, takes=fields.ClosingIn, gives=fields.SignOut, status=201)
    def post(self, by: Actor, data: fields.ClosingIn, *, code: str) -> dict[str, object]:
        """Put up the time of closing."""
        notices.announce_closing(table=code, closes_at=data.closes_at, by=by)
        return _sign(code)


class CloseTable(HouseView):
    @verb(permission=permissions.SIGNS, takes=Nothing, gives=fields.SignOut)
    def post(self, by: Actor, data: Nothing, *, code: str) -> dict[str, object]:
        """Close a table: with players at it only after its notice."""
        notices.close_table(table=code, by=by)
        return _sign(code)


class ReopenTable(HouseView):
    @verb(permission=permissions.SIGNS, takes=Nothing, gives=fields.SignOut)
    def post(self, by: Actor, data: Nothing, *, code: str) -> dict[str, object]:
        """Open a closed table again."""
        notices.reopen_table(table=code, by=by)
        return _sign(code)


class Seats(HouseView):
    @verb(permission=permissions.SIGNS, takes=fields.SeatIn, gives=fields.SignOut, status=201)
    def post(self, by: Actor, data: fields.SeatIn, *, code: str) -> dict[str, object]:
        """A player begins to play at a box."""
        seats.seat_player(table=code, box=data.box, player_card=data.player or "", by=by)
        return _sign(code)


class LeaveSeat(HouseView):
    @verb(permission=permissions.SIGNS, takes=Nothing, gives=fields.SignOut)
    def post(self, by: Actor, data: Nothing, *, code: str, id: int) -> dict[str, object]:
        """A player leaves; his marker goes with him."""
        seats.leave_table(table=code, seat=id, by=by)
        return _sign(code)


class ChargeTime(HouseView):
    @verb(permission=permissions.SIGNS, takes=fields.TimeChargeIn, gives=fields.SignOut, status=201)
    def post(self, by: Actor, data: fields.TimeChargeIn, *, code: str, id: int) -> dict[str, object]:
        """Poker room: a player pays his next periods in advance, at the rate of the sign."""
        charge_time(table=code, seat=id, periods=data.periods, by=by)
        return _sign(code)


class OwnLimits(HouseView):
    @verb(permission=permissions.SIGNS, takes=fields.OwnLimitsIn, gives=ApprovalOut, status=202)
    def post(self, by: Actor, data: fields.OwnLimitsIn, *, code: str, id: int) -> Proposal:
        """Propose to allow a player more than the maximum. His sign stands once another person has decided."""
        return propose_higher_maximum(table=code, seat=id, limits=_limits(data), why=data.why, by=by)


class RemoveMarker(HouseView):
    @verb(permission=permissions.SIGNS, takes=Nothing, gives=fields.SignOut)
    def post(self, by: Actor, data: Nothing, *, code: str, id: int) -> dict[str, object]:
        """Take a player's own sign away."""
        seats.remove_marker(table=code, number=id, by=by)
        return _sign(code)


class Wagers(HouseView):
    @verb(permission=permissions.VIEW, takes=fields.WagersIn, gives=fields.WagersOut, needs_key=False)
    def post(self, by: Actor, data: fields.WagersIn, *, code: str) -> dict[str, object]:
        """Whether wagers on the layout are within the limits of that player; changes nothing."""
        table, now = tables.find_table(code), timezone.now()
        seat = None if data.box is None else in_force.seat_at(table, data.box, at=now)
        limits = in_force.terms_at(table, at=now, seat=seat).limits
        found = outside(limits, data.wagers)
        return {
            "within": not found,
            "limits": limits_as_data(limits),
            "outside": [{"wager": each.wager, "says": each.says} for each in found],
        }
