"""The keys and passwords of this installation: each has a name, a purpose, its readers and one way in (decision 19).

A key comes from its variable, or from a command that prints it (the variable's name and _COMMAND: it may ask a KMS), or
else from a file of its name in the key folder. None is made in passing: a key that is missing is said in one sentence,
and only the first start of the embedded default makes them. No Django here: the supervisor uses it too.
"""

from __future__ import annotations

import functools
import os
import secrets
import shlex
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import Final

from kernel import escrow
from kernel.environment import Trouble, data_folder

# The programs of the house, by the names the supervisor gives them.
WEB, STREAMS, WORKER, BEAT, SEALER = PROGRAMS = ("web", "streams", "worker", "beat", "sealer")
_EVERY = frozenset(PROGRAMS)
_VERBS = frozenset({WEB, WORKER})  # where verbs run


class Shape(Enum):
    TEXT = "text"  # random
    SIGNING = "signing"  # the private half of an Ed25519 key, in hexadecimal digits
    SERIES = "series"  # several of those over the years, a file each, named by their fingerprints
    PUBLIC = "public"  # the public half of somebody else's, in hexadecimal digits


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    name: str
    purpose: str
    readers: frozenset[str]  # programs; whoever prepares the house reads all
    shape: Shape = Shape.TEXT
    variable: str = ""

    @property
    def way_in(self) -> str:
        """The variable it may come from."""
        return self.variable or f"METERHOUSE_KEY_{self.name.upper().replace('-', '_')}"

    @property
    def path(self) -> Path:
        return folder() / self.name

    @property
    def of_embedded_database(self) -> bool:
        """Made with the embedded database and told to it at every start; other databases have theirs in the URL."""
        return self.name.startswith("database-")


KEYS: Final = (
    Key(name="database-owner", purpose="the password of the database's owner, who migrates", readers=frozenset()),
    Key(name="database-runtime", purpose="the password of the database role of the verbs", readers=_EVERY - {SEALER}),
    Key(name="database-sealer", purpose="the password of the database role that seals", readers=frozenset({SEALER})),
    Key(
        name="seals",
        purpose="the private halves of the keys that seal the log",
        readers=frozenset({SEALER}),
        shape=Shape.SERIES,
    ),
    Key(name="feed", purpose="signs what the boards are fed", readers=frozenset({WEB}), shape=Shape.SIGNING),
    # The worker prints where it plays a month through (keno/simulate).
    Key(name="receipt", purpose="signs what is on a receipt", readers=_VERBS, shape=Shape.SIGNING),
    Key(name="export", purpose="signs the audit export", readers=frozenset({WORKER}), shape=Shape.SIGNING),
    Key(name="django-secret", purpose="signs cookies and forms", readers=_EVERY, variable="SECRET_KEY"),
    Key(
        name="second-step-key",
        purpose="encrypts the secrets of second steps",
        readers=frozenset({WEB}),
        variable="SECOND_STEP_KEY",
    ),
    Key(
        name="customer-key",
        purpose="hashes what identifies customers",
        readers=_VERBS,
        variable="CUSTOMER_KEY",
    ),
    Key(name="keno-security-code", purpose="makes the security codes of receipts and vouchers", readers=_VERBS),
    Key(name="draw-masters", purpose="encrypts the masters of draws", readers=_VERBS),
    Key(
        name="inspector-escrow",
        purpose="the public half of the inspector's offline key, to which the masters of draws are encrypted",
        readers=_VERBS,
        shape=Shape.PUBLIC,
    ),
    Key(name="promotion-list-key", purpose="encrypts the kept lists of promotion entries", readers=_VERBS),
)
_NAMED: Final = {key.name: key for key in KEYS}


def folder() -> Path:
    return Path(os.environ.get("METERHOUSE_KEYS") or data_folder() / "keys").absolute()


def database_password(role: str, data: Path, *, make: bool = False) -> str | None:
    """Of a role of the embedded database in this data folder; None before its first start."""
    path = data / "keys" / named(f"database-{role}").name
    if make and not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write(path, f"{secrets.token_urlsafe(48)}\n".encode())
    return _read(path)


def named(name: str) -> Key:
    """Whoever needs another key names it above first."""
    return _NAMED[name]


def secret(name: str) -> str:
    """The key of this name; one sentence where there is none."""
    value = given(name)
    if value is None:
        raise Trouble(_missing(named(name)))
    return value


def given(name: str) -> str | None:
    """The key of this name, or None where no way leads to it."""
    key = named(name)
    variable, command = os.environ.get(key.way_in), os.environ.get(f"{key.way_in}_COMMAND")
    if variable and command:
        raise Trouble(f"{key.way_in} and {key.way_in}_COMMAND are both set: a key has one way in.")
    if variable:
        return variable
    if command:
        return _asked(key.name, command)
    return _read(key.path)


