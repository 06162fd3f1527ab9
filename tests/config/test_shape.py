"""How the tree reads, held by machine: lines, functions, files, the console's size, the weight of the pictures."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.ROOT)
LINE_COLUMNS = 160  # of a template, a script, a style
FUNCTION_LINES = 60
FILE_LINES = 400
LONG_FILES = 3
CONSOLE_FILES = 130
PICTURES_BYTES = 3_000_000
PASSAGE_LINES = 6
WRITTEN_BY_MACHINE = ("/migrations/", "_shapes.py")
# A line that only closes what was opened says nothing: brackets, end tags.
SAYS_NOTHING = re.compile(r"\W*|(</\w+>|{% (end\w*|else) %})+")

IMPORTS = re.compile(r"^(import [^\n]*|from \S+ import (\([^)]*\)|[^\n(]*))$", re.MULTILINE)


def tracked(*patterns: str) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_lines_people_can_read() -> None:
    long = [
        f"{named(path)}:{number}"
        for path in tracked("*.html", "*.js", "*.css")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LINE_COLUMNS
    ]
    assert long == []


def functions(within: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """At any depth; expressions, which are most of a tree, have none."""
    for node in ast.iter_child_nodes(within):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from functions(node)


def test_functions_fit_on_a_screen() -> None:
    """Longer ones have a reason beside them: ``# long: …`` at their name or above it."""
    long = []
    for path in tracked("*.py"):
        if "/migrations/" in str(path):
            continue
        lines = path.read_text().splitlines()
        if len(lines) <= FUNCTION_LINES:
            continue
        for node in functions(ast.parse("\n".join(lines))):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            beside = "".join(lines[node.lineno - 2 : node.lineno])
            if length > FUNCTION_LINES and "# long:" not in beside:
                long.append(f"{named(path)}:{node.lineno} {node.name} ({length})")
    assert long == []


def said(path: Path) -> list[tuple[int, str]]:
    """Its lines that say something, with their numbers; not what it imports."""
    text = IMPORTS.sub(lambda found: "\n" * found[0].count("\n"), path.read_text())
    lines = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, line) for number, line in lines if not SAYS_NOTHING.fullmatch(line)]


def test_no_passage_stands_twice() -> None:
    places: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for path in tracked("*.py", "*.html", "*.js", "*.css"):
        if any(mark in str(path) for mark in WRITTEN_BY_MACHINE):
            continue
        lines = said(path)
        for place in range(len(lines) - PASSAGE_LINES + 1):
            passage = lines[place : place + PASSAGE_LINES]
            places[tuple(line for _, line in passage)].append(f"{named(path)}:{passage[0][0]}")
    assert [where for where in places.values() if len(where) > 1] == []


def test_what_tests_of_several_rooms_share_is_in_one_place() -> None:
    """A folder of tests uses its own helpers, ``tests/world`` and ``tests/plugins``, and no other folder's."""
    borrowed = [
        f"{named(path)} from tests.{room}"
        for path in tracked("tests/*.py")
        for room in re.findall(r"^ *from tests\.(\w+)", path.read_text(), re.MULTILINE)
        if room not in ("world", "plugins", "conftest", path.relative_to(ROOT / "tests").parts[0])
    ]
    assert borrowed == []


def test_few_files_are_long() -> None:
    long = [
        f"{named(path)} ({length})"
        for path in tracked("*.py", "*.js", "*.css")
        if "/migrations/" not in str(path) and (length := len(path.read_text().splitlines())) > FILE_LINES
    ]
    assert len(long) <= LONG_FILES, long


def test_the_console_is_the_frame_and_no_more() -> None:
    assert len(tracked("console")) < CONSOLE_FILES


def test_pictures_weigh_little() -> None:
    pictures = tracked("*.png", "*.jpg", "*.webp")
    assert sum(path.stat().st_size for path in pictures) < PICTURES_BYTES
