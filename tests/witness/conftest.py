from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.world.witness import ToyHouse, folder_with_keys, remembering
from witness.admit import admit
from witness.memory import Memory


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """In memory where there is such a place: to a process that is killed it is a disk, and a faster one."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return folder_with_keys(tmp_path / "witness")


@pytest.fixture
def house() -> ToyHouse:
    return ToyHouse()


@pytest.fixture
def logs(tmp_path: Path, house: ToyHouse) -> Path:
    """The keeper's file, with the house in it."""
    path = tmp_path / "logs"
    path.write_text("# venue, what, key\n" + house.admission)
    return path


@pytest.fixture
def memory(folder: Path, logs: Path) -> Iterator[Memory]:
    with remembering(folder) as memory:
        admit(memory, logs)
        yield memory
