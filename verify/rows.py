"""The rows of an export: those of which there are millions put together in runs, the others each by itself.

What is not right, or is no row, is left to the verifier, which reads it with all it knows. Pure and without state:
where an export is large other processes make the runs and check signatures, each in its own part of the file. An act is
read by the verifier's own process: to hand it over would cost as much.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import repeat
from typing import Any, Final, NamedTuple, TypeAlias

from kernel.acts import Act
from kernel.row_text import read_json, read_jsonb, row_text
from ledger.acts import QuestionAnswered, QuestionAsked
from verify.runs import Reducers, Run, read_memo, runs, stretches
from verify.signatures import NO_KEYS, Keys, Signed, proven, proven_answer

_N = re.compile(rb'\{"n":(0|[1-9]\d{0,17}),"leaf":"').match
_TIME: Final = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"
_DAY: Final = r"\d{4}-\d\d-\d\d"
# By their fixed shape (kernel/row_text.py). An escaped character is special enough to be read as JSON.
_BEGINS: Final = rb'"id":([1-9]\d{0,17}),"tx":([1-9]\d{0,17}),"at":"(%b)","day":"(%b)","kind":"(%%b)"'
_TEXT: Final = rb'[^"\\\x00-\x1f\x7f-\xff]+'
_TRANSFER: Final = (
    rb'\{"type":"transfer",%(begins)b,"reference":"(%(text)b)","debit":"(%(text)b)","credit":"(%(text)b)",'
    rb'"micros":([1-9]\d{0,17}),"actor":"(%(text)b)"(?:,"memo":(\{[^\\\x80-\xff]*\}))?\}'
    % {b"text": _TEXT, b"begins": _BEGINS % (_TIME.encode(), _DAY.encode()) % _TEXT}
)
_PLAIN = re.compile(_TRANSFER).fullmatch
_TRANSFER_BEGINS: Final = b'"row":{"type":"transfer",'
_WHERE_IT_BEGINS: Final = (75, 125)  # behind number and leaf
_FOUND: Final = (0).__lt__
_LETTERS: Final = r"[ !#-\[\]-~]+"
_ACT = re.compile(
    rf'\{{"type":"act","id":([1-9]\d{{0,17}}),"tx":([1-9]\d{{0,17}}),"at":"({_TIME})","day":"({_DAY})",'
    rf'"kind":"({_LETTERS})","subject":"({_LETTERS})","actor":"({_LETTERS})","data":(\{{.*\}})\}}',
    re.DOTALL | re.ASCII,
).fullmatch
_IS_ACT: Final = b'{"type":"act",'
is_time = re.compile(_TIME).fullmatch
_is_day = re.compile(_DAY).fullmatch
Acts: TypeAlias = Mapping[str, type[Act]]
_OF_WITNESS: Final[Acts] = {act.kind: act for act in (QuestionAsked, QuestionAnswered)}


class RowRead(NamedTuple):
    """A row that is right by itself: its hash, its one way to be written, an act as its class reads it."""

    n: int
    leaf: bytes
    fields: dict[str, Any]  # of an act without its data, which its class has read
    act: Act | None = None


class SignedLine(NamedTuple):
    """A line with the signatures on it that were found right."""

    line: bytes
    proven: frozenset[Signed]


Part: TypeAlias = Run | SignedLine | bytes  # bytes: that line is for the verifier


def _fields(row: Sequence[bytes]) -> dict[str, Any]:
    number, tx, at, day, kind, reference, debit, credit, micros, actor, memo = row
    fields: dict[str, Any] = {
        "type": "transfer", "id": int(number), "tx": int(tx), "at": at.decode(), "day": day.decode(),
        "kind": kind.decode(), "reference": reference.decode(), "debit": debit.decode(), "credit": credit.decode(),
        "micros": int(micros), "actor": actor.decode(),
    }  # fmt: skip
    if memo is not None:
        fields["memo"] = read_memo(memo)
    return fields


def parts(lines: Sequence[bytes], reducers: Reducers, keys: Keys = NO_KEYS) -> list[Part]:
    """The lines as runs and other lines, in their order. *keys*: that may have signed a seal or an answer."""
    found: list[Part] = []
    asked: dict[str, QuestionAsked] = {}  # by subject
    begins = map(bytes.find, lines, repeat(_TRANSFER_BEGINS), *map(repeat, _WHERE_IT_BEGINS))
    for transfers, begin, end in stretches(bytes(map(_FOUND, begins))):
        if transfers:
            found += runs(lines[begin:end], reducers)
            continue
        for line in lines[begin:end]:
            if keys.sealing and line.startswith(b'{"seal":'):
                found.append(SignedLine(line, proven(line, keys.sealing)))
            elif keys.witnesses and b'"kind":"witness.a' in line[:200]:
                found.append(SignedLine(line, _answered(line, asked, keys)))
            else:
                found.append(line)
    return found


def _answered(line: bytes, asked: dict[str, QuestionAsked], keys: Keys) -> frozenset[Signed]:
    """The question is kept for its answer, which stands close behind it."""
    row = read_row(line, _OF_WITNESS)
    act = row.act if row is not None else None
    if isinstance(act, QuestionAsked):
        asked[act.subject] = act
    if not isinstance(act, QuestionAnswered) or act.subject not in asked:
        return frozenset()
    return proven_answer(act, asked[act.subject], keys.witnesses)


def read_row(line: bytes, acts: Acts) -> RowRead | None:
    """A row by itself; None: it is none, or not right."""
    numbered = _N(line)
    if numbered is None or line[-2:] != b"}\n":
        return None
    begin = numbered.end()
    row = line[begin + 72 : -2]
    leaf = sha256(b"\x00" + row).digest()
    if line[begin : begin + 72] != b'%b","row":' % leaf.hex().encode():
        return None
    try:
        fields, act = _act(row, acts) if row.startswith(_IS_ACT) else (_transfer(row), None)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    return RowRead(int(numbered[1]), leaf, fields, act)


def _transfer(row: bytes) -> dict[str, object]:
    """Raises ValueError, or its like, where this is not the one way to write it."""
    plain = _PLAIN(row)
    return _fields(plain.groups()) if plain is not None else _any(row)


def _act(row: bytes, acts: Acts) -> tuple[dict[str, Any], Act]:
    """The same of an act; its class has to be known."""
    text = row.decode()
    plain = _ACT(text)
    if plain is None:
        fields = _any(row)
        data = fields.pop("data")
    else:
        number, tx, at, day, kind, subject, actor, data = plain.groups()
        fields = {
            "type": "act", "id": int(number), "tx": int(tx), "at": at, "day": day, "kind": kind, "subject": subject,
            "actor": actor,
        }  # fmt: skip
        data = read_jsonb(data)
    return fields, acts[fields["kind"]].read_exactly(data, subject=fields["subject"])


def _any(row: bytes) -> dict[str, Any]:
    """One with a letter that JSON writes otherwise, or that takes another back."""
    fields: dict[str, Any] = read_json(row)
    if row_text(fields) != row or not is_row(fields):
        raise ValueError("it is not written in its one way")
    return fields


def is_row(fields: Mapping[str, Any]) -> bool:
    texts = [name for name in fields if name not in ("id", "tx", "micros", "reverses", "memo", "data")]
    return (
        all(isinstance(fields[name], str) and fields[name] for name in texts)
        and all(type(fields[name]) is int and fields[name] > 0 for name in ("id", "tx"))
        and all(type(fields[name]) is int for name in ("micros", "reverses") if name in fields)
        and all(isinstance(fields[name], dict) for name in ("memo", "data") if name in fields)
        and bool(is_time(fields["at"]) and _is_day(fields["day"]))
    )
