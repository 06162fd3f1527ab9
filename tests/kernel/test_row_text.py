"""What is JSON within a row has one way to be written, and the quick reader takes no other."""

from __future__ import annotations

import random
from typing import Any

import pytest

from kernel.row_text import DEPTH_LIMIT, jsonb_text, read_json, read_jsonb

pytestmark = pytest.mark.quick


def _value(chance: random.Random, depth: int = 0) -> Any:
    match chance.randrange(6 if depth < 4 else 4):
        case 0:
            return chance.choice([0, -1, 7, 10**18 - 1, True, False, None])
        case 1 | 2 | 3:
            return chance.choice(["", "é", 'a"b', "\\", "\n", "plain", "\u2028"])
        case 4:
            return [_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    return {f"{chance.choice('abé')}{'x' * n}": _value(chance, depth + 1) for n in range(chance.randrange(4))}


def test_it_reads_what_is_written_and_nothing_else() -> None:
    chance = random.Random(5)
    for _ in range(2_000):
        value = _value(chance)
        text = jsonb_text(value)
        assert read_jsonb(text) == value
        at = chance.randrange(len(text) + 1)
        changed = text[:at] + chance.choice(' ,:{}[]"0-e.\\\n') + text[at:]
        try:
            read = read_jsonb(changed)
        except ValueError:
            continue
        assert jsonb_text(read) == changed  # another value, written in its one way


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}', '{"bb": 1, "a": 2}', '{"a":1}', '{"a": 1.0}', '{"a": NaN}', '{"a": 1e3}', '{"a": -0}',
        f"{10**18}", f"[{10**18}]", f"[1, {10**18}]",
        f'{{"a": {10**18}}}', f'{{"a": {-(10**18)}}}', '{"a": "\\u0041"}', '{"a": 01}', '["\x01"]',
        "[" * (DEPTH_LIMIT + 2) + "]" * (DEPTH_LIMIT + 2),
        '{"type": "act", "id": 1, "tx": 1, "at": "", "day": "", "kind": "", "subject": "", "actor": "", "data": {}}',
    ],
)  # fmt: skip
def test_what_is_written_otherwise_is_refused(text: str) -> None:
    assert not _taken(text)
    assert not _taken_slowly(text)


@pytest.mark.parametrize("deep", range(DEPTH_LIMIT - 1, DEPTH_LIMIT + 3))
def test_how_deep_is_the_same_quickly_and_slowly(deep: int) -> None:
    for inner in ("", "1", '{"a": []}'):
        text = "[" * deep + inner + "]" * deep
        assert _taken(text) == _taken_slowly(text)
    assert _taken("[" + ", ".join(["[[]]"] * deep) + "]")  # many, and none of them deep


def _taken(text: str) -> bool:
    try:
        read_jsonb(text)
    except ValueError:
        return False
    return True


def _taken_slowly(text: str) -> bool:
    try:
        return jsonb_text(read_json(text)) == text
    except ValueError:
        return False
