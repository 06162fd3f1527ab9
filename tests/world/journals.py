"""The journals beside the books: what terminals were told is there once, and nothing else is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import psycopg

from tests.world.copies import Copy
from tests.world.terminals import Journal

_TICKETS = "SELECT serial, cancelled_at IS NOT NULL FROM keno_ticket WHERE terminal = ANY(%s)"
_MOVED = """
    SELECT count(*), coalesce(sum(amount), 0)::bigint / 10000 FROM ledger_transfer
    WHERE kind = %s AND reference = ANY(%s)
"""


def compare(journals: Iterable[Journal], *, devices: list[str], url: str) -> list[str]:
    """What differs, each in a sentence; empty where nothing does."""
    sold: dict[str, int] = {}
    cancelled: dict[str, int] = {}
    contributed: dict[str, int] = {}
    for journal in journals:
        sold |= journal.sold
        cancelled |= journal.cancelled
        contributed |= journal.contributed
    with psycopg.connect(url) as line:
        return [*_tickets(line, sold, cancelled, devices), *_contributions(line, contributed)]


def _tickets(
    line: psycopg.Connection[Any], sold: dict[str, int], cancelled: dict[str, int], devices: list[str]
) -> list[str]:
    found = dict(line.execute(_TICKETS, [devices]).fetchall())
    said = [f"{serial} was acknowledged and is not there" for serial in sold.keys() - found.keys()]
    said += [f"{serial} is there and nobody was told" for serial in found.keys() - sold.keys()]
    gone = {serial for serial, is_cancelled in found.items() if is_cancelled}
    said += [f"{serial} is cancelled here or there only" for serial in gone ^ cancelled.keys()]
    for kind, journal in (("keno.sale", sold), ("keno.cancel", cancelled)):
        count, cents = line.execute(_MOVED, [kind, list(journal)]).fetchone() or (0, 0)
        if (count, cents) != (len(journal), sum(journal.values())):
            said.append(f"{kind}: the books have {count} for {cents} cents, the journals {len(journal)} for "
                        f"{sum(journal.values())}")  # fmt: skip
    return said


def _contributions(line: psycopg.Connection[Any], contributed: dict[str, int]) -> list[str]:
    found = dict(line.execute("SELECT id, wagers FROM jackpot_contribution").fetchall())
    return [
        f"contribution {each} was acknowledged for {wagers} wagers and has {found.get(each, 'none')}"
        for each, wagers in contributed.items()
        if found.get(each) != wagers
    ]


def verified(copy: Copy, export: Path) -> str:
    """What the stranger's check says of the export: empty where everything is right."""
    made = [sys.executable, "manage.py", "audit", "export", str(export)]
    done = subprocess.run(made, check=False, cwd=copy.tree, env=copy.env, capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr.strip()
    check = [sys.executable, "-m", "verify", "--json", str(export)]
    done = subprocess.run(check, check=False, cwd=copy.tree, env=copy.env, capture_output=True, text=True)
    said = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr.strip()
    return "" if said.startswith('{"right"') else said[-2_000:]
