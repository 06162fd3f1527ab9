"""``make soak SEED=7 MINUTES=60``: a whole house with faults under a seed, then the journals beside the books.

Half of the time it is a house with its embedded database, which is killed, stopped and left without room; then one on
two servers in step, whose primary is lost, whose standby is promoted, and which are rewound to follow each other.
The seed decides faults, their length, what terminals sell and which answers are lost; the machine decides the rest. It
ends with code 1 where something acknowledged is not there, something is there twice or unasked, the export is not
right, or the house is not ready within five minutes of the last fault.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from random import Random
from typing import Final

import psutil

from config.services import addresses
from tests.soak.pair import Pair, house_on_a_pair
from tests.world.copies import PATIENCE, Copy, own_folder
from tests.world.faults import Fault, chosen, every_fault, on_small_disk
from tests.world.journals import compare, verified
from tests.world.terminals import Journal, Terminal, token

TERMINALS = 4
WELL_AGAIN_SECONDS = 300.0
PROMOTED_AFTER_SECONDS = 5.0
OF_THE_EMBEDDED: Final = {"postgres killed", "postgres stopped", "idle transaction"}


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    asked.add_argument("--seed", type=int, required=True)
    asked.add_argument("--minutes", type=float, default=60.0)
    given = asked.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # and everything is put away
    half = given.minutes * 60 / 2
    wrong = 0
    with house_of_its_own() as copy:
        url = addresses.embedded_database_url(copy.data)
        wrong += soak(copy, seed=given.seed, seconds=half, faults=every_fault(), url=url)
    with house_on_a_pair(small_disk=True) as (copy, pair):
        pair.keep_in_step(wanted=True)
        pair.wait_in_step()
        # Its database is nobody's child here: what befalls it is a failover.
        faults = {name: fault for name, fault in every_fault().items() if name not in OF_THE_EMBEDDED}
        faults |= {"primary lost": partial(primary_lost, pair=pair)}
        wrong += soak(copy, seed=given.seed, seconds=half, faults=faults, url=pair.url("meterhouse_runtime"))
    return 1 if wrong else 0


@contextmanager
def house_of_its_own() -> Iterator[Copy]:
    """With its embedded database, all of it on a small disk."""
    data = own_folder()
    small = on_small_disk(data)
    copy = Copy(data, METERHOUSE_DEMO="1")
    try:
        copy.start()
        yield copy
    finally:
        if hasattr(copy, "process"):
            copy.process.kill()
            psutil.wait_procs(copy.processes(), PATIENCE)
        if small:
            subprocess.run(["umount", "--lazy", str(data)], check=False)
        shutil.rmtree(data, ignore_errors=True)


@contextmanager
def primary_lost(copy: Copy, *, pair: Pair) -> Iterator[None]:
    """Killed with everything it has; promoted is the standby once whoever decides has decided."""
    pair.fail_over(seconds=PROMOTED_AFTER_SECONDS)
    yield


def soak(copy: Copy, *, seed: int, seconds: float, faults: Mapping[str, Fault], url: str) -> int:
    """How much is wrong in the end."""
    writers = [token(copy, "writer") for _ in range(TERMINALS)]
    table = token(copy, "table")[1]
    chance, until = Random(seed), time.monotonic() + seconds
    terminals = [
        Terminal(copy, token=secret, table_token=table, seed=seed * 1_000 + number, until=until)
        for number, (_, secret) in enumerate(writers)
    ]
    for terminal in terminals:
        terminal.start()
    struck = strike(copy, chance, faults, until=until)
    for terminal in terminals:
        terminal.join()
    healed = well_again(copy)
    wrong = [f"terminal {each.number}: {each.trouble}" for each in terminals if each.trouble]
    devices = [f"device:{code}" for code, _ in writers]
    wrong += compare([each.journal for each in terminals], devices=devices, url=url)
    if healed is None:
        wrong.append(f"the house was not ready within {WELL_AGAIN_SECONDS:.0f} s of the last fault")
    if said := verified(copy, copy.data / "export"):
        wrong.append(said)
    tell(seed, struck, [each.journal for each in terminals], healed, wrong)
    return len(wrong)


def strike(copy: Copy, chance: Random, faults: Mapping[str, Fault], *, until: float) -> dict[str, int]:
    """Fault after fault, with some quiet between two; how often each."""
    struck: dict[str, int] = {}
    for name, fault, lasts, quiet in chosen(chance, faults):
        if time.monotonic() + lasts + quiet > until:
            return struck
        struck[name] = struck.get(name, 0) + 1
        with fault(copy):
            time.sleep(lasts)
        time.sleep(quiet)
    return struck


def well_again(copy: Copy) -> float | None:
    """After how many seconds everything is ready, with nobody's help."""
    began = time.monotonic()
    while time.monotonic() - began < WELL_AGAIN_SECONDS:
        try:
            if copy.get("/readyz") == 200:
                return time.monotonic() - began
        except OSError:
            pass
        time.sleep(0.5)
    return None


def tell(seed: int, struck: dict[str, int], journals: list[Journal], healed: float | None, wrong: list[str]) -> None:
    write = sys.stdout.write
    write(f"Seed {seed}: {sum(struck.values())} faults of {len(struck)} kinds.\n")
    for name, count in sorted(struck.items()):
        write(f"  {count:>4} {name}\n")
    refused: dict[str, int] = {}
    for journal in journals:
        for code, count in journal.refused.items():
            refused[code] = refused.get(code, 0) + count
    write(
        f"Sold {sum(len(each.sold) for each in journals):,}, "
        f"cancelled {sum(len(each.cancelled) for each in journals):,}, "
        f"contributed {sum(len(each.contributed) for each in journals):,}; asked again "
        f"{sum(each.asked_again for each in journals):,} times; answers with 500: "
        f"{sum(each.server_errors for each in journals):,}; longest to an answer "
        f"{max((each.longest_seconds for each in journals), default=0.0):.1f} s; refused {refused or 'nothing'}.\n"
    )
    write(f"Ready {healed:.1f} s after the last fault.\n" if healed is not None else "Not ready.\n")
    for sentence in wrong[:50]:
        write(f"WRONG: {sentence}\n")
    write("The journals and the books agree, and the export is right.\n" if not wrong else f"{len(wrong)} wrong.\n")


if __name__ == "__main__":
    sys.exit(main())
