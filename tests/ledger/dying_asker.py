"""A house that is killed with -9 while it asks the witness (tests/world/dying.py).

The job "occasion when" asks about it and dies: once the question is "logged", once the answer has "come" and nobody has
written it down, "inside" the transaction that writes it down, or "after" it.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings

from tests.world.dying import die, fork_for_each_job


def work(occasion: str, when: str) -> None:
    from ledger import answers, ask, log, transport

    call, write, record = transport.call_json, log.write, answers.record

    def called(path: str, said: Any = None) -> Any:
        if when == "logged":
            die()
        given = call(path, said)
        if when == "come":
            die()
        return given

    def wrote(**act: Any) -> int:
        row = write(**act)
        if when == "inside" and act["kind"] == "witness.answered":
            die()
        return row

    def recorded(*given: Any) -> None:
        record(*given)
        if when == "after":
            die()

    log.write = wrote
    for name, instead in (("call_json", called), ("record", recorded)):
        setattr(answers, name, instead)
    settings.SEALS = True  # nobody else does here
    ask.ask(venue="DEMO", purpose="keno", occasion=occasion, attempt=1)


if __name__ == "__main__":
    fork_for_each_job(work, imported="ledger.ask")
