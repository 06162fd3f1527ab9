"""Answering a question: once an attempt, about a set that is sealed in a log that was cosigned, and never otherwise.

Remembered by venue, purpose, occasion and attempt, never by the log's origin or the house's key. The same question gets
the same answer; another one for the same attempt gets the question and the answer that are stored.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

from kernel import notes
from kernel.merkle import check_consistency
from kernel.notes import Checkpoint, Note, NoteError
from kernel.questions import Link, Question
from witness.cosign import check_extends, check_signer, contradicts, cosigned, known_head, own_line, proven_act
from witness.memory import ANY, Log, Memory
from witness.trouble import Refused


@dataclass(frozen=True, slots=True)
class Request:
    """What comes with a question: the head in which the seal stands, how it fits what we cosigned, and the acts."""

    question: Question
    note: Note
    old: int  # the size of the latest head we cosigned, as the house knows it
    proof: tuple[bytes, ...]  # between that and the question's head, whichever is larger
    seal: Any
    void: Any  # from the second attempt on: the void of the one before
    seen: Link | None  # the last answer of ours that the house has

    @classmethod
    def read(cls, said: Any) -> Self:
        try:
            return cls(
                question=Question.from_json(said["question"]),
                note=Note.parse(said["checkpoint"].encode()),
                old=notes.decimal(str(said["old"])),
                proof=notes.hashes(said["proof"]),
                seal=said["seal"],
                void=said["void"],
                seen=Link.from_json(said["seen"]) if said["seen"] is not None else None,
            )
        except (KeyError, TypeError, AttributeError):
            raise Refused(
                400, "unreadable", "A question comes with checkpoint, old, proof, seal, void and seen."
            ) from None
        except ValueError as error:  # a NoteError too
            raise Refused(400, "unreadable", str(error)) from None


def answer(memory: Memory, said: Any) -> dict[str, Any]:
    """The link of our chain, and our cosignature where the head was new to us."""
    request = Request.read(said)
    with memory.lock:
        if memory.state.stopped:
            raise memory.refusal()
        if request.seen is not None:
            shown(memory, request.seen)
        known = memory.link(request.question.key)
        if known is not None:
            return _again(memory, request, known)
        log, head = known_head(memory, request.note)
        line = _check(memory, request, log, head)
        _check_acts(memory, request, head)
        link = _linked(memory, request.question)
        memory.remember({"kind": "answer", "head": line, "link": link.as_json()})
    signed = own_line(memory, Note.parse(line["note"].encode())) if line else None
    return {"link": link.as_json(), "cosignature": signed}


def shown(memory: Memory, link: Link) -> None:
    """Look at an answer of ours. One that we do not remember proves that we have forgotten, and stops us."""
    keys = memory.keys
    if not link.is_right(public=keys.cosigner.public, rsa=keys.rsa_public):
        return  # somebody else's idea of our signature proves nothing
    known = memory.links(since=link.number, limit=1)
    if not known or known[0] != link:
        raise memory.stop(
            f"it was shown its own answer {link.number}, which it does not remember.", shown=link.as_json()
        )


def _again(memory: Memory, request: Request, known: Link) -> dict[str, Any]:
    """What is stored. Where a house has sealed the occasion a second time, it has tried to draw again: people are told.

    Only with that house's signature under it: anybody can send a question.
    """
    question = request.question
    if not question.same_set(known.question):
        try:
            log, head = known_head(memory, request.note)
            request.note.opened(log.all_keys)
            _check_seal(request, head)
        except (Refused, NoteError):
            pass
        else:
            what = "/".join(map(str, question.key))
            memory.alarm(f"{what} was asked about again with another set.", **_evidence(request))
    return {"link": known.as_json(), "cosignature": None}


def _evidence(request: Request) -> dict[str, object]:
    return {"asked": request.question.as_json(), "checkpoint": str(request.note), "seal": request.seal}


def _check(memory: Memory, request: Request, log: Log, head: Checkpoint) -> dict[str, Any] | None:
    """That the question's head is of the log we watch for this venue. Our cosignature, where it is a new one."""
    question = request.question
    if log.venue not in (ANY, question.venue):
        raise Refused(403, "another-venue", f"{log.origin} is the log of {log.venue}, not of {question.venue}.")
    if (head.origin, head.size, head.root) != (question.origin, question.size, question.checkpoint_root):
        raise Refused(422, "another-head", "The question names another head than the checkpoint that is shown.")
    if request.old != log.size:
        raise Refused(409, "size", f"{log.size}", size=log.size)
    if head.size > log.size:
        check_signer(log, request.note)
        check_extends(memory, log, head, request.proof, request.note)
        return cosigned(memory, request.note)
    try:
        request.note.opened(log.all_keys)
    except NoteError as error:
        raise Refused(403, "unsigned", str(error)) from None
    if not check_consistency(head.size, head.root, log.size, log.root_bytes, request.proof):
        contradicts(memory, head, request.note)
        raise Refused(422, "inconsistent", "The checkpoint is not part of what was cosigned.")
    return None


def _check_seal(request: Request, head: Checkpoint) -> None:
    """That the set is sealed in the log as the question has it."""
    question, said = request.question, request.question.as_json()
    sealed = proven_act(head.size, head.root, request.seal, kind="draw.sealed")
    if request.seal["index"] != question.act_index or sealed != {
        name: said[name] for name in ("venue", "purpose", "occasion", "root", "count")
    }:
        raise Refused(422, "another-seal", "The act that is shown does not seal what the question asks about.")


def _check_acts(memory: Memory, request: Request, head: Checkpoint) -> None:
    """That the set is sealed in the log, and the attempt before this one is void there."""
    _check_seal(request, head)
    question = request.question
    if question.attempt == 1:
        return
    venue, purpose, occasion, attempt = question.key
    before = memory.link((venue, purpose, occasion, attempt - 1))
    if before is None:
        raise Refused(422, "attempts-in-order", f"Attempt {attempt - 1} was never asked about.")
    if not question.same_set(before.question):
        what = "/".join(map(str, question.key))
        memory.alarm(f"{what} was asked about with another set than the attempt before.", **_evidence(request))
        raise Refused(422, "another-set", "Every attempt is at the same set, sealed once.")
    void = proven_act(head.size, head.root, request.void, kind="draw.void")
    names = {"venue": venue, "purpose": purpose, "occasion": occasion, "attempt": attempt - 1}
    if any(void.get(name) != value for name, value in names.items()):
        raise Refused(422, "another-void", f"The act that is shown does not declare attempt {attempt - 1} void.")
    if request.void["index"] < before.question.size:
        raise Refused(422, "void-too-early", f"Attempt {attempt - 1} was declared void before it was asked about.")


def _linked(memory: Memory, question: Question) -> Link:
    link = Link(
        number=memory.state.number + 1,
        at=memory.clock(),
        previous=bytes.fromhex(memory.state.digest),
        question=question,
        answer=memory.keys.answer(question.message()),
    )
    return replace(link, signature=memory.keys.sign(link.statement()))
