"""Cosigning a log's heads by C2SP's witness protocol: only what extends what was seen before, whoever signs it.

A log is known by its origin, told to the witness by whoever runs it. The house's key may be handed over to another, in
the log itself and signed by the one before; that opens no other log and forgets nothing of this one.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, Final

from kernel import hand_over, notes
from kernel.merkle import EMPTY_ROOT, check_consistency, check_inclusion, leaf_hash
from kernel.notes import ED25519, Checkpoint, Note, NoteError, Submission, Unsigned, VerifierKey
from witness.memory import Log, Memory
from witness.trouble import Refused

ROW_BYTES_LIMIT: Final = 65_535


def add_checkpoint(memory: Memory, body: bytes) -> str:
    """``add-checkpoint``: the line of our cosignature."""
    try:
        submission = Submission.parse(body)
    except NoteError as error:
        raise Refused(400, "unreadable", str(error)) from None
    with memory.lock:
        log, head = known_head(memory, submission.note)
        check_signer(log, submission.note)
        if submission.old > head.size:
            raise Refused(400, "old-too-large", "The old size is larger than the checkpoint's.")
        if submission.old != log.size:
            raise Refused(409, "size", f"{log.size}", size=log.size)
        check_extends(memory, log, head, submission.proof, submission.note)
        kept = Note.parse(log.note.encode()) if log.note else None
        if kept is not None and kept.text == submission.note.text:
            return own_line(memory, kept)  # the same again: nothing new to remember
        fact = cosigned(memory, submission.note)
        memory.remember({"kind": "head", **fact})
    return own_line(memory, Note.parse(fact["note"].encode()))


def known_head(memory: Memory, note: Note) -> tuple[Log, Checkpoint]:
    """The log a checkpoint is of. Our own signature under what we do not remember stops us."""
    if memory.state.stopped:
        raise memory.refusal()
    try:
        head = Checkpoint.parse(note.text)
    except NoteError as error:
        raise Refused(400, "unreadable", str(error)) from None
    shown(memory, note, head)
    log = memory.state.logs.get(head.origin)
    if log is None:
        raise Refused(404, "unknown-log", f"This witness has not been told to watch {head.origin}.")
    return log, head


def check_signer(log: Log, note: Note) -> None:
    """Whether the key that signs this log now has signed the checkpoint."""
    try:
        signed = note.signed_by(log.signer)
    except Unsigned as error:
        raise Refused(403, "unsigned", str(error)) from None
    if signed is None:
        raise Refused(403, "unsigned", "The checkpoint is not signed by the key that signs this log.")


def check_extends(memory: Memory, log: Log, head: Checkpoint, proof: tuple[bytes, ...], note: Note) -> None:
    """Whether the head goes on from the latest one we cosigned. Two that do not fit are evidence, and kept."""
    before = (log.size, log.root_bytes if log.size else EMPTY_ROOT)
    if check_consistency(*before, head.size, head.root, proof):
        return
    contradicts(memory, head, note)
    raise Refused(422, "inconsistent", "The checkpoint does not extend the one that was cosigned before it.")


def contradicts(memory: Memory, head: Checkpoint, note: Note) -> None:
    """A signed head that no proof could fit to the one we cosigned at its size. (A wrong proof alone shows nothing:
    checkpoints are public, and anybody can send one with a wrong proof.)"""
    remembered = memory.cosigned(head.origin, head.size)
    if remembered is not None and remembered[0] != head.root:
        memory.alarm(f"{head.origin} has two heads of {head.size} rows.", shown=str(note))


def cosigned(memory: Memory, note: Note) -> dict[str, Any]:
    """The checkpoint with the log's own signatures and ours, now."""
    at = memory.clock()
    keys = [VerifierKey.parse(key) for key in memory.state.logs[Checkpoint.parse(note.text).origin].keys]
    theirs = tuple(each for each in note.signatures if any(each.by(key) for key in keys))
    line = notes.cosignature(memory.keys.cosigner, note.text, at, memory.keys.sign)
    return {"note": str(Note(note.text, (*theirs, line))), "time": at}


def own_line(memory: Memory, note: Note) -> str:
    return next(str(each) for each in note.signatures if each.by(memory.keys.cosigner))


def shown(memory: Memory, note: Note, head: Checkpoint) -> None:
    """Look for our own cosignature on a checkpoint. Beyond what we remember it proves that we have forgotten."""
    try:
        at = note.signed_by(memory.keys.cosigner)
    except Unsigned:
        return  # somebody else's idea of our signature proves nothing
    if at is None:
        return
    log = memory.state.logs.get(head.origin)
    remembered = memory.cosigned(head.origin, head.size)
    if log is None or head.size > log.size or remembered is None or remembered[0] != head.root:
        raise memory.stop(
            f"it was shown its own signature of {head.origin} at {head.size} rows, which it does not remember.",
            shown=str(note),
        )


def latest(memory: Memory, origin_hash: str) -> str:
    """The monitors' call: the latest checkpoint of a log, by the hash of its origin."""
    with memory.lock:
        for log in memory.state.logs.values():
            if sha256(log.origin.encode()).hexdigest() == origin_hash and log.note:
                return log.note
    raise Refused(404, "unknown-log", "Nothing has been cosigned for this log.")


def take_over(memory: Memory, said: dict[str, object]) -> None:
    """The house's key is handed over: the act that says so stands in the log up to the head we cosigned last."""
    with memory.lock:
        if memory.state.stopped:
            raise memory.refusal()
        log = memory.state.logs.get(str(said.get("origin")))
        if log is None:
            raise Refused(404, "unknown-log", "This witness has not been told to watch that log.")
        if said.get("size") != log.size:
            raise Refused(409, "size", f"{log.size}", size=log.size)
        data = proven_act(log.size, log.root_bytes, said.get("act"), kind="keys.hand-over")
        try:
            change = hand_over.HandOver.read(data)
        except ValueError as error:
            raise Refused(422, "no-hand-over", str(error)) from None
        new = str(VerifierKey(log.origin, ED25519, change.new))
        if new in log.keys:
            return
        if change.old != hand_over.fingerprint(log.signer.public) or not change.is_signed(by=log.signer.public):
            raise Refused(403, "unsigned", "The key that signs this log has not handed over to this one.")
        memory.remember({"kind": "handed-over", "key": new, "act": data})


def proven_act(size: int, root: bytes, said: Any, *, kind: str) -> dict[str, object]:
    """The data of an act that stands in the log, shown with its place and the proof of it."""
    try:
        row, index = said["row"].encode(), said["index"]
        proof = notes.hashes(said["proof"])
        if type(index) is not int or len(row) > ROW_BYTES_LIMIT:
            raise TypeError
    except (KeyError, TypeError, AttributeError, ValueError):
        raise Refused(400, "unreadable", "An act is shown with its row, its index and its proof.") from None
    if not check_inclusion(leaf_hash(row), index, size, proof, root):
        raise Refused(422, "not-in-the-log", f"This row does not stand at {index} of the log of {size} rows.")
    try:
        act = json.loads(row)
        if act["type"] != "act" or act["kind"] != kind or not isinstance(act["data"], dict):
            raise KeyError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Refused(422, "another-act", f"This row is no act of the kind {kind}.") from None
    return {**act["data"]}
