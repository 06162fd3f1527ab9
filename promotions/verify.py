"""Check a published draw of a promotion offline: ``python -m promotions.verify FILE [--commitment HEX] [--root HEX]``.

Needs no database and no Django. FILE is what ``/promotions/CODE/draw.json?published`` answers;
``docs/proof/promotions.md`` says what is in it and how to check it in any language.

A proof can only be held against what somebody knew before the draw: the commitment from the day the promotion opened,
the root and the number of entries from the moment they were sealed, and the witness's key. Give those you noted
yourself (``--commitment``, ``--root``, ``--count``, ``--witness``), or the audit export in which the house sealed them
(``--audit``; check it with ``python -m verify`` first), against which the entries passed over and the prizes lost are
held, too. ``--leaves`` is the sealed list itself, one leaf hash a line: its root is computed again.

Exit 0 right, 1 wrong, 2 unreadable, 3 right but with something a person should look at: attempts that are void, or no
witness's answer.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

from chance import draw_proof
from chance.proof import Step, entry_leaf, holds
from draws.acts import MasterPromised
from kernel.merkle import HASH_SIZE, Tree, check_inclusion
from ledger.acts import OccasionSealed
from promotions.acts.draws import DrawBegun, ScrutineerSigned
from promotions.acts.prizes import PrizeLost
from promotions.published import LEAF, Line, PublishedDraw, Unreadable
from promotions.published import read as read_published
from promotions.rules.draw import PURPOSE, Drawn, EntryOutcome, Outcome, result_hash, walk

_KINDS: Final = (MasterPromised.kind, OccasionSealed.kind, DrawBegun.kind, PrizeLost.kind, ScrutineerSigned.kind)


@dataclass(frozen=True, slots=True)
class Promised:
    """What was published before the draw, as far as the reader knows it."""

    commitment: str | None = None
    root: str | None = None
    count: int | None = None
    witness_key: str | None = None
    begun: DrawBegun | None = None  # what the log says was fixed before the witness was asked,
    losses: tuple[PrizeLost, ...] | None = None  # which prizes were lost since,
    signed: tuple[str, ...] = ()  # and which results the scrutineer signed


NOTHING_NOTED: Final = Promised()


def check(published: object, *, promised: Promised = NOTHING_NOTED, leaves: Iterable[str] | None = None) -> list[Step]:
    """Check a published draw step by step; sound only if every step is ok (`chance.proof.holds`). Never raises."""
    try:
        read = read_published(published)
    except Unreadable as fault:
        return [Step("form", False, str(fault))]
    steps = draw_proof.check(
        read.proof,
        published_commitment=promised.commitment,
        published_root=promised.root,
        witness_key=promised.witness_key,
    )
    if not steps[0].ok:
        return steps
    if promised.count is not None:
        steps.append(_count_step(read, promised.count))
    steps.append(_occasion_step(read))
    if read.void or read.proof["attempt"] != 1:
        steps.append(_void_step(read))
    if promised.begun is not None or promised.losses is not None:
        steps.append(_log_step(read, promised))
    if leaves is not None:
        steps.append(_leaves_step(read, leaves))
    steps.append(_entries_step(read))
    steps.append(_winners_step(read))
    if steps[-1].ok and (read.is_overseen or read.losses or read.signatures):
        steps.append(_signatures_step(read))
    return steps


def _occasion_step(read: PublishedDraw) -> Step:
    proof = read.proof
    if proof["purpose"] != PURPOSE or proof["occasion"] != read.draw:
        words = f"The proof is of {proof['purpose']} {proof['occasion']}, not of the draw {read.draw}."
        return Step("draw", False, words)
    if proof["pool"] != proof["ticket_count"]:
        return Step("draw", False, f"{proof['ticket_count']} entries were sealed, but {proof['pool']} could be drawn.")
    words = f"The proof is of the draw {read.draw}, and every one of the {proof['pool']} sealed entries could be drawn."
    return Step("draw", True, words)


def _void_step(read: PublishedDraw) -> Step:
    """Every attempt before this one is told, with what it gave, from the same promise and the same list."""
    proof = read.proof
    if [each.get("attempt") for each in read.void] != list(range(1, proof["attempt"])):
        return Step("void attempts", False, f"This is attempt {proof['attempt']}; not every one before it is told.")
    told = []
    for each in read.void:
        before = each.get("proof")
        if not holds(draw_proof.check(before)) or not isinstance(before, Mapping):
            return Step("void attempts", False, f"What attempt {each['attempt']} gave is not what it should have.")
        same = ("venue", "purpose", "occasion", "commitment", "ticket_root", "ticket_count", "pool")
        if any(before[name] != proof[name] for name in same) or before["attempt"] != each["attempt"]:
            return Step("void attempts", False, f"Attempt {each['attempt']} was made from something else.")
        told.append(f"{each['attempt']} ({each.get('why')}) would have given {', '.join(map(str, before['numbers']))}")
    return Step("void attempts", True, f"From the same promise and the same list, void attempt {'; '.join(told)}.")


def _log_step(read: PublishedDraw, promised: Promised) -> Step:
    """What decided besides the order stands in the log: who was passed over before asking, and every loss since."""
    begun, lost = promised.begun, promised.losses or ()
    if begun is None:
        return Step("log", False, "The log does not say that this attempt was begun.")
    fixed = (begun.prizes, begun.alternates, begun.one_prize_a_person, list(begun.barred))
    if fixed != (read.prizes, read.alternates, read.one_prize_a_person, read.barred):
        return Step("log", False, "Prizes, alternates or passed-over entries are not those fixed before the draw.")
    ours = [(each.place, each.reason, each.redraw) for each in lost]
    shown = [(each.place, why, each.redraw) for each, why in zip(read.losses, read.reasons, strict=True)]
    if ours != shown:
        return Step("log", False, "The prizes shown as lost are not the ones that the log says were lost.")
    if sorted(promised.signed) != sorted(read.signatures):
        return Step("log", False, "What the scrutineer is shown to have signed is not what the log says.")
    return Step("log", True, f"{len(read.barred)} entries passed over and {len(lost)} prizes lost, as the log says.")


def _count_step(read: PublishedDraw, published: int) -> Step:
    count = read.proof["ticket_count"]
    if count == published:
        return Step("published count", True, f"{count} entries were sealed, as was published before the draw.")
    return Step("published count", False, f"{published} entries were published before the draw; it is over {count}.")


def _leaves_step(read: PublishedDraw, leaves: Iterable[str]) -> Step:
    tree, lines = Tree(), iter(leaves)
    while batch := [line.strip() for line in islice(lines, 1 << 16)]:
        try:
            packed = bytes.fromhex("".join(batch))
        except ValueError:
            packed = b""
        if len(packed) != HASH_SIZE * len(batch) or any(len(line) != 2 * HASH_SIZE for line in batch):
            at = next((n for n, line in enumerate(batch, start=1) if LEAF.fullmatch(line) is None), 1)
            return Step("list", False, f"Line {tree.size + at} of the list is not a leaf: 64 hexadecimal digits.")
        tree.extend(packed)
    if tree.size != read.proof["ticket_count"] or tree.root().hex() != read.proof["ticket_root"]:
        words = f"The list of {tree.size} entries is not the list this draw is bound to: its root is another."
        return Step("list", False, words)
    return Step("list", True, f"The {tree.size} entries of the list lead to the root that the draw is bound to.")


def _entries_step(read: PublishedDraw) -> Step:
    numbers, count, root = read.proof["numbers"], read.proof["ticket_count"], bytes.fromhex(read.proof["ticket_root"])
    if [each.entry for each in read.drawn] != numbers:
        return Step("entries", False, "The entries shown are not the entries that were drawn, in their order.")
    for each in read.drawn:
        if not check_inclusion(each.leaf, each.entry - 1, count, each.path, root):
            return Step("entries", False, f"Entry {each.entry} as shown was not in the sealed list.")
        if each.text is not None and entry_leaf(each.text) != each.leaf:
            return Step("entries", False, f"The text of entry {each.entry} is not what was sealed.")
    if fault := _persons_fault(read.drawn):
        return Step("entries", False, fault)
    return Step("entries", True, f"All {len(numbers)} drawn entries stand in the sealed list, as shown.")


def _persons_fault(drawn: Sequence[Line]) -> str | None:
    """Whether the same person is called the same, and another another, as far as the sealed texts are shown."""
    named: dict[str, str] = {}
    for each in drawn:
        if each.text is None:
            continue
        identity = identity_in(each.text)
        if identity is None:
            return f"The text of entry {each.entry} does not say whose it is."
        if named.setdefault(identity, each.person) != each.person:
            return f"Entry {each.entry} is said to be another person's than it is."
    if len(set(named.values())) != len(named):
        return "Two persons are called the same."
    return None


def identity_in(text: str) -> str | None:
    """Whose an entry is, by its sealed text."""
    try:
        identity = json.loads(text)["entrant"]
    except (KeyError, TypeError, ValueError, RecursionError):
        return None
    return identity if isinstance(identity, str) else None


def _winners_step(read: PublishedDraw) -> Step:
    order = [Drawn(place, each.entry, each.person) for place, each in enumerate(read.drawn, start=1)]
    wanted_more = False

    def shown() -> Iterator[Drawn]:
        nonlocal wanted_more
        yield from order
        wanted_more = True

    try:
        outcomes = _walk(read, shown(), losses=len(read.losses))
    except ValueError as fault:
        return Step("winners", False, str(fault))
    if len(outcomes) < len(order):
        return Step("winners", False, f"{len(order)} entries are shown as drawn; {len(outcomes)} were needed.")
    for outcome, each in zip(outcomes, read.drawn, strict=True):
        if (ours := line(outcome)) != each.shown:
            words = f"Place {outcome.place} should read {_said(ours)}, and reads {_said(each.shown)}."
            return Step("winners", False, words)
    if wanted_more and len(order) < read.proof["pool"]:
        return Step("winners", False, "Fewer entries were drawn than prizes and alternates need; some were left.")
    won = sorted((each.prize, each.entry) for each in outcomes if each.outcome is Outcome.WINNER and each.prize)
    said = "; ".join(f"prize {prize} to entry {entry}" for prize, entry in won[:20]) or "nobody has a prize now"
    return Step("winners", True, f"Walking the drawn order gives the same outcome: {said}{'…' * (len(won) > 20)}.")


def _walk(read: PublishedDraw, order: Iterable[Drawn], *, losses: int) -> list[EntryOutcome]:
    """What became of every entry after so many of the losses."""
    return walk(
        order,
        prizes=read.prizes,
        alternates=read.alternates,
        one_prize_a_person=read.one_prize_a_person,
        losses=read.losses[:losses],
        barred=read.barred,
    )


def _signatures_step(read: PublishedDraw) -> Step:
    """17.2, 15.2: the scrutineer signed what was drawn, where he must, and what came of every loss; nothing else."""
    order = [Drawn(place, each.entry, each.person) for place, each in enumerate(read.drawn, start=1)]
    stood = [result_hash(read.draw, _walk(read, order, losses=lost)) for lost in range(len(read.losses) + 1)]
    if strange := set(read.signatures) - set(stood):
        return Step("signatures", False, f"{len(strange)} signatures are over another outcome than this draw ever had.")
    if read.is_overseen and stood[0] not in read.signatures:
        return Step("signatures", False, "A prize is above $10,000, and the scrutineer did not sign the draw.")
    for lost, result in enumerate(stood[1:], start=1):
        if result not in read.signatures:
            return Step("signatures", False, f"The scrutineer did not sign what came of loss {lost}.")
    return Step("signatures", True, f"The scrutineer signed {len(read.signatures)} results, each as this draw had it.")


def line(outcome: EntryOutcome) -> dict[str, Any]:
    """One place of the published outcome."""
    return {
        "place": outcome.place,
        "entry": outcome.entry,
        "outcome": outcome.outcome.value,
        "prize": outcome.prize,
    }


def _said(line: Mapping[str, object]) -> str:
    prize = f", prize {line['prize']}" if line["prize"] is not None else ""
    return f"entry {line['entry']} {line['outcome']}{prize}"


def promised_in(audit: Iterable[str], *, draw: str, attempt: int) -> Promised:
    """What the acts of an audit export say of a draw: its promise, its list, what was fixed, which prizes were lost."""
    promised, lost, signed = Promised(losses=()), [], []
    for written in audit:
        if not any(kind in written for kind in _KINDS):
            continue
        act = json.loads(written).get("row") or {}
        kind, subject, data = act.get("kind"), str(act.get("subject")), act.get("data") or {}
        if (kind, subject) == (MasterPromised.kind, f"promise:{PURPOSE}/{draw}"):
            promised = replace(promised, commitment=data["commitment"])
        elif (kind, subject) == (OccasionSealed.kind, f"draw:{PURPOSE}/{draw}"):
            promised = replace(promised, root=data["root"], count=data["count"])
        elif (kind, subject) == (DrawBegun.kind, f"promotion:{draw}") and data.get("attempt") == attempt:
            promised = replace(promised, begun=DrawBegun.read(data, subject=subject))
        elif (kind, subject) == (PrizeLost.kind, f"promotion:{draw}"):
            lost.append(PrizeLost.read(data, subject=subject))
        elif (kind, subject) == (ScrutineerSigned.kind, f"promotion:{draw}"):
            signed.append(ScrutineerSigned.read(data, subject=subject))
    number = promised.begun.draw if promised.begun is not None else None
    return replace(
        promised,
        losses=tuple(loss for loss in lost if loss.draw == number),
        signed=tuple(each.result for each in signed if each.draw == number),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m promotions.verify", description="Check a published draw offline.")
    parser.add_argument("file", type=Path, help="the published draw, JSON")
    parser.add_argument("--commitment", help="the commitment you noted before the draw")
    parser.add_argument("--root", help="the root of the sealed entries you noted before the draw")
    parser.add_argument("--count", type=int, help="the number of sealed entries you noted before the draw")
    parser.add_argument("--witness", help="the witness's key that you have: a PEM file, or its SHA-256")
    parser.add_argument("--leaves", type=Path, help="the sealed list, one leaf hash a line")
    parser.add_argument("--audit", type=Path, help="an audit export that holds what was promised")
    asked = parser.parse_args(arguments)
    try:
        published = json.loads(asked.file.read_text())
        promised = Promised(asked.commitment, asked.root, asked.count, _key(asked.witness))
        if asked.audit is not None:
            with asked.audit.open() as trail:
                promised = _from_audit(published, trail, promised)
        leaves = asked.leaves.read_text().splitlines() if asked.leaves is not None else None
    except (OSError, ValueError, RecursionError) as fault:
        print(f"cannot be read: {fault}", file=sys.stderr)  # noqa: T201
        return 2
    steps = check(published, promised=promised, leaves=leaves)
    for step in steps:
        print(f"{'ok  ' if step.ok else 'FAIL'} {step.name}: {step.words}")  # noqa: T201
    if not holds(steps):
        return 1
    return 3 if _wants_a_look(steps) else 0


def _key(given: str | None) -> str | None:
    """A file's text, or what was written."""
    return Path(given).read_text() if given is not None and Path(given).is_file() else given


def _wants_a_look(steps: list[Step]) -> bool:
    return not draw_proof.is_witnessed(steps) or any(step.name == "void attempts" for step in steps)


def _from_audit(published: object, trail: Iterable[str], noted: Promised) -> Promised:
    if not isinstance(published, dict):
        return noted
    proof = published.get("proof")
    attempt = proof.get("attempt") if isinstance(proof, dict) else None
    found = promised_in(trail, draw=str(published.get("draw")), attempt=attempt or 0)
    # Never promised is told by a value that nothing can match, not by checking less.
    return replace(
        found,
        commitment=noted.commitment or found.commitment or "never published",
        root=noted.root or found.root or "never published",
        count=noted.count if noted.count is not None else found.count if found.count is not None else -1,
        witness_key=noted.witness_key,
    )


if __name__ == "__main__":
    sys.exit(main())
