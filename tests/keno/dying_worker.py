"""A worker that is killed with -9 on command. One process imports everything, and each job dies in a fork of it.

A line "game upto when" on standard input records numbers of a game until *upto* are on record, and dies: "before" the
last one is written to the log, "inside" the transaction with everything written, or "after" the commit. "game settle
when" dies in the settlement. The answer is a line with the signal that ended the fork.
"""

from __future__ import annotations

import os
import signal
import sys
from datetime import datetime
from typing import Any


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def work(game: int, job: str, when: str, now: datetime) -> None:
    from house import acts
    from keno.draw import record_numbers
    from keno.settle import settle

    real = acts._pen
    assert real is not None
    last = {"kind": "keno.settled"} if job == "settle" else {"kind": "keno.ball", "place": int(job)}

    def write(**act: Any) -> None:
        is_last = act["kind"] == last["kind"] and act["data"].get("place") == last.get("place")
        if is_last and when == "before":
            die()
        real(**act)
        if is_last and when == "inside":
            die()

    acts.use(write)
    if job == "settle":
        settle(number=game, now=now)
    else:
        record_numbers(number=game, upto=int(job), now=now)
    die()


def main() -> None:
    import django

    django.setup()
    import keno.tick  # noqa: F401  what a fork need not import again

    now = datetime.fromisoformat(sys.argv[1])
    for line in sys.stdin:
        game, job, when = line.split()
        child = os.fork()
        if child == 0:
            try:
                work(int(game), job, when, now)
            finally:
                os._exit(1)  # an exception is no death by signal: the test sees it
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.WTERMSIG(status) if os.WIFSIGNALED(status) else -1}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
