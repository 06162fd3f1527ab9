"""A backup tried out: restored into a server of its own, everything in it checked as a stranger would (``manage.py
drill``). Nothing of the house is touched, nothing is sealed, and what was restored is thrown away."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from config.backup import About, read_about
from config.services import addresses
from config.services.postgres import Postgres
from kernel import keys
from kernel.environment import ROOT, Trouble
from ledger.offline_check import Checked, ExportWrong, check_export

_OURS: Final = ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_SEALER_URL", "WITNESS_URL")


@dataclass(frozen=True, slots=True)
class Drilled:
    about: About
    checked: Checked
    database_bytes: int


def drill(backup: Path) -> Drilled:
    """Raises Trouble: the backup is none that a house could be restored from."""
    about, kept = read_about(backup), keys.folder()
    data = Path(tempfile.mkdtemp(prefix="meterhouse-drill-"))
    server = Postgres(data, durable=False)
    try:
        server.start()
        here = {name: value for name, value in os.environ.items() if name not in _OURS} | {
            "METERHOUSE_DATA": str(data),
            "METERHOUSE_KEYS": str(kept),
            "METERHOUSE_DEMO": "0",
            "DATABASE_URL": addresses.embedded_database_url(data, addresses.OWNER),
            addresses.AS: addresses.OWNER,
            "REDIS_URL": f"unix://{data}/none",  # nothing is told to anybody
        }
        _manage(["restore", str(backup)], here)
        _manage(["audit", "export", str(data / "export"), "--as-sealed"], here)
        checked = check_export(data / "export")
        if checked.rows != about.rows:
            raise Trouble(f"The restored log has {checked.rows:,} sealed rows; the backup says {about.rows:,}.")
        size = sum(each.stat().st_size for each in server.folder.rglob("*") if each.is_file())
    except ExportWrong as wrong:
        raise Trouble(f"What was restored from {backup} is wrong: {wrong}") from None
    finally:
        server.stop()
        shutil.rmtree(data, ignore_errors=True)
    return Drilled(about, checked, size)


def _manage(arguments: list[str], environment: dict[str, str]) -> None:
    command = [sys.executable, str(ROOT / "manage.py"), *arguments]
    done = subprocess.run(command, check=False, env=environment, cwd=ROOT, capture_output=True, text=True)  # noqa: S603
    if done.returncode != 0:
        raise Trouble((done.stderr.strip() or "it does not say why").splitlines()[-1])
