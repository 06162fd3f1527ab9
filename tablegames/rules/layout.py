"""Games where chips lie on a layout and one outcome decides them all: roulette, sic-bo, the money wheel.

A wager is written as its kind and what it is on: ``split:17/20``, ``total:9``, ``red``. It is one piece, or, on the
race track, several of the same value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

from kernel.money import MICROS_PER_CENT, ZERO, Money
from kernel.refusal import Refusal
from tablegames.rules import owed
from tablegames.rules.odds import Cell
from tablegames.rules.owed import Owed, Payment, Result, Settlement
from tablegames.rules.terms import Terms, only

Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True)
class Piece(Generic[Outcome]):
    what: str
    pays: Callable[[Outcome], Cell | None]
    weight: int = 1
    """How many pieces of the same value lie there."""
    place: str = ""
    """Where it lies, as a wager there is written: the race track lays on places of the layout. Else the wager's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutGame(Generic[Outcome]):
    code: str
    title: str
    document: str
    kinds: Mapping[str, tuple[Cell, ...]]
    """The pay table: the cells of each kind of wager."""
    outcomes: Sequence[Outcome]
    """All of them, each as likely."""
    read_outcome: Callable[[str], Outcome]
    read_wager: Callable[[str], Sequence[Piece[Outcome]]]
    every_wager: Callable[[], Sequence[str]]
    """One of each that can be made, for the figures and the tests."""
    wins: str
    loses: str
    above_maximum: str
    irregularities: Mapping[str, str]

    def clause(self, number: str) -> str:
        return f"{self.document}:{number}"

    def check_terms(self, terms: Terms) -> None:
        only(terms, game=self.title, wagers=self.kinds)

    def edge(self, wager: str) -> Fraction:
        """What the house keeps of a dollar on average, exactly."""
        pieces = self.read_wager(wager)
        whole = sum(piece.weight for piece in pieces)
        back = Fraction(0)
        for outcome in self.outcomes:
            for piece in pieces:
                cell = piece.pays(outcome)
                back += Fraction(piece.weight, whole) * (cell.odds.exact + 1) if cell else 0
        return 1 - back / len(self.outcomes)

    def settle(
        self, *, terms: Terms, wagers: Mapping[str, Money], outcome: str, choices: Mapping[str, object]
    ) -> Settlement:
        self.check_terms(terms)
        check_amounts(wagers)
        read = {wager: self.read_wager(wager) for wager in wagers}
        fault = irregularity(self.title, self.irregularities, choices)
        if fault is not None:
            return all_void(self.code, wagers, clause=self.clause(self.irregularities[fault]), why=fault)
        fell = self.read_outcome(outcome)
        lies: Counter[str] = Counter()
        # What was laid on the place itself counts first, whatever the order in which it is told.
        lines = {
            wager: self._line(wager, wagers[wager], read[wager], fell, terms=terms, lies=lies)
            for wager in sorted(wagers, key=lambda wager: (len(read[wager]), wager))
        }
        owed_in_order = tuple(lines[wager] for wager in wagers)
        return Settlement(game=self.code, owed=owed_in_order, notes=(f"Outcome: {outcome}.",))

    def _line(
        self,
        wager: str,
        placed: Money,
        pieces: Sequence[Piece[Outcome]],
        fell: Outcome,
        *,
        terms: Terms,
        lies: Counter[str],
    ) -> Owed:
        """*lies*: what is in play on each place already, in micros: a place has one maximum, whatever laid it there."""
        whole = sum(piece.weight for piece in pieces)
        if placed.micros % (whole * MICROS_PER_CENT):
            raise Refusal(
                "pieces-not-equal", f"It is laid in {whole} pieces of the same value.", field=f"wagers.{wager}"
            )
        unit = up_to_maximum(terms, wager.partition(":")[0], placed).micros // (whole * MICROS_PER_CENT)
        paid: list[Payment] = []
        back = stake = ZERO
        for piece in pieces:
            place = piece.place or wager
            laid = Money(unit * MICROS_PER_CENT * piece.weight)
            counts = up_to_maximum(terms, place.partition(":")[0], Money(lies[place]) + laid) - Money(lies[place])
            lies[place] += counts.micros
            stake += counts
            cell = piece.pays(fell)
            if cell is not None and counts:
                paid.append(owed.payment(cell, counts, what=piece.what))
                back += counts
        line = Owed(
            wager=wager,
            stake=stake,
            result=Result.WINS if paid else Result.LOSES,
            pays=Money.total(each.amount for each in paid),
            returns=back,
            clause=self.clause(self.wins if paid else self.loses),
            why="It is among what it was laid on." if paid else "It is not what it was laid on.",
            payments=tuple(paid),
        )
        return owed.with_excess(line, placed - stake, clause=self.clause(self.above_maximum))


def check_amounts(wagers: Mapping[str, Money]) -> None:
    if not wagers:
        raise Refusal("wagers-missing", "Enter at least one wager.", field="wagers")
    for name, amount in wagers.items():
        if amount <= ZERO or not amount.whole_cents:
            raise Refusal("wager-not-allowed", "A wager is more than nothing, in whole cents.", field=f"wagers.{name}")


def up_to_maximum(terms: Terms, kind: str, placed: Money) -> Money:
    """Wagers above the displayed maximum are paid or collected to the maximum (rule 3.5 of each game; pai gow 5.7)."""
    limit = terms.limits.get(kind)
    return placed if limit is None or limit.maximum is None else min(placed, limit.maximum)


def irregularity(
    title: str, known: Mapping[str, str], choices: Mapping[str, Any], *, allowed: Sequence[str] = ()
) -> str | None:
    for name in choices:
        if name != "irregularity" and name not in allowed:
            raise Refusal("choice-not-known", f"There is no choice “{name}”.", field=f"choices.{name}")
    fault: str | None = choices.get("irregularity")
    if fault is not None and fault not in known:
        raise Refusal(
            "irregularity-not-known",
            f"The rules of {title} know: {', '.join(known)}.",
            field="choices.irregularity",
        )
    return fault


def all_void(game: str, wagers: Mapping[str, Money], *, clause: str, why: str) -> Settlement:
    says = f"{why.replace('-', ' ').capitalize()}."
    return Settlement(
        game=game,
        owed=tuple(owed.void(wager, amount, clause=clause, why=says) for wager, amount in wagers.items()),
        notes=(says,),
    )


def numbers(wager: str, *, count: int | None = None, low: int, high: int) -> tuple[int, ...]:
    """The numbers after the colon: ``split:17/20`` is 17 and 20."""
    kind, _, text = wager.partition(":")
    written = text.split("/")
    if all(each.isascii() and each.isdigit() and len(each) < 3 for each in written):
        found = tuple(int(each) for each in written)
        wanted = len(found) if count is None else count
        if len(found) == wanted and all(low <= each <= high for each in found):
            return found
    like = "/".join(str(low + i) for i in range(count or 2))
    raise Refusal(
        "wager-not-of-this-game",
        f"Write {kind} with its numbers, from {low} to {high}, like {kind}:{like}.",
        field=f"wagers.{wager}",
    )


def no_such_wager(wager: str, kinds: Sequence[str]) -> Refusal:
    return Refusal(
        "wager-not-of-this-game",
        f"There is no wager “{wager}” here: the kinds are {', '.join(kinds)}.",
        field=f"wagers.{wager}",
    )
