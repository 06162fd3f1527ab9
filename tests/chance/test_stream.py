"""The raw byte stream for `dieharder`."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

import chance
from chance import stream
from chance.drbg import HmacDrbg

ROOT = Path(chance.__file__).parents[1]
SEED = bytes(range(32))


def run(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "chance.stream", *arguments], cwd=ROOT, capture_output=True, check=False
    )


def test_a_seed_gives_the_generators_bytes() -> None:
    drbg = HmacDrbg(entropy=SEED, nonce=bytes(16), personalisation=b"meterhouse/stream/1")
    expected = drbg.generate(65536) + drbg.generate(100)
    answer = run("--seed", SEED.hex(), "--bytes", "65636")
    assert (answer.returncode, answer.stderr) == (0, b"")
    assert answer.stdout == expected


def test_without_a_seed_no_two_streams_are_alike() -> None:
    assert len({run("--bytes", "32").stdout for _ in range(2)}) == 2


def test_a_reader_that_has_enough_ends_it_quietly() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "chance.stream"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert len(process.stdout.read(100)) == 100
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_fresh_entropy_comes_in_on_time(monkeypatch: pytest.MonkeyPatch) -> None:
    given = iter([b"e" * 32, b"n" * 16, b"r" * 32, b"s" * 32])
    monkeypatch.setattr("chance.stream.secrets.token_bytes", lambda count: next(given))
    monkeypatch.setattr(stream, "REQUESTS_PER_SEED", 2)
    monkeypatch.setattr(stream, "MAX_REQUEST", 10)
    out = io.BytesIO()
    stream.write_stream(out, seed=None, count=45)
    drbg = HmacDrbg(entropy=b"e" * 32, nonce=b"n" * 16, personalisation=b"meterhouse/stream/1")
    expected = drbg.generate(10) + drbg.generate(10)
    drbg.reseed(entropy=b"r" * 32)
    expected += drbg.generate(10) + drbg.generate(10)
    drbg.reseed(entropy=b"s" * 32)
    assert out.getvalue() == expected + drbg.generate(5)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seed", "xyz"], "written in hexadecimal"),
        (["--seed", "00"], "a seed is 32 bytes"),
        (["--bytes", "-1"], "whole number"),
    ],
)
def test_bad_options_are_refused_in_words(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        stream.main(arguments)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert said in shown.err
