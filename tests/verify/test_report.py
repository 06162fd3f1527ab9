"""The page of a check: the figures of a gaming day come together, and a telephone can read them."""

from __future__ import annotations

from kernel.export_check import Figure
from verify.report import page
from verify.result import Result

DOLLAR = 1_000_000


def test_the_figures_of_a_day_are_one_bar() -> None:
    found = Result(venue="House", until="2026-11-17T17:35:33.555673Z")
    said = [("2026-11-17", 20), ("2026-11-16", 1000), ("2026-11-17", 30)]
    found.figures = [("Tournaments", Figure(day, "Entry fees", dollars * DOLLAR)) for day, dollars in said]
    made = page("export", found)
    assert made.count("<rect") == 2
    assert 'aria-label="2026-11-16: $1,000.00; 2026-11-17: $50.00"' in made
    assert "2026-11-17 17:35:33 UTC" in made
    assert "viewBox" not in made  # words keep their size, however narrow the page
