"""The data folder is nobody else's business: folders 0700, files 0600, also where an earlier version made them."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

# What is ours in it, but for the static files, which are for everybody. PostgreSQL sees to its own.
_OURS: Final = ("keys", "log", "metrics", "redis", "work")


def make_private(data: Path) -> None:
    """As root, others may walk through the folder itself: PostgreSQL has to (config/services/postgres.py)."""
    found = data.stat()
    if found.st_uid == os.geteuid() and found.st_mode & 0o066:
        data.chmod(stat.S_IMODE(found.st_mode) & 0o711)
    for path in data.iterdir():
        if path.is_file():
            _close(path)
    for name in _OURS:
        for folder, _, files in os.walk(data / name):
            _close(Path(folder))
            for file in files:
                _close(Path(folder) / file)


def _close(path: Path) -> None:
    with suppress(FileNotFoundError):
        found = path.lstat()
        if found.st_uid == os.geteuid() and found.st_mode & 0o077 and not stat.S_ISLNK(found.st_mode):
            path.chmod(stat.S_IMODE(found.st_mode) & 0o700)
