"""The witness beside the house: a process of its own, with its own folder and, where root starts it, its own user.

It shows how a draw between two parties works, and guards against everybody but root: its name says ``same-machine``.
Where WITNESS_URL names another none is started. Its folder is never part of a backup of the house.
"""

from __future__ import annotations

import http.client
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config import separation
from config.services.embedded import MARK
from config.services.processes import Child, end, last_lines, open_log, spawn
from kernel.environment import ROOT, Trouble, data_folder, own_witness, own_witness_file, witness_url

HOST = "127.0.0.1"
_STOP = ((signal.SIGTERM, 10.0),)
# All that it gets of our environment: what the house is told is none of its business.
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "TZ", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "TMPDIR")


class OwnWitness(Child):
    name = "witness"

    def __init__(self, data: Path, *, port: int, host: str = HOST, beside_house: bool = True) -> None:
        """*beside_house*: for the house that starts it, which is told its address. Else a node of its own."""
        super().__init__()
        self.host, self.beside_house = host, beside_house
        self.folder = _folder(data)
        self.log = data / "log" / "witness.log"
        self.port = port
        passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        self.environment = {**passed_on, MARK: str(data), "PYTHONUNBUFFERED": "1"}

    def start(self) -> None:
        """Returns once it answers, and everybody of the house can find it."""
        identity = separation.identity(separation.WITNESS)
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        command = [sys.executable, "-m", "witness", "--folder", str(self.folder), "--port", str(self.port)]
        command += ["--logs", str(self.folder / "logs"), "--host", self.host]
        command += ["--same-machine"] if self.beside_house else []
        if identity is not None:  # as which it ends up once it is loaded: its code may be closed to that user
            separation.make_passable(self.folder)
            for path in (self.folder, *self.folder.iterdir()):
                os.chown(path, identity.user, identity.user)
            command += ["--user", str(identity.user)]
        with open_log(self.log) as log:
            self._process = spawn(command, output=log, environment=self.environment, folder=ROOT)
        self._wait()
        if self.beside_house:
            _tell_the_house(f"http://{HOST}:{self.port}\n")

    def stop(self) -> None:
        own_witness_file().unlink(missing_ok=True)
        if self._process is not None:
            end(self._process, *_STOP)
            self._process = None

    def _wait(self, patience: float = 120.0) -> None:
        """The first start makes an RSA key, which takes its time."""
        deadline = time.monotonic() + patience
        while not self._answers():
            if not self.running:
                raise Trouble(f"The witness ended at once: {last_lines(self.log)} (see {self.log}).")
            if time.monotonic() > deadline:
                raise Trouble(f"The witness does not answer (see {self.log}).")
            time.sleep(0.05)

    def _answers(self) -> bool:
        line = http.client.HTTPConnection(HOST if self.host == "0.0.0.0" else self.host, self.port, timeout=5)  # noqa: S104
        try:
            line.request("GET", "/healthz")
            return line.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            line.close()


@contextmanager
def for_draws(*, wanted: bool) -> Iterator[None]:
    """The witness while a command runs that draws: a running copy's where there is one, else started and stopped here.

    The log begins with it, where it has not begun."""
    if not wanted or witness_url() or own_witness():
        yield
        return
    data = data_folder()
    beside = OwnWitness(data, port=_free_port())
    beside.start()
    try:
        _begin_log(data)
        yield
    finally:
        beside.stop()


def _begin_log(data: Path) -> None:
    import django  # noqa: PLC0415  the supervisor has no need of it

    django.setup()
    from django.db import ProgrammingError  # noqa: PLC0415  Django first

    from ledger.checkpoints import introduction  # noqa: PLC0415
    from ledger.seal import CannotSeal, begin_log  # noqa: PLC0415

    try:
        begin_log()
        introduce(data, introduction())
    except CannotSeal as error:
        raise Trouble(str(error)) from None
    except ProgrammingError:
        raise Trouble("There are no tables yet: run manage.py migrate first.") from None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def introduce(data: Path, line: str) -> None:
    """Tell the witness beside us which log to watch. It reads the file when somebody comes with a log."""
    path = _folder(data) / "logs"
    path.write_text(line)
    owner = path.parent.stat()
    if owner.st_uid != os.geteuid():
        os.chown(path, owner.st_uid, owner.st_gid)


def _folder(data: Path) -> Path:
    return data / "witness"


def _tell_the_house(address: str) -> None:
    """For every program of ours to read, and nobody else."""
    path = own_witness_file()
    path.write_text(address)
    if separation.why_off() is None:
        os.chown(path, -1, separation.house_group())
        path.chmod(0o640)
