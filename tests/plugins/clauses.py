"""``@pytest.mark.clause("act-keno:3.1a")``: tests name the clauses they show, and a full run writes docs/clauses.md.

An id that is not in docs/rules/clauses.csv is an error. The page is written only when the whole suite ran and passed,
and holds nothing but what the suite says, so that it changes only when the tests do.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
LIST = ROOT / "docs" / "rules" / "clauses.csv"
NO_PART = LIST.with_name("no_part.csv")
PAGE = ROOT / "docs" / "clauses.md"

_PROPERTY = "clause"  # how a worker's marks reach the process that writes the page


@dataclass(frozen=True, slots=True)
class Clause:
    id: str
    kind: str
    what: str


def read_list(path: Path = LIST) -> list[Clause]:
    with path.open(newline="", encoding="utf-8") as file:
        return [Clause(id=row["id"], kind=row["kind"], what=row["what"]) for row in csv.DictReader(file)]


def read_no_part(path: Path = NO_PART) -> dict[str, str]:
    """The clauses in which the software has no part, and why, in three words."""
    with path.open(newline="", encoding="utf-8") as file:
        return {row["id"]: row["reason"] for row in csv.DictReader(file)}


class Clauses:
    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.clauses = read_list()
        self.known = {clause.id for clause in self.clauses}
        self.shown: dict[str, set[str]] = defaultdict(set)
        self.skipped = False
        self.deselected = False

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            ids = [id for mark in item.iter_markers("clause") for id in mark.args]
            unknown = sorted(set(ids) - self.known)
            if unknown:
                raise pytest.UsageError(
                    f"{item.nodeid} names clauses that are not in {LIST.name}: {', '.join(unknown)}"
                )
            item.user_properties.extend((_PROPERTY, id) for id in ids)
        shown_without = {_name(item.nodeid) for item in items if not item.get_closest_marker("long")}
        for item in items:
            if item.get_closest_marker("clause") and _name(item.nodeid) not in shown_without:
                raise pytest.UsageError(f"{item.nodeid} shows a clause, but only make test-long would run it")

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        self.deselected = self.deselected or any(not item.get_closest_marker("long") for item in items)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" or report.outcome != "passed" or hasattr(report, "wasxfail"):
            return
        name = _name(report.nodeid).removeprefix("tests/")
        for key, value in report.user_properties:
            if key == _PROPERTY:
                self.shown[str(value)].add(name)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        is_worker = hasattr(self.config, "workerinput")
        if exitstatus == 0 and not is_worker and self._is_full_run():
            PAGE.write_text(page(self.clauses, self.shown, read_no_part()), encoding="utf-8")

    def _is_full_run(self) -> bool:
        option = self.config.option
        named = [Path(argument).resolve() for argument in self.config.args]
        marks = option.markexpr not in ("", "not long")
        narrowed = option.keyword or marks or option.deselect or option.collectonly
        narrowed = narrowed or option.ignore or option.ignore_glob or getattr(option, "lf", False)
        return not narrowed and not self.deselected and set(named) <= {ROOT, ROOT / "tests"}


def _name(nodeid: str) -> str:
    """One entry for all parameters."""
    return nodeid.split("[", maxsplit=1)[0]


def page(clauses: list[Clause], shown: dict[str, set[str]], no_part: dict[str, str] | None = None) -> str:
    covered = [clause for clause in clauses if shown.get(clause.id)]
    missing = [clause for clause in clauses if not shown.get(clause.id)]
    lines = [
        "# The clauses, and the tests that show them",
        "",
        "Written by `make test` from `docs/rules/clauses.csv` and the marks on the tests; do not edit.",
        f"{len(covered)} of {len(clauses)} clauses are shown by a test; the others are listed at the end.",
        "",
        "`enforce`: the software decides or refuses. `record`: people decide, the software keeps and routes it. "
        "`show`: it must be displayed.",
        "",
        "| clause | kind | what it says | tests |",
        "|---|---|---|---|",
    ]
    for clause in covered:
        tests = "<br>".join(f"`{name}`" for name in sorted(shown[clause.id]))
        lines.append(f"| {clause.id} | {clause.kind} | {_cell(clause.what)} | {tests} |")
    lines += ["", "## Not shown by a test yet", ""]
    lines += [f"- {clause.id} ({clause.kind}): {clause.what}" for clause in missing] or ["None."]
    lines += _elsewhere(no_part or {})
    return "\n".join(lines) + "\n"


def _elsewhere(no_part: dict[str, str]) -> list[str]:
    if not no_part:
        return []
    counts = sorted(Counter(no_part.values()).items(), key=lambda each: (-each[1], each[0]))
    return [
        "",
        "## Clauses in which the software has no part",
        "",
        f"{len(no_part)} of them, each with its reason in `docs/rules/no_part.csv`: "
        + "; ".join(f"{reason} {count}" for reason, count in counts)
        + ".",
    ]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
