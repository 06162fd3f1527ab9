"""The house and its witness: heads cosigned, questions asked once and as logged, answers checked and exported."""

from __future__ import annotations

import io
import json
import shutil
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from kernel.notes import Note, Signature
from kernel.questions import Link
from kernel.refusal import Busy, Conflict
from ledger import ask as asking
from ledger import transport, witnesses
from ledger.acts import AttemptVoid, OccasionSealed
from ledger.answers import last_link, link_of
from ledger.ask import answer_to, ask, ask_waiting, log_question, send_question, waiting
from ledger.checkpoints import Notes, latest, verifier_keys
from ledger.cosign import cosign_due, cosign_now, is_cosigned, latest_cosigned
from ledger.export import export
from ledger.log import write_act
from ledger.models import Act, Cosignature, Question, Seal
from ledger.post import post, post_many
from ledger.proofs import position_of
from ledger.seal import last_seal, rotate_key, seal_now
from ledger.tick import tick
from tests.world.books import ANNA, DAY, booking, open_books
from tests.world.owner import unguarded
from tests.world.threads import in_threads
from tests.world.witness import RunningWitness
from verify.result import Result, Wrong
from verify.verifier import verify

pytestmark = pytest.mark.django_db(transaction=True)
GAME: dict[str, Any] = {"venue": "DEMO", "purpose": "drill", "occasion": "1042"}


@pytest.fixture(autouse=True)
def _books(witness: RunningWitness) -> None:
    open_books()
    seal_now()


def seal_set(occasion: str = "1042", *, root: bytes = bytes(range(32))) -> int:
    return write_act(OccasionSealed(**GAME | {"occasion": occasion}, root=root, count=14), by=ANNA)


def seal_beyond(size: int) -> None:
    """Seal until the head is over more rows. What can be sealed waits for every transaction of the server, and another
    database of it may have one under way."""
    until = time.monotonic() + 30
    while (head := last_seal()) is None or head.size <= size:
        assert time.monotonic() < until, "nothing could be sealed"
        seal_now()
        time.sleep(0.01)


def declare_void(attempt: int = 1, *, occasion: str = "1042") -> int:
    act = AttemptVoid(**GAME | {"occasion": occasion}, attempt=attempt, cause="power cut", numbers=[1, 2])
    return write_act(act, by=ANNA)


def trouble() -> str:
    return witnesses.standing().trouble


def checked(path: Path, **pins: Any) -> Result:
    with path.open("wb") as file:
        export(to=file, by=ANNA, venue="Test Casino")
    with path.open("rb") as file:
        return verify(file, **pins)


