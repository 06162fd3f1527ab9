"""The supervisor's output: one line at a time, each with the name of who said it, in colour where somebody looks."""

from __future__ import annotations

import os
import sys
import threading
from typing import IO

from kernel.masking import masked

_COLOURS = {
    "meterhouse": 32,
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


class Terminal:
    def __init__(self, stream: IO[str] = sys.stdout) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self.in_colour = stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"

    def say(self, text: str, *, by: str = "meterhouse") -> None:
        name, text = f"{by:<{_WIDTH}} │", masked(text)
        if self.in_colour:
            bold = "1;" if by == "meterhouse" else ""
            name = f"\x1b[{bold}{_COLOURS.get(by, 37)}m{name}\x1b[0m"
        with self._lock:
            try:
                self._stream.write(f"{name} {text}\n")
                self._stream.flush()
            except (OSError, ValueError):
                pass  # nobody reads any more; the house goes on

    def relay(self, output: IO[bytes], *, by: str) -> threading.Thread:
        """Pass on what a program prints until it ends. A thread of its own, so that nobody waits for a full pipe."""

        def pump() -> None:
            with output:
                for line in output:
                    text = line.decode(errors="replace").rstrip()
                    if text:
                        self.say(text, by=by)

        thread = threading.Thread(target=pump, name=f"output of {by}", daemon=True)
        thread.start()
        return thread
