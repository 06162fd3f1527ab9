"""What an inspector does about a draw that cannot go on: by the row of its question, or by what was promised."""

from __future__ import annotations

import re
from typing import Any, Final

from draws import replace
from draws.commit import commitment_numbered, commitment_of, restore_master
from draws.models import Commitment, Replacement
from draws.said import Attempt
from kernel.actors import Actor
from kernel.refusal import NotFound, Refusal
from ledger.models import Act, Question

_MASTER: Final = re.compile(r"[0-9a-f]{64}").fullmatch


def give_back(*, promise_id: int, master: str, why: str, by: Actor) -> Commitment:
    """A lost master, as ``python -m witness.escrow open`` prints it."""
    promised = commitment_numbered(promise_id)
    if not _MASTER(master.strip().lower()):
        raise Refusal("master-wrong", "A master is 64 hexadecimal digits.", field="master")
    raw = bytes.fromhex(master.strip())
    return restore_master(purpose=promised.purpose, name=promised.name, master=raw, why=why, by=by)


def promised_act(commitment: Commitment) -> dict[str, object]:
    """The data of the act ``draw.promised``: what the inspector's tool opens."""
    data: dict[str, Any] = Act.objects.values_list("data", flat=True).get(pk=commitment.act)
    return data


def question_numbered(question_id: int) -> tuple[Question, Commitment]:
    question = Question.objects.filter(pk=question_id).first()
    if question is None:
        raise NotFound("no-such-question", f"The witness was never asked question {question_id}.")
    return question, commitment_of(purpose=question.purpose, occasion=question.occasion)


def throw_dice(*, question_id: int, dice: str, why: str, by: Actor) -> Replacement:
    question, commitment = question_numbered(question_id)
    of: Attempt = {"occasion": question.occasion, "attempt": question.attempt}
    return replace.throw_dice(commitment, **of, dice=dice, why=why, by=by)


def name_round(*, question_id: int, round: int, why: str, by: Actor) -> Replacement:
    question, commitment = question_numbered(question_id)
    of: Attempt = {"occasion": question.occasion, "attempt": question.attempt}
    return replace.name_round(commitment, **of, round=round, why=why, by=by)