class TestHeads:
    def test_the_log_begins_with_its_witness(self, witness: RunningWitness) -> None:
        act = Act.objects.get(kind="keys.first")
        assert act.data["witness"]["name"] == witness.memory.keys.name
        assert act.data["witness"]["same_machine"] is True
        current = witnesses.current()
        assert current is not None
        assert witnesses.is_right(current)
        assert str(witnesses.cosigner(current)) == str(witness.memory.keys.cosigner)
        (first,) = Seal.objects.all()
        assert act.tx < first.tx_upto  # under the first seal

    def test_a_head_is_cosigned_and_opens_with_both_keys(self, witness: RunningWitness) -> None:
        assert cosign_now()
        head = latest()
        assert head is not None
        note = Note.parse(str(Notes().of(head)).encode())
        house, cosigner = verifier_keys()
        assert note.opened([house, cosigner]) == [house, cosigner]
        assert witness.memory.state.logs[note.text.splitlines()[0]].size == head.size
        assert cosign_now()  # again is nothing new
        assert Cosignature.objects.count() == 1

    def test_every_few_seconds_and_only_what_is_new(self, witness: RunningWitness) -> None:
        from datetime import UTC, datetime, timedelta

        now = datetime.now(UTC)
        cosign_due(now)
        post(booking=booking(), by=ANNA, day=DAY)
        seal_now()
        cosign_due(now + timedelta(seconds=1))
        assert Cosignature.objects.count() == 1
        cosign_due(now + timedelta(seconds=7))
        assert Cosignature.objects.count() == 2

    def test_across_the_edges_of_tiles(self, witness: RunningWitness) -> None:
        for size in (1, 255, 300, 7):
            post_many(bookings=[booking() for _ in range(size)], by=ANNA, day=DAY)
            seal_now()
            assert cosign_now()

    def test_a_row_is_known_to_be_cosigned(self, witness: RunningWitness) -> None:
        row = seal_set()
        assert not is_cosigned(act=row)
        seal_now()
        assert not is_cosigned(act=row)
        cosign_now()
        assert is_cosigned(act=row)

    def test_a_witness_who_is_away_is_noted_and_nothing_else_happens(self, witness: RunningWitness) -> None:
        witness.away()
        assert not cosign_now()
        assert trouble() == "away"
        since = witnesses.standing().since
        assert not cosign_now()
        assert witnesses.standing().since == since
        witness.back()
        assert cosign_now()
        assert trouble() == ""

    def test_while_it_is_away_the_tick_turns_to_it_seldom(self, witness: RunningWitness) -> None:
        witness.away()
        assert witnesses.claim_turn()
        assert not witnesses.claim_turn()
        cosign_now()
        assert not witnesses.claim_turn()

    def test_somebody_else_at_its_address_changes_nothing(self, witness: RunningWitness, tmp_path: Path) -> None:
        """``WITNESS_URL`` changes nothing by itself: the log names whose signatures count."""
        from tests.world.witness import folder_with_keys

        witness.memory.close()
        witness.begin(folder_with_keys(tmp_path / "other"))
        witness.watch()
        assert not cosign_now()
        assert trouble() == "away"
        assert "is not the witness" in witnesses.standing().detail
        assert Cosignature.objects.count() == 0

    def test_keys_are_handed_over_with_the_witness_watching(self, witness: RunningWitness) -> None:
        cosign_now()
        for _ in range(2):
            rotate_key(by=ANNA)
            post(booking=booking(), by=ANNA, day=DAY)
            seal_now()
        assert cosign_now()
        (log,) = witness.memory.state.logs.values()
        assert len(log.keys) == 3
        assert trouble() == ""

    def test_a_witness_that_knows_more_than_the_log_is_an_old_copy_found_out(self, witness: RunningWitness) -> None:
        """The database was restored from yesterday: recognised before anything is sold on it."""
        post(booking=booking(), by=ANNA, day=DAY)
        seal_now()
        cosign_now()
        last = last_seal()
        assert last is not None
        tables = ("ledger_cosignature", "ledger_leaves", "ledger_seal")
        with unguarded(*tables) as cursor:
            for table, column in zip(tables, ("seal_id", "seal_id", "number"), strict=True):
                cursor.execute(f"DELETE FROM {table} WHERE {column} = %s", [last.number])
        assert not cosign_now()
        assert trouble() == "diverged"
        assert str(last.size) in witnesses.standing().detail

    def test_a_witness_of_yesterday_is_shown_what_it_signed_and_stops(
        self, witness: RunningWitness, tmp_path: Path
    ) -> None:
        cosign_now()
        shutil.copytree(witness.folder, tmp_path / "yesterday")
        shutil.copy(witness.logs, tmp_path / "yesterday-logs")
        post(booking=booking(), by=ANNA, day=DAY)
        seal_now()
        cosign_now()
        post(booking=booking(), by=ANNA, day=DAY)
        seal_now()
        witness.restart(tmp_path / "yesterday")
        assert not cosign_now()
        assert trouble() == "stopped"
        assert "does not remember" in witness.memory.state.stopped


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


class TestWhatTheHouseHasForgotten:
    def forget(self, *kinds: str) -> None:
        """As a database restored from before the question would have it."""
        with unguarded("ledger_act", "ledger_question") as cursor:
            cursor.execute("DELETE FROM ledger_act WHERE kind = ANY(%s)", [list(kinds)])
            cursor.execute("DELETE FROM ledger_question")

    def test_asked_again_it_gets_the_stored_answer_under_its_old_head(self, witness: RunningWitness) -> None:
        seal_set()
        first = ask(**GAME, attempt=1)
        assert first is not None
        self.forget("witness.asked", "witness.answered")
        post(booking=booking(), by=ANNA, day=DAY)
        seal_beyond(first.question.size)  # the log has gone on
        again = ask(**GAME, attempt=1)
        assert again is not None
        assert again == first
        row = Question.objects.get()
        assert row.size > again.question.size == row.answered_size

    def test_an_answer_to_a_question_nobody_remembers_is_written_down(self, witness: RunningWitness) -> None:
        seal_set("1")
        seal_set("2")
        ask(**GAME | {"occasion": "1"}, attempt=1)
        self.forget("witness.asked", "witness.answered")
        given = ask(**GAME | {"occasion": "2"}, attempt=1)
        assert given is not None
        assert given.number == 2
        found = Act.objects.get(kind="witness.other-answer")
        assert found.data["link"]["question"]["occasion"] == "1"
        current = witnesses.current()
        assert current is not None
        last = last_link(current)
        assert last is not None
        assert last.number == 2

    def test_a_chain_that_does_not_go_on_is_not_believed(self, witness: RunningWitness) -> None:
        seal_set("1")
        seal_set("2")
        ask(**GAME | {"occasion": "1"}, attempt=1)
        with unguarded("ledger_question") as cursor:
            cursor.execute("UPDATE ledger_question SET answered_at = answered_at - 1")
        assert ask(**GAME | {"occasion": "2"}, attempt=1) is None
        assert trouble() == "diverged"


