"""``make soak SEED=7 MINUTES=60``: a whole house with faults under a seed, then the journals beside the books.

The seed decides faults, their length, what terminals sell and which answers are lost; the machine decides the rest. It
ends with code 1 where something acknowledged is not there, something is there twice or unasked, the export is not
right, or the house is not ready within five minutes of the last fault.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from random import Random

import psutil

from config.services import addresses
from tests.world.copies import PATIENCE, Copy, own_folder
from tests.world.faults import chosen, on_small_disk
from tests.world.journals import compare, verified
from tests.world.terminals import Journal, Terminal, token

TERMINALS = 4
WELL_AGAIN_SECONDS = 300.0


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    asked.add_argument("--seed", type=int, required=True)
    asked.add_argument("--minutes", type=float, default=60.0)
    given = asked.parse_args()
    data = own_folder()
    small = on_small_disk(data)
    copy = Copy(data, METERHOUSE_DEMO="1")
    try:
        copy.start()
        return soak(copy, seed=given.seed, seconds=given.minutes * 60)
    finally:
        if hasattr(copy, "process"):
            copy.process.kill()
            psutil.wait_procs(copy.processes(), PATIENCE)
        if small:
            subprocess.run(["umount", "--lazy", str(data)], check=False)
        shutil.rmtree(data, ignore_errors=True)


def soak(copy: Copy, *, seed: int, seconds: float) -> int:
    writers = [token(copy, "writer") for _ in range(TERMINALS)]
    table = token(copy, "table")[1]
    chance, until = Random(seed), time.monotonic() + seconds
    terminals = [
        Terminal(copy, token=secret, table_token=table, seed=seed * 1_000 + number, until=until)
        for number, (_, secret) in enumerate(writers)
    ]
    for terminal in terminals:
        terminal.start()
    struck = strike(copy, chance, until=until)
    for terminal in terminals:
        terminal.join()
    healed = well_again(copy)
    wrong = [f"terminal {each.number}: {each.trouble}" for each in terminals if each.trouble]
    devices, url = [f"device:{code}" for code, _ in writers], addresses.embedded_database_url(copy.data)
    wrong += compare([each.journal for each in terminals], devices=devices, url=url)
    if healed is None:
        wrong.append(f"the house was not ready within {WELL_AGAIN_SECONDS:.0f} s of the last fault")
    if said := verified(copy, copy.data / "export"):
        wrong.append(said)
    tell(seed, struck, [each.journal for each in terminals], healed, wrong)
    return 1 if wrong else 0


def strike(copy: Copy, chance: Random, *, until: float) -> dict[str, int]:
    """Fault after fault, with some quiet between two; how often each."""
    struck: dict[str, int] = {}
    for name, fault, lasts, quiet in chosen(chance):
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
