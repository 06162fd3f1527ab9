"""A second party at hand, for tests whose transaction never commits: no log can be sealed there, so no witness asked.

Real keys of the tests' ceremony, real questions and answers in the log and in the database; only the head that a
question names is made up: of everything that is in the log by then, what locked the draw among it. Tests that ask for
the ``witness`` or the ``server`` have a real one, running.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from draws import second_party
from draws.models import Commitment
from kernel.actors import Actor
from kernel.locks import Lock, hold
from kernel.questions import FIRST_LINK, Link
from kernel.unique_signatures import to_pem
from ledger import ask as questions
from ledger.acts import OccasionSealed, QuestionAnswered, QuestionAsked, WitnessKeys
from ledger.asked import asked_of
from ledger.log import write_act
from ledger.models import Act, Question
from ledger.witnesses import read_keys
from signage import two_parties
from tests.world.witness import folder_with_keys
from witness.keys import Keys

ORIGIN = "meterhouse.log/tests"


@cache
def _keys() -> Keys:
    return Keys.load(folder_with_keys(Path(mkdtemp(prefix="meterhouse-test-keys-")) / "witness", same_machine=True))


@cache
def _named() -> WitnessKeys:
    return read_keys(_keys().about())


class AtHand:
    """What ``draws.second_party`` asks for. ``away``: nobody answers, as when the witness cannot be reached."""

    def __init__(self) -> None:
        self.away = False
        self.unseen = False
        self.seen_upto: int | None = None  # the last act that it has seen, where it was away since

    def in_force(self) -> WitnessKeys:
        return _named()

    def serving(self, commitment: Commitment) -> WitnessKeys:
        return _named()

    def has_seen(self, *, act: int) -> bool:
        return not self.unseen and (self.seen_upto is None or act <= self.seen_upto)

    def goes_away(self) -> None:
        """It answers nothing from now on, and sees nothing."""
        self.away, self.seen_upto = True, Act.objects.order_by("-id").values_list("id", flat=True).first() or 0

    def comes_back(self) -> None:
        self.away, self.seen_upto = False, None

    def ask(
        self, commitment: Commitment, *, occasion: str, attempt: int, by: Actor, locked_by: int | None = None
    ) -> questions.Answer | None:
        with transaction.atomic():
            hold(Lock.WITNESS)  # one at a time, as a real one
            asked = self._logged(commitment, occasion=occasion, attempt=attempt, by=by)
            assert locked_by is None or locked_by < asked.size, "asked under a head from before the lock"
            if self.away:
                return None
            if asked.answer is None:
                self._answer(asked)
        return questions.Answer(
            question=asked_of(asked),
            signature=bytes(asked.answer or b""),
            number=asked.number or 0,
            at=asked.answered_at or 0,
            witness=asked.witness,
            same_machine=True,
        )

    def _logged(self, commitment: Commitment, *, occasion: str, attempt: int, by: Actor) -> Question:
        of = {"venue": commitment.venue, "purpose": commitment.purpose, "occasion": occasion, "attempt": attempt}
        known = Question.objects.filter(**of).first()
        if known is not None:
            return known
        row = Act.objects.get(kind=OccasionSealed.kind, subject=f"draw:{commitment.purpose}/{occasion}")
        sealed = OccasionSealed.read(row.data)
        void = Act.objects.filter(
            kind="draw.void", subject=f"draw:{commitment.purpose}/{occasion}/{attempt - 1}"
        ).first()
        last = Act.objects.latest("id").id
        head: dict[str, Any] = {
            "origin": ORIGIN,
            "size": last + 1,
            "checkpoint_root": sha256(str(last).encode()).digest(),
        }
        said: dict[str, Any] = {
            **of,
            "root": sealed.root,
            "count": sealed.count,
            "act_index": row.id,
            "witness": _named().name,
            **head,
        }
        write_act(QuestionAsked(**said), by=by)
        return Question.objects.create(**said, seal_act=row.id, void_act=void.id if void else None)

    def _answer(self, asked: Question) -> None:
        keys, question = _keys(), asked_of(asked)
        last = Question.objects.filter(number__isnull=False).order_by("-number").first()
        link = Link(
            number=(last.number or 0) + 1 if last else 1,
            at=int(timezone.now().timestamp()),
            previous=sha256(bytes(last.signature or b"")).digest() if last else FIRST_LINK,
            question=question,
            answer=keys.answer(question.message()),
        )
        asked.number, asked.answered_at, asked.previous = link.number, link.at, link.previous
        asked.answer, asked.signature = link.answer, bytes(64)
        asked.answered_size, asked.answered_root = question.size, question.checkpoint_root
        asked.save(
            update_fields=[
                "number", "answered_at", "previous", "answer", "signature", "answered_size", "answered_root",
            ]
        )  # fmt: skip
        write_act(
            QuestionAnswered(
                venue=asked.venue, purpose=asked.purpose, occasion=asked.occasion, attempt=asked.attempt,
                witness=asked.witness, number=link.number, size=question.size,
                checkpoint_root=question.checkpoint_root, answered_at=link.at, previous=link.previous,
                answer=link.answer, signature=bytes(64),
            ),
            by=Actor(identity="system:witness", name="witness"),
        )  # fmt: skip


def left_waiting(commitment: Commitment, *, occasion: str, by: Actor) -> Question:
    """A question that nobody answers, for a house that is only looked at."""
    return AtHand()._logged(commitment, occasion=occasion, attempt=1, by=by)


NAMES = ("in_force", "serving", "has_seen", "ask")


def stand_by() -> None:
    """For a process of its own, to its end."""
    at_hand = AtHand()
    for name in NAMES:
        setattr(second_party, name, getattr(at_hand, name))


def put_at_hand(monkeypatch: pytest.MonkeyPatch) -> AtHand:
    at_hand = AtHand()
    for name in NAMES:
        monkeypatch.setattr(second_party, name, getattr(at_hand, name))
    # The log of such a test names no witness: /verify/ would find no key in it.
    monkeypatch.setattr(two_parties, "_rsa_of", lambda witness: to_pem(_named().rsa))
    return at_hand
