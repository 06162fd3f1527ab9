"""Balls from a reader's serial line, sent to the house as a terminal would type them (2.1, 7.1). A program of its own:

    python -m keno.ball_reader --device /dev/ttyUSB0 --server https://house.example --token-file reader.token

It runs on the machine that the reader is plugged into, needs the standard library only, and has no power but its
token's: that of a device whose holder may run games. A line of the reader names one ball. What is no ball is said and
left out; a ball that was read twice is on record once. Whatever else the house refuses stops the program, with the ball
that is to be entered by hand: none is ever passed over in silence. Counting, correcting and reading back are people's.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import termios
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

NUMBERS: Final = 80
LINE_BYTES_LIMIT: Final = 64
TRIES: Final = 20  # for one ball, while the line to the house is down
WAIT_SECONDS: Final = 1.0
TIMEOUT_SECONDS: Final = 10.0
SPEEDS: Final = {
    speed: getattr(termios, f"B{speed}") for speed in (1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200)
}
_TO_DRAW: Final = ("closed", "sealed", "drawing")
_BALL: Final = re.compile(rb"\D{0,16}?0{0,2}(\d{1,2})\D{0,16}?")

# What the house answers to a method, a path and a body: status and document. OSError: nobody knows.
Call: TypeAlias = Callable[[str, str, object], tuple[int, Any]]


class Stopped(Exception):
    """It cannot go on; says what is to be done by hand."""


def ball_of(line: bytes) -> int | None:
    """The ball that a line names: one number from 1 to 80, whatever letters the reader writes around it."""
    found = _BALL.fullmatch(line.strip())
    ball = int(found[1]) if found is not None else 0
    return ball if 1 <= ball <= NUMBERS else None


def lines(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """Lines as the device writes them, ended by CR, LF or both; a line without end is cut."""
    held = b""
    while piece := read(LINE_BYTES_LIMIT):
        *whole, held = re.split(rb"[\r\n]+", held + piece)
        yield from (line for line in whole if line.strip())
        if len(held) > LINE_BYTES_LIMIT:
            yield held
            held = b""
    if held.strip():
        yield held


@dataclass(slots=True)
class Reader:
    """One reader at one house."""

    call: Call
    say: Callable[[str], None]
    wait: Callable[[float], None] = time.sleep
    game: int | None = None
    entered: list[int] = field(default_factory=list)  # of this game

    def take(self, line: bytes) -> None:
        ball = ball_of(line)
        if ball is None:
            self.say(f"No ball: {line[:LINE_BYTES_LIMIT]!r}")
            return
        if self.game is None:
            self.game, self.entered = self._game_to_draw(ball), []
        self._enter(ball)

    def _enter(self, ball: int) -> None:
        status, answer = self._tried("POST", f"keno/games/{self.game}/balls", {"number": ball}, ball=ball)
        code = answer.get("code") if isinstance(answer, dict) else None
        if status == 422 and code == "ball-drawn-already":  # read twice, or entered though its answer was lost
            self.say(f"Game {self.game}: ball {ball} is on record already.")
            return
        if status != 200:
            said = answer.get("detail", "") if isinstance(answer, dict) else ""
            raise Stopped(f"Ball {ball} of game {self.game} is not on record: {said or status} Enter it by hand.")
        self.entered.append(ball)
        self.say(f"Game {self.game}: ball {ball}, {len(answer['drawn'])} of 20.")
        if len(answer["drawn"]) == 20:
            self.game = None

    def _game_to_draw(self, ball: int) -> int:
        """The first that is closed, or being drawn, with balls."""
        status, answer = self._tried("GET", "keno/games", None, ball=ball)
        rows = answer["results"] if status == 200 else []
        waiting = [row["number"] for row in rows if row["device"] == "mechanical" and row["status"] in _TO_DRAW]
        if not waiting:
            raise Stopped(f"Ball {ball} was read, and no game waits for balls. Close the game, and enter it by hand.")
        return int(min(waiting))

    def _tried(self, method: str, path: str, body: object, *, ball: int) -> tuple[int, Any]:
        """While the house does not answer, or is busy, the same is asked again."""
        for _ in range(TRIES):
            try:
                status, answer = self.call(method, path, body)
            except OSError as away:
                self.say(f"The house does not answer ({away}). Ball {ball} waits.")
            else:
                if status < 500 and status != 429:
                    return status, answer
                self.say(f"The house is busy ({status}). Ball {ball} waits.")
            self.wait(WAIT_SECONDS)
        raise Stopped(f"The house does not answer. Ball {ball} may not be on record: look, and go on by hand.")


def over_http(server: str, token: str) -> Call:
    """Calls of the API, with the token of this machine."""

    def call(method: str, path: str, body: object) -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        headers["Idempotency-Key"] = str(uuid.uuid4())
        data = None if body is None else json.dumps(body).encode()
        url = f"{server.rstrip('/')}/api/v1/{path}"
        request = urllib.request.Request(url, data=data, headers=headers, method=method)  # noqa: S310  see main
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, _read(refused.read())

    return call


def _read(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return {}


def open_device(path: str, *, speed: int) -> int:
    """The line as bytes come, unchanged, at its speed; or standard input (-)."""
    if path == "-":
        return sys.stdin.fileno()
    line = os.open(path, os.O_RDONLY | os.O_NOCTTY)
    if os.isatty(line):
        modes = termios.tcgetattr(line)
        modes[0] = modes[1] = modes[3] = 0  # nothing is translated, echoed or edited
        modes[2] = termios.CS8 | termios.CREAD | termios.CLOCAL
        modes[4] = modes[5] = SPEEDS[speed]
        modes[6][termios.VMIN], modes[6][termios.VTIME] = 1, 0
        termios.tcsetattr(line, termios.TCSANOW, modes)
    return line


def run(reader: Reader, line: int) -> None:
    """Until the line ends."""

    def read(size: int) -> bytes:
        try:
            return os.read(line, size)
        except OSError:  # the reader was unplugged
            return b""

    for each in lines(read):
        reader.take(each)


def _say(what: str) -> None:
    sys.stderr.write(f"{what}\n")
    sys.stderr.flush()


def main(given: list[str] | None = None) -> int:
    asked = argparse.ArgumentParser(prog="python -m keno.ball_reader", description=(__doc__ or "").splitlines()[0])
    asked.add_argument("--device", default="-", help="the reader's line, such as /dev/ttyUSB0; else standard input")
    asked.add_argument("--speed", type=int, choices=sorted(SPEEDS), default=9600)
    asked.add_argument("--server", required=True, help="the address of the house")
    asked.add_argument("--token-file", type=Path, required=True, help="a file that holds this machine's token")
    options = asked.parse_args(given)
    if not re.match(r"https?://", options.server):
        asked.error("the address of the house begins with https:// or http://")
    call = over_http(options.server, options.token_file.read_text().strip())
    reader = Reader(call, say=_say)
    try:
        run(reader, open_device(options.device, speed=options.speed))
    except Stopped as stopped:
        _say(str(stopped))
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
