"""What comes to be once in a log, and what is said of it afterwards: the sorts of things, and which acts speak of them.

Transactions stand in the order in which they began, and one may have read what another, that began after it, had
written: so whether a thing ever came to be is asked at the end, and nobody minds which stands first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

import jackpot.acts
import jackpot.hit_acts
import jackpot.link_acts
import keno.acts
import keno.counter_acts
from console.acts import ExportTaken
from house import acts as house
from house.approval_acts import LetterDisputed
from house.cash.acts import ReportsDownloaded, ThresholdReportDue, ThresholdReported
from house.incident_acts import IncidentClosed, IncidentNotReached, IncidentReported, IncidentTold
from house.players import acts as players
from keno.prize_acts import DisputeReviewed
from kernel.acts import Act
from kernel.export_check import Doubt
from ledger.acts import KeyDestroyed, KeyHandedOver
from promotions.acts import entries, prizes, terms
from tablegames.acts import MonthReported, PaymentErrorFound
from web.acts import WorkBegun, WorkCancelled

MADE, OVER, ABOUT = "made", "over", "about"
BEGUN, ENDED = "begun", "ended"  # in turn, as often as one likes


class Says(NamedTuple):
    """That a thing came to be, is over, or is spoken of: its sort, and the field that names it (or several)."""

    how: str
    sort: str
    field: str


def made(sort: str, field: str = "") -> Says:
    return Says(MADE, sort, field or sort)


def over(sort: str, field: str = "") -> Says:
    return Says(OVER, sort, field or sort)


def about(sort: str, field: str = "") -> Says:
    return Says(ABOUT, sort, field or sort)


_PLAYER, _PERSON, _DEVICE, _INCIDENT = about("player"), about("person"), about("device"), about("incident")
_PROMOTION, REPORT = about("promotion"), "threshold report"
_EXCLUDED: Final = "excluded card"
_OF_HOUSE: Final[Mapping[type[Act], tuple[Says, ...]]] = {
    players.PlayerRegistered: (made("player"),),
    players.CardIssued: (made("card"), _PLAYER),
    players.CardCancelled: (over("card"), _PLAYER),
    players.PlayerRestricted: (made("restriction"), _PLAYER),
    players.RestrictionLifted: (over("restriction"), _PLAYER),
    players.LimitAsked: (_PLAYER,),
    players.ChipsDeclared: (_PLAYER,),
    players.WagerAboveLimit: (_PLAYER,),
    house.PersonHired: (made("person"),),
    house.SignInFailed: (_PERSON,),
    house.PersonUnlocked: (_PERSON,),
    house.AccessReset: (made("access", "person"),),
    house.AccessHalfShown: (about("access", "person"),),
    house.AccessTaken: (about("access", "person"), _PERSON),
    house.PasswordChanged: (_PERSON,),
    house.SecondStepEnrolled: (_PERSON,),
    house.SignedIn: (_PERSON,),
    house.SignedOut: (_PERSON,),
    house.TimedOut: (_PERSON,),
    house.DeviceRegistered: (made("device"),),
    house.DeviceCodeMade: (_DEVICE,),
    house.DeviceTokenIssued: (_DEVICE,),
    house.DeviceTokenDue: (_DEVICE,),
    house.DeviceHeld: (_DEVICE,),
    house.DeviceBound: (_DEVICE,),
    house.DeviceRevoked: (over("device"),),
    house.GamingDayScheduled: (made("gaming day", "day"),),
    house.GamingDayClosedEarly: (over("gaming day", "day"),),
    IncidentReported: (made("incident"),),
    IncidentTold: (_INCIDENT,),
    IncidentNotReached: (_INCIDENT,),
    IncidentClosed: (over("incident"),),
    LetterDisputed: (_INCIDENT,),
    ThresholdReportDue: (made(REPORT, "report"),),
    ThresholdReported: (over(REPORT, "report"),),
    ReportsDownloaded: (about(REPORT, "reports"),),
    KeyHandedOver: (made("sealing key", "from_"),),  # the one before it is used no longer
    KeyDestroyed: (over("sealing key", "key"),),
    WorkBegun: (made("work"),),
    WorkCancelled: (over("work"),),
    ExportTaken: (about("work"),),
}
_OF_ROOMS: Final[Mapping[type[Act], tuple[Says, ...]]] = {
    jackpot.acts.LinkOpened: (made("jackpot", "link"),),
    jackpot.acts.TableJoined: (made("jackpot table", "table"), about("jackpot", "link")),
    jackpot.acts.TableOpened: (about("jackpot table", "table"),),
    jackpot.acts.TableClosed: (about("jackpot table", "table"),),
    jackpot.acts.TableSuspended: (about("jackpot table", "table"),),
    jackpot.hit_acts.HitClaimed: (made("hit"),),
    jackpot.hit_acts.HitAttended: (about("hit"), about("jackpot", "link"), about("jackpot table", "table")),
    jackpot.acts.ContributionsHeld: (about("jackpot table", "table"),),
    jackpot.link_acts.MeterDisagrees: (about("jackpot table", "table"),),
    jackpot.acts.WagersTooLate: (about("jackpot table", "table"), about("jackpot", "code")),
    jackpot.acts.MeterUndecided: (about("jackpot", "code"),),
    keno.acts.GameOpened: (made("game"),),
    keno.acts.GameMoved: (about("game"),),
    keno.acts.DrawWaits: (about("game"),),
    keno.acts.CancellationAsked: (made("cancellation asked for", "ticket"), about("game")),
    keno.acts.CancellationRefused: (over("cancellation asked for", "ticket"),),
    keno.counter_acts.FavouriteKept: (_PLAYER,),
    keno.counter_acts.FavouriteForgotten: (_PLAYER,),
    keno.acts.DemoPastBegun: (made("demo’s past", "subject"),),
    keno.acts.DemoPastMade: (over("demo’s past", "subject"),),
    DisputeReviewed: (_INCIDENT,),
    PaymentErrorFound: (_INCIDENT, made("payment error", "error")),
    MonthReported: (about("payment error", "payment_errors"),),
    terms.Drafted: (made("promotion"),),
    terms.Redrafted: (_PROMOTION,),
    terms.Postponed: (_PROMOTION, Says(BEGUN, "postponement of", "promotion")),
    terms.Resumed: (_PROMOTION, Says(ENDED, "postponement of", "promotion")),
    terms.Cancelled: (over("promotion"),),
    entries.EntriesEarned: (_PROMOTION,),
    entries.WithdrawalSaid: (_PROMOTION, made("entry to be withdrawn", "entry")),
    entries.EntryWithdrawn: (_PROMOTION,),
    entries.ImportBegun: (_PROMOTION, made("import", "import_")),
    entries.ImportDone: (_PROMOTION, over("import", "import_")),
    entries.ImportRefused: (_PROMOTION, over("import", "import_")),
    entries.ImportCancelled: (_PROMOTION, over("import", "import_")),
    entries.ImportConfirmed: (_PROMOTION, made("import confirmed", "import_")),
    entries.ImportRejectionSaid: (_PROMOTION, made("import to be rejected", "import_")),
    entries.ImportRejected: (_PROMOTION, over("import to be rejected", "import_")),
    entries.CardExcluded: (made(_EXCLUDED, "exclusion"),),
    entries.ExclusionConfirmed: (about(_EXCLUDED, "exclusion"),),
    entries.ReadmissionSaid: (about(_EXCLUDED, "exclusion"),),
    entries.CardReadmitted: (over(_EXCLUDED, "exclusion"),),
    entries.PersonalDataErased: (_PROMOTION,),
    entries.PersonalDataExported: (_PROMOTION,),
    prizes.WinnerCalled: (_PROMOTION, made("winner called", "entry")),
    prizes.WinnerPresent: (_PROMOTION, about("winner called", "entry")),
    prizes.WinnerTold: (_PROMOTION, about("win")),
    prizes.WinnerNotReached: (_PROMOTION, about("win")),
    prizes.ClaimDenied: (_PROMOTION, made("denied claim", "claim")),
    prizes.DenialTold: (over("denied claim", "claim"),),
}
SAYS: Final[Mapping[type[Act], tuple[Says, ...]]] = {**_OF_HOUSE, **_OF_ROOMS}
# Of these one name comes as often as people want.
_AGAIN: Final = frozenset(
    {
        "access",
        "cancellation asked for",
        "demo’s past",
        "entry to be withdrawn",
        "gaming day",
        "winner called",
        REPORT,
    }
)


class Things:
    """Of one sort, by name."""

    def __init__(self, sort: str) -> None:
        self.sort = sort
        self.made: set[int] = set()  # hashes: there are many
        self.over: set[int] = set()
        self.missing: dict[str, int] = {}  # spoken of and not made yet: the line

    def say(self, how: str, name: str, line: int) -> None:
        number = hash(name)
        if how in (BEGUN, ENDED):
            if (number in self.made) is (how == BEGUN):
                raise Doubt(f"{self.sort} {name} {how}, and it was so before.")
            self.made ^= {number}
            return
        if how == MADE:
            if number in self.made and self.sort not in _AGAIN:
                raise Doubt(f"{self.sort} {name} comes to be a second time.")
            self.made.add(number)
            self.missing.pop(name, None)
        elif number not in self.made:
            self.missing.setdefault(name, line)
        if how == OVER:
            if number in self.over:
                raise Doubt(f"{self.sort} {name} comes to its end a second time.")
            self.over.add(number)

    def end(self) -> None:
        for name, line in self.missing.items():
            raise Doubt(f"there is word of {self.sort} {name}, and it never came to be.", line=line)


def names(value: object) -> Iterator[str]:
    if isinstance(value, Iterable) and not isinstance(value, str):
        yield from map(str, value)
    elif value is not None:
        yield str(value)
