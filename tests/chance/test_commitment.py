"""Commitments, seeds at rest, and the casino that restarted its Keno with the same seed each night."""

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
from chance import seeds
from chance.commitment import Occasion, commitment, new_seed, nonce, personalisation, verify_commitment
from chance.select import numbers
from kernel.packing import pack

SEED = bytes(range(32))
OCCASION = Occasion(purpose="keno", game="1042", attempt=1)
OTHERS = [
    Occasion(purpose="keno", game="1042", attempt=2),
    Occasion(purpose="keno", game="104", attempt=1),
    Occasion(purpose="kenox", game="1042", attempt=1),
]
ROOM = Path(chance.__file__).parent


def field(raw: bytes) -> bytes:
    return len(raw).to_bytes(4, "big") + raw


def test_the_commitment_is_the_documented_hash() -> None:
    one = (1).to_bytes(8, "big")
    written = b"".join(field(raw) for raw in (b"meterhouse/commitment/1", b"keno", b"1042", one, SEED))
    assert commitment(SEED, OCCASION) == sha256(written).digest()
    assert commitment(SEED, OCCASION) != sha256(SEED).digest()
    written = b"".join(field(raw) for raw in (b"meterhouse/nonce/1", b"keno", b"1042", one))
    assert nonce(OCCASION) == sha256(written).digest()[:16]
    root, count = bytes(32), (5).to_bytes(8, "big")
    written = b"".join(field(raw) for raw in (b"meterhouse/draw/1", b"keno", b"1042", one, root, count))
    assert personalisation(OCCASION, ticket_root=root, ticket_count=5) == written


def test_a_commitment_answers_one_seed_of_one_attempt() -> None:
    published = commitment(SEED, OCCASION)
    assert verify_commitment(published, SEED, OCCASION)
    assert not verify_commitment(published, bytes(32), OCCASION)
    assert not verify_commitment(published, SEED[:31], OCCASION)
    assert not verify_commitment(published[:31], SEED, OCCASION)
    for other in OTHERS:
        assert not verify_commitment(published, SEED, other)


def test_commitment_and_outcome_never_share_a_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    """While numbers are drawn, plain SHA-256 never sees the seed; HMAC does, under a key."""
    hashed: list[bytes] = []

    def watched(data: bytes) -> Any:
        hashed.append(data)
        return sha256(data)

    monkeypatch.setattr("chance.commitment.sha256", watched)
    numbers(seed=SEED, occasion=OCCASION, ticket_root=bytes(32), ticket_count=0, pool=80, count=20)
    assert hashed
    assert not any(SEED in data for data in hashed)
    assert all(data.startswith(field(b"meterhouse/nonce/1")) for data in hashed)


@given(st.lists(st.text("ab", max_size=3), max_size=3), st.lists(st.text("ab", max_size=3), max_size=3))
def test_two_lists_of_fields_never_encode_alike(one: list[str], other: list[str]) -> None:
    assert (pack("tag", *one) == pack("tag", *other)) == (one == other)


@pytest.mark.parametrize(
    ("purpose", "game", "attempt"),
    [("", "1", 1), ("keno", "", 1), ("keno", "ä", 1), ("keno", "1\n", 1), ("keno", "x" * 201, 1)]
    + [("keno", "1", attempt) for attempt in (0, -1, True, 1.0, 2**63)],
)
def test_an_occasion_is_named_plainly(purpose: str, game: str, attempt: int) -> None:
    with pytest.raises(ValueError, match=r"printable ASCII|counted 1, 2, 3"):
        Occasion(purpose=purpose, game=game, attempt=attempt)


def test_bad_parts_are_refused() -> None:
    with pytest.raises(ValueError, match="seed is 32 bytes"):
        commitment(b"short", OCCASION)
    with pytest.raises(ValueError, match="ticket root is 32 bytes"):
        personalisation(OCCASION, ticket_root=b"", ticket_count=0)
    with pytest.raises(ValueError, match="below zero"):
        personalisation(OCCASION, ticket_root=bytes(32), ticket_count=-1)


