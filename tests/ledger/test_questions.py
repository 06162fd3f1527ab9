"""What the house asks its witness: once and as logged, and what it does with the answer."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from kernel.refusal import Busy, Conflict
from ledger import ask as asking
from ledger import transport, witnesses
from ledger.ask import answer_to, ask, ask_waiting, log_question, send_question, waiting
from ledger.asked import link_of
from ledger.cosign import cosign_now, latest_cosigned
from ledger.models import Act, Question
from ledger.post import post, post_many
from ledger.proofs import position_of
from ledger.seal import last_seal, rotate_key, seal_now
from ledger.tick import tick
from tests.ledger.witnessed import GAME, declare_void, seal_set, trouble
from tests.world.books import ANNA, DAY, booking, open_books
from tests.world.threads import in_threads
from tests.world.witness import RunningWitness

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _books(witness: RunningWitness) -> None:
    open_books()
    seal_now()


class TestQuestions:
    def test_one_from_seal_to_answer(self, witness: RunningWitness) -> None:
        act = seal_set()
        given = ask(**GAME, attempt=1)
        assert given is not None
        current = witnesses.current()
        assert current is not None
        row = Question.objects.get()
        assert link_of(row).is_right(public=current.public, rsa=current.rsa)
        assert (row.seal_act, row.number, given.number, given.same_machine) == (act, 1, 1, True)
        assert given.signature == bytes(row.answer or b"")
        assert [each.kind for each in Act.objects.filter(kind__startswith="witness.").order_by("id")] == [
            "witness.asked",
            "witness.answered",
        ]
        assert latest_cosigned() == last_seal()  # its head was cosigned on the way
        assert answer_to(**GAME, attempt=1) == given
        assert ask(**GAME, attempt=1) == given
        assert witness.memory.state.number == 1

    def test_it_takes_few_statements(self, witness: RunningWitness) -> None:
        """Between a close and the first ball somebody waits for every one of them."""
        seal_set()
        seal_now()
        with CaptureQueriesContext(connection) as sent:
            ask(**GAME, attempt=1)
        assert len(sent) <= 48

    def test_it_is_logged_before_it_is_sent(self, witness: RunningWitness) -> None:
        seal_set()
        with pytest.raises(Busy):
            log_question(**GAME, attempt=1, by=ANNA)
        assert Question.objects.count() == 0
        seal_now()
        question = log_question(**GAME, attempt=1, by=ANNA)
        assert Act.objects.filter(kind="witness.asked").count() == 1
        assert witness.memory.state.number == 0
        assert log_question(**GAME, attempt=1, by=ANNA) == question
        assert Act.objects.filter(kind="witness.asked").count() == 1

    def test_sealed_in_the_moment_in_which_it_is_logged(
        self, witness: RunningWitness, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The head that is shown is over the act that it is to show, whenever the sealer comes."""
        act = seal_set()

        def sealed_now(row: int) -> int | None:
            in_threads(1, seal_now)
            return position_of(row)

        monkeypatch.setattr(asking, "position_of", sealed_now)
        question = log_question(**GAME, attempt=1, by=ANNA)
        assert question.act_index < question.size
        assert (question.seal_act, question.act_index) == (act, position_of(act))

    def test_nothing_is_asked_inside_a_transaction(self, witness: RunningWitness) -> None:
        seal_set()
        seal_now()
        question = log_question(**GAME, attempt=1, by=ANNA)
        with pytest.raises(RuntimeError), transaction.atomic():
            send_question(question)

    def test_away_it_waits_and_is_asked_again_unchanged(self, witness: RunningWitness) -> None:
        seal_set()
        witness.away()
        assert ask(**GAME, attempt=1) is None
        (question,) = waiting()
        before = (question.size, bytes(question.checkpoint_root))
        post_many(bookings=[booking() for _ in range(9)], by=ANNA, day=DAY)
        seal_now()
        assert ask(**GAME, attempt=1) is None
        witness.back()
        ask_waiting()
        given = answer_to(**GAME, attempt=1)
        assert given is not None
        assert (given.question.size, given.question.checkpoint_root) == before
        assert waiting() == []

    def test_an_answer_that_was_lost_on_the_way_is_the_same_later(
        self, witness: RunningWitness, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A house that drops an answer as “witness away” gets the same one again: it stands in the witness's chain."""
        seal_set()

        def dropped(path: str, said: Any = None) -> Any:
            transport.call_json(path, said)
            raise transport.Away("dropped")

        with monkeypatch.context() as patch:
            patch.setattr("ledger.answers.call_json", dropped)
            assert ask(**GAME, attempt=1) is None
        (stored,) = witness.memory.links(since=1, limit=9)
        ask_waiting()
        given = answer_to(**GAME, attempt=1)
        assert given is not None
        assert given.signature == stored.answer
        assert link_of(Question.objects.get()) == stored

    def test_two_who_ask_at_once_get_one_answer(self, witness: RunningWitness) -> None:
        for game in range(4):
            seal_set(str(game))
        seal_now()
        given: list[Any] = []

        def work(occasion: str) -> None:
            try:
                given.append(ask(**GAME | {"occasion": occasion}, attempt=1))
            finally:
                connection.close()

        threads = [threading.Thread(target=work, args=[str(n % 4)]) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        ask_waiting()
        assert witness.memory.state.number == 4
        assert Act.objects.filter(kind="witness.asked").count() == 4
        assert set(Question.objects.values_list("number", flat=True)) == {1, 2, 3, 4}
        assert Act.objects.filter(kind="witness.other-answer").count() == 0

    def test_the_next_attempt_once_the_one_before_is_void(self, witness: RunningWitness) -> None:
        seal_set()
        first = ask(**GAME, attempt=1)
        with pytest.raises(Conflict) as refusal:
            ask(**GAME, attempt=2)
        assert refusal.value.code == "attempt-not-void"
        declare_void()
        second = ask(**GAME, attempt=2)
        assert first is not None
        assert second is not None
        assert second.signature != first.signature
        assert second.question.same_set(first.question)

    def test_a_set_that_was_never_sealed_is_not_asked_about(self, witness: RunningWitness) -> None:
        with pytest.raises(Conflict) as refusal:
            ask(**GAME, attempt=1)
        assert refusal.value.code == "not-sealed"
        assert Question.objects.count() == 0

    def test_the_log_refuses_a_second_seal_void_or_question(self, witness: RunningWitness) -> None:
        seal_set()
        with pytest.raises(IntegrityError):
            seal_set(root=bytes(32))
        ask(**GAME, attempt=1)
        declare_void()
        with pytest.raises(IntegrityError):
            declare_void()

    def test_a_question_never_changes_and_has_one_answer(self, witness: RunningWitness) -> None:
        seal_set()
        ask(**GAME, attempt=1)
        for change in ({"root": bytes(32)}, {"size": 1}, {"answer": bytes(384)}, {"number": 7}, {"answer": None}):
            with pytest.raises(DatabaseError), transaction.atomic():
                Question.objects.update(**change)
        with pytest.raises(DatabaseError), transaction.atomic():
            Question.objects.all().delete()

    def test_an_answer_that_is_not_its_own_is_not_believed(
        self, witness: RunningWitness, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seal_set()
        real = transport.call_json
        for spoil in ("answer", "signature", "previous"):

            def spoilt(path: str, said: Any = None, spoil: str = spoil) -> Any:
                given = real(path, said)
                given["link"][spoil] = "00" * (len(given["link"][spoil]) // 2)
                if spoil == "previous":
                    given["link"][spoil] = "11" * 32
                return given

            monkeypatch.setattr("ledger.answers.call_json", spoilt)
            assert ask(**GAME, attempt=1) is None
            assert trouble() == "away"
        nonsense: Any
        for nonsense in (None, [], {}, {"link": None}, {"link": 3}):
            monkeypatch.setattr("ledger.answers.call_json", lambda path, said=None, given=nonsense: given)
            assert ask(**GAME, attempt=1) is None
        assert Act.objects.filter(kind="witness.answered").count() == 0

    def test_keys_handed_over_between_sealing_and_asking(self, witness: RunningWitness) -> None:
        cosign_now()
        seal_set()
        rotate_key(by=ANNA)
        post(booking=booking(), by=ANNA, day=DAY)
        assert ask(**GAME, attempt=1) is not None
        assert trouble() == ""

    def test_an_occasion_keeps_the_witness_it_was_opened_under(self, witness: RunningWitness) -> None:
        act = seal_set()
        assert ask(**GAME, attempt=1, opened_act=act) is not None

    def test_the_tick_does_all_of_it(self, witness: RunningWitness) -> None:
        from datetime import UTC, datetime

        seal_set()
        seal_now()
        log_question(**GAME, attempt=1, by=ANNA)
        tick(datetime.now(UTC))
        assert answer_to(**GAME, attempt=1) is not None
