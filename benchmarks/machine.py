"""On what a benchmark ran: the machine, the versions, the commit, and how busy it was."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

from benchmarks.load import client_name


def moment() -> dict[str, Any]:
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _commit(),
        "cores": os.cpu_count(),
        "processor": _processor(),
        "memory_gb": round(psutil.virtual_memory().total / 2**30),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "postgresql": _postgres(),
        "django": importlib.metadata.version("django"),
        "client": client_name(),
        "load_before": load(),
    }


def load() -> float:
    return round(os.getloadavg()[0], 1)


def said() -> str:
    now = moment()
    return (
        f"{now['commit']}, {now['at']}: {now['cores']} cores ({now['processor']}), {now['memory_gb']} GB, "
        f"{now['system']}, Python {now['python']}, PostgreSQL {now['postgresql']}, Django {now['django']}, "
        f"{now['client']}; load average {now['load_before']}"
    )


def _commit() -> str:
    try:
        return subprocess.check_output(
            ["git", "describe", "--always", "--dirty"], text=True, stderr=subprocess.DEVNULL
        ).strip()
    except (OSError, subprocess.CalledProcessError):
        return "no commit"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def _postgres() -> str:
    from config.services.postgres import binaries

    try:
        return subprocess.check_output([binaries() / "postgres", "--version"], text=True).split()[-1]
    except OSError:
        return "elsewhere"
