"""A backup of the house: one consistent dump of its database, and a page that says what it holds.

Keys are named in it and never in it: whoever finds a dump must not find beside it what reads and signs for the house.
The witness's folder is in no backup at all (DRAWS.md): a witness with lost memory is a lost key, not a restored one.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import file_digest
from pathlib import Path
from typing import Final

import psycopg
from django.db.migrations.recorder import MigrationRecorder
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import Conninfo

from config.services.addresses import OWNER, database_url
from config.services.postgres import binaries
from kernel import keys
from kernel.environment import Trouble
from kernel.masking import masked
from ledger import keys as signing_keys

DUMP: Final = "database.dump"
ABOUT: Final = "about.json"
FORMAT: Final = 1

_STATE: Final = """
    SELECT pg_export_snapshot(), current_schema(), pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
           s.number, s.size, s.tx_upto, encode(s.root, 'hex'),
           (SELECT subject FROM ledger_act WHERE kind = 'keys.first'),
           greatest((SELECT max(at) FROM ledger_act WHERE id = (SELECT max(id) FROM ledger_act)),
                    (SELECT max(at) FROM ledger_transfer WHERE id = (SELECT max(id) FROM ledger_transfer)))
    FROM ledger_seal s ORDER BY s.number DESC LIMIT 1
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a backup holds: enough to say whether it is whole, whose it is and how far it goes."""

    format: int
    made_at: str
    newest_row_at: str
    first_key: str  # of the log, which names it
    seal: int
    rows: int  # under that seal
    root: str
    sealed_upto: int  # the transactions below this one are under it
    counter: int  # the next transaction: a database that counts from below it takes in what is never sealed
    schema: str  # of the database, in which the tables are
    sha256: str  # of the dump
    migrations: list[list[str]] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)  # names and ids of the keys that belong to it

    @property
    def age_seconds(self) -> float:
        return (datetime.now(UTC) - datetime.fromisoformat(self.newest_row_at)).total_seconds()


def make_backup(folder: Path) -> About:
    """All of it or nothing: what was written before a failure is removed."""
    made = not folder.exists()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise Trouble(f"{folder} is not empty: a backup has a folder of its own.")
    except OSError as error:
        raise Trouble(f"{folder} cannot be written: {error.strerror}.") from None
    try:
        return _make(folder)
    except BaseException:
        for name in (DUMP, ABOUT):
            (folder / name).unlink(missing_ok=True)
        if made:
            folder.rmdir()
        raise


def _make(folder: Path) -> About:
    with psycopg.connect(database_url(OWNER), autocommit=True) as line:
        line.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        try:
            found = line.execute(_STATE).fetchone()
        except psycopg.errors.UndefinedTable:
            found = None
        if found is None:
            raise Trouble("There is no house in this database yet: nothing has been sealed.")
        snapshot, schema, counter, seal, rows, upto, root, first_key, newest = found
        what = ("--format=custom", "--no-owner", "--no-acl", f"--schema={schema}", f"--snapshot={snapshot}")
        run("pg_dump", *what, f"--file={folder / DUMP}")
    about = About(
        format=FORMAT,
        made_at=datetime.now(UTC).isoformat(),
        newest_row_at=newest.astimezone(UTC).isoformat(),
        first_key=first_key.removeprefix("key:"),
        seal=seal,
        rows=rows,
        root=root,
        sealed_upto=upto,
        counter=counter,
        schema=schema,
        sha256=digest(folder / DUMP),
        migrations=sorted([app, name] for app, name in MigrationRecorder.Migration.objects.values_list("app", "name")),
        keys=key_ids(),
    )
    with (folder / ABOUT).open("w") as page:
        page.write(json.dumps(asdict(about), indent=1) + "\n")
        page.flush()
        os.fsync(page.fileno())
    return about


def read_about(folder: Path) -> About:
    """Of a backup that is whole."""
    try:
        said = json.loads((folder / ABOUT).read_text())
        about = About(**said)
        if about.format != FORMAT:
            raise Trouble(f"{folder} was made by another version of the house (format {about.format}).")
        whole = digest(folder / DUMP) == about.sha256
    except FileNotFoundError as error:
        raise Trouble(f"{folder} is no backup, or not a whole one: {Path(error.filename).name} is missing.") from None
    except (OSError, ValueError, TypeError) as error:
        raise Trouble(f"The backup in {folder} cannot be read: {error}.") from None
    if not whole:
        raise Trouble(f"The backup in {folder} has been changed, or is damaged: its dump is not the one that was made.")
    return about


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def key_ids() -> dict[str, str]:
    """Names and ids of the keys that are at hand: what belongs to a backup and is not in it."""
    named = {
        key.name: keys.key_id(key.name)
        for key in keys.KEYS
        if key.shape is not keys.Shape.SERIES and not key.of_embedded_database and keys.given(key.name) is not None
    }
    return named | {f"seals/{name}": name for name in signing_keys.names()}


def copy_keys(folder: Path) -> int:
    """The files of the key folder, but for the passwords of an embedded database, which is made with new ones. The
    witness's folder is not among them. How many."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise Trouble(f"{folder} is not empty: a copy of the keys has a folder of its own.")
    except OSError as error:
        raise Trouble(f"{folder} cannot be written: {error.strerror}.") from None
    kept = keys.folder()
    files = [path for path in kept.rglob("*") if path.is_file() and not path.name.startswith("database-")]
    for path in files:
        copied = folder / path.relative_to(kept)
        copied.parent.mkdir(mode=0o700, exist_ok=True)
        keys.write(copied, path.read_bytes())
    return len(files)


def run(program: str, *arguments: str) -> None:
    """One of PostgreSQL's own programs, at the database as its owner. Its password is in no command line."""
    done = subprocess.run(  # noqa: S603  the wheel's
        [binaries() / program, *arguments], check=False, env=_told(), capture_output=True, text=True
    )
    if done.returncode != 0:
        raise Trouble(f"{program} failed: {_last(done.stderr.splitlines())}")


def _told() -> dict[str, str]:
    variables = {option.keyword.decode(): option.envvar for option in Conninfo.get_defaults()}
    said = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    for keyword, value in conninfo_to_dict(database_url(OWNER)).items():
        if (variable := variables.get(keyword)) and value is not None:
            said[variable.decode()] = str(value)
    return said


def _last(lines: Sequence[str]) -> str:
    said = [line for line in lines if "error:" in line] or list(lines) or ["it does not say why"]
    return masked(said[0].partition("error: ")[2] or said[0])
