"""What the witness remembers: which log is whose, the latest head of each, every answer, every alarm.

Everything is a line of the journal first and a fact afterwards: nothing is believed here that is not on the disk.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from kernel.notes import Checkpoint, Note, VerifierKey, from_base64, to_base64
from kernel.questions import FIRST_LINK, Link
from witness.index import Index
from witness.journal import Journal, Place
from witness.keys import Keys
from witness.trouble import MemoryLost, Refused

ANY: Final = "-"  # a log whose venue its first question names
ALARMS_LIMIT: Final = 10_000  # lines that somebody with a house's key could make us write


@dataclass(slots=True)
class Log:
    """A log that this witness was told to watch, and the latest head of it that it cosigned."""

    venue: str
    origin: str
    keys: list[str]  # verifier keys: the last one signs, those before it have
    size: int = 0
    root: str = ""  # base64
    at: int = 0
    note: str = ""

    @property
    def signer(self) -> VerifierKey:
        return VerifierKey.parse(self.keys[-1])

    @property
    def all_keys(self) -> list[VerifierKey]:
        return [VerifierKey.parse(key) for key in self.keys]

    @property
    def root_bytes(self) -> bytes:
        return from_base64(self.root)


@dataclass(slots=True)
class State:
    name: str = ""
    logs: dict[str, Log] = field(default_factory=dict)
    receipts: dict[str, str] = field(default_factory=dict)  # verifier key of a receipt key: its venue
    number: int = 0  # of the last answer
    digest: str = FIRST_LINK.hex()
    clock: int = 0  # the latest time that was signed: it never goes back
    alarms: int = 0
    stopped: str = ""  # why


class Memory:
    """One at a time: whoever reads or writes holds ``lock``."""

    def __init__(self, folder: Path, keys: Keys, *, now: Callable[[], float] = time.time) -> None:
        self.lock = threading.RLock()
        self.keys = keys
        self._now = now
        self._journal = Journal(folder / "journal")
        self._index = Index(folder / "index.sqlite")
        place, kept = self._index.kept()
        self.state = _state_from(kept)
        for at, fact in self._journal.read_on(place):
            self._apply(at, fact)
        if self._journal.last.n == 0:
            self.remember({"kind": "begun", "name": keys.name, "key": str(keys.cosigner)})
        if self.state.name != keys.name:
            raise MemoryLost("The journal in this folder is another witness's.")
        if self._journal.torn:
            self.alarm(f"The last line was cut off ({self._journal.torn} bytes): the machine or the process had died.")

    def close(self) -> None:
        self._index.close()
        self._journal.close()

    def clock(self) -> int:
        """Seconds since 1970; where the machine's clock was put back, the latest time we signed."""
        return max(int(self._now()), self.state.clock)

    def remember(self, fact: dict[str, Any]) -> None:
        """On the disk when this comes back, and true from then on."""
        stamped = {"at": self.clock(), **fact}
        self._apply(self._journal.append(stamped), stamped)

    def link(self, key: tuple[str, str, str, int]) -> Link | None:
        """The answer that was given for this attempt."""
        found = self._index.answer(key)
        return self._link_at(*found) if found else None

    def links(self, *, since: int, limit: int) -> list[Link]:
        return [self._link_at(*found) for found in self._index.answers(since=since, limit=limit)]

    def cosigned(self, origin: str, size: int) -> tuple[bytes, int] | None:
        return self._index.head(origin, size)

    def heads(self, *, limit: int) -> list[tuple[str, int, bytes, int]]:
        return self._index.heads(limit=limit)

    def alarms(self, *, limit: int) -> list[tuple[int, int, str]]:
        return self._index.alarms(limit=limit)

    def alarm(self, what: str, **evidence: object) -> None:
        """Something that people should look at. Kept with what shows it."""
        if self.state.alarms < ALARMS_LIMIT:
            self.remember({"kind": "alarm", "what": what, **evidence})

    def stop(self, why: str, **evidence: object) -> Refused:
        """Sign nothing any more, ever: raise what this gives back."""
        if not self.state.stopped:
            self.remember({"kind": "stopped", "why": why, **evidence})
        return self.refusal()

    def refusal(self) -> Refused:
        return Refused(503, "stopped", f"This witness has stopped for ever: {self.state.stopped}")

    def _link_at(self, start: int, end: int) -> Link:
        return Link.from_json(self._journal.entry_at(start, end)["link"])

    def _apply(self, place: Place, fact: dict[str, Any]) -> None:
        more: dict[str, Any] = _KINDS[fact["kind"]](self.state, fact)
        self._index.keep(place, asdict(self.state), **more)


def _state_from(kept: dict[str, Any]) -> State:
    logs = {origin: Log(**log) for origin, log in kept.pop("logs", {}).items()}
    return State(**kept, logs=logs)


def _begun(state: State, fact: dict[str, Any]) -> dict[str, object]:
    state.name = fact["name"]
    return {}


def _admitted(state: State, fact: dict[str, Any]) -> dict[str, object]:
    key = VerifierKey.parse(fact["key"])
    state.logs[key.name] = Log(venue=fact["venue"], origin=key.name, keys=[fact["key"]])
    return {}


def _receipts(state: State, fact: dict[str, Any]) -> dict[str, object]:
    state.receipts[fact["key"]] = fact["venue"]
    return {}


def _handed_over(state: State, fact: dict[str, Any]) -> dict[str, object]:
    key = VerifierKey.parse(fact["key"])
    state.logs[key.name].keys.append(fact["key"])
    return {}


def _head(state: State, fact: dict[str, Any]) -> dict[str, object]:
    note = Note.parse(fact["note"].encode())
    head = Checkpoint.parse(note.text)
    log = state.logs[head.origin]
    log.size, log.root, log.at, log.note = head.size, to_base64(head.root), fact["time"], fact["note"]
    state.clock = max(state.clock, fact["time"])
    return {"head": (head.origin, head.size, head.root, fact["time"])}


def _answer(state: State, fact: dict[str, Any]) -> dict[str, object]:
    """Also: from its first question on, a log is its venue's."""
    more = _head(state, fact["head"]) if fact.get("head") else {}
    link = Link.from_json(fact["link"])
    state.number, state.digest = link.number, link.digest().hex()
    state.clock = max(state.clock, link.at)
    if state.logs[link.question.origin].venue == ANY:
        state.logs[link.question.origin].venue = link.question.venue
    return {**more, "answer": (link.question.key, link.number)}


def _alarm(state: State, fact: dict[str, object]) -> dict[str, object]:
    state.alarms += 1
    return {"alarm": (fact["at"], fact["what"])}


def _stopped(state: State, fact: dict[str, Any]) -> dict[str, object]:
    state.stopped = fact["why"]
    return {"alarm": (fact["at"], fact["why"])}


_KINDS: Final = {
    "begun": _begun,
    "admitted": _admitted,
    "receipts": _receipts,
    "handed-over": _handed_over,
    "head": _head,
    "answer": _answer,
    "alarm": _alarm,
    "stopped": _stopped,
}
