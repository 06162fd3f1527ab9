"""What can be asked of the witness, without the HTTP around it: each call's path, and what it answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import parse_qs

from kernel import unique_signatures
from kernel.notes import Checkpoint, Note, NoteError
from kernel.questions import Link
from witness import admit, answer, cosign, page, paper
from witness.memory import Memory
from witness.trouble import Refused, Trouble

ANSWERS_LIMIT: Final = 100  # links a call
TEXT, JSON, HTML, BYTES = (
    "text/plain; charset=utf-8",
    "application/json",
    "text/html; charset=utf-8",
    "application/octet-stream",
)

T = TypeVar("T")
_PIECE = re.compile(r"/answers/([1-9][0-9]{0,17})/(message|signature)").fullmatch
_MONITOR = re.compile(r"/([0-9a-f]{64})/checkpoint").fullmatch


@dataclass(frozen=True, slots=True)
class Reply:
    body: bytes
    kind: str = JSON
    status: int = 200


def in_json(value: object, status: int = 200) -> Reply:
    return Reply(json.dumps(value).encode() + b"\n", JSON, status)


@dataclass
class Witness:
    """What the calls work on."""

    memory: Memory
    logs: Path | None = None  # our keeper's file of logs

    def get(self, path: str, query: dict[str, list[str]]) -> Reply:
        memory = self.memory
        plain: dict[str, Callable[[], Reply]] = {
            "/": lambda: Reply(page.page(memory).encode(), HTML),
            "/healthz": lambda: Reply(b"alive\n", TEXT),
            "/about": self._about,
            "/keys": lambda: Reply(f"{memory.keys.cosigner}\n".encode(), TEXT),
            "/witness.pem": lambda: Reply(unique_signatures.to_pem(memory.keys.rsa_public).encode(), TEXT),
            "/answers": lambda: self._answers(query),
        }
        if path in plain:
            return plain[path]()
        if found := _PIECE(path):
            return self._piece(int(found[1]), found[2])
        if found := _MONITOR(path):
            return Reply(cosign.latest(memory, found[1]).encode(), TEXT)
        raise Refused(404, "not-found", "There is nothing here.")

    def _about(self) -> Reply:
        memory = self.memory
        with memory.lock:
            state = memory.state
            standing = {"number": state.number, "digest": state.digest, "stopped": state.stopped}
        return in_json({**memory.keys.about(), **standing})

    def post(self, path: str, body: bytes) -> Reply:
        memory = self.memory
        if path == "/add-checkpoint":
            return Reply(self._knowing(lambda: cosign.add_checkpoint(memory, body)).encode(), TEXT)
        if path == "/check":
            fields = parse_qs(body.decode(errors="replace"), max_num_fields=4)
            text, proof = (fields.get(name, [""])[0] for name in ("text", "proof"))
            found = paper.look_at(memory, text, proof)
            return Reply(page.page(memory, found, text=text, proof=proof).encode(), HTML)
        calls: dict[str, Callable[[Any], Any]] = {
            "/ask": lambda said: self._knowing(lambda: answer.answer(memory, said)),
            "/hand-over": lambda said: cosign.take_over(memory, said),
            "/seen": self._seen,
        }
        if path not in calls:
            raise Refused(404, "not-found", "There is nothing here.")
        try:
            said = json.loads(body)
        except (ValueError, RecursionError):
            raise Refused(400, "unreadable", "The body is a JSON object.") from None
        if not isinstance(said, dict):
            raise Refused(400, "unreadable", "The body is a JSON object.")
        return in_json(calls[path](said))

    def _knowing(self, call: Callable[[], T]) -> T:
        """The call; where it comes from a log that we do not know, once more after a look at our keeper's file."""
        try:
            return call()
        except Refused as refused:
            if refused.code != "unknown-log" or self.logs is None:
                raise
            known = len(self.memory.state.logs)
            try:
                admit.admit(self.memory, self.logs)
            except Trouble as trouble:
                raise Refused(404, "unknown-log", str(trouble)) from None
            if len(self.memory.state.logs) == known:
                raise
        return call()

    def _answers(self, query: dict[str, list[str]]) -> Reply:
        since = query.get("from", ["1"])[0]
        if not (since.isascii() and since.isdigit() and 0 < int(since) < 10**18):
            raise Refused(400, "unreadable", "from is the number of an answer.")
        with self.memory.lock:
            links = self.memory.links(since=int(since), limit=ANSWERS_LIMIT)
            last = self.memory.state.number
        return in_json({"answers": [link.as_json() for link in links], "last": last})

    def _piece(self, number: int, which: str) -> Reply:
        with self.memory.lock:
            links = self.memory.links(since=number, limit=1)
        if not links or links[0].number != number:
            raise Refused(404, "not-found", f"There is no answer {number}.")
        return Reply(links[0].question.message() if which == "message" else links[0].answer, BYTES)

    def _seen(self, said: dict[str, Any]) -> dict[str, object]:
        """Somebody shows us a signature of ours."""
        memory = self.memory
        try:
            link = Link.from_json(said["link"]) if "link" in said else None
            note = Note.parse(said["checkpoint"].encode()) if "checkpoint" in said else None
            head = Checkpoint.parse(note.text) if note is not None else None
        except (NoteError, ValueError, AttributeError):
            raise Refused(400, "unreadable", "Show a link or a checkpoint.") from None
        with memory.lock:
            if memory.state.stopped:
                raise memory.refusal()
            if link is not None:
                answer.shown(memory, link)
            if note is not None and head is not None:
                cosign.shown(memory, note, head)
            return {"number": memory.state.number}
