"""The witness as a program: its ceremony, its folder, one sentence for what is in the way, and a start from nothing."""

from __future__ import annotations

import re
import shutil
import signal
import stat
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from kernel.environment import ROOT
from tests.world.witness import DICE, NAME, ToyHouse, folder_with_keys
from witness import keys
from witness.program import main


def test_the_key_is_made_before_the_dice_are_thrown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = folder_with_keys(tmp_path / "known")
    folder = tmp_path / "new"
    folder.mkdir(mode=0o700)
    shutil.copy(known / "rsa.pem", folder)  # one that was made a moment ago
    for options, said in (
        ([], "needs a name"),
        (["--name", NAME], "Now throw a die fifty times"),
        (["--name", NAME, "--dice", "123"], "at least 50 throws"),
        (["--name", NAME, "--dice", "7" * 60], "at least 50 throws"),
        (["--name", "no spaces", "--dice", DICE], "name reads like"),
        (["--name", "same-machine.x", "--dice", DICE], "stands beside its house"),
    ):
        assert main(["--folder", str(folder), "--ceremony", *options]) == 1
        assert said in capsys.readouterr().err
    assert main(["--folder", str(folder), "--ceremony", "--name", NAME, "--dice", " ".join(DICE)]) == 0
    assert (folder / "rsa.pem").read_bytes() == (known / "rsa.pem").read_bytes()
    assert keys.Keys.load(folder).rsa_public == keys.Keys.load(known).rsa_public
    for path in (folder / name for name in ("rsa.pem", "ed25519.key", "about.json")):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_its_folder_is_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = folder_with_keys(tmp_path / "w")
    folder.chmod(0o755)
    assert main(["--folder", str(folder)]) == 1
    assert "chmod 700" in capsys.readouterr().err


@pytest.mark.parametrize("lost", ["rsa.pem", "ed25519.key"])
def test_a_lost_key_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str], lost: str) -> None:
    folder = folder_with_keys(tmp_path / "w")
    (folder / lost).unlink()
    assert main(["--folder", str(folder)]) == 1
    assert "lost a key" in capsys.readouterr().err
    (folder / lost).write_bytes(b"something else")
    assert main(["--folder", str(folder)]) == 1
    assert "cannot be read" in capsys.readouterr().err


def test_keys_of_two_witnesses_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, other = folder_with_keys(tmp_path / "w"), folder_with_keys(tmp_path / "o", same_machine=True)
    (folder / "ed25519.key").write_bytes((other / "ed25519.key").read_bytes())
    assert main(["--folder", str(folder)]) == 1
    assert "do not belong together" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line", ["x", "DEMO log x", "DEMO nothing {key}", "DEMO log {key} more", "DEMO log {cosigner}"]
)
def test_a_line_of_the_keepers_file_that_cannot_be_read_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    folder, logs, house = folder_with_keys(tmp_path / "w"), tmp_path / "logs", ToyHouse()
    logs.write_text("\n" + line.format(key=house.key, cosigner=keys.Keys.load(folder).cosigner) + "\n")
    assert main(["--folder", str(folder), "--logs", str(logs)]) == 1
    assert f"Line 2 of {logs}" in capsys.readouterr().err


def test_another_key_for_a_known_log_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A re-keyed house: the keeper's file cannot swap the key, only the log itself hands it over."""
    folder, logs = folder_with_keys(tmp_path / "w"), tmp_path / "logs"
    logs.write_text(ToyHouse().admission + ToyHouse(seed=9).admission)
    assert main(["--folder", str(folder), "--logs", str(logs)]) == 1
    assert "known with another key" in capsys.readouterr().err


def test_one_command_starts_it_and_a_signal_stops_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, house, logs = folder_with_keys(tmp_path / "w"), ToyHouse(), tmp_path / "logs"
    logs.write_text(house.admission)
    house.pad(3)
    command = [sys.executable, "-m", "witness", "--folder", str(folder), "--port", "0", "--logs", str(logs)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        address = re.search(r"http://\S+", running.stdout.readline())
        assert address is not None
        asked = urllib.request.Request(address[0] + "add-checkpoint", house.submission(0), method="POST")
        with urllib.request.urlopen(asked, timeout=30) as answer:
            assert answer.read().decode().startswith(f"— {NAME} ")
        running.send_signal(signal.SIGTERM)
        assert running.wait(30) == 0
    assert main(["--folder", str(folder), "--check"]) == 0
    assert "3 lines, 1 heads, 0 answers" in capsys.readouterr().out
    journal = folder / "journal"
    *before, last = journal.read_bytes().splitlines(keepends=True)
    other = ToyHouse(seed=9).admission.split()[-1].encode()
    journal.write_bytes(b"".join(before).replace(str(house.key).encode(), other) + last)
    assert main(["--folder", str(folder), "--check"]) == 1
    assert "does not follow" in capsys.readouterr().err


def test_it_needs_nothing_of_the_house() -> None:
    """Neither Django nor the database's driver: the inspector's machine has Python and ``cryptography``."""
    blocked = "django psycopg rest_framework celery redis structlog ledger house web config"
    code = f"import sys; sys.modules.update(dict.fromkeys({blocked.split()!r})); import witness.program"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
