"""The examples in the documents run as they stand, at the running copy."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kernel.environment import ROOT
from tests.clients.counter import Counter

pytestmark = pytest.mark.django_db(transaction=True)


def blocks(page: str, language: str) -> str:
    """All of a page's examples in one language, one after another: a later one goes on where an earlier one ended."""
    return "\n".join(re.findall(rf"^```{language}\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL))


def run(command: list[str], counter: Counter, folder: Path) -> str:
    env = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "clients/python"),
        "METERHOUSE_URL": counter.line.address,
        "METERHOUSE_TOKEN": counter.token,
    }
    done = subprocess.run(command, check=False, cwd=folder, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_clients_readme(counter: Counter, tmp_path: Path) -> None:
    said = run([sys.executable, "-c", blocks("clients/python/README.md", "python")], counter, tmp_path)
    assert "plays in games" in said
    assert "Hand back 1.00" in said
    assert len(counter.sold()) == 2


def test_the_api_guide(counter: Counter, tmp_path: Path) -> None:
    guide = "docs/api/guide.md"
    said = run(["bash", "-euc", blocks(guide, "bash")], counter, tmp_path)
    assert "one ticket: " in said
    assert '"code":"stake-' in said.replace(" ", "")
    said = run([sys.executable, "-c", blocks(guide, "python")], counter, tmp_path)
    assert "sold " in said
    assert len(counter.sold()) == 2
