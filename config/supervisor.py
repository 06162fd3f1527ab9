"""Keeps the parts of the house running: starts them in order, restarts what dies, stops them in the reverse order."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Protocol

from config.separation import UMASK, Identity
from config.services.processes import Child, end, spawn
from config.sinks import rotate_in_place
from config.terminal import Terminal
from kernel.environment import Trouble


class Part(Protocol):
    name: str

    @property
    def running(self) -> bool: ...
    @property
    def ended(self) -> str: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...


class Program(Child):
    """A program of ours whose output is shown."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        terminal: Terminal,
        patience: float,
        last_signal: signal.Signals = signal.SIGTERM,
        identity: Identity | None = None,
    ) -> None:
        super().__init__()
        self.name = name
        self.command = command
        self.environment = environment
        self.terminal = terminal
        self.patience = patience
        self.last_signal = last_signal  # what it gets should we be killed
        self.identity = identity  # whom it runs as; None: as we do
        self._output: threading.Thread | None = None

    def start(self) -> None:
        self._sweep()
        self._process = spawn(
            self.command,
            last_signal=self.last_signal,
            output=subprocess.PIPE,
            environment=self.environment,
            user=self.identity.user if self.identity else None,
            group=self.identity.group if self.identity else None,
            groups=self.identity.groups if self.identity else (),
            umask=UMASK if self.identity else -1,
        )
        assert self._process.stdout is not None
        self._output = self.terminal.relay(self._process.stdout, by=self.name)

    def wait(self, *, unless: threading.Event) -> int | None:
        """The exit code once it has done its work; None where it was stopped before."""
        assert self._process is not None
        while self._process.poll() is None:
            if unless.wait(0.05):
                self.stop()
                return None
        self._sweep()
        return self._process.returncode

    def stop(self) -> None:
        if self._process is not None:
            end(self._process, (signal.SIGTERM, self.patience))
            self._sweep()

    def kill(self) -> None:
        """At once, with everything it started. Safe in a signal handler: nothing is waited for."""
        if self._process is not None and self._process.returncode is None:
            _kill_group(self._process.pid)

    def _sweep(self) -> None:
        """What a program that died has left behind in its session (web and worker have processes of their own)."""
        if self._process is not None:
            _kill_group(self._process.pid)
        if self._output is not None:
            self._output.join(2.0)


class Supervisor:
    """Parts in the order they start. One that dies starts again, at once at first and ever more slowly where it keeps
    dying: the others go on, and whatever is in its way (a full disk, a lost database) may pass."""

    DEATHS_WITHIN_SECONDS = 300.0
    FIRST_DELAY_SECONDS, LONGEST_DELAY_SECONDS = 0.5, 30.0
    LOGS_EVERY_SECONDS = 60.0

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self.logs: list[Path] = []  # files that parts append to themselves; begun anew when they are large
        self._logs_seen_at = time.monotonic()
        self.stopping = threading.Event()
        self.parts: list[Part] = []
        self._deaths: dict[str, deque[float]] = {}
        self._again_at: dict[str, float] = {}
        # Under make, make is who may be killed instead of us; being left alone means it was.
        self._parent = os.getppid() if "MAKELEVEL" in os.environ else None

    def listen(self) -> None:
        for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(signum, self._asked_to_stop)

    def start(self, part: Part) -> None:
        self.parts.append(part)
        part.start()

    def watch(self) -> None:
        """Until somebody asks to stop."""
        while not self.stopping.wait(0.2):
            if self._parent is not None and os.getppid() != self._parent:
                return
            for part in self.parts:
                if not part.running:
                    self._see_to(part)
            self._see_to_logs()

    def stop(self) -> None:
        self.stopping.set()
        for part in reversed(self.parts):
            part.stop()
            self.terminal.say(f"{part.name} stopped.")
        self.parts.clear()

    def _see_to(self, part: Part) -> None:
        now = time.monotonic()
        if part.name not in self._again_at:
            deaths = self._deaths.setdefault(part.name, deque())
            deaths.append(now)
            while deaths[0] < now - self.DEATHS_WITHIN_SECONDS:
                deaths.popleft()
            delay = min(self.FIRST_DELAY_SECONDS * 2 ** (len(deaths) - 1), self.LONGEST_DELAY_SECONDS)
            self._again_at[part.name] = now + delay
            self.terminal.say(f"{part.name} ended by itself ({part.ended}); it starts again in {delay:g} s.")
        elif now >= self._again_at[part.name]:
            del self._again_at[part.name]
            try:
                part.start()
            except (Trouble, OSError) as trouble:  # it is not running, and will be seen to again
                self.terminal.say(f"{part.name} cannot be started: {trouble}")
            else:
                self.terminal.say(f"{part.name} is started again.")

    def _see_to_logs(self) -> None:
        if time.monotonic() - self._logs_seen_at > self.LOGS_EVERY_SECONDS:
            self._logs_seen_at = time.monotonic()
            for path in self.logs:
                rotate_in_place(path)

    def _asked_to_stop(self, signum: int, frame: FrameType | None) -> None:
        if not self.stopping.is_set():
            self.stopping.set()
            return
        for part in self.parts:
            if isinstance(part, Program):
                part.kill()


def _kill_group(leader: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
