"""What of a tournament is being played: its heats (or all of it), a play-off of those who tie, the final."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from kernel.actors import Actor
from tournaments.find import playing
from tournaments.models import Tournament, TournamentEntry, TournamentRound
from tournaments.rules.final import FINAL, PLAY_OFF, TIES, Result, final_of, tied
from tournaments.rules.seats import ASSIGNED, LOT, Seating

_SCORES = {None: "score", TIES: "tie_score", FINAL: "final_score"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    tournament: Tournament
    name: str | None = None  # ties, final; None: the heats, or all of it
    round: TournamentRound | None = None  # as far as it is on record
    entries: QuerySet[TournamentEntry]
    seating: Seating | None = None

    @property
    def scores(self) -> str:
        """The field of an entry that has its score here."""
        return _SCORES[self.name]

    @property
    def scored_by(self) -> str | None:
        held = self.tournament if self.name is None else self.round
        return None if held is None else held.scored_by

    @property
    def confirmed_at(self) -> datetime | None:
        held = self.tournament if self.name is None else self.round
        return None if held is None else held.confirmed_at

    @property
    def is_to_be_seated(self) -> bool:
        return self.seating is not None and not self.is_seated

    @property
    def is_seated(self) -> bool:
        seat = "final_seat" if self.name == FINAL else "seat"
        return self.entries.filter(**{f"{seat}__isnull": False}).exists()

    def held(self, *, by: Actor, now: datetime) -> Tournament | TournamentRound:
        """Its row, to write on: who scored it, and who wrote down the same."""
        if self.name is None:
            return self.tournament
        return self.round or open_round(self.tournament, self.name, by=by, now=now)


def stage_of(tournament: Tournament) -> Stage:
    final, entries = final_of(tournament.terms), playing(tournament)
    heats = Stage(tournament=tournament, entries=entries, seating=seating_of(tournament))
    if final is None or tournament.confirmed_at is None:
        return heats
    if (held := round_of(tournament, FINAL)) is not None:
        finalists = entries.filter(in_final=True)
        return Stage(tournament=tournament, name=FINAL, round=held, entries=finalists, seating=final.seating)
    if final.ties == PLAY_OFF and (concerned := tied(results_of(tournament), final)):
        tying = entries.filter(pk__in=concerned)
        return Stage(tournament=tournament, name=TIES, round=round_of(tournament, TIES), entries=tying)
    return heats


def results_of(tournament: Tournament) -> list[Result]:
    """Of the heats, once their scores stand."""
    rows = playing(tournament).order_by("pk").values_list("pk", "heat", "score")
    return [Result(entry, heat or 0, score or 0) for entry, heat, score in rows]


def round_of(tournament: Tournament, name: str) -> TournamentRound | None:
    return tournament.rounds.filter(name=name).first()


def open_round(tournament: Tournament, name: str, *, by: Actor, now: datetime) -> TournamentRound:
    return TournamentRound.objects.create(tournament=tournament, name=name, opened_at=now, opened_by=by.identity)


def seating_of(tournament: Tournament) -> Seating | None:
    """Where players sit in the heats, if the conditions say so."""
    terms = tournament.terms
    if not terms.get("tables"):
        return None
    return Seating(heats=terms.get("heats") or 1, tables=terms["tables"], seats_a_table=terms["seats_a_table"])


def how_seated(tournament: Tournament) -> str:
    """By lot, unless the approved conditions let the house assign seats."""
    return ASSIGNED if tournament.terms.get("seats_assigned") else LOT
