"""``make trial``: two nodes on Debian's Patroni, etcd, HAProxy and RabbitMQ; the primary is killed under load.

Everything is on loopback, in a folder of its own, and over after a few minutes: two PostgreSQL 15 under Patroni with a
synchronous standby, HAProxy before the database and before the two web nodes, RabbitMQ as the broker, two workers.
Terminals sell through the proxy. The primary and its Patroni are killed, then one web node, then the broker; then the
journals are compared with the books, and the export is verified. ``deploy/trial/`` has the files.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from string import Template
from typing import Final

import psutil
import psycopg

from config.services.redis import Redis
from kernel.environment import ROOT
from tests.soak.__main__ import well_again
from tests.soak.failover import selling
from tests.soak.pair import ROLES, keys_made
from tests.world.copies import PATIENCE, Copy, own_folder
from tests.world.journals import compare, verified
from tests.world.server import free_port
from tests.world.terminals import Terminal

FILES: Final = ROOT / "deploy" / "trial"
NEEDED: Final = ("patroni", "etcd", "haproxy", "rabbitmq-server")
BINARIES: Final = Path("/usr/lib/postgresql/15/bin")
QUIET_SECONDS, LOAD_SECONDS = 15.0, 75.0


class Trial:
    """What the house stands on, each a process of ours in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.password = folder, secrets.token_hex(16)
        self.user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        names = ("etcd", "peer", "one", "one_api", "two", "two_api", "database", "web", "first", "second", "amqp",
                 "epmd", "dist")  # fmt: skip
        self.ports = {name: free_port() for name in names}
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        if self.user is not None:
            os.chown(folder, self.user.pw_uid, self.user.pw_gid)

    def start(self) -> None:
        at = {name: f"http://127.0.0.1:{self.ports[name]}" for name in ("etcd", "peer")}
        self._run(
            "etcd", "etcd", "--data-dir", f"{self.folder}/etcd", "--listen-client-urls", at["etcd"],
            "--advertise-client-urls", at["etcd"], "--listen-peer-urls", at["peer"],
            "--initial-advertise-peer-urls", at["peer"], "--initial-cluster", f"default={at['peer']}",
        )  # fmt: skip
        self._run("haproxy", "/usr/sbin/haproxy", "-db", "-f", str(self._file("haproxy.cfg", self._given())))
        self._rabbitmq()
        for name in ("one", "two"):
            self._patroni(name)
            _until(partial(self._is_up, name), f"PostgreSQL {name}")
        with psycopg.connect(self.url("postgres", database="postgres"), autocommit=True) as line:
            for role in ROLES:
                line.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{self.password}'")
            line.execute("CREATE DATABASE meterhouse OWNER meterhouse")
        _until(self._in_step, "the standby in step")

    def _is_up(self, name: str) -> bool:
        return self._role(name) is not None

    def url(self, role: str, *, database: str = "meterhouse") -> str:
        return f"postgresql://{role}:{self.password}@127.0.0.1:{self.ports['database']}/{database}"

    @property
    def broker(self) -> str:
        return f"amqp://guest:guest@127.0.0.1:{self.ports['amqp']}//"

    def primary(self) -> str:
        return next(name for name in ("one", "two") if self._role(name) is False)

    def kill(self, name: str) -> None:
        """It and everything it has started, at once: a machine that lost its power."""
        first = psutil.Process(self.running.pop(name).pid)
        group = [first, *first.children(recursive=True)]
        if name in ("one", "two"):  # the server that Patroni has started is nobody's child
            leader = psutil.Process(int((self.folder / name / "data" / "postmaster.pid").read_text().split()[0]))
            group += [leader, *leader.children(recursive=True)]
        for each in group:
            with suppress(psutil.NoSuchProcess):
                each.kill()
        psutil.wait_procs(group, PATIENCE)

    def stop(self) -> None:
        for name in reversed(list(self.running)):
            with suppress(psutil.NoSuchProcess, OSError):
                self.kill(name)
        for process in psutil.process_iter():  # Erlang's own name server outlives whoever started it
            with suppress(psutil.Error):
                if process.name() == "epmd" and process.environ().get("HOME") == str(self.folder):
                    process.kill()

    def again(self, name: str) -> None:
        self._rabbitmq() if name == "rabbitmq" else self._patroni(name)

    def _given(self) -> dict[str, object]:
        return {**self.ports, "folder": self.folder}

    def _file(self, template: str, given: Mapping[str, object], *, to: str = "") -> Path:
        made = self.folder / (to or template)
        made.write_text(Template((FILES / template).read_text()).substitute(given))
        made.chmod(0o644)
        return made

    def _patroni(self, name: str) -> None:
        own = self.folder / name
        own.mkdir(exist_ok=True)
        own.chmod(0o700)
        if self.user is not None:
            os.chown(own, self.user.pw_uid, self.user.pw_gid)
        given = {
            "name": name, "api": self.ports[f"{name}_api"], "etcd": self.ports["etcd"], "port": self.ports[name],
            "folder": own, "binaries": BINARIES, "password": self.password,
        }  # fmt: skip
        made = self._file("patroni.yaml", given, to=f"{name}.yaml")
        self._run(name, "/usr/bin/patroni", str(made))

    def _rabbitmq(self) -> None:
        own = self.folder / "rabbitmq"
        own.mkdir(exist_ok=True)
        if self.user is not None:
            os.chown(own, self.user.pw_uid, self.user.pw_gid)
        program = next(Path("/usr/lib/rabbitmq/lib").glob("rabbitmq_server-*/sbin/rabbitmq-server"))
        self._run(
            "rabbitmq", str(program),
            RABBITMQ_NODENAME="trial@localhost", RABBITMQ_NODE_IP_ADDRESS="127.0.0.1",
            RABBITMQ_NODE_PORT=str(self.ports["amqp"]), RABBITMQ_DIST_PORT=str(self.ports["dist"]),
            RABBITMQ_MNESIA_BASE=f"{own}/mnesia", RABBITMQ_LOG_BASE=f"{own}/log", RABBITMQ_PID_FILE=f"{own}/pid",
            RABBITMQ_ENABLED_PLUGINS_FILE=f"{own}/plugins", RABBITMQ_CONFIG_FILE=f"{own}/none",
            RABBITMQ_CONF_ENV_FILE=f"{own}/none-env",
            ERL_EPMD_PORT=str(self.ports["epmd"]), ERL_EPMD_ADDRESS="127.0.0.1",
            RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS="-kernel inet_dist_use_interface {127,0,0,1}",
        )  # fmt: skip
        _until(lambda: _answers(self.ports["amqp"]), "RabbitMQ")

    def _run(self, name: str, *line: str, **more: str) -> None:
        with (self.folder / f"{name}.log").open("ab") as said:
            self.running[name] = subprocess.Popen(
                line, stdout=said, stderr=said, cwd=self.folder, start_new_session=True,
                user=self.user.pw_uid if self.user else None, group=self.user.pw_gid if self.user else None,
                env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8", **more},
            )  # fmt: skip

    def _role(self, name: str) -> bool | None:
        """Whether it is a standby; None where it does not answer."""
        at = f"postgresql://postgres:{self.password}@127.0.0.1:{self.ports[name]}/postgres"
        with suppress(psycopg.Error), psycopg.connect(at, connect_timeout=2) as line:
            row = line.execute("SELECT pg_is_in_recovery()").fetchone()
            return bool(row and row[0])
        return None

    def _in_step(self) -> bool:
        with psycopg.connect(self.url("postgres", database="postgres")) as line:
            row = line.execute("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'").fetchone()
        return bool(row and row[0])


