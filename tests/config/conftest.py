from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.world.copies import own_folder


@pytest.fixture
def data() -> Iterator[Path]:
    """A data folder. Not under tmp_path: pytest closes that to other users, and as root PostgreSQL runs as one."""
    folder = own_folder()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)
