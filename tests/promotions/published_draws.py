"""Published draws made here from their parts, honest unless somebody changes one, with a witness's real answer."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from chance import draw_proof, two_party
from chance.proof import entry_leaf
from chance.select import picks
from chance.two_party import How, Promise, Said
from kernel import unique_signatures
from kernel.merkle import inclusion_proof, nodes_of, root_of
from kernel.questions import Question
from promotions import verify as checker
from promotions.rules.draw import Drawn, EntryOutcome, Loss, result_hash, walk
from tests.world.witness import folder_with_keys
from witness.keys import Keys

MASTER = bytes(range(32))
THROWS = "165423" * 10


@cache
def keys() -> Keys:
    return Keys.load(folder_with_keys(Path(mkdtemp(prefix="meterhouse-rules-")) / "witness"))


def answer(root: bytes, entries: int, *, attempt: int = 1, how: How = How.WITNESS) -> Said:
    """What the witness says to a question about this list."""
    question = Question(
        venue="DEMO", purpose="promotion", occasion="SPRING", attempt=attempt, root=root, count=entries, act_index=17,
        origin="meterhouse.log/tests", size=40, checkpoint_root=bytes([8] * 32),
    )  # fmt: skip
    said = keys().answer(question.message()) if how is How.WITNESS else two_party.dice(THROWS)
    return Said(question=question, how=how, said=said)


def proof_of(said: Said, count: int, *, master: bytes = MASTER) -> dict[str, Any]:
    rsa = keys().rsa_public
    key = unique_signatures.fingerprint(rsa)
    promise = Promise(venue="DEMO", purpose="promotion", name="SPRING", device="rng", witness_key=key)
    return draw_proof.make(
        promise=promise,
        commitment=two_party.commitment(master, promise),
        master=master,
        said=said,
        witness="witness.example/tests",
        rsa=rsa,
        pool=said.question.count,
        count=count,
    )


def signatures(signed: list[list[EntryOutcome]]) -> list[dict[str, str]]:
    return [{"at": "2026-12-01T20:04:00+11:00", "result": result_hash("SPRING", each)} for each in signed]


def published(
    people: list[str],
    *,
    prizes: int = 2,
    alternates: int = 2,
    one: bool = True,
    losses: tuple[Loss, ...] = (),
    barred: tuple[int, ...] = (),
    master: bytes = MASTER,
    attempt: int = 1,
    how: How = How.WITNESS,
    overseen: bool = False,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A published draw over these people's entries, and what was noted before it."""
    texts = [json.dumps({"entry": n, "entrant": person}) for n, person in enumerate(people, start=1)]
    leaves = [entry_leaf(text) for text in texts]
    root = root_of(leaves)
    said = answer(root, len(people), attempt=attempt, how=how)
    numbers = [pick.number for pick in picks(two_party.source(master, said), len(people))]
    drawn = [Drawn(place, n, people[n - 1]) for place, n in enumerate(numbers, start=1)]
    rules: dict[str, Any] = {
        "prizes": prizes, "alternates": alternates, "one_prize_a_person": one, "barred": barred,
    }  # fmt: skip
    standings = walk(drawn, losses=losses, **rules)
    signed = [walk(drawn, losses=losses[:lost], **rules) for lost in range(len(losses) + 1)]
    proof = proof_of(said, len(standings), master=master)
    first = min(len(people), prizes + alternates)
    void = [
        {"attempt": k, "why": "Smoke.", "proof": proof_of(answer(root, len(people), attempt=k), first, master=master)}
        for k in range(1, attempt)
    ]
    node = nodes_of(leaves)
    lines = [
        checker.line(each)
        | {
            "person": each.person,
            "leaf": leaves[each.entry - 1].hex(),
            "path": [part.hex() for part in inclusion_proof(each.entry - 1, len(people), node)],
            "text": texts[each.entry - 1],
        }
        for each in standings
    ]
    made = {
        "version": 2,
        "promotion": "SPRING",
        "draw": "SPRING",
        "list": 1,
        "proof": proof,
        "prizes": [{"prize": n + 1, "name": "Car", "value": "20000.00" if overseen else "1.00"} for n in range(prizes)],
        "alternates": alternates,
        "one_prize_a_person": one,
        "barred": list(barred),
        "losses": [{"place": each.place, "reason": "absent", "redraw": each.redraw} for each in losses],
        "signatures": signatures(signed[0 if overseen else 1 :]),
        "drawn": lines,
        "void": void,
    }
    noted = {"commitment": proof["commitment"], "root": root.hex(), "count": len(people)}
    return json.loads(json.dumps(made)), noted | {"leaves": [leaf.hex() for leaf in leaves]}
