"""The tampering suite, its part that is no room's: tree, seals, keys, time, balances, references, purses, the witness.

By somebody without keys, by the house with every key of its own, and by whoever has all keys there are. Each is caught,
or needs the witness, and is then caught by it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest

from kernel.export_check import RoomCheck
from kernel.notes import Checkpoint, Note
from ledger.statements import Sealed
from tests.world.falsified import Change, Draft, Exported, Forger, doubted, passed, wrong
from verify.result import Wrong
from verify.rooms import room_checks
from verify.verifier import verify

BILLION = 10**15  # micro-dollars: a billion dollars
SEALED_OTHERWISE = "are not the ones that were sealed"


def _set(row: Callable[[Draft], dict[str, Any]], **fields: Any) -> Change:
    return lambda draft: row(draft).update(fields)


def _sale(draft: Draft) -> dict[str, Any]:
    return draft.transfer("keno.sale", 2)


def _note_with(draft: Draft, number: int, change: Callable[[Note], Note]) -> None:
    for at, each in enumerate(draft.log):
        if isinstance(each, Note) and Sealed.parse(each.text).number == number:
            draft.log[at] = change(each)


def _garbled(note: Note, place: int) -> Note:
    signatures = list(note.signatures)
    raw = signatures[place].signature
    signatures[place] = replace(signatures[place], signature=raw[:-1] + bytes([raw[-1] ^ 1]))
    return Note(note.text, tuple(signatures))


def _cosigned(draft: Draft) -> int:
    return next(Sealed.parse(note.text).number for note in draft.seals() if len(note.signatures) > 1)


def _swap(draft: Draft) -> None:
    first, second = draft.transfer("keno.sale", 1), draft.transfer("keno.sale", 2)
    a, b = draft._at(first), draft._at(second)
    draft.log[a], draft.log[b] = second, first


def _says(said: str, sentence: str) -> bool:
    """Whether it says one of these: whatever comes first in the log is found first."""
    assert any(part in said for part in sentence.split("|")), said
    return True


def _rolled_back(draft: Draft) -> None:
    """As if nothing had happened after the last game: cut at a seal, and everything before it as it was."""
    rooms = ("keno.", "promotion", "draw.", "witness.", "tournament", "tablegames.", "jackpot.")
    last = max(at for at, each in enumerate(draft.log) if isinstance(each, dict) and each["kind"].startswith(rooms))
    cut = next(at for at, each in enumerate(draft.log) if at > last and isinstance(each, Note))
    del draft.log[cut + 1 :]


def _half(draft: Draft) -> None:
    """Everything after the seal in the middle is gone, and everything before it is as it was."""
    middle = draft.seals()[len(draft.seals()) // 2]
    del draft.log[draft.log.index(middle) + 1 :]
    draft.attached.clear()
    draft.tickets.clear()


WITHOUT_KEYS: dict[str, tuple[Change, str]] = {
    "an amount": (_set(_sale, micros=BILLION), SEALED_OTHERWISE),
    "an account": (_set(_sale, debit="keno:cage"), f"{SEALED_OTHERWISE}|drawer"),
    "a reference": (_set(_sale, reference="A00000000000"), SEALED_OTHERWISE),
    "who did it": (_set(_sale, actor="staff:nobody"), f"{SEALED_OTHERWISE}|drawer"),
    "a gaming day": (_set(_sale, day="2026-01-01"), SEALED_OTHERWISE),
    "a time": (_set(_sale, at="2026-01-01T00:00:00.000000Z"), SEALED_OTHERWISE),
    "a row gone": (lambda draft: draft.remove(_sale(draft)), "rows, and"),
    "a row put in": (
        lambda draft: draft.add_after(_sale(draft), id=_sale(draft)["id"] + 1),
        "out of order|rows, and|booked a second time",
    ),
    "rows exchanged": (_swap, "out of order"),
    "an approver": (
        _set(lambda draft: draft.act("approval.approved"), actor="staff:nobody"),
        f"{SEALED_OTHERWISE}|decide",
    ),
    "a name hired": (_set(lambda draft: draft.act("staff.hired"), actor="staff:nobody"), SEALED_OTHERWISE),
    "a seal gone": (lambda draft: draft.log.remove(draft.seals()[3]), "seal 4 should be here|never sealed"),
    "a seal's time": (
        lambda draft: draft.reseal(lambda seal: replace(seal, at="2020" + seal.at[4:]), 3),
        "seal 3 is dated before",
    ),
    "a seal's size": (lambda draft: draft.reseal(lambda seal: replace(seal, size=seal.size + 1), 3), "of seal 3 is"),
    "a seal's root": (lambda draft: draft.reseal(lambda seal: replace(seal, root=bytes(32)), 3), "of seal 3 is wrong"),
    "a seal's chain": (
        lambda draft: draft.reseal(lambda seal: replace(seal, previous=bytes(32)), 3),
        "does not follow",
    ),
    "a signature": (lambda draft: _note_with(draft, 2, lambda note: _garbled(note, 0)), "signature of seal 2 is wrong"),
    "a cosignature": (
        lambda draft: _note_with(draft, _cosigned(draft), lambda note: _garbled(note, 1)),
        "is not the witness's",
    ),
    "a cosignature gone": (
        lambda draft: _note_with(draft, _cosigned(draft), lambda note: Note(note.text, note.signatures[:1])),
        "the end does not fit|before the witness had seen",
    ),
    "a balance": (lambda draft: draft.balances[0].update(debits=draft.balances[0]["debits"] + 1), "do not add up"),
    "a balance gone": (lambda draft: draft.balances.pop(0), "is missing before this line|the end does not fit"),
    "balances out of order": (lambda draft: draft.balances.reverse(), "does not belong here"),
    "a ticket of the attachment": (
        lambda draft: draft.tickets.pop(),
        "attached|does not fit",
    ),
    "an attachment gone": (lambda draft: draft.tickets.clear(), "attached|does not fit"),
    "the venue": (lambda draft: draft.about.update(venue="Another"), "signature at the beginning"),
    "the first key": (lambda draft: draft.about.update(first_key="00" * 32), "first sealing key was changed"),
    "the end": (lambda draft: draft.end.update(rows=draft.end["rows"] - 1), "does not fit"),
    "a rollback to half": (_half, "does not fit|balance of|do not add up|does not belong"),
}


@pytest.mark.parametrize("what", WITHOUT_KEYS)
def test_without_keys(small_house: Exported, what: str) -> None:
    change, sentence = WITHOUT_KEYS[what]
    assert _says(wrong(small_house, change, by=Forger.NOBODY), sentence)


BYTES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "a key twice": (lambda row: row.replace(b'"day":', b'"day":"2026-01-01","day":', 1), "a key stands there twice"),
    "a float": (lambda row: row.replace(b'"tx":', b'"tx":0.5,"x":', 1), "is no whole number"),
    "an exponent": (lambda row: row.replace(b',"tx":', b'e0,"tx":', 1), "is no whole number"),
    "not a number": (lambda row: row.replace(b'"tx":', b'"tx":NaN,"x":', 1), "NaN is no whole number"),
    "a giant number": (lambda row: row.replace(b'"tx":', b'"tx":' + b"9" * 30 + b',"x":', 1), "eighteen digits"),
    "a space": (lambda row: row.replace(b'"tx":', b'"tx": ', 1), "is not written as a row is"),
    "another order": (lambda row: row.replace(b'{"type"', b'{"id":1,"type"', 1), "a key stands there twice"),
    "an escaped letter": (
        lambda row: row.replace(b'"type":"act"', b'"type":"\\u0061ct"', 1),
        "is not written as a row",
    ),
}


@pytest.mark.parametrize("what", BYTES)
def test_a_row_has_one_way_to_be_written_whoever_hashes_it(small_house: Exported, what: str) -> None:
    change, sentence = BYTES[what]
    from kernel.merkle import leaf_hash

    lines = list(small_house.lines)
    at = next(n for n, line in enumerate(lines) if b'"kind":"staff.hired"' in line)
    row = lines[at].partition(b'"row":')[2][:-2]
    changed = change(row)
    assert changed != row
    n = json.loads(lines[at])["n"]
    lines[at] = b'{"n":%d,"leaf":"%s","row":%s}\n' % (n, leaf_hash(changed).hex().encode(), changed)
    with pytest.raises(Wrong, match=sentence) as found:
        verify(BytesIO(b"".join(lines)))
    assert found.value.line == at + 1


@pytest.mark.parametrize(
    "what", ["leaf in capitals", "base64 of a seal", "signature in capitals", "something after the end"]
)
def test_digits_have_one_way_to_be_written(small_house: Exported, what: str) -> None:
    lines = list(small_house.lines)
    if what == "leaf in capitals":
        begin = lines[5].index(b'"leaf":"') + 8
        lines[5] = lines[5][:begin] + lines[5][begin : begin + 64].upper() + lines[5][begin + 64 :]
    elif what == "base64 of a seal":
        at = next(n for n, line in enumerate(lines) if line.startswith(b'{"seal"'))
        lines[at] = lines[at].replace(b'=\\n"}', b'==\\n"}', 1)
    elif what == "signature in capitals":
        before, middle, rest = lines[-1].partition(b'"signature":"')
        lines[-1] = before + middle + rest.upper()
    else:
        lines.append(b"\n")
    with pytest.raises(Wrong):
        verify(BytesIO(b"".join(lines)))


def _reversal(draft: Draft, **other: Any) -> dict[str, Any]:
    """A sale taken back, as the house writes it; or with something else in it."""
    sale = _sale(draft)
    back = {**sale, "kind": "keno.sale.reversal", "debit": sale["credit"], "credit": sale["debit"]}
    return draft.add_after(sale, **back, reverses=sale["id"], **other)


def _twice_back(draft: Draft) -> None:
    first = _reversal(draft)
    draft.add_after(first, reference="other")


FROM_THE_ROWS: dict[str, tuple[Change, str]] = {
    "a reference booked twice": (lambda draft: draft.add_after(_sale(draft)), "is booked a second time"),
    "a false reversal: the amount": (
        lambda draft: _reversal(draft).update(micros=10_000),
        "is not transfer|less than nothing",
    ),
    "a false reversal: the accounts": (
        lambda draft: _reversal(draft).update(debit="keno:bank", credit="keno:cage"),
        "is not transfer",
    ),
    "a reversal of nothing": (
        lambda draft: _reversal(draft).update(reverses=10**9),
        "is not transfer|less than nothing",
    ),
    "taken back twice": (_twice_back, "is taken back a second time"),
    "taken back unsaid": (lambda draft: _reversal(draft).update(kind="keno.change"), "does not say so"),
    "a purse below nothing": (
        lambda draft: draft.add_after(
            _sale(draft), debit="keno:vouchers", credit="keno:cage", micros=BILLION, reference="x"
        ),
        "less than nothing",
    ),
    "an account out of nowhere": (_set(_sale, debit="keno:pocket"), "was never opened"),
    "a balance": (
        lambda draft: draft.state(0, debits=1),
        "do not add up",
    ),
    "a balance that says more": (
        lambda draft: draft.state(0, note="all is well"),
        "says more",
    ),
    "an attachment of nobody": (lambda draft: draft.attached.append({"attached": "secrets"}), "belongs to no room"),
}


def _bystanders() -> list[RoomCheck]:
    """Rooms that own what they own, and look at nothing."""
    return [
        type("Bystander", (RoomCheck,), {"transfers": room.transfers, "attachment": room.attachment})()
        for room in room_checks()
    ]


@pytest.mark.parametrize("what", FROM_THE_ROWS)
def test_with_every_key_there_is_the_rows_give_it_away(small_house: Exported, what: str) -> None:
    change, sentence = FROM_THE_ROWS[what]
    assert _says(doubted(small_house, change, _bystanders()), sentence)  # with nobody's help
    assert doubted(small_house, change)


def _dated(year: str) -> Change:
    return lambda draft: draft.reseal(lambda seal: replace(seal, at=year + seal.at[4:]))


def _seal_dated_back(draft: Draft) -> None:
    draft.reseal(lambda seal: replace(seal, at="2026-01-01T00:00:00.000000Z"), len(draft.seals()))


def _answer(draft: Draft) -> dict[str, Any]:
    data: dict[str, Any] = draft.act("witness.answered", 1)["data"]
    return data


def _without_witness(draft: Draft) -> None:
    """A house that says it never had a witness."""
    del draft.act("keys.first")["data"]["witness"]


def _first_key_witness(draft: Draft) -> dict[str, Any]:
    data: dict[str, Any] = draft.act("keys.first")["data"]["witness"]
    return data


WITH_THE_SEALING_KEY: dict[str, tuple[Change, str]] = {
    "an amount before a draw": (_set(_sale, micros=BILLION), "names a head that was never sealed"),
    "a sale deleted": (lambda draft: draft.remove(_sale(draft)), "asked about"),
    "a person who never was": (
        _set(lambda draft: draft.act("staff.hired"), actor="staff:nobody"),
        "never sealed|had seen its promise",
    ),
    "seals dated 1999": (_dated("1999"), "is dated before an answer|had seen its promise"),
    "a seal dated before the one before": (_seal_dated_back, "is dated before the seal before it"),
    "seals dated in the future": (_dated("2999"), "dated before its last seal|had seen its promise|dated later than"),
    "an answer": (lambda draft: _answer(draft).update(answer="11" * 384), "is not signed by the witness"),
    "an answer's time": (lambda draft: _answer(draft).update(answered_at=1), "is not signed by the witness"),
    "an answer's head": (lambda draft: _answer(draft).update(checkpoint_root="11" * 32), "that is not this log's"),
    "an answer that is not the next": (lambda draft: _answer(draft).update(number=7), "does not follow answer"),
    "an answer to nothing": (
        lambda draft: draft.add_after(draft.act("witness.answered", 1)),
        "answers no question|answered twice|never sealed",
    ),
    "a question to somebody else": (
        lambda draft: draft.act("witness.asked", 1)["data"].update(witness="a.friend"),
        "is not the witness|was promised",
    ),
    "a question about another set": (
        lambda draft: draft.act("witness.asked", 1)["data"].update(root="11" * 32),
        "with another set than the one that was sealed",
    ),
    "a set sealed twice": (
        lambda draft: draft.add_after(draft.act("draw.sealed", 1)),
        "is sealed a second time|never sealed",
    ),
    "no witness": (_without_witness, "is not the witness|never sealed|witness"),
    "the witness's RSA key": (lambda draft: _first_key_witness(draft).update(rsa="00" * 300), "do not belong together"),
    "the witness's dice": (lambda draft: _first_key_witness(draft).update(dice="1" * 52), "one signature and no other"),
    "a hand-over by another key": (
        lambda draft: draft.act("keys.hand-over")["data"].update({"from": "0" * 32}),
        "handed over without the signatures",
    ),
    "a log that never begins": (lambda draft: draft.remove(draft.act("keys.first")), "never says|witness"),
    "a log that begins twice": (lambda draft: draft.add_after(draft.act("keys.first")), "begins a second time"),
    "a key in use with another name": (
        _set(lambda draft: draft.act("keys.in-use"), subject="key:" + "0" * 32),
        "named wrongly",
    ),
}


@pytest.mark.parametrize("what", WITH_THE_SEALING_KEY)
def test_with_the_sealing_key_and_balances_put_right(small_house: Exported, what: str) -> None:
    change, sentence = WITH_THE_SEALING_KEY[what]
    assert _says(wrong(small_house, change, by=Forger.HOUSE), sentence)


def _last_act(draft: Draft) -> dict[str, Any]:
    return next(row for row in reversed(draft.rows) if row["type"] == "act" and row["kind"] != "keys.destroyed")


NEEDS_THE_WITNESS: dict[str, Change] = {
    "a rollback": _rolled_back,
    "who handed the key over": _set(lambda draft: draft.act("keys.hand-over"), actor="staff:nobody"),
    "when it was": _set(_last_act, at="2026-01-01T00:00:00.000000Z"),
}


@pytest.mark.parametrize("what", NEEDS_THE_WITNESS)
def test_what_needs_the_witness_is_caught_by_it(small_house: Exported, what: str) -> None:
    """With the sealing key, after the last answer: the file alone shows nothing, or says that it cannot know. Whoever
    has the witness's latest head, from its page, a board or a receipt, has caught it."""
    change = NEEDS_THE_WITNESS[what]
    head = Checkpoint.parse(Note.parse(small_house.witness_head.encode()).text)
    result = passed(small_house, change, by=Forger.HOUSE)
    assert result.rows < head.size or any("not cosigned" in said for said in result.attention)
    said = wrong(small_house, change, by=Forger.HOUSE, heads=[head])
    assert "head that you know" in said
    assert verify(BytesIO(small_house.raw), heads=[head]).extends == 0


def test_keys_that_are_known_are_compared(small_house: Exported) -> None:
    def unchanged(draft: Draft) -> None:
        pass

    assert "no key in this export" in wrong(small_house, unchanged, key="0" * 32)
    assert "not the one you know" in wrong(small_house, unchanged, witness="a.friend+00000000+AAAA")
