"""Asking the witness: log the question, then send it; its answer is logged and kept (docs/proof/witness.md).

    record_act(OccasionSealed(venue=…, purpose="keno", occasion="1042", root=…, count=…), by=…)  # the room's own
    question = log_question(venue=…, purpose="keno", occasion="1042", attempt=1, by=…)  # once that act is sealed
    answer = send_question(question)  # None: the witness is away, and the tick asks again, unchanged
    answer = answer_to(venue=…, purpose=…, occasion=…, attempt=1)  # whenever it is needed later

``ask`` does these in turn. An attempt has begun when its question is logged. For attempt k + 1 the room first writes
``AttemptVoid`` for attempt k. Nothing here is called inside a transaction but ``log_question`` and ``answer_to``: the
witness is somebody else's machine, and nobody holds a lock while waiting for it.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from typing import Final

from django.db import connection
from django.db.models import QuerySet

from kernel import locks, questions
from kernel.actors import Actor
from kernel.locks import Lock
from kernel.refusal import Busy, Conflict
from kernel.transactions import one_transaction
from ledger import witnesses
from ledger.acts import AttemptVoid, OccasionSealed, QuestionAsked, WitnessKeys
from ledger.answers import exchange
from ledger.asked import asked_of, find
from ledger.cosign import guarded
from ledger.log import write_act
from ledger.models import Act, Question
from ledger.proofs import position_of
from ledger.seal import SEALER, last_seal, log_origin, seal_now

WAITING_ASKED_SECONDS: Final = 0.8  # how long one tick asks again,
WAITING_ASKED_LIMIT: Final = 100  # and how many


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the witness said, checked. ``signature`` is the unique one: it goes into the numbers."""

    question: questions.Question  # as it was answered: its head is another one where somebody had asked before us
    signature: bytes
    number: int  # in the witness's own chain
    at: int  # seconds since 1970, by the witness's clock
    witness: str  # its name
    same_machine: bool


def ask(
    *, venue: str, purpose: str, occasion: str, attempt: int, by: Actor = SEALER, opened_act: int | None = None
) -> Answer | None:
    """Log the question where it is not logged yet, seal what it is about where that is not sealed yet, send it. None:
    still waiting."""
    log = partial(
        log_question, venue=venue, purpose=purpose, occasion=occasion, attempt=attempt, by=by, opened_act=opened_act
    )
    try:
        question = log()
    except Busy:
        seal_now()
        question = log()
    return send_question(question)


@one_transaction()
def log_question(
    *,
    venue: str,
    purpose: str,
    occasion: str,
    attempt: int,
    by: Actor,
    day: date | None = None,
    opened_act: int | None = None,
) -> Question:
    """Write down what the witness will be asked. Called again it answers what was written then, whatever came since.

    Busy where the act that seals the set (or, from the second attempt on, the void of the one before) is under no seal
    yet: a moment later it is. *opened_act*: the row that opened the occasion, whose witness serves it to its end.
    """
    locks.hold(Lock.WITNESS)
    known = find(venue=venue, purpose=purpose, occasion=occasion, attempt=attempt)
    if known is not None:
        return known
    witness = _witness_of(opened_act)
    sealed, void = _acts(purpose=purpose, occasion=occasion, attempt=attempt)
    before = find(venue=venue, purpose=purpose, occasion=occasion, attempt=attempt - 1) if void else None
    # The head last: a sealer at work meanwhile must not leave it older than what it is to show.
    index, void_index = position_of(sealed.id), position_of(void.id) if void else 0
    head = last_seal()
    if head is None or index is None or void_index is None:
        raise Busy("not-sealed-yet", "What the witness is asked about is not sealed yet: try again in a second.")
    act = OccasionSealed.read(sealed.data)
    if act.venue != venue or (void is not None and (before is None or before.seal_act != sealed.id)):
        raise Conflict("another-set", f"The set of {purpose} {occasion} is not the one that was asked about.")
    question = questions.Question(
        venue=venue,
        purpose=purpose,
        occasion=occasion,
        attempt=attempt,
        root=act.root,
        count=act.count,
        act_index=index,
        origin=log_origin(),
        size=head.size,
        checkpoint_root=bytes(head.root),
    )
    said = {**asdict(question), "witness": witness.name}
    write_act(QuestionAsked(**said), by=by, day=day)
    return Question.objects.create(**said, seal_act=sealed.id, void_act=void.id if void else None)


def send_question(question: Question) -> Answer | None:
    """Ask the witness, once. Its answer, checked, logged and kept; None where it is away or cannot answer now."""
    if connection.in_atomic_block:
        raise RuntimeError("the witness is asked outside of transactions: it may take its time")
    witness = witnesses.current()
    if question.answer is None and witness is not None and witness.name == question.witness:
        guarded(lambda: exchange(question, witness))
        question.refresh_from_db()
        return answered(question, witness)
    return answered(question)


def ask_waiting() -> None:
    """For the tick: what has no answer yet is asked again, unchanged, oldest first, until the witness fails."""
    until = time.monotonic() + WAITING_ASKED_SECONDS
    for question in _waiting().order_by("id")[:WAITING_ASKED_LIMIT]:
        if send_question(question) is None or time.monotonic() > until:
            return


def answer_to(*, venue: str, purpose: str, occasion: str, attempt: int) -> Answer | None:
    question = find(venue=venue, purpose=purpose, occasion=occasion, attempt=attempt)
    return answered(question) if question is not None else None


def answered(question: Question, witness: WitnessKeys | None = None) -> Answer | None:
    """The answer that this question has by now; *witness*: who was asked, where that is known."""
    if question.answer is None:
        return None
    witness = witness or witnesses.named(question.witness)
    return Answer(
        question=asked_of(question),
        signature=bytes(question.answer),
        number=question.number or 0,
        at=question.answered_at or 0,
        witness=witness.name,
        same_machine=witness.same_machine,
    )


def waiting() -> list[Question]:
    """Questions that may still be answered, oldest first."""
    return list(_waiting().order_by("id"))


def waiting_count() -> int:
    return _waiting().count()


def _waiting() -> QuerySet[Question]:
    """Without an answer, and put to who is the witness now: one who was replaced answers no more."""
    witness = witnesses.current()
    return Question.objects.filter(answer__isnull=True, witness=witness.name if witness is not None else "")


def _witness_of(opened_act: int | None) -> WitnessKeys:
    """Who serves what was opened by this row, whoever was appointed since; the current one where nobody says. One who
    was replaced answers no more: what was put to him waits for an inspector's dice, a named round, or balls."""
    witness = witnesses.current() if opened_act is None else witnesses.in_force_at(opened_act)
    if witness is None:
        raise Conflict("no-witness", "The log names no witness: nobody could be asked.")
    return witness


def _acts(*, purpose: str, occasion: str, attempt: int) -> tuple[Act, Act | None]:
    """The act that seals the set and, from the second attempt on, the one that declares the attempt before void."""
    sealed = Act.objects.filter(kind=OccasionSealed.kind, subject=f"draw:{purpose}/{occasion}").first()
    if sealed is None:
        raise Conflict("not-sealed", f"The set of {purpose} {occasion} has not been sealed.")
    if attempt == 1:
        return sealed, None
    void = Act.objects.filter(kind=AttemptVoid.kind, subject=f"draw:{purpose}/{occasion}/{attempt - 1}").first()
    if void is None:
        raise Conflict("attempt-not-void", f"Attempt {attempt - 1} of {purpose} {occasion} is not void.")
    return sealed, void
