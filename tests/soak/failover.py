"""``make failover``: a primary killed under load, its standby promoted; then an older standby, which has lost sales.

Two of the wheel's PostgreSQL on loopback, the house with the address of both (what Patroni decides is done here by
hand: wait, promote). *In step*: a commit is answered once both have it, so nothing that a terminal was told is lost.
*Behind*: the standby was cut off before the last sales; what it has lost the witness remembers, and no money moves.
"""

from __future__ import annotations

import http.client
import os
import pwd
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg

from config.services.postgres import _SYSTEM_USER, binaries
from kernel.environment import ROOT
from tests.soak.__main__ import TERMINALS, well_again
from tests.world.copies import PATIENCE, Copy, own_folder
from tests.world.journals import compare, verified
from tests.world.server import free_port
from tests.world.terminals import Terminal, token

ROLES = ("meterhouse", "meterhouse_runtime", "meterhouse_sealer")
LOAD_SECONDS, PROMOTED_AFTER_SECONDS = 20.0, 5.0


class Server:
    """A PostgreSQL of the trial, as its own user where root runs it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.user = pwd.getpwnam(_SYSTEM_USER).pw_uid if os.geteuid() == 0 else None

    def run(self, program: str, *arguments: str) -> None:
        line = [str(binaries() / program), *arguments]
        done = subprocess.run(line, check=False, cwd="/", user=self.user, capture_output=True, text=True)
        assert done.returncode == 0, f"{program}: {done.stderr}"

    def make(self) -> None:
        self.run("initdb", "-D", str(self.folder), "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C")

    def follow(self, primary: Server) -> None:
        at = f"host=127.0.0.1 port={primary.port} user=postgres"
        self.run("pg_basebackup", "-D", str(self.folder), "-R", "-d", at, "--checkpoint=fast")

    def start(self) -> None:
        settings = (f"-c port={self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' "
                    "-c max_connections=200 -c timezone=UTC")  # fmt: skip
        self.run(
            "pg_ctl", "-D", str(self.folder), "-w", "-t", "120", "-l", str(self.folder / "log"), "-o", settings, "start"
        )

    def kill(self) -> None:
        """All of it at once, as a machine that lost its power."""
        leader = int((self.folder / "postmaster.pid").read_text().split()[0])
        first = psutil.Process(leader)
        children = first.children()
        for each in (first, *children):
            with suppress(psutil.NoSuchProcess):
                each.kill()
        psutil.wait_procs([first, *children], PATIENCE)
        (self.folder / "postmaster.pid").unlink(missing_ok=True)

    def stop(self) -> None:
        if (self.folder / "postmaster.pid").exists():
            self.run("pg_ctl", "-D", str(self.folder), "-m", "immediate", "stop")

    def say(self, *statements: str, database: str = "postgres") -> None:
        with psycopg.connect(f"postgresql://postgres@127.0.0.1:{self.port}/{database}", autocommit=True) as line:
            for statement in statements:
                line.execute(statement)


class Pair:
    def __init__(self, data: Path) -> None:
        self.primary, self.standby = Server(data / "primary"), Server(data / "standby")
        if self.primary.user is not None:
            os.chown(data, self.primary.user, -1)
        self.password = secrets.token_hex(16)

    def start(self) -> None:
        self.primary.make()
        self.primary.start()
        self.primary.say(
            *(f"CREATE ROLE {role} LOGIN PASSWORD '{self.password}'" for role in ROLES),
            "CREATE DATABASE meterhouse OWNER meterhouse",
        )
        self.standby.follow(self.primary)
        self.standby.start()

    def keep_in_step(self, *, wanted: bool) -> None:
        names = "'*'" if wanted else "''"
        self.primary.say(f"ALTER SYSTEM SET synchronous_standby_names = {names}", "SELECT pg_reload_conf()")

    def promote(self) -> None:
        self.standby.say("SELECT pg_promote(true, 60)", "ALTER SYSTEM RESET synchronous_standby_names")
        self.standby.say("SELECT pg_reload_conf()")

    def url(self, role: str) -> str:
        at = ",".join(f"127.0.0.1:{each.port}" for each in (self.primary, self.standby))
        return f"postgresql://{role}:{self.password}@{at}/meterhouse?target_session_attrs=read-write"


def main() -> int:
    wrong: list[str] = []
    for trial in (in_step, behind):
        wrong += with_house(trial)
    for sentence in wrong:
        sys.stdout.write(f"WRONG: {sentence}\n")
    return 1 if wrong else 0


def with_house(trial: Callable[[Copy, Pair], list[str]]) -> list[str]:
    data, servers = own_folder(), own_folder()
    pair = Pair(servers)
    copy = Copy(data, METERHOUSE_DEMO="1")
    try:
        pair.start()
        copy.env |= {
            "DATABASE_URL": pair.url("meterhouse_runtime"),
            "DATABASE_OWNER_URL": pair.url("meterhouse"),
            "DATABASE_SEALER_URL": pair.url("meterhouse_sealer"),
        }
        keys_made(copy)
        copy.start()
        return [f"{trial.__name__}: {sentence}" for sentence in trial(copy, pair)]
    finally:
        if hasattr(copy, "process"):
            copy.process.kill()
            psutil.wait_procs(copy.processes(), PATIENCE)
        for server in (pair.primary, pair.standby):
            server.stop()
        shutil.rmtree(data, ignore_errors=True)
        shutil.rmtree(servers, ignore_errors=True)


def keys_made(copy: Copy) -> None:
    line = [sys.executable, "-m", "config.keys", "make"]
    subprocess.run(line, check=True, cwd=ROOT, env=copy.env, capture_output=True)


def selling(copy: Copy, *, seconds: float) -> tuple[list[Terminal], list[str]]:
    writers = [token(copy, "writer") for _ in range(TERMINALS)]
    table = token(copy, "table")[1]
    until = time.monotonic() + seconds
    terminals = [
        Terminal(copy, token=secret, table_token=table, seed=number, until=until)
        for number, (_, secret) in enumerate(writers)
    ]
    for terminal in terminals:
        terminal.start()
    return terminals, [f"device:{code}" for code, _ in writers]


def in_step(copy: Copy, pair: Pair) -> list[str]:
    pair.keep_in_step(wanted=True)
    terminals, devices = selling(copy, seconds=3 * LOAD_SECONDS)
    time.sleep(LOAD_SECONDS)
    pair.primary.kill()
    killed_at = time.monotonic()
    sold = sum(len(each.journal.sold) for each in terminals)
    time.sleep(PROMOTED_AFTER_SECONDS)
    pair.promote()
    while sum(len(each.journal.sold) for each in terminals) <= sold + 1 and time.monotonic() - killed_at < 120:
        time.sleep(0.1)
    back = time.monotonic() - killed_at
    for terminal in terminals:
        terminal.join()
    wrong = [each.trouble for each in terminals if each.trouble]
    if well_again(copy) is None:
        wrong.append("the house was not ready again")
    wrong += compare([each.journal for each in terminals], devices=devices, url=pair.url("meterhouse_runtime"))
    if said := verified(copy, copy.data / "export"):
        wrong.append(said)
    sys.stdout.write(
        f"In step: {sum(len(each.journal.sold) for each in terminals):,} sold, {sold:,} of them before the primary was "
        f"killed; sales back {back:.1f} s after it, {back - PROMOTED_AFTER_SECONDS:.1f} s after the "
        f"decision to promote; answers with 500: {sum(each.journal.server_errors for each in terminals)}.\n"
    )
    return wrong


def behind(copy: Copy, pair: Pair) -> list[str]:
    """The standby stands still, sales go on, the primary is lost: what is promoted is older than what was sold."""
    terminals, _ = selling(copy, seconds=LOAD_SECONDS)
    time.sleep(LOAD_SECONDS / 2)
    pair.standby.stop()
    for terminal in terminals:
        terminal.join()
    time.sleep(10)  # sealed, and seen by the witness
    pair.primary.kill()
    pair.standby.start()
    pair.promote()
    ticket = {"numbers": [1], "stake": "1.00", "tender": [{"type": "cash"}]}
    promoted_at, accepted = time.monotonic(), 0
    while time.monotonic() - promoted_at < PATIENCE:
        try:
            status, answer = terminals[0].post("keno/tickets", ticket, terminals[0].token, secrets.token_hex(16))
        except (OSError, http.client.HTTPException, ValueError):
            continue
        if (status, answer.get("code")) == (503, "log-rewound"):
            noticed = time.monotonic() - promoted_at
            sys.stdout.write(f"Behind: noticed {noticed:.1f} s after the promotion, {accepted} sales before that.\n")
            return []
        accepted += status == 201
        time.sleep(0.1)
    return ["nobody noticed that the log went back"]


if __name__ == "__main__":
    sys.exit(main())
