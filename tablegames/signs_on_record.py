"""What stands at a table, as the log has it: how a stranger knows the limits under which a hand was played. Pure.

Every notice had its time, every player on the old minimum sat there when it rose, nobody closed a table over players'
heads; and a checked hand was settled under the limits that held for that player at that moment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from house.approvals_on_record import ApprovalsOnRecord
from kernel.acts import Act
from kernel.export_check import ActOnRecord, Doubt, is_now
from kernel.money import Money
from kernel.refusal import Refusal
from tablegames import acts as of_tables
from tablegames.rules import catalogue, signs
from tablegames.rules.signs import BOXES_LIMIT, Limits, LimitsNotice, MarkerKind, TableSigns
from tablegames.rules.terms import Limit, Terms

_DONE_AT_ONCE: Final = (
    of_tables.PlayerSeated,
    of_tables.PlayerLeft,
    of_tables.NoticeTakenDown,
    of_tables.MarkerPlaced,
    of_tables.MarkerRemoved,
    of_tables.TableClosed,
    of_tables.TableReopened,
)
SIGN_ACTS: Final[tuple[type[Act], ...]] = (
    *_DONE_AT_ONCE,
    of_tables.LimitsAnnounced,
    of_tables.ClosingAnnounced,
)
HIGHER_MAXIMUM: Final = "tablegames.higher-maximum"
FIRST: Final = datetime.min.replace(tzinfo=UTC)


class SignsOnRecord:
    def __init__(self, table: str, game: str, approvals: ApprovalsOnRecord) -> None:
        self.table, self.approvals = table, approvals
        self.signs = TableSigns(document=catalogue.find(game).document)
        self.dated = True
        self.closed_since: datetime | None = None
        self.closings: list[tuple[datetime, datetime]] = []
        self.numbers: set[int] = set()  # of notices that were ever put up, of limits or of a closing
        self.to_be_marked: set[int] = set()  # who played when the minimum rose, and has no marker yet
        self.before: Limits = {}  # the limits that they stay on

    def approved(self, limits: Limits, since: datetime | None) -> None:
        if since is None:  # an export of before there were notices: hands are of any sign that stood
            self.dated = False
        if self.signs.approved and since is not None:
            self._ask(self.signs.must_approve, limits, at=since)
        self.signs.approved.append(signs.Approved(since=since or FIRST, limits=limits))

    def act(self, act: Act, row: ActOnRecord) -> None:
        if self.to_be_marked and not isinstance(act, of_tables.MarkerPlaced):
            self._all_marked()
        self._dated(act, row)
        match act:
            case of_tables.PlayerSeated():
                self._seated(act)
            case of_tables.PlayerLeft():
                self._left(act)
            case of_tables.LimitsAnnounced():
                self._announced(act, row)
            case of_tables.ClosingAnnounced():
                self._closing_announced(act)
            case of_tables.NoticeTakenDown():
                self._taken_down(act)
            case of_tables.MarkerPlaced():
                self._placed(act, row)
            case of_tables.MarkerRemoved():
                self._removed(act)
            case of_tables.TableClosed():
                self._closed(act)
            case of_tables.TableReopened():
                if self.closed_since is None or self.signs.players_at(act.at):
                    raise self._doubt("is opened again, and was not closed, or somebody had stayed there")
                self.closings.append((self.closed_since, act.at))
                self.closed_since = None

    def _dated(self, act: Act, row: ActOnRecord) -> None:
        if isinstance(act, of_tables.LimitsAnnounced | of_tables.ClosingAnnounced):
            self.must_be_now(act.shown_at, row)
            self._new_notice(act.notice)
        elif isinstance(act, _DONE_AT_ONCE):
            self.must_be_now(act.at, row)

    def must_be_limits(self, limits: Limits, act: of_tables.HandChecked) -> None:
        """Those of that player at that moment."""
        if self.to_be_marked:
            self._all_marked()
        if act.happened_at is None or not self.dated:
            if limits not in [each.limits for each in self.signs.approved]:
                raise Doubt(f"check {act.check} is of another game or sign than there was at {act.table}.")
            return
        at = act.happened_at
        closed = [*self.closings, *([(self.closed_since, None)] if self.closed_since else [])]
        if any(since <= at and (until is None or at < until) for since, until in closed):
            raise Doubt(f"check {act.check} is of a hand at {act.table} while it was closed.")
        if act.seat is not None and (act.seat not in self.signs.seats or not self.signs.seats[act.seat].taken_at(at)):
            raise Doubt(f"check {act.check} is of a player who did not sit at {act.table}.")
        if limits != self.signs.limits_of(act.seat, at):
            raise Doubt(f"check {act.check} was settled by other limits than held at {act.table} for that player.")

    def must_sit(self, seat: int, at: datetime, *, box: int) -> None:
        self._ask(self.signs.must_sit, seat, at=at)
        if self.signs.seats[seat].box != box:
            raise self._doubt(f"has something at box {box} of a player who sat at box {self.signs.seats[seat].box}")

    def must_be_now(self, at: datetime, row: ActOnRecord) -> None:
        """What is done at a table is dated when it is written: limits are decided by these moments."""
        if not is_now(at, row):
            raise self._doubt(f"had something done on {at:%Y-%m-%d} at {at:%H:%M} that was written at another time")

    def end(self) -> None:
        if self.to_be_marked:
            self._all_marked()

    # Each act

    def _seated(self, act: of_tables.PlayerSeated) -> None:
        if act.seat in self.signs.seats or self.closed_since is not None or not 1 <= act.box <= BOXES_LIMIT:
            raise self._doubt("has a player seated twice, at no box, or while it was closed")
        if self.signs.rules.one_box_clause and any(each.box == act.box for each in self.signs.players_at(act.at)):
            raise self._doubt(f"has two players at box {act.box}")
        self.signs.seats[act.seat] = signs.Seat(number=act.seat, box=act.box, since=act.at)

    def _left(self, act: of_tables.PlayerLeft) -> None:
        self.must_sit(act.seat, act.at, box=act.box)
        self.signs.seats[act.seat] = replace(self.signs.seats[act.seat], left_at=act.at)
        for number, marker in self.signs.markers.items():
            if marker.seat == act.seat and marker.removed_at is None:
                self.signs.markers[number] = replace(marker, removed_at=act.at)

    def _new_notice(self, number: int) -> None:
        if number in self.numbers:
            raise self._doubt(f"has notice {number} twice")
        self.numbers.add(number)

    def _closing_announced(self, act: of_tables.ClosingAnnounced) -> None:
        if self.closed_since is not None:
            raise self._doubt("is to be closed, and is closed")
        self._ask(self.signs.must_announce_closing, closes_at=act.closes_at, at=act.shown_at)
        self.signs.closing = signs.ClosingNotice(number=act.notice, shown_at=act.shown_at, closes_at=act.closes_at)

    def _by_two(self, act: of_tables.LimitsAnnounced | of_tables.MarkerPlaced, row: ActOnRecord) -> None:
        """A higher maximum than the approved sign's: as one person proposed and another decided just now."""
        seat = act.seat if isinstance(act, of_tables.MarkerPlaced) else None
        found = self.approvals.numbered(act.proposal or 0)
        if found is None or found not in self.approvals.under_way(HIGHER_MAXIMUM, act.subject):
            raise self._doubt(f"has a maximum above its approved sign’s, and {row.actor} alone put it up")
        new: Any = found.act.new
        if found.decided_by != row.actor or (new["seat"], read_limits(new["limits"])) != (
            seat,
            read_limits(act.limits),
        ):
            raise self._doubt(f"has another maximum than proposal {act.proposal} was about")

    def _announced(self, act: of_tables.LimitsAnnounced, row: ActOnRecord) -> None:
        limits = read_limits(act.limits)
        if self.signs.approved and self.signs.above_approved(limits, at=act.shown_at):
            self._by_two(act, row)
        if act.at_once:
            if act.takes_effect_at != act.shown_at:
                raise self._doubt("has its minimum raised at once, and later")
            self._ask(self.signs.must_raise_at_once, limits, at=act.shown_at)
            marked = {each.seat for each in self.signs.markers_at(act.shown_at) if each.kind is MarkerKind.OLD_MINIMUM}
            self.to_be_marked = {each.number for each in self.signs.players_at(act.shown_at)} - marked
            self.before = self.signs.limits_at(act.shown_at)
        else:
            self._ask(self.signs.must_announce, limits, takes_effect_at=act.takes_effect_at, at=act.shown_at)
        self.signs.notices[act.notice] = LimitsNotice(
            number=act.notice, limits=limits, shown_at=act.shown_at, takes_effect_at=act.takes_effect_at
        )

    def _taken_down(self, act: of_tables.NoticeTakenDown) -> None:
        if self.signs.closing is not None and self.signs.closing.number == act.notice:
            self.signs.closing = None
            return
        notice = self.signs.notices.get(act.notice)
        if notice is None or notice.taken_down_at is not None or notice.takes_effect_at <= act.at:
            raise self._doubt(f"has notice {act.notice} taken down, which did not stand there or held already")
        self.signs.notices[act.notice] = replace(notice, taken_down_at=act.at)

    def _placed(self, act: of_tables.MarkerPlaced, row: ActOnRecord) -> None:
        kind, limits = MarkerKind(act.kind_), read_limits(act.limits)
        self.must_sit(act.seat, act.at, box=act.box)
        if act.marker in self.signs.markers:
            raise self._doubt(f"has marker {act.marker} placed twice")
        if kind is MarkerKind.OWN_LIMITS:
            if self.to_be_marked:
                self._all_marked()
            self._ask(self.signs.must_allow_more, act.seat, limits, at=act.at)
            self._by_two(act, row)
        elif act.seat not in self.to_be_marked or limits != self.before:
            raise self._doubt(f"has a marker at box {act.box} for a minimum that was not raised over that player")
        self.to_be_marked.discard(act.seat)
        self.signs.markers[act.marker] = signs.Marker(
            number=act.marker, seat=act.seat, kind=kind, limits=limits, placed_at=act.at
        )

    def _removed(self, act: of_tables.MarkerRemoved) -> None:
        marker = self.signs.markers.get(act.marker)
        if marker is None or marker.removed_at is not None or self.signs.seats[marker.seat].box != act.box:
            raise self._doubt(f"has marker {act.marker} taken away, which did not stand there")
        if marker.kind is MarkerKind.OLD_MINIMUM and marker in self.signs.markers_at(act.at):
            raise self._doubt(f"has the old minimum of box {act.box} taken away while he played on it")
        self.signs.markers[act.marker] = replace(marker, removed_at=act.at)

    def _closed(self, act: of_tables.TableClosed) -> None:
        if self.closed_since is not None or act.players != len(self.signs.players_at(act.at)):
            raise self._doubt("is closed twice, or with other players than sat there")
        self._ask(self.signs.must_close, at=act.at)
        self.closed_since = act.at

    def _all_marked(self) -> None:
        raise self._doubt("had its minimum raised at once, and somebody who played has no marker")

    def _ask(self, must: Any, *values: Any, **more: Any) -> None:
        try:
            must(*values, **more)
        except Refusal as refusal:
            raise self._doubt(f"had what the rules refuse: {refusal}") from refusal

    def _doubt(self, what: str) -> Doubt:
        return Doubt(f"gaming table {self.table} {what}.")


def read_terms(data: Mapping[str, Any]) -> Terms:
    """As ``tablegames/sign.py`` reads it."""
    return Terms(
        super=data.get("super"),
        instant=data.get("instant"),
        maximum_payout=_money(data.get("maximum_payout")),
        decks=data.get("decks"),
        commission=data.get("commission"),
        differential=_money(data.get("differential")),
        commission_maximum=_money(data.get("commission_maximum")),
        time_charge=_money(data.get("time_charge")),
        time_minutes=data.get("time_minutes"),
        limits=read_limits(data.get("limits") or {}),
    )


def read_limits(limits: Mapping[str, Any]) -> dict[str, Limit]:
    """As ``tablegames/sign.py`` reads it, and refuses it."""
    read = {}
    for name, limit in limits.items():
        low, high = Money.parse(limit.get("minimum") or "0.00"), _money(limit.get("maximum"))
        if high is not None and (not high or high < low):
            raise Doubt(f"a sign says that “{name}” is at least {low.said} and at most {high.said}.")
        read[name] = Limit(low, high, _money(limit.get("multiple")))
    return read


def _money(text: str | None) -> Money | None:
    return None if text is None else Money.parse(text)
