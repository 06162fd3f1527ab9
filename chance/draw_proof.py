"""The published proof of a draw between two parties (version 2), and its check, step by step and in words.

Plain data (JSON) with everything a stranger needs to compute the numbers himself, as ``docs/proof/draws.md`` says it
byte for byte. Checking never raises on what a stranger may hand in: a proof that cannot be read is a step that failed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from chance import beacon, two_party
from chance.proof import (
    COUNT_LIMIT,
    Step,
    Unreadable,
    entry_steps,
    holds,
    numbers_step,
    of_version,
    read_drawn,
    read_hash,
    same,
    whole_number,
)
from chance.two_party import ALGORITHM, How, Promise, Said
from kernel import unique_signatures
from kernel.questions import NAME_LIMIT, Question

__all__ = ["VERSION", "Step", "check", "check_entry", "holds", "is_witnessed", "make"]

VERSION: Final = 2
UNWITNESSED: Final = "unwitnessed"

_HEXADECIMAL = re.compile(r"(?:[0-9a-f]{2})+").fullmatch
_SAID_LIMIT: Final = 4096  # hexadecimal digits: four times the witness's signature
_PEM_LIMIT: Final = 2048


def make(
    *,
    promise: Promise,
    commitment: bytes,
    master: bytes,
    said: Said,
    witness: str,
    rsa: bytes,
    pool: int,
    count: int,
    said_at: int = 0,
) -> dict[str, object]:
    """The proof of one attempt. It reveals the master: publish it at settlement and not before.

    *witness*, *rsa*: the name and the public RSA key (DER) that the promise names. *said_at*: the second of the answer,
    by the witness's clock (or of the inspector's act in its place), which a beacon's round follows. ValueError where
    they do not belong together.
    """
    question = said.question
    if not two_party.keeps(commitment, master, promise):
        raise ValueError("This master is not the one that was promised.")
    if unique_signatures.fingerprint(rsa) != promise.witness_key:
        raise ValueError("The promise names another witness's key.")
    if (question.venue, question.purpose, question.occasion) != (promise.venue, promise.purpose, promise.name):
        raise ValueError("What was promised is another draw.")
    number, signature = two_party.round_of(said.beacon) if said.beacon else (0, b"")
    return {
        "version": VERSION,
        "algorithm": ALGORITHM,
        "venue": promise.venue,
        "purpose": promise.purpose,
        "occasion": promise.name,
        "attempt": question.attempt,
        "device": promise.device,
        "beacon": promise.beacon,
        "commitment": commitment.hex(),
        "master": master.hex(),
        "witness": {"name": witness, "rsa": unique_signatures.to_pem(rsa)},
        "question": question.as_json(),
        "how": said.how.value,
        "said": said.said.hex(),
        "beacon_round": {"round": number, "signature": signature.hex(), "at": said_at} if said.beacon else None,
        "ticket_root": question.root.hex(),
        "ticket_count": question.count,
        "pool": pool,
        "numbers": two_party.numbers(master, said, pool=pool, count=count),
    }


def check(
    proof: object,
    *,
    published_commitment: str | None = None,
    published_root: str | None = None,
    witness_key: str | None = None,
) -> list[Step]:
    """Check a proof, and, where the reader noted them himself, that it answers the commitment and the root published
    then, and that the witness is the one whose key he has (PEM, or the SHA-256 of the key in hexadecimal digits).

    Sound only if every step is ok: see `holds`. Whether a witness answered at all: see `is_witnessed`.
    """
    read = _tried(proof)
    if isinstance(read, Step):
        return [read]
    steps = [Step("form", True, "The proof can be read: every part is there and has the right form.")]
    if published_commitment is not None:
        steps.append(same("published commitment", read.commitment.hex(), published_commitment))
    if published_root is not None:
        steps.append(same("published ticket root", read.ticket_root.hex(), published_root))
    if witness_key is not None:
        steps.append(_witness_key_step(read, witness_key))
    steps += [_commitment_step(read), _question_step(read), _second_party_step(read)]
    if read.promise.beacon:
        steps.append(_beacon_step(read))
    come_from = "The house's master, the question and what was said to it"
    steps.append(numbers_step(two_party.source(read.master, read.said), pool=read.pool, said=read.drawn,
                              come_from=come_from))  # fmt: skip
    return steps


def is_witnessed(steps: list[Step]) -> bool:
    """Whether a witness's signature was checked: not where dice or a public round stand in its place."""
    return holds(steps) and not any(step.name == UNWITNESSED for step in steps)


