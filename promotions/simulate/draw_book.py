"""The simulation's own book of a promotion: who has entered, who wins along the drawn order, what is owed and paid.

Pure, and written from the rule: prizes in the order of the terms, each to the next in the drawn order that may win;
whoever has lost one is out with all his entries; where the terms say so, nobody wins twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class OwnPrize:
    value_cents: int
    is_money: bool  # or a voucher: what is owed in the books. Goods are handed over


@dataclass(slots=True)
class DrawBook:
    prizes: Sequence[OwnPrize]
    limit_a_person: int
    one_a_person: bool
    entries: list[str] = field(default_factory=list)  # whose, in the order they came in
    lost: list[int] = field(default_factory=list)  # entry numbers that held a prize, in the order they lost it
    paid: set[int] = field(default_factory=set)  # prizes, from 1
    is_drawn: bool = False

    def may_enter(self, person: str) -> bool:
        return self.entries.count(person) < self.limit_a_person

    def withdraw(self, place: int) -> None:
        """The entry at this place of those that came in, from 0."""
        del self.entries[place]

    def holders(self, numbers: Sequence[int]) -> dict[int, int]:
        """By prize, from 1: the number of the entry that holds it, once everything that was lost is counted."""
        order, held, out = iter(numbers), dict[int, int](), set[str]()
        for prize in range(1, len(self.prizes) + 1):
            self._give(prize, order, held, out)
        for number in self.lost:
            prize = next(prize for prize, holds in held.items() if holds == number)
            out.add(self._whose(number))
            won_by_others = {each: holds for each, holds in held.items() if each != prize}
            held.clear()
            held.update(won_by_others)
            self._give(prize, order, held, out)
        return held

    def _give(self, prize: int, order: Iterator[int], held: dict[int, int], out: set[str]) -> None:
        for number in order:
            person = self._whose(number)
            has_won = self.one_a_person and person in {self._whose(each) for each in held.values()}
            if person not in out and not has_won:
                held[prize] = number
                return

    def _whose(self, number: int) -> str:
        return self.entries[number - 1]

    @property
    def owing_cents(self) -> int:
        """Won and not paid, of what is money."""
        if not self.is_drawn:
            return 0
        unpaid = (prize for place, prize in enumerate(self.prizes, start=1) if place not in self.paid)
        return sum(prize.value_cents for prize in unpaid if prize.is_money)

    @property
    def paid_cents(self) -> int:
        paid = (prize for place, prize in enumerate(self.prizes, start=1) if place in self.paid)
        return sum(prize.value_cents for prize in paid if prize.is_money)
