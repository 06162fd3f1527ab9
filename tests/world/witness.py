"""A witness for tests: keys from one ceremony for all processes and runs, and a house whose log is a list in memory."""

from __future__ import annotations

import fcntl
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kernel import notes
from kernel.environment import ROOT, own_witness_file
from kernel.hand_over import ACCEPTANCE, HAND_OVER, HandOver, fingerprint
from kernel.merkle import consistency_proof, inclusion_proof, leaf_hash, nodes_of, root_of
from kernel.notes import ED25519, Checkpoint, Note, Signature, Submission, VerifierKey, to_base64
from kernel.questions import Link, Question
from witness import keys
from witness.calls import Witness
from witness.keys import Keys
from witness.memory import Memory
from witness.server import Rates, Server
from witness.trouble import Refused

CACHE = ROOT / ".pytest_cache" / "witness"
NAME = "witness.example/tests"
DICE = "3516" * 13
VENUE = "DEMO"


def folder_with_keys(folder: Path, *, same_machine: bool = False) -> Path:
    """A witness's folder after its ceremony. Making an RSA key takes seconds: it is made once and copied."""
    CACHE.mkdir(parents=True, exist_ok=True)
    kept = CACHE / ("same-machine" if same_machine else "apart")
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not keys.exist(kept):
            shutil.rmtree(kept, ignore_errors=True)
            kept.mkdir(mode=0o700)
            keys.hold_ceremony(kept, name=NAME, dice=DICE, same_machine=same_machine)
    shutil.copytree(kept, folder)
    folder.chmod(0o700)
    return folder


def turned_down(ask: Callable[[Memory, Any], object], memory: Memory, request: Any) -> Refused:
    """The witness refuses, and remembers nothing that it did not know before."""

    def known() -> object:
        state = memory.state
        return state.number, state.digest, [(log.size, log.note) for log in state.logs.values()]

    before = known()
    with pytest.raises(Refused) as caught:
        ask(memory, request)
    assert known() == before
    return caught.value


@contextmanager
def remembering(folder: Path) -> Iterator[Memory]:
    memory = Memory(folder, Keys.load(folder))
    try:
        yield memory
    finally:
        memory.close()


def with_signature(note: Note, signature: Signature) -> Note:
    """The same note with one more signature; one of the same key is replaced."""
    kept = (each for each in note.signatures if (each.name, each.key_id) != (signature.name, signature.key_id))
    return Note(note.text, (*kept, signature))


