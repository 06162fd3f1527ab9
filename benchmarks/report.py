from __future__ import annotations


def figure(name: str, value: float, unit: str, ratio: float, baseline: str) -> None:
    """One line: what was measured, and how it stands to what was measured beside it."""
    number = f"{value:,.0f}" if value >= 100 else f"{value:,.2f}"
    print(f"{name:<44}{number:>14} {unit:<12}{ratio:>7.2f}×  {baseline}", flush=True)
