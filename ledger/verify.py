"""How a stranger checks the second party from the export: every question, every answer, every link of its chain. Pure.

What is wrong is a Doubt. What is right and yet a person should look at it (an attempt declared void, a witness on the
house's own machine, an answer that nobody here had asked for) is told at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from kernel import ed25519, unique_signatures
from kernel.acts import Act
from kernel.export_check import Doubt
from kernel.notes import COSIGNATURE_V1, Checkpoint, Note, NoteError, VerifierKey
from kernel.questions import FIRST_LINK, Link, Question
from ledger.acts import (
    AttemptVoid,
    FirstKey,
    LogRestored,
    LogRewound,
    OccasionSealed,
    OtherAnswerFound,
    QuestionAnswered,
    QuestionAsked,
    WitnessAppointed,
    WitnessKeys,
)

HEADS_KEPT: Final = 100_000  # of the latest, for the questions that name one
Key = tuple[str, str, str, int]


def question_of(act: QuestionAsked) -> Question:
    return Question(**{name: getattr(act, name) for name in Question.__dataclass_fields__})


def answer_to(asked: Question, act: QuestionAnswered) -> Link:
    """The link of the witness's chain; the head under which it was given may be another than the one asked under."""
    question = replace(asked, size=act.size, checkpoint_root=act.checkpoint_root)
    return Link(
        number=act.number, at=act.answered_at, previous=act.previous, question=question, answer=act.answer,
        signature=act.signature,
    )  # fmt: skip


def _is_right(link: Link, witness: WitnessKeys) -> bool:
    return link.is_right(public=witness.public, rsa=witness.rsa)


@dataclass(slots=True)
class Attempt:
    question: Question
    witness: str
    answered: bool = False
    void_at: int | None = None  # the index of the act that says so