class ToyHouse:
    """A house that is nothing but its log: rows, a key, and the proofs that a real one gives."""

    def __init__(self, origin: str = "meterhouse.log/toy", *, seed: int = 1, venue: str = VENUE) -> None:
        self.origin, self.venue = origin, venue
        self.private = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        self.rows: list[bytes] = []

    @property
    def key(self) -> VerifierKey:
        return VerifierKey(self.origin, ED25519, self.private.public_key().public_bytes_raw())

    @property
    def admission(self) -> str:
        return f"{self.venue} log {self.key}\n"

    def act(self, kind: str, data: dict[str, Any]) -> int:
        """Write an act; its index in the log."""
        self.rows.append(json.dumps({"type": "act", "kind": kind, "data": data}).encode())
        return len(self.rows) - 1

    def pad(self, count: int) -> None:
        for _ in range(count):
            self.act("toy.row", {"n": len(self.rows)})

    def seal(self, occasion: str, *, root: bytes = bytes(32), count: int = 14, purpose: str = "keno") -> int:
        named = {"venue": self.venue, "purpose": purpose, "occasion": occasion}
        return self.act("draw.sealed", {**named, "root": root.hex(), "count": count})

    def void(self, occasion: str, attempt: int, *, purpose: str = "keno") -> int:
        named = {"venue": self.venue, "purpose": purpose, "occasion": occasion, "attempt": attempt}
        return self.act("draw.void", {**named, "cause": "power cut", "numbers": []})

    def hand_over(self, seed: int) -> int:
        """To a key made of this seed. It signs from the next head on."""
        new = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        public = new.public_key().public_bytes_raw()
        change = HandOver(fingerprint(self.key.public), public)
        signed = {
            "from": change.old,
            "public": public.hex(),
            "signature": self.private.sign(HAND_OVER + change.statement()).hex(),
            "acceptance": new.sign(ACCEPTANCE + change.statement()).hex(),
        }
        index = self.act("keys.hand-over", signed)
        self.next = new
        return index

    def root(self, size: int | None = None) -> bytes:
        return root_of([leaf_hash(row) for row in self.rows[:size]])

    def note(self, size: int | None = None) -> Note:
        size = len(self.rows) if size is None else size
        text = Checkpoint(self.origin, size, self.root(size)).text()
        return Note(text, (notes.signature(self.key, text, self.private.sign),))

    def consistency(self, old: int, new: int) -> list[bytes]:
        return consistency_proof(old, new, nodes_of([leaf_hash(row) for row in self.rows[:new]]))

    def submission(self, old: int, size: int | None = None) -> bytes:
        size = len(self.rows) if size is None else size
        return str(Submission(old, tuple(self.consistency(old, size)), self.note(size))).encode()

    def shown(self, index: int, size: int) -> dict[str, Any]:
        path = inclusion_proof(index, size, nodes_of([leaf_hash(row) for row in self.rows[:size]]))
        return {"row": self.rows[index].decode(), "index": index, "proof": [to_base64(each) for each in path]}

    def question(self, act: int, *, attempt: int = 1, size: int | None = None, **other: Any) -> Question:
        """What a house asks about the set that is sealed by this act."""
        size = len(self.rows) if size is None else size
        data = json.loads(self.rows[act])["data"]
        fields: dict[str, Any] = {
            "venue": data["venue"], "purpose": data["purpose"], "occasion": data["occasion"], "attempt": attempt,
            "root": bytes.fromhex(data["root"]), "count": data["count"], "act_index": act,
            "origin": self.origin, "size": size, "checkpoint_root": self.root(size),
        }  # fmt: skip
        return Question(**fields | other)

    def request(
        self, question: Question, *, old: int, void: int | None = None, seen: Link | None = None
    ) -> dict[str, Any]:
        size = question.size
        proof = self.consistency(min(old, size), max(old, size))
        return {
            "question": question.as_json(),
            "checkpoint": str(self.note(size)),
            "old": old,
            "proof": [to_base64(each) for each in proof],
            "seal": self.shown(question.act_index, size),
            "void": self.shown(void, size) if void is not None else None,
            "seen": seen.as_json() if seen is not None else None,
        }


def _tell_the_house(address: str) -> None:
    """For every program of the house to read, whichever user it is."""
    own_witness_file().write_text(address)
    own_witness_file().chmod(0o644)


class RunningWitness:
    """The witness of a test process: one address for all its tests, and for each test a memory of its own."""

    def __init__(self) -> None:
        self._server: Server | None = None
        self.folder = Path()

    def begin(self, folder: Path) -> None:
        """A new witness in this folder, at the same address as the one before. The house is told where."""
        self.folder = folder
        self.logs = folder.with_name(f"{folder.name}-logs")
        memory = Memory(folder, Keys.load(folder))
        if self._server is None:
            self._server = Server(("127.0.0.1", 0), Witness(memory, self.logs))
            threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        self._server.witness = Witness(memory, self.logs)
        self._server.rates = Rates()
        self.back()

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def memory(self) -> Memory:
        assert self._server is not None
        return self._server.witness.memory

    def away(self) -> None:
        """Nobody answers at its address."""
        _tell_the_house("http://127.0.0.1:1\n")

    def back(self) -> None:
        _tell_the_house(self.url + "\n")

    def watch(self) -> None:
        """Its keeper writes down the house's log, which has begun."""
        from ledger.checkpoints import introduction

        self.logs.write_text(introduction())

    def restart(self, folder: Path | None = None) -> None:
        """Stopped and started again, perhaps from another folder."""
        self.memory.close()
        self.begin(folder or self.folder)

    def end(self) -> None:
        own_witness_file().unlink(missing_ok=True)
        self.memory.close()
