"""A ticket's code, looked at by somebody who is not the house: what we say to whoever holds the paper."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from kernel.merkle import check_inclusion
from kernel.notes import VerifierKey
from kernel.paper import Paper
from witness.memory import Memory


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence, and whether it is good news."""

    right: bool
    said: str


def look_at(memory: Memory, text: str, proof: str = "") -> list[Finding]:
    """What we can say about a ticket's code and, where the house gave one, its proof that the ticket is in a game."""
    try:
        paper, signature = Paper.read(text)
    except ValueError as error:
        return [Finding(False, str(error))]
    with memory.lock:
        found = [_signed(memory, paper, signature), *_head(memory, paper)]
        if proof.strip():
            found.append(_inside(memory, paper, proof))
    return found


def _signed(memory: Memory, paper: Paper, signature: bytes) -> Finding:
    for text in memory.state.receipts:
        key = VerifierKey.parse(text)
        if key.id == paper.receipt_key and paper.is_signed(signature, by=key.public):
            return Finding(True, f"The house has signed it, with {key.name}.")
    return Finding(False, "It is not signed by a receipt key that this witness knows.")


def _head(memory: Memory, paper: Paper) -> list[Finding]:
    if paper.witness_key != memory.keys.cosigner.id:
        return [Finding(False, "It names another witness than this one.")]
    log = memory.state.logs.get(paper.origin)
    if log is None:
        return [Finding(False, f"It names the log {paper.origin}, which this witness has not been told to watch.")]
    remembered = memory.cosigned(paper.origin, paper.size)
    if remembered is None:
        return [Finding(False, f"This witness has never cosigned {paper.origin} at {paper.size:,} rows.")]
    if remembered[0] != paper.root:
        return [Finding(False, f"At {paper.size:,} rows this witness cosigned another head: history was rewritten.")]
    return [Finding(True, f"It carries the head of {paper.size:,} rows that this witness cosigned at {remembered[1]}.")]


def _inside(memory: Memory, paper: Paper, proof: str) -> Finding:
    """What the house's /verify/ticket.json says of one game: {"game", "entry": {"index", "ticket_count", "path"}}."""
    try:
        said: Any = json.loads(proof)
        game, entry = said["game"], said["entry"]
        index, count, path = entry["index"], entry["ticket_count"], [bytes.fromhex(part) for part in entry["path"]]
        if any(type(number) is not int for number in (game, index, count)):
            raise TypeError
    except (ValueError, KeyError, TypeError, RecursionError):
        return Finding(False, "The proof cannot be read.")
    log = memory.state.logs.get(paper.origin)
    link = memory.link((log.venue, "keno", str(game), 1)) if log is not None else None
    if link is None:
        return Finding(False, f"This witness has not been asked about Keno game {game}.")
    sealed = link.question
    if sealed.count == count and check_inclusion(paper.leaf, index, count, path, sealed.root):
        return Finding(
            True, f"The ticket is in the set that game {game} was drawn from, at {index + 1:,} of {count:,}."
        )
    return Finding(
        False, f"The proof does not lead from this ticket to the set that game {game} was drawn from: it was left out."
    )
