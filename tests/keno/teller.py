"""The log of a game as the house writes it, for what reads an export; made by chance/ alone, without a database."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from typing import Any

from chance import two_party
from chance.two_party import How, Promise, Said
from draws.acts import MasterPromised, MasterRevealed
from keno import acts
from kernel.acts import Act as ActClass
from kernel.merkle import root_of
from kernel.questions import Question
from ledger.acts import AttemptVoid, OccasionSealed, QuestionAnswered, QuestionAsked

Told = list[tuple[str, str, dict[str, Any]]]
VENUE, WITNESS = "DEMO", "witness.example/tests"


class Teller:
    """The log of one game, act by act, as the house writes it; by chance/ alone."""

    def __init__(self, number: int, leaves: list[bytes]) -> None:
        self.number, self.root, self.count = number, root_of(leaves), len(leaves)
        self.master = sha256(b"master %d" % number).digest()
        self.promise = Promise(
            venue=VENUE, purpose="keno", name=str(number), device="rng", witness_key=bytes(range(32))
        )
        self.commitment = two_party.commitment(self.master, self.promise)
        self.told: Told = []

    def say(self, act: ActClass) -> None:
        self.told.append((act.kind, act.subject, act.data()))

    def open_and_seal(self) -> None:
        of: dict[str, Any] = {"venue": VENUE, "purpose": "keno"}
        self.say(
            MasterPromised(
                **of, name=str(self.number), device="rng", witness=WITNESS, witness_key=bytes(range(32)), beacon="",
                algorithm=two_party.ALGORITHM, commitment=self.commitment, escrow=bytes(80), inspector_key=bytes(32),
            )
        )  # fmt: skip
        at = datetime(2026, 3, 2, 10, tzinfo=UTC)
        times: dict[str, Any] = {"opens_at": at, "closes_at": at + timedelta(minutes=3), "gaming_day": date(2026, 3, 2)}
        self.say(acts.GameOpened(game=self.number, **times, device="rng", commitment=self.commitment))
        self.say(acts.GameClosed(game=self.number, closed_at=at, jackpot_stakes={}))
        self.say(OccasionSealed(**of, occasion=str(self.number), root=self.root, count=self.count))
        self.say(acts.TicketsSealed(game=self.number, ticket_root=self.root, ticket_count=self.count))

    def _of(self, attempt: int) -> dict[str, Any]:
        return {"venue": VENUE, "purpose": "keno", "occasion": str(self.number), "attempt": attempt}

    def ask(self, attempt: int) -> list[int]:
        """Locked, asked and answered; the numbers that come."""
        self.say(acts.DrawLocked(game=self.number, attempt=attempt, asked=attempt))
        size, of = len(self.told), self._of(attempt)
        question = Question(
            **of, root=self.root, count=self.count, act_index=3, origin="log", size=size, checkpoint_root=bytes(32)
        )
        answer = sha256(b"answer %d" % attempt).digest() * 12
        self.say(QuestionAsked(**asdict(question), witness=WITNESS))
        self.say(
            QuestionAnswered(
                **of, witness=WITNESS, number=attempt, size=size, checkpoint_root=bytes(32), answered_at=1,
                previous=bytes(32), answer=answer, signature=bytes(64),
            )
        )  # fmt: skip
        said = Said(question=question, how=How.WITNESS, said=answer)
        return two_party.numbers(self.master, said, pool=80, count=20)

    def balls(self, attempt: int, given: list[int]) -> None:
        for place, ball in enumerate(given, start=1):
            named: dict[str, Any] = {"ticket_root": self.root, "ticket_count": self.count} if place == 1 else {}
            self.say(acts.NumberDrawn(game=self.number, attempt=attempt, place=place, number=ball, **named))

    def void(self, attempt: int, recorded: list[int], would_be: list[int]) -> None:
        self.say(AttemptVoid(**self._of(attempt), cause="malfunction", numbers=would_be))
        self.say(
            acts.DrawVoided(
                game=self.number, attempt=attempt, cause="malfunction", reason="The device lost power.",
                numbers=tuple(recorded), device="rng", would_be=tuple(would_be), proposal=7,
            )
        )  # fmt: skip

    def settle(self, attempt: int, numbers: list[int], **totals: Any) -> None:
        of: dict[str, Any] = {"game": self.number, "attempt": attempt, "numbers": tuple(numbers)}
        tickets: dict[str, Any] = {"ticket_root": self.root, "ticket_count": self.count}
        self.say(acts.DrawFinished(**of, **tickets))
        self.say(MasterRevealed(venue=VENUE, purpose="keno", name=str(self.number), master=self.master))
        self.say(
            acts.GameSettled(**of, **tickets, device="rng", commitment=self.commitment, seed=self.master, totals=totals)
        )


def told_game(number: int, leaves: list[bytes]) -> Told:
    """A void attempt after five numbers, then the draw that counts."""
    teller = Teller(number, leaves)
    teller.open_and_seal()
    first = teller.ask(1)
    teller.balls(1, first[:5])
    teller.void(1, first[:5], first)
    second = teller.ask(2)
    teller.balls(2, second)
    teller.settle(2, second)
    return teller.told
