"""A database that went back, as one restored from before the last seal has it, and another witness at its address."""

from __future__ import annotations

from pathlib import Path

from ledger.cosign import cosign_now
from ledger.post import post
from ledger.seal import last_seal, seal_now
from tests.world.books import ANNA, DAY, booking
from tests.world.owner import unguarded
from tests.world.witness import RunningWitness, folder_with_keys


def sold_and_cosigned() -> None:
    post(booking=booking(), by=ANNA, day=DAY)
    seal_now()
    assert cosign_now()


def go_back() -> None:
    """The rows under the last seal are gone, and the seal."""
    last = last_seal()
    assert last is not None
    with unguarded("ledger_act", "ledger_transfer", "ledger_cosignature", "ledger_leaves", "ledger_seal") as cursor:
        cursor.execute("DELETE FROM ledger_act WHERE tx >= %s", [last.tx_from])
        cursor.execute("DELETE FROM ledger_transfer WHERE tx >= %s", [last.tx_from])
        cursor.execute(
            """DELETE FROM ledger_balance b WHERE NOT EXISTS (
                   SELECT FROM ledger_transfer t WHERE b.account_id IN (t.debit_id, t.credit_id))"""
        )
        cursor.execute("DELETE FROM ledger_cosignature WHERE seal_id = %s", [last.number])
        cursor.execute("DELETE FROM ledger_leaves WHERE seal_id = %s", [last.number])
        cursor.execute("DELETE FROM ledger_seal WHERE number = %s", [last.number])


def another_witness(witness: RunningWitness, folder: Path) -> None:
    """Its keeper begins one with keys of its own at the same address, and tells it of the log."""
    witness.restart(folder_with_keys(folder))
    witness.watch()