def _read(path: Path) -> str | None:
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        return None
    except PermissionError:
        raise Trouble(f"The key {path.name} in {path.parent} is not for this program to read.") from None


@functools.cache
def _asked(name: str, command: str) -> str:
    """Asked once a process: a KMS may be far away."""
    try:
        done = subprocess.run(shlex.split(command), check=True, capture_output=True, text=True, timeout=60)  # noqa: S603
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise Trouble(f"The command that gives the key {name} failed ({type(error).__name__}): {command}") from None
    if not done.stdout.strip():
        raise Trouble(f"The command that gives the key {name} printed nothing: {command}")
    return done.stdout.strip()


def key_id(name: str) -> str:
    """What may be said of a secret, to tell one from another: the start of a hash of it."""
    return sha256(f"meterhouse/key-id/1:{name}:{secret(name)}".encode()).hexdigest()[:16]


def missing(keys: Iterable[Key] = KEYS) -> list[Key]:
    return [key for key in keys if not _is_there(key)]


def _is_there(key: Key) -> bool:
    if os.environ.get(key.way_in) or os.environ.get(f"{key.way_in}_COMMAND"):
        return True
    return any(key.path.iterdir()) if key.path.is_dir() else key.path.exists()


def require(program: str) -> None:
    """Read every key that this program needs, or say in one sentence which is not there."""
    for key in KEYS:
        if program in key.readers and key.shape is not Shape.SERIES and not key.of_embedded_database:
            secret(key.name)


def ensure(programs: Iterable[str] = PROGRAMS, *, may_make: bool) -> None:
    """Every key that one of these programs reads has its way in. *may_make*, for the embedded default: those that no
    start has had yet are made now; one that was there and is not any more is never made again, because what it
    protected would be lost quietly."""
    known = _known()
    wanted = [key for key in _needed() if key.readers & set(programs)]
    for key in missing(wanted):
        if key.name in known or not may_make:
            raise Trouble(_missing(key))
    if may_make:
        make(missing(wanted))


def make(keys: Iterable[Key]) -> None:
    """New keys in the folder, 0600, each on disk before anybody relies on it."""
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    for key in keys:
        if key.shape is Shape.SERIES:
            key.path.mkdir(mode=0o700, exist_ok=True)
            continue
        if key.shape is Shape.PUBLIC:
            made = _made_beside_us(key)
        else:
            made = secrets.token_hex(32) if key.shape is Shape.SIGNING else secrets.token_urlsafe(48)
        write(key.path, f"{made}\n".encode())
    remembered = _list()
    names = sorted(_known() | {key.name for key in KEYS if key.path.exists()})
    if remembered.exists() and remembered.read_text().split() == names:
        return
    remembered.with_suffix(".new").write_text("\n".join(names) + "\n")
    remembered.with_suffix(".new").replace(remembered)


def _made_beside_us(key: Key) -> str:
    """Somebody else's key, where he stands on the house's own machine: the private half goes into the witness's folder
    and into no backup of the house. With a witness elsewhere it is the inspector's to make."""
    if os.environ.get("WITNESS_URL"):
        raise Trouble(
            f"The key {key.name} is the inspector's: have him make it (docs/proof/draws.md), set {key.way_in}."
        )
    private = escrow.new_private()
    beside = data_folder() / "witness"
    beside.mkdir(mode=0o700, parents=True, exist_ok=True)
    write(beside / key.name, f"{private.hex()}\n".encode())
    return escrow.public_of(private).hex()


def write(path: Path, content: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def for_program(program: str, environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without the keys that this program does not read. Whoever is none of PROGRAMS prepares."""
    if program not in PROGRAMS:
        return dict(environment)
    others = [key.way_in for key in KEYS if program not in key.readers]
    strange = {name for variable in others for name in (variable, f"{variable}_COMMAND")}
    return {name: value for name, value in environment.items() if name not in strange}


def _needed() -> list[Key]:
    return [key for key in KEYS if not key.of_embedded_database]


def _missing(key: Key) -> str:
    return (
        f"The key {key.name} ({key.purpose}) is missing: restore {key.path} from its backup, set {key.way_in}, or in a "
        "new house make it with “python -m config.keys make”."
    )


def _list() -> Path:
    return folder() / "named"


def _known() -> set[str]:
    """The keys that were there at an earlier start."""
    try:
        return set(_list().read_text().split())
    except FileNotFoundError:
        return set()
