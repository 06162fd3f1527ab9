"""Cancellations around the asking of the witness, as the log tells them, for the offline check. Pure: ``verify.py``.

One that was honoured after the checkpoint that the witness signed is a stake taken back by whoever could know the
numbers: a free option, and fraud.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, field

from keno.acts import DrawVoided, TicketCancelled, WagersVoided
from kernel.export_check import Doubt


@dataclass(slots=True)
class LateOnRecord:
    late: dict[int, set[str]] = field(default_factory=dict)  # by game: tickets of its sealed set that cannot win
    recent: list[tuple[int, int, int, str]] = field(
        default_factory=list
    )  # since the last head: index, from, to, ticket
    asked_about: list[int] = field(default_factory=list)  # games that nobody may leave any more, in their order
    total: int = 0

    def cancelled(self, act: TicketCancelled | WagersVoided, *, index: int) -> None:
        place = bisect_left(self.asked_about, act.from_)
        if place < len(self.asked_about) and self.asked_about[place] <= act.to:
            raise _taken_back(act.ticket, self.asked_about[place])
        self.recent.append((index, act.from_, act.to, act.ticket))
        for game in act.late:
            self.late.setdefault(game, set()).add(act.ticket)
            self.total += 1

    def asked(self, game: int, *, size: int) -> None:
        for index, since, upto, ticket in self.recent:
            if index >= size and since <= game <= upto:
                raise _taken_back(ticket, game)
        self.recent = [each for each in self.recent if each[0] >= size]
        if game not in self.asked_about[-1:]:
            insort(self.asked_about, game)

    def void(self, act: DrawVoided) -> None:
        """Nobody knows a number of an attempt that balls replaced while it had no answer: who wanted out is let out."""
        if act.would_be is None and act.device != "rng":
            self.asked_about = [game for game in self.asked_about if game != act.game]

    def serials(self, game: int) -> set[str]:
        return self.late.get(game, set())


def _taken_back(ticket: str, game: int) -> Doubt:
    return Doubt(
        f"game {game}: ticket {ticket} was cancelled after the checkpoint that the witness signed, when the numbers "
        "could be known."
    )
