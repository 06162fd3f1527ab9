"""A draw that is killed with -9 on command (tests/world/dying.py): the job is "CODE NOW WHEN".

WHEN is "begun" (locked, nobody asked yet), "asked" (the question is logged), "answered" (and the answer), "middle"
(before the result is in the log), "inside" (all written, not committed) or "after" the commit. The second party is at
hand (tests/world/second_party.py); a running witness that dies is tests/witness's.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from tests.world.dying import die, fork_for_each_job


def work(code: str, now: str, when: str) -> None:
    from draws import second_party
    from ledger import log
    from promotions.draw import draw
    from tests.world.second_party import put_at_hand

    put_at_hand(pytest.MonkeyPatch())
    real, ask = log.write, second_party.ask

    def write(**act: Any) -> int:
        if act["kind"] == "promotion.drawn" and when == "middle":
            die()
        row = real(**act)
        if act["kind"] == "promotion.result" and when == "inside":
            die()
        return row

    def asked(*about: Any, **more: Any) -> Any:
        if when == "begun":
            die()
        if when == "asked":
            put_at_hand(pytest.MonkeyPatch()).away = True
            second_party.ask(*about, **more)
            die()
        said = ask(*about, **more)
        if when == "answered":
            die()
        return said

    log.write, second_party.ask = write, asked
    draw(code=code, now=datetime.fromisoformat(now))
    die()


if __name__ == "__main__":
    fork_for_each_job(work, imported="promotions.draw")