def _answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def _until(what: Callable[[], bool], name: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not what():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{name} did not come")
        time.sleep(0.3)


def main() -> int:
    if missing := [name for name in NEEDED if shutil.which(name, path="/usr/sbin:/usr/bin") is None]:
        sys.stdout.write(f"The trial needs Debian's {', '.join(missing)} (apt-get install patroni etcd-server haproxy "
                         "rabbitmq-server postgresql-15).\n")  # fmt: skip
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # and everything is put away
    folder = own_folder()
    trial, nodes = Trial(folder), [Copy(own_folder()), Copy(own_folder())]
    boards = own_folder()
    redis = Redis(boards)
    try:
        trial.start()
        redis.start()
        house(trial, nodes, redis.url)
        wrong = struck(trial, nodes)
    finally:
        for node in reversed(nodes):
            if hasattr(node, "process"):
                node.process.kill()
                psutil.wait_procs(node.processes(), PATIENCE)
        redis.stop()
        trial.stop()
        for each in (folder, boards, *(node.data for node in nodes)):
            shutil.rmtree(each, ignore_errors=True)
    for sentence in wrong:
        sys.stdout.write(f"WRONG: {sentence}\n")
    return 1 if wrong else 0


def house(trial: Trial, nodes: list[Copy], redis: str) -> None:
    """The first has the witness beside it and prepares; the second is a node like any other."""
    for node, name in zip(nodes, ("first", "second"), strict=True):
        node.port = trial.ports[name]
        node.env |= {
            "PORT": str(node.port), "METERHOUSE_DEMO": "1", "REDIS_URL": redis, "CELERY_BROKER_URL": trial.broker,
            "DATABASE_URL": trial.url("meterhouse_runtime"), "DATABASE_OWNER_URL": trial.url("meterhouse"),
            "DATABASE_SEALER_URL": trial.url("meterhouse_sealer"),
        }  # fmt: skip
    first, second = nodes
    keys_made(first)
    shutil.copytree(first.data / "keys", second.data / "keys")
    first.start()
    witness = (first.data / "witness-address").read_text().strip()
    second.env |= {"ONLY": "web,streams,worker,beat", "WITNESS_URL": witness}
    second.start()


def struck(trial: Trial, nodes: list[Copy]) -> list[str]:
    front = Copy(nodes[0].data)
    front.env, front.port = nodes[0].env, trial.ports["web"]
    if well_again(nodes[0]) is None:
        return ["the house was never ready"]
    terminals, devices = selling(front, seconds=LOAD_SECONDS)
    time.sleep(QUIET_SECONDS)
    primary, sold = trial.primary(), _sold(terminals)
    trial.kill(primary)
    back = _back(terminals)
    _say(f"The primary and its Patroni killed after {sold:,} sales: sales back after {back:.1f} s.")
    trial.again(primary)
    sold = _sold(terminals)
    nodes[1].process.kill()
    _say(f"One web node with its worker killed: sales back after {_back(terminals):.1f} s.")
    trial.kill("rabbitmq")
    _say(f"RabbitMQ killed: sales back after {_back(terminals):.1f} s.")
    trial.again("rabbitmq")
    for terminal in terminals:
        terminal.join()
    wrong = [each.trouble for each in terminals if each.trouble]
    healed = well_again(nodes[0])
    if healed is None:
        wrong.append("the house was not ready again")
    wrong += compare([each.journal for each in terminals], devices=devices, url=trial.url("meterhouse_runtime"))
    if said := verified(front, front.data / "export"):
        wrong.append(said)
    journals = [each.journal for each in terminals]
    _say(
        f"{_sold(terminals):,} sold, {sum(len(each.contributed) for each in journals):,} contributions, asked again "
        f"{sum(each.asked_again for each in journals):,} times, answers with 500: "
        f"{sum(each.server_errors for each in journals):,}, longest to an answer "
        f"{max(each.longest_seconds for each in journals):.1f} s; ready again after {healed or -1:.1f} s; the primary "
        f"that was killed is {'back as a standby' if trial._role(primary) else 'not back'}; "
        f"{'the journals and the books agree, and the export is right' if not wrong else 'WRONG'}."
    )
    return wrong


def _sold(terminals: list[Terminal]) -> int:
    return sum(len(each.journal.sold) for each in terminals)


def _back(terminals: list[Terminal]) -> float:
    """After how long somebody has sold again, and another as well."""
    began, sold = time.monotonic(), _sold(terminals)
    while _sold(terminals) <= sold + 1 and time.monotonic() - began < PATIENCE:
        time.sleep(0.1)
    return time.monotonic() - began


def _say(sentence: str) -> None:
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
