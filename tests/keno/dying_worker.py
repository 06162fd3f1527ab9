"""A worker of Keno that is killed with -9 on command (tests/world/dying.py).

The job "game upto when now" records numbers of a game until *upto* are on record, and dies: "before" the last one is
written to the log, "inside" the transaction with everything written, or "after" the commit. "game settle when now" dies
in the settlement. "game ask when now" dies while the witness is asked: with the game "lock"ed, once the act that says
so is written ("locked"), or with the question logged and not sent ("asked").
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tests.world.dying import die, fork_for_each_job


def work(game: str, job: str, when: str, now: str) -> None:
    from django.conf import settings

    from keno import draw
    from keno.draw import record_numbers
    from keno.settle import settle
    from ledger import ask, log

    settings.SEALS = True  # nobody else does here
    moment = datetime.fromisoformat(now)
    real = log.write
    last = {"kind": "keno.settled"} if not job.isdigit() else {"kind": "keno.ball", "place": int(job)}

    def write(**act: Any) -> int:
        is_last = act["kind"] == last["kind"] and act["data"].get("place") == last.get("place")
        if is_last and when == "before":
            die()
        row = real(**act)
        if is_last and when == "inside":
            die()
        return row

    log.write = write
    if job == "ask":
        at = {"lock": (draw, "_locked"), "locked": (draw, "ask_patiently"), "asked": (ask, "send_question")}[when]
        setattr(*at, lambda *given, **more: die())
        draw.ask_witness(number=int(game), now=moment)
    elif job == "settle":
        settle(number=int(game), now=moment)
    else:
        record_numbers(number=int(game), upto=int(job), now=moment)
    die()


if __name__ == "__main__":
    fork_for_each_job(work, imported="keno.tick")
