"""A past game redrawn: the house, with every key of its own, chooses another seed for a game that is over, and puts
promise, numbers and settlement right. What it cannot make is what the witness signed."""

from __future__ import annotations

import copy
from hashlib import sha256

import pytest

from chance import two_party
from chance.two_party import Said
from draws.record import DrawsOnRecord
from kernel.export_check import Doubt
from kernel.notes import COSIGNATURE_V1, VerifierKey
from ledger.verify import Witnessed
from tests.world.falsified import Draft, Exported, Forger, cosigned_heads, doubted, falsified, roots_at, wrong
from tests.world.keno_changes import of_game

GAME = 1  # the one between two parties
PLAYED = frozenset({1, 2, 3, 4, 5})  # by its only ticket


def _record(draft: Draft) -> DrawsOnRecord:
    record = DrawsOnRecord("keno")
    for row in draft.rows:
        if row["type"] == "act" and row["kind"].startswith(("draw.", "witness.")) and row["data"].get("purpose"):
            record.act(row["kind"], row["data"])
    return record


def _chosen(old: list[int], said: Said) -> tuple[bytes, list[int]]:
    """A seed that suits the forger: other numbers, and of them as many on the ticket, so that no amount changes."""
    for trial in range(100_000):
        master = sha256(b"chosen seed %d" % trial).digest()
        numbers = two_party.numbers(master, said, pool=80, count=20)
        if set(numbers) != set(old) and len(PLAYED & set(numbers)) == len(PLAYED & set(old)):
            return master, numbers
    raise AssertionError("no seed suits him")


def redrawn(draft: Draft) -> None:
    record = _record(draft)
    settled = of_game(draft, "keno.settled", GAME)["data"]
    old = list(settled["numbers"])
    master, numbers = _chosen(old, record.said(str(GAME), 1))
    commitment = two_party.commitment(master, record.promise(str(GAME)).promise).hex()
    for row in draft.rows:
        if row["type"] != "act":
            continue
        data = row["data"]
        if row["subject"] == f"promise:keno/{GAME}":
            data.update({"commitment": commitment} if "commitment" in data else {"master": master.hex()})
        elif row["subject"] == f"keno-game:{GAME}":
            told: dict[str, object] = {"commitment": commitment, "seed": master.hex(), "numbers": numbers}
            told["number"] = numbers[data.get("place", 1) - 1]
            data.update({name: made for name, made in told.items() if data.get(name)})


def test_its_rows_fit_one_another(keno_house: Exported) -> None:
    """Whoever had the witness's keys as well could do it: nothing else is wrong with it, and the numbers are others."""
    draft = Draft.of(keno_house.lines)
    before = copy.deepcopy(of_game(draft, "keno.settled", GAME)["data"])
    redrawn(draft)
    after = of_game(draft, "keno.settled", GAME)["data"]
    assert set(before["numbers"]) != set(after["numbers"])
    assert (before["seed"] != after["seed"], before["totals"] == after["totals"]) == (True, True)
    assert doubted(keno_house, redrawn) == ""


def test_with_all_keys_of_the_house_the_witness_gives_it_away(keno_house: Exported) -> None:
    """The seals are signed anew; the witness cosigned the old promise, and answered under a head that is gone."""
    said = wrong(keno_house, redrawn, by=Forger.HOUSE)
    assert "opened before the witness had seen its promise" in said or "names a head that was never sealed" in said
    assert wrong(keno_house, redrawn).startswith("line ")  # and without keys it is the first changed row


def test_without_its_cosignatures_and_questions_the_game_was_never_drawn(keno_house: Exported) -> None:
    """He leaves out what the witness had to say, and pretends that it had not been there."""

    def change(draft: Draft) -> None:
        redrawn(draft)
        draft.remove(*draft.acts("witness.asked"), *draft.acts("witness.answered"))
        del draft.act("keys.first")["data"]["witness"]

    assert "nobody was asked about attempt 1" in doubted(keno_house, change)
    assert wrong(keno_house, change, by=Forger.HOUSE)


def test_a_question_asked_anew_has_no_answer(keno_house: Exported) -> None:
    """He names the head that he has made: the answer that was given is not one to that question."""
    asked = [row for row in Draft.of(keno_house.lines).acts("witness.asked") if row["data"]["occasion"] == str(GAME)]
    assert len(asked) == 1

    def change(draft: Draft) -> None:
        redrawn(draft)
        sizes = {row["data"]["size"] for row in draft.acts("witness.asked")}
        made = Draft.of(falsified(keno_house, redrawn, by=Forger.HOUSE).splitlines(keepends=True))
        roots = roots_at(made.lines(), dict.fromkeys(sizes, b""))
        for kind in ("witness.asked", "witness.answered"):
            row = draft.act(kind)
            row["data"]["checkpoint_root"] = roots[row["data"]["size"]].hex()

    witnessed = Witnessed()
    draft = Draft.of(falsified(keno_house, change, by=Forger.HOUSE).splitlines(keepends=True))
    witnessed.heads = roots_at(draft.lines(), {draft.act("witness.asked")["data"]["size"]: b""})
    spoken = [(index, row) for index, row in enumerate(draft.rows) if row["kind"] in witnessed.kinds]

    def read() -> None:
        for index, row in spoken:
            witnessed.act(row["kind"], row["data"], row["subject"], index=index)

    with pytest.raises(Doubt, match="answer 1 is not signed by the witness"):
        read()


def test_whoever_pins_the_witness_or_holds_a_head_sees_it(keno_house: Exported) -> None:
    draft = Draft.of(keno_house.lines)
    heads = cosigned_heads(draft)
    assert roots_at(keno_house.raw, heads) == heads
    assert roots_at(falsified(keno_house, redrawn, by=Forger.HOUSE), heads) != heads
    keys = draft.act("keys.first")["data"]["witness"]
    pinned = str(VerifierKey(keys["name"], COSIGNATURE_V1, bytes.fromhex(keys["public"])))
    assert wrong(keno_house, lambda draft: None, by=Forger.NOBODY, witness=pinned) == ""
    assert wrong(keno_house, redrawn, by=Forger.HOUSE, witness=pinned)
