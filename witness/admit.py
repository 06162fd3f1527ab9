"""Which logs this witness watches: a file of its keeper's, a line a log or a receipt key.

    # venue  log or receipts  verifier key
    DEMO log meterhouse.log/57f0…+8a5c3d2e+AW…
    DEMO receipts meterhouse.receipts/57f0…+…

A dash in place of the venue takes the one that the log's first question names: for a witness beside its house.

Read when the witness starts, and again when somebody comes with a log that it does not know. A line is admitted once
and stays so: striking it out changes nothing. A second log for a venue opens no second memory, and is an alarm.
"""

from __future__ import annotations

from pathlib import Path

from kernel.notes import ED25519, NoteError, VerifierKey
from witness.memory import ANY, Memory
from witness.trouble import Trouble


def admit(memory: Memory, file: Path | None) -> None:
    """Whatever the file has that is not admitted yet."""
    if file is None or not file.exists():
        return
    with memory.lock:
        for number, line in enumerate(file.read_text().splitlines(), start=1):
            words = line.split("#")[0].split()
            if words:
                _admit(memory, words, where=f"Line {number} of {file}")


def _admit(memory: Memory, words: list[str], *, where: str) -> None:
    try:
        venue, what, text = words
        key = VerifierKey.parse(text)
        if what not in ("log", "receipts") or key.kind != ED25519:
            raise ValueError
    except NoteError as error:
        raise Trouble(f"{where}: {error}") from None
    except ValueError:
        raise Trouble(f"{where} must read: VENUE log KEY, or VENUE receipts KEY.") from None
    state = memory.state
    if what == "receipts":
        if text not in state.receipts:
            memory.remember({"kind": "receipts", "venue": venue, "key": text})
        return
    if (known := state.logs.get(key.name)) is not None:
        if venue not in (ANY, known.venue) or text not in known.keys:
            raise Trouble(f"{where}: {key.name} is known with another key or for another venue.")
        return
    others = [log.origin for log in state.logs.values() if ANY in (venue, log.venue) or log.venue == venue]
    memory.remember({"kind": "admitted", "venue": venue, "key": text})
    if others:
        memory.alarm(f"A second log was admitted for {venue}: {key.name} beside {', '.join(others)}.")
