"""What the rooms offer is looked at when the house starts."""

from __future__ import annotations

import re
from dataclasses import replace

import grimp
import pytest

from config import checks
from config.checks import faults
from docs import draw_architecture
from house.pages.reporting import Reports
from keno.pages.reports import KENO
from kernel.codes import Permission
from kernel.rooms import Tick, offered, offered_by, rooms

# What puts a room together, and what calls and pages are made of.
AROUND = {"api", "pages", "room", "urls", "apps", "views", "offers", "management"}


def test_every_room_says_what_it_offers() -> None:
    assert faults() == []
    assert {name for name, _ in offered_by(Reports)} == {"draws", "jackpot", "keno", "promotions", "tablegames"}
    assert {name for name, _ in offered_by(Tick)} <= {room.name for room in rooms()}


def test_a_report_has_a_title_and_a_right_that_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    nobody = Permission("keno.nobody", "Nobody’s")
    odd = replace(KENO, permission=nobody, titles={"days": "By gaming day"}, reports={"days": None, "odd": None})  # type: ignore[dict-item]
    asked = offered
    monkeypatch.setattr(checks, "offered", lambda kind: [odd] if kind is Reports else asked(kind))
    assert faults() == [
        "report odd of keno has no title",
        "the reports of keno are for keno.nobody, which no room declares",
    ]


def test_what_is_done_never_asks_how_it_is_called() -> None:
    """A verb, a rule, a query knows no call and no page: not of its own room, nor of another."""
    graph = grimp.build_graph(*draw_architecture.FOR, cache_dir=None)
    asking = [
        f"{module} imports {imported}"
        for module in graph.modules
        if module.split(".")[0] != "config" and module.split(".")[1:2] and module.split(".")[1] not in AROUND
        for imported in graph.find_modules_directly_imported_by(module)
        if imported.split(".")[1:2] in (["api"], ["pages"])
    ]
    assert asking == []


def test_the_log_takes_typed_acts_only() -> None:
    """One place writes its rows, and it is asked with an act that some room declares (``ledger.log.write_act``)."""
    beside = re.compile(r"\blog\.write\(|INSERT INTO ledger_act|\bAct\.objects\.(bulk_)?create")
    root = draw_architecture.ROOT
    files = [path for room in draw_architecture.FOR for path in (root / room).rglob("*.py")]
    assert {str(path.relative_to(root)) for path in files if beside.search(path.read_text())} == {"ledger/log.py"}
