"""A past game redrawn whole: with every key of the house, and a witness of the forger's own. He chooses a seed that
suits him, seals everything anew, has his witness cosign and answer. The file alone is right, for nobody can know from
it whose witness that is; whoever knows the real one's key, or has seen the log before, is told in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from chance import two_party
from chance.two_party import How, Promise, Said
from kernel import unique_signatures
from kernel.notes import COSIGNATURE_V1, Note, VerifierKey, cosignature
from kernel.questions import FIRST_LINK, Link, Question
from ledger.statements import Sealed
from tests.verify.test_redrawn import GAME, PLAYED
from tests.world.falsified import Draft, Exported
from tests.world.keno_changes import of_game
from tests.world.witness import folder_with_keys
from verify.again import last_head
from verify.program import LOOK, WRONG, main
from verify.result import Wrong
from verify.verifier import verify
from witness.keys import Keys

_TIME_BYTES = 8  # of a cosignature, before the signature itself


def _renamed(draft: Draft, own: Keys, master: bytes) -> None:
    """His witness in the place of the real one, in every act; every promise made anew, and kept."""
    about = {name: value for name, value in own.about().items() if name != "key"}
    draft.act("keys.first")["data"]["witness"] = about
    for row in [row for row in draft.rows if row["type"] == "act" and "witness" in row["data"]]:
        if isinstance(row["data"]["witness"], str):
            row["data"]["witness"] = own.name
    masters = {row["data"]["name"]: bytes.fromhex(row["data"]["master"]) for row in draft.acts("draw.revealed")}
    masters[str(GAME)] = master
    for row in draft.acts("draw.promised"):
        data = row["data"]
        if any(bytes.fromhex(data["witness_key"])):
            data["witness_key"] = unique_signatures.fingerprint(own.rsa_public).hex()
        parts = {name: data[name] for name in ("venue", "purpose", "name", "device", "beacon")}
        promise = Promise(**parts, witness_key=bytes.fromhex(data["witness_key"]))
        made = two_party.commitment(masters.get(data["name"], master), promise).hex()
        for other in [each for each in draft.rows if each["type"] == "act"]:
            if other["data"].get("commitment") == data["commitment"] and other is not row:
                other["data"]["commitment"] = made
        data["commitment"] = made
    for row in draft.acts("draw.revealed"):
        row["data"]["master"] = masters[row["data"]["name"]].hex()


def _heads(draft: Draft) -> dict[int, bytes]:
    return {sealed.size: sealed.root for sealed in (Sealed.parse(note.text) for note in draft.seals())}


def _answered(draft: Draft, house: dict[str, bytes], own: Keys, master: bytes) -> list[int]:
    """Every question under the heads that are sealed now, every answer by his witness; the numbers of the game."""
    digest, numbers = FIRST_LINK, list[int]()
    for number, row in enumerate(draft.acts("witness.answered"), 1):
        draft.seal_anew(house)
        heads, said = _heads(draft), row["data"]
        asked = next(
            each["data"]
            for each in draft.acts("witness.asked")
            if (each["data"]["occasion"], each["data"]["attempt"]) == (said["occasion"], said["attempt"])
        )
        asked["checkpoint_root"] = heads[asked["size"]].hex()
        draft.seal_anew(house)
        said["checkpoint_root"] = _heads(draft)[said["size"]].hex()
        given = {name: asked[name] for name in Question.__dataclass_fields__}
        question = Question.from_json({**given, "size": said["size"], "checkpoint_root": said["checkpoint_root"]})
        link = Link(
            number=number, at=said["answered_at"], previous=digest, question=question,
            answer=own.answer(question.message()),
        )  # fmt: skip
        said.update(number=number, previous=digest.hex(), answer=link.answer.hex())
        said["signature"] = own.sign(link.statement()).hex()
        digest = link.digest()
        if said["occasion"] == str(GAME):
            spoken = Said(question=question, how=How.WITNESS, said=link.answer)
            numbers = two_party.numbers(master, spoken, pool=80, count=20)
    return numbers


def _drawn(draft: Draft, numbers: list[int], master: bytes) -> None:
    for row in draft.rows:
        if row["type"] == "act" and row["subject"] == f"keno-game:{GAME}":
            data = row["data"]
            told: dict[str, Any] = {"seed": master.hex(), "numbers": numbers}
            told["number"] = numbers[data.get("place", 1) - 1]
            data.update({name: made for name, made in told.items() if data.get(name)})


def _cosign(draft: Draft, own: Keys, times: dict[int, int]) -> None:
    for at, each in enumerate(draft.log):
        number = Sealed.parse(each.text).number if isinstance(each, Note) else 0
        if isinstance(each, Note) and number in times:
            by_house = each.signatures[0]
            draft.log[at] = Note(each.text, (by_house, cosignature(own.cosigner, each.text, times[number], own.sign)))


def redrawn_with(house: Exported, own: Keys) -> bytes:
    """Seeds are tried until one suits him: other numbers, as many of them on the ticket, so that no amount changes."""
    honest = Draft.of(house.lines)
    old = set(of_game(honest, "keno.settled", GAME)["data"]["numbers"])
    times = {
        Sealed.parse(note.text).number: int.from_bytes(note.signatures[1].signature[:_TIME_BYTES], "big")
        for note in honest.seals()
        if len(note.signatures) > 1
    }
    for trial in count():
        draft, master = Draft.of(house.lines), sha256(b"chosen seed %d" % trial).digest()
        _renamed(draft, own, master)
        numbers = _answered(draft, house.keys, own, master)
        if set(numbers) == old or len(PLAYED & set(numbers)) != len(PLAYED & old):
            continue
        _drawn(draft, numbers, master)
        draft.seal_anew(house.keys)
        _cosign(draft, own, times)
        draft.seal_anew(house.keys)
        return draft.lines()
    raise AssertionError("unreachable")


@pytest.fixture(scope="module")
def forged(keno_house: Exported, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    own = Keys.load(folder_with_keys(tmp_path_factory.mktemp("forger") / "witness"))
    return redrawn_with(keno_house, own)


def _of_witness(export: bytes) -> str:
    keys = Draft.of(export.splitlines(keepends=True)).act("keys.first")["data"]["witness"]
    return str(VerifierKey(keys["name"], COSIGNATURE_V1, bytes.fromhex(keys["public"])))


def test_the_file_alone_is_right_and_says_which_witness_to_compare(keno_house: Exported, forged: bytes) -> None:
    result = verify(BytesIO(forged))
    own = _of_witness(forged)
    assert own != _of_witness(keno_house.raw)
    asked_for = f"The witness is {own}: compare it with what the inspector gave you (--witness does it)."
    assert asked_for in result.attention
    before, after = (
        of_game(Draft.of(raw.splitlines(keepends=True)), "keno.settled", GAME)["data"]["numbers"]
        for raw in (keno_house.raw, forged)
    )
    assert set(before) != set(after)


def _known_witness(house: Exported) -> dict[str, Any]:
    return {"witness": _of_witness(house.raw)}


def _known_head(house: Exported) -> dict[str, Any]:
    return {"heads": [last_head(BytesIO(house.raw))]}


@pytest.mark.parametrize(
    ("known", "sentence"),
    [
        (_known_witness, "the witness of this log is {forged}, not the one you know."),
        (_known_head, "rows until here are not those of the head that you know."),
    ],
)
def test_whoever_knows_the_real_one_is_told_in_one_sentence(
    keno_house: Exported, forged: bytes, known: Callable[[Exported], dict[str, Any]], sentence: str
) -> None:
    with pytest.raises(Wrong) as found:
        verify(BytesIO(forged), **known(keno_house))
    assert sentence.format(forged=_of_witness(forged)) in str(found.value)


def test_the_program_says_so_by_its_exit_code(keno_house: Exported, forged: bytes, tmp_path: Path) -> None:
    path, old = tmp_path / "forged", tmp_path / "old"
    path.write_bytes(forged)
    old.write_bytes(keno_house.raw)
    assert main([str(path)]) == LOOK
    assert main([str(path), "--witness", _of_witness(keno_house.raw)]) == WRONG
    assert main([str(path), "--since", str(old)]) == WRONG
