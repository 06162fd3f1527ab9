"""New masters, and the casino that restarted its Keno with the same seed each night."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chance
from chance.two_party import How, Said, new_master, numbers
from kernel.packing import pack
from kernel.questions import Question

ROOM = Path(chance.__file__).parent
MASTER = bytes(range(32))
QUESTION = Question(
    venue="DEMO", purpose="keno", occasion="1042", attempt=1, root=bytes(32), count=5, act_index=3,
    origin="meterhouse.log/x", size=9, checkpoint_root=bytes(32),
)  # fmt: skip


def test_commitment_and_outcome_never_share_a_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    """While numbers are drawn, plain SHA-256 never sees the master; HMAC does, under a key."""
    hashed: list[bytes] = []

    def watched(data: bytes) -> Any:
        hashed.append(data)
        return sha256(data)

    monkeypatch.setattr("chance.two_party.sha256", watched)
    numbers(MASTER, Said(question=QUESTION, how=How.WITNESS, said=bytes(384)), pool=80, count=20)
    assert hashed
    assert not any(MASTER in data for data in hashed)
    assert all(data.startswith(pack("meterhouse/nonce/2")) for data in hashed)


@given(st.lists(st.text("ab", max_size=3), max_size=3), st.lists(st.text("ab", max_size=3), max_size=3))
def test_two_lists_of_fields_never_encode_alike(one: list[str], other: list[str]) -> None:
    assert (pack("tag", *one) == pack("tag", *other)) == (one == other)


NIGHT = "from chance.two_party import new_master\nfor game in range(3): print(new_master().hex())"


def test_a_restarted_keno_does_not_play_last_nights_games_again() -> None:
    """A casino once started its generator from the same state each night, and a player noticed."""
    nights = [
        subprocess.run(
            [sys.executable, "-c", NIGHT],
            cwd=ROOM.parent,
            env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0"},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.splitlines()
        for _ in range(3)
    ]
    assert [len(night) for night in nights] == [3, 3, 3]
    assert len({master for night in nights for master in night}) == 9


def test_a_forked_worker_does_not_repeat_its_parent() -> None:
    new_master()  # whatever state there might be exists before the fork
    seen = set()
    for _ in range(3):
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.write(writing, new_master() + new_master())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            both = pipe.read()
        os.waitpid(child, 0)
        seen |= {both[:32], both[32:], new_master()}
    assert len(seen) == 9


def test_nothing_in_this_room_knows_another_source_of_chance() -> None:
    """No `random`, no clock, no Django: masters come from the operating system and everything else from masters."""
    allowed = (sys.stdlib_module_names - {"random", "time", "datetime", "uuid"}) | {"chance", "kernel", "cryptography"}
    for file in ROOM.glob("*.py"):
        for part in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in part.names] if isinstance(part, ast.Import) else []
            if isinstance(part, ast.ImportFrom):
                names = [part.module or ""]
            for name in names:
                assert name.split(".")[0] in allowed | {"drand_verify"}, (file, name)
