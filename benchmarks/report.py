"""What a benchmark says: a figure, and how it stands to what was measured beside it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from statistics import median

FILE = "BENCH_FIGURES"  # where the process that measures writes them down, for the one that prints (``__main__``)


def figure(name: str, value: float, unit: str, ratio: float, baseline: str) -> None:
    """One figure of one round. A name that begins with two spaces belongs to the figure before it."""
    said = {"name": name, "value": value, "unit": unit, "ratio": ratio, "baseline": baseline}
    with Path(os.environ[FILE]).open("a") as file:
        file.write(json.dumps(said) + "\n")


def figures(name: str, values: Sequence[float], unit: str, ratios: Sequence[float], baseline: str) -> None:
    """One figure of several rounds within one house, where making the house takes longest. The ratios are by round."""
    said = {"name": name, "value": median(values), "unit": unit, "ratio": median(ratios), "baseline": baseline}
    with Path(os.environ[FILE]).open("a") as file:
        file.write(json.dumps({**said, "values": list(values), "ratios": list(ratios)}) + "\n")
