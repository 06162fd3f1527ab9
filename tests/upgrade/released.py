"""A released house as it was kept, and the code of a version in a folder of its own."""

from __future__ import annotations

import subprocess
import tarfile
from pathlib import Path

import pytest

from kernel.environment import ROOT
from tests.upgrade.make_house import PARTS, archive


def unpacked(version: str, folder: Path) -> Path:
    """The backup; keys and the witness's folder are put where a house in this folder looks for them."""
    with tarfile.open(archive(version)) as packed:
        packed.extractall(folder, filter="data")
    for name in PARTS:
        (folder / name).chmod(0o700)
    return folder / "backup"


def code_of(version: str, folder: Path) -> Path:
    """The code that was released, by its tag."""
    packed = subprocess.run(["git", "archive", f"v{version}"], check=False, cwd=ROOT, capture_output=True)
    if packed.returncode != 0:
        pytest.skip(f"this clone does not have the tag v{version}, whose code is to sell meanwhile")
    return _laid_out(packed.stdout, folder)


def code_of_today(folder: Path) -> Path:
    """As it stands here, committed or not."""
    named = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True, cwd=ROOT,
        capture_output=True,
    ).stdout  # fmt: skip
    there = b"\0".join(name for name in named.split(b"\0") if name and (ROOT / name.decode()).is_file())
    packed = subprocess.run(
        ["tar", "--create", "--null", "--files-from=-"], check=True, cwd=ROOT, input=there, capture_output=True
    )
    return _laid_out(packed.stdout, folder)


def _laid_out(packed: bytes, folder: Path) -> Path:
    folder.mkdir()
    subprocess.run(["tar", "--extract"], check=True, cwd=folder, input=packed)
    return folder
