"""Who is kept out as the log tells it: cards, players, dates of birth; who said so, and who confirmed it. Pure.

The log has nobody's name and no date of birth: at a seal or a draw it shows that two people have kept out somebody, not
whose entries were left out for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from house.people_on_record import PeopleOnRecord
from house.players import acts as of_players
from kernel.acts import Act
from kernel.export_check import ActOnRecord, Doubt, has_passed, is_now_or_before
from promotions.acts import entries

OF_PEOPLE: Final[tuple[type[Act], ...]] = (
    entries.CardExcluded,
    entries.ExclusionConfirmed,
    entries.ReadmissionSaid,
    entries.CardReadmitted,
    of_players.PlayerRestricted,
    of_players.RestrictionConfirmed,
    of_players.LiftingSaid,
    of_players.RestrictionLifted,
    of_players.BirthRecorded,
    of_players.BirthConfirmed,
)
_BREAK, _EMPLOYEE = "break", "employee"
_KINDS: Final = frozenset({"exclusion", _EMPLOYEE, _BREAK})
_SCOPES: Final = frozenset({"casino", "keno", "tables"})
_WHY: Final = frozenset({"employee", "household", "other"})


@dataclass(slots=True)
class KeptOut:
    """By what the log calls them: who said so, and which a second person confirmed."""

    people: PeopleOnRecord
    said: dict[str, str] = field(default_factory=dict)
    confirmed: set[str] = field(default_factory=set)
    until: dict[str, datetime] = field(default_factory=dict)  # of restrictions that end by themselves
    breaks: set[str] = field(default_factory=set)

    def act(self, row: ActOnRecord) -> None:
        match row.act:
            case entries.CardExcluded() | entries.ExclusionConfirmed() | entries.ReadmissionSaid() as act:
                self._of_card(act, row)
            case entries.CardReadmitted() as act:
                self._end(_readmission(act.subject), row)
                self._end(act.subject, row)
            case of_players.PlayerRestricted() as act:
                self._restricted(act, row)
            case of_players.RestrictionConfirmed() | of_players.LiftingSaid() | of_players.RestrictionLifted() as act:
                self._of_restriction(act, row)
            case of_players.BirthRecorded() as act:
                if act.corrected:
                    self._end(_birth(act.player), row)
                self._say(_birth(act.player), row)
            case of_players.BirthConfirmed() as act:
                self._confirm(_birth(act.player), row)

    def _of_card(
        self, act: entries.CardExcluded | entries.ExclusionConfirmed | entries.ReadmissionSaid, row: ActOnRecord
    ) -> None:
        match act:
            case entries.CardExcluded():
                if act.why not in _WHY:
                    raise Doubt(f"{act.subject} is excluded for what no card is excluded for: {act.why}.")
                self._say(act.subject, row)
            case entries.ExclusionConfirmed():
                self._confirm(act.subject, row)
            case entries.ReadmissionSaid():
                self._must_be_another(act.subject, row)
                self._say(_readmission(act.subject), row)

    def _restricted(self, act: of_players.PlayerRestricted, row: ActOnRecord) -> None:
        what = _restriction(act.restriction, act.player)
        if act.kind_ not in _KINDS or act.scope not in _SCOPES:
            raise Doubt(f"{what} is of a kind that there is not: {act.kind_}, {act.scope}.")
        if (act.kind_ == _BREAK and act.until is None) or (act.until is not None and has_passed(act.until, row)):
            raise Doubt(f"{what} ({act.kind_}) has no end, or was over when it was made.")
        since = act.breach_since
        if since is not None and (act.kind_ != _EMPLOYEE or not is_now_or_before(since, row)):
            raise Doubt(f"{what} ({act.kind_}) is of a breach that is still to come, or of another policy.")
        self._say(what, row)
        if act.kind_ == _BREAK:
            self.breaks.add(what)
        if act.until is not None:
            self.until[what] = act.until

    def _of_restriction(
        self,
        act: of_players.RestrictionConfirmed | of_players.LiftingSaid | of_players.RestrictionLifted,
        row: ActOnRecord,
    ) -> None:
        what = _restriction(act.restriction, act.player)
        if what in self.until and has_passed(self.until[what], row):
            raise Doubt(f"{row.actor} {act.sentence()}, and it was over by itself.")
        match act:
            case of_players.RestrictionConfirmed():
                if what in self.breaks:
                    raise Doubt(f"{what} is a break, and there is nothing to confirm.")
                self._confirm(what, row)
            case of_players.LiftingSaid():
                self._must_be_another(what, row)
                self._say(f"the lifting of {what}", row)
            case of_players.RestrictionLifted():
                self._end(f"the lifting of {what}", row)
                self._end(what, row)

    def _say(self, what: str, row: ActOnRecord) -> None:
        if what in self.said:
            raise Doubt(f"{what} is said a second time.")
        self.said[what] = row.actor

    def _confirm(self, what: str, row: ActOnRecord) -> None:
        self._must_be_another(what, row)
        if what in self.confirmed:
            raise Doubt(f"{what} is confirmed a second time.")
        self.confirmed.add(what)

    def _end(self, what: str, row: ActOnRecord) -> None:
        self._must_be_another(what, row)
        del self.said[what]
        self.confirmed.discard(what)

    def _must_be_another(self, what: str, row: ActOnRecord) -> None:
        said_by = self.said.get(what)
        if said_by is None or not self.people.are_others(row.actor, said_by):
            raise Doubt(f"{row.actor} {row.act.sentence()} ({what}), and is no second person.")

    def must_be_somebody(self, left_out: str) -> None:
        """*left_out*: whose entries, and where from."""
        if not self.confirmed:
            raise Doubt(f"{left_out}, and no two people have kept anybody out.")


def _birth(player: str) -> str:
    return f"the birth of player {player}"


def _restriction(number: int, player: str) -> str:
    return f"restriction {number} of player {player}"


def _readmission(card: str) -> str:
    return f"the readmission of {card}"
