"""The published proof of a must-hit-by jackpot, and its check by anybody, anywhere: no Django, no database.

    python -m jackpot.rules.mystery_proof FILE [COMMITMENT]

FILE is what ``GET /api/v1/jackpot/pools/{code}/mystery/{number}`` answers after the win; COMMITMENT what the reader
noted before it. The draw is one number of the cents between floor and ceiling (``docs/proof/README.md``), bound to
them: they are the one entry of the sealed set.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from chance import proof as proofs
from chance.commitment import Occasion
from chance.proof import Step
from chance.select import source
from jackpot.rules.mystery import Below
from kernel.canonical import canonical
from kernel.money import MICROS_PER_CENT, Money

ENTRIES: Final = 1


def bounds(*, link: str, number: int, floor: Money, ceiling: Money) -> str:
    """What is promised beside the commitment: the text that the draw is bound to."""
    return canonical({"link": link, "number": number, "floor": str(floor), "ceiling": str(ceiling)}).decode()


def root(text: str) -> bytes:
    return proofs.entry_leaf(text)  # the root of a tree of one leaf


def fair(*, seed: bytes, occasion: Occasion, text: str) -> Below:
    """The numbers that seed and bounds give, for ``mystery.trigger_point``."""
    stream = source(seed=seed, occasion=occasion, ticket_root=root(text), ticket_count=ENTRIES)
    return lambda bound: stream.below(bound)[0]


def cents(amount: Money) -> int:
    return amount.micros // MICROS_PER_CENT


def make(*, seed: bytes, occasion: Occasion, floor: Money, ceiling: Money) -> dict[str, Any]:
    """{"proof", "entry"}: reveals the seed."""
    text = bounds(link=occasion.game, number=occasion.attempt, floor=floor, ceiling=ceiling)
    return {
        "proof": proofs.make(
            seed=seed,
            occasion=occasion,
            ticket_root=root(text),
            ticket_count=ENTRIES,
            pool=cents(ceiling - floor),
            count=1,
        ),
        "entry": proofs.make_entry(entry=text, index=0, ticket_count=ENTRIES, node=lambda low, high: root(text)),
    }


def check(document: object, *, published_commitment: str | None = None) -> list[Step]:
    """Whether the point of a published document is the one that was sealed. Sound only if every step is ok."""
    if not isinstance(document, Mapping):
        return [Step("form", False, "The document is a JSON object.")]
    proof, entry = document.get("proof"), document.get("entry")
    steps = proofs.check(proof, published_commitment=published_commitment)
    if not proofs.holds(steps):
        return steps
    steps += proofs.check_entry(entry, proof)
    if not proofs.holds(steps):
        return steps
    assert isinstance(proof, Mapping)
    assert isinstance(entry, Mapping)
    return [*steps, _bounds_step(document, proof, entry)]


def _bounds_step(document: Mapping[str, Any], proof: Mapping[str, Any], entry: Mapping[str, Any]) -> Step:
    try:
        floor, ceiling, point = (Money.parse(str(document.get(name))) for name in ("floor", "ceiling", "point"))
    except ValueError:
        return Step("point", False, "Floor, ceiling and point are amounts in dollars and cents.")
    text = bounds(link=str(proof["game"]), number=proof["attempt"], floor=floor, ceiling=ceiling)
    same = (document.get("link"), document.get("number")) == (proof["game"], proof["attempt"])
    if not same or entry["entry"] != text:
        return Step("point", False, f"The draw is bound to {entry['entry']}, not to {text}.")
    found = floor + Money.cents(proof["numbers"][0])
    ok = found == point and proof["pool"] == cents(ceiling - floor) and len(proof["numbers"]) == 1
    words = f"Number {proof['numbers'][0]} of the {proof['pool']} cents above {floor} is {found}: " + (
        f"the point that was paid, at most the ceiling of {ceiling}." if ok else f"not the {point} of the document."
    )
    return Step("point", ok, words)


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
    return 0 if proofs.holds(steps) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
