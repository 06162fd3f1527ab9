"""What the log says of draws between two parties, read by whoever recomputes them from an export. Pure.

A room's check gives every act of ``KINDS`` to one of these and asks it for the parts that its numbers come from. That
questions, answers and voids are in order, signed and chained is checked by ``ledger.verify``; here it is the promise:
made once, kept by its master, before its set was sealed, and nothing said twice.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import asdict, dataclass, field
from typing import Final

from chance import beacon, two_party
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
    named: RoundNamed | None = None
    replaced: AnswerReplaced | None = None
    said_at: int = 0  # the second of the answer, or of what stands in its place
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
    witness: str
    master: bytes | None = None


@dataclass(slots=True)
class DrawsOnRecord:
    purpose: str
    promises: dict[str, PromiseOnRecord] = field(default_factory=dict)
    occasions: dict[str, OccasionOnRecord] = field(default_factory=dict)
    unwitnessed: int = 0
    restored: int = 0
    rounds: int = 0  # of the beacon,
    rounds_unchecked: int = 0  # and how many of them nobody could check here
    used: set[tuple[str, int]] = field(default_factory=set)  # (occasion, attempt): what was said was drawn from

    def act(self, kind: str, data: Mapping[str, object]) -> None:
        """An act of one of ``KINDS``, in the order of the log; other purposes are passed over. Raises Doubt."""
        if data.get("purpose") != self.purpose:
            return
        try:
            act = _READ[kind].read(data)
        except ValueError as unreadable:
            raise Doubt(f"an act is not written as it should be: {unreadable}.") from unreadable
        self.take(act)

    def take(self, act: Act) -> None:
        """The same, of an act that was read already."""
        if getattr(act, "purpose", None) != self.purpose:
            return
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
                self._of_promised_witness(act)
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
        self.used.add((occasion, number))
        name = _promise_of(occasion, self.promises)
        if name in self.promises and self.promises[name].promise.beacon and not attempt.beacon:
            raise Doubt(f"{self.purpose} {occasion}, attempt {number}: the beacon that was promised is missing.")
        if attempt.replaced is not None:
            replaced = attempt.replaced
            return Said(question=attempt.question, how=How(replaced.how), said=replaced.said, beacon=attempt.beacon)
        if attempt.answer is None or attempt.named is not None:
            raise Doubt(f"{self.purpose} {occasion}, attempt {number}: the witness never answered.")
        return Said(question=attempt.question, how=How.WITNESS, said=attempt.answer, beacon=attempt.beacon)

    def answers_used(self) -> list[tuple[str, str, int]]:
        return [(self.purpose, occasion, number) for occasion, number in self.used]

    def remarks(self) -> list[str]:
        """What is right and yet a person should look at it, in words."""
        said = []
        if self.unwitnessed:
            said.append(f"{self.unwitnessed:,} attempts at {self.purpose} have dice or a round in the witness's place.")
        if self.restored:
            said.append(f"{self.restored:,} masters of {self.purpose} were given back from escrow.")
        if self.rounds_unchecked:
            said.append(
                f"{self.rounds_unchecked:,} of {self.rounds:,} rounds of drand were not checked: drand-verify is not "
                "installed here."
            )
        return said

    def _promised(self, act: MasterPromised) -> None:
        before = self.promises.get(act.name)
        if before is not None and not self._was_given_up(before, act):
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
        self.promises[act.name] = PromiseOnRecord(promise, act.commitment, act.witness)

    def _was_given_up(self, before: PromiseOnRecord, act: MasterPromised) -> bool:
        """Its witness was replaced before anything depended on it, and its master was shown before the new one."""
        under = any(_promise_of(occasion, self.promises) == act.name for occasion in self.occasions)
        return before.master is not None and before.promise.witness_key != act.witness_key and not under

    def _revealed(self, act: MasterRevealed) -> None:
        found = self.promise(act.name)
        if found.master is not None:
            raise Doubt(f"the master of {self.purpose} {act.name} is revealed twice.")
        if not two_party.keeps(found.commitment, act.master, found.promise):
            raise Doubt(f"{self.purpose} {act.name}: the master revealed is not the one that was promised.")
        found.master = act.master

    def _of_promised_witness(self, act: QuestionAsked) -> None:
        found = self.promises.get(_promise_of(act.occasion, self.promises))
        if found is not None and found.witness != act.witness:
            raise Doubt(f"{self.purpose} {act.occasion}: {act.witness} is asked, and {found.witness} was promised.")

    def _sealed(self, act: OccasionSealed) -> None:
        if act.occasion in self.occasions:
            raise Doubt(f"{self.purpose} {act.occasion} is sealed a second time.")
        self.occasions[act.occasion] = OccasionOnRecord(act.root, act.count)

    def _of_attempt(self, act: Act) -> None:
        assert isinstance(act, QuestionAnswered | AttemptVoid | RoundNamed | AnswerReplaced | BeaconHeard)
        attempt = self.attempt(act.occasion, act.attempt)
        match act:
            case QuestionAnswered():
                self._answered(attempt, act)
            case AttemptVoid():
                attempt.void = act
            case RoundNamed():
                if attempt.answer is not None or attempt.replaced is not None or attempt.named is not None:
                    raise Doubt(f"{self._about(act)}: a round is named though something was said.")
                if beacon.time_of(act.round) <= act.at:
                    raise Doubt(f"{self._about(act)}: the round that is named had come already.")
                attempt.named = act
            case AnswerReplaced():
                self._replaced(attempt, act)
            case BeaconHeard():
                self._heard(attempt, act)

    def _about(self, act: QuestionAnswered | RoundNamed | AnswerReplaced | BeaconHeard) -> str:
        return f"{self.purpose} {act.occasion}, attempt {act.attempt}"

    def _answered(self, attempt: AttemptOnRecord, act: QuestionAnswered) -> None:
        if attempt.answer is not None:
            raise Doubt(f"{self._about(act)}: answered twice.")
        attempt.answer = act.answer
        if attempt.replaced is None and attempt.named is None:  # under the head that the witness was shown
            said = {**asdict(attempt.question), "size": act.size, "checkpoint_root": act.checkpoint_root}
            attempt.question, attempt.said_at = Question(**said), act.answered_at

    def _replaced(self, attempt: AttemptOnRecord, act: AnswerReplaced) -> None:
        if attempt.replaced is not None or (attempt.answer is not None and attempt.named is None):
            raise Doubt(f"{self._about(act)}: replaced though answered.")
        try:
            if act.how == How.DICE.value and attempt.named is None:
                right = two_party.throws_of(act.said) == act.dice
            else:
                number, signature = two_party.round_of(act.said)
                named = attempt.named
                said = (act.how, act.round, number, act.at)
                right = named is not None and said == (How.BEACON.value, named.round, named.round, named.at)
                self._check_round(number, signature, self._about(act))
        except ValueError:
            right = False
        if not right:
            raise Doubt(f"{self._about(act)}: this is not what may stand in the witness's place.")
        attempt.replaced, attempt.said_at = act, act.at
        self.unwitnessed += 1

    def _heard(self, attempt: AttemptOnRecord, act: BeaconHeard) -> None:
        name = _promise_of(act.occasion, self.promises)
        rule = self.promise(name).promise.beacon
        if not rule or attempt.beacon or not attempt.said_at:
            raise Doubt(f"{self._about(act)}: a beacon's round comes where none is due.")
        try:
            due = beacon.round_of_rule(rule, at=attempt.said_at)
        except ValueError as unknown:
            raise Doubt(f"{self._about(act)}: {unknown}") from unknown
        if act.round != due:
            raise Doubt(f"{self._about(act)}: the beacon's round is {act.round}, and {rule} means {due}.")
        self._check_round(act.round, act.signature, self._about(act))
        attempt.beacon = two_party.beacon_round(act.round, act.signature)

    def _check_round(self, number: int, signature: bytes, about: str) -> None:
        self.rounds += 1
        if not beacon.can_check():
            self.rounds_unchecked += 1
        elif not beacon.is_genuine(number, signature):
            raise Doubt(f"{about}: round {number} is not signed by drand.")


def _promise_of(occasion: str, names: Container[str]) -> str:
    """The promise that an occasion stands under: its own name, or what comes before one of its slashes."""
    name = occasion
    while name not in names and "/" in name:
        name = name.rpartition("/")[0]
    return name
