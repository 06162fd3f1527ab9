"""One owner of a data folder at a time: two PostgreSQL servers on one folder would destroy it.

The lock is the kernel's (flock), so it goes with its holder however that ends; the file's content only says who it is.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from kernel.environment import Trouble


@dataclass(frozen=True, slots=True)
class Holder:
    pid: int
    what: str  # "make run", "manage.py migrate"
    serves: bool  # whether others may use its PostgreSQL and Redis: they stay until it is stopped
    stopping: bool = False


class FolderLock:
    def __init__(self, data: Path, *, what: str, serves: bool) -> None:
        self.path = data / "lock"
        self.me = Holder(pid=os.getpid(), what=what, serves=serves)
        self._file: IO[str] | None = None

    def take(self) -> bool:
        """Whether the folder is ours now. Makes the folder where it is not there yet."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = self.path.open("a+")
        except OSError as error:
            raise Trouble(
                f"The data folder {self.path.parent} cannot be written ({error.strerror}): "
                "make it writable, or choose another with METERHOUSE_DATA=/some/folder."
            ) from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return False
        self._file = file
        self._say(self.me)
        return True

    def take_within(self, seconds: float) -> None:
        """For somebody who needs the folder alone. One that is just stopping is given the time it needs."""
        start = time.monotonic()
        while not self.take():
            holder = self.holder()
            patience = 60.0 if holder and holder.stopping else seconds
            if time.monotonic() - start > patience:
                who = f"{holder.what}, process {holder.pid}" if holder else "a process that has not said its name"
                raise Trouble(
                    f"The data folder {self.path.parent} is in use by another copy ({who}): stop that one, "
                    "or start this one with another PORT and METERHOUSE_DATA."
                )
            time.sleep(0.1)

    def say_stopping(self) -> None:
        self._say(Holder(pid=self.me.pid, what=self.me.what, serves=self.me.serves, stopping=True))

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def holder(self) -> Holder | None:
        """Who says it holds the folder. Only meaningful while taking it fails; None while it is still writing."""
        try:
            return Holder(**json.loads(self.path.read_text()))
        except (OSError, ValueError, TypeError):
            return None

    def _say(self, holder: Holder) -> None:
        if self._file is not None:
            self._file.seek(0)
            self._file.truncate()
            self._file.write(json.dumps(asdict(holder)) + "\n")
            self._file.flush()
