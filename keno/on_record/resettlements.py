"""Games that two people settled again, because their balls had been recorded wrongly (12.1), as the log tells it. Pure.

Each such game is settled twice by the rules: on what was recorded, and on the balls that came out. What a ticket had
been paid by then counts: of the right prize it is owed the rest, and what it got too much is the house's loss.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from keno.chart import BONUSES, OVERPAID, PRIZES, PRIZES_OWING, UNCLAIMED
from keno.on_record.game import GameMoney
from keno.on_record.tickets import BONUS, PRIZE, Owed, TicketOnRecord
from keno.on_record.values import Values
from keno.resettle_acts import GameResettled
from keno.resettle_kinds import BONUS_AGAIN, BONUS_BACK, CORRECTED, PRIZES_AGAIN, PRIZES_BACK
from keno.resettle_kinds import OVERPAID as OVERPAID_KIND
from keno.rules.selection import NUMBERS
from keno.rules.settle import DRAWN
from kernel.export_check import ActOnRecord, Doubt, TransferOnRecord
from kernel.money import Money

_MECHANICAL: Final = "mechanical"
KINDS: Final = frozenset({PRIZES_BACK, PRIZES_AGAIN, BONUS_BACK, BONUS_AGAIN, OVERPAID_KIND})
# What is debited, what is credited.
_ACCOUNTS: Final = {
    PRIZES_BACK: ({PRIZES_OWING}, {PRIZES}),
    PRIZES_AGAIN: ({PRIZES}, {PRIZES_OWING}),
    BONUS_BACK: ({PRIZES_OWING}, {BONUSES, UNCLAIMED}),
    BONUS_AGAIN: ({BONUSES, UNCLAIMED}, {PRIZES_OWING}),
    OVERPAID_KIND: ({OVERPAID}, {PRIZES_OWING}),
}


@dataclass(slots=True)
class _Sums:
    """What the act says, and what the tickets and their payments make."""

    act: GameResettled
    since: tuple[int, str]
    overpaid: int = 0
    underpaid: int = 0


@dataclass(slots=True)
class Resettlements:
    values: Values
    games: dict[int, _Sums] = field(default_factory=dict)
    booked: dict[int, dict[str, int]] = field(default_factory=dict)  # by game and kind; of bonuses with their code
    # What a ticket had been paid too much for a game, and where in the log that began to be so.
    too_much: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)

    def transfer(self, row: TransferOnRecord) -> None:
        debits, credits = _ACCOUNTS[row.kind]
        of_bonus = row.kind in (BONUS_BACK, BONUS_AGAIN)
        name, _, game = row.reference.rpartition("/")
        fits = game.isdigit() and (of_bonus or name == "game")
        if row.debit not in debits or row.credit not in credits or not fits:
            raise Doubt(f"{row.kind} {row.reference} goes where nothing of a game settled again goes.")
        booked = self.booked.setdefault(int(game), {})
        what = f"{row.kind} {name}" if of_bonus else row.kind
        booked[what] = booked.get(what, 0) + row.micros

    def act(self, act: GameResettled, row: ActOnRecord, money: GameMoney | None) -> GameMoney:
        """The game as it is settled again: what its tickets are held against a second time."""
        number = act.game
        if money is None or money.totals is None or money.device != _MECHANICAL:
            raise Doubt(f"game {number} is settled again, and was not settled on balls.")
        if number in self.games:
            raise Doubt(f"game {number} is settled again twice.")
        if (act.attempt, act.recorded) != (money.attempt, money.drawn):
            raise Doubt(f"game {number} is settled again, and had been settled on other numbers than it says.")
        numbers = frozenset(act.numbers)
        if len(act.numbers) != DRAWN or len(numbers) != DRAWN or not all(1 <= each <= NUMBERS for each in numbers):
            raise Doubt(f"game {number} is settled again without {DRAWN} different numbers from 1 to {NUMBERS}.")
        if numbers == frozenset(act.recorded):
            raise Doubt(f"game {number} is settled again on the numbers that it was settled on.")
        self.games[number] = _Sums(act, (row.index, row.at))
        booked = self._booked_again(number, money)
        money.again = replace(
            money, drawn=act.numbers, totals=act.totals, since=(row.index, row.at), booked=booked, is_again=True
        )
        return money.again

    def _booked_again(self, number: int, money: GameMoney) -> dict[str, int]:
        """What was taken back is what had been booked; what was booked instead, under the names of a settlement."""
        made = self.booked.pop(number, {})
        back = {"keno.prizes": made.pop(PRIZES_BACK, 0)}
        back |= {f"bonus {what.partition(' ')[2]}": micros for what, micros in made.items() if _is(what, BONUS_BACK)}
        for what in sorted(back.keys() | (money.booked.keys() - {"keno.stakes"})):
            if back.get(what, 0) != money.booked.get(what, 0):
                raise money.doubt(
                    f"{Money(back.get(what, 0)).said} was taken back as {what} when it was settled again; "
                    f"{Money(money.booked.get(what, 0)).said} had been booked."
                )
        again = {"keno.stakes": money.booked.get("keno.stakes", 0), "keno.prizes": made.pop(PRIZES_AGAIN, 0)}
        again |= {f"bonus {what.partition(' ')[2]}": micros for what, micros in made.items() if _is(what, BONUS_AGAIN)}
        overpaid, sums = made.pop(OVERPAID_KIND, 0), self.games[number]
        if overpaid != sums.act.overpaid.micros:
            raise money.doubt(
                f"{Money(overpaid).said} was booked as overpaid; the settlement that corrects it says "
                f"{sums.act.overpaid.said}."
            )
        return again

    def of_ticket(self, ticket: TicketOnRecord) -> Iterator[int]:
        """The games that it played in and that were settled again, in the order in which they were."""
        for number in sorted(self.games, key=lambda number: self.games[number].since[0]):
            if ticket.first <= number <= ticket.plays_to:
                yield number

    def since(self, game: int) -> tuple[int, str]:
        return self.games[game].since

    def turn(self, ticket: TicketOnRecord, game: int, left: list[Owed]) -> list[Owed]:
        """What the ticket is owed once the game is settled again. *left*: what it was owed until then."""
        sums = self.games[game]
        for kind in (PRIZE, BONUS):
            before = next((owed for owed in ticket.owed if (owed.game, owed.kind) == (game, kind)), None)
            right = next((owed for owed in ticket.again or () if (owed.game, owed.kind) == (game, kind)), None)
            had, gets = (each.micros if each is not None else 0 for each in (before, right))
            if had == gets:
                continue
            if before in left:
                left, had = [owed for owed in left if owed != before], 0
            else:  # it was paid, or there was nothing to pay
                sums.overpaid += max(0, had - gets)
                if had > gets:
                    before_it, _ = self.too_much.get((ticket.serial, game), (0, 0))
                    self.too_much[ticket.serial, game] = (before_it + had - gets, sums.since[0])
                sums.underpaid += max(0, gets - had) if had else 0
            if gets > had:
                assert right is not None
                left = [*left, right._replace(kind=kind + CORRECTED, micros=gets - had)]
        return sorted(left, key=lambda owed: owed[:2])

    def balances(self) -> None:
        """All rows are read."""
        for number in self.booked:
            raise Doubt(f"money is booked for game {number} as if it had been settled again, and it was not.")

    def end(self) -> None:
        """Everything that was paid is known."""
        for number, sums in self.games.items():
            act = sums.act
            if self.values.effective.get(act.proposal) != act.subject:
                raise Doubt(f"game {number} is settled again, and no second person decided so.")
            if (sums.overpaid, sums.underpaid) != (act.overpaid.micros, act.underpaid.micros):
                raise Doubt(
                    f"game {number} says that {act.overpaid.said} was overpaid and {act.underpaid.said} underpaid when "
                    f"it was settled again; its tickets make {Money(sums.overpaid).said} and "
                    f"{Money(sums.underpaid).said}."
                )


def _is(what: str, kind: str) -> bool:
    return what.partition(" ")[0] == kind