# --- never the same seed twice ---------------------------------------------------------------------------------------
NIGHT = """
from chance.commitment import Occasion, commitment, new_seed
from chance.select import numbers
from kernel.packing import pack
for game in ("1", "2", "3"):
    occasion, seed = Occasion(purpose="keno", game=game, attempt=1), new_seed()
    print(commitment(seed, occasion).hex(),
          numbers(seed=seed, occasion=occasion, ticket_root=bytes(32), ticket_count=0, pool=80, count=20))
"""


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
    assert len({line for night in nights for line in night}) == 9
    assert len({line.split(" ", 1)[1] for night in nights for line in night}) == 9


def test_a_forked_worker_does_not_repeat_its_parent() -> None:
    new_seed()  # whatever state there might be exists before the fork
    seen = set()
    for _ in range(3):
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.write(writing, new_seed() + new_seed())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            both = pipe.read()
        os.waitpid(child, 0)
        seen |= {both[:32], both[32:], new_seed()}
    assert len(seen) == 9


ROOMS = {"config", "kernel", "house", "ledger", "web", "jackpot", "keno", "promotions", "signage"}


def test_nothing_in_this_room_knows_another_source_of_chance() -> None:
    """No `random`, no clock, no Django: seeds come from the operating system and everything else from seeds."""
    allowed_rooms = {"chance", "kernel"}
    for file in ROOM.glob("*.py"):
        for part in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in part.names] if isinstance(part, ast.Import) else []
            if isinstance(part, ast.ImportFrom):
                names = [part.module or ""]
            for name in names:
                assert name.split(".")[0] not in {"random", "time", "datetime", "uuid", "django", "numpy"}, file
                if name.split(".")[0] in {
                    "config",
                    "kernel",
                    "house",
                    "ledger",
                    "web",
                    "jackpot",
                    "keno",
                    "promotions",
                    "signage",
                }:
                    assert name.split(".")[0] == "kernel", file
                assert name.split(".")[0] in sys.stdlib_module_names | allowed_rooms | {"cryptography"}, file


# --- seeds at rest ---------------------------------------------------------------------------------------------------
KEY = bytes(range(100, 132))


def test_an_encrypted_seed_opens_for_its_own_attempt_only() -> None:
    encrypted = seeds.encrypt(key=KEY, seed=SEED, occasion=OCCASION)
    assert len(encrypted) == 60
    assert SEED not in encrypted
    assert seeds.decrypt(key=KEY, encrypted=encrypted, occasion=OCCASION) == SEED
    assert seeds.decrypt(key=KEY, encrypted=memoryview(encrypted), occasion=OCCASION) == SEED  # type: ignore[arg-type]
    for other in OTHERS:
        with pytest.raises(seeds.SeedUnreadable, match="does not open"):
            seeds.decrypt(key=KEY, encrypted=encrypted, occasion=other)
    with pytest.raises(seeds.SeedUnreadable, match="keno 1042, attempt 1, does not open"):
        seeds.decrypt(key=bytes(32), encrypted=encrypted, occasion=OCCASION)


def test_sealing_twice_looks_different() -> None:
    assert len({seeds.encrypt(key=KEY, seed=SEED, occasion=OCCASION) for _ in range(10)}) == 10


def test_one_changed_bit_anywhere_is_noticed() -> None:
    encrypted = seeds.encrypt(key=KEY, seed=SEED, occasion=OCCASION)
    for place in range(len(encrypted)):
        altered = bytearray(encrypted)
        altered[place] ^= 1
        with pytest.raises(seeds.SeedUnreadable):
            seeds.decrypt(key=KEY, encrypted=bytes(altered), occasion=OCCASION)
    for wrong in (encrypted[:-1], encrypted + b"\0", b""):
        with pytest.raises(seeds.SeedUnreadable, match="60 bytes"):
            seeds.decrypt(key=KEY, encrypted=wrong, occasion=OCCASION)


def test_keys_and_seeds_have_their_size() -> None:
    with pytest.raises(ValueError, match="seed key is 32 bytes, not 16"):
        seeds.encrypt(key=bytes(16), seed=SEED, occasion=OCCASION)
    with pytest.raises(ValueError, match="seed is 32 bytes, not 31"):
        seeds.encrypt(key=KEY, seed=SEED[:31], occasion=OCCASION)