def check_entry(entry_proof: object, proof: object) -> list[Step]:
    """Check that the entry was in the set the draw is bound to."""
    read = _tried(proof)
    if isinstance(read, Step):
        return [read]
    return entry_steps(entry_proof, ticket_root=read.ticket_root, ticket_count=read.ticket_count)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    promise: Promise
    attempt: int
    commitment: bytes
    master: bytes
    witness: str
    rsa: bytes
    said: Said
    said_at: int  # 0: no beacon takes part, and nobody has to know
    ticket_root: bytes
    ticket_count: int
    pool: int
    drawn: list[int]


def _tried(proof: object) -> _Read | Step:
    """The proof, or the step that fails where it cannot be read."""
    try:
        return _read(of_version(proof, VERSION))
    except Unreadable as fault:
        return Step("form", False, str(fault))


def _read(proof: Mapping[object, object]) -> _Read:
    if proof.get("algorithm") != ALGORITHM:
        raise Unreadable(f"This check knows one algorithm: {ALGORITHM}.")
    (witness, rsa), heard = _read_witness(proof.get("witness")), proof.get("beacon_round")
    pool, drawn = read_drawn(proof)
    promise = Promise(
        venue=_text(proof, "venue"),
        purpose=_text(proof, "purpose"),
        name=_text(proof, "occasion"),
        device=_text(proof, "device"),
        witness_key=unique_signatures.fingerprint(rsa),
        beacon=_text(proof, "beacon", may_be_empty=True),
    )
    return _Read(
        promise=promise,
        attempt=whole_number(proof, "attempt", 1, COUNT_LIMIT),
        commitment=read_hash(proof, "commitment"),
        master=read_hash(proof, "master"),
        witness=witness,
        rsa=rsa,
        said=_read_said(proof, has_beacon=bool(promise.beacon)),
        said_at=whole_number(heard, "at", 1, COUNT_LIMIT) if isinstance(heard, Mapping) else 0,
        ticket_root=read_hash(proof, "ticket_root"),
        ticket_count=whole_number(proof, "ticket_count", 0, COUNT_LIMIT),
        pool=pool,
        drawn=drawn,
    )


def _text(proof: Mapping[object, object], name: str, *, may_be_empty: bool = False) -> str:
    text = proof.get(name)
    if not (isinstance(text, str) and len(text) <= NAME_LIMIT and text.isascii() and text.isprintable()):
        raise Unreadable(f"{name} is a text of at most {NAME_LIMIT} printable ASCII characters.")
    if not text and not may_be_empty:
        raise Unreadable(f"{name} is missing.")
    return text


def _bytes(said: object, name: str) -> bytes:
    if not isinstance(said, str) or len(said) > _SAID_LIMIT or not _HEXADECIMAL(said):
        raise Unreadable(f"{name} is written as small hexadecimal digits, at most {_SAID_LIMIT}.")
    return bytes.fromhex(said)


def _read_witness(said: object) -> tuple[str, bytes]:
    if not isinstance(said, Mapping):
        raise Unreadable("witness is an object with its name and its public key, rsa.")
    name, pem = _text(said, "name"), said.get("rsa")
    if not isinstance(pem, str) or len(pem) > _PEM_LIMIT:
        raise Unreadable("The witness's key is written as a PEM file.")
    try:
        return name, unique_signatures.from_pem(pem)
    except ValueError as fault:
        raise Unreadable(str(fault)) from None


def _read_said(proof: Mapping[object, object], *, has_beacon: bool) -> Said:
    try:
        question, how = Question.from_json(proof.get("question")), How(str(proof.get("how")))
    except ValueError as fault:
        raise Unreadable(f"The question, or how it was answered, cannot be read: {fault}") from None
    said, part, heard = _bytes(proof.get("said"), "said"), b"", proof.get("beacon_round")
    if has_beacon != (heard is not None):
        raise Unreadable("A round of the beacon is part of the draw exactly where the promise names a beacon.")
    if heard is not None:
        if not isinstance(heard, Mapping):
            raise Unreadable("beacon_round is an object with round, signature and at.")
        number = whole_number(heard, "round", 1, COUNT_LIMIT)
        part = two_party.beacon_round(number, _bytes(heard.get("signature"), "signature"))
    return Said(question=question, how=how, said=said, beacon=part)


def _commitment_step(read: _Read) -> Step:
    promise, computed = read.promise, two_party.commitment(read.master, read.promise)
    ok = computed == read.commitment
    words = (
        f"The master {read.master.hex()} of {promise.purpose} {promise.name} at {promise.venue}, with the device "
        f"{promise.device}, the key of the witness {read.witness} and "
        f"{f'the beacon {promise.beacon}' if promise.beacon else 'no beacon'}, hashes to {computed.hex()}. "
        f"The commitment is {read.commitment.hex()}: "
        + ("the house kept what it promised." if ok else "this is not what was promised.")
    )
    return Step("commitment", ok, words)


