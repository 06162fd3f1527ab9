"""A tournament as an export has it, of any game, while it is read: what was entered, scored, qualified. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kernel.export_check import Doubt
from kernel.money import Money
from tournaments.rules.final import FINAL, PLAY_OFF, TIES, FinalTerms, Result, final_of, tied
from tournaments.rules.seats import Seating

ENTRY, REBUY, PRIZE, RETAINED, REFUND = "entry", "rebuy", "prize", "retained", "refund"
CALLED_OFF: Final = "called off"
AUTHORISED_ABOVE: Final = Money.dollars(10_000)


@dataclass(frozen=True, slots=True)
class Room:
    """A room that holds tournaments: how its subjects and transfers begin, whose its conditions are, its accounts."""

    of: str | None
    transfers: str
    conditions: str
    fees: str
    retained: str
    call_off: str  # the kind of change by which one is called off
    scored_by_draws: bool = False
    # The approved amount above which a payment is authorised first, by kind and code; else AUTHORISED_ABOVE.
    authorised_above: tuple[str, str] = ("", "")


ROOMS: Final = (
    Room(
        None,
        "promotions.tournament",
        "promotions.tournament",
        "promotions:tournaments",
        "promotions:tournament-fees",
        "promotions.call-off-tournament",
    ),
    Room(
        "keno",
        "keno.tournament",
        "keno.tournament",
        "keno:tournaments",
        "keno:tournament-fees",
        "keno.call-off-tournament",
        scored_by_draws=True,
        authorised_above=("keno.amount", "supervised-above"),
    ),
)


@dataclass(slots=True)
class RoundOnRecord:
    """The heats, a play-off, the final."""

    seated: bool = False
    confirmed: bool = False
    scores: dict[int, int] = field(default_factory=dict)
    scored_by: str = ""


@dataclass(slots=True)
class TournamentOnRecord:
    code: str
    room: Room
    terms: Mapping[str, Any]
    fees: dict[int, Money] = field(default_factory=dict)  # by entry: what it paid, rebuys included
    whose: dict[int, str] = field(default_factory=dict)
    rebuys: dict[int, int] = field(default_factory=dict)
    heat_of: dict[int, int] = field(default_factory=dict)  # by entry
    rounds: dict[str | None, RoundOnRecord] = field(default_factory=dict)
    into: list[int] | None = None  # who is in the final, once the heats are closed
    prizes: dict[int, Money] = field(default_factory=dict)  # by entry, not paid yet
    authorised: dict[int, str] = field(default_factory=dict)
    refunds: dict[int, str] = field(default_factory=dict)  # by entry, who said that its fee goes back
    seconded: set[int] = field(default_factory=set)  # entries of which a second person has said so, too
    called_off_by: tuple[str, ...] = ()  # who proposed it, and who decided
    over: str = ""

    @property
    def name(self) -> str:
        return f"tournament {self.code}"

    @property
    def heats(self) -> RoundOnRecord:
        return self.rounds.setdefault(None, RoundOnRecord())

    @property
    def final(self) -> FinalTerms | None:
        return final_of(self.terms)

    @property
    def results(self) -> list[Result]:
        return [Result(entry, self.heat_of.get(entry, 0), score) for entry, score in sorted(self.heats.scores.items())]

    def round(self, name: str | None) -> RoundOnRecord:
        """What is played now, and by this name. Raises Doubt."""
        final = self.final
        if name is None:
            playing = True
        elif name == FINAL:
            playing = self.into is not None
        else:
            playing = name == TIES and final is not None and final.ties == PLAY_OFF and self.heats.confirmed
            playing = playing and self.into is None
        if not playing:
            raise Doubt(f"{self.name}: there is word of its {name}, which is not being played.")
        return self.rounds.setdefault(name, RoundOnRecord())

    def in_round(self, name: str | None) -> list[int]:
        """The entries who play it."""
        if name is None or self.final is None:
            return sorted(self.fees)
        return sorted(self.into or []) if name == FINAL else tied(self.results, self.final)

    def seating(self, name: str | None) -> Seating | None:
        if name is not None:
            return self.final.seating if self.final is not None and name == FINAL else None
        terms = self.terms
        if not terms.get("tables"):
            return None
        return Seating(heats=terms.get("heats", 1), tables=terms["tables"], seats_a_table=terms["seats_a_table"])

    def points(self) -> dict[int, int]:
        """By entry that is ranked: what places and prizes go by."""
        if self.final is None:
            return self.heats.scores
        return {
            entry: self.final.points(heat=self.heats.scores[entry], final=score)
            for entry, score in self.round(FINAL).scores.items()
        }
