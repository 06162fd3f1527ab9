"""This machine's clock: whether something keeps it (NTP, PTP, a host; the kernel knows), and whether it is right."""

from __future__ import annotations

import ctypes
import sys
from typing import Final

from django.db import connection
from django.utils import timezone

_UNSYNCHRONISED: Final = 5  # what adjtimex answers (TIME_ERROR)
# A worker whose clock is this far from the database's would close games before their time, or long after it. It leaves
# them to one whose clock is right, and goes on when its own is. Its node is not ready. (Five seconds: an incident.)
CLOCK_SECONDS: Final = 30.0
_BYTES: Final = 512  # more than the structure has on any platform


def is_kept() -> bool:
    """Where nobody can be asked it is taken to be."""
    if not sys.platform.startswith("linux"):
        return True
    answer = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_BYTES))  # all zero: only look
    return bool(answer != _UNSYNCHRONISED)


def is_right() -> bool:
    """As the database's, which every process agrees on."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (there,) = cursor.fetchone()
    return bool(abs((timezone.now() - there).total_seconds()) <= CLOCK_SECONDS)
