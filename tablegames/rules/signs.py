"""What stands at a table besides its approved terms: notices, markers, players' own signs; when each holds. Pure.

The limits at a moment follow from what was written down and when; nothing has to happen at that moment. The verbs and
the offline check put the same questions to ``TableSigns``.

New South Wales (nsw-csp:6.5, nsw-lp:6.5): a minimum rises only after a notice of 20 minutes, or at once and then not
for those who play already; they have a marker until they leave, or until a notice of 20 minutes has run out. A table
with players closes after a notice of 20 minutes (nsw-csp:16.13, nsw-lp:14.8). The ACT asks for prior notice of any
change of limits, without a time; the islands' texts ask for none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from kernel.money import Money
from kernel.refusal import Conflict, Refusal
from tablegames.rules.terms import Limit

Limits = Mapping[str, Limit]
TWENTY_MINUTES: Final = timedelta(minutes=20)
A_MINUTE: Final = timedelta(minutes=1)
NO_LIMIT: Final = Limit()
BOXES_LIMIT: Final = 30  # at a table


@dataclass(frozen=True, slots=True, kw_only=True)
class SignRules:
    """What a document asks of changes at a table; where it is silent there is no clause."""

    raise_after: timedelta = timedelta(0)
    raise_clause: str | None = None
    change_after: timedelta = timedelta(0)
    """Of any change of limits."""
    change_clause: str | None = None
    at_once_clause: str | None = None
    """Where a minimum may rise at once and leave those who play on the old one."""
    old_minimum_clause: str | None = None
    """How their old minimum ends."""
    own_sign_clause: str | None = None
    close_after: timedelta = timedelta(0)
    """Where players are at the table."""
    close_clause: str | None = None
    tell_inspector_of_closing: bool = False
    one_box_clause: str | None = None
    """One player a box, one box a player."""


def _new_south_wales(document: str, *, closing: str) -> SignRules:
    return SignRules(
        raise_after=TWENTY_MINUTES,
        raise_clause=f"{document}:6.5",
        at_once_clause=f"{document}:6.5.1",
        old_minimum_clause=f"{document}:6.5.2",
        own_sign_clause=f"{document}:6.6",
        close_after=TWENTY_MINUTES,
        close_clause=f"{document}:{closing}",
    )


def _act(document: str, *, limits: str, own: str | None, closing: str, one_box: str | None = None) -> SignRules:
    return SignRules(
        change_after=A_MINUTE,
        change_clause=f"{document}:{limits}",
        own_sign_clause=None if own is None else f"{document}:{own}",
        close_clause=f"{document}:{closing}",
        tell_inspector_of_closing=True,
        one_box_clause=None if one_box is None else f"{document}:{one_box}",
    )


RULES: Final[Mapping[str, SignRules]] = {
    "nsw-csp": _new_south_wales("nsw-csp", closing="16.13"),
    "nsw-lp": _new_south_wales("nsw-lp", closing="14.8"),
    "vu-lp": SignRules(),
    "nz-lp": SignRules(),
    "act-bj": _act("act-bj", limits="3.1", own="3.2", closing="15.2"),
    "act-ar": _act("act-ar", limits="3.1", own="3.2", closing="8.2"),
    "act-bac": _act("act-bac", limits="3.1", own="3.2", closing="10.2"),
    "act-mb": _act("act-mb", limits="3.1", own="3.2", closing="10.2"),
    "act-pg": _act("act-pg", limits="5.1", own="5.2", closing="16.2"),
    "act-cp": _act("act-cp", limits="3.1", own="3.2", closing="14.2", one_box="4.3"),
    "act-sb": _act("act-sb", limits="3.1", own="3.2", closing="9.2"),
    "act-mw": _act("act-mw", limits="3.1", own="3.2", closing="9.2"),
    "act-pk": _act("act-pk", limits="4.1", own=None, closing="17.2", one_box="15.2"),
}


class MarkerKind(StrEnum):
    OLD_MINIMUM = "old-minimum"
    """He played before the minimum rose, and stays on the old one (6.5.1.1)."""
    OWN_LIMITS = "own-limits"
    """He may wager above the maximum, by a sign of his own (6.6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approved:
    """Limits of an approved version of the terms."""

    since: datetime
    limits: Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsNotice:
    number: int
    limits: Limits
    shown_at: datetime
    takes_effect_at: datetime
    taken_down_at: datetime | None = None

    @property
    def ends_markers(self) -> bool:
        """6.5.2: after 20 minutes the old minimum of those who stayed on it has risen, too."""
        return self.takes_effect_at - self.shown_at >= TWENTY_MINUTES


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosingNotice:
    number: int
    shown_at: datetime
    closes_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    number: int
    seat: int
    kind: MarkerKind
    limits: Limits
    placed_at: datetime
    removed_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A player at a box, from when until when."""

    number: int
    box: int
    since: datetime
    left_at: datetime | None = None

    def taken_at(self, moment: datetime) -> bool:
        return self.since <= moment and (self.left_at is None or moment < self.left_at)


@dataclass(slots=True)
class TableSigns:
    """Everything that was put up at one table, taken down or not."""

    document: str
    approved: list[Approved] = field(default_factory=list)
    notices: dict[int, LimitsNotice] = field(default_factory=dict)
    markers: dict[int, Marker] = field(default_factory=dict)
    seats: dict[int, Seat] = field(default_factory=dict)
    closing: ClosingNotice | None = None

    @property
    def rules(self) -> SignRules:
        return RULES[self.document]

    # What holds

    def limits_at(self, moment: datetime) -> Limits:
        """Of whoever has no marker. Before the first sign there was only the first."""
        holding = [(each.since, 0, each.limits) for each in self.approved if each.since <= moment]
        holding += [
            (each.takes_effect_at, each.number, each.limits) for each in self.notices.values() if _holds(each, moment)
        ]
        return max(holding, key=lambda each: each[:2])[2] if holding else self.approved[0].limits

    def limits_of(self, seat: int | None, moment: datetime) -> Limits:
        """Of the player in a seat: a marker leaves him the old minimum, a sign of his own has limits of its own."""
        limits = dict(self.limits_at(moment))
        markers = [each for each in self.markers_at(moment) if each.seat == seat]
        for marker in sorted(markers, key=lambda each: each.kind is MarkerKind.OWN_LIMITS):
            if marker.kind is MarkerKind.OWN_LIMITS:
                limits |= marker.limits
                continue
            for wager, limit in limits.items():
                old = marker.limits.get(wager, NO_LIMIT).minimum
                limits[wager] = replace(limit, minimum=min(limit.minimum, old))
        return limits

    def markers_at(self, moment: datetime) -> list[Marker]:
        """Placed and not removed; an old minimum ends with the notice that raises it for everybody."""
        return [each for each in self.markers.values() if _stands(each, moment) and not self._ended(each, moment)]

    def _ended(self, marker: Marker, moment: datetime) -> bool:
        return marker.kind is MarkerKind.OLD_MINIMUM and any(
            each.ends_markers and _holds(each, moment) and each.takes_effect_at > marker.placed_at
            for each in self.notices.values()
        )

    def players_at(self, moment: datetime) -> list[Seat]:
        return [each for each in self.seats.values() if each.taken_at(moment)]

    def waiting(self, moment: datetime) -> LimitsNotice | None:
        """The notice that stands at the table and does not hold yet."""
        return next(
            (n for n in self.notices.values() if n.taken_down_at is None and n.takes_effect_at > moment),
            None,
        )

    # What may be done

    def must_announce(self, limits: Limits, *, takes_effect_at: datetime, at: datetime) -> None:
        """6.5, 6.5.2: the notice stands long enough before the minimum is higher, for the table or for one player."""
        self._must_be_free(at)
        if takes_effect_at < at:
            raise Refusal("notice-too-late", "That time has passed.", field="takes_effect_at")
        after, clause = self.least_notice(limits, at=at)
        everybody = takes_effect_at - at >= TWENTY_MINUTES
        if everybody and any(raised(each.limits, limits) for each in self._on_the_old_minimum(at)):
            after, clause = max(after, self.rules.raise_after), self.rules.old_minimum_clause
        if takes_effect_at - at < after:
            minutes = int(after.total_seconds()) // 60
            how = f"{minutes} minutes" if minutes > 1 else "a minute"
            raise Refusal(
                "notice-too-short",
                f"The notice stands at the table for at least {how} before these limits hold.",
                clause=clause,
                field="takes_effect_at",
            )

    def above_approved(self, limits: Limits, *, at: datetime) -> list[str]:
        """The wagers whose maximum would be higher than the approved sign lets it be, or than already holds."""
        known = [each.limits for each in self.approved if each.since <= at][-1:] or [self.approved[0].limits]
        return [
            wager
            for wager, limit in known[0].items()
            if not _within(limits.get(wager, NO_LIMIT).maximum, limit.maximum)
            and not _within(limits.get(wager, NO_LIMIT).maximum, self.limits_at(at).get(wager, NO_LIMIT).maximum)
        ]

    def must_raise_at_once(self, limits: Limits, *, at: datetime) -> None:
        """6.5.1: those who play already stay on the old minimum."""
        self._must_be_free(at)
        if self.rules.at_once_clause is None:
            raise Refusal(
                "not-at-once", "The rules of this game ask for notice first.", clause=self.rules.change_clause
            )
        if not raised(self.limits_at(at), limits):
            raise Refusal("minimum-not-raised", "No minimum rises: announce the new limits.", field="limits")

    def must_allow_more(self, seat: int, limits: Limits, *, at: datetime) -> None:
        """6.6: a sign of his own, for a player at the table, above what the table's says."""
        if self.rules.own_sign_clause is None:
            raise Refusal("no-own-sign", "The rules of this game know no sign for one player.")
        self.must_sit(seat, at=at)
        table = self.limits_at(at)
        for wager, limit in limits.items():
            stated = table.get(wager, NO_LIMIT).maximum
            if stated is None or (limit.maximum is not None and limit.maximum <= stated):
                raise Refusal(
                    "not-above-maximum",
                    f"A player’s own sign is for wagers above the maximum: “{wager}” is not.",
                    clause=self.rules.own_sign_clause,
                    field=f"limits.{wager}",
                )

    def must_sit(self, seat: int, *, at: datetime) -> None:
        if seat not in self.seats or not self.seats[seat].taken_at(at):
            raise Conflict("not-at-table", "That player is not at the table any more.")

    def must_close(self, *, at: datetime) -> None:
        """16.13: a table with players closes after its notice has stood for 20 minutes, not before its time."""
        if not self.players_at(at) or not self.rules.close_after:
            return
        notice = self.closing
        if notice is None or notice.closes_at > at or at - notice.shown_at < self.rules.close_after:
            minutes = int(self.rules.close_after.total_seconds()) // 60
            raise Conflict(
                "closing-not-shown",
                f"Players are at the table: a sign with the time of closing stands for {minutes} minutes first.",
                clause=self.rules.close_clause,
            )

    def must_announce_closing(self, *, closes_at: datetime, at: datetime) -> None:
        if self.closing is not None:
            raise Conflict("notice-stands", "A notice of the closing stands already: take it down first.")
        if closes_at - at < self.rules.close_after or closes_at < at:
            raise Refusal(
                "notice-too-short",
                "A sign with the time of closing stands for 20 minutes before it."
                if self.rules.close_after
                else "That time has passed.",
                clause=self.rules.close_clause,
                field="closes_at",
            )

    def must_approve(self, limits: Limits, *, at: datetime) -> None:
        """An approval puts its limits in force at once: what needs a notice first goes by a notice."""
        after, clause = self.least_notice(limits, at=at)
        if after:
            raise Refusal(
                "limits-by-notice",
                "These limits need a notice at the table before they hold: announce them there, and leave the limits "
                "of this proposal as they are.",
                clause=clause,
                field="limits",
            )

    def least_notice(self, limits: Limits, *, at: datetime) -> tuple[timedelta, str | None]:
        """How long a notice of these limits stands first, and by which clause."""
        now = self.limits_at(at)
        if self.rules.raise_after and raised(now, limits):
            return self.rules.raise_after, self.rules.raise_clause
        if _plain(now) != _plain(limits):
            return self.rules.change_after, self.rules.change_clause
        return timedelta(0), None

    def _on_the_old_minimum(self, at: datetime) -> list[Marker]:
        return [each for each in self.markers_at(at) if each.kind is MarkerKind.OLD_MINIMUM]

    def _must_be_free(self, at: datetime) -> None:
        if self.waiting(at) is not None:
            raise Conflict("notice-stands", "A notice of other limits stands at the table: take it down first.")


def _within(maximum: Money | None, most: Money | None) -> bool:
    return most is None or (maximum is not None and maximum <= most)


def raised(old: Limits, new: Limits) -> list[str]:
    """The wagers whose minimum is higher than it was."""
    return [wager for wager, limit in new.items() if limit.minimum > old.get(wager, NO_LIMIT).minimum]


@dataclass(frozen=True, slots=True)
class OutsideLimits:
    wager: str
    says: str


def outside(limits: Limits, wagers: Mapping[str, Money]) -> list[OutsideLimits]:
    """Which wagers on the layout are not within the limits, in words, before the first card is out (6.4)."""
    found = []
    for wager, amount in wagers.items():
        limit = limits.get(wager.partition(":")[0])
        if limit is None:
            continue
        if amount < limit.minimum:
            found.append(OutsideLimits(wager, f"${amount} is below the minimum of ${limit.minimum}."))
        elif limit.maximum is not None and amount > limit.maximum:
            found.append(OutsideLimits(wager, f"${amount} is above the maximum of ${limit.maximum}."))
        elif limit.multiple and amount.micros % limit.multiple.micros:
            found.append(OutsideLimits(wager, f"${amount} is not a multiple of ${limit.multiple}."))
    return found


def _plain(limits: Limits) -> dict[str, Limit]:
    return {wager: limit for wager, limit in limits.items() if limit != NO_LIMIT}


def _holds(notice: LimitsNotice, moment: datetime) -> bool:
    return notice.taken_down_at is None and notice.takes_effect_at <= moment


def _stands(marker: Marker, moment: datetime) -> bool:
    return marker.placed_at <= moment and (marker.removed_at is None or moment < marker.removed_at)
