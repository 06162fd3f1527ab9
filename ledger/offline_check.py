"""Have an export checked as a stranger would: by the verifier, a program of its own that shares nothing with us."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.conf import settings

VERIFIER: Final = (sys.executable, "-m", "verify", "--json")


class ExportWrong(Exception):
    """The first thing that is not as it should be: where, and what."""


@dataclass(frozen=True, slots=True)
class Checked:
    rows: int
    seals: int
    accounts: int
    last_key: str
    rooms: tuple[str, ...]  # what each room has checked, in words


def check_export(path: Path, *, tell: Callable[[int, int], None] | None = None) -> Checked:
    """Raises ExportWrong. *tell* hears how many bytes of how many are done; what it raises ends the check."""
    verifier = subprocess.Popen(  # noqa: S603  our own program
        [*VERIFIER, str(path)], stdout=subprocess.PIPE, cwd=settings.ROOT, start_new_session=True
    )
    assert verifier.stdout is not None
    found: dict[str, Any] = {}
    try:
        with verifier.stdout as lines:
            for line in lines:
                found = json.loads(line)
                if tell is not None and "progress" in found:
                    tell(*found["progress"])
        verifier.wait()
    finally:
        if verifier.poll() is None:
            os.killpg(verifier.pid, signal.SIGKILL)  # with the processes it began for a large file
            verifier.wait()
    if "right" not in found:
        raise ExportWrong(found.get("wrong") or found.get("unreadable") or "the end: the verifier stopped before it.")
    right = found["right"]
    return Checked(
        rows=right["rows"],
        seals=right["seals"],
        accounts=right["accounts"],
        last_key=right["last_key"],
        rooms=tuple(right["rooms"]),
    )
