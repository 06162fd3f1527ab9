"""The addresses of database, cache and broker: the environment's, else the embedded ones'."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

from psycopg.conninfo import conninfo_to_dict

from kernel import keys
from kernel.environment import data_folder

POSTGRES_DATABASE = "meterhouse"

# As whom a process speaks to the database (decision 18): the owner migrates, the sealer seals, the others run.
OWNER, RUNTIME, SEALER = "owner", "runtime", "sealer"
AS = "METERHOUSE_AS"
EMBEDDED_ROLES = {OWNER: "meterhouse", RUNTIME: "meterhouse_runtime", SEALER: "meterhouse_sealer"}
_VARIABLES = {OWNER: "DATABASE_OWNER_URL", RUNTIME: "DATABASE_URL", SEALER: "DATABASE_SEALER_URL"}


def socket_folder(data: Path) -> Path:
    """In the data folder where a unix socket's path fits (107 bytes), else a folder of its own in the temporary one."""
    inside = data / "sockets"
    if len(str(inside)) < 80:
        return inside
    return Path(tempfile.gettempdir()) / f"meterhouse-{hashlib.sha256(str(data).encode()).hexdigest()[:12]}"


def database_as() -> str:
    return os.environ.get(AS) or RUNTIME


def database_url(role: str | None = None) -> str:
    """Of this process, or of another role. With nothing but DATABASE_URL that one does everything."""
    if foreign := os.environ.get("DATABASE_URL"):
        return os.environ.get(_VARIABLES[role or database_as()]) or foreign
    return embedded_database_url(data_folder(), role or database_as())


def embedded_database_url(data: Path, role: str = RUNTIME) -> str:
    password = keys.database_password(role, data)
    user = f"{EMBEDDED_ROLES[role]}:{quote(password, safe='')}" if password else EMBEDDED_ROLES[role]
    return f"postgresql://{user}@{quote(str(socket_folder(data)), safe='')}/{POSTGRES_DATABASE}"


# A server that vanished without a word is given up within half a minute.
_NOTICES_THE_DEAD = {
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",
}
# What a program has in its environment only where it works as that role.
PRIVILEGED = {AS, _VARIABLES[OWNER], _VARIABLES[SEALER]}


def environment_of(role: str) -> dict[str, str]:
    """What a program that works as this role is told, beside what all are told."""
    told = {AS: role}
    if role != RUNTIME and (url := os.environ.get(_VARIABLES[role])):
        told[_VARIABLES[role]] = url
    if role == OWNER and (sealer := os.environ.get(_VARIABLES[SEALER])):
        told[_VARIABLES[SEALER]] = sealer  # whom it grants what
    return told


def django_database(url: str) -> dict[str, Any]:
    """A PostgreSQL address as Django wants it, whatever libpq makes of it: with several hosts the one that can be
    written to is meant, so that a failover pair needs no more than its address."""
    given = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
    named = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    database = {setting: given.pop(name, "") for setting, name in named.items()}
    if "," in database["HOST"]:
        given = {"target_session_attrs": "read-write", "connect_timeout": "3"} | given
    if database["HOST"] and not database["HOST"].startswith("/"):
        given = _NOTICES_THE_DEAD | given
    return {"ENGINE": "django.db.backends.postgresql", **database, "OPTIONS": given}


def database_roles() -> dict[str, str]:
    """What the roles are called that are granted what they need; none where one role does everything."""
    if not os.environ.get("DATABASE_URL"):
        return {role: EMBEDDED_ROLES[role] for role in (RUNTIME, SEALER)}
    if not os.environ.get(_VARIABLES[OWNER]):
        return {}
    return {role: urlsplit(os.environ.get(_VARIABLES[role], "")).username or "" for role in (RUNTIME, SEALER)}


def database_name() -> str:
    """Which database this is, whoever asks: the same text as before there were several roles."""
    plain = f"postgresql://{EMBEDDED_ROLES[OWNER]}@{quote(str(socket_folder(data_folder())), safe='')}"
    return os.environ.get("DATABASE_URL") or f"{plain}/{POSTGRES_DATABASE}"


def demo_mark() -> Path:
    """Lies in the data folder once the demo venue was made in this database, or is not wanted in it."""
    return data_folder() / f"demo-made-{hashlib.sha256(database_name().encode()).hexdigest()[:12]}"


def redis_socket(data: Path) -> Path:
    """In a folder of its own: who can write where PostgreSQL's is could put another in its place."""
    return socket_folder(data) / "redis" / "redis.sock"


def redis_url() -> str:
    return os.environ.get("REDIS_URL") or embedded_redis_url(data_folder())


def embedded_redis_url(data: Path) -> str:
    return f"unix://{redis_socket(data)}?db=0"


def broker_url() -> str:
    """Celery has words of its own for a Redis at a socket."""
    given = os.environ.get("CELERY_BROKER_URL") or redis_url()
    if not given.startswith("unix://"):
        return given
    at = urlsplit(given)
    asked = dict(parse_qsl(at.query))
    secret = f":{asked.get('password') or at.password}@" if asked.get("password") or at.password else ""
    return f"redis+socket://{secret}{at.path}?virtual_host={asked.get('db', '0')}"
