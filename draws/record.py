"""What the log says of draws between two parties, read by whoever recomputes them from an export. Pure.

A room's check gives every act of ``KINDS`` to one of these and asks it for the parts that its numbers come from. That
questions, answers and voids are in order, signed and chained is checked by ``ledger.verify``; here it is the promise:
made once, kept by its master, before its set was sealed, and nothing said twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from chance import two_party
from chance.two_party import How, Promise, Said
from draws.acts import AnswerReplaced, BeaconHeard, MasterPromised, MasterRestored, MasterRevealed, RoundNamed
from kernel.acts import Act
from kernel.export_check import Doubt
from kernel.questions import Question
from ledger.acts import AttemptVoid, OccasionSealed, QuestionAnswered, QuestionAsked

_READ: Final[dict[str, type[Act]]] = {
    act.kind: act
    for act in (
        MasterPromised,
        MasterRevealed,
        MasterRestored,
        OccasionSealed,
        QuestionAsked,
        QuestionAnswered,
        AttemptVoid,
        RoundNamed,
        AnswerReplaced,
        BeaconHeard,
    )
}
KINDS: Final = frozenset(_READ)


@dataclass(slots=True)
class AttemptOnRecord:
    question: Question
    answer: bytes | None = None
    replaced: AnswerReplaced | None = None
    beacon: bytes = b""
    void: AttemptVoid | None = None


@dataclass(slots=True)
class OccasionOnRecord:
    """A sealed set and the attempts at drawing from it, in order."""

    root: bytes
    count: int
    attempts: list[AttemptOnRecord] = field(default_factory=list)


@dataclass(slots=True)
class PromiseOnRecord:
    promise: Promise
    commitment: bytes
    master: bytes | None = None


@dataclass(slots=True)
class DrawsOnRecord:
    purpose: str
    promises: dict[str, PromiseOnRecord] = field(default_factory=dict)
    occasions: dict[str, OccasionOnRecord] = field(default_factory=dict)
    unwitnessed: int = 0
    restored: int = 0

    def act(self, kind: str, data: Mapping[str, Any]) -> None:
        """An act of one of ``KINDS``, in the order of the log; other purposes are passed over. Raises Doubt."""
        if data.get("purpose") != self.purpose:
            return
        try:
            act = _READ[kind].read(data)
        except ValueError as unreadable:
            raise Doubt(f"an act is not written as it should be: {unreadable}.") from unreadable
        match act:
            case MasterPromised():
                self._promised(act)
            case MasterRevealed():
                self._revealed(act)
            case MasterRestored():
                self.restored += 1
            case OccasionSealed():
                self._sealed(act)
            case QuestionAsked():
                said = asdict(act)
                question = Question(**{name: said[name] for name in Question.__dataclass_fields__})
                self.occasion(act.occasion).attempts.append(AttemptOnRecord(question))
            case _:
                self._of_attempt(act)

    def promise(self, name: str) -> PromiseOnRecord:
        found = self.promises.get(name)
        if found is None:
            raise Doubt(f"{self.purpose} {name}: nothing was promised.")
        return found

    def occasion(self, name: str) -> OccasionOnRecord:
        found = self.occasions.get(name)
        if found is None:
            raise Doubt(f"{self.purpose} {name}: the set was never sealed.")
        return found

    def attempt(self, occasion: str, number: int) -> AttemptOnRecord:
        attempts = self.occasion(occasion).attempts
        if not 1 <= number <= len(attempts):
            raise Doubt(f"{self.purpose} {occasion}: nobody was asked about attempt {number}.")
        return attempts[number - 1]

    def said(self, occasion: str, number: int) -> Said:
        """The second party's part of an attempt. Raises Doubt where nothing was said."""
        attempt = self.attempt(occasion, number)
        if attempt.replaced is not None:
            replaced = attempt.replaced
            return Said(question=attempt.question, how=How(replaced.how), said=replaced.said, beacon=attempt.beacon)
        if attempt.answer is None:
            raise Doubt(f"{self.purpose} {occasion}, attempt {number}: the witness never answered.")
        return Said(question=attempt.question, how=How.WITNESS, said=attempt.answer, beacon=attempt.beacon)

    def _promised(self, act: MasterPromised) -> None:
        if act.name in self.promises:
            raise Doubt(f"{self.purpose} {act.name} is promised a second time.")
        if act.algorithm != two_party.ALGORITHM:
            raise Doubt(f"{self.purpose} {act.name} is promised by an algorithm that this check does not know.")
        promise = Promise(
            venue=act.venue,
            purpose=act.purpose,
            name=act.name,
            device=act.device,
            witness_key=act.witness_key,
            beacon=act.beacon,
        )
        self.promises[act.name] = PromiseOnRecord(promise, act.commitment)

    def _revealed(self, act: MasterRevealed) -> None:
        found = self.promise(act.name)
        if found.master is not None:
            raise Doubt(f"the master of {self.purpose} {act.name} is revealed twice.")
        if not two_party.keeps(found.commitment, act.master, found.promise):
            raise Doubt(f"{self.purpose} {act.name}: the master revealed is not the one that was promised.")
        found.master = act.master

    def _sealed(self, act: OccasionSealed) -> None:
        if act.occasion in self.occasions:
            raise Doubt(f"{self.purpose} {act.occasion} is sealed a second time.")
        self.occasions[act.occasion] = OccasionOnRecord(act.root, act.count)

    def _of_attempt(self, act: Act) -> None:
        assert isinstance(act, QuestionAnswered | AttemptVoid | RoundNamed | AnswerReplaced | BeaconHeard)
        attempt = self.attempt(act.occasion, act.attempt)
        match act:
            case QuestionAnswered():
                if attempt.answer is not None:
                    raise Doubt(f"{self.purpose} {act.occasion}, attempt {act.attempt}: answered twice.")
                attempt.answer = act.answer
                if attempt.replaced is None:  # under the head that the witness was shown
                    said = {**asdict(attempt.question), "size": act.size, "checkpoint_root": act.checkpoint_root}
                    attempt.question = Question(**said)
            case AttemptVoid():
                attempt.void = act
            case AnswerReplaced():
                if attempt.answer is not None or attempt.replaced is not None:
                    raise Doubt(f"{self.purpose} {act.occasion}, attempt {act.attempt}: replaced though answered.")
                self._check_replacement(act)
                attempt.replaced = act
                self.unwitnessed += 1
            case BeaconHeard():
                attempt.beacon = two_party.beacon_round(act.round, act.signature)

    def _check_replacement(self, act: AnswerReplaced) -> None:
        if act.dice is not None:
            try:
                right = two_party.dice(act.dice) == act.said
            except ValueError:
                right = False
            if not right:
                raise Doubt(f"{self.purpose} {act.occasion}: the dice are not what stands in the witness's place.")
