"""The tests are compiled once, by the process that hands them out: in a new clone each of the others would do it again,
which takes it 9 s of CPU. What they then find in ``__pycache__`` they still compare with its source."""

from __future__ import annotations

import compileall
import sys
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

from kernel.environment import ROOT


def for_every_process(config: pytest.Config) -> None:
    if sys.dont_write_bytecode:
        return
    for package in ROOT.glob("*/__init__.py"):
        if package.parent.name != "tests":
            compileall.compile_dir(package.parent, quiet=2)
    for path in (ROOT / "tests").rglob("*.py"):
        if path.name == "conftest.py" or path.name.startswith("test_"):
            _rewrite(path, config)
        else:
            compileall.compile_file(path, quiet=2)


def _rewrite(path: Path, config: pytest.Config) -> None:
    """As pytest does when it imports a test: a plain ``assert`` then says what was compared."""
    compiled = rewrite.get_cache_dir(path) / (path.stem + rewrite.PYC_TAIL)
    if compiled.exists() and compiled.stat().st_mtime > path.stat().st_mtime:
        return
    if rewrite.try_makedirs(compiled.parent):
        source_hash, code = rewrite._rewrite_test(path, config)
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, source_hash, compiled)
