"""From the released 0.2.0 to today and on to tomorrow while terminals sell: nothing is lost, nothing stands half.

A node with the released code sells. Beside it the new code prepares the database, killed at every migration between
its statements and its note; then a node with the new code takes over, and the old one goes.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import psutil
import psycopg
import pytest
from django.conf import settings
from django.db.migrations.loader import MigrationLoader

from config.backup import read_about
from config.services import addresses
from config.services.postgres import Postgres
from config.services.redis import Redis
from config.services.witness import OwnWitness
from tests.upgrade.released import code_of, code_of_today, unpacked
from tests.world.copies import PATIENCE, Copy, own_folder
from tests.world.journals import compare, verified
from tests.world.server import free_port
from tests.world.terminals import Terminal, token

VERSION: Final = "0.2.0"
TERMINALS: Final = 2
# Of a version that nobody has written yet: a column, and an index over all that was ever sold.
TOMORROW: Final = {
    "9998_a_column": """
class Migration(migrations.Migration):
    dependencies = [("keno", "{before}")]
    operations = [migrations.AddField("ticket", "of_tomorrow", models.IntegerField(null=True))]
""",
    "9999_an_index": """
class Migration(migrations.Migration):
    atomic = False
    dependencies = [("keno", "9998_a_column")]
    operations = [AddIndex("ticket", models.Index(fields=["of_tomorrow", "sold_at"], name="keno_ticket_tomorrow"))]
""",
}
IMPORTS: Final = "from django.db import migrations, models\nfrom kernel.indexes import AddIndex\n"
# Preparing, killed where the statements of a migration are done and nothing says so yet: at the first, or the second.
KILLED: Final = """
import os, signal, sys
from django.db.migrations.recorder import MigrationRecorder
left, note = int(sys.argv.pop(1)), MigrationRecorder.record_applied
def killed_at_it(self, app, name):
    global left
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1
    note(self, app, name)
