"""The supervisor's output: a line at a time, each with the name of who said it. JSON for machines, readable and in
colour where somebody looks; and always as JSON into ``log/house.log`` of the data folder."""

from __future__ import annotations

import json
import os
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

from config.sinks import Sink, to_file, to_number
from kernel import environment
from kernel.masking import masked, without_own_secrets

HOUSE: Final = "meterhouse"
_COLOURS = {
    HOUSE: 32,
    "postgres": 34,
    "redis": 31,
    "prepare": 37,
    "sealer": 92,
    "worker": 33,
    "streams": 35,
    "web": 36,
    "beat": 94,
}
_WIDTH = max(map(len, _COLOURS))
_SHOWN_ELSEWHERE: Final = ("timestamp", "level", "logger", "event", "exception", "program")


class Terminal:
    def __init__(self, number: int = 1, *, log: Path | None = None) -> None:
        """*number* of the open file that lines go to: the standard output."""
        people = os.isatty(number)
        self.readable = environment.readable_log(default=people)
        self.in_colour = people and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        self._out = Sink(to_number(number), lost=lambda count: self._shown(_lost(count)))
        self._log = Sink(to_file(log), lost=lambda count: _written(_lost(count))) if log else None

    def say(self, text: str, *, by: str = HOUSE) -> None:
        self._pass_on(_told(text, by=by))

    def close(self, *, patience: float = 2.0) -> None:
        """What was said last is given so long to be read."""
        for sink in (self._out, self._log):
            if sink is not None:
                sink.close(patience=patience)

    def relay(self, output: IO[bytes], *, by: str) -> threading.Thread:
        """Pass on what a program prints until it ends. A thread of its own, so that nobody waits for a full pipe."""

        def pump() -> None:
            with output:
                for printed in output:
                    text = printed.decode(errors="replace").rstrip()
                    if text:
                        self._pass_on(_logged(text, by=by) or _told(text, by=by))

        thread = threading.Thread(target=pump, name=f"output of {by}", daemon=True)
        thread.start()
        return thread

    def _pass_on(self, line: dict[str, object]) -> None:
        if self._log is not None:
            self._log.put(_written(line))
        self._out.put(self._shown(line))

    def _shown(self, line: dict[str, Any]) -> str:
        if not self.readable:
            return _written(line)
        by = line["program"]
        name = f"{by:<{_WIDTH}} │"
        if self.in_colour:
            bold = "1;" if by == HOUSE else ""
            name = f"\x1b[{bold}{_COLOURS.get(by, 37)}m{name}\x1b[0m"
        return "\n".join(f"{name} {each}" for each in _readable(line))


def _told(text: str, *, by: str) -> dict[str, object]:
    now = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    return {"program": by, "event": masked(text), "timestamp": now}


def _logged(text: str, *, by: str) -> dict[str, object] | None:
    """A line of web/logs.py, which has left out what must not be in it. None: it is something else."""
    if not text.startswith("{"):
        return None
    try:
        line = json.loads(without_own_secrets(text))
    except ValueError:
        return None
    return {"program": by, **line} if isinstance(line.get("event"), str) else None


def _lost(count: int) -> dict[str, object]:
    return _told(f"{count} lines before this one are lost: they could not be written in time.", by=HOUSE)


def _written(line: dict[str, object]) -> str:
    return json.dumps(line, ensure_ascii=False)


def _readable(line: dict[str, object]) -> list[str]:
    if "level" not in line:
        return [str(line["event"])]
    more = "".join(f" {name}={value}" for name, value in line.items() if name not in _SHOWN_ELSEWHERE)
    time_of_day = str(line.get("timestamp", ""))[11:19]
    return [f"{time_of_day} {line['level']}: {line['event']}{more}", *str(line.get("exception", "")).splitlines()]
