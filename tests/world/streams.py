"""The event streams in a process of their own, on the test's database."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.world.server import ROOT, database_url, free_port


@contextmanager
def streams(**environment: str) -> Iterator[int]:
    """Answers its port."""
    from django.conf import settings

    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "config.streams", "--port", str(port)],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database_url(), "REDIS_URL": settings.REDIS_URL, **environment},
    )
    try:
        while not _accepts(port):
            assert process.poll() is None, "the streams process ended at once"
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def _accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
