"""The program as a stranger has it: one file, the standard library, an empty folder."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
import zipfile
from array import array
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from kernel import verifier_bundle
from kernel.canonical import canonical
from kernel.notes import Note
from tests.world.falsified import Exported
from verify import again, processes
from verify.once import Once
from verify.program import main
from verify.result import Wrong
from verify.signatures import Proven
from verify.verifier import Verifier, verify

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def alone(tmp_path: Path, small_house: Exported) -> Run:
    """``python3 -I meterhouse-verify.pyz export …`` in a folder with nothing else in it."""
    verifier_bundle.write(tmp_path)
    (tmp_path / "export").write_bytes(small_house.raw)
    (tmp_path / "head").write_text(small_house.witness_head)

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", "-S", verifier_bundle.NAME, "export", *options]
        return subprocess.run(command, cwd=tmp_path, env={}, capture_output=True, text=True, check=False)

    return run


def test_one_file_in_an_empty_folder_without_any_package(alone: Run, tmp_path: Path, small_house: Exported) -> None:
    done = alone("--head", "head", "--report", "page.html")
    assert done.returncode == 3, done.stderr  # a witness on the same machine is for a person to look at
    assert "export: right. Small house" in done.stdout
    assert "stands on the house's own machine" in done.stdout
    assert "Nothing here was drawn" not in done.stdout  # every answer of the witness was used
    page = (tmp_path / "page.html").read_text()
    assert "Right, and a person should look at it." in page
    assert "<svg" in page
    assert "keno.sale" in page
    assert "http" not in page.replace("http-equiv", "")  # nothing is fetched from anywhere
    (tmp_path / "export").write_bytes(small_house.raw.replace(b'"micros":1000000,', b'"micros":1000001,', 1))
    done = alone("--report", "page.html", "--json")
    assert done.returncode == 1
    said = json.loads(done.stdout.splitlines()[-1])["wrong"]
    assert said.startswith("line ")
    assert "<strong>Wrong.</strong> Line" in (tmp_path / "page.html").read_text()


@pytest.mark.long
def test_an_older_export_is_extended_and_another_one_is_not(alone: Run, tmp_path: Path, small_house: Exported) -> None:
    lines = list(small_house.lines)
    seals = [at for at, line in enumerate(lines) if line.startswith(b'{"seal"')]
    (tmp_path / "old").write_bytes(b"".join(lines[: seals[len(seals) // 2] + 1]))
    done = alone("--since", "old")
    assert done.returncode == 3
    assert "It extends what you had by" in done.stdout
    other = lines[seals[0]].replace(b"\\n", b"\\n1", 1)  # of a size that no head here has
    (tmp_path / "old").write_bytes(b"".join([*lines[: seals[0]], other]))
    done = alone("--since", "old")
    assert (done.returncode, "it was rolled back" in done.stderr) == (1, True)
    (tmp_path / "old").write_bytes(b"nothing\n")
    assert alone("--since", "old").returncode == 2
    assert alone("--since", "missing").returncode == 2


def test_the_same_source_gives_the_same_bytes_and_nothing_of_django(tmp_path: Path) -> None:
    path = verifier_bundle.write(tmp_path)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == verifier_bundle.digest()
    verifier_bundle.bundle.cache_clear()
    assert verifier_bundle.bundle() == path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        assert names == sorted(names)
        assert {"__main__.py", "verify/program.py", "keno/verify.py", "kernel/ed25519.py"} <= set(names)
        assert not [name for name in names if "models" in name or b"import django" in archive.read(name)]


@pytest.mark.parametrize(
    "asked", [("--ticket", "Z00000000000"), ("--game", "999"), ("--link", "ZZZ"), ("--promotion", "ZZZ")]
)
def test_what_is_not_there_is_said(
    small_house: Exported, tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: tuple[str, str]
) -> None:
    path = tmp_path / "export"
    path.write_bytes(small_house.raw)
    assert main([str(path), *asked]) == 1
    assert f"There is no {asked[0][2:]} {asked[1]} in this export." in capsys.readouterr().err


def test_a_link_and_a_promotion_are_told_when_asked_for(
    small_house: Exported, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "export"
    path.write_bytes(small_house.raw)
    assert main([str(path), "--link", "CSP", "--promotion", "CARS"]) == 3
    said = capsys.readouterr().out
    assert "CSP: Caribbean Stud progressive jackpot, version 4 of its terms, wager $2.50. It holds: prize" in said
    assert "Hit 6 at CSP-01, box 1: royal-flush, $50,000.00, measured on $46,600.20; $46,600.20 from the pool" in said
    assert "CARS, “Spring draw”, by the 2019 rules." in said
    assert "were drawn of 6, computed again from promise, list and answer." in said
    assert "Prize 1, A car: entry " in said
    assert "staff:auditor signed the result, 1 signature in all." in said


def test_what_stands_there_twice_is_found_among_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.once._TOGETHER", 1000)
    chance = random.Random(7)
    many = [chance.randrange(-(2**63), 2**63) for _ in range(20_000)]
    once = Once()
    for at in range(0, 20_000, 500):
        once.add_run(array("q", sorted(many[at : at + 500])).tobytes())
    assert once.twice() == set()
    for each in (many[3], many[19_999], many[3]):
        once.add(each)
    assert once.twice() == {many[3], many[19_999]}


def test_lines_are_the_same_wherever_a_chunk_ends(small_house: Exported, tmp_path: Path) -> None:
    path = tmp_path / "export"
    path.write_bytes(small_house.raw)
    with path.open("rb") as file:
        for size in (997, 4096, 50_000):
            found: list[bytes] = []
            for begin in range(0, len(small_house.raw), size):
                found += processes.lines_between(file, begin, begin + size)
            assert tuple(found) == small_house.lines
        number = json.loads(small_house.lines[7])["row"]["id"]
        assert again.line_of_id(file, number) == 8


def test_several_processes_say_what_one_says(
    small_house: Exported, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "export"
    path.write_bytes(small_house.raw)
    assert main([str(path)]) == 3
    by_one = capsys.readouterr().out
    monkeypatch.setattr(processes, "SEVERAL_PROCESSES_FROM_BYTES", 1)
    monkeypatch.setattr(processes, "CHUNK_BYTES", 20_000)
    monkeypatch.setattr("verify.verifier.CHUNK_BYTES", 20_000)
    assert main([str(path)]) == 3
    assert capsys.readouterr().out == by_one


def test_other_processes_check_the_seals_and_the_verifier_takes_no_other_word(
    small_house: Exported, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but a few; and a signature that is wrong is as wrong as ever."""
    path = tmp_path / "export"
    path.write_bytes(small_house.raw)
    monkeypatch.setattr(processes, "SEVERAL_PROCESSES_FROM_BYTES", 1)
    monkeypatch.setattr(processes, "CHUNK_BYTES", 20_000)
    monkeypatch.setattr("verify.verifier.CHUNK_BYTES", 20_000)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    checked_here = 0

    class Counted(Proven):
        def __call__(self, public: bytes, message: bytes, signature: bytes) -> bool:
            nonlocal checked_here
            checked_here += (public, message, signature) not in self.known
            return super().__call__(public, message, signature)

    verifier = Verifier(signed=Counted())
    with path.open("rb") as file:
        verifier.read(file, len(small_house.raw), lambda done: None)
    assert checked_here < verifier.result.seals // 2  # and those after a hand-over that were under way
    last = max(at for at, line in enumerate(small_house.lines) if line.startswith(b'{"seal"'))
    note = Note.parse(json.loads(small_house.lines[last])["seal"].encode())
    own = note.signatures[0]
    garbled = replace(own, signature=own.signature[:-1] + bytes([own.signature[-1] ^ 1]))
    changed = canonical({"seal": str(Note(note.text, (garbled, *note.signatures[1:])))}) + b"\n"
    path.write_bytes(b"".join([*small_house.lines[:last], changed, *small_house.lines[last + 1 :]]))
    with pytest.raises(Wrong, match=f"the signature of seal {verifier.result.seals} is wrong"), path.open("rb") as file:
        verify(file)
