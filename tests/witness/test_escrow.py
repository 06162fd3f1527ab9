"""The inspector's offline tool: his key pair, and a master opened from the act that promised it."""

from __future__ import annotations

import io
import json
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kernel.environment import ROOT
from witness.escrow import main

VECTOR: dict[str, Any] = json.loads((ROOT / "docs/proof/draws.json").read_text())["escrow"]


@pytest.fixture
def key(tmp_path: Path) -> str:
    path = tmp_path / "inspector"
    path.write_text(f"{VECTOR['private']}\n")
    return str(path)


def test_a_pair_is_made_once_and_read_by_nobody_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "inspector"
    assert main(["new", str(path)]) == 0
    public = capsys.readouterr().out.strip()
    assert len(bytes.fromhex(public)) == 32
    assert public not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_text()
    assert main(["new", str(path)]) == 1
    assert "never written over" in capsys.readouterr().err
    assert path.read_text() == before


def test_the_published_escrow_opens(key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    act = tmp_path / "act.json"
    for given in (VECTOR["act"], {"type": "act", "kind": "draw.promised", "data": VECTOR["act"]}):
        act.write_text(json.dumps(given))
        assert main(["open", key, str(act)]) == 0
        assert capsys.readouterr().out == f"{VECTOR['master']}\n"


def test_it_is_a_program_that_reads_standard_input(key: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "witness.escrow", "open", key],
        input=json.dumps(VECTOR["act"]), capture_output=True, text=True, cwd=ROOT, timeout=60, check=True,
    )  # fmt: skip
    assert ran.stdout == f"{VECTOR['master']}\n"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "1043"}, "does not open"),
        ({"device": "balls"}, "does not open"),
        ({"witness_key": "00" * 32}, "does not open"),
        ({"escrow": VECTOR["act"]["escrow"][:-2] + "00"}, "does not open"),
        ({"escrow": ""}, "does not open"),
        ({"commitment": "00" * 32}, "the house lied"),
        ({"escrow": 7}, "not the act"),
        ({"venue": None}, "not the act"),
    ],
)
def test_an_act_that_was_altered_gives_no_master(
    key: str, change: dict[str, Any], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(VECTOR["act"] | change)))
    assert main(["open", key]) == 1
    shown = capsys.readouterr()
    assert said in shown.err
    assert VECTOR["master"] not in shown.out + shown.err


def test_what_is_no_key_and_no_act_is_said_in_a_sentence(
    tmp_path: Path, key: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").write_text("not a key")
    for arguments, given, said in (
        ([str(tmp_path / "missing")], "{}", "No such file"),
        ([str(tmp_path / "other")], "{}", "holds no inspector's key"),
        ([key], "not JSON", "not the act"),
        ([key], "[]", "not the act"),
    ):
        monkeypatch.setattr(sys, "stdin", io.StringIO(given))
        assert main(["open", *arguments]) == 1
        assert said in capsys.readouterr().err
