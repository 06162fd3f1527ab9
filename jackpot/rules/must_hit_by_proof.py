"""The published proof of one decision of a must-hit-by link, and its check by anybody: no Django, no database.

    python -m jackpot.rules.must_hit_by_proof FILE [COMMITMENT]

FILE is what ``GET /api/v1/jackpot/pools/{code}/mystery/{number}`` answers once its gaming day is over; COMMITMENT what
the reader noted on that day. ``docs/proof/must-hit-by.md`` says how a decision is made. What is checked here is one
movement by itself; that they follow each other without a gap is checked from an export (``jackpot/verify.py``).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from chance import two_party
from chance.proof import Step, holds
from chance.two_party import How, Promise, Said
from jackpot.rules import must_hit_by
from jackpot.rules.must_hit_by import Bounds, Counted
from kernel import unique_signatures
from kernel.money import Money
from kernel.questions import Question

VERSION: Final = 2
_HEX_LIMIT: Final = 4096


def written_wager(wager: Counted) -> dict[str, object]:
    return {
        "wager": wager.wager,
        "table": wager.table,
        "box": wager.box,
        "received": wager.received,
        "increment": str(wager.increment),
    }


def make(*, promise: Promise, commitment: bytes, master: bytes, said: Said, rsa: bytes) -> dict[str, object]:
    """It reveals the master: publish it after its gaming day and not before."""
    return {
        "version": VERSION,
        "algorithm": two_party.ALGORITHM,
        "promise": {
            "venue": promise.venue,
            "purpose": promise.purpose,
            "name": promise.name,
            "device": promise.device,
            "witness_key": promise.witness_key.hex(),
            "beacon": promise.beacon,
        },
        "commitment": commitment.hex(),
        "master": master.hex(),
        "rsa": rsa.hex(),
        "question": said.question.as_json(),
        "how": said.how.value,
        "said": said.said.hex(),
        "beacon": said.beacon.hex(),
    }


@dataclass(frozen=True, slots=True)
class _Read:
    promise: Promise
    commitment: bytes
    master: bytes
    rsa: bytes
    said: Said
    wagers: list[Counted]
    before: int
    after: int
    bounds: list[Bounds]  # of each pool in turn
    falls: list[tuple[str, str, str]]  # point, amount and wager, as they are written
    occasion: str
    root: bytes


def check(document: object, *, published_commitment: str | None = None) -> list[Step]:
    """Whether a published decision is what promise, wagers and answer give. Sound only if every step is ok."""
    try:
        read = _read(document)
    except (KeyError, TypeError, ValueError, AttributeError):
        return [Step("form", False, "This is no published decision, or its proof is not shown yet.")]
    steps = [Step("form", True, "The document can be read.")]
    if published_commitment is not None:
        noted = published_commitment.strip().lower()
        steps.append(Step("noted commitment", read.commitment.hex() == noted, "It is the commitment that you noted."))
    kept = two_party.keeps(read.commitment, read.master, read.promise)
    steps.append(Step("promise", kept, "The master is the one that was promised before the day."))
    question = read.said.question
    about = (
        question.purpose == read.promise.purpose == must_hit_by.PURPOSE
        and question.occasion == read.occasion
        and read.occasion.startswith(f"{read.promise.name}/")
        and question.root == read.root == must_hit_by.root(read.wagers)
        and question.count == len(read.wagers)
    )
    steps.append(Step("wagers", about, "The second party was asked about exactly these wagers."))
    steps.append(_second_party(read))
    steps.append(_falls(read))
    return steps


def _second_party(read: _Read) -> Step:
    said = read.said
    if said.how is not How.WITNESS:
        return Step("unwitnessed", True, f"No witness took part: {said.how.value} stands in its place.")
    right = unique_signatures.fingerprint(read.rsa) == read.promise.witness_key and unique_signatures.verify(
        read.rsa, said.question.message(), said.said
    )
    return Step("witness", right, "The witness named in the promise has signed the question.")


def _falls(read: _Read) -> Step:
    ordered = must_hit_by.in_order(read.wagers, answer=read.said.said)
    stream = two_party.source(read.master, read.said)
    last = len(read.bounds) - 1
    try:
        found = must_hit_by.decide(
            before=read.before,
            increments=[each.increment.micros for each in ordered],
            bounds=lambda falls: read.bounds[min(falls, last)],
            below=lambda bound: stream.below(bound)[0],
        )
    except (ValueError, OverflowError):
        return Step("decision", False, "The meter does not lie below its ceiling.")
    fell = [(str(Money(f.point)), str(Money(f.amount)), ordered[f.wager].wager) for f in found.falls]
    right = fell == read.falls and found.after == read.after
    words = "; ".join(f"it falls at {point} and pays {amount} to {wager}" for point, amount, wager in fell)
    return Step("decision", right, f"Master, wagers and answer give: {words or 'it does not fall'}.")


def _read(document: object) -> _Read:
    if not isinstance(document, Mapping):
        raise TypeError("no document")
    proof = document["proof"]
    promise = dict(proof["promise"])
    promise["witness_key"] = _bytes(promise["witness_key"])
    if proof["version"] != VERSION or proof["algorithm"] != two_party.ALGORITHM:
        raise ValueError("another version")
    wagers = [
        Counted(**{**dict(each), "increment": Money.parse_exact(each["increment"])})
        for each in document["entry"]["wagers"]
    ]
    falls: Sequence[Mapping[str, Any]] = document["falls"]
    return _Read(
        promise=Promise(**promise),
        commitment=_bytes(proof["commitment"]),
        master=_bytes(proof["master"]),
        rsa=_bytes(proof["rsa"]),
        said=Said(
            question=Question.from_json(proof["question"]),
            how=How(proof["how"]),
            said=_bytes(proof["said"]),
            beacon=_bytes(proof["beacon"]),
        ),
        wagers=wagers,
        before=Money.parse_exact(document["before"]).micros,
        after=Money.parse_exact(document["after"]).micros,
        bounds=[_bounds("0.00", document["ceiling"]), *(_bounds(each["start"], each["ceiling"]) for each in falls)],
        falls=[(each["point"], each["amount"], each["wager"]) for each in falls],
        occasion=str(document["occasion"]),
        root=_bytes(document["ticket_root"]),
    )


def _bounds(start: str, ceiling: str) -> Bounds:
    return Bounds(Money.parse_exact(start).micros, Money.parse_exact(ceiling).micros)


def _bytes(said: object) -> bytes:
    if not isinstance(said, str) or len(said) > _HEX_LIMIT:
        raise ValueError("hexadecimal digits are expected")
    return bytes.fromhex(said)


def main(arguments: list[str]) -> int:
    say = sys.stdout.write
    if not 1 <= len(arguments) <= 2:
        say(__doc__ or "")
        return 2
    try:
        document = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        say(f"{arguments[0]} cannot be read: {fault}\n")
        return 2
    steps = check(document, published_commitment=arguments[1] if len(arguments) == 2 else None)
    for step in steps:
        say(f"{'ok ' if step.ok else 'NO '} {step.name}: {step.words}\n")
    return 0 if holds(steps) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
