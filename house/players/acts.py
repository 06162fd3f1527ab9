"""What the log keeps of players. No names: what is sealed can never be forgotten again. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from kernel.acts import Act, InSubject, OrMissing
from kernel.money import Money


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfPlayer(Act):
    player: InSubject[str]  # the number

    @property
    def subject(self) -> str:
        return f"player:{self.player}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRegistered(_OfPlayer):
    kind: ClassVar[str] = "player.registered"

    def sentence(self) -> str:
        return f"registered player {self.player}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BirthRecorded(_OfPlayer):
    """That it is on record, never the date itself."""

    kind: ClassVar[str] = "player.birth-recorded"
    corrected: bool

    def sentence(self) -> str:
        return f"{'corrected' if self.corrected else 'recorded'} the date of birth of player {self.player}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BirthConfirmed(_OfPlayer):
    """By a second person, who saw the same date."""

    kind: ClassVar[str] = "player.birth-confirmed"

    def sentence(self) -> str:
        return f"confirmed the date of birth of player {self.player}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardIssued(_OfPlayer):
    kind: ClassVar[str] = "player.card-issued"
    card: str

    def sentence(self) -> str:
        return f"issued card {self.card} to player {self.player}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCancelled(_OfPlayer):
    kind: ClassVar[str] = "player.card-cancelled"
    card: str
    reason: str

    def sentence(self) -> str:
        return f"cancelled card {self.card} of player {self.player}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRestricted(_OfPlayer):
    kind: ClassVar[str] = "player.restricted"
    restriction: int
    kind_: str
    scope: str
    until: datetime | None
    breach_since: OrMissing[datetime] = None

    def sentence(self) -> str:
        return f"kept player {self.player} from play ({self.kind_}, {self.scope})"


@dataclass(frozen=True, slots=True, kw_only=True)
class RestrictionConfirmed(_OfPlayer):
    """By a second person: from now on it leaves out what the player had entered before, too."""

    kind: ClassVar[str] = "player.restriction-confirmed"
    restriction: int

    def sentence(self) -> str:
        return f"confirmed restriction {self.restriction} of player {self.player}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftingSaid(_OfPlayer):
    """One person: it lasts until another has said so, too."""

    kind: ClassVar[str] = "player.lifting-said"
    restriction: int

    def sentence(self) -> str:
        return f"said that restriction {self.restriction} of player {self.player} is to be lifted"


@dataclass(frozen=True, slots=True, kw_only=True)
class RestrictionLifted(_OfPlayer):
    kind: ClassVar[str] = "player.restriction-lifted"
    restriction: int

    def sentence(self) -> str:
        return f"lifted restriction {self.restriction} of player {self.player}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitAsked(_OfPlayer):
    kind: ClassVar[str] = "player.limit-asked"
    kind_: str
    period: str
    old: Money | None
    new: Money | None
    from_: datetime

    def sentence(self) -> str:
        limit = "no limit" if self.new is None else f"a limit of ${self.new}"
        return f"noted {limit} on the {self.kind_} of player {self.player} in a {self.period}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsDeclared(_OfPlayer):
    kind: ClassVar[str] = "player.chips-declared"
    table: str
    kind_: str
    amount: Money

    def sentence(self) -> str:
        return f"noted ${self.amount} in chips {self.kind_} by player {self.player} at {self.table}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerAboveLimit(_OfPlayer):
    kind: ClassVar[str] = "player.wager-above-limit"
    table: str
    returned: Sequence[tuple[str, Money]]  # each wager's name and what of it went back

    def sentence(self) -> str:
        back = Money.total(amount for _, amount in self.returned)
        return f"gave player {self.player} ${back} back at {self.table}: above the loss limit"
