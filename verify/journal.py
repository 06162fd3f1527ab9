"""What the rooms do not recompute: that what is spoken of came to be (``things.py``), that what never comes alone has
come together, that what was decided was done, and incidents, reports, days, keys and ages as their rules say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from typing import Final

import jackpot.acts
import jackpot.link_acts
import jackpot.round_acts
import tablegames.acts
from house import acts as house
from house.approval_acts import ChangeEffective, ValueInstalled
from house.cash.acts import ThresholdReportDue
from house.incident_acts import IncidentReported
from house.players import acts as players
from jackpot.hit_acts import HitPaid
from keno.counter_acts import VouchersRegistered
from keno.prize_acts import WinVoided
from keno.resettle_acts import GameResettled
from kernel.acts import Act
from kernel.export_check import ActOnRecord, Doubt, RoomCheck
from kernel.money import Money
from ledger.acts import KeyInUse, VerifierPublished, WitnessAppointed
from promotions.acts import entries, prizes, terms
from signage.acts import LookChosen
from tournaments.acts import TournamentCalledOff
from verify import incidents
from verify.own import is_the_published, own_digest
from verify.things import ABOUT, MADE, REPORT, SAYS, Things, names
from web.acts import WorkBegun

_LIMITS: Final = "house.cash-limits"
_LOOK: Final = "signage.look"
_NOBODY: Final = "unknown"  # who signs in and is not known
_OF_IMPORT: Final = "promotions.import"  # the kind of work that a file of entries is
_IMPORT, _WORK = "import of", "work for"
# What is done where a change comes into force, in its own transaction.
_EFFECTS: Final[Mapping[str, type[Act]]] = {
    "house.access": house.AccessReset,
    "house.device-holder": house.DeviceHeld,
    "house.device-registration": house.DeviceRegistered,
    "house.device-tables": house.DeviceBound,
    "house.erasure": house.PersonalDataErased,
    "house.role-permissions": house.RolePermissionsChanged,
    "house.staff-roles": house.PersonRolesChanged,
    "house.witness": WitnessAppointed,
    "jackpot.adjustment": jackpot.acts.LinkAdjusted,
    "jackpot.late-claim": jackpot.round_acts.HandClaimedLate,
    "jackpot.meter-disagreement": jackpot.link_acts.MeterExplained,
    "jackpot.pay-out": jackpot.link_acts.LinkPaidOut,
    "jackpot.retirement": jackpot.acts.LinkRetired,
    "jackpot.terms": jackpot.acts.TermsSet,
    "keno.call-off-tournament": TournamentCalledOff,
    "keno.resettle": GameResettled,
    "keno.void-win": WinVoided,
    "keno.voucher-register": VouchersRegistered,
    "promotions.amendment": terms.Amended,
    "promotions.call-off-tournament": TournamentCalledOff,
    "signage.look": LookChosen,
    "tablegames.higher-maximum": tablegames.acts.MarkerPlaced,
    "tablegames.terms": tablegames.acts.TermsSet,
}
# Of these, those that are done by nothing else.
_ONLY_SO: Final = frozenset(
    act.kind
    for act in (
        house.AccessReset, house.DeviceHeld, house.DeviceBound, house.PersonalDataErased, house.RolePermissionsChanged,
        house.PersonRolesChanged, WitnessAppointed, terms.Amended, LookChosen,
    )
)  # fmt: skip
_BY_HIMSELF: Final = (
    house.AccessTaken, house.PasswordChanged, house.SecondStepEnrolled, house.SignedIn, house.SignedOut, house.TimedOut,
)  # fmt: skip
_OTHERS: Final[tuple[type[Act], ...]] = (
    players.BirthRecorded, prizes.PrizesWon, prizes.ClaimMade, house.VenueSetUp, KeyInUse, VerifierPublished,
    LookChosen, ChangeEffective, ValueInstalled, HitPaid, terms.Started,
)  # fmt: skip


class Check(RoomCheck):
    name = "Journal"
    acts = frozenset(act.kind for act in (*SAYS, *_OTHERS, *incidents.ACTS, *_EFFECTS.values()))

    def __init__(self) -> None:
        super().__init__()
        self.things: dict[str, Things] = {}
        self.zone = ""
        self.started: set[str] = set()  # promotions
        self.keys: dict[str, str] = {}  # in use, by purpose
        self.verifier: VerifierPublished | None = None  # the last
        self.report_from = Money.dollars(10_000)
        self.reports: dict[int, ThresholdReportDue] = {}
        self.days: set[tuple[str, str]] = set()  # scheduled in transactions before this one
        self.tx = 0
        self.owed: list[tuple[str, str, int]] = []  # in this transaction: what was to come with something else
        self.found: list[tuple[str, str]] = []
        self.done: Counter[str] = Counter()  # in this transaction, by kind
        self.decided: Counter[str] = Counter()  # of these, what came into force in it

    def act(self, row: ActOnRecord) -> None:
        act = row.act
        if row.tx != self.tx:
            self._transaction_over()
            self.tx = row.tx
        for how, sort, field in SAYS.get(type(act), ()):
            for name in names(getattr(act, field)):
                self._say(how, sort, name, row.line)
        if isinstance(act, _BY_HIMSELF) and row.actor != row.subject:
            raise Doubt(f"{row.actor} {act.sentence()}, in the name of {act.person}.")
        self.owed += [(f"incident {kind}", name, row.line) for kind, name in incidents.owed(act)]
        self.done[row.kind] += 1
        self._of_players_and_promotions(row)
        self._of_house(row)

    def _say(self, how: str, sort: str, name: str, line: int) -> None:
        if (sort, name) != ("person", _NOBODY):
            self.things.setdefault(sort, Things(sort)).say(how, name, line)

    def _of_house(self, row: ActOnRecord) -> None:
        match row.act:
            case IncidentReported() as act:
                incidents.check_reported(act, row, self.zone)
                self.found += [(f"incident {act.kind_}", act.about), (f"incident {act.kind_}", "")]
            case ThresholdReportDue() as act:
                self._due(act, row.cash)
            case HitPaid(reported=True):
                self.owed.append((REPORT, "", row.line))
            case house.VenueSetUp() as act:
                if self.days and self.zone and act.time_zone != self.zone:  # it begins with one that no act names
                    raise Doubt("the venue’s clock is another than that of its gaming days.")
                self.zone = act.time_zone
            case house.GamingDayScheduled() as act:
                self._scheduled(act)
            case ValueInstalled(kind_=kind, value=dict(limits)) | ChangeEffective(kind_=kind, new=dict(limits)) if (
                kind == _LIMITS
            ):
                self.report_from = Money.parse(limits["report_from"])
            case ChangeEffective() as act if act.kind_ in _EFFECTS:
                self.decided[_EFFECTS[act.kind_].kind] += 1
                if act.kind_ == _LOOK:
                    self.found.append((f"change {_LOOK}", repr(act.new)))
            case LookChosen() as act:
                self.owed.append((f"change {_LOOK}", repr(act.data()), row.line))
            case WorkBegun(kind_=kind, asked=asked) if kind == _OF_IMPORT:
                self._together(_WORK, _IMPORT, f"{asked.get('file')} into {asked.get('promotion')}", row.line)
            case KeyInUse() | VerifierPublished() as act:
                self._published(act)

    def _together(self, this: str, that: str, name: str, line: int) -> None:
        """Neither comes without the other, in one transaction."""
        self.found.append((this, name))
        self.owed.append((that, name, line))

    def _of_players_and_promotions(self, row: ActOnRecord) -> None:
        match row.act:
            case players.PlayerRegistered() as act:
                self.owed.append(("first card of player", act.player, row.line))
            case players.CardIssued() as act:
                self.found.append(("first card of player", act.player))
            case players.BirthRecorded() as act:
                self._say(ABOUT if act.corrected else MADE, "date of birth", act.player, row.line)
                self._say(ABOUT, "player", act.player, row.line)
            case entries.ImportBegun() as act:
                self._together(_IMPORT, _WORK, f"{act.file} into {act.promotion}", row.line)
            case terms.Started() as act:
                self.started.add(act.promotion)
            case terms.Cancelled() as act if act.promotion in self.started:  # before that nobody has entered
                self.owed.append((f"incident {incidents.COMPROMISED}", act.subject, row.line))
            case prizes.PrizesWon() as act:
                for won in act.won:
                    self._say(MADE, "win", str(won.win), row.line)
            case prizes.ClaimMade() as act:
                self._claimed(act, row.line)

    def _claimed(self, act: prizes.ClaimMade, line: int) -> None:
        """An age by the player's record is on that record."""
        if act.age not in (None, "record", "document") or (act.age == "record") != (act.player is not None):
            raise Doubt(
                f"claim {act.claim}: how old he is, is known by {act.age}, and that of {act.player or 'nobody'}."
            )
        if act.player is not None:
            self._say(ABOUT, "date of birth", act.player, line)

    def _due(self, act: ThresholdReportDue, cash: int) -> None:
        """It grows by what the transaction has paid. A new one may have earlier payments in it: then the record says
        no more than that it is more than the last of them."""
        self.found.append((REPORT, ""))
        before = self.reports.get(act.report)
        if before is not None and (act.day, act.due_at) != (before.day, before.due_at):
            raise Doubt(f"threshold report {act.report} is of another day than it was made for.")
        if before is not None and (act.cash <= before.cash or act.payments <= before.payments):
            raise Doubt(f"threshold report {act.report} grows, and not by a payment.")
        more = act.cash.micros - (before.cash.micros if before is not None else 0)
        several = before is None and act.payments > 1
        if (several and more <= cash) or (not several and more != cash) or act.cash < self.report_from:
            raise Doubt(f"threshold report {act.report} comes to {act.cash.said}, and {Money(cash).said} was paid.")
        self.reports[act.report] = act

    def _scheduled(self, act: house.GamingDayScheduled) -> None:
        if act.opens_at >= act.closes_at:
            raise Doubt(f"the gaming day {act.day} closes before it opens.")
        clock = incidents.clock_of(self.zone)
        there = act.opens_at.astimezone(clock).date() if clock is not None else act.day
        if there not in (act.day, act.day + timedelta(days=1)):
            raise Doubt(f"the gaming day {act.day} opens on {there} by the venue’s clock ({self.zone}).")
        name = str(act.day)
        if ("day", name) in self.found:
            raise Doubt(f"the gaming day {name} is scheduled twice.")
        self.found.append(("day", name))

    def _published(self, act: KeyInUse | VerifierPublished) -> None:
        if isinstance(act, VerifierPublished):
            if self.verifier is not None and self.verifier.sha256 == act.sha256:
                raise Doubt("the verifier is published a second time, and is no other.")
            self.verifier = act
        elif self.keys.get(act.purpose) == act.key:
            raise Doubt(f"key {act.key} comes into use for {act.purpose} a second time.")
        else:
            self.keys[act.purpose] = act.key

    def _transaction_over(self) -> None:
        for what, name, line in self.owed:
            if not any(said.startswith(what) and named == name for said, named in self.found):
                raise Doubt(f"{what} {name} should be here, and is not.".replace("  ", " "), line=line)
        self.days |= {each for each in self.found if each[0] == "day"}
        for kind in {*self.decided, *_ONLY_SO.intersection(self.done)}:
            if self.done[kind] < self.decided[kind]:
                raise Doubt(f"{kind} should stand before this: it was decided, and came into force.")
            if self.done[kind] > self.decided[kind] and kind in _ONLY_SO:
                raise Doubt(f"{kind} stands before this more often than it was decided.")
        self.done.clear()
        self.decided.clear()
        self.owed.clear()
        self.found.clear()

    def end(self, *, attached: bool) -> list[str]:
        self._transaction_over()
        for things in self.things.values():
            things.end()
        last = self.verifier
        look = is_the_published(own_digest(), (last.sha256, last.bytes_) if last is not None else None)
        self.attention += [look] if look else []
        return []
