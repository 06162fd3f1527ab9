"""A witness that is killed with -9 on command: ``python -m tests.witness.dying``, a job a line on standard input.

The job "folder logs body step" answers the body (a file: a question in JSON, or an add-checkpoint) in a fork, and dies
at that step: before a write, with half of it written, after it, before and after it is on the disk, before and after
the index knows, after the RSA signature is made, before the reply leaves. The answer is the signal that ended it, or 0
where there were fewer steps than that.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from witness import journal
from witness.admit import admit
from witness.answer import answer
from witness.cosign import add_checkpoint
from witness.index import Index
from witness.keys import Keys
from witness.memory import Memory


class Countdown:
    def __init__(self, steps: int) -> None:
        self.left = steps

    def step(self) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def arm(count: Countdown) -> None:
    write, fsync, keep, sign = os.write, os.fsync, Index.keep, Keys.answer

    class System:
        """The journal's own view of the operating system."""

        def __getattr__(self, name: str) -> Any:
            return getattr(os, name)

        def write(self, file: int, data: bytes) -> int:
            count.step()
            half = write(file, data[: len(data) // 2])
            count.step()
            rest = write(file, data[half:])
            count.step()
            return half + rest

        def fsync(self, file: int) -> None:
            count.step()
            fsync(file)
            count.step()

    def kept(self: Index, *args: Any, **more: Any) -> None:
        count.step()
        keep(self, *args, **more)
        count.step()

    def signed(self: Keys, message: bytes) -> bytes:
        signature = sign(self, message)
        count.step()
        return signature

    setattr(journal, "os", System())  # noqa: B010
    Index.keep = kept  # type: ignore[method-assign]
    Keys.answer = signed  # type: ignore[method-assign]


def work(folder: str, logs: str, body: str, step: str) -> None:
    count = Countdown(int(step))
    arm(count)
    memory = Memory(Path(folder), Keys.load(Path(folder)))
    admit(memory, Path(logs))
    raw = Path(body).read_bytes()
    if raw.startswith(b"old "):
        add_checkpoint(memory, raw)
    else:
        answer(memory, json.loads(raw))
    count.step()


def main() -> None:
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                work(*line.split())
            except BaseException:
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        ended = os.WTERMSIG(status) if os.WIFSIGNALED(status) else -os.WEXITSTATUS(status)
        sys.stdout.write(f"{ended}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
