"""Backups: what is in them, what a restore refuses, and a house that comes back from one with its counter right."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from config import backup, restore
from config.services import addresses
from config.services.postgres import Postgres
from kernel import keys
from kernel.environment import ROOT, Trouble
from ledger.models import Act
from ledger.post import post
from ledger.seal import seal_now
from tests.world.books import ANNA, DAY, booking, open_books
from tests.world.copies import environment, own_folder
from tests.world.server import database_url

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The backup of a small house, of which the last row is not sealed."""
    monkeypatch.setattr(backup, "database_url", lambda role: database_url(addresses.OWNER))
    open_books()
    post(booking=booking(), by=ANNA, day=DAY)
    seal_now()
    post(booking=booking(), by=ANNA, day=DAY)
    backup.make_backup(tmp_path / "backup")
    return tmp_path / "backup"


@pytest.fixture
def server() -> Iterator[Postgres]:
    """A new, empty one, as after the loss of the old one's machine."""
    data = own_folder()
    new = Postgres(data, durable=False)
    new.start()
    yield new
    new.stop()
    shutil.rmtree(data, ignore_errors=True)


def manage(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments], check=False, cwd=ROOT, env=more, capture_output=True, text=True
    )


def test_a_house_comes_back_and_its_rows_are_sealed(made: Path, server: Postgres) -> None:
    about = backup.read_about(made)
    sold = list(Act.objects.order_by("id").values_list("id", "tx", "kind"))
    url = addresses.embedded_database_url(server.data, addresses.OWNER)
    here = environment(server.data, DATABASE_URL=url, METERHOUSE_KEYS=str(keys.folder()), METERHOUSE_AS="owner")
    done = manage("restore", str(made), **here)
    assert done.returncode == 0, done.stderr
    assert f"{about.rows:,} rows up to seal {about.seal:,}" in done.stdout
    with psycopg.connect(url, autocommit=True) as line:
        kept = line.execute("SELECT id, tx, kind FROM ledger_act ORDER BY id").fetchall()
        assert kept[:-1] == sold
        assert kept[-1][2] == "log.restored"
        assert kept[-1][1] >= about.counter > about.sealed_upto  # written above everything that the backup holds
        assert line.execute("SELECT count(*) FROM ledger_transfer WHERE tx >= %s", [about.sealed_upto]).fetchone() == (
            1,
        )
    done = manage("audit", "seal", **here)
    assert f"Seal {about.seal + 1} over {about.rows + 2} rows" in done.stdout, done.stderr  # the sale, and the restore
    refused = manage("restore", str(made), **here)
    assert (refused.returncode, refused.stderr.strip()) == (
        1,
        "This database has tables already: a backup is restored into an empty one.",
    )


def test_without_the_counter_every_node_would_refuse(made: Path, server: Postgres) -> None:
    """What pg_restore alone leaves behind; and how far is too far to count."""
    about = backup.read_about(made)
    with psycopg.connect(addresses.embedded_database_url(server.data, addresses.OWNER), autocommit=True) as line:
        next_ = restore._next(line)
        restore.count_on(line, next_ + 2_500, say=print)
        assert next_ + 2_500 <= restore._next(line) < next_ + 2_600
        far = backup.About(**json.loads((made / "about.json").read_text()) | {"counter": (3 << 32) + 7})
        with pytest.raises(Trouble, match="pg_resetwal -e 4 "):
            restore._refuse_far(line, far)
        restore._refuse_used(line)
        assert about.counter > about.sealed_upto


