"""A small house with everything in its log, made through the verbs, and its audit export: what falsifications are made
of (``falsified.py``). Made once a test process; a room adds its part to ``PARTS``.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.utils import timezone

from house import demo
from house.seed import seed
from jackpot import demo as jackpot_demo
from keno.accounts import open_accounts
from keno.simulate import Simulation
from kernel.actors import system
from kernel.hand_over import fingerprint
from ledger import keys
from ledger.announce import EXPORT
from ledger.checkpoints import Notes
from ledger.cosign import cosign_now, latest_cosigned
from ledger.export import export
from ledger.seal import begin_log, rotate_key, seal_now
from tests.world import small_rooms
from tests.world.falsified import Exported
from tests.world.jackpot_evening import jackpot_evening
from tests.world.people import on_the_payroll
from tests.world.players import registered
from tests.world.witness import RunningWitness


def keno_games() -> None:
    """Some games of a simulated morning: sales of all kinds, cancellations, prizes, vouchers, shifts."""
    now = timezone.now()
    Simulation(
        seed=1, volume=7, begins=now - timedelta(hours=9), ends=now, every=timedelta(hours=2), is_past=True
    ).run()


PARTS: Final[list[Callable[[], None]]] = [keno_games, jackpot_evening, *small_rooms.PARTS]


def make(witness: RunningWitness) -> Exported:
    """The house, from its first key on, and its export."""
    begin_log()
    witness.watch()
    private = private_halves()
    seed()
    open_accounts()
    demo.build_demo()
    on_the_payroll(clerk="manager", notary="manager")  # who put letters on record, wherever a test wants one
    jackpot_demo.build_demo()
    registered(*(f"C-{person}" for person in "ABCDEFGHIJ"))  # who wins is chance, and shows how old he is
    for part in PARTS:
        part()
        seal_now()
        cosign_now()
    rotate_key(by=system("small-house"))
    private |= private_halves()
    return exported_now(private)


def exported_now(private: dict[str, bytes] | None = None) -> Exported:
    """What is in the house now, sealed, cosigned and exported. *private*: halves of keys that were handed over."""
    seal_now()
    cosign_now()
    file = io.BytesIO()
    export(to=file, by=system("small-house"), venue="Small house")
    head = latest_cosigned()
    assert head is not None
    lines = tuple(file.getvalue().splitlines(keepends=True))
    return Exported(lines, (private or {}) | private_halves(), str(Notes().of(head)))


def private_halves() -> dict[str, bytes]:
    found = [path.read_bytes() for path in keys.folder().iterdir()]
    found.append(keys.signing(EXPORT)._private.private_bytes_raw())
    return {
        fingerprint(Ed25519PrivateKey.from_private_bytes(raw).public_key().public_bytes_raw()): raw for raw in found
    }
