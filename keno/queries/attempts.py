"""The attempts at drawing a game, as everybody may see them: the sealed tickets, who was asked, what came and counts.

Nothing here is secret: of an attempt that has no answer nobody knows a number.
"""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict

from draws.models import Commitment, Replacement
from keno.models import Draw, DrawDevice, Game
from ledger.asked import find
from ledger.models import Question

PURPOSE = "keno"


class CheckpointShown(TypedDict):
    """The head of the log that the witness signed: what stands in it was before."""

    origin: str
    size: int
    root: str


class WitnessShown(TypedDict):
    name: str
    key: str
    signature: str


class VoidShown(TypedDict):
    why: str
    by: list[str | None]
    inspector: str | None


class AttemptShown(TypedDict):
    attempt: int
    device: str
    ticket_root: str | None
    sealed_at: datetime | None
    checkpoint: CheckpointShown | None
    witness: WitnessShown | None
    unwitnessed: str | None
    waits: bool
    drawn: list[int]
    void: VoidShown | None


def promise_or_none(game: int) -> Commitment | None:
    """The promise of a game, where it has one."""
    return Commitment.objects.filter(purpose=PURPOSE, name=str(game)).first()


def attempts_of(game: Game) -> list[AttemptShown]:
    promise = promise_or_none(game.number)
    draws = game.draws.select_related("void_proposal").order_by("attempt")
    return [attempt_of(game, draw, promise) for draw in draws]


def attempt_of(game: Game, draw: Draw, promise: Commitment | None) -> AttemptShown:
    question, replaced = _asked(draw, promise)
    return {
        "attempt": draw.attempt,
        "device": draw.device,
        "ticket_root": hexadecimal(game.ticket_root),
        "sealed_at": game.sealed_at,
        "checkpoint": _checkpoint(question),
        "witness": _witness(question, promise) if replaced is None else None,
        "unwitnessed": replaced.how if replaced is not None else None,
        "waits": draw.waits_since is not None and draw.voided_at is None,
        "drawn": draw.would_be or draw.numbers,
        "void": _void(draw),
    }


def _asked(draw: Draw, promise: Commitment | None) -> tuple[Question | None, Replacement | None]:
    if draw.asked is None or promise is None or draw.device != DrawDevice.RNG:
        return None, None
    occasion, attempt = str(draw.game_id), draw.asked
    question = find(venue=promise.venue, purpose=PURPOSE, occasion=occasion, attempt=attempt)
    return question, Replacement.objects.filter(purpose=PURPOSE, occasion=occasion, attempt=attempt).first()


def _checkpoint(question: Question | None) -> CheckpointShown | None:
    if question is None:
        return None
    size = question.answered_size or question.size
    root = question.answered_root or question.checkpoint_root
    return {"origin": question.origin, "size": size, "root": bytes(root).hex()}


def _witness(question: Question | None, promise: Commitment | None) -> WitnessShown | None:
    if question is None or question.answer is None or promise is None:
        return None
    return {
        "name": question.witness,
        "key": bytes(promise.witness_key).hex(),
        "signature": bytes(question.answer).hex(),
    }


def _void(draw: Draw) -> VoidShown | None:
    if draw.voided_at is None:
        return None
    decided = draw.void_proposal
    people = [draw.voided_by] if decided is None else [decided.proposed_by, decided.seconded_by]
    return {
        "why": draw.void_reason,
        "by": people,
        "inspector": decided.decided_by if decided is not None else None,
    }


def hexadecimal(value: bytes | memoryview | None) -> str | None:
    return None if value is None else bytes(value).hex()