class TestTheExport:
    def test_a_stranger_checks_all_of_it(self, witness: RunningWitness, tmp_path: Path) -> None:
        cosign_now()
        seal_set()
        ask(**GAME, attempt=1)
        declare_void()
        ask(**GAME, attempt=2)
        seal_set("1043")
        seal_now()
        ask(**GAME | {"occasion": "1043"}, attempt=1)
        seal_now()
        cosign_now()
        key = str(witness.memory.keys.cosigner)
        result = checked(tmp_path / "x", witness=key)
        assert result.witness == witness.memory.keys.name
        assert any("same-machine" in said for said in result.attention)
        assert any("1 attempts were declared void" in said for said in result.attention)
        with pytest.raises(Wrong, match="not the one you know"):
            checked(tmp_path / "x", witness=key.replace("same-machine", "other-machine"))

    def test_every_changed_byte_of_a_cosigned_seal_is_caught(self, witness: RunningWitness, tmp_path: Path) -> None:
        from random import Random

        cosign_now()
        file = io.BytesIO()
        export(to=file, by=ANNA, venue="Test Casino")
        lines = file.getvalue().splitlines(keepends=True)
        at = next(n for n, line in enumerate(lines) if line.startswith(b'{"seal"'))
        assert witness.memory.keys.name.encode() in lines[at]
        chance = Random(3)
        for position in [0, len(lines[at]) - 2, *chance.sample(range(len(lines[at]) - 1), 60)]:
            changed = bytearray(lines[at])
            changed[position] ^= 1
            path = tmp_path / "x"
            path.write_bytes(b"".join([*lines[:at], bytes(changed), *lines[at + 1 :]]))
            with pytest.raises(Wrong) as wrong, path.open("rb") as opened:
                verify(opened)
            assert wrong.value.line == at + 1

    def test_a_cosignature_taken_from_another_seal_is_caught(self, witness: RunningWitness, tmp_path: Path) -> None:
        cosign_now()
        post(booking=booking(), by=ANNA, day=DAY)
        seal_now()
        cosign_now()
        file = io.BytesIO()
        export(to=file, by=ANNA, venue="Test Casino")
        lines = file.getvalue().splitlines(keepends=True)
        first, second = (n for n, line in enumerate(lines) if line.startswith(b'{"seal"'))
        one, two = (Note.parse(json.loads(lines[n])["seal"].encode()) for n in (first, second))
        mixed = Note(two.text, (two.signatures[0], one.signatures[1]))
        twice = Note(two.text, (*two.signatures, Signature("x", bytes(4), bytes(64))))
        for note in (mixed, twice):
            lines[second] = json.dumps({"seal": str(note)}, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            path = tmp_path / "x"
            path.write_bytes(b"".join(lines))
            with pytest.raises(Wrong, match="cosignature of seal 2"), path.open("rb") as opened:
                verify(opened)

    def test_what_was_answered_elsewhere_is_something_to_look_at(self, witness: RunningWitness, tmp_path: Path) -> None:
        seal_set("1")
        seal_set("2")
        ask(**GAME | {"occasion": "1"}, attempt=1)
        TestWhatTheHouseHasForgotten().forget("witness.asked", "witness.answered")
        ask(**GAME | {"occasion": "2"}, attempt=1)
        witness.away()
        seal_set("3")
        ask(**GAME | {"occasion": "3"}, attempt=1)
        seal_now()
        attention = checked(tmp_path / "x").attention
        assert any("1 answers that nobody in this log had asked for" in said for said in attention)
        assert any("1 questions have no answer" in said for said in attention)

    def test_an_answer_that_nothing_was_drawn_from_is_something_to_look_at(
        self, witness: RunningWitness, tmp_path: Path
    ) -> None:
        """Every link is signed and chained; but of this purpose no room draws, and of this game Keno never spoke."""
        for occasion in ("1", "2"):
            seal_set(occasion)
            assert ask(**GAME | {"occasion": occasion}, attempt=1) is not None
        seal_now()
        said = "Nothing here was drawn from 2 of the witness's answers; the first is to drill 1, attempt 1."
        assert said in checked(tmp_path / "x").attention
        declare_void(occasion="1")
        seal_now()
        said = "Nothing here was drawn from 1 of the witness's answers; the first is to drill 2, attempt 1."
        assert said in checked(tmp_path / "x").attention


def test_a_house_without_a_witness_asks_nobody(witness: RunningWitness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witnesses, "current", lambda: None)
    seal_set()
    with pytest.raises(Conflict) as refusal:
        asking.ask(**GAME, attempt=1)
    assert refusal.value.code == "no-witness"
    assert not cosign_now()


def test_links_read_back_are_the_links_that_were_given(witness: RunningWitness) -> None:
    seal_set()
    ask(**GAME, attempt=1)
    (stored,) = witness.memory.links(since=1, limit=9)
    assert link_of(Question.objects.get()) == stored == Link.from_json(stored.as_json())
