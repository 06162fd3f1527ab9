"""The published prizes are what the rules give: the script of /verify/ is held against the same file (tests/js)."""

from __future__ import annotations

import json
from pathlib import Path

from keno.vectors import vectors

PUBLISHED = Path(__file__).parents[2] / "docs" / "proof" / "prizes.json"


def test_the_published_prizes_are_what_the_rules_give() -> None:
    assert vectors() == json.loads(PUBLISHED.read_text()), "run: python -m keno.vectors > docs/proof/prizes.json"
