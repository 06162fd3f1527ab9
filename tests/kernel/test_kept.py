"""A dictionary that keeps little in memory says what a dictionary says."""

from __future__ import annotations

import random

import pytest

from kernel.kept import Kept

pytestmark = pytest.mark.quick


def test_it_says_what_a_dictionary_says() -> None:
    chance, plain = random.Random(3), dict[str, list[int]]()
    kept: Kept[str, list[int]] = Kept(in_memory=7)
    for n in range(3_000):
        key = f"T{chance.randrange(60)}"
        match chance.randrange(4):
            case 0:
                assert kept.pop(key) == plain.pop(key, None)
            case 1:
                assert kept.get(key) == plain.get(key)
            case _:
                kept.setdefault(key, list).append(n)
                plain.setdefault(key, []).append(n)
        assert (key in kept) == (key in plain)
    assert dict(kept.items()) == plain
    assert bool(kept)
    for key in list(plain):
        kept.pop(key)
    assert not kept


def test_what_was_written_down_may_be_changed() -> None:
    kept: Kept[int, list[str]] = Kept(in_memory=1)
    kept[1], kept[2] = ["a"], ["b"]
    found = kept.get(1)
    assert found == ["a"]
    found.append("c")
    kept[3] = ["d"]
    assert kept.get(1) == ["a", "c"]
