"""Scores of Keno's tournaments (15.3), computed again from the marked numbers and the drawn ones. Pure.

Fees, places and prizes are ``tournaments/verify.py``'s, which takes the scores as they were written down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from keno.on_record.game import GameMoney
from keno.on_record.values import Values
from keno.rules.schedules import schedule_named
from keno.rules.selection import plain
from keno.rules.tournament_score import score
from kernel.export_check import ActOnRecord, Doubt
from kernel.money import Money
from kernel.refusal import Refusal
from tournaments.acts import TournamentCalledOff, TournamentEntered, TournamentRefunded, TournamentScored

OF: Final = "keno"
OfTournaments = TournamentEntered | TournamentScored | TournamentCalledOff | TournamentRefunded


@dataclass(slots=True)
class _Tournament:
    terms: Mapping[str, Any]  # as approved when the first entry came
    marked: dict[int, tuple[int, ...]] = field(default_factory=dict)  # by entry
    called_off: bool = False


class TournamentsOnRecord:
    """*games*: what is known of every game that was opened."""

    def __init__(self, values: Values, games: Mapping[int, GameMoney]) -> None:
        self.values, self.games = values, games
        self.tournaments: dict[str, _Tournament] = {}
        self.scored = 0  # entries

    def act(self, act: OfTournaments, row: ActOnRecord) -> None:
        if act.of != OF:
            return
        match act:
            case TournamentEntered():
                self._entered(act, row)
            case TournamentScored():
                self._scored(act)
            case TournamentCalledOff():
                self._called_off(act)
            case TournamentRefunded():
                self._refunded(act)

    def _entered(self, act: TournamentEntered, row: ActOnRecord) -> None:
        found = self.tournaments.get(act.tournament)
        if found is None:
            terms = self.values.value("tournament", act.tournament, before=row.index)
            if not isinstance(terms, dict):
                raise Doubt(f"tournament {act.tournament} is entered under conditions that nobody has approved.")
            found = self.tournaments[act.tournament] = _Tournament(terms)
        terms, numbers = found.terms, act.numbers or ()
        try:
            plain(numbers, Money.parse(terms["stake"]))
        except Refusal as refused:
            raise Doubt(f"tournament {act.tournament}: entry {act.entry} cannot be: {refused.detail}") from refused
        if len(numbers) != terms["spots"]:
            raise Doubt(f"tournament {act.tournament}: entry {act.entry} does not mark {terms['spots']} numbers.")
        if begun := self._closed(terms):
            raise Doubt(f"tournament {act.tournament}: entry {act.entry} comes after game {begun} was closed.")
        found.marked[act.entry] = numbers

    def _closed(self, terms: Mapping[str, Any]) -> int:
        """The first of its games, or a later one, that was closed by now; 0: none."""
        begun = [number for number, game in self.games.items() if number >= terms["first_game"] and _begun(game)]
        return min(begun, default=0)

    def _called_off(self, act: TournamentCalledOff) -> None:
        """Before its first game closed, or because none of its games was valid."""
        found = self._found(act)
        terms = found.terms
        window = [self.games.get(number) for number in range(terms["first_game"], terms["last_game"] + 1)]
        never_valid = all(game is not None and game.over and game.totals is None for game in window)
        if self._closed(terms) and not never_valid:
            raise Doubt(f"tournament {act.tournament} is called off after it had begun.")
        found.called_off = True

    def _refunded(self, act: TournamentRefunded) -> None:
        """As long as no number of it can be known, or after it was called off; it scores nothing from then on."""
        found = self._found(act)
        if not found.called_off and (begun := self._closed(found.terms)):
            raise Doubt(f"tournament {act.tournament}: entry {act.entry} is paid back after game {begun} was closed.")
        found.marked.pop(act.entry, None)

    def _found(self, act: OfTournaments) -> _Tournament:
        found = self.tournaments.get(act.tournament)
        if found is None:
            raise Doubt(f"there is word of a tournament {act.tournament} that nobody has entered.")
        return found

    def _scored(self, act: TournamentScored) -> None:
        found = self._found(act)
        terms = found.terms
        window = range(terms["first_game"], terms["last_game"] + 1)
        for number in window:
            if number not in self.games or not self.games[number].over:
                raise Doubt(f"tournament {act.tournament} is scored before game {number} is over.")
        settled = [self.games[number] for number in window if self.games[number].totals is not None]
        draws = [frozenset((game.again or game).drawn) for game in settled]  # by now on the right numbers (12.1)
        schedule, stake = schedule_named(terms["schedule"]), Money.parse(terms["stake"])
        for entry, numbers in found.marked.items():
            right = score(numbers, draws, schedule=schedule, stake=stake)
            said = Money(act.scores.get(entry, 0))
            if said != right:
                raise Doubt(
                    f"tournament {act.tournament}: entry {entry} is said to score {said}; its numbers score {right}."
                )
        self.scored += len(found.marked)


def _begun(game: GameMoney) -> bool:
    return bool(game.closed_at) or game.over
