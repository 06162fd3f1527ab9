"""What other processes found rightly signed the verifier takes from them, and nothing else."""

from __future__ import annotations

from dataclasses import replace

from kernel.merkle import leaf_hash
from ledger.acts import QuestionAnswered, QuestionAsked, WitnessKeys
from ledger.verify import answer_to, question_of
from tests.world.falsified import Draft, Exported
from verify.known_acts import KNOWN_ACTS
from verify.rows import SignedLine, parts, read_row
from verify.signatures import Keys, Proven


def witness_of(draft: Draft) -> WitnessKeys:
    first = draft.act("keys.first")
    act = KNOWN_ACTS["keys.first"].read(first["data"], subject=first["subject"])
    witness = getattr(act, "witness")  # noqa: B009  of whichever act it is
    assert isinstance(witness, WitnessKeys)
    return witness


def changed(line: bytes, old: bytes, new: bytes) -> bytes:
    """With the hash of what it says now."""
    begin, text = line.split(b'"row":', 1)
    assert old in text
    text = text[:-2].replace(old, new, 1)
    return begin.split(b'"leaf":')[0] + b'"leaf":"' + leaf_hash(text).hex().encode() + b'","row":' + text + b"}\n"


def test_seals_and_answers_are_checked_beside_and_taken_over(keno_house: Exported) -> None:
    draft = Draft.of(keno_house.lines)
    witness = witness_of(draft)
    sealing = [bytes.fromhex(draft.about["first_key"]), witness.public]
    keys = Keys(sealing, [(witness.public, witness.rsa)])
    found = [part for part in parts(keno_house.lines, {}, keys) if isinstance(part, SignedLine)]
    seals = [part for part in found if part.line.startswith(b'{"seal":')]
    answers = [part for part in found if b'"kind":"witness.answered"' in part.line]
    assert len(seals) == len(draft.seals())
    assert all(part.proven for part in seals)
    assert answers
    assert all(len(part.proven) == 1 for part in answers)

    asked = next(line for line in keno_house.lines if b'"kind":"witness.asked"' in line)
    answer = answers[0].line
    said = read_row(answer, KNOWN_ACTS)
    question = read_row(asked, KNOWN_ACTS)
    assert said is not None
    assert question is not None
    assert isinstance(said.act, QuestionAnswered)
    assert isinstance(question.act, QuestionAsked)
    for name in ("answer", "signature"):
        old = getattr(said.act, name).hex().encode()
        forged = changed(answer, old, (b"1" if old[:1] == b"0" else b"0") + old[1:])
        _, last = parts([asked, forged], {}, keys)
        assert isinstance(last, SignedLine)
        assert not last.proven
    link = answer_to(question_of(question.act), said.act)
    signed = Proven()
    assert signed.answer(link, witness)  # checked here
    other = replace(link, at=link.at + 1)
    assert not signed.answer(other, witness)
    signed.known = answers[0].proven
    assert not signed.answer(other, witness)  # proven is that one link,
    assert not signed.answer(link, replace(witness, public=bytes(32)))  # by that witness
    assert signed.answer(link, witness)
