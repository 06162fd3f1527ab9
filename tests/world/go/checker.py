"""Go's own ``sumdb/note`` and ``tlog``, for tests (check.go).

Where they are installed: on Debian ``golang-go`` and ``golang-golang-x-mod-dev``, which .ci/run installs.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kernel.environment import ROOT

HERE = Path(__file__).resolve().parent
SOURCE = Path("/usr/share/gocode")
needs_go = pytest.mark.skipif(
    shutil.which("go") is None or not (SOURCE / "src/golang.org/x/mod/sumdb").exists(),
    reason="Go or golang.org/x/mod is not installed (Debian: golang-go, golang-golang-x-mod-dev)",
)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """With the program in it, built once a process; it goes with the process."""
    folder = tempfile.TemporaryDirectory()
    kept = ROOT / ".pytest_cache" / "go"
    go = {"GO111MODULE": "off", "GOPATH": str(SOURCE), "GOCACHE": str(kept), "GOFLAGS": "-buildvcs=false"}
    command = ["go", "build", "-o", f"{folder.name}/check", "check.go"]
    subprocess.run(command, cwd=HERE, env=os.environ | go, check=True)
    return folder


def told_by_go(**asked: Any) -> dict[str, Any]:
    program = f"{_folder().name}/check"
    done = subprocess.run([program], input=json.dumps(asked), capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))
