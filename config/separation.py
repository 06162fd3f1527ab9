"""A system user for each program of the house, where root starts it (decision 18).

Users are numbers without names: nothing is added to the machine. A key's file belongs to root and to a group of its
own, and a program is in the groups of the keys that it reads (``kernel.keys``). Web can therefore read neither the
sealing keys nor the owner's password, and no program can look into another. Where this is not possible everything runs
as whoever starts it, and the sign-in page and the export say so (``ledger.separation``).
"""

from __future__ import annotations

import functools
import os
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kernel import keys
from kernel.environment import ROOT, SHARED_UMASK, Trouble

REDIS, WITNESS = "redis", "witness"
# systemd's list of what numbers are for leaves 60578 to 61183 to nobody.
_BASE: Final = 61100
_PROGRAMS: Final = (*keys.PROGRAMS, REDIS, WITNESS)
_PYTHON: Final = frozenset(keys.PROGRAMS)
_WORK_GROUP, _FIRST_KEY_GROUP = 10, 20
_SHARED: Final = 0o2770  # what is made in such a folder is its group's
UMASK: Final = SHARED_UMASK


@dataclass(frozen=True, slots=True)
class Identity:
    user: int
    group: int
    groups: tuple[int, ...]


def identity(program: str) -> Identity | None:
    """Whom this program runs as; None: as whoever starts it."""
    if not _is_root() or (program in _PYTHON and not readable_by_others()):
        return None
    groups = [_key_group(key) for key in keys.KEYS if program in key.readers]
    if program in (keys.WEB, keys.WORKER):
        groups.append(_base() + _WORK_GROUP)
    return Identity(_user(program), house_group(), tuple(groups))


def house_group() -> int:
    """The group of all programs: sockets and figures are theirs together."""
    return _base()


def why_off() -> str | None:
    """Why programs have no users of their own; None where they have."""
    if not _is_root():
        return "it was not started by root"
    if not readable_by_others():
        return f"other users of this machine cannot read {ROOT} and its Python"
    return None


@functools.cache
def readable_by_others() -> bool:
    """Whether a user of ours can run our code at all. Tried, because much can be in the way."""
    for path in (ROOT / "x", Path(sys.executable), Path(sys.executable).resolve(), Path(sys.base_prefix) / "x"):
        make_passable(path)
    try:
        done = subprocess.run(
            [sys.executable, "-c", "import kernel.keys, cryptography"],
            cwd=ROOT,
            user=_user(keys.WEB),
            group=house_group(),
            extra_groups=[],
            env=os.environ | {"HOME": "/"},
            check=False,
            capture_output=True,
            timeout=60,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def arrange(data: Path) -> None:
    """Who may read and write what in the data folder. At every start: keys come, and older files had other owners."""
    if why_off() is not None:
        return
    data.mkdir(parents=True, exist_ok=True)
    make_passable(data / "x")
    data.chmod(0o711)
    _share(data / "metrics", house_group())
    _share(data / "work", _base() + _WORK_GROUP)
    _arrange_keys()


def _arrange_keys() -> None:
    folder = keys.folder()
    if not folder.exists():
        return
    folder.chmod(0o711)
    for key in keys.KEYS:
        if key.shape is keys.Shape.SERIES:
            if key.path.exists():
                _give(key.path, _user(keys.SEALER), house_group(), 0o700)
                for each in key.path.iterdir():
                    _give(each, _user(keys.SEALER), house_group(), 0o600)
        elif key.path.exists():
            _give(key.path, 0, _key_group(key) if key.readers else 0, 0o440 if key.readers else 0o400)


def make_passable(path: Path) -> None:
    """Let other users walk through (not read) the folders above ``path``, where they do not allow it yet."""
    for folder in path.absolute().parents:
        mode = folder.stat().st_mode
        if not mode & stat.S_IXOTH:
            folder.chmod(stat.S_IMODE(mode) | stat.S_IXOTH)


def _share(folder: Path, group: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _give(folder, 0, group, _SHARED)
    for each in folder.iterdir():
        _give(each, each.stat().st_uid, group, 0o660)


def _give(path: Path, user: int, group: int, mode: int) -> None:
    os.chown(path, user, group)
    path.chmod(mode)


def _is_root() -> bool:
    return os.geteuid() == 0


def _user(program: str) -> int:
    return _base() + 1 + _PROGRAMS.index(program)


def _key_group(key: keys.Key) -> int:
    return _base() + _FIRST_KEY_GROUP + keys.KEYS.index(key)


def _base() -> int:
    given = os.environ.get("METERHOUSE_UIDS") or str(_BASE)
    if not (given.isascii() and given.isdigit() and 1000 <= int(given) <= 4_000_000_000):
        raise Trouble(f"METERHOUSE_UIDS must be the first of 100 free user numbers, like {_BASE}, not “{given}”.")
    return int(given)
