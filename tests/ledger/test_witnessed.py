"""The house and its witness: heads cosigned, what a house has forgotten, answers exported and checked."""

from __future__ import annotations

import io
import json
import shutil
import time
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from kernel.notes import Note, Signature
from kernel.questions import Link
from kernel.refusal import Conflict
from ledger import ask as asking
from ledger import transport, witnesses
from ledger.answers import last_link
from ledger.ask import ask
from ledger.asked import link_of
from ledger.checkpoints import Notes, latest, verifier_keys
from ledger.cosign import cosign_due, cosign_now, is_cosigned
from ledger.export import export
from ledger.models import Act, Cosignature, Question, Seal
from ledger.post import post, post_many
from ledger.seal import last_seal, rotate_key, seal_now
from ledger.tick import tick
from tests.ledger.witnessed import GAME, checked, declare_void, seal_beyond, seal_set, trouble
from tests.world.books import ANNA, DAY, booking, open_books
from tests.world.owner import unguarded
from tests.world.witness import RunningWitness
from verify.result import Wrong
from verify.verifier import verify

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _books(witness: RunningWitness) -> None:
    open_books()
    seal_now()


def another_session() -> psycopg.Connection:
    return psycopg.connect(**connection.get_connection_params() | {"cursor_factory": psycopg.Cursor})


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
        since = witnesses.state().since
        assert not cosign_now()
        assert witnesses.state().since == since
        witness.back()
        assert cosign_now()
        assert trouble() == ""

    def test_while_it_is_away_the_tick_turns_to_it_seldom(self, witness: RunningWitness) -> None:
        witness.away()
        assert witnesses.claim_turn()
        assert not witnesses.claim_turn()
        cosign_now()
        assert not witnesses.claim_turn()

    def test_nobody_waits_for_the_row_that_says_how_it_goes(self, witness: RunningWitness) -> None:
        """Whoever finds it being written leaves it alone: no tick fails, and what the witness gave is kept."""
        assert witnesses.claim_turn()
        seal_set()
        seal_now()
        with another_session() as other:
            other.execute("UPDATE ledger_witnessstate SET heard_at = now() - interval '1 hour'")
            began = time.monotonic()
            tick(timezone.now() + timedelta(minutes=1))
            assert cosign_now()
            assert time.monotonic() - began < 3.0  # lock_timeout
        assert Cosignature.objects.filter(seal=last_seal()).exists()

    def test_the_row_is_free_while_the_witness_is_asked(
        self, witness: RunningWitness, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seal_set()
        seal_now()
        found: list[tuple[str, bool]] = []

        def asked(path: str, body: bytes | None = None) -> bytes:
            with another_session() as other:
                row = other.execute("SELECT id FROM ledger_witnessstate FOR UPDATE NOWAIT").fetchone()
            found.append((path, row is not None and not connection.in_atomic_block))
            return transport.call(path, body)

        monkeypatch.setattr("ledger.cosign.call", asked)
        tick(timezone.now())
        assert found == [("/add-checkpoint", True)]

    def test_somebody_else_at_its_address_changes_nothing(self, witness: RunningWitness, tmp_path: Path) -> None:
        """``WITNESS_URL`` changes nothing by itself: the log names whose signatures count."""
        from tests.world.witness import folder_with_keys

        witness.memory.close()
        witness.begin(folder_with_keys(tmp_path / "other"))
        witness.watch()
        assert not cosign_now()
        assert trouble() == "away"
        assert "is not the witness" in witnesses.state().detail
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
        assert str(last.size) in witnesses.state().detail

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
