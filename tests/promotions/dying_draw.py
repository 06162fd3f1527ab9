"""A draw that is killed with -9 on command (tests/world/dying.py): the job is "CODE NOW WHEN".

WHEN is "middle" (before the result is in the log), "inside" (all written, not committed) or "after" the commit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tests.world.dying import die, fork_for_each_job


def work(code: str, now: str, when: str) -> None:
    from ledger import log
    from promotions.draw import draw

    real = log.write

    def write(**act: Any) -> int:
        if act["kind"] == "promotion.drawn" and when == "middle":
            die()
        row = real(**act)
        if act["kind"] == "promotion.result" and when == "inside":
            die()
        return row

    log.write = write
    draw(code=code, now=datetime.fromisoformat(now))
    die()


if __name__ == "__main__":
    fork_for_each_job(work, imported="promotions.draw")
