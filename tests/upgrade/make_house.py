"""``python -m tests.upgrade.make_house``: a house of this version as a file, for the versions after it to upgrade.

Run once at a release, with its code: a simulated day of the demo venue, backed up as any house is, its keys beside it
and the witness's folder. Nobody's: the keys sign for this one house, which was never a real one.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path
from typing import Final

from kernel.environment import ROOT
from tests.world.copies import environment

FOLDER: Final = ROOT / "tests" / "upgrade"
PARTS: Final = {"backup": "backup", "keys": "safe", "witness": "witness"}  # folders of the archive, and of the house
_STEPS: Final = (
    ("migrate", "--verbosity=0"),
    ("simulate", "--days=1", "--seed=20", "--volume=1", "--every=240"),
    ("demo",),
    ("audit", "seal"),
    ("backup", "{data}/backup", "--keys={data}/safe"),
)


def archive(version: str) -> Path:
    return FOLDER / f"house-{version}.tar.xz"


def make(to: Path) -> None:
    data = Path(tempfile.mkdtemp(prefix="meterhouse-house-"))
    try:
        for step in _STEPS:
            given = [each.format(data=data) for each in step]
            line = [sys.executable, str(ROOT / "manage.py"), *given]
            subprocess.run(line, check=True, cwd=ROOT, env=environment(data), stdout=subprocess.DEVNULL)
        with tarfile.open(to, "w:xz", preset=9) as packed:
            for name, found in PARTS.items():
                packed.add(data / found, name, filter=_nobodys)
    finally:
        shutil.rmtree(data, ignore_errors=True)


def _nobodys(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


if __name__ == "__main__":
    released = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    make(archive(released))
    sys.stdout.write(f"{archive(released)}: {archive(released).stat().st_size:,} bytes\n")
