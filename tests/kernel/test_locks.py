"""One table of advisory locks, in one order, and nothing that somebody types among its keys."""

from __future__ import annotations

import re
from pathlib import Path

from kernel.locks import Lock

ROOT = Path(__file__).resolve().parent.parent.parent
ROOMS = ("kernel", "ledger", "web", "house", "chance", "tournaments", "jackpot", "keno", "promotions", "tablegames",
         "signage", "console", "config")  # fmt: skip


def test_nobody_locks_beside_the_table() -> None:
    beside = {
        str(path.relative_to(ROOT))
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        if "migrations" not in path.parts and re.search(r"pg_(try_)?advisory|hashtext", path.read_text())
    }
    assert beside == {"kernel/locks.py"}


def test_the_documented_order_is_the_one_of_the_table() -> None:
    numbers = [lock.value for lock in Lock]
    assert numbers == sorted(set(numbers))
    documented = (ROOT / "docs" / "locking.md").read_text()
    named = [name for name in re.findall(r"^\| ([A-Z_]+) \|", documented, re.MULTILINE) if name in Lock.__members__]
    assert list(dict.fromkeys(named)) == [lock.name for lock in Lock]