def test_what_is_no_whole_backup_is_not_restored(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    restored: list[str] = []
    monkeypatch.setattr(restore, "run", lambda *arguments: restored.append(arguments[0]))
    page, dump = made / backup.ABOUT, made / backup.DUMP
    said = json.loads(page.read_text())
    with pytest.raises(Trouble, match=r"is no backup, or not a whole one: about\.json is missing"):
        restore.restore_backup(tmp_path, say=print)
    cases = (
        ({"keys": said["keys"] | {"receipt": "0" * 16}}, "The key receipt here is not the one of this backup"),
        ({"keys": said["keys"] | {"seals/0123": "0123"}}, "The key seals/0123 of this backup is not here"),
        (
            {"migrations": [*said["migrations"], ["keno", "9999_from_tomorrow"]]},
            "newer version .* keno.9999_from",
        ),
        ({"format": 2}, "another version of the house"),
        ({"rows": None, "strange": 1}, "cannot be read"),
    )
    for changed, sentence in cases:
        page.write_text(json.dumps(said | changed))
        with pytest.raises(Trouble, match=sentence):
            restore.restore_backup(made, say=print)
    page.write_text(json.dumps(said))
    whole = dump.read_bytes()
    dump.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(Trouble, match="changed, or is damaged"):
        restore.restore_backup(made, say=print)
    assert restored == []


def test_keys_are_named_and_lie_elsewhere(made: Path, tmp_path: Path) -> None:
    """No secret in the dump's folder; the witness's folder, where it stands beside us, in neither."""
    secrets = [keys.secret(key.name) for key in keys.KEYS if key.shape in (keys.Shape.TEXT, keys.Shape.SIGNING)
               and not key.of_embedded_database]  # fmt: skip
    files = [path.read_bytes() for path in made.iterdir()]
    assert {path.name for path in made.iterdir()} == {backup.DUMP, backup.ABOUT}
    assert not [secret for secret in secrets if any(secret.encode() in file for file in files)]
    assert "receipt" in backup.read_about(made).keys
    count = backup.copy_keys(tmp_path / "keys")
    copied = {str(path.relative_to(tmp_path / "keys")) for path in (tmp_path / "keys").rglob("*") if path.is_file()}
    assert len(copied) == count
    assert "receipt" in copied
    assert not [name for name in copied if name.startswith(("database-", "witness"))]
    assert not [path for path in (tmp_path / "keys").rglob("*") if path.stat().st_mode & 0o077]
    with pytest.raises(Trouble, match="is not empty"):
        backup.copy_keys(tmp_path / "keys")
    with pytest.raises(Trouble, match="is not empty: a backup has a folder of its own"):
        backup.make_backup(made)
    assert backup.read_about(made)  # untouched


def test_a_backup_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "database_url", lambda role: database_url(addresses.OWNER))
    with pytest.raises(Trouble, match="There is no house in this database yet"):
        backup.make_backup(tmp_path / "backup")
    open_books()
    sell_and_seal()
    monkeypatch.setattr(backup, "binaries", lambda: tmp_path)
    (tmp_path / "pg_dump").write_text("#!/bin/sh\necho 'pg_dump: error: No space left on device' >&2; exit 1\n")
    os.chmod(tmp_path / "pg_dump", 0o700)
    with pytest.raises(Trouble, match=r"^pg_dump failed: No space left on device$"):
        backup.make_backup(tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


def sell_and_seal() -> None:
    post(booking=booking(), by=ANNA, day=DAY)
    seal_now()


@pytest.mark.long
def test_a_drill_checks_everything_and_says_how_old_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "database_url", lambda role: database_url(addresses.OWNER))
    env = environment(own_folder(), METERHOUSE_KEYS=str(keys.folder()))
    open_books()
    seal_now()
    backup.make_backup(tmp_path / "right")
    done = manage("drill", str(tmp_path / "right"), **env)
    assert done.returncode == 0, done.stderr
    assert "Restored and right" in done.stdout
    assert "The newest row is of" in done.stdout
    sell_and_seal()  # what no rule of the house knows
    backup.make_backup(tmp_path / "wrong")
    done = manage("drill", str(tmp_path / "wrong"), **env)
    assert (done.returncode, done.stdout) == (1, "")
    assert "is wrong: line" in done.stderr
    shutil.rmtree(env["METERHOUSE_DATA"], ignore_errors=True)
