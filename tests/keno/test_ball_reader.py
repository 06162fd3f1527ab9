"""Balls from a reader's serial line: a pseudo-terminal in its place, and the house behind its API (2.1, 7.1)."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from keno import ball_reader
from keno.ball_reader import Reader, Stopped, ball_of, lines, open_device, run
from keno.close import close_game
from keno.models import Draw, Game, KenoSettings
from keno.open_games import keep_open
from tests.world.calls import Caller, make_device
from tests.world.keno_balls import count_eighty
from tests.world.keno_counter import open_day
from tests.world.keno_games import SUE, some_numbers

BALLS = some_numbers(20)


@pytest.mark.parametrize(
    ("line", "ball"),
    [
        (b"7", 7), (b"07\r", 7), (b"007", 7), (b"BALL 80", 80), (b"*17#", 17), (b" 1 ", 1),
        (b"", None), (b"0", None), (b"81", None), (b"1 2", None), (b"123", None), (b"7.5", None), (b"x", None),
        (b"\xff\xfe", None), (b"9" * 60, None),
    ],
)  # fmt: skip
def test_a_line_names_one_ball_or_none(line: bytes, ball: int | None) -> None:
    assert ball_of(line) == ball


def test_lines_end_as_the_device_ends_them_and_never_grow_without_end() -> None:
    pieces = iter([b"1\r\n2", b"3\n\n4\r", b"x" * 64, b"y", b"\n5", b""])
    assert list(lines(lambda size: next(pieces))) == [b"1", b"23", b"4", b"x" * 64 + b"y", b"5"]


class House:
    """Answers as it is told, and keeps what it was asked."""

    def __init__(self, *answers: tuple[int, Any] | OSError) -> None:
        self.answers, self.asked, self.said = list(answers), [], []  # type: ignore[var-annotated]

    def call(self, method: str, path: str, body: object) -> tuple[int, Any]:
        self.asked.append((path, body))
        answer = self.answers.pop(0)
        if isinstance(answer, OSError):
            raise answer
        return answer

    def reader(self, game: int | None = 7) -> Reader:
        return Reader(self.call, self.said.append, wait=lambda seconds: None, game=game)


def test_a_ball_is_sent_again_until_the_house_answers_and_counts_once() -> None:
    house = House(OSError("down"), (503, {}), (422, {"code": "ball-drawn-already"}), (200, {"drawn": [9, 4]}))
    reader = house.reader()
    reader.take(b"9")  # it was recorded, and the answer was lost
    reader.take(b"4")
    assert [body for _, body in house.asked] == [{"number": 9}] * 3 + [{"number": 4}]
    assert reader.entered == [4]


@pytest.mark.parametrize(
    "answers",
    [
        [(409, {"code": "balls-not-counted", "detail": "Count the balls."})],
        [(403, {"code": "no-permission"})],
        [(400, "nonsense")],
        [OSError("down")] * ball_reader.TRIES,
    ],
)
def test_no_ball_is_passed_over_in_silence(answers: list[Any]) -> None:
    house = House(*answers)
    with pytest.raises(Stopped, match=r"Ball 9.*by hand"):
        house.reader().take(b"9")


def test_a_ball_while_no_game_waits_for_balls_stops_it() -> None:
    rows = [{"number": 2, "status": "open", "device": "mechanical"}, {"number": 1, "status": "closed", "device": "rng"}]
    with pytest.raises(Stopped, match="no game waits"):
        House((200, {"results": rows})).reader(None).take(b"9")


def _closed_game() -> Game:
    KenoSettings.objects.create(device="mechanical")
    open_day()
    game = keep_open(now=timezone.now())
    assert game is not None
    close_game(number=game.number, by=SUE)
    return game


@pytest.mark.django_db
@pytest.mark.clause("act-keno:7.1", "act-keno:2.1")
def test_twenty_balls_over_a_pseudo_terminal_settle_the_game() -> None:
    game, (device, token) = _closed_game(), make_device("supervisor")
    caller = Caller(token)

    def call(method: str, path: str, body: object) -> tuple[int, Any]:
        answer = caller.get(path) if method == "GET" else caller.post(path, body)
        return answer.status_code, answer.json()

    far, near = os.openpty()
    said: list[str] = []
    line = open_device(os.ttyname(near), speed=9600)
    os.close(near)
    reader = Reader(call, said.append)
    os.write(far, b"%d\r\n" % BALLS[0])
    with pytest.raises(Stopped, match="Count the balls"):
        _until(reader, line)
    count_eighty(number=game.number, by=SUE)
    typed = [b"%02d\r\n" % ball for ball in BALLS]
    os.write(far, b"".join([typed[0], b"READY\r\n", *typed]))  # the first one was read twice
    _until(reader, line)
    os.close(line)
    game.refresh_from_db()
    assert game.status == "settled"
    draw = Draw.objects.get(game=game)
    assert draw.numbers == BALLS
    assert device.holder is not None
    assert draw.entered_by == [device.holder.identity]  # who answers for the line
    assert [each for each in said if "already" in each or "No ball" in each] == [
        "No ball: b'READY'",
        f"Game {game.number}: ball {BALLS[0]} is on record already.",
    ]


def _until(reader: Reader, line: int) -> None:
    """As much as was written: the line stays open, as a serial one does."""
    flags = fcntl.fcntl(line, fcntl.F_GETFL)
    fcntl.fcntl(line, fcntl.F_SETFL, flags | os.O_NONBLOCK)
    run(reader, line)


def test_the_program_needs_no_django_and_says_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("mh_x\n")
    asked = [sys.executable, "-I", "-S", "-c", _ALONE, "--token-file", str(tmp_path / "token"), "--server"]
    root = Path(ball_reader.__file__).parents[1]
    bad = subprocess.run([*asked, "ftp://house"], cwd=root, capture_output=True, text=True, check=False, timeout=60)
    assert (bad.returncode, "begins with https://" in bad.stderr) == (2, True)
    done = subprocess.run(
        [*asked, "http://127.0.0.1:9"],
        cwd=root,
        input="READY\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "No ball: b'READY'\n")


_ALONE = "import sys; sys.path.insert(0, '.'); from keno.ball_reader import main; raise SystemExit(main())"
