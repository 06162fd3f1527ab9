"""The rounds of one benchmark as one line a figure: median, spread, and the change since the recorded run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    key: str  # the name for itself: of a figure that belongs to the one before it, with that one's
    name: str
    unit: str
    values: tuple[float, ...]
    ratios: tuple[float, ...]
    baseline: str  # as the last round worded it

    @property
    def value(self) -> float:
        return median(self.values)

    @property
    def ratio(self) -> float:
        return median(self.ratios)

    def line(self, recorded: Sequence[dict[str, Any]]) -> str:
        """``name value unit ratio-to-baseline``, then the spread over the rounds and what the ratio was."""
        number = f"{self.value:,.0f}" if self.value >= 100 else f"{self.value:,.2f}"
        behind = []
        if len(self.ratios) > 1:
            behind.append(f"{min(self.ratios):.2f}–{max(self.ratios):.2f} in {len(self.ratios)}")
        before = next((each["ratio"] for each in recorded if each["key"] == self.key), None)
        if before:
            behind.append(f"{self.ratio / before - 1:+.0%} to the last {before:.2f}")
        told = f" ({'; '.join(behind)})" if behind else ""
        return f"{self.name:<46}{number:>14} {self.unit:<12}{self.ratio:>7.2f}×  {self.baseline}{told}"

    def as_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "value": rounded(self.value),
            "unit": self.unit,
            "ratio": rounded(self.ratio),
            "baseline": self.baseline,
            "values": [rounded(each) for each in self.values],
            "ratios": [rounded(each) for each in self.ratios],
        }


def rounded(value: float) -> float:
    return float(f"{value:.4g}")


def gathered(rounds: Sequence[Sequence[dict[str, Any]]]) -> list[Figure]:
    """Each figure of all rounds, in the order in which the first round said them."""
    by_key: dict[str, list[dict[str, Any]]] = {}
    for each in rounds:
        for key, said in keyed(each):
            by_key.setdefault(key, []).append(said)
    return [
        Figure(
            key=key,
            name=said[-1]["name"],
            unit=said[-1]["unit"],
            values=tuple(value for one in said for value in one.get("values", [one["value"]])),
            ratios=tuple(ratio for one in said for ratio in one.get("ratios", [one["ratio"]])),
            baseline=said[-1]["baseline"],
        )
        for key, said in by_key.items()
    ]


def keyed(figures: Sequence[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    found, main, seen = [], "", Counter[str]()
    for said in figures:
        name = said["name"]
        if not name.startswith("  "):
            main = key = name
        else:
            key = f"{main}: {name.strip()}"
        seen[key] += 1
        found.append((key if seen[key] == 1 else f"{key} {seen[key]}", said))
    return found