MigrationRecorder.record_applied = killed_at_it
from config import prepare
prepare.main()
"""


class Servers:
    """What stays while versions come and go, with the released house in it."""

    def __init__(self, data: Path) -> None:
        self.data, self.backup = data, unpacked(VERSION, data)
        self.keys = data / "house-keys"
        (data / "keys").rename(self.keys)  # of the house; those of the database are its server's
        self.postgres, self.redis = Postgres(data), Redis(data)
        self.witness = OwnWitness(data, port=free_port(), beside_house=False)

    def start(self) -> None:
        for service in (self.postgres, self.redis, self.witness):
            service.start()

    def stop(self) -> None:
        for service in (self.witness, self.redis, self.postgres):
            service.stop()
        shutil.rmtree(self.data, ignore_errors=True)

    def url(self, role: str) -> str:
        return addresses.embedded_database_url(self.data, role)

    def node(self, tree: Path, **more: str) -> Copy:
        copy = Copy(
            own_folder(), METERHOUSE_DEMO="1", REDIS_URL=self.redis.url, METERHOUSE_KEYS=str(self.keys),
            WITNESS_URL=f"http://127.0.0.1:{self.witness.port}", DATABASE_URL=self.url(addresses.RUNTIME),
            DATABASE_OWNER_URL=self.url(addresses.OWNER), DATABASE_SEALER_URL=self.url(addresses.SEALER), **more,
        )  # fmt: skip
        copy.tree = tree
        return copy


@pytest.fixture
def servers() -> Iterator[Servers]:
    servers = Servers(own_folder())
    try:
        servers.start()
        yield servers
    finally:
        servers.stop()


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    """The released code, and today's with tomorrow's migrations."""
    released, new = code_of(VERSION, tmp_path / "released"), code_of_today(tmp_path / "new")
    (before,) = [name for app, name in MigrationLoader(None).graph.leaf_nodes() if app == "keno"]
    for name, text in TOMORROW.items():
        (new / "keno/migrations" / f"{name}.py").write_text(IMPORTS + text.format(before=before))
    return released, new


def restored(node: Copy, backup: Path) -> None:
    line = [sys.executable, "manage.py", "restore", str(backup)]
    done = subprocess.run(line, check=False, cwd=node.tree, env=node.env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def until(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.2)


def prepared_with_kills(node: Copy) -> int:
    """How often it was killed until nothing was left to do."""
    for attempt in range(1_000):
        line = [sys.executable, "-c", KILLED, str(min(attempt, 1))]
        env = node.env | {addresses.AS: addresses.OWNER}
        done = subprocess.run(line, check=False, cwd=node.tree, env=env, capture_output=True, text=True)
        if done.returncode == 0:
            return attempt
        assert done.returncode == -signal.SIGKILL, done.stdout + done.stderr
    raise AssertionError("it was never over")


def ready(copy: Copy) -> bool:
    try:
        return copy.get("/readyz") == 200
    except OSError:
        return False


def test_the_released_house_is_whole_and_every_step_from_it_is_here(tmp_path: Path) -> None:
    """A migration that was released is never taken away, renamed or put together with others."""
    about = read_about(unpacked(VERSION, tmp_path))
    known = MigrationLoader(None).disk_migrations
    released = {(app, name) for app, name in about.migrations if app in settings.ROOMS}
    assert released
    assert released <= set(known)
    assert (about.rows > 300, about.keys.keys() >= {"receipt", "draw-masters"}) == (True, True)


@pytest.mark.long
def test_from_the_released_version_under_load(servers: Servers, trees: tuple[Path, Path]) -> None:
    old, new = servers.node(trees[0]), servers.node(trees[1], ONLY="web,streams,worker,beat")
    try:
        restored(old, servers.backup)
        old.start()
        until(lambda: ready(old))
        terminals, devices = selling(old)
        until(lambda: all(each.journal.sold for each in terminals))
        assert prepared_with_kills(servers.node(trees[1])) >= len(TOMORROW)
        goes_on(terminals)
        new.start()
        for each in terminals:
            each.copy = new
        goes_on(terminals)
        assert old.stop(signal.SIGTERM) == 0
        goes_on(terminals)
        for each in terminals:
            each.until = 0.0
            each.join()
        assert [each.trouble for each in terminals] == [""] * TERMINALS
        assert sum(each.journal.server_errors for each in terminals) == 0
        until(lambda: ready(new))
        journals = [each.journal for each in terminals]
        assert compare(journals, devices=devices, url=servers.url(addresses.RUNTIME)) == []
        with psycopg.connect(servers.url(addresses.RUNTIME)) as line:
            valid = line.execute(
                "SELECT indisvalid FROM pg_index WHERE indexrelid = 'keno_ticket_tomorrow'::regclass"
            ).fetchall()
        assert valid == [(True,)]
        assert verified(new, servers.data / "export") == ""
        sys.stdout.write(
            f"{sum(len(each.sold) for each in journals)} sold meanwhile; longest to an answer "
            f"{max(each.longest_seconds for each in journals):.1f} s.\n"
        )
    finally:
        for copy in (old, new):
            if hasattr(copy, "process"):
                copy.process.kill()
                psutil.wait_procs(copy.processes(), PATIENCE)
            shutil.rmtree(copy.data, ignore_errors=True)


def selling(copy: Copy) -> tuple[list[Terminal], list[str]]:
    writers = [token(copy, "writer") for _ in range(TERMINALS)]
    table = token(copy, "table")[1]
    terminals = [
        Terminal(copy, token=secret, table_token=table, seed=number, until=time.monotonic() + 3_600)
        for number, (_, secret) in enumerate(writers)
    ]
    for terminal in terminals:
        terminal.start()
    return terminals, [f"device:{code}" for code, _ in writers]


def goes_on(terminals: list[Terminal]) -> None:
    """Each of them sells once more, and again."""
    before = [len(each.journal.sold) for each in terminals]
    until(lambda: all(len(each.journal.sold) > sold + 1 for each, sold in zip(terminals, before, strict=True)))