def _question_step(read: _Read) -> Step:
    question, promise = read.said.question, read.promise
    pairs = (
        ("venue", question.venue, promise.venue),
        ("purpose", question.purpose, promise.purpose),
        ("occasion", question.occasion, promise.name),
        ("attempt", question.attempt, read.attempt),
        ("ticket root", question.root.hex(), read.ticket_root.hex()),
        ("number of entries", question.count, read.ticket_count),
    )
    other = [f"its {what} is {asked}, not {ours}" for what, asked, ours in pairs if asked != ours]
    words = (
        f"The question is about another draw: {'; '.join(other)}."
        if other
        else f"The question is about attempt {read.attempt} at this draw and this sealed set: {read.ticket_count} "
        f"entries with the root {read.ticket_root.hex()}, sealed by row {question.act_index} of the log "
        f"{question.origin}, under its head of {question.size} rows."
    )
    return Step("question", not other, words)


def _second_party_step(read: _Read) -> Step:
    match read.said.how:
        case How.WITNESS:
            return _signature_step(read)
        case How.DICE:
            return _dice_step(read)
        case How.BEACON:
            return _named_round_step(read)


def _signature_step(read: _Read) -> Step:
    ok = unique_signatures.verify(read.rsa, read.said.question.message(), read.said.said)
    words = (
        f"The witness {read.witness} has signed this question, and there is only this one signature of it: nobody "
        "could choose it, and the house could not know it before it asked."
        if ok
        else f"This is not the signature of the witness {read.witness} under this question."
    )
    return Step("witness", ok, words)


def _dice_step(read: _Read) -> Step:
    try:
        throws = two_party.throws_of(read.said.said)
    except ValueError:
        return Step(UNWITNESSED, False, "What stands in the place of the witness's answer are no throws of dice.")
    return Step(
        UNWITNESSED,
        True,
        "No witness took part in this attempt. It was away, and an inspector threw dice in its place after the set was "
        f"sealed: {throws}. Ask for his act in the log (draw.replaced), and compare with the witness's own answers.",
    )


def _named_round_step(read: _Read) -> Step:
    try:
        number, signature = two_party.round_of(read.said.said)
    except ValueError:
        return Step(UNWITNESSED, False, "What stands in the place of the witness's answer is no round of a beacon.")
    ok, checked = _is_drands(number, signature)
    return Step(
        UNWITNESSED,
        ok,
        "No witness took part in this attempt. It was away, and an inspector named a public round of drand that was "
        f"still to come. {checked} Ask for his acts in the log (draw.round-named, draw.replaced).",
    )


def _beacon_step(read: _Read) -> Step:
    (number, signature), rule = two_party.round_of(read.said.beacon), read.promise.beacon
    try:
        due = beacon.round_of_rule(rule, at=read.said_at)
    except ValueError:
        return Step("beacon", False, f"The promise names a beacon that this check does not know: {rule}.")
    words = (
        f"The promise names the public beacon {rule}. The answer was given at {read.said_at} (seconds since 1970; the "
        f"witness's own chain of answers says it too), so the round is number {due}. "
    )
    if number != due:
        return Step("beacon", False, f"{words}In this proof it is number {number}.")
    ok, checked = _is_drands(number, signature)
    return Step("beacon", ok, f"{words}{checked}")


def _is_drands(number: int, signature: bytes) -> tuple[bool, str]:
    told = f"Round {number} is {signature.hex()}"
    if not beacon.can_check():
        return True, f"{told}. That drand signed it was not checked here: compare it with what drand publishes."
    ok = beacon.is_genuine(number, signature)
    return ok, f"{told}, signed by drand." if ok else f"{told}: that is not drand's signature."


def _witness_key_step(read: _Read, noted: str) -> Step:
    ours = unique_signatures.fingerprint(read.rsa).hex()
    text = noted.strip()
    if text.startswith("-----"):
        try:
            text = unique_signatures.fingerprint(unique_signatures.from_pem(text)).hex()
        except ValueError as fault:
            return Step("witness's key", False, f"The key you have cannot be read. {fault}")
    ok = ours == text.lower()
    words = (
        f"The witness's key is the one you have: {ours}."
        if ok
        else f"You have the witness's key {text}. In this proof it is {ours}. They are not the same."
    )
    return Step("witness's key", ok, words)