@dataclass(slots=True)
class Witnessed:
    witness: WitnessKeys | None = None
    named: set[str] = field(default_factory=set)  # every witness so far
    in_turn: list[str] = field(default_factory=list)  # their keys
    heads: dict[int, bytes] = field(default_factory=dict)  # root by size
    sets: dict[tuple[str, str], tuple[int, OccasionSealed]] = field(default_factory=dict)
    attempts: dict[Key, Attempt] = field(default_factory=dict)
    number: int = 0  # of the last link of the chain
    digest: bytes = FIRST_LINK
    cosigned_size: int = 0
    cosigned_at: int = 0
    size: int = 0
    others: int = 0
    is_right: Callable[[Link, WitnessKeys], bool] = _is_right
    restored: list[int] = field(default_factory=list)  # seals after which the database was restored from a backup
    lost: list[str] = field(default_factory=list)
    unproven: int = 0  # heads of answers that are too long ago to be compared

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(_READERS)

    @property
    def cosigner(self) -> VerifierKey | None:
        witness = self.witness
        return VerifierKey(witness.name, COSIGNATURE_V1, witness.public) if witness is not None else None

    def act(self, kind: str, data: Mapping[str, object], subject: str, *, index: int) -> None:
        """An act of one of the kinds, in the order of the log, with its place in it. Raises Doubt."""
        self.take(_READERS[kind][1].read(data, subject=subject), index=index)

    def take(self, act: Act, *, index: int) -> None:
        """The same, read already."""
        reader, _ = _READERS[act.kind]
        reader(self, act, index)

    def sealed(self, size: int, root: bytes) -> None:
        self.size = size
        self.heads[size] = root
        if len(self.heads) > HEADS_KEPT:
            del self.heads[next(iter(self.heads))]

    def cosigned(self, size: int, at: int) -> None:
        if at < self.cosigned_at:
            raise Doubt("the witness's clock went back.")
        self.cosigned_size, self.cosigned_at = size, at

    def end(self, *, pinned: str | None) -> tuple[list[str], str]:
        """What a person should look at, and the name of the witness."""
        said = [*self._about_witness(pinned), *self._about_attempts(), *self.lost]
        if self.restored:
            said.append(
                f"The database was restored from a backup {len(self.restored):,} times, last after seal "
                f"{self.restored[-1]:,}: what had been written since that backup is not in this log."
            )
        return said, self.witness.name if self.witness is not None else ""

    def _about_witness(self, pinned: str | None) -> list[str]:
        key, witness = self.cosigner, self.witness
        if key is None or witness is None:
            return ["The log names no witness: nobody but the house remembers it."]
        if pinned is not None and pinned != str(key):
            raise Doubt(f"the witness of this log is {key}, not the one you know.")
        said = []
        if len(self.in_turn) > 1:
            said.append(
                f"This log has had {len(self.in_turn)} witnesses: it began with {self.in_turn[0]}, and "
                f"{self.in_turn[-1]} is the last. What one has answered is as good as that one: compare each."
            )
        if witness.same_machine:
            said.append(f"The witness {witness.name} stands on the house's own machine (same-machine).")
        elif pinned is None:
            said.append(f"The witness is {key}: compare it with what the inspector gave you (--witness does it).")
        if self.cosigned_size == 0:
            said.append("No seal was cosigned.")
        if self.others:
            said.append(f"The witness has given {self.others:,} answers that nobody in this log had asked for.")
        if self.unproven:
            said.append(f"{self.unproven:,} answers name a head that is too long ago to be compared here.")
        return said

    def _about_attempts(self) -> list[str]:
        void = sum(attempt.void_at is not None for attempt in self.attempts.values())
        waiting = sum(not attempt.answered for attempt in self.attempts.values())
        said = [f"{void:,} attempts were declared void after the witness was asked."] if void else []
        return [*said, f"{waiting:,} questions have no answer."] if waiting else said

    def unused(self, used: Container[tuple[str, str, int]]) -> list[str]:
        """Answers that no room has drawn from, and that were not declared void: a draw under way, or somebody who has
        fished for an answer that he likes."""
        lying = [
            f"{key[1]} {key[2]}, attempt {key[3]}"
            for key, attempt in self.attempts.items()
            if attempt.answered and attempt.void_at is None and key[1:] not in used
        ]
        if not lying:
            return []
        return [f"Nothing here was drawn from {len(lying):,} of the witness's answers; the first is to {lying[0]}."]

    def _first_key(self, act: FirstKey, index: int) -> None:
        if act.witness is not None:
            self._take(act.witness)

    def _appointed(self, act: WitnessAppointed, index: int) -> None:
        before = self.witness.name if self.witness is not None else ""
        if (act.before, act.last_number) != (before, self.number):
            raise Doubt("a witness is appointed after another answer than the last one.")
        self._take(act.witness)
        self.number, self.digest, self.cosigned_at = 0, FIRST_LINK, 0

    def _take(self, witness: WitnessKeys) -> None:
        endorsed = unique_signatures.endorsement_statement(witness.name, witness.rsa)
        if not ed25519.verify(witness.public, endorsed, witness.endorsement):
            raise Doubt("the witness's two keys do not belong together.")
        if not unique_signatures.is_permutation(witness.rsa, witness.dice, witness.roots):
            raise Doubt("the witness's key has not shown that it gives one signature and no other.")
        self.witness = witness
        self.named.add(witness.name)
        self.in_turn.append(str(VerifierKey(witness.name, COSIGNATURE_V1, witness.public)))

    def _sealed_set(self, act: OccasionSealed, index: int) -> None:
        named = (act.purpose, act.occasion)
        if named in self.sets:
            raise Doubt(f"{act.purpose} {act.occasion} is sealed a second time.")
        self.sets[named] = (index, act)

    def _asked(self, act: QuestionAsked, index: int) -> None:
        question = question_of(act)
        what = "/".join(map(str, question.key))
        sealed_at, sealed = self.sets.get((act.purpose, act.occasion), (-1, None))
        if sealed is None or (sealed_at, sealed.root, sealed.count, sealed.venue) != (
            act.act_index, act.root, act.count, act.venue,
        ):  # fmt: skip
            raise Doubt(f"the witness is asked about {what} with another set than the one that was sealed.")
        if act.witness not in self.named:  # one who was replaced is asked about what was opened under him
            raise Doubt(f"{act.witness} is asked about {what}, and is not the witness.")
        if question.key in self.attempts or self.heads.get(act.size) != act.checkpoint_root:
            raise Doubt(f"the question about {what} is asked twice, or names a head that was never sealed.")
        if act.attempt > 1:
            before = self.attempts.get((act.venue, act.purpose, act.occasion, act.attempt - 1))
            if before is None or before.void_at is None or before.void_at >= act.size:
                raise Doubt(f"the witness is asked about {what} before the attempt before it was void.")
        self.attempts[question.key] = Attempt(question, act.witness)

    def _answered(self, act: QuestionAnswered, index: int) -> None:
        key = (act.venue, act.purpose, act.occasion, act.attempt)
        attempt = self.attempts.get(key)
        if attempt is None or attempt.answered or (self.witness is not None and attempt.witness != self.witness.name):
            raise Doubt(f"answer {act.number} answers no question.")
        link = answer_to(attempt.question, act)
        if link.question != attempt.question and self.heads.get(act.size) != act.checkpoint_root:
            if act.size in self.heads:
                raise Doubt(f"answer {act.number} was given under a head that is not this log's.")
            self.unproven += 1
        self._chain(link)
        attempt.answered = True

    def _other(self, act: OtherAnswerFound, index: int) -> None:
        self._chain(Link.from_json(act.link))
        self.others += 1

    def _chain(self, link: Link) -> None:
        if (link.number, link.previous) != (self.number + 1, self.digest):
            raise Doubt(f"answer {link.number} does not follow answer {self.number} of the witness.")
        if self.witness is None or not self.is_right(link, self.witness):
            raise Doubt(f"answer {link.number} is not signed by the witness.")
        self.number, self.digest = link.number, link.digest()

    def _restored(self, act: LogRestored, index: int) -> None:
        if self.heads.get(act.rows, act.root) != act.root:
            raise Doubt(f"a backup is said to end after seal {act.seal}, and its rows are not this log's.")
        self.restored.append(act.seal)

    def _rewound(self, act: LogRewound, index: int) -> None:
        """What the witness has signed is believed, and nothing else: nobody stops a house by an act alone."""
        key = self.cosigner
        try:
            note = Note.parse(act.note.encode())
            signed = key is not None and act.witness == key.name and note.signed_by(key) is not None
            seen = Checkpoint.parse(note.text)
        except NoteError:
            signed = False
        if not signed or (seen.size <= act.size and self.heads.get(seen.size) == seen.root):
            raise Doubt("the log is said to have gone back, and the witness has signed nothing that shows it.")
        self.lost.append(
            f"The log went back: {act.witness} had cosigned {seen.size:,} rows when this log had {act.size:,}. What "
            "the lost rows had sold and paid is on paper and in earlier exports only."
        )

    def _void(self, act: AttemptVoid, index: int) -> None:
        attempt = self.attempts.get((act.venue, act.purpose, act.occasion, act.attempt))
        if attempt is None or attempt.void_at is not None:
            raise Doubt(f"an attempt at {act.purpose} {act.occasion} is declared void that was never asked about.")
        attempt.void_at = index


_READERS: Final[Mapping[str, tuple[Callable[[Witnessed, Any, int], None], type[Act]]]] = {
    FirstKey.kind: (Witnessed._first_key, FirstKey),
    WitnessAppointed.kind: (Witnessed._appointed, WitnessAppointed),
    OccasionSealed.kind: (Witnessed._sealed_set, OccasionSealed),
    QuestionAsked.kind: (Witnessed._asked, QuestionAsked),
    QuestionAnswered.kind: (Witnessed._answered, QuestionAnswered),
    OtherAnswerFound.kind: (Witnessed._other, OtherAnswerFound),
    AttemptVoid.kind: (Witnessed._void, AttemptVoid),
    LogRestored.kind: (Witnessed._restored, LogRestored),
    LogRewound.kind: (Witnessed._rewound, LogRewound),
}
