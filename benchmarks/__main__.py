"""``make bench [ONLY=name]``: prints one line a figure, ``name value unit ratio-to-baseline``.

Each benchmark in a process of its own, on embedded services of its own in a temporary folder, so that it does not
depend on what was measured before it; with the settings of ``make run`` (writes are durable). Each again, up to
``ROUNDS`` times, while it keeps within its share of ``BENCH_MINUTES``: a line says the median and, behind it, the least
and the most of its ratio. ``BENCH_JSON=file`` writes all of it down. What is measured is compared with such a file,
``benchmarks/recorded.json``; ``BENCH_JSON=benchmarks/recorded.json make bench`` records anew, and keeps there what it
did not measure.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from benchmarks import machine
from benchmarks.report import FILE
from benchmarks.rounds import Figure, gathered

FIGURES: Final = (
    "ledger",
    "jackpot",
    "chance",
    "signage",
    "keno_sale",
    "keno",
    "promotions",
    "second_party",
    "console",
    "idle",
    "nodes",
    "verify",  # last: what is left of the time is its
)
ROUNDS: Final = int(os.environ.get("ROUNDS", "3"))
MINUTES: Final = float(os.environ.get("BENCH_MINUTES", "25"))
RECORDED: Final = Path(__file__).with_name("recorded.json")
ENDS_WITHIN_SECONDS: Final = 30.0


def main() -> int:
    wanted = sys.argv[1:] or list(FIGURES)
    if strange := set(wanted) - set(FIGURES):
        print(f"There is no benchmark {', '.join(sorted(strange))}; there are: {', '.join(FIGURES)}.", file=sys.stderr)
        return 1
    until = time.monotonic() + MINUTES * 60
    print(f"# {machine.said()}", flush=True)
    print(f"{'figure':<46}{'value':>14} {'unit':<12}{'ratio':>8}  to", flush=True)
    before = read(RECORDED)
    worst = 0
    for place, name in enumerate(wanted):
        left = until - time.monotonic()
        began = machine.moment()
        rounds, code = measured(name, share=left / (len(wanted) - place), left=left)
        found = gathered(rounds)
        for each in found:
            print(each.line(before.get(name, {}).get("figures", [])), flush=True)
        if code:
            print(f"{name}: not measured to its end (code {code}).", file=sys.stderr, flush=True)
        worst = max(worst, abs(code))
        if found and "BENCH_JSON" in os.environ:
            write(Path(os.environ["BENCH_JSON"]), name, began | {"load_after": machine.load()}, found)
    return worst


def measured(name: str, *, share: float, left: float) -> tuple[list[list[dict[str, Any]]], int]:
    """The figures of each round. Another one only where it fits into this benchmark's share of the time; the first may
    take whatever is left."""
    rounds: list[list[dict[str, Any]]] = []
    started, longest, code = time.monotonic(), 0.0, 0
    while len(rounds) < ROUNDS and not code and (not rounds or time.monotonic() - started + longest <= share):
        began = time.monotonic()
        found, code = once(name, seconds=left - (began - started))
        longest = max(longest, time.monotonic() - began)
        if found and not (code and rounds):  # of a round that broke off only where there is no other
            rounds.append(found)
    return rounds, code


def once(name: str, *, seconds: float) -> tuple[list[dict[str, Any]], int]:
    """One round; one that takes too long is ended, and what it found until then counts."""
    if seconds <= 0:
        return [], 1
    with tempfile.NamedTemporaryFile("r") as figures:
        process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.measure", name], env=os.environ | {FILE: figures.name}
        )
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
            code = process.wait(ENDS_WITHIN_SECONDS) or 1
        except KeyboardInterrupt:
            process.wait(ENDS_WITHIN_SECONDS)
            raise
        return [json.loads(line) for line in figures], code


def read(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text())
    except FileNotFoundError:
        return {}
    return found


def write(path: Path, name: str, measured_on: dict[str, Any], found: list[Figure]) -> None:
    """This benchmark's figures into the file, which keeps those of the others."""
    kept = read(path) | {name: {"measured": measured_on, "figures": [each.as_json() for each in found]}}
    path.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    sys.exit(main())
