"""Whether this machine's clock is kept by something: NTP, PTP, a host. Asked of the kernel, which knows."""

from __future__ import annotations

import ctypes
import sys
from typing import Final

_UNSYNCHRONISED: Final = 5  # what adjtimex answers (TIME_ERROR)
_BYTES: Final = 512  # more than the structure has on any platform


def is_kept() -> bool:
    """Where nobody can be asked it is taken to be."""
    if not sys.platform.startswith("linux"):
        return True
    answer = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_BYTES))  # all zero: only look
    return bool(answer != _UNSYNCHRONISED)
