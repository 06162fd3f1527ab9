"""What the witness was asked, as it is on record: found, and read as the question or as the link of its chain."""

from __future__ import annotations

from kernel import questions
from kernel.questions import Link
from ledger.models import Question


def find(*, venue: str, purpose: str, occasion: str, attempt: int) -> Question | None:
    return Question.objects.filter(venue=venue, purpose=purpose, occasion=occasion, attempt=attempt).first()


def asked_of(question: Question) -> questions.Question:
    """The question as it was answered, or as it is asked while it has no answer."""
    return questions.Question(
        venue=question.venue,
        purpose=question.purpose,
        occasion=question.occasion,
        attempt=question.attempt,
        root=bytes(question.root),
        count=question.count,
        act_index=question.act_index,
        origin=question.origin,
        size=question.answered_size or question.size,
        checkpoint_root=bytes(question.answered_root or question.checkpoint_root),
    )


def link_of(question: Question) -> Link:
    """The link of the witness's chain that answers this question."""
    assert question.answer is not None
    return Link(
        number=question.number or 0,
        at=question.answered_at or 0,
        previous=bytes(question.previous or b""),
        question=asked_of(question),
        answer=bytes(question.answer),
        signature=bytes(question.signature or b""),
    )
