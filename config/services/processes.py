"""What the embedded services and the supervisor share: starting what cannot outlive us, and ending leftovers."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

import psutil

_PR_SET_PDEATHSIG = 1
_prctl = ctypes.CDLL(None, use_errno=True).prctl if sys.platform == "linux" else None


def _dies_with_us(with_signal: signal.Signals) -> Callable[[], None] | None:
    """Ask the kernel to signal the child when we die, even by kill -9. Elsewhere than on Linux leftovers are ended by
    the next start instead."""
    if _prctl is None:
        return None
    prctl, parent = _prctl, os.getpid()

    def arm() -> None:
        prctl(_PR_SET_PDEATHSIG, int(with_signal), 0, 0, 0)
        if os.getppid() != parent:  # we died between fork and here
            os._exit(1)

    return arm


def spawn(
    command: Sequence[str | Path],
    *,
    last_signal: signal.Signals = signal.SIGTERM,
    output: IO[bytes] | int,
    environment: Mapping[str, str] | None = None,
    folder: Path | str | None = None,
    user: int | None = None,
    group: int | None = None,
    groups: Sequence[int] = (),
    umask: int = -1,
) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own (the terminal's Ctrl-C is ours to pass on) that ends when we do.

    Call it from the main thread: the kernel counts the end of the *thread* that forked as the parent's death.
    """
    return subprocess.Popen(  # noqa: S603
        [str(part) for part in command],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        env=environment,
        cwd=folder,
        user=user,
        group=group,
        extra_groups=list(groups) if user is not None else None,
        umask=umask,
        start_new_session=True,
        # Runs after the change of user, which would have cleared the signal again.
        preexec_fn=_dies_with_us(last_signal),  # noqa: PLW1509
    )


def end(process: subprocess.Popen[bytes], *steps: tuple[signal.Signals, float]) -> None:
    """Send each signal in turn, waiting its seconds, until the process is gone; at last SIGKILL."""
    for signum, patience in steps:
        if process.poll() is not None:
            return
        process.send_signal(signum)
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            continue
    if process.poll() is None:
        process.kill()
        process.wait()


def how_it_ended(process: subprocess.Popen[bytes] | None) -> str:
    if process is None or process.returncode is None:
        return "unknown how"
    if process.returncode < 0:
        return f"by {signal.Signals(-process.returncode).name}"
    return f"with code {process.returncode}"


class Child:
    """A process of ours, started or not."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def ended(self) -> str:
        return how_it_ended(self._process)

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None


def end_leftovers(name: str, folder: Path, *steps: tuple[signal.Signals, float]) -> None:
    """End what an earlier, killed run left behind: processes of this name that work in this folder.

    Both PostgreSQL and Redis make their data folder the working folder, so nobody else's server is touched.
    """
    left = _working_in(name, folder)
    for signum, patience in (*steps, (signal.SIGKILL, 10.0)):
        if not left:
            return
        for process in left:
            try:
                process.send_signal(signum)
            except psutil.NoSuchProcess:
                continue
        psutil.wait_procs(left, patience)
        left = _working_in(name, folder)


def _working_in(name: str, folder: Path) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter(["name"]):
        if process.info["name"] != name:
            continue
        try:
            if os.path.samefile(process.cwd(), folder) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found


def open_log(path: Path) -> IO[bytes]:
    """A log file to append to; the supervisor begins it anew when it is large (config/sinks.py)."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")


def last_lines(path: Path, count: int = 3) -> str:
    try:
        return " / ".join(path.read_text(errors="replace").splitlines()[-count:])
    except OSError:
        return "nothing"
