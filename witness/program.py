"""The witness as a program. What is in the way of a start is said in one sentence, with exit code 1."""

from __future__ import annotations

import argparse
import ctypes
import os
import secrets
import signal
import stat
import sys
import threading
from pathlib import Path
from types import FrameType

from witness import admit, keys
from witness.calls import Witness
from witness.check import check
from witness.memory import Memory
from witness.server import Server
from witness.trouble import Trouble

_PR_SET_PDEATHSIG = 1


def main(arguments: list[str] | None = None) -> int:
    options = _options(arguments)
    try:
        if options.user is not None:
            _become(options.user)
        folder = _folder(options.folder)
        if not keys.exist(folder):
            _ceremony(folder, options)
        if options.ceremony:
            return 0
        if options.check:
            found = check(folder, keys.Keys.load(folder))
            _say(f"The journal is whole: {found.lines:,} lines, {found.heads:,} heads, {found.answers:,} answers.")
            return 0
        _serve(folder, options)
    except Trouble as trouble:
        sys.stderr.write(f"{trouble}\n")
        return 1
    return 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m witness", description="The second party to a house's draws.")
    parser.add_argument("--folder", type=Path, required=True, help="its keys and its memory; never part of a backup")
    parser.add_argument("--port", type=int, default=8600)
    parser.add_argument("--host", default="127.0.0.1", help="the address it is reached at (default 127.0.0.1)")
    parser.add_argument("--logs", type=Path, help="which logs it watches: a file with lines “VENUE log KEY”")
    parser.add_argument("--name", default="", help="on the first start: its name, like witness.example.com/keno")
    parser.add_argument("--dice", default="", help="on the first start: fifty throws of a die or more, like 351264…")
    parser.add_argument("--same-machine", action="store_true", help="on the first start: it stands beside its house")
    parser.add_argument("--user", type=int, help="started by root: the number of the user to be from then on")
    parser.add_argument("--check", action="store_true", help="read the whole journal again, and end")
    parser.add_argument("--ceremony", action="store_true", help="make the keys and end")
    return parser.parse_args(arguments)


def _become(user: int) -> None:
    """Leave root behind, now that everything is loaded. There is no way back, and we still end with who started us."""
    parent = os.getppid()
    try:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    except PermissionError:
        raise Trouble("Only root can choose whom the witness runs as: start it as that user instead.") from None
    if sys.platform == "linux":  # a change of user has made the kernel forget whose death is ours
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
        if os.getppid() != parent:
            raise Trouble("Whoever started the witness has ended.")


def _folder(folder: Path) -> Path:
    """For us alone, or not at all."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.stat()
    if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o077:
        raise Trouble(f"{folder} must belong to the witness's user and be closed to all others (chmod 700).")
    return folder


def _ceremony(folder: Path, options: argparse.Namespace) -> None:
    if not options.name and options.same_machine:
        options.name = f"meterhouse/{secrets.token_hex(4)}"
    if not options.name:
        raise Trouble("A new witness needs a name: --name witness.example.com/keno, or any other name of yours.")
    dice = "".join(options.dice.split())
    if not dice and options.same_machine:
        dice = keys.thrown_by_the_machine()
    elif not dice:
        keys.make(folder)  # before the throws: nobody can try keys until one suits them
        raise Trouble("Its RSA key is made. Now throw a die fifty times or more, and start again with --dice 351264….")
    made = keys.hold_ceremony(folder, name=options.name, dice=dice, same_machine=options.same_machine)
    _say(f"The key ceremony is held. This witness is\n{made.cosigner}")


def _serve(folder: Path, options: argparse.Namespace) -> None:
    memory = Memory(folder, keys.Keys.load(folder))
    admit.admit(memory, options.logs)
    try:
        server = Server((options.host, options.port), Witness(memory, options.logs))
    except OSError as error:
        raise Trouble(f"The witness cannot be reached at {options.host}:{options.port}: {error.strerror}.") from None

    def stop(signum: int, frame: FrameType | None) -> None:
        threading.Thread(target=server.shutdown).start()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    _say(f"The witness {memory.keys.name} is at http://{options.host}:{server.server_address[1]}/")
    server.serve_forever(poll_interval=0.2)
    server.server_close()
    with memory.lock:
        memory.close()


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
