"""The acts of tournaments, of every game. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kernel.acts import Act, InSubject, OrMissing
from kernel.money import Money


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry came in. A score is points or chips, or what the entry would have won."""

    entry: int
    score: int | Money
    place: int
    prize: Money


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfTournament(Act):
    tournament: InSubject[str]
    of: OrMissing[str] = None  # the game whose room holds it, where that room is not promotions

    @property
    def subject(self) -> str:
        return f"{self.of}-tournament:{self.tournament}" if self.of else f"tournament:{self.tournament}"


def _what(round_name: str | None) -> str:
    return {"ties": "the play-off in ", "final": "the final of "}.get(round_name or "", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentEntered(_OfTournament):
    kind: ClassVar[str] = "tournament.entered"
    entry: int
    fee: Money
    whose: str  # the number of the player whose card was shown
    numbers: OrMissing[tuple[int, ...]] = None  # what the player marked, in a game where he does

    def sentence(self) -> str:
        return f"took entry {self.entry} in tournament {self.tournament} for ${self.fee}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentRebought(_OfTournament):
    kind: ClassVar[str] = "tournament.rebought"
    entry: int
    number: int  # 1 for the first of this entry
    price: Money

    def sentence(self) -> str:
        return f"took rebuy {self.number} of entry {self.entry} in tournament {self.tournament} for ${self.price}"


@dataclass(frozen=True, slots=True)
class SeatTaken:
    entry: int
    heat: int
    table: str
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSeated(_OfTournament):
    kind: ClassVar[str] = "tournament.seated"
    how: str  # lot, assigned
    seats: Sequence[SeatTaken]
    round: OrMissing[str] = None  # final; missing: the heats

    def sentence(self) -> str:
        how = "by lot" if self.how == "lot" else "as assigned"
        return f"seated {len(self.seats)} entries of {_what(self.round)}tournament {self.tournament}, {how}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentScored(_OfTournament):
    kind: ClassVar[str] = "tournament.scored"
    scores: Mapping[int, int]
    round: OrMissing[str] = None  # ties (a play-off), final; missing: the heats

    def sentence(self) -> str:
        return f"wrote down {len(self.scores)} scores of {_what(self.round)}tournament {self.tournament}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentScoresConfirmed(_OfTournament):
    """Another person has written down the same."""

    kind: ClassVar[str] = "tournament.scores-confirmed"
    scores: Mapping[int, int]
    round: OrMissing[str] = None

    def sentence(self) -> str:
        scores = f"{len(self.scores)} scores of {_what(self.round)}tournament {self.tournament}"
        return f"wrote down the same {scores}: they stand"


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentQualified(_OfTournament):
    """The heats are closed: who is in the final."""

    kind: ClassVar[str] = "tournament.qualified"
    entries: Sequence[int]
    tied: Sequence[int]  # between whom a play-off or a lot decided

    def sentence(self) -> str:
        return f"closed the heats of tournament {self.tournament}: {len(self.entries)} entries are in the final"


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentFinished(_OfTournament):
    kind: ClassVar[str] = "tournament.finished"
    fees: Money
    retained: Money
    places: Sequence[Place]

    def sentence(self) -> str:
        return f"finished tournament {self.tournament}: ${self.fees} in fees, ${self.retained} retained"


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentCalledOff(_OfTournament):
    """Given up, as one proposed and another decided: each fee goes back when its player comes for it."""

    kind: ClassVar[str] = "tournament.called-off"
    why: str
    owed: Money
    proposal: int

    def sentence(self) -> str:
        return f"called off tournament {self.tournament}: ${self.owed} is owed back to those who entered"


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentRefundAuthorised(_OfTournament):
    kind: ClassVar[str] = "tournament.refund-authorised"
    entry: int
    amount: Money
    why: str

    def sentence(self) -> str:
        return f"authorised the refund of ${self.amount} for entry {self.entry} of tournament {self.tournament}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentRefundSeconded(_OfTournament):
    """By a second person: a device on the floor may hand it over, too."""

    kind: ClassVar[str] = "tournament.refund-seconded"
    entry: int

    def sentence(self) -> str:
        return f"said, too, that the fee of entry {self.entry} of tournament {self.tournament} goes back"


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentRefunded(_OfTournament):
    kind: ClassVar[str] = "tournament.refunded"
    entry: int
    amount: Money

    def sentence(self) -> str:
        return f"gave back the fee of ${self.amount} of entry {self.entry} of tournament {self.tournament}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentPaymentAuthorised(_OfTournament):
    kind: ClassVar[str] = "tournament.payment-authorised"
    entry: int
    amount: Money

    def sentence(self) -> str:
        return f"authorised the payment of ${self.amount} to entry {self.entry} of tournament {self.tournament}"
