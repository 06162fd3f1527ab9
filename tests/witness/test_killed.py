"""Kill -9 at every step, and a journal cut off at every byte: one answer an attempt, whatever happens."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kernel.environment import ROOT
from kernel.questions import Link
from tests.world.witness import ToyHouse, remembering
from witness.admit import admit
from witness.answer import answer
from witness.cosign import add_checkpoint
from witness.memory import Memory
from witness.trouble import MemoryLost, Trouble

Die = Callable[[Path, Path, bytes, int], int]


@pytest.fixture(scope="module")
def die(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Die]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.witness.dying"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    to, back = process.stdin, process.stdout
    body = tmp_path_factory.mktemp("dying") / "body"

    def job(folder: Path, logs: Path, raw: bytes, step: int) -> int:
        body.write_bytes(raw)
        to.write(f"{folder} {logs} {body} {step}\n")
        to.flush()
        return int(back.readline())

    yield job
    to.close()
    process.wait(30)


def ask(memory: Memory, request: dict[str, Any]) -> Link:
    return Link.from_json(answer(memory, request)["link"])


def every_step(die: Die, folder: Path, logs: Path, raw: bytes) -> Iterator[Path]:
    """A folder of a witness that was killed at each step of this request, from its start to its reply."""
    for step in range(1, 200):
        killed = folder.with_name(f"killed-{step}")
        shutil.copytree(folder, killed)
        ended = die(killed, logs, raw, step)
        if ended == 0:
            assert step > 8
            return
        assert ended == signal.SIGKILL
        yield killed
        shutil.rmtree(killed)
    raise AssertionError("it never came to its end")


def test_one_answer_wherever_it_dies(die: Die, folder: Path, logs: Path, house: ToyHouse) -> None:
    house.pad(3)
    act, later = house.seal("1"), house.seal("2")
    request = house.request(house.question(act), old=0)
    answers = set()
    stored = None
    for killed in every_step(die, folder, logs, json.dumps(request).encode()):
        with remembering(killed) as memory:
            admit(memory, logs)
            stored = memory.link(house.question(act).key)
            link = ask(memory, request)
            assert stored in (None, link)
            assert ask(memory, request) == link
            assert (link.number, memory.state.number) == (1, 1)
            answers.add(link.answer)
            after = ask(memory, house.request(house.question(later), old=len(house.rows)))
            assert after.previous == link.digest()
            assert not memory.state.stopped
    assert len(answers) == 1
    assert stored is not None  # killed at its last step, before the reply leaves, it knows the answer


def test_one_history_wherever_it_dies_cosigning(die: Die, folder: Path, logs: Path, house: ToyHouse) -> None:
    house.pad(5)
    with remembering(folder) as memory:
        admit(memory, logs)
        add_checkpoint(memory, house.submission(0))
    house.pad(3)
    for killed in every_step(die, folder, logs, house.submission(5)):
        with remembering(killed) as memory:
            log = memory.state.logs[house.origin]
            assert log.size in (5, 8)
            add_checkpoint(memory, house.submission(log.size))
            assert log.size == 8


def test_a_second_attempt_is_one_too(die: Die, folder: Path, logs: Path, house: ToyHouse) -> None:
    act = house.seal("1")
    with remembering(folder) as memory:
        admit(memory, logs)
        ask(memory, house.request(house.question(act), old=0))
    void = house.void("1", 1)
    request = house.request(house.question(act, attempt=2), old=1, void=void)
    for killed in every_step(die, folder, logs, json.dumps(request).encode()):
        with remembering(killed) as memory:
            old = memory.state.logs[house.origin].size
            link = ask(memory, house.request(house.question(act, attempt=2), old=old, void=void))
            assert (link.number, memory.state.number) == (2, 2)


def filled(folder: Path, logs: Path, house: ToyHouse) -> list[Link]:
    links = []
    with remembering(folder) as memory:
        admit(memory, logs)
        for game in range(3):
            act = house.seal(str(game))
            links.append(ask(memory, house.request(house.question(act), old=len(house.rows) - 1)))
    return links


def test_a_last_line_cut_off_anywhere_is_taken_away(
    folder: Path, logs: Path, house: ToyHouse, exhaustive: bool, tmp_path: Path
) -> None:
    links = filled(folder, logs, house)
    whole = (folder / "journal").read_bytes()
    (folder / "index.sqlite").unlink()
    last = whole.rstrip(b"\n").rindex(b"\n") + 1
    for end in range(last, len(whole), 7 if exhaustive else 197):
        cut = tmp_path / "cut"
        shutil.copytree(folder, cut)
        (cut / "journal").write_bytes(whole[:end])
        with remembering(cut) as memory:
            assert memory.state.number == 2
            assert memory.links(since=1, limit=9) == links[:2]
            assert len(memory.alarms(limit=9)) == (1 if end > last else 0)
        shutil.rmtree(cut)


@pytest.mark.parametrize("kept", [True, False])
def test_a_line_changed_or_missing_is_memory_lost(
    folder: Path, logs: Path, house: ToyHouse, kept: bool, tmp_path: Path
) -> None:
    """With the index beside it, and made anew from the journal alone."""
    filled(folder, logs, house)
    lines = (folder / "journal").read_bytes().splitlines(keepends=True)
    if not kept:
        (folder / "index.sqlite").unlink()
    for n in range(len(lines) - 1):
        for changed in (
            lines[:n] + lines[n + 1 :],
            [*lines[:n], lines[n].replace(b'"at":1', b'"at":2'), *lines[n + 1 :]],
            [*lines[: n + 1], *lines[n:]],
        ):
            bad = tmp_path / "bad"
            shutil.copytree(folder, bad)
            (bad / "journal").write_bytes(b"".join(changed))
            if kept and len(b"".join(changed)) >= len(b"".join(lines)) and changed[-1] == lines[-1]:
                shutil.rmtree(bad)  # only a check of the whole journal sees a change under what is indexed
                continue
            with pytest.raises(MemoryLost), remembering(bad):
                pass
            shutil.rmtree(bad)


def test_a_journal_of_yesterday_with_todays_index_is_memory_lost(folder: Path, logs: Path, house: ToyHouse) -> None:
    filled(folder, logs, house)
    path = folder / "journal"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    with pytest.raises(MemoryLost), remembering(folder):
        pass


def test_an_index_that_is_lost_spoilt_or_old_is_made_anew(
    folder: Path, logs: Path, house: ToyHouse, tmp_path: Path
) -> None:
    old = tmp_path / "old"
    with remembering(folder) as memory:
        admit(memory, logs)
    shutil.copytree(folder, old)
    links = filled(folder, logs, house)
    index = folder / "index.sqlite"
    for content in (None, b"no database" * 100, (old / "index.sqlite").read_bytes()):
        index.unlink()
        if content is not None:
            index.write_bytes(content)
        with remembering(folder) as memory:
            assert memory.links(since=1, limit=9) == links
            assert memory.state.logs[house.origin].size == len(house.rows)


def test_one_process_a_folder(memory: Memory, folder: Path) -> None:
    with pytest.raises(Trouble, match="Another witness is running"), remembering(folder):
        pass


def test_another_witness_s_journal_is_not_ours(memory: Memory, folder: Path, tmp_path: Path) -> None:
    from tests.world.witness import folder_with_keys

    other = folder_with_keys(tmp_path / "other", same_machine=True)
    shutil.copy(folder / "journal", other / "journal")
    with pytest.raises(MemoryLost), remembering(other):
        pass
