"""Exports of a period: what was sealed since the last one, put behind it and checked as the whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from ledger.cosign import cosign_now
from ledger.post import post
from ledger.seal import seal_now
from tests.world.books import ANNA, DAY, booking, open_books
from tests.world.rewound import sold_and_cosigned
from tests.world.witness import RunningWitness
from verify.program import LOOK, UNREADABLE, WRONG, main

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _books(witness: RunningWitness) -> None:
    open_books()
    seal_now()
    assert cosign_now()


def exported(to: Path, *since: Path) -> Path:
    call_command("audit", "export", str(to), *(f"--since={each}" for each in since), verbosity=0)
    return to


def months(folder: Path) -> list[Path]:
    """Three of them, each after the one before. Each ends with a seal that the witness sees later, or never."""
    found: list[Path] = []
    for name in ("may", "june", "july"):
        sold_and_cosigned()
        post(booking=booking(), by=ANNA, day=DAY)
        found.append(exported(folder / name, *found[-1:]))
    return found


def test_a_month_is_checked_behind_the_months_before_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    may, june, july = months(tmp_path)
    whole = exported(tmp_path / "whole")
    assert june.read_bytes().count(b'"row":') < whole.read_bytes().count(b'"row":') / 2
    assert main([str(may)]) == LOOK
    assert main([str(june), "--since", str(may)]) == LOOK
    capfd.readouterr()
    assert main([str(july), "--since", str(june), "--since", str(may)]) == LOOK
    behind = capfd.readouterr().out
    assert main([str(whole), "--since", str(june)]) == LOOK
    assert behind.partition(":")[2].split(" rows")[0] in capfd.readouterr().out  # as much is in both
    assert "It extends what you had by" in behind


def test_a_month_without_the_ones_before_it_says_what_is_missing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    may, june, july = months(tmp_path)
    for given, said in (
        ([july], "name the one before it"),
        ([july, june], "one of a period too"),
        ([july, may], "continues another export"),
    ):
        file, *since = map(str, given)
        assert main([file, *(each for old in since for each in ("--since", old))]) == UNREADABLE
        assert said in capfd.readouterr().err


@pytest.mark.parametrize("month", [0, 1])
def test_a_row_changed_in_either_of_them_is_found(tmp_path: Path, month: int) -> None:
    pair = months(tmp_path)[:2]
    said = pair[month].read_bytes()
    changed = said.replace(b'"micros":', b'"micros":1', 1) if b'"micros":' in said else said
    assert changed != said
    pair[month].write_bytes(changed)
    assert main([str(pair[1]), "--since", str(pair[0])]) == WRONG


def test_nothing_follows_an_export_that_is_altered_or_of_another_log(tmp_path: Path) -> None:
    sold_and_cosigned()
    may = exported(tmp_path / "may")
    lines = may.read_bytes().splitlines(keepends=True)
    seals = [line for line in lines if line.startswith(b'{"seal":')]
    for wrong, said in (
        ([*lines[:1], seals[0], *lines[1:]], "no export of this log"),
        ([line for line in lines if not line.startswith(b'{"seal":')], "no seal in it"),
        ([line.replace(b"/", b"+") if line in seals else line for line in lines], "no export"),
    ):
        may.write_bytes(b"".join(wrong))
        with pytest.raises(CommandError, match=said):
            exported(tmp_path / "june", may)
        assert not (tmp_path / "june").exists()
    with pytest.raises(CommandError, match="No such file"):
        exported(tmp_path / "june", tmp_path / "missing")
